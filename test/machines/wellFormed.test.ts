// What the compiler cannot see in a machine: anything outside the subset, misspelt events and
// delays, states nobody can reach, and mail that nobody reads.

import { describe, expect, it } from "vitest";
import type { AnyStateMachine, AnyStateNode } from "xstate";
import type { AgentEvent } from "../../src/machines/agents/agent/agentTurn.ts";
import type { DaemonEvent } from "../../src/machines/agents/births.ts";
import type { GoalEvent } from "../../src/machines/agents/goal/goalContext.ts";
import type { LessonKeeperEvent } from "../../src/machines/agents/lessons/lessonKeeper.ts";
import type { StressorEvent } from "../../src/machines/agents/suffering/stressor.ts";
import type { SynthesisEvent } from "../../src/machines/agents/synthesis/capabilitySynthesis.ts";
import type { CoderEvent } from "../../src/machines/installs/crew/coder.ts";
import type { InstallerEvent } from "../../src/machines/installs/crew/installer.ts";
import type { JudgeEvent } from "../../src/machines/installs/crew/judge.ts";
import type { PlannerEvent as InstallPlannerEvent } from "../../src/machines/installs/crew/planner.ts";
import type { ApprovalEvent } from "../../src/machines/installs/gate/approval.ts";
import type { PromotionGateEvent } from "../../src/machines/installs/gate/promotionGate.ts";
import type { RevisionEvent } from "../../src/machines/installs/revisions/revision.ts";
import type { DreamEvent } from "../../src/machines/skills/dreamer.ts";
import type { SkillEvent } from "../../src/machines/skills/skill.ts";
import type { ExecutorEvent } from "../../src/machines/synt/pool/executorLifecycle.ts";
import type { RequestEvent } from "../../src/machines/synt/request/requestContext.ts";
import type { DraftEvent } from "../../src/machines/synt/stages/executorDraft.ts";
import type { PaidCallEvent } from "../../src/machines/synt/stages/paidCall.ts";
import type { PlannerEvent } from "../../src/machines/synt/turn/turnPlanner.ts";
import type { TurnEvent } from "../../src/machines/synt/turn/userTurn.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { policyWith, startRun } from "../builtIn.ts";
import { services, statecharts } from "../cast.ts";
import { everyHook } from "../hooks.ts";
import { firstMinutes, untilMs } from "../substrate/firstMinutes.ts";

/**
 * What becomes of an event type: `handled` in some state; `sometimes` when other states ignore it
 * on purpose; `ignored` on purpose, always.
 */
type Reading = "handled" | "sometimes" | "ignored";

// Hooked as far as possible: states in which nothing is attached are the same, and fewer.
const charts = statecharts(policyWith({}), everyHook);

const judging = {
  "judging.wanted": "handled",
  "gateway.answered": "handled",
  "llm.replied": "handled",
  "llm.failed": "handled",
  "ask.bounced": "handled",
} satisfies Record<JudgeEvent["type"], Reading>;

const readings: { readonly [Name in keyof typeof charts]: { readonly [type: string]: Reading } } = {
  agent: {
    "host.message": "handled",
    "peer.message": "handled",
    "outside.signal": "handled",
    "stressor.changed": "handled",
    "crisis.reset": "handled",
    "peers.answered": "handled",
    "lessons.answered": "handled",
    "tools.answered": "handled",
    "llm.replied": "handled",
    "llm.failed": "handled",
    "call.finished": "handled",
    "goal.judged": "handled",
    "section.answered": "handled",
    "agent.joined": "handled",
    "agent.left": "handled",
    // Any other actor that does not answer is waited for until the time-out of the state.
    "ask.bounced": "sometimes",
    "daemon.stopped": "handled",
  } satisfies Record<AgentEvent["type"], Reading>,
  approval: {
    // Once it is decided, no other word counts; before that, nobody needs it.
    "person.decided": "sometimes",
    "approval.ruled": "sometimes",
    "approval.used": "sometimes",
    "approval.recalled": "sometimes",
    // A person who cannot be asked decides some other way, or never.
    "ask.bounced": "ignored",
  } satisfies Record<ApprovalEvent["type"], Reading>,
  auditor: judging,
  coder: {
    "build.wanted": "handled",
    "gateway.answered": "handled",
    "llm.replied": "handled",
    "llm.failed": "handled",
    "ask.bounced": "handled",
  } satisfies Record<CoderEvent["type"], Reading>,
  evaluator: judging,
  installer: {
    "install.delegated": "handled",
    "install.held": "handled",
    "turn.interrupted": "handled",
    "rollback.wanted": "handled",
    "approval.decided": "handled",
    "approval.expired": "handled",
    "gateway.answered": "handled",
    "llm.replied": "handled",
    "llm.failed": "handled",
    "ask.bounced": "handled",
  } satisfies Record<InstallerEvent["type"], Reading>,
  planner: {
    "install.wanted": "handled",
    "install.planned": "handled",
    "install.held": "handled",
    "install.closed": "handled",
    "build.delivered": "handled",
    "judging.given": "handled",
    "install.reported": "handled",
    "llm.replied": "handled",
    "llm.failed": "handled",
    "ask.bounced": "handled",
  } satisfies Record<InstallPlannerEvent["type"], Reading>,
  capabilitySynthesis: {
    "python.parsed": "handled",
    "files.replied": "handled",
    "sandbox.replied": "handled",
    "ask.bounced": "handled",
    "daemon.stopped": "handled",
  } satisfies Record<SynthesisEvent["type"], Reading>,
  daemon: {
    "files.replied": "handled",
    // A restart while it is down already changes nothing.
    "daemon.restarted": "sometimes",
    "host.message": "handled",
    "outside.signal": "handled",
    "birth.asked": "handled",
    "end.asked": "handled",
  } satisfies Record<DaemonEvent["type"], Reading>,
  dreamer: {
    "llm.replied": "handled",
    "llm.failed": "handled",
    "sandbox.replied": "handled",
    "ask.bounced": "handled",
  } satisfies Record<DreamEvent["type"], Reading>,
  executorDraft: {
    "files.replied": "handled",
    "paid.ended": "handled",
    "python.parsed": "handled",
    "sandbox.replied": "handled",
    "ask.bounced": "handled",
  } satisfies Record<DraftEvent["type"], Reading>,
  executorLifecycle: {
    "executor.synthesized": "sometimes",
    "executor.granted": "sometimes",
    "executor.rejected": "sometimes",
    "executor.used": "sometimes",
    "executor.fused": "sometimes",
    "executor.superseded": "sometimes",
    "residue.counted": "sometimes",
    "executor.revoked": "sometimes",
    "signature.broken": "sometimes",
    "executor.released": "sometimes",
    "night.came": "sometimes",
  } satisfies Record<ExecutorEvent["type"], Reading>,
  goal: {
    "step.ended": "handled",
    "goal.givenUp": "handled",
    "files.replied": "handled",
    "llm.replied": "handled",
    "llm.failed": "handled",
    // Files and judge answer or the time-out of the gate does.
    "ask.bounced": "ignored",
    "daemon.stopped": "handled",
  } satisfies Record<GoalEvent["type"], Reading>,
  lessonKeeper: {
    // A goal that was given up without having tried anything teaches nothing.
    "goal.ended": "sometimes",
    "lessons.asked": "handled",
    "llm.replied": "handled",
    "llm.failed": "handled",
    // The model answers or the time-out does.
    "ask.bounced": "ignored",
    "daemon.stopped": "handled",
  } satisfies Record<LessonKeeperEvent["type"], Reading>,
  paidCall: {
    "money.answered": "handled",
    "person.decided": "handled",
    "llm.replied": "handled",
    "llm.failed": "handled",
    "ask.bounced": "handled",
  } satisfies Record<PaidCallEvent["type"], Reading>,
  promotionGate: {
    "gate.judged": "handled",
    // Nothing is promoted through a gate that is open.
    "gate.refused": "sometimes",
  } satisfies Record<PromotionGateEvent["type"], Reading>,
  revision: {
    "revision.created": "sometimes",
    "revision.gated": "sometimes",
    "revision.approved": "sometimes",
    "revision.activated": "sometimes",
    "revision.superseded": "sometimes",
    "revision.rolledBack": "sometimes",
    "revision.rejected": "sometimes",
    "revision.recalled": "handled",
  } satisfies Record<RevisionEvent["type"], Reading>,
  skill: {
    "python.parsed": "handled",
    "files.replied": "handled",
    "sandbox.replied": "handled",
    "skill.registered": "handled",
    "skill.counted": "handled",
    "skill.left": "handled",
    "ask.bounced": "handled",
  } satisfies Record<SkillEvent["type"], Reading>,
  stressor: {
    // Most values neither start nor end it.
    "pursuit.assessed": "sometimes",
    "artifacts.assessed": "sometimes",
    "plans.assessed": "sometimes",
    "messages.assessed": "sometimes",
    "window.assessed": "sometimes",
    "choices.assessed": "sometimes",
    "holdings.assessed": "sometimes",
    "lock.assessed": "sometimes",
    "output.assessed": "sometimes",
    // Who has begun, or asks for no place, needs no answer.
    "place.answered": "sometimes",
    // A word that says nothing new.
    "word.given": "sometimes",
    // What is not felt has no crisis.
    "crisis.reset": "sometimes",
    "daemon.stopped": "handled",
  } satisfies Record<StressorEvent["type"], Reading>,
  synthesisRequest: {
    "pool.answered": "handled",
    "draft.ended": "handled",
    "paid.ended": "handled",
    "embed.replied": "handled",
    "person.decided": "handled",
    "synth.revised": "handled",
    "sign.signed": "handled",
    "pool.admitted": "handled",
    "ask.bounced": "handled",
  } satisfies Record<RequestEvent["type"], Reading>,
  turnPlanner: {
    "catalogue.answered": "handled",
    "llm.replied": "handled",
    "llm.failed": "handled",
    "ask.bounced": "handled",
  } satisfies Record<PlannerEvent["type"], Reading>,
  userTurn: {
    "plan.made": "handled",
    "synth.progressed": "handled",
    "synth.ended": "handled",
    "executor.found": "handled",
    "executor.ended": "handled",
    "sandbox.replied": "handled",
    "ask.bounced": "handled",
  } satisfies Record<TurnEvent["type"], Reading>,
};

/** Actions of the subset that ARCHITECTURE.md names. */
const ALLOWED = ["xstate.assign", "xstate.emit", "xstate.raise"];

interface Action {
  readonly type: string;
}

/** The parts of a configuration that hold actions, as a machine may write them. */
interface StateConfig {
  readonly entry?: unknown;
  readonly exit?: unknown;
  readonly on?: { readonly [type: string]: unknown };
  readonly after?: { readonly [delay: string]: unknown };
  readonly always?: unknown;
  readonly onDone?: unknown;
  readonly invoke?: unknown;
  readonly states?: { readonly [name: string]: StateConfig };
}

const listOf = (value: unknown): unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};

function* configsOf(config: StateConfig): Generator<StateConfig> {
  yield config;
  for (const child of Object.values(config.states ?? {})) yield* configsOf(child);
}

function* nodesOf(node: AnyStateNode): Generator<AnyStateNode> {
  yield node;
  for (const child of Object.values(node.states)) yield* nodesOf(child);
}

/** Every list of actions of a machine: entries, exits, and those of each transition. */
function actionLists({ config, implementations }: AnyStateMachine): Action[][] {
  const lists: Action[][] = [];
  for (const state of configsOf(config as StateConfig)) {
    const { on = {}, after = {}, always, onDone } = state;
    const transitions = [...Object.values(on), ...Object.values(after), always, onDone]
      .flatMap(listOf)
      .filter((transition) => typeof transition === "object")
      .map((transition) => (transition as { actions?: unknown }).actions);
    for (const actions of [state.entry, state.exit, ...transitions]) {
      lists.push(
        listOf(actions).map((action) => {
          const name = typeof action === "string" ? action : (action as Action).type;
          return (implementations.actions[name] ?? action) as Action;
        }),
      );
    }
  }
  return lists;
}

const machines = Object.entries(charts).map(([name, machine]) => ({
  name: name as keyof typeof charts,
  machine: machine as AnyStateMachine,
}));

describe.each(machines)("machine $name", ({ name, machine }) => {
  it("is known by its id", () => {
    expect(machine.id).toBe(name);
  });

  it("[KN21] starts nobody and waits for no promise", () => {
    const configs = [...configsOf(machine.config as StateConfig)];

    expect(configs.filter(({ invoke }) => invoke !== undefined)).toEqual([]);
    expect(machine.implementations.actors).toEqual({});
  });

  it("[KN21] does nothing but assign, post and raise", () => {
    const types = new Set(actionLists(machine).flatMap((list) => list.map(({ type }) => type)));

    expect([...types].filter((type) => !ALLOWED.includes(type))).toEqual([]);
    expect(types).toContain("xstate.emit");
  });

  it("assigns at most once for each entry, exit and transition", () => {
    const assigns = actionLists(machine).map(
      (list) => list.filter(({ type }) => type === "xstate.assign").length,
    );

    expect(Math.max(...assigns)).toBeLessThanOrEqual(1);
  });

  it("names every delay, and each is whole milliseconds", () => {
    const named = [...nodesOf(machine.root)].flatMap(({ after }) =>
      after.map(({ delay }) => delay),
    );
    const { delays } = machine.implementations;

    for (const delay of named) expect(Object.keys(delays)).toContain(delay);
    expect(Object.keys(delays).filter((delay) => !named.includes(delay))).toEqual([]);
    for (const delay of Object.values(delays)) {
      expect(Number.isSafeInteger(delay) && Number(delay) > 0).toBe(true);
    }
  });

  it("uses every guard it names, and no other", () => {
    const used = [...nodesOf(machine.root)]
      .flatMap((node) => [...node.transitions.values(), node.always ?? []].flat())
      .flatMap(({ guard }) => (guard === undefined ? [] : [guard]));

    expect(new Set(used)).toEqual(new Set(Object.keys(machine.implementations.guards)));
  });

  it("[KN22] handles exactly the events it declares, but for those it ignores on purpose", () => {
    const handled = machine.events.filter((type) => !type.startsWith("xstate."));
    const declared = Object.entries(readings[name])
      .filter(([, reading]) => reading !== "ignored")
      .map(([type]) => type);

    expect([...handled].sort()).toEqual(declared.sort());
  });

  it("has a way to every state", () => {
    expect(statesWithoutWay(machine)).toEqual([]);
  });
});

/** States that no chain of transitions leads to, guards left aside. */
function statesWithoutWay({ root }: AnyStateMachine): string[] {
  const reached = new Set<AnyStateNode>();
  const enter = (node: AnyStateNode): void => {
    if (reached.has(node)) return;
    reached.add(node);
    if (node.parent !== undefined) enter(node.parent);
    if (node.type === "parallel") for (const child of Object.values(node.states)) enter(child);
    const transitions = [
      ...node.transitions.values(),
      node.always ?? [],
      node.initial ?? [],
    ].flat();
    for (const { target } of transitions) for (const next of target ?? []) enter(next);
  };
  enter(root);
  return [...nodesOf(root)].filter((node) => !reached.has(node)).map(({ id }) => id);
}

describe("in a run", () => {
  it("[KN22] nobody gets mail that it neither handles nor ignores on purpose", () => {
    const ignored: Delivery[] = [];
    const run = startRun(firstMinutes(), {
      untilMs,
      onDelivery: (delivery) => {
        if (delivery.fate === "ignored") ignored.push(delivery);
      },
    });
    run.advance(Number.MAX_SAFE_INTEGER);
    const reducers = services(policyWith({}));

    const unexpected = ignored
      .map(({ to, event }) => ({ role: to.replace(/[/#].*/, ""), type: event.type }))
      .filter(({ role, type }) => {
        const reading = readings[role as keyof typeof charts]?.[type];
        const service = reducers[role as keyof typeof reducers];
        return (
          (reading ?? "handled") === "handled" && !service?.ignores.some((one) => one === type)
        );
      });

    expect(unexpected).toEqual([]);
    expect(ignored.length).toBeGreaterThan(10);
  });
});
