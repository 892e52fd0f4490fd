/**
 * The execution engine: registry, router, calls, ghosts. A service, so that everything that must
 * agree at one instant lives in one island. Source: seed 000; rulings T10–T15.
 */

import { defined } from "../../defined.ts";
import { Entries } from "../../entries.ts";
import { answer, ask, type Delivered, type Letter, type MailOf } from "../../letter.ts";
import { onceFor } from "../../onceFor.ts";
import { ownValue } from "../../ownValue.ts";
import { type Outcome, onlyLogged, type Service } from "../../service.ts";
import { seconds } from "../../units.ts";
import type { Capability } from "../agent/context.ts";
import { type AgentHooks, allHooks, type BuiltinFacts } from "../hooks.ts";
import { sufferingAfter } from "../suffering/severity.ts";
import { builtins } from "./builtins.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { execute, route, routeByName, routeNameless, synthesisAddress } from "./execution.ts";
import { engineKept, type InHand, toOpenCall, withCall } from "./finishing.ts";
import { readBrokenTools, withoutArchived } from "./ghosts.ts";
import {
  bounced,
  capabilityAnswered,
  entriesLetters,
  entriesListed,
  overdue,
  permissionAnswered,
} from "./hooked.ts";
import { agentJoined, agentLeft } from "./peers.ts";
import {
  isSpec,
  registeredAtStart,
  reloaded,
  toolName,
  withoutSpec,
  withSpec,
  withSpecs,
} from "./registry.ts";
import {
  chatReplied,
  filesReplied,
  sandboxReplied,
  shellReplied,
  synthesisFinished,
  toolReplied,
} from "./replies.ts";
import { scoreEmbedding, scoreLexical } from "./router.ts";
import { BROKEN_TOOLS_FILE, type Call, type EngineState, suffixOf, TOOLS_FOLDER } from "./state.ts";

export interface EngineInput {
  readonly address: string;
  readonly ledger: string;
  readonly agents: readonly string[];
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
  /** The agents that were born at request, and the actor that asked for each. */
  readonly born?: { readonly [agent: string]: string };
  /** Texts of the tools folder and the memory folder, from virtual files only. */
  readonly files: { readonly [path: string]: string };
  /** By path, the delivery that wrote the text last. */
  readonly madeBy?: { readonly [path: string]: number };
}

type State = EngineState & { readonly address: string };
type Done = Outcome<State>;

const RESCAN_MS = seconds(300);

export const engineService = (
  policy: Omit<EnginePolicy, "self" | "attached">,
  hooks: readonly AgentHooks[] = [],
): Service<State> => {
  const attached = allHooks(hooks);
  const takes = takesOf(attached.builtins);
  let own: EnginePolicy = { ...policy, attached, self: "" };
  /** Hands on the engine's own address with the policy. */
  const by =
    <TEvent>(
      receive: (state: State, event: TEvent, policy: EnginePolicy) => Outcome<EngineState>,
    ) =>
    (state: State, event: TEvent): Done => {
      if (own.self !== state.address) own = { ...own, self: state.address };
      // It is handed back with other values, and with the address that it came with.
      return receive(state, event, own) as Done;
    };
  return {
    kind: "service",
    id: "engine",
    on: {
      "call.requested": by(requested),
      "call.routed": by(execute),
      "files.replied": by(snapshotOrReply),
      "sandbox.replied": by(toOpenCall(sandboxReplied)),
      "shell.replied": by(toOpenCall(shellReplied)),
      "embed.replied": by(toOpenCall(embedded)),
      "llm.replied": by(toOpenCall(chatReplied)),
      "llm.failed": by(toOpenCall(chatReplied)),
      "tool.replied": by(toOpenCall(toolReplied)),
      "synthesis.finished": by(synthesisFinished),
      "synthesis.stepped": onlyLogged,
      "tools.reloaded": (state) => ({ state, letters: [snapshotLetter("reload")] }),
      "stressor.changed": by(felt),
      "folder.changed": by(folderChanged),
      "registry.rescanned": (state) => ({
        state,
        letters: [snapshotLetter("rescan"), rescanLetter(state.address)],
      }),
      "permission.answered": by(permissionAnswered),
      "capability.answered": by(capabilityAnswered),
      "ask.bounced": by(bounced),
      "call.overdue": by(overdue),
      "entries.listed": by(entriesListed),
      "agent.joined": agentJoined,
      "agent.left": agentLeft,
      "tools.asked": (state, { at }) => ({
        state,
        letters: answer(at, toolsAnswer(state, policy.router, takes)),
      }),
      "daemon.stopped": (state) => ({ state, letters: lastLetters(state), done: true }),
    },
    ignores: [],
    kept: engineKept(),
    init({ address, ledger, agents, startsAtMs, born, files, madeBy }: EngineInput, at): Done {
      const folder = Object.entries(files).filter(([path]) => path.startsWith(`${TOOLS_FOLDER}/`));
      const unlisted = attached.kinds.map(({ kind }) => kind);
      const state: State = defined({
        address,
        unlisted: unlisted.length === 0 ? undefined : unlisted,
        ...registeredAtStart(
          Object.fromEntries(folder),
          { seq: at.seq, writers: madeBy },
          policy.engine.builtins,
          attached.builtins,
          policy.router,
        ),
        vectors: {},
        ...readBrokenTools(files[BROKEN_TOOLS_FILE]),
        blacklists: {},
        calls: [],
        lost: {},
        suffering: Entries.of({}),
        interactions: {},
        unanswered: [],
        agents,
        born: born && bornAtStart(born, ledger),
        ledger,
        startsAtMs,
      });
      const letters: Letter[] =
        policy.registry.rescan === "on-change"
          ? [{ to: "files", event: { type: "files.watch", folder: TOOLS_FOLDER } }]
          : [rescanLetter(address)];
      const settled = withoutArchived(state, policy.ghosts);
      return {
        state: settled.state,
        letters: [...letters, ...settled.letters, ...entriesLetters(attached)],
      };
    },
  };
};

/** The daemon has just started: the addresses of all agents end alike. */
const bornAtStart = (born: NonNullable<EngineInput["born"]>, ledger: string) =>
  Object.fromEntries(
    Object.entries(born).map(([agent, by]) => {
      return [agent, { by, address: `agent/${agent}${suffixOf({ ledger })}` }];
    }),
  );

const rescanLetter = (address: string): Letter => ({
  to: address,
  event: { type: "registry.rescanned" },
  delayMs: RESCAN_MS,
});

/** What stands in prompts. */
const toolsAnswer = (
  { broken, entries }: State,
  { kind }: EnginePolicy["router"],
  takes: Takes,
): MailOf<"tools.answered"> => ({
  type: "tools.answered",
  broken,
  capabilities: kind === "name" ? namedCapabilities(entries, takes) : capabilitiesOf(entries),
});

/** The same list for as long as the registry stays the same. */
const capabilitiesOf = onceFor((entries: State["entries"]) =>
  entries.flatMap(({ name, description, brought }) =>
    brought?.reads === null ? [] : [{ name, description: brought?.reads ?? description }],
  ),
);

/** What builtins take, by name, as far as they say so. */
type Takes = ReadonlyMap<string, string | undefined>;

const takesOf = (brought: readonly BuiltinFacts[]): Takes =>
  new Map([...brought, ...builtins].map(({ name, takes }) => [name, takes]));

/** … with what each takes, as far as that is known. */
const namedCapabilities = (entries: State["entries"], takes: Takes): readonly Capability[] =>
  capabilitiesOf(entries).map((one) => {
    const entry = entries.find(({ name }) => name === one.name);
    return defined({ ...one, takes: entry?.takes ?? takes.get(one.name) });
  });

/** At the end of the daemon: the files tell of no more changes, and open syntheses end too. */
function lastLetters(state: State): Letter[] {
  const syntheses = state.calls.filter(({ call }) => call.capability === "synthesize_capability");
  return [
    { to: "files", event: { type: "files.unwatch" } },
    ...syntheses.map(
      ({ seq }): Letter => ({
        to: synthesisAddress(state, seq),
        event: { type: "daemon.stopped" },
      }),
    ),
  ];
}

const snapshotLetter = (key: "rescan" | "reload"): Letter =>
  ask({ to: "files", key, event: { type: "files.snapshot", folders: [TOOLS_FOLDER] } });

/** The engine's own copy of what an agent suffers from, so that a lock is a fact of one island. */
function felt(state: State, event: Delivered<"stressor.changed">): Outcome<EngineState> {
  const before = state.suffering.get(event.agent) ?? [];
  const facts = new Map([...before.map(({ type, fact }) => [type, fact] as const)]);
  const after = sufferingAfter(before, event).map((one) => ({
    ...one,
    fact: one.type === event.stressor ? event.at.seq : (facts.get(one.type) ?? event.at.seq),
  }));
  const suffering = state.suffering.with(event.agent, after);
  return { state: { ...state, suffering }, letters: [] };
}

function requested(
  state: State,
  { agent, cycle, intent, tool, params, at }: Delivered<"call.requested">,
  policy: EnginePolicy,
): Outcome<EngineState> {
  const { seq } = at;
  const call: Call = { agent, cycle, caller: at.from, askedMs: at.nowMs, intent, params };
  const open = { state, seq, call, policy };
  if (tool !== undefined) return routeByName({ ...open, call: { ...call, tool } }, tool);
  if (policy.router.kind === "name") return routeNameless(open);
  if (policy.router.kind === "lexical") {
    return route(open, scoreLexical(intent, state.entries, policy.router));
  }
  const unknown = state.entries
    .map(({ description }) => description)
    .filter((text) => ownValue(state.vectors, text) === undefined);
  const event: MailOf<"llm.embed"> = {
    type: "llm.embed",
    purpose: "route",
    texts: [...new Set([intent, ...unknown])],
  };
  return {
    state: withCall(open),
    letters: [ask({ to: "port/llm.embed", key: `call:${seq}`, event })],
  };
}

function embedded(open: InHand, { vectors }: Delivered<"embed.replied">): Outcome<EngineState> {
  const { state, call } = open;
  const described = state.entries.map(({ name, description }) => ({
    name,
    description,
    vector: ownValue(state.vectors, description) ?? ownValue(vectors, description) ?? [],
  }));
  const known = described.filter(({ vector }) => vector.length > 0);
  const next = Object.fromEntries(known.map(({ description, vector }) => [description, vector]));
  const scored = scoreEmbedding(ownValue(vectors, call.intent) ?? [], described);
  return route({ ...open, state: { ...state, vectors: next } }, scored);
}

function snapshotOrReply(
  state: State,
  reply: Delivered<"files.replied">,
  policy: EnginePolicy,
): Outcome<EngineState> {
  const { at, files = {}, madeBy: writers } = reply;
  const looked = { seq: at.seq, nowMs: at.nowMs, writers };
  if (at.key === "reload") return { state: reloaded(state, files, looked), letters: [] };
  if (at.key !== "rescan") return toOpenCall(filesReplied)(state, reply, policy);
  return withoutArchived(withSpecs(state, files, looked, policy.router), policy.ghosts);
}

function folderChanged(
  state: State,
  { path, text, at }: Delivered<"folder.changed">,
  policy: EnginePolicy,
): Outcome<EngineState> {
  if (!isSpec(path)) return { state, letters: [] };
  if (text !== null) {
    return { state: withSpec(state, path, text, at.seq, policy.router), letters: [] };
  }
  const name = toolName(path, ".json") ?? "";
  return withoutArchived(withoutSpec(state, name, at.nowMs), policy.ghosts);
}
