/**
 * agent.revision.create_from_intent: an intent is read, its code is looked at, every check is made in its order, a person is
 * asked where that is due, and only then there is a revision. Source: seed 003; rulings I5, I8 to I11.
 */
import { cutText } from "../../cutText.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { sortedJson } from "../../sortedJson.ts";
import { ROLES } from "../addresses.ts";
import type { Artifact } from "../content/artifact.ts";
import { handleOf, sha256Hex } from "../content/content.ts";
import { type CodeFile, type Detection, detected, lookedAt } from "../detection/detection.ts";
import { faultText } from "../fault.ts";
import {
  type Approval,
  approvalAnswer,
  approvalAsked,
  approvalTaken,
  riskFactors,
} from "../gate/approval.ts";
import { decodedIntent, type Intent, intentError } from "../gate/intent.ts";
import { type Gates, gatesOf } from "../gate/promotionGate.ts";
import type { PromotionRecord } from "../gate/promotionRecords.ts";
import {
  created,
  type InstallFacts,
  notesOn,
  refusals,
  type SeenArtifact,
} from "../gate/verdict.ts";
import type { InstallDossier } from "../mail.ts";
import { canonicalFiles, canonicalIntent } from "../revisions/canonical.ts";
import {
  type Revision,
  revisionContent,
  revisionHash,
  revisionIdOf,
} from "../revisions/revision.ts";
import {
  created as revisionCreated,
  revisionOf,
  revisionsOf,
  stepped,
} from "../revisions/revisionBook.ts";
import {
  artifactOf,
  type Books,
  type Call,
  doing,
  type Env,
  failing,
  faulty,
  gateOf,
  nameTaken,
  type Served,
  type Tool,
} from "./books.ts";

/** Of an install: what it is judged by. */
interface Looked {
  readonly intent: Intent;
  readonly artifact: Artifact | null;
  readonly facts: InstallFacts;
  readonly detection: Detection;
  readonly gates: Gates;
  /** The approval that the intent names, and the approvals once it is used. */
  readonly approved: { readonly id: string; readonly approvals: Books["approvals"] } | null;
}

export const createFromIntent: Tool = (books, call, env) => {
  const { policy } = env;
  const decoded = decodedIntent(call.params, policy);
  if ("faults" in decoded) {
    const [first, ...rest] = decoded.faults;
    const reasons = [intentError(decoded.faults, policy), ...rest.map(faultText)] as const;
    return failing(books, [...reasons], first.todo);
  }
  const taken = nameTaken(books, decoded.intent.agent_id, env);
  if (taken !== null) return taken;
  return withItsApproval(books, decoded.intent, call, env);
};

function withItsApproval(books: Books, intent: Intent, call: Call, env: Env): Served {
  const { policy } = env;
  const ref = intent.promotion_gate?.install_approval_ref;
  const retry = { agentId: intent.agent_id, from: call.from };
  const taken = ref === undefined ? null : approvalTaken(books.approvals, ref, retry, policy);
  if (taken !== null && "error" in taken) return failing(books, [taken.error]);
  const approved =
    taken === null || ref === undefined ? null : { id: ref, approvals: taken.approvals };
  const looked = lookedInto(books, { intent: taken?.intent ?? intent, approved }, call, env);
  return "needs" in looked ? looked : judged(books, looked, call, env);
}

/** The same as create_from_intent would find, but for the caller and for what was asked before. */
function lookedInto(
  books: Books,
  { intent, approved }: Pick<Looked, "intent" | "approved">,
  { from, tool, workflow }: Call,
  { policy, parsed }: Env,
): Looked | { readonly needs: string } {
  const seen = intent.artifact_id === undefined ? null : artifactOf(books, intent.artifact_id);
  const artifact = seen !== null && "artifact" in seen ? seen.artifact : null;
  const files = artifact === null ? [] : codeOf(books, artifact);
  const detection = detected(lookedAt(files, intent.instructions, policy), policy, parsed);
  if ("needs" in detection) return { needs: detection.needs[0] ?? "" };
  const gates = gatesOf(intent, gatingSaid(books, workflow, intent), policy);
  const facts: InstallFacts = {
    ...{ from, tool, artifact: seenArtifact(seen), analysis: detection },
    ...{ gates: gates.roles, records: books.records },
    isThere: revisionsOf(books.revisions, intent.agent_id).active !== null,
    isApproved: approved !== null,
  };
  return { intent, artifact, facts, detection, gates, approved };
}

/** The planner's word on the wish that is being installed: of no other wish, and of no other agent. */
function gatingSaid({ workflows }: Books, name: string | undefined, { agent_id }: Intent) {
  const workflow = name === undefined ? undefined : ownValue(workflows, name);
  return workflow?.agent === agent_id ? workflow.gating : null;
}

function seenArtifact(seen: ReturnType<typeof artifactOf> | null): SeenArtifact | null {
  if (seen === null) return null;
  if ("fault" in seen) return { error: seen.fault.said };
  const { digest, files } = seen.artifact;
  return { digest, files: files.map(({ name }) => name) };
}

const codeOf = ({ content }: Books, { files }: Artifact): readonly CodeFile[] =>
  files.map(({ name, handle }) => ({ path: name, text: content.texts[handle] ?? "" }));

function judged(books: Books, looked: Looked, call: Call, env: Env): Served {
  const { intent, artifact, facts } = looked;
  const content = revisionContent(intent, artifact, env.policy.lock);
  const before = revisionOf(books.revisions, revisionIdOf(revisionHash(content)));
  // Nothing new comes of it, so nobody is asked anew.
  const isKnown = before?.agent === intent.agent_id;
  const known = { ...facts, isApproved: facts.isApproved || isKnown };
  const verdict = created(intent, known, env.policy);
  switch (verdict.outcome) {
    case "refused": {
      const { reason, todo } = verdict;
      const all = refusals(intent, known, env.policy).flatMap((one) => [
        ...[one.reason, ...(one.places ?? [])],
      ]);
      return failing(books, [reason, ...all.filter((one) => one !== reason)], todo);
    }
    case "approval-required":
      return personAsked(books, looked, call, env);
    case "created":
      return booked(books, looked, { content, notes: verdict.notes }, call, env);
  }
}

function personAsked(books: Books, looked: Looked, call: Call, env: Env): Served {
  const { intent, artifact } = looked;
  const asking = {
    id: approvalIdOf(books, intent, call.from),
    ...{ requestedBy: call.from, intent, askedAtMs: env.nowMs },
    ...(artifact === null ? {} : { artifactDigest: artifact.digest }),
  };
  const { approvals, approval } = approvalAsked(books.approvals, asking);
  const dossier = books.dossiers[approval.id] ?? dossierOf(approval, looked, books, env.policy);
  return {
    books: { ...books, approvals, dossiers: { ...books.dossiers, [approval.id]: dossier } },
    answer: {
      ok: false,
      result: approvalAnswer(approval, env.policy),
      approvalRequired: approval.id,
    },
  };
}

const ID_DIGITS = 8;

/** The same request asked a second time is another one. */
function approvalIdOf({ approvals }: Books, intent: Intent, by: string): string {
  const nth = Object.keys(approvals).length + 1;
  const text = sortedJson({ intent: canonicalIntent(intent), by, nth });
  return `apr-${sha256Hex(text).slice(0, ID_DIGITS)}`;
}

/** Ours: more than anyone reads. */
const EVIDENCE_MAX = 20;

/** Ours: more of its instructions than a screen holds. */
const INSTRUCTIONS_MAX = 4_000;

const dossierOf = (
  { intent, requestedBy, artifactDigest }: Approval,
  { detection, artifact, gates, facts }: Looked,
  { revisions, records }: Books,
  policy: Env["policy"],
): InstallDossier => ({
  agentId: intent.agent_id,
  description: intent.description,
  requestedBy,
  capabilities: intent.capabilities,
  factors: riskFactors(intent, policy),
  artifactId: intent.artifact_id ?? null,
  artifactDigest: artifactDigest ?? null,
  evidence: detection.evidence.slice(0, EVIDENCE_MAX),
  threats: detection.threats.slice(0, EVIDENCE_MAX),
  unfamiliar: detection.unfamiliar.slice(0, EVIDENCE_MAX),
  runs: {
    mode: intent.execution_mode,
    entry: intent.script_entry ?? null,
    model: intent.llm_config?.model ?? null,
    instructions: cutText(intent.instructions, INSTRUCTIONS_MAX),
    cut: Math.max(0, intent.instructions.length - INSTRUCTIONS_MAX),
    files: (artifact?.files ?? []).slice(0, EVIDENCE_MAX).map(({ name }) => name),
  },
  gates: gates.roles,
  judged: judgedOf(ownValue(records, intent.artifact_id ?? "")),
  notes: [
    ...(gates.contradiction === null ? [] : [gates.contradiction]),
    ...notesOn(intent, facts, policy),
  ],
  ...standingOf(intent, revisions),
});

/** What its judges have recorded of these files so far. */
const judgedOf = (record: PromotionRecord | undefined): InstallDossier["judged"] =>
  ROLES.flatMap((role) => {
    const { pass, by, findings = [] } = record?.judgements[role] ?? {};
    if (pass === undefined || by === undefined) return [];
    return [{ role, pass, by, findings: findings.slice(0, EVIDENCE_MAX) }];
  });

/** The active revision, and what is declared beyond it. */
function standingOf(
  { agent_id, capabilities }: Intent,
  book: Books["revisions"],
): Pick<InstallDossier, "before" | "widens"> {
  const { active } = revisionsOf(book, agent_id);
  const before = active === null ? undefined : revisionOf(book, active);
  const declared = before?.content.intent["capabilities"];
  const known = new Set(
    (Array.isArray(declared) ? declared : []).map((one: Json) => sortedJson(one)),
  );
  const widens =
    before === undefined ? [] : capabilities.filter((one) => !known.has(sortedJson(one)));
  return { before: active, widens };
}

/** The revision, and as far as it comes by itself: gated, or approved where nothing is missing. */
function booked(
  books: Books,
  { intent, artifact, gates, approved }: Looked,
  made: { readonly content: Revision["content"]; readonly notes: readonly string[] },
  call: Call,
  env: Env,
): Served {
  const { policy } = env;
  const notes = gates.contradiction === null ? made.notes : [...made.notes, gates.contradiction];
  const rests = { approval: approved?.id ?? null, notes };
  const did = doing(call, env, null, rests);
  const agent = intent.agent_id;
  const revising = { agent, content: made.content, summary: intent.summary ?? null };
  const drafted = revisionCreated(books.revisions, revising, did, policy);
  if ("fault" in drafted) return faulty(books, drafted.fault);
  const { revision, isNew } = drafted;
  if (revision.state === "rejected") {
    return failing(books, [
      `revision '${revision.id}' is rejected, and must not be installed again`,
    ]);
  }
  const wanted = [...(books.gates[revision.id] ?? []), ...gates.roles];
  const after: Books = {
    ...withFiles(books, intent, artifact, env),
    revisions: drafted.book,
    gates: { ...books.gates, [revision.id]: ROLES.filter((role) => wanted.includes(role)) },
    approvals: isNew ? (approved?.approvals ?? books.approvals) : books.approvals,
  };
  const settled = isNew ? risen(after, revision, call, env) : after;
  const { state } = settled.revisions.revisions[revision.id] ?? revision;
  return {
    books: settled,
    answer: {
      ok: true,
      result: {
        ...{ ok: true, status: isNew ? "revision_created" : "revision_exists", agent_id: agent },
        ...{ revision_id: revision.id, state, gates: settled.gates[revision.id] ?? [], notes },
      },
    },
  };
}

/** SKILL.md and runtime.lock are content of the gateway's own. */
function withFiles(
  books: Books,
  intent: Intent,
  artifact: Artifact | null,
  { policy }: Env,
): Books {
  const texts = Object.values(canonicalFiles(intent, artifact, policy.lock));
  const own = Object.fromEntries(texts.map((text: string) => [handleOf(text), text]));
  return { ...books, content: { ...books.content, texts: { ...books.content.texts, ...own } } };
}

function risen(books: Books, { agent, id }: Revision, call: Call, env: Env): Books {
  const to = (now: Books, step: "gated" | "approved", reason: string): Books => {
    const done = stepped(now.revisions, step, { agent, id }, doing(call, env, reason), env.policy);
    return "fault" in done ? now : { ...now, revisions: done.book };
  };
  const roles = books.gates[id] ?? [];
  const first = roles.length === 0 ? books : to(books, "gated", `it needs ${roles.join(" and ")}`);
  const revision = revisionOf(first.revisions, id);
  const isOpen = revision !== undefined && gateOf(first, revision, env.policy).ok;
  return isOpen ? to(first, "approved", "nothing is missing") : first;
}
