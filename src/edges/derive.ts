/** The event log of a bundle: as written when it is whole, derived again from the inputs when not. */
import { simulate } from "../simulate.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { ReadBundle } from "./bundleReader.ts";

export function deliveriesOf(bundle: ReadBundle): readonly Delivery[] {
  const { log, manifest } = bundle;
  if (log?.at(-1)?.digest === manifest.final?.digest && log !== undefined) {
    if (log.every((entry) => entry !== null)) return log;
  }
  const deliveries: Delivery[] = [];
  simulate(bundle.scenario, {
    variant: manifest.variant,
    seed: manifest.seed,
    set: manifest.policy,
    ...(manifest.untilMs !== null && { untilMs: manifest.untilMs }),
    recorded: bundle.inputs,
    onDelivery: (delivery) => deliveries.push(delivery),
  });
  return deliveries.slice(0, manifest.final?.envelopes);
}
