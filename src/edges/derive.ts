/** The event log of a bundle: as written when it is whole, derived again from the inputs when not. */
import { playRecorded } from "../playRecorded.ts";
import { readDelivery } from "../replay.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { ReadBundle } from "./bundleReader.ts";
import { Divergence } from "./errors.ts";

/** Throws Divergence when the log is needed, and the run no longer goes as it was recorded. */
export function deliveriesOf(bundle: ReadBundle): readonly Delivery[] {
  return written(bundle) ?? derived(bundle);
}

function written({ log, manifest }: ReadBundle): readonly Delivery[] | undefined {
  const deliveries = (log ?? []).flatMap((line) => readDelivery(line) ?? []);
  const isWhole =
    manifest.final !== undefined &&
    deliveries.length === manifest.final.envelopes &&
    deliveries.at(-1)?.digest === manifest.final.digest;
  return isWhole ? deliveries : undefined;
}

function derived(bundle: ReadBundle): readonly Delivery[] {
  const { folder, manifest, partial } = bundle;
  const all: Delivery[] = [];
  playRecorded(bundle, { onDelivery: (delivery) => all.push(delivery) });
  const { final } = manifest;
  const deliveries = all.slice(0, final?.envelopes);
  const isSame = (deliveries.at(-1)?.digest ?? final?.digest) === final?.digest;
  if (final === undefined || partial || isSame) return deliveries;
  throw new Divergence({
    where: { file: folder },
    found: "a run that no longer goes as it was recorded, so that its events cannot be told",
    allowed: "a recording made under the rules of this version",
    todo: `\`npx ghostlight replay ${folder}\` shows the first difference.`,
  });
}
