/**
 * The actors of the agents' world as they are born: at a start of the daemon all of them, from the virtual
 * files and the names of the agents. Source: seed 000; DESIGN §2, birth and death.
 */
import { defined } from "../defined.ts";
import { type Delivered, type Letter, type Mail, startActor } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { between, integer, type ValuesOf } from "../policyLeaf.ts";
import { readObject } from "../readJson.ts";
import { days, seconds } from "../units.ts";
import { type AgentInput, DONE_MAX, RECENT_MAX } from "./agent/context.ts";
import {
  journalPath,
  type MindPolicy,
  profilePath,
  readJournal,
  readProfile,
} from "./agent/profile.ts";
import type { EngineInput } from "./engine/engine.ts";
import {
  type GoalDeclaration,
  goalRegistryPath,
  type RegisteredGoal,
  readGoalRegistry,
  savedGoal,
} from "./goal/goalContext.ts";
import type { HookPolicy } from "./hooks.ts";
import type { LessonKeeperInput } from "./lessons/lessonKeeper.ts";
import { candidatesPath, type LessonPolicy, lessonsPath } from "./lessons/lessons.ts";
import { type Acquaintances, referencesPath, unseenAtStart } from "./suffering/goalLedger.ts";
import type { StressorAddress } from "./suffering/observations.ts";
import { sufferingPath } from "./suffering/stressor.ts";
import type { StressorPolicy } from "./suffering/stressorPolicy.ts";

/**
 * What addresses end with: nothing, `#2` after the first restart, `#1.2` for the second agent of a name in
 * the first start.
 */
export const suffixOf = (boot: number, life = 1): string =>
  life > 1 ? `#${boot}.${life}` : boot === 1 ? "" : `#${boot}`;

/** The addresses of a new start are its own, so each name has lived once. */
export const livesAtStart = ({ born, lives }: DaemonContext): Pick<DaemonContext, "lives"> =>
  lives === undefined
    ? {}
    : { lives: Object.fromEntries(Object.keys(born ?? {}).map((name) => [name, 1])) };

/** Every actor that lives, from the virtual files and the names of the agents. */
export function births(
  { agents, boot, startsAtMs, born, knows }: DaemonContext,
  { files = {}, madeBy }: Pick<Mail["files.replied"], "files" | "madeBy">,
  policy: DaemonPolicy,
): Letter[] {
  const { lessons } = policy;
  const suffix = suffixOf(boot);
  const engine = `engine${suffix}`;
  const ledger = `goalLedger${suffix}`;
  const registries = agents.map((agent) => ({
    agent,
    goals: readGoalRegistry(files[goalRegistryPath(agent)]),
  }));
  const feelings = agents.flatMap((agent) => feelingsOf(agent, { boot, suffix }, files, policy));
  const ended = registries
    .flatMap(({ agent, goals }) => goals.map((goal) => ({ agent, ...goal })))
    .filter(({ status }) => status !== "active")
    .sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0))
    .map(({ agent, n, status }) => ({ agent, n, failed: status === "abandoned" }));
  const claims = registries.flatMap(({ agent, goals }) =>
    goals.slice(-1).map(({ n, artifact }) => ({ agent, n, path: artifact })),
  );
  const input: EngineInput = defined({
    ...{ address: engine, ledger, agents, startsAtMs, files, madeBy },
    born,
  });
  return [
    startActor("engine", engine, input),
    startActor(
      "goalLedger",
      ledger,
      defined({
        ended,
        claims,
        stressors: feelings.map(addressOf),
        unseen: registries.flatMap(({ agent, goals }) =>
          unseenAtStart(goals, files[referencesPath(agent)]).map((one) => ({ agent, ...one })),
        ),
        knows,
      }),
    ),
    ...(lessons.enabled ? agents : []).map((agent) => keeperBirth(agent, files, ledger, suffix)),
    ...registries.flatMap(({ agent, goals }) => {
      const known = ownValue(knows ?? {}, agent);
      const peers = known ?? agents.filter((other) => other !== agent);
      return agentBirths(whoIs(agent, { boot, suffix }, { goals, peers }, files, policy));
    }),
    ...feelings.map(stressorBirth),
  ];
}

/** Which start of the daemon, and what the addresses of one of its agents end with. */
interface Place {
  readonly boot: number;
  readonly suffix: string;
}

export const feelingsOf = (
  agent: string,
  { boot, suffix }: Place,
  files: Files,
  { stressors }: DaemonPolicy,
) =>
  stressors.enabled.map((type) => ({
    agent,
    type,
    address: `stressor/${agent}/${type}${suffix}`,
    agentAddress: `agent/${agent}${suffix}`,
    engine: `engine${suffixOf(boot)}`,
    ledger: `goalLedger${suffixOf(boot)}`,
    since: savedSince(files[sufferingPath(agent, type)]),
  }));

type Feeling = ReturnType<typeof feelingsOf>[number];

export const stressorBirth = ({ address, ...input }: Feeling): Letter =>
  startActor("stressor", address, input);

/** What the ledger knows of a stressor. */
export const addressOf = ({ agent, type, address, agentAddress }: StressorAddress) => ({
  agent,
  type,
  address,
  agentAddress,
});

/** An agent as the files have it. */
export const whoIs = (
  agent: string,
  { boot, suffix }: Place,
  rest: Pick<Who, "goals" | "peers">,
  files: Files,
  { lessons, mind }: DaemonPolicy,
): Who => ({
  agent,
  ...rest,
  engine: `engine${suffixOf(boot)}`,
  ledger: `goalLedger${suffixOf(boot)}`,
  lessons: lessons.enabled ? `lessons/${agent}${suffix}` : null,
  suffix,
  profile: readProfile(files[profilePath(agent)], mind),
  journal: readJournal(files[journalPath(agent)]),
});

export type Files = { readonly [path: string]: string };

export function keeperBirth(agent: string, files: Files, ledger: string, suffix: string): Letter {
  const input: LessonKeeperInput = {
    agent,
    ledger,
    candidates: files[candidatesPath(agent)] ?? null,
    lessons: files[lessonsPath(agent)] ?? null,
  };
  return startActor("lessonKeeper", `lessons/${agent}${suffix}`, input);
}

export type Who = Omit<AgentInput, "name" | "lastGoal" | "goal" | "recent" | "done"> & {
  readonly agent: string;
  readonly goals: readonly RegisteredGoal[];
};

/** The agent and its open goal; where it has none, the one that is asked for. */
export function agentBirths({ agent, goals, ...who }: Who, first?: GoalDeclaration): Letter[] {
  const { ledger, lessons, suffix } = who;
  const lastGoal = goals.at(-1)?.n ?? 0;
  const found = goals.findLast(({ status }) => status === "active");
  const open = found ?? (first && { ...first, n: lastGoal + 1, progress: 0 });
  const declared = open && goalOf(open);
  const address = `goal/${agent}/${open?.n}${suffix}`;
  const ended = goals.filter(({ status }) => status !== "active");
  const input: AgentInput = {
    ...who,
    name: agent,
    lastGoal: Math.max(lastGoal, open?.n ?? 0),
    goal: declared ? { ...declared, progress: open.progress, address } : null,
    recent: ended.slice(-RECENT_MAX).map(({ n, text, status }) => ({ n, text, status })),
    done: ended
      .filter(({ status }) => status === "completed")
      .slice(-DONE_MAX)
      .map(({ artifact }) => artifact),
  };
  const started = startActor("agent", `agent/${agent}${suffix}`, input);
  if (declared === undefined) return [started];
  const resumed = found && { resumed: savedGoal(found) };
  return [
    startActor("goal", address, { ...declared, agent, ledger, lessons, ...resumed }),
    started,
  ];
}

const goalOf = ({
  n,
  slug,
  text,
  artifact,
  evidence,
}: GoalDeclaration & { readonly n: number }) => ({
  n,
  slug,
  text,
  artifact,
  evidence,
});

/** A damaged file counts as no suffering. */
function savedSince(text: string | undefined): number | null {
  const since = readObject(text ?? "")?.["sinceMs"];
  return Number.isSafeInteger(since) ? (since as number) : null;
}

/* What the daemon is given, what it keeps in mind, and what it can be told. */

export const daemonLeaves = {
  downMs: integer(seconds(20), between(1, days(1), "ms"), {
    says: "How long a restart of the daemon takes.",
    source: "ours",
  }),
};

export interface DaemonInput {
  readonly agents: readonly string[];
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
  readonly knows?: Acquaintances;
}

export type DaemonEvent = Delivered<
  | "files.replied"
  | "daemon.restarted"
  | "host.message"
  | "outside.signal"
  | "birth.asked"
  | "end.asked"
>;

/** Something from outside on its way to an agent. */
export interface Forward {
  readonly agent: string;
  readonly type: "host.message" | "outside.signal";
  readonly text: string;
  readonly fact: number;
}

export interface DaemonContext extends DaemonInput {
  /** 1 at the first start; later ones show in every address. */
  readonly boot: number;
  /** Every actor started at this boot except the goals, which their agents stop. */
  readonly children: readonly string[];
  /** What came while it was down. */
  readonly kept: readonly Forward[];
  /** The agents that live because an actor of another part asked for them, and its address. */
  readonly born?: { readonly [agent: string]: string };
  /** Births that wait for the files, or for the daemon, by name. */
  readonly unborn?: { readonly [agent: string]: Delivered<"birth.asked"> };
  /** How many agents of a name have lived since the daemon started. */
  readonly lives?: { readonly [agent: string]: number };
}

export interface DaemonPolicy {
  readonly daemon: ValuesOf<typeof daemonLeaves>;
  readonly hooks: HookPolicy;
  readonly mind: MindPolicy;
  readonly stressors: StressorPolicy;
  readonly lessons: LessonPolicy;
}
