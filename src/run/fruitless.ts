/** Whether anything came of what was done in a run, and if not, why: counted from the log. */
import type { Fruitless } from "../contract/fruitless.ts";
import type { ModelUse } from "../contract/modelUse.ts";
import type { Part } from "../contract/part.ts";
import type { Log } from "../substrate/log.ts";
import type { Observed } from "./compare.ts";

export function fruitless(
  parts: readonly Part[],
  { result }: Pick<Observed, "result">,
  deliveries: Log,
  use: ModelUse,
): readonly Fruitless[] {
  const soFar = result.outcome === "ended" ? "" : " so far";
  return parts.toReversed().flatMap((part) => part.fruitless?.({ deliveries, use, soFar }) ?? []);
}
