/** An install without a world: an intent and the folder of its artifact, through every check that the gateway has. */
import type { Python } from "../../../edges/python/sandbox.ts";
import { callVerdict } from "../../../edges/python/sandboxPort.ts";
import { TRIED_SETTING } from "../../../edges/python/triedSetting.ts";
import type { Redactor } from "../../../edges/redaction.ts";
import type { Gating, Role } from "../../../machines/installs/addresses.ts";
import type { Artifact } from "../../../machines/installs/content/artifact.ts";
import type { CodeFacts } from "../../../machines/installs/detection/codeFacts.ts";
import {
  type Detection,
  detected,
  lookedAt,
} from "../../../machines/installs/detection/detection.ts";
import { pythonFactsOf, pythonFactsRun } from "../../../machines/installs/detection/pythonFacts.ts";
import type { Fault } from "../../../machines/installs/fault.ts";
import { needsApproval, riskFactors } from "../../../machines/installs/gate/approval.ts";
import {
  CAPABILITY_KINDS,
  type Capability,
  type CapabilityKind,
  kindsOf,
  widest,
} from "../../../machines/installs/gate/capability.ts";
import { decodedIntent, type Intent } from "../../../machines/installs/gate/intent.ts";
import { type Gates, gatesOf } from "../../../machines/installs/gate/promotionGate.ts";
import { type InstallFacts, notesOn } from "../../../machines/installs/gate/verdict.ts";
import type { InstallsPolicy } from "../../../machines/installs/installsPolicy.ts";
import type { RiskFactor } from "../../../machines/installs/mail.ts";
import {
  revisionContent,
  revisionHash,
  revisionIdOf,
} from "../../../machines/installs/revisions/revision.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import type { SandboxPolicy } from "../../../machines/sandboxPolicy.ts";
import type { Folder, FolderNote } from "./artifactFolder.ts";
import type { ForeignFolder } from "./foreignFolder.ts";
import {
  artifactIn,
  artifactReasons,
  folderReasons,
  promotionReasons,
  recordsIn,
} from "./installArtifact.ts";
import {
  type Judged,
  ofFault,
  type Reason,
  reasonsOf,
  reasonsOfCode,
  rightEvidence,
} from "./installReasons.ts";
import { secretFields, secretLines, withoutSecrets } from "./secrets.ts";

export interface CheckPolicy {
  readonly sandbox: SandboxPolicy;
  readonly installs: InstallsPolicy;
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
  /** No planner knows of it: it was written for another gateway. */
  readonly isForeign?: true;
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

/** Ours: so few that what they burn stays well below the limit of a call. */
const TEXTS_MAX = 32;
const CHARS_MAX = 65_536;

type FactsPython = Pick<Python, "call">;

/** The facts by text. Texts that together end early are asked again one by one, each with a limit of its own. */
export async function factsOfTexts(
  texts: readonly string[],
  python: FactsPython,
  policy: SandboxPolicy,
  onText: (done: number) => void = () => undefined,
): Promise<ReadonlyMap<string, CodeFacts>> {
  const facts = new Map<string, CodeFacts>();
  for (const group of grouped(texts)) {
    const together = group.length > 1 ? await ofGroup(group, python, policy) : null;
    for (const [index, text] of group.entries()) {
      facts.set(text, together?.[index] ?? (await ofOne(text, python, policy)));
    }
    onText(facts.size);
  }
  return facts;
}

function grouped(texts: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let chars = 0;
  for (const text of texts) {
    const last = groups.at(-1);
    chars += text.length;
    if (last === undefined || last.length >= TEXTS_MAX || chars > CHARS_MAX) {
      groups.push([text]);
      chars = text.length;
    } else last.push(text);
  }
  return groups;
}

const limitsOf = ({ parseLimitMs: wallMs, eventsPerMs }: SandboxPolicy) => ({
  wallMs,
  events: wallMs * eventsPerMs,
});

async function ofOne(text: string, python: FactsPython, policy: SandboxPolicy): Promise<CodeFacts> {
  const { code, name: functionName, params: kwargs } = pythonFactsRun(text);
  const result = await python.call({ code, functionName, kwargs }, limitsOf(policy), TRIED_SETTING);
  return pythonFactsOf(callVerdict(result));
}

const EACH = String.raw`

def facts_of_each(texts, words, kept):
    return [facts(text, words, kept) for text in texts]
`;

/** Null where there is not an answer for each of them. */
async function ofGroup(
  texts: readonly string[],
  python: FactsPython,
  policy: SandboxPolicy,
): Promise<readonly CodeFacts[] | null> {
  const { code, params } = pythonFactsRun("");
  const { text: _, ...rest } = params;
  const kwargs = { texts, ...rest };
  const asked = { code: code + EACH, functionName: "facts_of_each", kwargs };
  const { ok, result } = callVerdict(await python.call(asked, limitsOf(policy), TRIED_SETTING));
  if (!ok || !Array.isArray(result) || result.length !== texts.length) return null;
  return result.map((one) => pythonFactsOf({ ok: true, result: one }));
}

export interface CheckTools {
  readonly python: FactsPython;
  readonly policy: CheckPolicy;
  readonly redactor: Redactor;
  /** How many texts Python has read, of how many. */
  readonly onText?: (done: number, of: number) => void;
}

// What is worth a word about an install, and no reason against it.

const INTENT = "intent";

function intentNotes(
  { intent, facts }: Judged,
  { contradiction }: Gates,
  gating: Gating | null,
  by: InstallsPolicy,
): readonly FolderNote[] {
  const isSeen = intent.artifact_id === undefined || facts.artifact !== null;
  const ref = intent.promotion_gate?.install_approval_ref;
  const said = [
    // Of an artifact that was not looked at nothing is known.
    ...(isSeen ? notesOn(intent, facts, by) : []),
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

function secretNotes(
  { intent, folder }: { readonly intent: Json; readonly folder: Folder | null },
  redactor: Redactor,
): readonly FolderNote[] {
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
        ...(isIntent
          ? intentNotes(judged, given.isForeign ? NO_GATES : gates, given.gating, installs)
          : []),
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
      approval: isIntent && needsApproval(intent, installs) ? riskFactors(intent, installs) : null,
    },
    redactor,
  );
}

/**
 * A folder that was written for another gateway. What it does not declare is taken from its code: so nothing is missing then,
 * and hidden or threatening code is still a reason against it.
 */
export async function checkedFolder(
  { kind, intent, declared, folder, notes }: ForeignFolder,
  from: string,
  tools: CheckTools,
): Promise<InstallCheck & { readonly kind: ForeignFolder["kind"] }> {
  const of = folder.files.length === 0 && folder.faults.length === 0 ? null : folder;
  const given = {
    folder: of,
    from,
    gating: "none" as const,
    isForeign: true as const,
    records: null,
  };
  const judged = (capabilities: readonly Json[]) => {
    const wanted = { ...intent, capabilities };
    const sketch = sketchOf(wanted);
    // What is wrong with its files is told by itself, and no reason to call it an install without files.
    const artifact = artifactIn(of && { ...of, faults: [] }, sketch, tools.policy.installs);
    const named = artifact === null ? wanted : { ...wanted, artifact_id: artifact.id };
    return checkedInstall({ ...given, intent: named }, tools);
  };
  const first = await judged(declared ?? []);
  const said =
    declared === null ? await judged(kindsNamed(first.capabilities.inferred).map(widest)) : first;
  return {
    ...said,
    kind,
    // Of another gateway's folder there is no revision here.
    revision: null,
    capabilities: { ...said.capabilities, declared: kindsIn(declared ?? []) },
    notes: [...notes, ...said.notes],
  };
}

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
  const kinds = kindsIn(Array.isArray(capabilities) ? capabilities : []).map((type) => ({ type }));
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

const revisionOf = (intent: Intent, artifact: Artifact | null, { lock }: InstallsPolicy): string =>
  revisionIdOf(
    revisionHash(revisionContent(intent, intent.artifact_id === undefined ? null : artifact, lock)),
  );

const kindsIn = (capabilities: readonly Json[]): readonly CapabilityKind[] =>
  capabilities.flatMap((one) => {
    const type = isMap(one) ? CAPABILITY_KINDS.find((kind) => kind === one["type"]) : undefined;
    return type === undefined ? [] : [type];
  });

const kindsNamed = (names: readonly string[]): readonly CapabilityKind[] =>
  CAPABILITY_KINDS.filter((kind) => names.includes(kind));
