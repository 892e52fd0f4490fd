/** Bundles in which findings are looked for, as a thread of a pool reads them. */
import { factsIn, findIn, type LogFindings } from "../../findings/findIn.ts";
import { findings } from "../../findings/findings.ts";
import type { UnreadOfLog } from "../../run/bundle.ts";
import { readBundle } from "../bundle/bundleReader.ts";
import { deliveriesOf } from "../bundle/derive.ts";
import { isNewer } from "../bundle/importedBundle.ts";
import { isEdgeError } from "../errors.ts";
import { ownParts } from "../parts/ownParts.ts";
import type { ReadingLists } from "../parts/partLists.ts";

export interface FindWork {
  /** One bundle each. */
  readonly folders: readonly string[];
  /** Ids of those that are looked for. */
  readonly findings: readonly string[];
  /** How many places of each finding, tool and agent are kept; all when null. */
  readonly ofEach: number | null;
  /** Files of parts besides the built-in ones. */
  readonly partFiles: readonly string[] | undefined;
}

/** What was found in one folder, or why it could not be read: what the error says, and its exit code. */
export type FolderFindings = { readonly folder: string } & (
  | (LogFindings & {
      readonly deliveries: number;
      /** Without its end: whoever wrote it was interrupted. */
      readonly partial: boolean;
      /** Recorded under rules of which this version knows nothing. */
      readonly isNewer?: true;
      /** Of an imported log: what its import could not read. */
      readonly notRead?: UnreadOfLog;
      readonly unread?: never;
    })
  | { readonly unread: { readonly says: string; readonly exitCode: number } }
);

/** Reads the bundle with a number. */
export async function finder(work: FindWork): Promise<(at: number) => Promise<FolderFindings>> {
  const lists = await listsOf(work.partFiles);
  return async (at) => findingsOf(lists, work, work.folders[at] ?? "");
}

async function listsOf(files: readonly string[] | undefined): Promise<ReadingLists> {
  if (files === undefined) {
    const { parts } = await import("../../builtIn/parts.ts");
    return { parts, scenarioParts: (await import("../../builtIn/scenarioParts.ts")).scenarioParts };
  }
  const { builtIn } = await import("../../builtIn/lists.ts");
  const { joinedParts } = await import("../parts/joinedParts.ts");
  return joinedParts(builtIn, await ownParts(files));
}

/** Of one bundle. What is wrong with it is part of the answer, so that the others are still read. */
export function findingsOf(
  lists: ReadingLists,
  { findings: ids, ofEach }: Pick<FindWork, "findings" | "ofEach">,
  folder: string,
): FolderFindings {
  try {
    const bundle = readBundle(lists, folder);
    const log = deliveriesOf(lists.parts, bundle);
    const chosen = findings.filter(({ id }) => ids.includes(id));
    const found = findIn(chosen, factsIn(lists.parts, log), ofEach ?? undefined);
    const { partial, manifest } = bundle;
    const unread = manifest.imported?.unread;
    return {
      folder,
      deliveries: log.length,
      partial,
      ...(isNewer(bundle) && { isNewer: true }),
      ...(unread && { notRead: unread }),
      ...found,
    };
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return { folder, unread: { says: error.message, exitCode: error.exitCode } };
  }
}
