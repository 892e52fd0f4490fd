/** Letters of a run as a sequence diagram of Mermaid: who wrote to whom, in their order. */
import { countOf } from "../../contract/countOf.ts";
import { clock } from "../duration.ts";
import type { ExportedRun, IsShown } from "./exportedRun.ts";

/** Ours: of more, no diagram can be read. */
const LETTERS_MAX = 200;

/** The text; its last line says how many letters it leaves out. */
export function mermaidSequence({ deliveries }: ExportedRun, isShown: IsShown): readonly string[] {
  const names = new Map<string, string>();
  const lines: string[] = [];
  let left = 0;
  let lastMs = -1;
  for (const delivery of deliveries) {
    if (!isShown(delivery)) continue;
    if (lines.length >= LETTERS_MAX) {
      left += 1;
      continue;
    }
    const { dueMs, from, to, event } = delivery;
    const [sender, receiver] = [from, to].map((address) => {
      const name = names.get(address) ?? `a${names.size}`;
      names.set(address, name);
      return name;
    });
    const at = dueMs === lastMs ? "" : `${clock(dueMs)} `;
    lastMs = dueMs;
    lines.push(`  ${sender}->>${receiver}: ${escaped(`${at}${event.type}`)}`);
  }
  const participants = [...names].map(
    ([address, name]) => `  participant ${name} as ${escaped(address)}`,
  );
  const more =
    left === 0
      ? []
      : [`  %% ${countOf(left, "more letter")} left out: name a shorter time, or an actor`];
  return ["sequenceDiagram", ...participants, ...lines, ...more].map((line) => `${line}\n`);
}

/** To Mermaid a semicolon ends a line, a hash begins an entity, `%%{` a directive, `$$` a formula and `<` a break. */
const escaped = (text: string): string =>
  text.replaceAll(/[\r\n]/g, " ").replaceAll(/[#;%$<]/g, (char) => `#${char.charCodeAt(0)};`);
