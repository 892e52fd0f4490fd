// Plans that are all there is of their goal.
import { expect, it } from "vitest";
import { readPlanAnswer } from "../../../src/machines/agents/model/modelAnswers.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { simulate } from "../../builtIn.ts";
import { parseScenario } from "../../builtInScenarios.ts";
import { carrying } from "../../mail.ts";

const world = `why: An agent plays what was recorded.
source: ours
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 5m
agents: [cedar]
policy: { router.kind: name, gate.parts: [], planner.fallback: false, progress.otherStep: 0 }
tools:
  - name: look
    description: Looks.
    answers:
      - args: { at: "{agent}" }
        returns: seen
    otherwise: { error: nothing there }
model:
  inTurn: true
  goals:
    - slug: turn
      weight: 1
      text: Look
      artifact: /agentOS/workspace/x.md
      plans:
        - id: only
          weight: 1
          steps:
            - { tool: look, args: { at: "{agent}" } }
            - { tool: look, params: { at: "{agent}" } }
            - { tool: look, args: { at: "{agent}" } }
            - { tool: look }
`;

function played(set: { readonly [path: string]: boolean | number }) {
  const log: Delivery[] = [];
  simulate(parseScenario(world, "x.yaml"), { set, onDelivery: (one) => log.push(one) });
  return {
    calls: carrying(log, "call.finished").map(({ event }) => event.ok),
    ends: carrying(log, "goal.judged").flatMap(({ event: { status } }) =>
      status === "active" ? [] : [status],
    ),
    asked: carrying(log, "call.requested").map(({ event }) => event.params),
  };
}

it("[IM94] with planner.wholePlans a failed step is followed by the next one, and the goal ends with the last", () => {
  const { calls, ends } = played({ "planner.wholePlans": true });

  expect(calls).toEqual([true, false, true, false]);
  expect(ends).toEqual(["completed"]);
});

it("[IM94] without it a failed step asks for a new plan, and there is none", () => {
  const { calls, ends } = played({});

  expect(calls).toEqual([true, false]);
  expect(ends).toEqual(["abandoned"]);
});

it("[IM94] so many failures in a row as are too many still end it", () => {
  const { calls, ends } = played({ "planner.wholePlans": true, "planner.consecutiveFailures": 1 });

  expect(calls).toEqual([true, false]);
  expect(ends).toEqual(["abandoned"]);
});

it("[IM86] args stand as they are, and params have their places filled", () => {
  const { asked } = played({ "planner.wholePlans": true });

  expect(asked).toEqual([{ at: "{agent}" }, { at: "cedar" }, { at: "{agent}" }, {}]);
});

it("[IM86] a step has params or args", () => {
  const both = world.replace("{ tool: look }", "{ tool: look, args: {}, params: {} }");

  expect(() => parseScenario(both, "x.yaml")).toThrow("params or args, not both");
});

it("[MO4] a call by name may have up to 100 arguments", () => {
  const read = (count: number, byName: boolean): number => {
    const params = Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, n]));
    const step = byName ? { tool: "look", params } : { intent: "look", params };
    return readPlanAnswer(JSON.stringify({ steps: [step] }), byName)?.length ?? 0;
  };

  expect([read(12, false), read(13, false), read(100, true), read(101, true)]).toEqual([
    1, 0, 1, 0,
  ]);
});
