/**
 * What agents have to do with one another, as the engine sees it: which agent reads or names whose
 * files, and which answers which. Source: seed 004, "Stressor types", "Earned capabilities"; ruling U10.
 */
import type { Letter, Mail, MailOf } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { builtinOf, isText } from "./builtins.ts";
import {
  type Call,
  type CallOutcome,
  type Done,
  type EngineState,
  entryOf,
  suffixOf,
} from "./state.ts";

/** Ours: as many as any rule about recent history can ask for. */
const INTERACTIONS_MAX = 50;
const REFERENCES_MAX = 20;

const WORKSPACES = "/agentOS/workspace/";
const WORKSPACE = /\/agentOS\/workspace\/([a-z][a-z0-9-]{0,30})\/[^\s"'`<>|,;:)\]}]+/g;

/** Tells the ledger whose files a successful call read or named; reading one is an interaction. */
export function referencesOf(
  state: EngineState,
  call: Call,
  { ok, wrote = [], read: looked = [] }: CallOutcome,
  seq: number,
): Done {
  if (!ok) return { state, letters: [] };
  const path = call.params["path"];
  const isRead = call.capability === "fs_read" && typeof path === "string";
  const isWriting = wrote.length > 0 || isPublic(state, call.capability ?? "");
  const texts = isWriting ? Object.values(call.params).filter(isText) : [];
  const paths = isRead ? [path, ...looked] : looked;
  const read = paths.flatMap((one) => peersIn(one, call.agent, state));
  const named = texts.flatMap((text) => peersIn(text, call.agent, state));
  const own = new Set(wrote);
  const letters = [
    ...read.map((one) => ({ ...one, how: "read" as const })),
    ...named
      .filter(({ path }) => !own.has(path))
      .map((one) => ({ ...one, how: "mention" as const })),
  ]
    .slice(0, REFERENCES_MAX)
    .map((one) => toLedger(state, { type: "peer.referenced", agent: call.agent, ...one }));
  const met = read.length > 0 ? withInteraction(state, call.agent, call, seq) : state;
  return { state: met, letters };
}

const isPublic = (state: EngineState, capability: string): boolean =>
  (builtinOf(capability) ?? entryOf(state, capability)?.brought)?.isPublic === true;

/** Files in the workspaces of others that a text names, each once. */
function peersIn(text: string, agent: string, { agents }: EngineState) {
  if (!namesOthers(text, agent)) return [];
  const found = [...text.matchAll(WORKSPACE)].map(([path, peer = ""]) => ({
    path: path.replace(/\.+$/, ""),
    peer,
  }));
  const others = found.filter(({ peer }) => peer !== agent && agents.includes(peer));
  return [...new Map(others.map((one) => [one.path, one])).values()];
}

/** Most texts name only the agent's own files. */
function namesOthers(text: string, agent: string): boolean {
  const own = `${WORKSPACES}${agent}/`;
  for (let at = text.indexOf(WORKSPACES); at >= 0; at = text.indexOf(WORKSPACES, at + 1)) {
    if (!text.startsWith(own, at)) return true;
  }
  return false;
}

const toLedger = (
  { ledger }: EngineState,
  event: MailOf<"peer.referenced" | "peer.messaged">,
): Letter => ({ to: ledger, event });

function withInteraction(
  state: EngineState,
  agent: string,
  { askedMs }: Call,
  fact: number,
): EngineState {
  const before = ownValue(state.interactions, agent) ?? [];
  const after = [...before, { atMs: askedMs, fact }].slice(-INTERACTIONS_MAX);
  return { ...state, interactions: { ...state.interactions, [agent]: after } };
}

/** The agents that live, as the daemon says. */
export const agentJoined = <TState extends EngineState>(
  state: TState,
  { agent, address, by }: Mail["agent.joined"],
) => ({
  state: {
    ...state,
    agents: [...state.agents, agent],
    born: { ...state.born, [agent]: { by, address } },
  },
  letters: [],
});

export function agentLeft<TState extends EngineState>(
  state: TState,
  { agent }: Mail["agent.left"],
) {
  const { [agent]: _, ...born } = state.born ?? {};
  const agents = state.agents.filter((name) => name !== agent);
  return { state: { ...state, agents, born }, letters: [] };
}

/** Brings a message to a peer; it is an answer when that peer has written since the last one. */
export function messageSent(
  state: EngineState,
  call: Call,
  to: string,
  text: string,
  seq: number,
): Done {
  const pair = `${to} ${call.agent}`;
  const isAnswer = state.unanswered.includes(pair);
  const unanswered = [
    ...state.unanswered.filter((one) => one !== pair && one !== `${call.agent} ${to}`),
    `${call.agent} ${to}`,
  ];
  const sent = { ...state, unanswered };
  return {
    state: isAnswer ? withInteraction(sent, call.agent, call, seq) : sent,
    letters: [
      {
        to: ownValue(state.born ?? {}, to)?.address ?? `agent/${to}${suffixOf(state)}`,
        event: { type: "peer.message", from: call.agent, text },
        because: [seq],
      },
      toLedger(state, { type: "peer.messaged", agent: call.agent, peer: to, isAnswer }),
    ],
  };
}
