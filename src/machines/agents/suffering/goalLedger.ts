/**
 * What all agents may know of one another: the window of the last ended goals, which file each agent
 * last said it wrote, and what their stressors are measured from. A service.
 * Source: seed 004, "Stressor types"; rulings U1, U3, U4, U5.
 */
import { defined } from "../../defined.ts";
import { apartIn, Entries } from "../../entries.ts";
import { groupedBy } from "../../grouped.ts";
import { type At, answer, ask, type Delivered, type Letter, type MailOf } from "../../letter.ts";
import { onceFor } from "../../onceFor.ts";
import { ownValue } from "../../ownValue.ts";
import { readObject } from "../../readJson.ts";
import type { Kept, Outcome, Service } from "../../service.ts";
import type { RegisteredGoal } from "../goal/goalContext.ts";
import {
  type AgentRecord,
  type Artifact,
  capabilityLocked,
  cycleEnded,
  goalEnded,
  isUnseenFelt,
  messageJudged,
  newRecord,
  noRun,
  type Observation,
  peerReferenced,
  planJudged,
  referenced,
  type StressorAddress,
  type SufferingPolicy,
  stressorChanged,
} from "./observations.ts";
import type { StressorPolicy } from "./stressorPolicy.ts";
import { type Assessment, MEASURED, share, verdictOn } from "./stressorRules.ts";

/** An agent's word that it wrote a file, unchecked. */
export interface Claim {
  readonly agent: string;
  readonly n: number;
  readonly path: string;
  readonly fact: number;
}

export interface LedgerState {
  /** The last ended goals, oldest first, as many as the policy's window: of each agent, or of all, which have no name. */
  readonly windows: Entries<readonly Numbered[]>;
  /** How many goals have ended. */
  readonly ended: number;
  /** The latest claim of each agent. */
  readonly claims: Entries<Claim>;
  readonly stressors: readonly StressorAddress[];
  readonly records: Entries<AgentRecord>;
  readonly knows?: Acquaintances;
}

export interface LedgerInput {
  readonly ended: readonly Omit<Ended, "fact">[];
  readonly claims: readonly Omit<Claim, "fact">[];
  readonly stressors: readonly StressorAddress[];
  readonly knows?: Acquaintances;
  /** Validated artifacts that no agent referenced before the restart. */
  readonly unseen: readonly (Omit<Artifact, "fact"> & { readonly agent: string })[];
}

/** Whom an agent knows; one that is absent knows all. */
export interface Acquaintances {
  readonly [agent: string]: readonly string[];
}

type Done = Outcome<LedgerState>;

const recordOf = (state: LedgerState, agent: string): AgentRecord =>
  state.records.get(agent) ?? newRecord();

/** The stressors of each agent. */
const stressorsByAgent = onceFor((all: readonly StressorAddress[]) =>
  groupedBy(all, ({ agent }) => agent),
);

const stressorsOf = (all: readonly StressorAddress[], agent: string): readonly StressorAddress[] =>
  stressorsByAgent(all).get(agent) ?? [];

/** The state with the new record, and letters to the stressors whose verdict is another now. */
function observed(
  state: LedgerState,
  agent: string,
  { record, findings }: Observation,
  policy: SufferingPolicy,
): Done {
  const posted = { ...record.posted };
  const letters: Letter[] = [];
  for (const { measured, because } of findings) {
    const type = MEASURED[measured.type];
    const stressor = stressorsOf(state.stressors, agent).find((one) => one.type === type);
    const verdict = verdictOn(measured, policy.stressors);
    if (stressor === undefined || posted[type] === verdict) continue;
    posted[type] = verdict;
    letters.push({ to: stressor.address, event: measured, because });
  }
  const records = state.records.with(agent, { ...record, posted });
  return { state: { ...state, records }, letters };
}

function withCycleEnded(
  state: LedgerState,
  event: Delivered<"cycle.ended">,
  policy: SufferingPolicy,
): Done {
  const { agent } = event;
  const seen = cycleEnded(recordOf(state, agent), event, policy);
  const crisis = crisisLetters(agent, seen.record, state, policy);
  const done = observed(state, agent, { ...seen, record: crisis.record }, policy);
  const measure = measureLetter(agent, state.stressors, policy.stressors);
  return { ...done, letters: [...done.letters, ...crisis.letters, ...measure] };
}

/** A file that is several agents' artifact is seen for each of them except the one that looked. */
function withReference(
  state: LedgerState,
  event: Delivered<"peer.referenced">,
  policy: SufferingPolicy,
): Done {
  let done: Done = { state, letters: [] };
  for (const [owner, record] of state.records.entries()) {
    const artifacts = referenced(owner, record, event);
    if (artifacts.length === 0) continue;
    const next = observed(done.state, owner, peerReferenced(record, event, policy), policy);
    const noted = artifacts.map(({ n }) => referenceLetter(owner, n, event));
    done = { state: next.state, letters: [...done.letters, ...next.letters, ...noted] };
  }
  return done;
}

/** One more stressor for an agent, when there is room; else it is dropped, and may ask again. */
function withPlace(
  state: LedgerState,
  { agent, stressor, at }: Delivered<"place.asked">,
  { maxActive }: StressorPolicy,
): Done {
  const record = recordOf(state, agent);
  const { placed } = record;
  const granted = placed.includes(stressor) || placed.length < maxActive;
  const { [stressor]: _, ...posted } = record.posted;
  const next: AgentRecord = granted
    ? { ...record, placed: [...placed.filter((type) => type !== stressor), stressor] }
    : { ...record, posted };
  return {
    state: { ...state, records: state.records.with(agent, next) },
    letters: answer(at, { type: "place.answered", granted }),
  };
}

/** Every ended goal is told to every agent that shares its window, whatever follows from it. */
function withGoalEnded(
  state: LedgerState,
  event: Delivered<"goal.ended">,
  policy: SufferingPolicy,
): Done {
  const { agent, n, status, at } = event;
  const ended = { agent, n, failed: status === "abandoned", fact: at.seq };
  const next = withEnded(state, ended, policy.stressors);
  const letters = windowLetters(next, agent, policy.stressors);
  const own = goalEnded(recordOf(state, agent), event, policy.stressors);
  const done = observed(next, agent, own, policy);
  return { ...done, letters: [...letters, ...done.letters] };
}

/*
 * A crisis that lasts: with the policy on, all stressors of the agent end and its peers are told.
 * Source: hollow-agentOS, existence loop, where this code exists and never runs.
 */

function crisisLetters(
  agent: string,
  record: AgentRecord,
  { stressors, knows = {} }: LedgerState,
  policy: SufferingPolicy,
): { readonly record: AgentRecord; readonly letters: readonly Letter[] } {
  const { crisisReset, crisisCycles } = policy.stressors;
  const { count, facts: because } = record.crisis;
  if (crisisReset === "off" || count < crisisCycles) return { record, letters: [] };
  const active = record.suffering.map(({ type }) => type);
  const own = stressorsOf(stressors, agent);
  const ended = own.filter(({ type }) => active.includes(type)).map(({ address }) => address);
  const self = own.slice(0, 1).map(({ agentAddress }) => agentAddress);
  const known = ownValue(knows, agent);
  const others = stressors.filter(
    (one) => one.agent !== agent && (known?.includes(one.agent) ?? true),
  );
  const peers = new Set(others.map(({ agentAddress }) => agentAddress));
  const text =
    `${agent} is in crisis: its load was ${share(policy.locks.crisis)} or more ` +
    `for ${count} cycles in a row.`;
  const reset: MailOf<"crisis.reset"> = { type: "crisis.reset", agent };
  const message: MailOf<"peer.message"> = { type: "peer.message", from: agent, text };
  return {
    record: { ...record, crisis: noRun },
    letters: [
      ...[...ended, ...self].map((to): Letter => ({ to, event: reset, because })),
      ...[...peers].map((to): Letter => ({ to, event: message, because })),
    ],
  };
}

/* The last ended goals that repeated_failure looks at: those of all agents, or each agent's own. */

export interface Ended {
  readonly agent: string;
  readonly n: number;
  readonly failed: boolean;
  /** The goal.ended that says so; the restart's own seq when read back from files. */
  readonly fact: number;
}

/** By which its place among all ended goals is known. */
interface Numbered extends Ended {
  readonly nth: number;
}

/** The window in which an agent's goals are counted. */
const windowOf = (agent: string, { failureWindow }: StressorPolicy): string =>
  failureWindow === "world" ? "" : agent;

/** With one more ended goal, and without the oldest when the window is full. */
function withEnded(state: LedgerState, goal: Ended, policy: StressorPolicy): LedgerState {
  const name = windowOf(goal.agent, policy);
  const all = [...(state.windows.get(name) ?? []), { ...goal, nth: state.ended }];
  const window = all.slice(-policy.repeatedFailure.window);
  const windows = state.windows.with(name, window);
  return { ...state, windows, ended: state.ended + 1 };
}

/** An agent's goal has ended: every agent that shares its window is told how that stands now. */
function windowLetters(
  { windows, stressors }: LedgerState,
  agent: string,
  policy: StressorPolicy,
): Letter[] {
  const name = windowOf(agent, policy);
  const seen = windows.get(name) ?? [];
  const failed = seen.filter((one) => one.failed);
  const event: MailOf<"window.assessed"> = {
    type: "window.assessed",
    failed: failed.length,
    total: seen.length,
  };
  const because = failed.map(({ fact }) => fact);
  const sharing = name === "" ? stressors : stressorsOf(stressors, agent);
  return sharing
    .filter(({ type }) => type === MEASURED["window.assessed"])
    .map(({ address: to }): Letter => ({ to, event, because }));
}

/* As everyone else sees it: one window, in the order in which goals ended. */

const plainWindow = ({ windows }: LedgerState): readonly Ended[] =>
  windows
    .entries()
    .flatMap(([, window]) => window)
    .sort((one, other) => one.nth - other.nth)
    .map(({ nth: _, ...ended }) => ended);

export interface PlainLedger {
  readonly window: readonly Ended[];
  readonly claims: { readonly [agent: string]: Claim };
  readonly stressors: readonly StressorAddress[];
  readonly records: { readonly [agent: string]: AgentRecord };
  readonly knows?: Acquaintances | undefined;
}

const ledgerKept = (policy: StressorPolicy): Kept<LedgerState> => ({
  plain: (state): PlainLedger =>
    defined({
      window: plainWindow(state),
      claims: state.claims.plain(),
      stressors: state.stressors,
      records: state.records.plain(),
      knows: state.knows,
    }),
  restored(plain) {
    const { window, claims, records, ...rest } = plain as PlainLedger; // What `plain` made.
    const begun: LedgerState = defined({
      ...{ ...rest, windows: Entries.of<readonly Numbered[]>({}), ended: 0 },
      ...{ claims: Entries.of(claims), records: Entries.of(records) },
    });
    return window.reduce((state, one) => withEnded(state, one, policy), begun);
  },
  apart(before, after) {
    const { windows, ended: _, ...rest } = after;
    const [old, now] = apartIn<Partial<LedgerState>>(before, rest);
    return before.windows === windows
      ? [old, now]
      : [
          { window: plainWindow(before), ...old },
          { window: plainWindow(after), ...now },
        ];
  },
});

/* How much an agent holds: its workspace, and its own memory. Source: ruling U3. */

const KEY = "holdings:";

const foldersOf = (agent: string): { readonly [what: string]: readonly string[] } => ({
  workspace: [`/agentOS/workspace/${agent}`],
  memory: ["identity", "goals", "lessons"].map((name) => `/agentOS/memory/${name}/${agent}`),
});

/** The question, when there is a stressor that wants to know. */
function measureLetter(
  agent: string,
  stressors: readonly StressorAddress[],
  { resourceBurden }: StressorPolicy,
): Letter[] {
  const isFelt = stressorsOf(stressors, agent).some(({ type }) => type === "resource_burden");
  if (!isFelt) return [];
  const folders = resourceBurden.counts.flatMap((what) => foldersOf(agent)[what] ?? []);
  return [ask({ to: "files", key: `${KEY}${agent}`, event: { type: "files.measure", folders } })];
}

/** The larger of the two, in bytes and in files. */
function burdenOf(
  { sizes = [], at }: Delivered<"files.replied">,
  { stressors }: SufferingPolicy,
): { readonly owner: string; readonly measured: Assessment } {
  const owner = (at.key ?? "").slice(KEY.length);
  const sums = stressors.resourceBurden.counts.map((what) => {
    const folders = foldersOf(owner)[what] ?? [];
    const own = sizes.filter(({ folder }) => folders.includes(folder));
    return {
      bytes: own.reduce((sum, one) => sum + one.bytes, 0),
      files: own.reduce((sum, one) => sum + one.files, 0),
    };
  });
  const bytes = Math.max(0, ...sums.map((one) => one.bytes));
  const files = Math.max(0, ...sums.map((one) => one.files));
  return { owner, measured: { type: "holdings.assessed", bytes, files } };
}

/* The model's word about its own stressors, which only an accepting policy passes on. Ruling U4. */

function wordsGiven(
  stressors: readonly StressorAddress[],
  { agent, resolved, fresh, at }: Delivered<"suffering.reported">,
  { selfReport, selfReportMax }: StressorPolicy,
): Letter[] {
  if (selfReport === "ignored") return [];
  const own = stressorsOf(stressors, agent);
  const given = (names: readonly string[], over: boolean): Letter[] =>
    names
      .map(plain)
      .flatMap((name) => own.find(({ type }) => type === name) ?? [])
      .slice(0, selfReportMax)
      .map(
        ({ address: to }): Letter => ({
          to,
          event: { type: "word.given", over },
          because: [at.seq],
        }),
      );
  return [...given(resolved, true), ...given(fresh, false)];
}

/** As the real system reads a name. */
const plain = (name: string): string => name.trim().toLowerCase().replaceAll(" ", "_");

/*
 * Which artifacts peers have taken notice of, on file, so that a restart does not forget it.
 * Source: ours; the seed keeps no such list.
 */

export const referencesPath = (agent: string): string =>
  `/agentOS/memory/goals/${agent}/references.jsonl`;

/** The first reference of a peer to the artifact of a goal. */
function referenceLetter(
  owner: string,
  n: number,
  { agent, path, how, at }: Delivered<"peer.referenced">,
): Letter {
  const text = `${JSON.stringify({ n, path, by: agent, how, atMs: at.nowMs })}\n`;
  return { to: "files", event: { type: "files.append", path: referencesPath(owner), text } };
}

/** Artifacts of completed goals that no line names; a damaged line counts as none. */
export function unseenAtStart(
  goals: readonly RegisteredGoal[],
  references: string | undefined,
): Omit<Artifact, "fact">[] {
  const lines = (references ?? "").split("\n").map((line) => readObject(line)?.["n"]);
  const unseen = new Map<string, Omit<Artifact, "fact">>();
  for (const { n, status, artifact: path, atMs } of goals) {
    if (status !== "completed" || lines.includes(n) || unseen.has(path)) continue;
    unseen.set(path, { n, path, sinceMs: atMs ?? 0 });
  }
  return [...unseen.values()];
}

export const goalLedgerService = (policy: SufferingPolicy): Service<LedgerState> => {
  /** What an event says of its agent alone. */
  const seen =
    <TEvent extends { readonly agent: string }>(
      observe: (record: AgentRecord, event: TEvent, policy: SufferingPolicy) => Observation,
    ) =>
    (state: LedgerState, event: TEvent): Done => {
      const { agent } = event;
      return observed(state, agent, observe(recordOf(state, agent), event, policy), policy);
    };
  return {
    kind: "service",
    id: "goalLedger",
    on: {
      "goal.ended": (state, event) => withGoalEnded(state, event, policy),
      "work.claimed": (state, { agent, n, path, at }) => {
        const claim = { agent, n, path, fact: at.seq };
        return { state: { ...state, claims: state.claims.with(agent, claim) }, letters: [] };
      },
      "peers.asked": (state, { agent: asker, at }) => {
        const known = ownValue(state.knows ?? {}, asker);
        const claims = (
          known?.flatMap((name) => state.claims.get(name) ?? []) ??
          state.claims.entries().map(([, claim]) => claim)
        )
          .filter(({ agent }) => agent !== asker)
          .sort((a, b) => (a.agent < b.agent ? -1 : 1));
        return { state, letters: answer(at, { type: "peers.answered", claims }) };
      },
      "cycle.ended": (state, event) => withCycleEnded(state, event, policy),
      "plan.judged": seen(planJudged),
      "message.judged": seen(messageJudged),
      "suffering.reported": (state, event) => ({
        state,
        letters: wordsGiven(state.stressors, event, policy.stressors),
      }),
      "capability.locked": seen(capabilityLocked),
      "peer.referenced": (state, event) => withReference(state, event, policy),
      "stressor.changed": seen(stressorChanged),
      "place.asked": (state, event) => withPlace(state, event, policy.stressors),
      "files.replied": (state, event) => {
        const { owner, measured } = burdenOf(event, policy);
        const findings = [{ measured, because: [event.at.seq] }];
        return observed(state, owner, { record: recordOf(state, owner), findings }, policy);
      },
      "agent.joined": (state, { stressors }) => ({
        state: { ...state, stressors: [...state.stressors, ...stressors] },
        letters: [],
      }),
      "agent.left": (state, { agent }) => ({
        state: { ...state, stressors: state.stressors.filter((one) => one.agent !== agent) },
        letters: [],
      }),
      "daemon.stopped": (state) => ({ state, letters: [], done: true }),
    },
    // An answered message is a peer interaction, which the engine counts: it ends no stressor. What
    // the gate found and what was learnt is said for the log.
    kept: ledgerKept(policy.stressors),
    ignores: ["peer.messaged", "ask.bounced", "goalGate.judged", "lesson.noted", "lessons.read"],
    init(input: LedgerInput, at: At): Done {
      const known = input.claims.map((claim) => [claim.agent, { ...claim, fact: at.seq }]);
      let records = Entries.of<AgentRecord>({});
      for (const { agent, ...artifact } of isUnseenFelt(policy.stressors) ? input.unseen : []) {
        const before = records.get(agent)?.unseen ?? [];
        const record = newRecord([...before, { ...artifact, fact: at.seq }]);
        records = records.with(agent, record);
      }
      const claims = Entries.of<Claim>(Object.fromEntries(known));
      const { stressors, knows } = input;
      const nothing = { windows: Entries.of<readonly Numbered[]>({}), ended: 0 };
      const begun: LedgerState = defined({ ...nothing, claims, stressors, records, knows });
      const state = input.ended
        .map((one) => ({ ...one, fact: at.seq }))
        .reduce((before, one) => withEnded(before, one, policy.stressors), begun);
      return { state, letters: [] };
    },
  };
};
