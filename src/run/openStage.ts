/** The opening of a run: which actors are started, and what the outside world will send. */

import type { Part } from "../contract/part.ts";
import type { Policy } from "../contract/policy.ts";
import type { OutsideEvent } from "../contract/scenario.ts";
import type { Stage } from "../contract/stage.ts";
import type { Letter } from "../machines/letter.ts";
import type { Kernel } from "../substrate/kernel.ts";

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
