/** The folder of an install's artifact and its judges' records: what artifact.build would make of it, and why it would not. */

import { judgeOf } from "../../../machines/installs/addresses.ts";
import {
  type Artifact,
  artifactBuilt,
  type Built,
} from "../../../machines/installs/content/artifact.ts";
import type { Intent } from "../../../machines/installs/gate/intent.ts";
import { promotable } from "../../../machines/installs/gate/promotionGate.ts";
import {
  decodedRecording,
  type PromotionRecords,
  recorded,
} from "../../../machines/installs/gate/promotionRecords.ts";
import type { InstallFacts } from "../../../machines/installs/gate/verdict.ts";
import type { InstallsPolicy } from "../../../machines/installs/installsPolicy.ts";
import type { Json } from "../../../machines/letter.ts";
import type { Folder, FolderFile } from "./artifactFolder.ts";
import type { Reason } from "./installReasons.ts";

const BUILDER = "coder.default";

const inputOf = ({ path: name, handle, size }: FolderFile) => ({ name, handle, size });

/** Each file by itself: one that may not be hides no other. */
export function folderReasons(folder: Folder | null): readonly Reason[] {
  if (folder === null) return [];
  const faults = folder.faults.map((fault): Reason => ({ check: "folder", ...fault }));
  if (folder.files.length === 0 && faults.length > 0) return faults;
  const each = folder.files.length === 0 ? [[]] : folder.files.map((file) => [file]);
  return [...faults, ...each.flatMap((files) => buildReason(files))];
}

function buildReason(files: readonly FolderFile[]): readonly Reason[] {
  const built = artifactBuilt({}, { files: files.map(inputOf), builtBy: BUILDER }, NAMES);
  if (!("fault" in built)) return [];
  const { field, ...fault } = built.fault;
  const [file] = files;
  return [
    { check: "artifact", ...(file === undefined ? { field } : { file: file.path }), ...fault },
  ];
}

const NAMES = { idOf: "names" } as const;

/** As artifact.build would make it: with the entry script as its entrypoint, unless the intent names the other one. */
export function artifactIn(
  folder: Folder | null,
  { artifact_id: id, script_entry: entry }: Intent,
  { artifact: by }: InstallsPolicy,
): Artifact | null {
  if (folder === null || folder.faults.length > 0) return null;
  const files = folder.files.map(inputOf);
  const builds = (entry === undefined ? [[]] : [[entry], []]).flatMap((entrypoints): Built[] => {
    const built = artifactBuilt({}, { files, entrypoints, builtBy: BUILDER }, by);
    return "fault" in built ? [] : [built];
  });
  const all = builds.map(({ artifact }) => artifact);
  return all.find((one) => one.id === id) ?? all[0] ?? null;
}

export function artifactReasons(
  { artifact_id: id }: Intent,
  folder: Folder | null,
  artifact: Artifact | null,
): readonly Reason[] {
  const reason = (found: string, allowed: string, todo: string): readonly Reason[] => [
    { check: "artifact", field: "artifact_id", found, allowed, todo },
  ];
  if (id !== undefined && folder === null) {
    const todo = "Give the folder that holds its files: --artifact DIR.";
    return reason(`${id}, of which no file was given`, "an artifact that can be looked at", todo);
  }
  if (id !== undefined || artifact === null) return [];
  const todo = `Add "artifact_id": "${artifact.id}", or leave out --artifact for an agent without code.`;
  return reason("nothing, although files are given", "the artifact_id of the files", todo);
}

export function promotionReasons(
  { artifact_id }: Intent,
  artifact: Artifact | null,
  { gates, records }: InstallFacts,
  by: InstallsPolicy,
): readonly Reason[] {
  const of = artifact && {
    artifactId: artifact_id ?? artifact.id,
    artifactDigest: artifact.digest,
  };
  const result = promotable({ ...of, gates }, records, by);
  if (result.ok || artifact_id === undefined) return [];
  const { reason: said, todo, missing } = result;
  const allowed = `a passing promotion.record of ${missing.map(judgeOf).join(" and ")}`;
  return [{ check: "promotion", field: "records", said, found: "none of these", allowed, todo }];
}

/** Each by the judge of its role, in the order in which they are given. */
export function recordsIn(
  given: readonly Json[],
  { artifact_id: id }: Intent,
  artifact: Artifact | null,
  by: InstallsPolicy,
) {
  let records: PromotionRecords = {};
  const reasons = given.flatMap((json, index): readonly Reason[] => {
    const at = `records[${index}]`;
    const decoded = decodedRecording(json);
    if ("faults" in decoded) {
      return decoded.faults.map(({ field, ...fault }) => ({
        ...{ check: "promotion", field: `${at}.${field}` },
        ...fault,
      }));
    }
    const recording = decoded.value;
    // The files may be named by either id: it is their digest that a record is bound to.
    const isOfThese = artifact !== null && [id, artifact.id].includes(recording.artifactId);
    const artifactId = isOfThese ? (id ?? artifact.id) : recording.artifactId;
    const digest = isOfThese ? artifact.digest : (recording.digest ?? "");
    const judge = { from: judgeOf(recording.role), digest };
    const after = recorded(records, { ...recording, artifactId }, judge, by);
    if (!("error" in after)) {
      records = after.records;
      return [];
    }
    const [found, allowed] = [recording.digest ?? "none", digest];
    const todo = `Have ${judge.from} judge the artifact as it is now.`;
    return [{ check: "promotion", field: at, said: after.error, found, allowed, todo }];
  });
  return { records, reasons };
}
