// A part of the tests' own that attaches to the agents' world: one actor, the clerk, who says what it is told to.
import { agents } from "../../../src/actors/agents/part.ts";
import { parts } from "../../../src/builtIn/parts.ts";
import type { Part } from "../../../src/contract/part.ts";
import { type Overrides, type Policy, valuesOf } from "../../../src/contract/policy.ts";
import type { AgentHooks } from "../../../src/machines/agents/hooks.ts";
import {
  type At,
  answer,
  type Letter,
  type Mail,
  startActor,
} from "../../../src/machines/letter.ts";
import { type Outcome, onlyLogged, type Service } from "../../../src/machines/service.ts";
import { seconds } from "../../../src/machines/units.ts";
import { castOf } from "../../../src/run/cast.ts";
import type { PortReply, PortRequest } from "../../../src/substrate/port.ts";
import { policyTree } from "../../builtIn.ts";
import { CLERK, everyHook } from "../../hooks.ts";
import { type VillageOptions, village } from "../village.ts";

declare module "../../../src/machines/letter.ts" {
  interface Mail {
    /** The clerk sends these. */
    "clerk.told": { readonly letters: readonly Letter[] };
  }
}

/** What the clerk answers; it is silent about what is absent. */
export interface Says {
  readonly capability?: Mail["capability.answered"];
  /** Refusals by capability; it grants all else. */
  readonly refuses?: { readonly [capability: string]: string };
  /** In place of a grant or a refusal. */
  readonly permission?: Mail["permission.answered"];
  readonly section?: Mail["section.answered"];
  readonly entries?: Mail["entries.listed"]["entries"];
  readonly judges?: boolean;
}

type Done = Outcome<Says>;

const listing = ({ entries = [], judges }: Says, kind: string): Mail["entries.listed"] =>
  judges === undefined ? { kind, entries } : { kind, entries, judges };

const clerkService: Service<Says> = {
  kind: "service",
  id: CLERK,
  on: {
    "capability.called": (says, { at }) => said(says, at, "capability.answered", says.capability),
    "permission.asked": (says, { capability, at }) => {
      const reason = says.refuses?.[capability] ?? null;
      const word = says.permission ?? (says.refuses && { granted: reason === null, reason });
      return said(says, at, "permission.answered", word);
    },
    "section.asked": (says, { at }) => said(says, at, "section.answered", says.section),
    "entries.asked": (says, { kind, at }) =>
      said(says, at, "entries.listed", says.entries && listing(says, kind)),
    "step.reported": onlyLogged,
    "call.reported": onlyLogged,
    "goal.reported": onlyLogged,
    "birth.answered": onlyLogged,
    "end.answered": onlyLogged,
    "clerk.told": (state, { letters }) => ({ state, letters }),
  },
  ignores: [],
  init: (says: Says): Done => ({ state: says, letters: [] }),
};

type Answer = "capability.answered" | "permission.answered" | "section.answered" | "entries.listed";

function said<K extends Answer>(state: Says, at: At, type: K, word: Mail[K] | undefined): Done {
  if (word === undefined) return { state, letters: [] };
  // The compiler does not follow a type and its fields through a parameter.
  return { state, letters: answer(at, { type, ...word } as Parameters<typeof answer>[1]) };
}

export const clerkPart = (hooks: AgentHooks = everyHook): Part => ({
  name: CLERK,
  attaches: { agents: hooks },
  services: () => ({ [CLERK]: clerkService }),
});

/** The policy of a world to which these are attached. */
export const policyBeside = (hooks: AgentHooks, set: Overrides): Policy =>
  valuesOf({ ...policyTree, ...agents.widened({ agents: [hooks] }) } as typeof policyTree, set);

export const PAGE = "/agentOS/workspace/cedar/page.md";

export interface OfficeOptions extends VillageOptions {
  readonly hooks?: AgentHooks;
  /** Null: no clerk lives. */
  readonly says?: Says | null;
  /** What a second clerk says, who lives at `OTHER`. */
  readonly otherSays?: Says;
  /** The steps of every plan, as intents with parameters, or by names of tools where the policy says so. */
  readonly steps?: readonly {
    readonly intent: string;
    readonly tool?: string;
    readonly params?: object;
  }[];
  readonly part?: Part;
  /** What is there before anybody lives. */
  readonly files?: { readonly [path: string]: string };
}

/** The address of a second actor, which is not the clerk's. */
export const OTHER = "porter";

/** One successful step completes a goal. */
const EASY: Overrides = {
  "gate.parts": [],
  "progress.otherStep": 1_000_000,
  "progress.outputStep": 1_000_000,
};

/** A daemon with the agent cedar, who chooses a goal whenever it can, and the clerk. */
export function office(options: OfficeOptions = {}) {
  const { hooks = everyHook, says = {}, steps = [], part = clerkPart(hooks) } = options;
  const views: PortRequest<"llm.asked">["event"]["view"][] = [];
  const model = ({ event }: PortRequest<"llm.asked">): string | PortReply => {
    views.push(event.view);
    if (event.purpose === "tool.chat") {
      return { event: { type: "llm.replied", text: "Ink is black." }, latencyMs: seconds(30) };
    }
    if (event.purpose === "plan") {
      return JSON.stringify({ steps: steps.map((one) => ({ params: {}, ...one })) });
    }
    const goal = { action: "goal", slug: "page", content: "Write the page", artifact: PAGE };
    return JSON.stringify(goal);
  };
  const policy = policyBeside(hooks, { ...EASY, ...options.policy });
  const here = village({ model, ...options, cast: castOf([...parts, part], policy) });
  here.send(startActor("files", "files", { files: options.files ?? {} }));
  if (says !== null) here.send(startActor(CLERK, CLERK, says));
  if (options.otherSays) here.send(startActor(CLERK, OTHER, options.otherSays));
  here.send(startActor("daemon", "daemon", { agents: ["cedar"], startsAtMs: 0 }));
  here.wait(0);
  const tellBy = (clerk: string, letters: readonly Letter[]): void => {
    here.send({ to: clerk, event: { type: "clerk.told", letters } });
    here.wait(0);
  };
  return {
    ...here,
    views,
    /** The clerk sends a letter. */
    tell: (...letters: readonly Letter[]) => tellBy(CLERK, letters),
    /** The second clerk sends one. */
    otherTells: (...letters: readonly Letter[]) => tellBy(OTHER, letters),
  };
}
