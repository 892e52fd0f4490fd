/**
 * The process that hosts every actor: it reads the virtual files, starts engine, ledger, stressors,
 * agents and their open goals, and after a restart does so again from the files alone.
 * Source: seed 000, "This file survives daemon restarts"; DESIGN §2, birth and death.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import {
  type At,
  ask,
  cancelAsk,
  type Delivered,
  type Letter,
  type Outbox,
  post,
  startActor,
} from "../letter.ts";
import { integer, type ValuesOf } from "../policyLeaf.ts";
import { readObject } from "../readJson.ts";
import { days, seconds } from "../units.ts";
import { type AgentInput, DONE_MAX, RECENT_MAX } from "./agent/context.ts";
import type { MindPolicy } from "./agent/mindPolicy.ts";
import { journalPath, profilePath, readJournal, readProfile } from "./agent/profile.ts";
import { TOOLS_FOLDER } from "./engine/state.ts";
import {
  goalRegistryPath,
  type RegisteredGoal,
  readGoalRegistry,
  savedGoal,
} from "./goal/goalRegistry.ts";
import type { LessonKeeperInput } from "./lessons/lessonKeeper.ts";
import { candidatesPath, type LessonPolicy, lessonsPath } from "./lessons/lessons.ts";
import { referencesPath, unseenAtStart } from "./suffering/references.ts";
import { sufferingPath } from "./suffering/stressor.ts";
import type { StressorPolicy } from "./suffering/stressorPolicy.ts";

export const daemonLeaves = {
  downMs: integer(seconds(20), {
    unit: "ms",
    min: 1,
    max: days(1),
    says: "How long a restart of the daemon takes.",
    source: "ours",
  }),
};

export interface DaemonInput {
  readonly agents: readonly string[];
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
}

export type DaemonEvent = Delivered<
  "files.replied" | "daemon.restarted" | "host.message" | "outside.signal"
>;

/** Something from outside on its way to an agent. */
interface Forward {
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
}

interface Policy {
  readonly daemon: ValuesOf<typeof daemonLeaves>;
  readonly mind: MindPolicy;
  readonly stressors: StressorPolicy;
  readonly lessons: LessonPolicy;
}

const MEMORY_FOLDER = "/agentOS/memory";

export const daemonMachine = (policy: Policy) =>
  setup({
    types: {
      context: {} as DaemonContext,
      events: {} as DaemonEvent,
      input: {} as DaemonInput & { at: At },
      emitted: {} as Outbox,
    },
    delays: { downtime: policy.daemon.downMs, filesTimeout: ANSWER_WAIT_MS },
    actions: {
      keep: assign(({ context, event }) => ({ kept: [...context.kept, ...forwards(event)] })),
      passOn: post(({ context, event }) =>
        forwards(event).map((one) => forwarded(context.boot, one)),
      ),
    },
  }).createMachine({
    id: "daemon",
    context: ({ input: { agents, startsAtMs } }) => ({
      agents,
      startsAtMs,
      boot: 0,
      children: [],
      kept: [],
    }),
    initial: "reading",
    states: {
      reading: {
        entry: [
          assign(({ context }) => ({ boot: context.boot + 1 })),
          post(() => [
            ask({
              to: "files",
              key: "memory",
              event: { type: "files.snapshot", folders: [MEMORY_FOLDER, TOOLS_FOLDER] },
            }),
          ]),
        ],
        exit: post(() => [cancelAsk("memory")]),
        on: {
          "files.replied": {
            target: "running",
            actions: [
              assign(({ context, event }) => ({
                children: births(context, event.files ?? {}, policy)
                  .flatMap(({ event: born }) => (born.type === "actor.start" ? [born.address] : []))
                  .filter((address) => !address.startsWith("goal/")),
              })),
              post(({ context, event }) => [
                ...births(context, event.files ?? {}, policy),
                ...context.kept.map((one) => forwarded(context.boot, one)),
              ]),
            ],
          },
          "host.message": { actions: "keep" },
          "outside.signal": { actions: "keep" },
        },
        after: { filesTimeout: { target: "reading", reenter: true } },
      },
      running: {
        on: {
          "host.message": { actions: "passOn" },
          "outside.signal": { actions: "passOn" },
          "daemon.restarted": "down",
        },
      },
      down: {
        entry: [
          post(({ context }) =>
            context.children.map((to): Letter => ({ to, event: { type: "daemon.stopped" } })),
          ),
          assign({ kept: [], children: [] }),
        ],
        on: { "host.message": { actions: "keep" }, "outside.signal": { actions: "keep" } },
        after: { downtime: "reading" },
      },
    },
  });

/** A message goes to one agent, a signal to each that notices it. */
function forwards(event: DaemonEvent): readonly Forward[] {
  const { type, at } = event;
  if (type !== "host.message" && type !== "outside.signal") return [];
  const agents = type === "host.message" ? [event.agent ?? []].flat() : (event.agents ?? []);
  return agents.map((agent) => ({ agent, type, text: event.text, fact: at.seq }));
}

const forwarded = (boot: number, { agent, type, text, fact }: Forward): Letter => ({
  to: `agent/${agent}${suffixOf(boot)}`,
  event: { type, text },
  because: [fact],
});

const suffixOf = (boot: number): string => (boot === 1 ? "" : `#${boot}`);

/** Every actor that lives, from the virtual files and the names of the agents. */
function births(
  { agents, boot, startsAtMs }: DaemonContext,
  files: Files,
  { lessons, mind, stressors }: Policy,
): Letter[] {
  const suffix = suffixOf(boot);
  const engine = `engine${suffix}`;
  const ledger = `goalLedger${suffix}`;
  const registries = agents.map((agent) => ({
    agent,
    goals: readGoalRegistry(files[goalRegistryPath(agent)]),
  }));
  const feelings = agents.flatMap((agent) =>
    stressors.enabled.map((type) => ({
      agent,
      type,
      address: `stressor/${agent}/${type}${suffix}`,
      agentAddress: `agent/${agent}${suffix}`,
      engine,
      ledger,
      since: savedSince(files[sufferingPath(agent, type)]),
    })),
  );
  const ended = registries
    .flatMap(({ agent, goals }) => goals.map((goal) => ({ agent, ...goal })))
    .filter(({ status }) => status !== "active")
    .sort((a, b) => (a.atMs ?? 0) - (b.atMs ?? 0))
    .map(({ agent, n, status }) => ({ agent, n, failed: status === "abandoned" }));
  const claims = registries.flatMap(({ agent, goals }) =>
    goals.slice(-1).map(({ n, artifact }) => ({ agent, n, path: artifact })),
  );
  return [
    startActor("engine", engine, { address: engine, ledger, agents, startsAtMs, files }),
    startActor("goalLedger", ledger, {
      ended,
      claims,
      stressors: feelings.map(({ agent, type, address, agentAddress }) => ({
        agent,
        type,
        address,
        agentAddress,
      })),
      unseen: registries.flatMap(({ agent, goals }) =>
        unseenAtStart(goals, files[referencesPath(agent)]).map((one) => ({ agent, ...one })),
      ),
    }),
    ...(lessons.enabled ? agents : []).map((agent) => keeperBirth(agent, files, ledger, suffix)),
    ...registries.flatMap(({ agent, goals }) =>
      agentBirths({
        agent,
        goals,
        engine,
        ledger,
        lessons: lessons.enabled ? `lessons/${agent}${suffix}` : null,
        suffix,
        peers: agents.filter((other) => other !== agent),
        profile: readProfile(files[profilePath(agent)], mind),
        journal: readJournal(files[journalPath(agent)]),
      }),
    ),
    ...feelings.map(({ address, ...input }) => startActor("stressor", address, input)),
  ];
}

type Files = { readonly [path: string]: string };

function keeperBirth(agent: string, files: Files, ledger: string, suffix: string): Letter {
  const input: LessonKeeperInput = {
    agent,
    ledger,
    candidates: files[candidatesPath(agent)] ?? null,
    lessons: files[lessonsPath(agent)] ?? null,
  };
  return startActor("lessonKeeper", `lessons/${agent}${suffix}`, input);
}

type Who = Omit<AgentInput, "name" | "lastGoal" | "goal" | "recent" | "done"> & {
  readonly agent: string;
  readonly goals: readonly RegisteredGoal[];
};

function agentBirths({ agent, goals, ...who }: Who): Letter[] {
  const { ledger, lessons, suffix } = who;
  const open = goals.findLast(({ status }) => status === "active");
  const address = `goal/${agent}/${open?.n}${suffix}`;
  const input: AgentInput = {
    ...who,
    name: agent,
    lastGoal: goals.at(-1)?.n ?? 0,
    goal:
      open === undefined
        ? null
        : {
            n: open.n,
            slug: open.slug,
            text: open.text,
            artifact: open.artifact,
            evidence: open.evidence,
            progress: open.progress,
            address,
          },
    recent: goals
      .filter(({ status }) => status !== "active")
      .slice(-RECENT_MAX)
      .map(({ n, text, status }) => ({ n, text, status })),
    done: goals
      .filter(({ status }) => status === "completed")
      .slice(-DONE_MAX)
      .map(({ artifact }) => artifact),
  };
  const started = startActor("agent", `agent/${agent}${suffix}`, input);
  if (open === undefined) return [started];
  const { n, slug, text, artifact, evidence } = open;
  const resumed = savedGoal(open);
  const goal = { n, slug, text, artifact, evidence, agent, ledger, lessons, resumed };
  return [startActor("goal", address, goal), started];
}

/** A damaged file counts as no suffering. */
function savedSince(text: string | undefined): number | null {
  const since = readObject(text ?? "")?.["sinceMs"];
  return Number.isSafeInteger(since) ? (since as number) : null;
}
