/**
 * The execution engine: registry, router, calls, ghosts. A service, so that everything that must
 * agree at one instant lives in one island. Source: seed 000; rulings T10–T15.
 */
import type { FilesReply } from "../../files.ts";
import { type At, answer, ask, type Letter, type MailEvent } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { integer, type ValuesOf } from "../../policyLeaf.ts";
import type { Outcome, Service } from "../../service.ts";
import { seconds } from "../../units.ts";
import { type StressorChanged, sufferingAfter } from "../suffering/severity.ts";
import type { SynthesisReturn } from "../synthesis/synthesisAccount.ts";
import type { SandboxPolicy } from "../synthesis/synthesisPolicy.ts";
import { execute, synthesisAddress } from "./execution.ts";
import { type GhostPolicy, readBrokenTools, withoutArchived } from "./ghosts.ts";
import type { LockPolicy } from "./locks.ts";
import {
  builtinsLeaf,
  isSpec,
  type RegistryPolicy,
  registeredAtStart,
  reloaded,
  type ToolPolicy,
  toolName,
  withoutSpec,
  withSpec,
  withSpecs,
} from "./registry.ts";
import {
  chatReplied,
  filesReplied,
  type SandboxReply,
  sandboxReplied,
  synthesisFinished,
  type ToolReply,
  toolReplied,
} from "./replies.ts";
import { type RouterPolicy, scoreEmbedding, scoreLexical } from "./router.ts";
import { type CallRequested, type CallRouted, route } from "./routing.ts";
import { type ShellReply, shellReplied } from "./shellCalls.ts";
import type { ShellPolicy } from "./shellPolicy.ts";
import { BROKEN_TOOLS_FILE, type Call, type EngineState, TOOLS_FOLDER } from "./state.ts";

export const engineLeaves = {
  callMs: integer(1_000, {
    unit: "ms",
    min: 0,
    max: 600_000,
    says: "Time the engine itself takes for one call, from request to answer.",
    source: "ours; the real system's steps without a model call take about a second",
  }),
  builtins: builtinsLeaf,
};

export interface EngineInput {
  readonly address: string;
  readonly ledger: string;
  readonly agents: readonly string[];
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
  /** Texts of the tools folder and the memory folder, from virtual files only. */
  readonly files: { readonly [path: string]: string };
}

/** The leaves the engine reads, and its own address, to which it writes its routing decisions. */
export interface EnginePolicy {
  readonly self: string;
  readonly engine: ValuesOf<typeof engineLeaves>;
  readonly ghosts: GhostPolicy;
  readonly locks: LockPolicy;
  readonly registry: RegistryPolicy;
  readonly router: RouterPolicy;
  readonly sandbox: SandboxPolicy;
  readonly shell: ShellPolicy;
  readonly tools: ToolPolicy;
}

/** The answer to tools.asked: what stands in prompts. */
export interface ToolsAnswered {
  readonly type: "tools.answered";
  readonly broken: EngineState["broken"];
  /** What there is, in the order of registration. */
  readonly capabilities: readonly { readonly name: string; readonly description: string }[];
}

type State = EngineState & { readonly address: string };
type Event = MailEvent & { readonly at: At };
type Chat = MailEvent & { readonly text?: string; readonly error?: string };
type Done = Outcome<State>;

const RESCAN_MS = seconds(300);

export const engineService = (policy: Omit<EnginePolicy, "self">): Service<State> => ({
  kind: "service",
  id: "engine",
  handles: [
    "call.requested",
    "call.routed",
    "files.replied",
    "sandbox.replied",
    "shell.replied",
    "embed.replied",
    "llm.replied",
    "llm.failed",
    "tool.replied",
    "synthesis.finished",
    "synthesis.stepped",
    "tools.reloaded",
    "stressor.changed",
    "folder.changed",
    "registry.rescanned",
    "tools.asked",
    "daemon.stopped",
  ],
  ignores: ["ask.bounced"],
  init({ address, ledger, agents, startsAtMs, files }: EngineInput, at): Done {
    const folder = Object.entries(files).filter(([path]) => path.startsWith(`${TOOLS_FOLDER}/`));
    const state: State = {
      address,
      ...registeredAtStart(Object.fromEntries(folder), at.seq, policy.engine.builtins),
      vectors: {},
      ...readBrokenTools(files[BROKEN_TOOLS_FILE]),
      blacklists: {},
      calls: {},
      lost: {},
      suffering: {},
      interactions: {},
      unanswered: [],
      agents,
      ledger,
      startsAtMs,
    };
    const letters: Letter[] =
      policy.registry.rescan === "on-change"
        ? [{ to: "files", event: { type: "files.watch", folder: TOOLS_FOLDER } }]
        : [rescanLetter(address)];
    const settled = withoutArchived(state, policy.ghosts);
    return { state: settled.state, letters: [...letters, ...settled.letters] };
  },
  receive(state, event): Done {
    const full: EnginePolicy = { ...policy, self: state.address };
    const done = receive(state, event, full);
    return { ...done, state: { ...state, ...done.state } };
  },
});

const rescanLetter = (address: string): Letter => ({
  to: address,
  event: { type: "registry.rescanned" },
  delayMs: RESCAN_MS,
});

function receive(state: State, event: Event, policy: EnginePolicy): Outcome<EngineState> {
  const { at } = event;
  switch (event.type) {
    case "call.requested":
      return requested(state, event as unknown as CallRequested, at, policy);
    case "call.routed":
      return execute(state, event as unknown as CallRouted, at, policy);
    case "files.replied":
      return snapshotOrReply(state, event as unknown as FilesReply, at, policy);
    case "sandbox.replied":
      return sandboxReplied(state, callOf(at), event as unknown as SandboxReply, at, policy);
    case "shell.replied":
      return shellReplied(state, callOf(at), event as unknown as ShellReply, at, policy);
    case "tool.replied":
      return toolReplied(state, callOf(at), event as unknown as ToolReply, at, policy);
    case "llm.replied":
    case "llm.failed":
      return chatReplied(state, callOf(at), event as Chat, at, policy);
    case "synthesis.finished":
      return synthesisEnded(state, event, policy);
    case "synthesis.stepped":
      return { state, letters: [] }; // For whoever reads the log.
    case "tools.reloaded":
      return { state, letters: [snapshotLetter("reload")] };
    case "stressor.changed":
      return { state: felt(state, event as unknown as StressorChanged & { at: At }), letters: [] };
    case "embed.replied":
      return embedded(state, event["vectors"] as { [text: string]: number[] }, at, policy);
    case "folder.changed":
      return folderChanged(state, event as unknown as FolderChanged, at, policy);
    case "registry.rescanned":
      return { state, letters: [snapshotLetter("rescan"), rescanLetter(state.address)] };
    case "tools.asked":
      return { state, letters: answer(at, toolsAnswer(state)) };
    default:
      return { state, letters: lastLetters(state), done: true };
  }
}

function toolsAnswer({ broken, entries }: State): ToolsAnswered & MailEvent {
  const capabilities = entries.map(({ name, description }) => ({ name, description }));
  return { type: "tools.answered", broken, capabilities };
}

/** At the end of the daemon: nobody tells of changes any more, and open syntheses end too. */
function lastLetters(state: State): Letter[] {
  const syntheses = Object.keys(state.calls).filter(
    (seq) => state.calls[seq]?.capability === "synthesize_capability",
  );
  return [
    { to: "files", event: { type: "files.unwatch" } },
    ...syntheses.map((seq) => ({
      to: synthesisAddress(state, seq),
      event: { type: "daemon.stopped" },
    })),
  ];
}

const snapshotLetter = (key: "rescan" | "reload"): Letter =>
  ask({ to: "files", key, event: { type: "files.snapshot", folders: [TOOLS_FOLDER] } });

/** The engine's own copy of what an agent suffers from, so that a lock is a fact of one island. */
function felt(state: State, event: StressorChanged & { readonly at: At }): EngineState {
  const before = ownValue(state.suffering, event.agent) ?? [];
  const facts = new Map([...before.map(({ type, fact }) => [type, fact] as const)]);
  const after = sufferingAfter(before, event).map((one) => ({
    ...one,
    fact: one.type === event.stressor ? event.at.seq : (facts.get(one.type) ?? event.at.seq),
  }));
  return { ...state, suffering: { ...state.suffering, [event.agent]: after } };
}

/** `synthesis/12#2` ran for call 12. */
function synthesisEnded(state: State, event: Event, policy: EnginePolicy): Outcome<EngineState> {
  const seq = Number(event.at.from.split(/[/#]/)[1]);
  return synthesisFinished(state, seq, event["return"] as SynthesisReturn, event.at, policy);
}

/** The call that an answer belongs to: its question was keyed `call:<seq>`. */
const callOf = (at: At): number => Number(at.key?.slice("call:".length));

function requested(
  state: State,
  { agent, cycle, intent, params }: CallRequested,
  at: At,
  policy: EnginePolicy,
): Outcome<EngineState> {
  const call: Call = { agent, cycle, caller: at.from, askedMs: at.nowMs, intent, params };
  if (policy.router.kind === "lexical") {
    return route(state, at.seq, call, scoreLexical(intent, state.entries, policy.router), policy);
  }
  const unknown = state.entries
    .map(({ description }) => description)
    .filter((text) => ownValue(state.vectors, text) === undefined);
  const event = { type: "llm.embed", purpose: "route", texts: [...new Set([intent, ...unknown])] };
  return {
    state: { ...state, calls: { ...state.calls, [at.seq]: call } },
    letters: [ask({ to: "port/llm.embed", key: `call:${at.seq}`, event })],
  };
}

function embedded(
  state: State,
  vectors: { readonly [text: string]: readonly number[] },
  at: At,
  policy: EnginePolicy,
): Outcome<EngineState> {
  const call = state.calls[callOf(at)];
  if (call === undefined) return { state, letters: [] };
  const described = state.entries.map(({ name, description }) => ({
    name,
    description,
    vector: ownValue(state.vectors, description) ?? ownValue(vectors, description) ?? [],
  }));
  const known = described.filter(({ vector }) => vector.length > 0);
  const next = Object.fromEntries(known.map(({ description, vector }) => [description, vector]));
  const scored = scoreEmbedding(ownValue(vectors, call.intent) ?? [], described);
  return route({ ...state, vectors: next }, callOf(at), call, scored, policy);
}

function snapshotOrReply(
  state: State,
  reply: FilesReply,
  at: At,
  policy: EnginePolicy,
): Outcome<EngineState> {
  if (at.key === "reload") return { state: reloaded(state, reply.files ?? {}, at), letters: [] };
  if (at.key !== "rescan") return filesReplied(state, callOf(at), reply, at, policy);
  return withoutArchived(withSpecs(state, reply.files ?? {}, at), policy.ghosts);
}

interface FolderChanged {
  readonly path: string;
  readonly text: string | null;
}

function folderChanged(
  state: State,
  { path, text }: FolderChanged,
  at: At,
  policy: EnginePolicy,
): Outcome<EngineState> {
  if (!isSpec(path)) return { state, letters: [] };
  if (text !== null) return { state: withSpec(state, path, text, at.seq), letters: [] };
  const name = toolName(path, ".json") ?? "";
  return withoutArchived(withoutSpec(state, name, at.nowMs), policy.ghosts);
}
