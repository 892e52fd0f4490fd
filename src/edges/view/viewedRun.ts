/** A bundle as the page of a run is made of it: verified, and observed once more from its log alone. */

import type { Told } from "../../contract/edge/edgePart.ts";
import type { Part } from "../../contract/part.ts";
import { policyWith } from "../../contract/policyTree.ts";
import { variantOf } from "../../contract/scenario.ts";
import { meterOf } from "../../run/compare.ts";
import { judge } from "../../run/expect.ts";
import type { RunResult } from "../../run/simulate.ts";
import { Story } from "../../run/story.ts";
import { placesIn } from "../../substrate/log.ts";
import { type ReadBundle, readBundle } from "../bundle/bundleReader.ts";
import { deliveriesOf } from "../bundle/derive.ts";
import { partsFor } from "../bundle/importedBundle.ts";
import { badInput } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";

/** The place of the delivery with a number. */
export type PlaceOf = (seq: number) => number | undefined;

/** A run that is over, or what there is of it. */
export interface ViewedRun extends Told {
  readonly bundle: ReadBundle;
  /** Who is asked about it. */
  readonly parts: readonly Part[];
  readonly placeOf: PlaceOf;
}

/** Throws what reading and verifying a bundle throws, and BadInput for one in which nothing was delivered. */
export function viewedRun(
  lists: PartLists,
  folder: string,
  reading: typeof deliveriesOf = deliveriesOf,
): ViewedRun {
  const bundle = readBundle(lists, folder);
  const { manifest, scenario } = bundle;
  const parts = partsFor(lists.parts, bundle);
  let meter = meterOf(parts, scenario);
  let story = new Story(parts, scenario);
  // A log that is still to be verified may hold anything; what it makes of the books counts only if it is the run's.
  let thrown: unknown[] = [];
  const deliveries = reading(parts, bundle, () => {
    meter = meterOf(parts, scenario);
    story = new Story(parts, scenario);
    thrown = [];
    return (delivery) => {
      if (thrown.length > 0) return;
      try {
        meter.observe(delivery);
        story.observe(delivery);
      } catch (error) {
        thrown.push(error);
      }
    };
  });
  for (const error of thrown) throw error;
  if (deliveries.length === 0) {
    throw badInput(
      { file: folder },
      "a bundle in which nothing was delivered",
      "a run that has begun",
      "Run it again, or name another bundle.",
    );
  }
  const { final, variant } = manifest;
  const virtualMs = final?.virtualMs ?? deliveries.at(-1)?.dueMs ?? 0;
  const result: RunResult = {
    outcome: final?.outcome ?? "interrupted",
    ...(final?.error != null && { error: new Error(final.error) }),
    digest: final?.digest ?? null,
    envelopes: deliveries.length,
    virtualMs,
    policy: policyWith(parts, manifest.policy),
    recordedCalls: 0,
  };
  const verdicts = variantOf(scenario, variant).expect.map((one) => judge(one, meter, virtualMs));
  const observed = { variant, result, meter, story, verdicts };
  return { bundle, parts, scenario, observed, deliveries, placeOf: placesIn(deliveries) };
}
