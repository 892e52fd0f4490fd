/** The opening of a run: which actors are started, and what the outside world will send. */
import type { Letter } from "../machines/letter.ts";
import type { Kernel } from "../substrate/kernel.ts";
import type { Part } from "./part.ts";
import type { Policy } from "./policy.ts";
import type { OutsideEvent } from "./scenario.ts";
import type { Stage } from "./stage.ts";

/** Posts everything that comes from outside, part by part: their order is that in which actors start. */
export function openStage(
  kernel: Kernel,
  parts: readonly Part[],
  policy: Policy,
  stage: Stage,
): void {
  const added = parts.map((part) => part.stage?.files?.(stage, policy) ?? {});
  const whole = { ...stage, files: Object.assign({}, stage.files, ...added) };
  for (const part of parts) {
    for (const { id, letter } of part.stage?.opening?.(whole) ?? []) {
      kernel.postFromOutside(id, letter);
    }
  }
  for (const event of stage.events) {
    kernel.postFromOutside(event.id, { ...letterOf(event, parts, whole), delayMs: event.atMs });
  }
}

function letterOf(event: OutsideEvent, parts: readonly Part[], stage: Stage): Letter {
  for (const part of parts) {
    const letter = part.stage?.letterOf?.(event, stage);
    if (letter !== undefined) return letter;
  }
  throw new Error(`no part knows what ${event.does} is`);
}
