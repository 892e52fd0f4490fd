/** A bundle as the page of a run is made of it: verified, and observed once more from its log alone. */

import type { Told } from "../../contract/edge/edgePart.ts";
import type { Part } from "../../contract/part.ts";
import { policyWith } from "../../contract/policyTree.ts";
import { variantOf } from "../../contract/scenario.ts";
import { meterOf } from "../../run/compare.ts";
import { judge } from "../../run/expect.ts";
import type { RunResult } from "../../run/simulate.ts";
import { Story } from "../../run/story.ts";
import { type ReadBundle, readBundle } from "../bundle/bundleReader.ts";
import { deliveriesOf } from "../bundle/derive.ts";
import { partsFor } from "../bundle/importedBundle.ts";
import { badInput } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";

/** A run that is over, or what there is of it. */
export interface ViewedRun extends Told {
  readonly bundle: ReadBundle;
  /** Who is asked about it. */
  readonly parts: readonly Part[];
}

/** Throws what reading and verifying a bundle throws, and BadInput for one in which nothing was delivered. */
export function viewedRun(lists: PartLists, folder: string): ViewedRun {
  const bundle = readBundle(lists, folder);
  const { manifest, scenario } = bundle;
  const parts = partsFor(lists.parts, bundle);
  const deliveries = deliveriesOf(parts, bundle);
  if (deliveries.length === 0) {
    throw badInput(
      { file: folder },
      "a bundle in which nothing was delivered",
      "a run that has begun",
      "Run it again, or name another bundle.",
    );
  }
  const meter = meterOf(parts, scenario);
  const story = new Story(parts, scenario);
  for (const delivery of deliveries) {
    meter.observe(delivery);
    story.observe(delivery);
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
  return { bundle, parts, scenario, observed, deliveries };
}
