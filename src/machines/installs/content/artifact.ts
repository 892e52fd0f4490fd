/**
 * Artifacts: built files under one id, immutable and made of content. Source: seed 003, `artifact_id`; dossier autonoetic 1.7
 * and 1.8; ruling I10: the id is of names too.
 */
import { ownValue } from "../../ownValue.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { sortedJson } from "../../sortedJson.ts";
import { faultOnly, type Refused, valueText } from "../fault.ts";
import { handleOf, isRawHandle, sha256Hex } from "./content.ts";

export const artifactLeaves = {
  idOf: choice("names", ["names", "contents"], {
    says: "What an artifact's id is the hash of: names and contents, or contents alone.",
    source: "RULINGS I10 (names); contents in the real system",
  }),
};

export type ArtifactPolicy = ValuesOf<typeof artifactLeaves>;

export interface ArtifactFile {
  readonly name: string;
  readonly handle: string;
}

/** What an artifact is; each list in order, each of its items once. */
export interface ArtifactContent {
  readonly files: readonly ArtifactFile[];
  readonly entrypoints: readonly string[];
  readonly layers: readonly string[];
}

export interface Artifact extends ArtifactContent {
  readonly id: string;
  /** Of the content: whoever builds it, and whenever. */
  readonly digest: string;
  readonly builtBy: string;
}

/** By id. */
export interface ArtifactBook {
  readonly [id: string]: Artifact;
}

const PREFIX = "art_";
const ID = /^art_[0-9a-f]{8}$/;
const ID_DIGITS = 8;
/** The gateway writes them: SKILL.md and runtime.lock. */
const WRITTEN_BY_GATEWAY: readonly string[] = ["skill.md", "runtime.lock"];

const sortedOnce = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort();

const sortedFiles = (files: readonly ArtifactFile[]): readonly ArtifactFile[] =>
  [...files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

const contentOf = ({ files, entrypoints, layers }: ArtifactContent): ArtifactContent => ({
  files: sortedFiles(files),
  entrypoints: sortedOnce(entrypoints),
  layers: sortedOnce(layers),
});

export function artifactDigest(content: ArtifactContent): string {
  const { files, entrypoints, layers } = contentOf(content);
  const pairs = files.map(({ name, handle }) => [name, handle]);
  return handleOf(sortedJson({ files: pairs, entrypoints, layers }));
}

/** Of other names the real system's id is the same, and a second artifact is refused then. */
export function artifactIdOf(content: ArtifactContent, { idOf }: ArtifactPolicy): string {
  if (idOf === "names") return PREFIX + artifactDigest(content).slice(7, 7 + ID_DIGITS);
  const { files, entrypoints, layers } = content;
  const handles = files.map(({ handle }) => handle);
  const texts = [handles, entrypoints, layers].flatMap((list) => [...list].sort());
  return PREFIX + sha256Hex(texts.map((text) => `${text}\0`).join("")).slice(0, ID_DIGITS);
}

/** Ours: with an agent's folder before it, it is still the path of a file. */
const NAME_MAX = 500;

/** Why a file of this name is in no artifact; null where it may be. */
export function fileNameFault(name: string): Refused | null {
  const parts = name.split("/");
  if (name.trim() === "") return badName(name, "artifact file name must not be empty");
  if (name.length > NAME_MAX) {
    return badName(name, `artifact file name must not be longer than ${NAME_MAX} characters`);
  }
  if (parts.some((part) => part === "" || part === "." || part === "..")) {
    return badName(name, `artifact file '${name}' must stay within the agent directory`);
  }
  if (name.includes("\0")) return badName(name, "artifact file name must not hold a null byte");
  // An install would fail at it only after judges and person have decided.
  if (parts.includes("__proto__")) return badName(name, "artifact file name must not be __proto__");
  // On some disks it is the same file in other letters.
  if (!WRITTEN_BY_GATEWAY.includes(name.toLowerCase())) return null;
  return faultOnly({
    field: "files",
    found: name,
    allowed: "any other file: the gateway writes SKILL.md and runtime.lock from the intent",
    todo: "tell the planner, so that coder.default builds the artifact without it",
    said: `artifact must not contain '${name}'`,
  });
}

const badName = (name: string, said: string): Refused =>
  faultOnly({
    field: "files",
    found: valueText(name),
    allowed: "a clean relative path: no leading /, no empty part, no ., .. or __proto__",
    todo: "tell the planner, so that coder.default names the file otherwise",
    said,
  });

export interface BuildRequest {
  readonly files: readonly {
    readonly name: string;
    readonly handle: string;
    readonly size: number;
  }[];
  readonly entrypoints?: readonly string[];
  readonly layers?: readonly string[];
  readonly builtBy: string;
}

export interface Built {
  readonly book: ArtifactBook;
  readonly artifact: Artifact;
  /** Whether the same was built before. */
  readonly reused: boolean;
}

export function artifactBuilt(
  book: ArtifactBook,
  { files, entrypoints = [], layers = [], builtBy }: BuildRequest,
  policy: ArtifactPolicy,
): Built | Refused {
  const fault = inputFault(files, entrypoints);
  if (fault !== null) return fault;
  const named = new Map(files.map(({ name, handle }) => [name, { name, handle }]));
  const content = contentOf({ files: [...named.values()], entrypoints, layers });
  const [id, digest] = [artifactIdOf(content, policy), artifactDigest(content)];
  const before = ownValue(book, id);
  if (before === undefined) {
    const artifact: Artifact = { id, digest, ...content, builtBy };
    return { book: { ...book, [id]: artifact }, artifact, reused: false };
  }
  if (before.digest === digest) return { book, artifact: before, reused: true };
  return faultOnly({
    field: "artifact_id",
    found: `${id}, of other files or names`,
    allowed: "files and names that no other artifact of the same id has",
    todo: "inspect the artifact that is there, or change a file",
    said: `artifact '${id}' exists with an identity mismatch. Refusing reuse.`,
  });
}

function inputFault(files: BuildRequest["files"], entrypoints: readonly string[]): Refused | null {
  if (files.length === 0) return emptyInput("inputs", "artifact inputs must not be empty");
  const handles = new Map<string, string>();
  for (const { name, handle, size } of files) {
    const fault = fileNameFault(name);
    if (fault !== null) return fault;
    if (size === 0) return emptyInput(name, `artifact input '${name}' resolved to empty content`);
    if ((handles.get(name) ?? handle) !== handle) return twice(name);
    handles.set(name, handle);
  }
  const missing = entrypoints.find((entry) => !handles.has(entry));
  return missing === undefined ? null : noEntrypoint(missing, [...handles.keys()].sort());
}

const emptyInput = (field: string, said: string): Refused =>
  faultOnly({
    field,
    found: "nothing",
    allowed: "at least one file, and no empty one",
    todo: "tell the planner, so that coder.default writes what is missing",
    said,
  });

const twice = (name: string): Refused =>
  faultOnly({
    field: name,
    found: "two contents under one name",
    allowed: "one content for each name",
    todo: "choose one of them",
    said: `artifact input '${name}' is given twice with different content`,
  });

const noEntrypoint = (entry: string, names: readonly string[]): Refused =>
  faultOnly({
    field: "entrypoints",
    found: entry,
    allowed: `one of the files: ${names.join(", ")}`,
    todo: "name a file of the artifact",
    said: `entrypoint '${entry}' not found in artifact inputs`,
  });

/** An artifact under its id, as it was built: what was changed since is refused, not repaired. */
export function artifactInspected(
  book: ArtifactBook,
  id: string,
  textOf: (handle: string) => string | Uint8Array | undefined,
): { readonly artifact: Artifact } | Refused {
  if (!ID.test(id)) return noArtifactId(id);
  const artifact = ownValue(book, id);
  if (artifact === undefined) return notThere(id);
  if (artifact.id !== id) return tampered(id, `id ${artifact.id}`, id, "id mismatch");
  const found = artifactDigest(artifact);
  if (found !== artifact.digest) return tampered(id, found, artifact.digest, "digest mismatch");
  for (const { name, handle } of artifact.files) {
    const content = textOf(handle);
    const is = content === undefined ? "nothing" : handleOf(content);
    if (is !== handle) return tampered(id, is, handle, `digest mismatch of '${name}'`);
  }
  return { artifact };
}

const tampered = (id: string, found: string, expected: string, what: string): Refused =>
  faultOnly({
    field: "artifact_id",
    found,
    allowed: expected,
    todo: "tell the planner, so that coder.default builds the artifact again",
    said: `artifact '${id}' ${what}: expected ${expected}, found ${found}. Possible tampering or corruption.`,
  });

const notThere = (id: string): Refused =>
  faultOnly({
    field: "artifact_id",
    found: id,
    allowed: "the id of an artifact that was built",
    todo: "tell the planner, so that coder.default builds one first",
    said: `artifact '${id}' not found`,
  });

/** Why it is no id of an artifact, whatever was built or recorded; null where it is one. */
export const artifactIdFault = (id: string): Refused["fault"] | null =>
  ID.test(id) ? null : noArtifactId(id).fault;

/** Loose files and raw handles are no artifacts. Source: seed 003, "Cross-session content". */
function noArtifactId(id: string): Refused {
  const found = isRawHandle(id) ? `${id}, a raw handle` : `'${id}'`;
  return faultOnly({
    field: "artifact_id",
    found,
    allowed: "art_ and eight hex digits, as artifact.build returned it",
    todo: "ask the planner for the artifact_id, or ask coder.default to build an artifact first",
    said: `artifact_id must be art_ and eight hex digits, found ${found}`,
  });
}
