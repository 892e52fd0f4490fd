// A server on loopback that thinks for those who install: sensibly, unless a case says otherwise.

import { replay } from "../../builtIn.ts";
import { recordRun } from "../../builtInRuns.ts";
import { parseScenario, readBundle } from "../../builtInScenarios.ts";
import { newFolder } from "../../folders.ts";
import { mailIn } from "../../mail.ts";
import {
  type ChatBody,
  type FaultName,
  type Loopback,
  loopback,
} from "../ollama/loopbackServer.ts";
import { setupFor } from "./liveSession.ts";

type Fields = { readonly [name: string]: unknown };

export const CREW = ["plan", "build", "turn", "evaluate", "audit"] as const;
export type CrewName = (typeof CREW)[number];

/** A text is answered as it is, fields as JSON; a fault is of the server; null for what is sensible. */
export type Said = string | Fields | { readonly fault: FaultName } | null;

/** An agent that is wanted, and what is said of it, question by question; then comes what is sensible. */
export interface LiveWish {
  readonly agent: string;
  readonly says?: { readonly [name in CrewName]?: readonly Said[] };
  readonly code?: boolean;
  readonly capabilities?: readonly Fields[];
}

const NAMES: { readonly [title: string]: CrewName } = {
  "planner.default": "plan",
  "coder.default": "build",
  "specialized_builder.default": "turn",
  "evaluator.default": "evaluate",
  "auditor.default": "audit",
};

/** Whose prompt it is; undefined for that of an agent. */
export function crewOf(prompt: string): CrewName | undefined {
  const title = /^You are ([a-z_]+\.default)/.exec(prompt)?.[1] ?? "";
  return NAMES[title];
}

const REMOTE = 'fetch("https://api.example.com/weather");\n';

const SENSIBLE: { readonly [name in CrewName]: (prompt: string) => Fields } = {
  plan: (prompt) => {
    if (prompt.includes("Artifact: none yet")) return { next: "build", why: "no artifact yet" };
    if (prompt.includes("The builder reported: ")) return { next: "stop", why: "it did not go" };
    const asked = /matrix asks for (.*?)\. Said of gates: nothing/.exec(prompt)?.[1] ?? "";
    const isOpen = (role: string) => new RegExp(`${role}: (open|unrecorded)`, "i").test(prompt);
    if (!prompt.includes("Artifact: art_")) return { next: "install", why: "nothing is built" };
    if (asked.includes("evaluator") && isOpen("evaluator"))
      return { next: "evaluate", why: "open" };
    if (asked.includes("auditor") && isOpen("auditor")) return { next: "audit", why: "open" };
    return { next: "install", why: "all that it needs is there" };
  },
  build: (prompt) => ({
    // Of one content there is one artifact, and one judgement.
    files: { "main.js": `// ${agentIn(prompt)}\n${REMOTE}` },
    entrypoints: ["main.js"],
  }),
  turn: (prompt) => {
    const phase = /How far it is: ([a-z-]+)/.exec(prompt)?.[1] ?? "";
    return { tool: TOOLS[phase] ?? "report", why: `it is ${phase}` };
  },
  evaluate: () => ({ pass: true, record: true, findings: [] }),
  audit: () => ({
    ...{ pass: true, record: true, findings: [], threats_detected: [] },
    ...{ remote_access_detected: true, inferred_capabilities: ["NetworkAccess"] },
  }),
};

const TOOLS: { readonly [phase: string]: string } = {
  given: "artifact.inspect",
  inspected: "agent.revision.create_from_intent",
  approved: "agent.revision.create_from_intent",
  created: "agent.revision.promote",
  "approval-pending": "end_turn",
};

const agentIn = (prompt: string): string =>
  /agent_id: (\S+)/.exec(prompt)?.[1] ?? /It is for: (\S+)/.exec(prompt)?.[1] ?? "";

const isFault = (said: Said | undefined): said is { readonly fault: FaultName } =>
  typeof said === "object" && said !== null && "fault" in said;

export const MOLTBOOK: readonly Fields[] = [
  { type: "CredentialAccess", services: ["moltbook"] },
  { type: "NetworkAccess", hosts: ["localhost"] },
  { type: "ReadAccess", scopes: ["self.*"] },
  { type: "WriteAccess", scopes: ["self.*"] },
  { type: "BackgroundReevaluation", min_interval_secs: 300, allow_reasoning: true },
];

/** Only a server that is to fail is given up soon: a busy machine may answer late. */
const timeoutOf = (wishes: readonly LiveWish[]): number =>
  wishes.some(({ says = {} }) => Object.values(says).flat().some(isFault)) ? 400 : 5_000;

const worldOf = (wishes: readonly LiveWish[]): string =>
  JSON.stringify({
    ...{ why: "Installs by live models.", source: "seed 003", startsAt: "2026-05-02T09:00:00Z" },
    ...{ seed: 3, runsFor: "1h", agents: ["cedar"] },
    policy: {
      ...{ "lessons.enabled": false, "stressors.enabled": [], "planner.heartbeatMs": 3_000_000 },
      ...{ "live.timeoutMs": timeoutOf(wishes), "live.backoffMs": 1, "live.retries": 0 },
    },
    installs: {
      wanted: wishes.map(({ agent, code = false, capabilities = MOLTBOOK }, index) => ({
        ...{ id: agent, at: `${index + 1}s`, goal: `${agent} posts to the feed.`, code },
        intent: {
          ...{ agent_id: agent, description: "Posts to the feed and monitors replies" },
          ...{ instructions: "# Operations\n\nPost what happened.\n", execution_mode: "reasoning" },
          llm_config: { provider: "openrouter", model: "a-model", temperature: 0.2 },
          capabilities,
        },
      })),
      person: [{ id: "allows-it", decision: "approve", after: "1s" }],
    },
    model: {
      goals: [
        {
          ...{ slug: "diary", weight: 1, text: "Keep a diary (goal {n})" },
          artifact: "/agentOS/workspace/{agent}/{n}-diary.md",
          plans: [{ id: "write", weight: 1, steps: [{ intent: "write file", params: {} }] }],
        },
      ],
    },
  });

/** Plays these wishes one after another, and the recording once more without the server. */
export async function installed(
  wishes: readonly LiveWish[],
  {
    set = {},
    untilMs = 600_000,
  }: {
    readonly set?: { readonly [path: string]: number | string };
    readonly untilMs?: number;
  } = {},
) {
  const left = new Map<string, Said[]>(
    wishes.flatMap(({ agent, says = {} }) =>
      CREW.map((name) => [`${agent} ${name}`, [...(says[name] ?? [])]] as const),
    ),
  );
  let next: Said | undefined;
  const server = await loopback({
    script: (_, prompt) => {
      const name = crewOf(prompt);
      next = name === undefined ? undefined : left.get(`${agentIn(prompt)} ${name}`)?.shift();
      return isFault(next) ? next.fault : undefined;
    },
    answer: (prompt) => {
      const name = crewOf(prompt);
      if (name === undefined) return undefined;
      if (typeof next === "string") return next;
      return JSON.stringify(next == null || isFault(next) ? SENSIBLE[name](prompt) : next);
    },
  });
  try {
    return await played(server, worldOf(wishes), set, untilMs);
  } finally {
    await server.close();
  }
}

async function played(
  server: Loopback,
  text: string,
  set: { readonly [path: string]: number | string },
  untilMs: number,
) {
  const folder = newFolder();
  const scenario = parseScenario(text, "installs.yaml");
  const run = await recordRun({
    ...{ scenario, text, variant: null, seed: 1, set, untilMs, folder },
    ...{ live: await setupFor(server), withLog: true },
  });
  await server.close();
  const replayed = replay(readBundle(folder));
  const of = <K extends Parameters<typeof mailIn>[1]>(type: K) => mailIn([...run.deliveries], type);
  const chats = server.chats.flatMap((chat) => {
    const name = crewOf(promptOf(chat));
    return name === undefined ? [] : [{ name, agent: agentIn(promptOf(chat)), chat }];
  });
  return { ...run, folder, replayed, of, chats };
}

export const promptOf = ({ messages }: ChatBody): string => messages[0]?.content ?? "";
