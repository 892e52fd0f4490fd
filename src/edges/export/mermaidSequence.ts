/** Letters of a run as a sequence diagram of Mermaid: who wrote to whom, in their order. */
import type { Log } from "../../substrate/log.ts";
import { clock } from "../duration.ts";

/** Ours: of more, no diagram can be read. */
const LETTERS_MAX = 200;

/** The text, and how many letters it leaves out. */
export function mermaidSequence(
  deliveries: Log,
  isShown: (delivery: {
    readonly dueMs: number;
    readonly from: string;
    readonly to: string;
  }) => boolean,
): { readonly text: string; readonly left: number } {
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
  return { text: ["sequenceDiagram", ...participants, ...lines, ""].join("\n"), left };
}

/** Mermaid ends a line at a semicolon, and begins an entity at a hash. */
const escaped = (text: string): string =>
  text.replaceAll(/[#;\r\n]/g, (char) => (char === "#" ? "#35;" : char === ";" ? "#59;" : " "));
