// An agent by itself, as its tests start it.

import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import { agentMachine } from "../../../../src/machines/agents/agent/agent.ts";
import type { AgentContext, AgentInput } from "../../../../src/machines/agents/agent/context.ts";
import { openingContext } from "../../../../src/machines/agents/agent/context.ts";
import { emptyProfile } from "../../../../src/machines/agents/agent/profile.ts";
import type { Claim } from "../../../../src/machines/agents/suffering/goalLedger.ts";
import type { StressorType } from "../../../../src/machines/agents/suffering/stressorPolicy.ts";
import type { Letter, Mail, MailOf } from "../../../../src/machines/letter.ts";
import type { View } from "../../../../src/machines/portMail.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying, mailIn } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

export const PAGE = "/agentOS/workspace/cedar/1-page.md";

export const nobody: AgentInput = {
  name: "cedar",
  engine: "engine",
  ledger: "goalLedger",
  lessons: null,
  peers: [],
  suffix: "",
  lastGoal: 0,
  goal: null,
  recent: [],
  done: [],
  profile: emptyProfile,
  journal: [],
};

export const openGoal = {
  n: 3,
  slug: "page",
  text: "Write a page",
  artifact: PAGE,
  evidence: null,
  progress: 400_000,
  address: "goal/cedar/3",
};

/** A world in which what judges say matters. */
export const judging = {
  "stressors.enabled": ["identity_violation", "existential_threat", "repeated_failure"],
};

type Overrides = { readonly [path: string]: PolicyValue };

export const agentOf = (changes: Partial<AgentInput> = {}, overrides: Overrides = {}) =>
  driven<AgentContext>(agentMachine(policyWith(overrides)), { ...nobody, ...changes });
export type Agent = ReturnType<typeof agentOf>;

export const contextOf = (changes: Partial<AgentContext> = {}): AgentContext => ({
  ...openingContext(nobody),
  ...changes,
});

export const goal = {
  action: "goal",
  slug: "page",
  content: "Write a page",
  artifact: PAGE,
  evidence: null,
};
export const look = { intent: "list entries", params: { path: "/agentOS/workspace" } };
export const said = (answer: object): MailOf<"llm.replied"> => ({
  type: "llm.replied",
  text: JSON.stringify(answer),
});
export const unreadable: MailOf<"llm.replied"> = { type: "llm.replied", text: "{" };
export const failed: MailOf<"llm.failed"> = { type: "llm.failed", error: "refused" };
export const answered: {
  readonly peers: MailOf<"peers.answered">;
  readonly lessons: MailOf<"lessons.answered">;
  readonly tools: MailOf<"tools.answered">;
} = {
  peers: { type: "peers.answered", claims: [] },
  lessons: { type: "lessons.answered", rules: ["Verify that a file exists before reading it."] },
  tools: { type: "tools.answered", broken: [], capabilities: [] },
};
export const finished: MailOf<"call.finished"> = {
  type: "call.finished",
  ok: true,
  capability: "fs_list",
  result: {},
  nothing: false,
};
export const judged = (
  status: Mail["goal.judged"]["status"] = "active",
  more: Partial<Mail["goal.judged"]> = {},
): MailOf<"goal.judged"> => ({
  type: "goal.judged",
  status,
  progress: 200_000,
  misses: 0,
  reason: null,
  ...more,
});
export const feels = (
  stressor: StressorType,
  more: Partial<Mail["stressor.changed"]> = {},
): MailOf<"stressor.changed"> => ({
  type: "stressor.changed",
  agent: "cedar",
  stressor,
  sinceMs: 0,
  start: 200_000,
  growthPerDay: 0,
  condition: `${stressor} is over`,
  ...more,
});

/** Wakes it up until it has looked around. */
export function wake(agent: Agent, claims: readonly Claim[] = []): readonly Letter[] {
  agent.fire("heartbeat");
  agent.send({ ...answered.peers, claims });
  return agent.send(answered.tools);
}

export const askedModel = (letters: readonly Letter[]): View | undefined =>
  mailIn(lettersTo(letters, "port/llm.chat"), "llm.asked")[0]?.view;
export const told = <
  K extends "suffering.reported" | "cycle.ended" | "plan.judged" | "message.judged",
>(
  letters: readonly Letter[],
  type: K,
) => carrying(lettersTo(letters, "goalLedger"), type);
export const written = (letters: readonly Letter[]) =>
  lettersTo(letters, "files").map(({ event }) => event);
