/**
 * The warden: has installed agents born as their active revision says and ended with it, and is asked before every call that
 * they make. A service: what it knows must agree at one instant. Source: seed 003, "capability enforcement on every tool call".
 */
import { cutText } from "../../cutText.ts";
import { type At, answer, ask, type Delivered, type Letter, type MailOf } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { done, type Outcome, onlyLogged, type Service } from "../../service.ts";
import { GATEWAY, WARDEN } from "../addresses.ts";
import type { LivedRevision } from "../mail.ts";
import { allowed, type OutOfReach, type ReachCall, type ReachPolicy } from "./reach.ts";

const DAEMON = "daemon";

export const wardenLeaves = {
  tools: choice("withdrawn", ["withdrawn", "kept"], {
    says: "What becomes of tools that an agent registered as a revision, once that revision is rolled back.",
    source:
      "ours: a rollback ends what the revision did to all (withdrawn); seed 003 names no such case",
  }),
};

interface WardenPolicy {
  readonly warden: ValuesOf<typeof wardenLeaves>;
  readonly reach: ReachPolicy;
}

/** JSON, so no interfaces. */
type Household = {
  /** By what it is to live; null: not at all. */
  readonly wanted: LivedRevision | null;
  readonly how: "activated" | "rolledBack";
  /** The fact that says so. */
  readonly fact: number;
  /** By what it was born; null before it ever was. */
  readonly born: LivedRevision | null;
  readonly life: "none" | "asked" | "lives" | "ending";
  readonly children: readonly string[];
  /** Specs and code in the tools folder that were written as the revision it was born by. */
  readonly tools: readonly string[];
  /** The reports of those writes. */
  readonly toolFacts: readonly number[];
};

/** A child that is being born for a call. */
export type Spawning = { readonly root: string; readonly at: At };

export interface WardenState {
  readonly households: { readonly [agent: string]: Household };
  /** By the name of an agent that was spawned: the installed agent whose household it belongs to. */
  readonly roots: { readonly [child: string]: string };
  readonly spawning: { readonly [child: string]: Spawning };
}

type WardenDone = Outcome<WardenState>;

const NO_HOUSEHOLDS: WardenState = { households: {}, roots: {}, spawning: {} };

const householdOf = (state: WardenState, agent: string): Household | undefined =>
  ownValue(state.households, agent);

/** The installed agent under whose reach this one lives: itself, or the one that had it spawned. */
const rootOf = (state: WardenState, agent: string): string => ownValue(state.roots, agent) ?? agent;

const withHousehold = (state: WardenState, agent: string, household: Household): WardenState => ({
  ...state,
  households: { ...state.households, [agent]: household },
});

/** Those that live and those that are being born count alike: a limit that only the living meet is none. */
const childrenOf = (state: WardenState, root: string): number =>
  (householdOf(state, root)?.children.length ?? 0) +
  Object.values(state.spawning).filter((one) => one.root === root).length;

/** It lives as what it is to live by; anything else is on its way out. */
const isSettled = ({ life, wanted, born }: Household): boolean =>
  life === "lives" && wanted !== null && wanted.id === born?.id;

/*
 * How installed agents come to live and end: an active revision has its agent born, another one or none has it end first.
 * One life at a time, in whatever order births, ends and revisions are told. Source: seed 003; ours.
 */

/** What an agent hears first, and what stands in its profile: bounded, as an intent's texts are not. */
const HEARD_MAX = 4_000;
const OPINION_MAX = 300;

const BIRTH = "birth:";
const END = "end:";

const isBirth = (key: string | undefined): boolean => key?.startsWith(BIRTH) === true;
const isEnd = (key: string | undefined): boolean => key?.startsWith(END) === true;

/** Of a key: whose birth or end was asked for. */
const agentIn = (key = ""): string => key.slice(key.indexOf(":") + 1);

const NOBODY: Household = {
  ...{ wanted: null, how: "activated", fact: 0, born: null, life: "none" },
  ...{ children: [], tools: [], toolFacts: [] },
};

/** Only the gateway knows which revision is active. */
function activeChanged(
  state: WardenState,
  { agent, revision, how, at }: Delivered<"active.changed">,
  policy: WardenPolicy,
): WardenDone {
  const before = householdOf(state, agent) ?? NOBODY;
  if (at.from !== GATEWAY || before.wanted?.id === revision?.id) return done(state);
  return goneOn(state, agent, { ...before, wanted: revision, how, fact: at.seq }, policy);
}

/** The household as it is now, and the next step towards what is wanted; none while the daemon is asked. */
function goneOn(
  state: WardenState,
  agent: string,
  household: Household,
  policy: WardenPolicy,
): WardenDone {
  const { life, wanted, how, fact } = household;
  if (life === "none" && wanted !== null) {
    const next: Household = { ...household, life: "asked", born: wanted, tools: [], toolFacts: [] };
    return done(withHousehold(state, agent, next), [birth(agent, wanted, fact)]);
  }
  const now = withHousehold(state, agent, household);
  if (life !== "lives" || isSettled(household)) return done(now);
  const reason = `${household.born?.id ?? "its revision"} is no longer active`;
  const event: MailOf<"end.asked"> = { type: "end.asked", name: agent, reason };
  const isWithdrawn = how === "rolledBack" && policy.warden.tools === "withdrawn";
  const next: Household = { ...household, life: "ending", children: [] };
  return done(withHousehold(withoutChildren(now, agent), agent, next), [
    ...(isWithdrawn ? withdrawn(agent, household) : []),
    ...childEnds(now, agent, reason, fact),
    ask({ to: DAEMON, key: END + agent, event, because: [fact] }),
  ]);
}

/** The same, and what became of it is told first. */
function goneOnFrom(
  state: WardenState,
  said: MailOf<"installed.born" | "installed.ended">,
  seq: number,
  household: Household,
  policy: WardenPolicy,
): WardenDone {
  const next = goneOn(state, said.agent, household, policy);
  const letter = { to: WARDEN, event: said, because: [household.fact, seq] };
  return done(next.state, [letter, ...next.letters]);
}

const birth = (agent: string, { description, instructions }: LivedRevision, fact: number): Letter =>
  ask({
    to: DAEMON,
    key: BIRTH + agent,
    because: [fact],
    event: {
      type: "birth.asked",
      name: agent,
      profile: {
        traits: [],
        opinions: [{ opinion: cutText(description, OPINION_MAX), domain: "purpose" }],
        questions: [],
      },
      message: { from: GATEWAY, text: cutText(instructions, HEARD_MAX) },
    },
  });

/** Of an installed agent or of a child of one. */
function birthAnswered(
  state: WardenState,
  event: Delivered<"birth.answered">,
  policy: WardenPolicy,
): WardenDone {
  if (!isBirth(event.at.key)) return spawned(state, event);
  const { address, reason, at } = event;
  const fault = address === null ? (reason ?? "") : null;
  return birthDone(state, agentIn(at.key), fault, at.seq, policy);
}

/** A birth that came to nothing is told once; another revision tries again. */
function birthDone(
  state: WardenState,
  agent: string,
  fault: string | null,
  seq: number,
  policy: WardenPolicy,
): WardenDone {
  const household = householdOf(state, agent);
  if (household?.life !== "asked") return done(state);
  const { born, wanted } = household;
  const isGivenUp = fault !== null && wanted?.id === born?.id;
  const life = fault === null ? "lives" : "none";
  const next: Household = { ...household, life, wanted: isGivenUp ? null : wanted };
  const revision = born?.id ?? "";
  return goneOnFrom(state, { type: "installed.born", agent, revision, fault }, seq, next, policy);
}

function ended(state: WardenState, agent: string, seq: number, policy: WardenPolicy): WardenDone {
  const household = householdOf(state, agent);
  if (household?.life !== "ending") return done(state);
  const next: Household = { ...household, life: "none" };
  const revision = household.born?.id ?? "";
  return goneOnFrom(state, { type: "installed.ended", agent, revision }, seq, next, policy);
}

/* Agents that installed agents have born: within AgentSpawn, under the reach of the one that was installed, and no longer than it. */

const SPAWN = "spawn:";

/** Asked once more here: between its permission and the call another one may have taken the last place. */
function spawnCalled(
  state: WardenState,
  { agent, capability, params, at }: Delivered<"capability.called">,
  policy: WardenPolicy,
): WardenDone {
  const fail = (error: string): WardenDone => done(state, failed(at, error));
  const root = rootOf(state, agent);
  const household = householdOf(state, root);
  if (household === undefined || !isSettled(household)) {
    return fail(`PermissionError: ${agent} was not installed, and ${capability} needs AgentSpawn`);
  }
  const call = { tool: capability, params, children: childrenOf(state, root) };
  const beyond = allowed(call, household.born?.grants ?? [], root, policy.reach);
  if (beyond !== null) return fail(`PermissionError: ${beyond.why}: ${beyond.todo}`);
  const [name, instructions] = [ownValue(params, "name"), ownValue(params, "instructions")];
  if (typeof name !== "string" || typeof instructions !== "string" || instructions.trim() === "") {
    return fail(`${capability} needs two texts: name and instructions`);
  }
  if (isKnown(state, name)) return fail(`an agent called ${name} is there already`);
  const message = { from: agent, text: instructions };
  const event: MailOf<"birth.asked"> = { type: "birth.asked", name, message };
  return done({ ...state, spawning: { ...state.spawning, [name]: { root, at } } }, [
    ask({ to: DAEMON, key: SPAWN + name, event, because: [at.seq] }),
  ]);
}

const failed = (at: At, error: string): Letter[] =>
  answer(at, { type: "capability.answered", ok: false, error });

const isKnown = (state: WardenState, name: string): boolean =>
  ownValue(state.spawning, name) !== undefined || ownValue(state.roots, name) !== undefined;

function spawned(
  state: WardenState,
  { name, address, reason }: Pick<Delivered<"birth.answered">, "name" | "address" | "reason">,
): WardenDone {
  const spawning = ownValue(state.spawning, name);
  if (spawning === undefined) return done(state);
  const { root, at } = spawning;
  const { [name]: _, ...others } = state.spawning;
  const closed = { ...state, spawning: others };
  if (address === null) return done(closed, failed(at, reason ?? "the agent was not born"));
  const household = householdOf(state, root);
  // It was born while its parent ended.
  if (household === undefined || !isSettled(household)) {
    const end = childEnd(name, "its parent is no longer there", at.seq);
    return done(closed, [end, ...failed(at, "the agent that spawned it ended")]);
  }
  const children = [...household.children, name];
  const next = withHousehold(closed, root, { ...household, children });
  const told: MailOf<"installed.spawned"> = { type: "installed.spawned", agent: root, child: name };
  return done({ ...next, roots: { ...next.roots, [name]: root } }, [
    { to: WARDEN, event: told, because: [household.fact, at.seq] },
    livingLetter(root, children),
    ...answer(at, { type: "capability.answered", ok: true, result: { spawned: name } }),
  ]);
}

const childEnd = (name: string, reason: string, fact: number): Letter =>
  ask({
    ...{ to: DAEMON, key: `child:${name}`, because: [fact] },
    event: { type: "end.asked", name, reason },
  });

function childEnds(
  state: WardenState,
  root: string,
  reason: string,
  fact: number,
): readonly Letter[] {
  const children = householdOf(state, root)?.children ?? [];
  if (children.length === 0) return [];
  return [...children.map((name) => childEnd(name, reason, fact)), livingLetter(root, [])];
}

const livingLetter = (root: string, names: readonly string[]): Letter => ({
  to: GATEWAY,
  event: { type: "spawned.living", root, names },
});

const withoutChildren = (state: WardenState, root: string): WardenState => ({
  ...state,
  roots: Object.fromEntries(Object.entries(state.roots).filter(([, one]) => one !== root)),
});

/* What an installed agent may do, asked before each of its calls, and what it did, looked at behind them. */

/** Ours: as many as a letter rests on. */
const FACTS_MAX = 8;
/** Where capabilities of all agents are registered. */
export const TOOLS = "/agentOS/tools/dynamic/";

type Judged = Pick<ReachCall, "tool" | "params"> & { readonly agent: string };

/** A child's call is judged as its parent's would be, so that a household reaches no further than its root. */
function within(
  state: WardenState,
  { agent, tool, params }: Judged,
  { born }: Household,
  { reach }: WardenPolicy,
): OutOfReach | null {
  const root = rootOf(state, agent);
  const call = { tool, params, children: childrenOf(state, root) };
  return allowed(call, born?.grants ?? [], root, reach);
}

/** Its last calls may still be on their way when its revision is no longer active. */
const notActive = (household: Household | undefined): OutOfReach => ({
  missing: "revision",
  why: `${household?.born?.id ?? "no revision"} is not active, so that nothing is granted`,
  todo: "end the turn",
});

function permissionAsked(
  state: WardenState,
  { agent, capability, params, at }: Delivered<"permission.asked">,
  policy: WardenPolicy,
): WardenDone {
  const household = householdOf(state, rootOf(state, agent));
  const beyond =
    household !== undefined && isSettled(household)
      ? within(state, { agent, tool: capability, params }, household, policy)
      : notActive(household);
  if (beyond === null) return done(state, answer(at, { type: "permission.answered", ...GRANTED }));
  const { missing, why, todo } = beyond;
  const because = [household?.fact ?? at.seq];
  const refusal = { agent, call: capability, missing, why };
  const reason = `${why}: ${todo}`;
  return done(state, [
    { to: GATEWAY, event: { type: "reach.refused", ...refusal }, because },
    ...answer(at, { type: "permission.answered", granted: false, reason }, { because }),
  ]);
}

const GRANTED = { granted: true, reason: null };

/** What a command or a tool writes is known only now. The word of an active revision holds for the call that it made. */
function callReported(
  state: WardenState,
  { agent, capability, wrote, at }: Delivered<"call.reported">,
  policy: WardenPolicy,
): WardenDone {
  const root = rootOf(state, agent);
  const household = householdOf(state, root);
  if (household === undefined || wrote.length === 0) return done(state);
  const breaches = wrote.flatMap((path): Letter[] => {
    const judged = { agent, tool: "fs_write", params: { path } };
    const beyond = within(state, judged, household, policy);
    if (beyond === null) return [];
    const { missing, why } = beyond;
    const breach = { agent, call: capability ?? "nothing", path, missing, why };
    return [{ to: WARDEN, event: { type: "reach.breached", ...breach }, because: [at.seq] }];
  });
  return done(toolsSeen(state, root, household, wrote, at.seq), breaches);
}

function toolsSeen(
  state: WardenState,
  root: string,
  household: Household,
  wrote: readonly string[],
  fact: number,
): WardenState {
  const tools = wrote.filter((path) => path.startsWith(TOOLS) && !household.tools.includes(path));
  return tools.length === 0
    ? state
    : withHousehold(state, root, {
        ...household,
        tools: [...household.tools, ...tools],
        toolFacts: [...household.toolFacts, fact].slice(-FACTS_MAX),
      });
}

/** They leave at once; the archive keeps them. */
function withdrawn(agent: string, { born, tools, toolFacts, fact }: Household): readonly Letter[] {
  if (tools.length === 0 || born === null) return [];
  const because = [fact, ...toolFacts];
  const of = { agent, revision: born.id, paths: tools };
  return [
    { to: WARDEN, event: { type: "tools.withdrawn", ...of }, because },
    ...tools.map((path): Letter => {
      const to = path.replace("/tools/dynamic/", "/tools/archive/");
      return { to: "files", event: { type: "files.move", path, to }, because };
    }),
  ];
}

/* What an installed agent's prompts say of what it is: its instructions and its reach, of the revision by which it lives. */

/** Characters of a line, and lines of instructions: bounded, as an intent's texts are not. */
const most = { line: 300, lines: 40 };

/** An agent that nobody installed is told nothing. */
function sectionAsked(state: WardenState, { agent, at }: Delivered<"section.asked">): WardenDone {
  const root = rootOf(state, agent);
  const household = householdOf(state, root);
  const born = household !== undefined && isSettled(household) ? household.born : null;
  const because = household === undefined ? [] : [household.fact];
  const title = "What you were installed for";
  if (born === null) return done(state, answer(at, { type: "section.answered", title, lines: [] }));
  const text = born.instructions.split("\n").filter((line) => line.trim() !== "");
  const lines = [
    `${root} (${born.id}): ${born.description}`,
    ...text.slice(0, most.lines),
    `You may use: ${born.grants.map((one) => JSON.stringify(one)).join(", ") || "nothing"}`,
  ].map((line) => cutText(line, most.line));
  return done(state, answer(at, { type: "section.answered", title, lines }, { because }));
}

/** No daemon: a world without agents. */
function bounced(
  state: WardenState,
  { address, at }: Delivered<"ask.bounced">,
  policy: WardenPolicy,
): WardenDone {
  const fault = `no actor lives at ${address}`;
  const agent = agentIn(at.key);
  if (isBirth(at.key)) return birthDone(state, agent, fault, at.seq, policy);
  return isEnd(at.key)
    ? ended(state, agent, at.seq, policy)
    : spawned(state, { name: agent, address: null, reason: fault });
}

export const wardenService = (policy: WardenPolicy): Service<WardenState> => ({
  kind: "service",
  id: "warden",
  on: {
    "active.changed": (state, event) => activeChanged(state, event, policy),
    "birth.answered": (state, event) => birthAnswered(state, event, policy),
    "end.answered": (state, { at }) =>
      isEnd(at.key) ? ended(state, agentIn(at.key), at.seq, policy) : done(state),
    "ask.bounced": (state, event) => bounced(state, event, policy),
    "permission.asked": (state, event) => permissionAsked(state, event, policy),
    "call.reported": (state, event) => callReported(state, event, policy),
    "capability.called": (state, event) => spawnCalled(state, event, policy),
    "section.asked": sectionAsked,
    "installed.born": onlyLogged,
    "installed.ended": onlyLogged,
    "installed.spawned": onlyLogged,
    "reach.breached": onlyLogged,
    "tools.withdrawn": onlyLogged,
  },
  ignores: [],
  init: () => done(NO_HOUSEHOLDS),
});
