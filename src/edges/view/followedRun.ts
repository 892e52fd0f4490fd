/** A run that still goes, played from its recording: as that grows, on from where it was saved last. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Checkpoint } from "../../substrate/checkpoint.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { ReadBundle } from "../bundle/bundleReader.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import { deliveriesOf, playedAgain } from "../bundle/derive.ts";
import type { PartLists } from "../parts/partLists.ts";
import { openRun } from "./openRun.ts";
import { type ServedRun, servedRun } from "./servedRun.ts";

export class FollowedRun {
  #before: Pick<ReadBundle, "manifest" | "inputs"> | undefined;
  #saved: Checkpoint | undefined;
  #deliveries: readonly Delivery[] = [];

  /** As it is now: it is copied, read and forgotten, and tells all the rest. Throws what reading a bundle throws. */
  open(lists: PartLists, folder: string): ServedRun {
    const copy = mkdtempSync(join(tmpdir(), "ghostlight-follow-"));
    try {
      for (const name of [FILES.manifest, FILES.inputs]) {
        copyFileSync(join(folder, name), join(copy, name));
      }
      const { head, ...open } = openRun(lists, copy, { reading: this.#reading });
      return servedRun({ ...open, head: { ...head, bundle: folder } });
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  }

  readonly #reading: typeof deliveriesOf = (parts, bundle, seeing) => {
    const { manifest, inputs } = bundle;
    const { final, forks, resumed, imported } = manifest;
    // Of these more than the recording is held against the run.
    if (final ?? forks ?? resumed ?? imported) return deliveriesOf(parts, bundle, seeing);
    const isLonger =
      manifest.seal === this.#before?.manifest.seal &&
      isDeepStrictEqual(inputs.slice(0, this.#before.inputs.length), this.#before.inputs);
    const from = isLonger ? this.#saved : undefined;
    let saved = from;
    const played = playedAgain(parts, bundle, { from, onSaved: (one) => (saved = one) });
    const deliveries = [...this.#deliveries.slice(0, from?.delivered ?? 0), ...played.deliveries];
    this.#before = { manifest, inputs };
    this.#saved = saved;
    this.#deliveries = deliveries;
    const see = seeing?.();
    for (const one of deliveries) see?.(one);
    return deliveries;
  };
}
