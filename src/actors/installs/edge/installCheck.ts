/** An install without a world: an intent and the folder of its artifact, through every check that the gateway has. */
import type { Redactor } from "../../../edges/redaction.ts";
import { type Artifact, artifactBuilt, type Built } from "../../../machines/installs/artifact.ts";
import type { InstallBookPolicy } from "../../../machines/installs/bookPolicy.ts";
import {
  CAPABILITY_KINDS,
  type Capability,
  kindsOf,
} from "../../../machines/installs/capability.ts";
import type { CodeFacts } from "../../../machines/installs/codeFacts.ts";
import { type Detection, detected, lookedAt } from "../../../machines/installs/detection.ts";
import type { DetectionPolicy } from "../../../machines/installs/detectionPolicy.ts";
import type { Fault } from "../../../machines/installs/fault.ts";
import type { GatePolicy } from "../../../machines/installs/gatePolicy.ts";
import type { InstallFacts } from "../../../machines/installs/installFacts.ts";
import { decodedIntent, type Intent } from "../../../machines/installs/intent.ts";
import { type Gates, gatesOf } from "../../../machines/installs/matrix.ts";
import { promotable } from "../../../machines/installs/promotion.ts";
import { type PromotionRecords, recorded } from "../../../machines/installs/promotionRecords.ts";
import { decodedRecording } from "../../../machines/installs/recording.ts";
import {
  revisionContent,
  revisionHash,
  revisionIdOf,
} from "../../../machines/installs/revision.ts";
import { needsApproval, type RiskFactor, riskFactors } from "../../../machines/installs/risk.ts";
import { type Gating, judgeOf, type Role } from "../../../machines/installs/role.ts";
import { created } from "../../../machines/installs/verdict.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import type { SandboxPolicy } from "../../../machines/sandboxPolicy.ts";
import type { Folder, FolderFile, FolderNote } from "./artifactFolder.ts";
import {
  type Judged,
  ofFault,
  type Reason,
  reasonsOf,
  reasonsOfCode,
  rightEvidence,
} from "./installReasons.ts";
import { type FactsPython, factsOfTexts } from "./pythonTexts.ts";
import { secretFields, secretLines, withoutSecrets } from "./secrets.ts";

export interface CheckPolicy {
  readonly sandbox: SandboxPolicy;
  readonly installs: GatePolicy & DetectionPolicy & InstallBookPolicy;
}

/** What is checked; none of it is believed for what it says of itself. */
export interface GivenInstall {
  readonly intent: Json;
  /** The artifact's; null for none. */
  readonly folder: Folder | null;
  /** Whose install it is taken to be. */
  readonly from: string;
  /** What the planner said. */
  readonly gating: Gating | null;
  /** What promotion.record was given, each by the judge of its role; null where the promotion is not asked about. */
  readonly records: readonly Json[] | null;
}

export interface InstallCheck {
  readonly verdict: "passes" | "refused";
  readonly agent: string | null;
  readonly reasons: readonly Reason[];
  readonly notes: readonly FolderNote[];
  readonly artifact: {
    readonly id: string;
    readonly digest: string;
    readonly files: number;
    readonly bytes: number;
  } | null;
  /** Under which id the revision would be; null while it cannot be. */
  readonly revision: string | null;
  readonly capabilities: {
    readonly declared: readonly string[];
    readonly inferred: readonly string[];
  };
  readonly remoteAccess: boolean;
  readonly evidence: Detection["evidence"];
  readonly threats: Detection["threats"];
  /** Whose records its promotion needs, and what its promotion_gate must show. */
  readonly gates: readonly Role[];
  readonly shows: ReturnType<typeof rightEvidence> | null;
  /** Why a person is asked first; null where nobody is. */
  readonly approval: readonly RiskFactor[] | null;
}

export interface CheckTools {
  readonly python: FactsPython;
  readonly policy: CheckPolicy;
  readonly redactor: Redactor;
  /** How many texts Python has read, of how many. */
  readonly onText?: (done: number, of: number) => void;
}

export async function checkedInstall(
  given: GivenInstall,
  { python, policy, redactor, onText }: CheckTools,
): Promise<InstallCheck> {
  const { installs, sandbox } = policy;
  const { folder } = given;
  const decoded = decodedIntent(given.intent, installs);
  const intent = "intent" in decoded ? decoded.intent : sketchOf(given.intent);
  const isIntent = "intent" in decoded;
  const files = lookedAt(folder?.files ?? [], intent.instructions, installs);
  const parsed = new Map<string, CodeFacts>();
  let detection = detected(files, installs, parsed);
  while ("needs" in detection) {
    const { needs } = detection;
    const read = await factsOfTexts(needs, python, sandbox, (done) => onText?.(done, needs.length));
    for (const [text, facts] of read) parsed.set(text, facts);
    detection = detected(files, installs, parsed);
  }
  const artifact = artifactIn(folder, intent, installs);
  const gates = isIntent ? gatesOf(intent, given.gating, installs) : NO_GATES;
  const records = recordsIn(given.records ?? [], intent, artifact, installs);
  const facts: InstallFacts = {
    from: given.from,
    tool: "agent.revision.create_from_intent",
    artifact: artifact && { digest: artifact.digest, files: artifact.files.map(nameOf) },
    analysis: { ...detection, analyzer: detection.analyzer },
    gates: gates.roles,
    records: records.records,
    isThere: false,
    isApproved: true,
  };
  const judged: Judged = { intent, facts, detection };
  const reasons = [
    ...(isIntent ? [] : faultsIn(decoded.faults, given.intent, installs, redactor).map(ofFault)),
    ...folderReasons(folder),
    ...(isIntent ? artifactReasons(intent, folder, artifact) : []),
    ...records.reasons,
    ...(isIntent ? reasonsOf(judged, installs) : reasonsOfCode(judged, installs)),
    ...(isIntent && given.records !== null
      ? promotionReasons(intent, artifact, facts, installs)
      : []),
  ];
  const isWhole = isIntent && (intent.artifact_id === undefined || artifact !== null);
  return withoutSecrets<InstallCheck>(
    {
      verdict: reasons.length === 0 ? "passes" : "refused",
      agent: intent.agent_id === "" ? null : intent.agent_id,
      reasons,
      notes: [
        ...(isIntent ? intentNotes(judged, gates, given, installs) : []),
        ...idNote(intent, artifact),
        ...(folder?.notes ?? []),
        ...detection.notes,
        ...secretNotes(given, redactor),
      ],
      artifact: artifact && {
        ...{ id: artifact.id, digest: artifact.digest },
        ...{ files: artifact.files.length, bytes: folder?.bytes ?? 0 },
      },
      revision: isWhole ? revisionOf(intent, artifact, installs) : null,
      capabilities: { declared: kindsOf(intent.capabilities), inferred: detection.inferred },
      remoteAccess: detection.remoteAccess,
      evidence: detection.evidence,
      threats: detection.threats,
      gates: gates.roles,
      shows: gates.roles.length > 0 ? rightEvidence(detection, intent) : null,
      approval: isIntent && needsApproval(intent, installs) ? riskFactors(intent) : null,
    },
    redactor,
  );
}

type InstallsPolicy = CheckPolicy["installs"];
const NO_GATES: Gates = { roles: [], contradiction: null };
const nameOf = ({ name }: { readonly name: string }): string => name;

/** What code can be held against where the intent is none: the kinds that it names, whatever else is wrong with them. */
function sketchOf(json: Json): Intent {
  const fields: { readonly [field: string]: Json } = isMap(json) ? json : {};
  const textIn = (field: string): string => {
    const value = fields[field];
    return typeof value === "string" ? value : "";
  };
  const { capabilities } = fields;
  const kinds = (Array.isArray(capabilities) ? capabilities : []).flatMap((one: Json) => {
    const type = isMap(one) ? CAPABILITY_KINDS.find((kind) => kind === one["type"]) : undefined;
    return type === undefined ? [] : [{ type }];
  });
  return {
    ...{ agent_id: textIn("agent_id"), description: "", instructions: textIn("instructions") },
    execution_mode: "reasoning",
    // Of a sketch only the kinds are looked at.
    capabilities: kinds as unknown as readonly Capability[],
    ...(textIn("script_entry") === "" ? {} : { script_entry: textIn("script_entry") }),
  };
}

/** What is wrong with an intent, as it is told of one without secrets: a secret that is cut short looks like none. */
function faultsIn(
  faults: readonly Fault[],
  json: Json,
  by: InstallsPolicy,
  redactor: Redactor,
): readonly Fault[] {
  const clean = decodedIntent(withoutSecrets(json, redactor), by);
  return "faults" in clean && clean.faults.length === faults.length ? clean.faults : faults;
}

const BUILDER = "coder.default";

const inputOf = ({ path: name, handle, size }: FolderFile) => ({ name, handle, size });

/** Each file by itself: one that may not be hides no other. */
function folderReasons(folder: Folder | null): readonly Reason[] {
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
function artifactIn(
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

function artifactReasons(
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

function promotionReasons(
  { artifact_id }: Intent,
  artifact: Artifact | null,
  { gates, records }: InstallFacts,
  by: InstallsPolicy,
): readonly Reason[] {
  const of = artifact && { artifactId: artifact.id, artifactDigest: artifact.digest };
  const result = promotable({ ...of, gates }, records, by);
  if (result.ok || artifact_id === undefined) return [];
  const { reason: said, todo, missing } = result;
  const allowed = `a passing promotion.record of ${missing.map(judgeOf).join(" and ")}`;
  return [{ check: "promotion", field: "records", said, found: "none of these", allowed, todo }];
}

/** Each by the judge of its role, in the order in which they are given. */
function recordsIn(
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
    const { recording } = decoded;
    // The files may be named by either id: it is their digest that a record is bound to.
    const isOfThese = artifact !== null && [id, artifact.id].includes(recording.artifactId);
    const artifactId = isOfThese ? artifact.id : recording.artifactId;
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

const revisionOf = (intent: Intent, artifact: Artifact | null, { lock }: InstallsPolicy): string =>
  revisionIdOf(
    revisionHash(revisionContent(intent, intent.artifact_id === undefined ? null : artifact, lock)),
  );

const INTENT = "intent";

function intentNotes(
  { intent, facts }: Judged,
  { contradiction }: Gates,
  { gating }: GivenInstall,
  by: InstallsPolicy,
): readonly FolderNote[] {
  const verdict = created(intent, facts, { ...by, approval: "never" });
  const ref = intent.promotion_gate?.install_approval_ref;
  const said = [
    ...(verdict.outcome === "created" ? verdict.notes : []),
    ...(contradiction === null ? [] : [contradiction]),
    ...(intent.gating === undefined || gating !== null
      ? []
      : [`it says gating: ${intent.gating}, but only the planner's word counts: --gating`]),
    ...(ref === undefined ? [] : [`${ref} was not looked up: approvals are in a run`]),
  ];
  return said.map((why) => ({ file: INTENT, why }));
}

const idNote = ({ artifact_id: id }: Intent, artifact: Artifact | null): readonly FolderNote[] =>
  artifact === null || id === undefined || id === artifact.id
    ? []
    : [{ file: INTENT, why: `artifact_id is ${id}; built of these files it is ${artifact.id}` }];

function secretNotes({ intent, folder }: GivenInstall, redactor: Redactor): readonly FolderNote[] {
  const of = (file: string, where: string): FolderNote => ({
    file,
    why: `what looks like a secret, ${where}; it is not shown`,
  });
  return [
    ...secretFields(intent, redactor).map((field) => of(INTENT, `in ${field}`)),
    ...(folder?.files ?? []).flatMap(({ path, text }) => {
      const lines = secretLines(text, redactor);
      if (lines.length === 0) return [];
      return [of(path, `in line ${lines.slice(0, LINES_SHOWN).join(", ")}${more(lines.length)}`)];
    }),
  ];
}

const LINES_SHOWN = 10;
const more = (count: number): string =>
  count > LINES_SHOWN ? ` and ${count - LINES_SHOWN} more` : "";
