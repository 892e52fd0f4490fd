/** Whether anything came of what was done in a run, and if not, why: counted from the log. */
import type { Fruitless } from "./actors/fruitless.ts";
import type { ModelUse } from "./actors/modelUse.ts";
import type { Part } from "./actors/part.ts";
import type { Observed } from "./compare.ts";
import type { Log } from "./substrate/log.ts";

export function fruitless(
  parts: readonly Part[],
  { result }: Pick<Observed, "result">,
  deliveries: Log,
  use: ModelUse,
): readonly Fruitless[] {
  const soFar = result.outcome === "ended" ? "" : " so far";
  return parts.toReversed().flatMap((part) => part.fruitless?.({ deliveries, use, soFar }) ?? []);
}
