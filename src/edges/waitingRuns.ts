/** The bundles of a folder whose runs wait for a person's decision, the newest first. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../bundle.ts";
import { readBundle } from "./bundleReader.ts";
import { FILES } from "./bundleWriter.ts";
import { BadInput, isEdgeError } from "./errors.ts";
import { type GateStory, gateKindOf, gateStory, type OpenQuestion } from "./openQuestion.ts";

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
  readonly manifest: Partial<Manifest>;
  /** When its manifest was written last. */
  readonly writtenMs: number;
}

/** `folder` is a bundle, or holds bundles. Throws BadInput when it is neither. */
export function waitingRuns(folder: string): Found {
  const bundles = bundlesIn(folder);
  const unreadable: string[] = [];
  const runs = bundles.filter(mayWait).flatMap((peeked) => {
    try {
      const story = gateStory(readBundle(peeked.folder));
      const { open } = story;
      if (open === undefined) return [];
      return [{ ...story, open, decidedIn: decidedIn(peeked, story, bundles) }];
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      unreadable.push(error.message);
      return [];
    }
  });
  return { runs, unreadable };
}

function bundlesIn(folder: string): Peeked[] {
  const own = peek(folder);
  if (own !== undefined) return [own];
  try {
    return readdirSync(folder)
      .flatMap((name) => peek(join(folder, name)) ?? [])
      .sort((a, b) => b.writtenMs - a.writtenMs || (a.folder < b.folder ? 1 : -1));
  } catch (error) {
    throw new BadInput({
      where: { file: folder },
      found: (error as Error).message,
      allowed: "a bundle, or a folder that holds bundles",
      todo: "Name the folder; `runs` is where `ghostlight run` puts them.",
    });
  }
}

/** A look at a manifest, before the bundle is read and checked. */
function peek(folder: string): Peeked | undefined {
  const file = join(folder, FILES.manifest);
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (typeof manifest !== "object" || manifest === null) return undefined;
    return { folder, manifest, writtenMs: statSync(file).mtimeMs };
  } catch {
    return undefined;
  }
}

function mayWait({ manifest: { final, providers = {} } }: Peeked): boolean {
  const kind = gateKindOf({ providers });
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
