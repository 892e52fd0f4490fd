/** The bundles of a folder whose runs wait for a person's decision, the newest first. */

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../run/bundle.ts";
import { hasManifest, kindOf, readBundle, readManifest } from "../bundle/bundleReader.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import { badInput, isEdgeError } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";
import { type GateStory, gateKindOf, gateStory } from "../report/openQuestion.ts";
import type { OpenQuestion } from "./gate.ts";

export interface WaitingRun extends GateStory {
  readonly open: OpenQuestion;
  /** The newer bundle of the same folder in which it was decided already. */
  readonly decidedIn: string | undefined;
}

interface Found {
  readonly runs: readonly WaitingRun[];
  /** Why a bundle that may wait could not be read. */
  readonly unreadable: readonly string[];
}

interface Peeked {
  readonly folder: string;
  readonly manifest: Manifest;
  /** When its manifest was written last. */
  readonly writtenMs: number;
}

/**
 * `folder` is a bundle, or holds bundles. Throws BadInput when it is neither, and whatever is wrong
 * with a bundle that is named itself; of several, those that cannot be read are listed.
 */
export function waitingRuns(lists: PartLists, folder: string): Found {
  if (hasManifest(folder)) {
    const own = peek(lists, folder);
    return { runs: mayWait(lists, own) ? waitingRun(lists, own, [own]) : [], unreadable: [] };
  }
  const unreadable: string[] = [];
  const read = <T>(look: () => readonly T[]): readonly T[] => {
    try {
      return look();
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      unreadable.push(error.message);
      return [];
    }
  };
  const bundles = bundlesIn(folder)
    .flatMap((one) => read(() => [peek(lists, one)]))
    .sort((a, b) => b.writtenMs - a.writtenMs || (a.folder < b.folder ? 1 : -1));
  const runs = bundles
    .filter((one) => mayWait(lists, one))
    .flatMap((one) => read(() => waitingRun(lists, one, bundles)));
  return { runs, unreadable };
}

function waitingRun(
  lists: PartLists,
  peeked: Peeked,
  bundles: readonly Peeked[],
): readonly WaitingRun[] {
  const story = gateStory(lists, readBundle(lists, peeked.folder));
  const { open } = story;
  if (open === undefined) return [];
  return [{ ...story, open, decidedIn: decidedIn(peeked, story, bundles) }];
}

function bundlesIn(folder: string): string[] {
  const kind = kindOf(folder);
  if (kind === "a folder") {
    return readdirSync(folder)
      .map((name) => join(folder, name))
      .filter(hasManifest);
  }
  throw badInput(
    { file: folder },
    kind === "nothing" ? "no such folder" : `${kind} where a folder should be`,
    "a bundle, or a folder that holds bundles",
    "Name the folder; `runs` is where `ghostlight run` puts them.",
  );
}

/** Its manifest, checked before anything is told of it. Throws as readManifest does. */
const peek = (lists: PartLists, folder: string): Peeked => ({
  folder,
  manifest: readManifest(lists.parts, folder),
  writtenMs: statSync(join(folder, FILES.manifest)).mtimeMs,
});

function mayWait(lists: PartLists, { manifest: { final, providers } }: Peeked): boolean {
  const kind = gateKindOf(lists, { providers });
  return (kind === "terminal" || kind === "later") && final?.outcome !== "ended";
}

/** A bundle says where the run that it goes on from had ended. */
function decidedIn(
  { writtenMs }: Peeked,
  { end }: GateStory,
  bundles: readonly Peeked[],
): string | undefined {
  return bundles.find(
    (one) =>
      one.writtenMs >= writtenMs &&
      one.manifest.resumed?.digest === end.digest &&
      one.manifest.resumed.envelopes === end.envelopes,
  )?.folder;
}
