/**
 * The process that hosts every actor: it reads the virtual files, starts engine, ledger, stressors,
 * agents and their open goals, and after a restart does so again from the files alone.
 * Source: seed 000, "This file survives daemon restarts"; DESIGN §2, birth and death.
 */
import { assign, setup } from "xstate";
import { ANSWER_WAIT_MS } from "../answerWait.ts";
import { askingIn, chartTypes, question } from "../chart.ts";
import { defined } from "../defined.ts";
import { type At, answer, ask, type Delivered, type Letter, type MailOf, post } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { profileLetter } from "./agent/profile.ts";
import {
  addressOf,
  agentBirths,
  births,
  type DaemonContext,
  type DaemonEvent,
  type DaemonInput,
  type DaemonPolicy,
  type Forward,
  feelingsOf,
  keeperBirth,
  livesAtStart,
  stressorBirth,
  suffixOf,
  whoIs,
} from "./births.ts";
import { TOOLS_FOLDER } from "./engine/state.ts";
import { goalRegistryPath, MEMORY_FOLDER, readGoalRegistry } from "./goal/goalContext.ts";
import { isReadable } from "./hookMail.ts";
import { type AgentHooks, type AttachedHooks, allHooks } from "./hooks.ts";

const memory = askingIn<DaemonContext, DaemonEvent>()("memory", () =>
  question("files", { type: "files.snapshot", folders: [MEMORY_FOLDER, TOOLS_FOLDER] }),
);

export const daemonMachine = (policy: DaemonPolicy, hooks: readonly AgentHooks[] = []) => {
  const attached = allHooks(hooks);
  return setup({
    types: chartTypes<DaemonContext, DaemonEvent, DaemonInput>(),
    delays: { downtime: policy.daemon.downMs, filesTimeout: ANSWER_WAIT_MS },
    actions: {
      keep: assign(({ context, event }) => ({ kept: [...context.kept, ...forwards(event)] })),
      passOn: post(({ context, event }) => forwards(event).map((one) => forwarded(context, one))),
    },
  }).createMachine({
    id: "daemon",
    context: ({ input: { agents, startsAtMs, knows } }) =>
      defined({ agents, startsAtMs, knows, boot: 0, children: [], kept: [] }),
    initial: "reading",
    on: {
      "birth.asked": {
        actions: [
          post(({ context, event }) => birth(context, event, attached, policy).letters),
          assign(({ context, event }) => birth(context, event, attached, policy).update),
        ],
      },
      "end.asked": {
        actions: [
          post(({ context, event }) => end(context, event).letters),
          assign(({ context, event }) => end(context, event).update),
        ],
      },
    },
    states: {
      reading: {
        entry: [
          assign(({ context }) => ({ boot: context.boot + 1, ...livesAtStart(context) })),
          memory.entry,
        ],
        exit: memory.exit,
        on: {
          "files.replied": {
            target: "running",
            actions: [
              assign(({ context, event }) => ({
                children: births(context, event, policy)
                  .flatMap(({ event: born }) => (born.type === "actor.start" ? [born.address] : []))
                  .filter((address) => !address.startsWith("goal/")),
              })),
              post(({ context, event }) => [
                ...births(context, event, policy),
                ...context.kept.map((one) => forwarded(context, one)),
                ...unbornLetters(context),
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
          "files.replied": {
            actions: [
              post(({ context, event }) => born(context, event, policy).letters),
              assign(({ context, event }) => born(context, event, policy).update),
            ],
          },
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
};

/** A message goes to one agent, a signal to each that notices it. */
function forwards(event: DaemonEvent): readonly Forward[] {
  const { type, at } = event;
  if (type !== "host.message" && type !== "outside.signal") return [];
  const agents = type === "host.message" ? [event.agent ?? []].flat() : (event.agents ?? []);
  return agents.map((agent) => ({ agent, type, text: event.text, fact: at.seq }));
}

const forwarded = (context: DaemonContext, { agent, type, text, fact }: Forward): Letter => ({
  to: agentAddress(context, agent),
  event: { type, text },
  because: [fact],
});

/*
 * Agents that are born, and end, because an actor of another part asks for it. They live as the others do;
 * after a restart of the daemon they are there again. Ours.
 */

/** As it stands in paths of workspaces. */
const NAME = /^[a-z][a-z0-9-]{0,30}$/;

/** What the log calls actors that are no agents, and what every JavaScript object has. */
const TAKEN: readonly string[] = ["world", "host", "daemon", "constructor", "__proto__"];
const UNREADABLE = "what was asked could not be read";

/** An answer bears the name that was asked for; none when that is no text. */
const nameOf = ({ name }: { readonly name: unknown }): string =>
  typeof name === "string" ? name : "";

/** Why no agent of that name is born; undefined when one is. */
function whyNotBorn(
  { agents, born = {}, unborn = {} }: DaemonContext,
  event: Delivered<"birth.asked">,
  attached: AttachedHooks,
  { hooks }: DaemonPolicy,
): string | undefined {
  const { name, at } = event;
  if (!attached.births.includes(at.from)) return `${at.from} may not have agents born`;
  if (!isReadable(event)) return UNREADABLE;
  if (TAKEN.includes(name)) return `"${name}" is no name for an agent: the log calls others so`;
  if (!NAME.test(name)) {
    return `"${name}" is no name: it takes a lower-case letter, then at most 30 of a-z, 0-9 and -`;
  }
  if (agents.includes(name) || ownValue(unborn, name))
    return `an agent called ${name} lives already`;
  const count = Object.keys(born).length + Object.keys(unborn).length;
  if (count < hooks.bornMax) return undefined;
  return `${count} agents live that were born at request, and hooks.bornMax allows no more`;
}

const isRunning = ({ children }: DaemonContext): boolean => children.length > 0;

/** It waits until the files have answered, or the daemon runs; or hears at once that no agent is born. */
function birth(
  context: DaemonContext,
  event: Delivered<"birth.asked">,
  attached: AttachedHooks,
  policy: DaemonPolicy,
): Change {
  const reason = whyNotBorn(context, event, attached, policy);
  if (reason !== undefined) {
    return { letters: birthAnswer(event.at, nameOf(event), null, reason), update: {} };
  }
  return {
    letters: isRunning(context) ? [memoryLetter(event.name)] : [],
    update: { unborn: { ...context.unborn, [event.name]: event } },
  };
}

/** What is said of something, and what it changes. */
interface Change {
  readonly letters: readonly Letter[];
  readonly update: Partial<DaemonContext>;
}

/** Asked at a start of the daemon, for what was asked of it before. */
const unbornLetters = ({ unborn = {} }: DaemonContext): Letter[] =>
  Object.keys(unborn).map(memoryLetter);

/** An agent of that name may have lived before: then it is what its files say. */
const memoryLetter = (name: string): Letter =>
  ask({
    to: "files",
    key: `birth:${name}`,
    event: { type: "files.snapshot", folders: [MEMORY_FOLDER] },
  });

const expected = ({ unborn = {} }: DaemonContext, { key = "" }: At) =>
  ownValue(unborn, key.replace(/^birth:/, ""));

/** The address of an agent: another one each time that its name is given again. */
export const agentAddress = ({ boot, lives = {} }: DaemonContext, agent: string): string =>
  `agent/${agent}${suffixOf(boot, ownValue(lives, agent))}`;

/** The agent itself, and word of it to all that have to do with agents. */
function born(
  context: DaemonContext,
  { files = {}, at }: Delivered<"files.replied">,
  policy: DaemonPolicy,
): Change {
  const asked = expected(context, at);
  if (asked === undefined) return { letters: [], update: {} };
  const { name, goal, message, at: asker } = asked;
  const { boot, agents, children, born, lives = {} } = context;
  const life = (ownValue(lives, name) ?? 0) + 1;
  const place = { boot, suffix: suffixOf(boot, life) };
  const goals = readGoalRegistry(files[goalRegistryPath(name)]);
  const found = whoIs(name, place, { goals, peers: agents }, files, policy);
  const profile = { ...found.profile, ...asked.profile };
  const feelings = feelingsOf(name, place, files, policy);
  const address = `agent/${name}${place.suffix}`;
  const stressors = feelings.map(addressOf);
  const joined: MailOf<"agent.joined"> = {
    ...{ type: "agent.joined", agent: name, address, by: asker.from, stressors },
  };
  const letters: Letter[] = [
    ...announcements(context, joined),
    ...(asked.profile ? [profileLetter(name, profile)] : []),
    ...(found.lessons === null ? [] : [keeperBirth(name, files, found.ledger, place.suffix)]),
    ...agentBirths({ ...found, profile }, goal),
    ...feelings.map(stressorBirth),
    ...(message === undefined
      ? []
      : [{ to: address, event: { type: "peer.message", ...message } } as const]),
    ...birthAnswer(asker, name, address, null),
  ];
  const { [name]: _, ...unborn } = context.unborn ?? {};
  const own = [...(found.lessons === null ? [] : [found.lessons]), address];
  return {
    letters: letters.map((letter) => ({ ...letter, because: [asker.seq] })),
    update: {
      agents: [...agents, name],
      children: [...children, ...own, ...stressors.map((one) => one.address)],
      born: { ...born, [name]: asker.from },
      lives: { ...lives, [name]: life },
      unborn,
    },
  };
}

/** Only the actor that asked for the agent may end it. */
function end(context: DaemonContext, event: Delivered<"end.asked">): Change {
  const { at } = event;
  const { born = {}, unborn = {} } = context;
  const name = nameOf(event);
  const by = ownValue(born, name) ?? ownValue(unborn, name)?.at.from;
  if (!isReadable(event) || by !== at.from) {
    const reason = isReadable(event)
      ? `no agent called ${name} lives at the request of ${at.from}`
      : UNREADABLE;
    return { letters: answer(at, { type: "end.answered", name, ok: false, reason }), update: {} };
  }
  const asked = ownValue(unborn, name);
  const agents = context.agents.filter((agent) => agent !== name);
  const own = addressesOf(context, name);
  const left: MailOf<"agent.left"> = { type: "agent.left", agent: name, reason: event.reason };
  const isThere = isRunning(context) && context.agents.includes(name);
  const { [name]: _, ...others } = born;
  const { [name]: __, ...waiting } = unborn;
  return {
    letters: [
      ...(isThere ? own : []).map((to): Letter => ({ to, event: { type: "daemon.stopped" } })),
      ...(isThere ? announcements({ ...context, agents }, left) : []),
      ...(asked ? birthAnswer(asked.at, name, null, `${at.from} ended it before its birth`) : []),
      ...answer(at, { type: "end.answered", name, ok: true, reason: null }),
    ],
    update: {
      agents,
      children: context.children.filter((address) => !own.includes(address)),
      born: others,
      unborn: waiting,
    },
  };
}

const addressesOf = ({ children }: DaemonContext, name: string): readonly string[] =>
  children.filter((address) => address.split(/[/#]/)[1] === name && address.includes("/"));

/** Engine, ledger and the agents that live hear which agents there are. */
const announcements = (
  context: DaemonContext,
  event: MailOf<"agent.joined" | "agent.left">,
): readonly Letter[] =>
  [
    `engine${suffixOf(context.boot)}`,
    `goalLedger${suffixOf(context.boot)}`,
    ...context.agents.map((agent) => agentAddress(context, agent)),
  ].map((to) => ({ to, event }));

const birthAnswer = (
  at: At,
  name: string,
  address: string | null,
  reason: string | null,
): Letter[] => answer(at, { type: "birth.answered", name, address, reason });
