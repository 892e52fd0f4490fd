// Whether `why` names real causes of what went wrong in the incident. Scenarios are judged where their goldens
// are replayed; other seeds: scenarioSeeds.test.ts, incidentSeeds.goldens.ts.

import { describe, expect, it } from "vitest";
import { minutes } from "../src/machines/units.ts";
import type { Observed } from "../src/run/compare.ts";
import type { Explanation } from "../src/run/why.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { Input } from "../src/substrate/port.ts";
import { metricChecks, observe, questions, why } from "./builtIn.ts";
import { loadScenario } from "./builtInScenarios.ts";

const { scenario } = loadScenario("safe-file-executor", metricChecks);

describe("safe-file-executor", () => {
  const log: Delivery[] = [];
  const inputs: Input[] = [];
  const untilMs = minutes(60);
  const asItWas = observe(scenario, {
    untilMs,
    onDelivery: (one) => log.push(one),
    onInput: (one) => inputs.push(one),
  });
  const explained = (question?: string): Explanation => {
    const explanation = why(log, inputs, question);
    if (explanation === undefined) throw new Error("nothing to explain");
    return explanation;
  };
  const ghost = asItWas.story.ghosts[0];
  const failedBy = (agent: string): string => {
    const goal = asItWas.story.goals.find(
      (one) =>
        one.agent === agent && one.status === "abandoned" && one.startMs > (ghost?.fromMs ?? 0),
    );
    return `goal:${agent}/${goal?.n}`;
  };

  it.each(["cedar", "cipher", "vault"])(
    "[VB12] a failed goal of %s goes back to the ghost, and from there to who asked for it",
    (agent) => {
      const { chain, origins } = explained(failedBy(agent));

      expect(chain.map(({ type }) => type)).toEqual(
        expect.arrayContaining(["goal.ended", "call.routed", "folder.changed", "host.message"]),
      );
      expect(origins.map(({ id }) => id)).toEqual([
        "plan:safer-writes/spec-past-the-pipeline",
        "goal:safer-writes",
        "ask-for-safer-writes",
      ]);
    },
  );

  it("[VB12] what vault read was missing because another agent's write had gone to the ghost", () => {
    const { chain } = explained(failedBy("vault"));

    const says = chain.map((link) => link.says);
    expect(says.some((line) => line.startsWith("vault's call of fs_read failed"))).toBe(true);
    expect(
      says.some((line) => /^The router gave (cedar|cipher)'s .* to safe_file/.test(line)),
    ).toBe(true);
    expect(says.some((line) => line.startsWith("The router gave vault's"))).toBe(false);
  });

  it("[VB12] every goal that failed while the ghost stood is explained by it", () => {
    const failed = questions(log).filter((question) => question.startsWith("goal:"));

    const unexplained = failed.filter(
      (question) => !explained(question).chain.some(({ type }) => type === "folder.changed"),
    );

    expect(failed.length).toBeGreaterThan(40);
    expect(unexplained).toEqual([]);
  });

  const origins = [
    ...new Map(
      [undefined, failedBy("vault"), failedBy("cedar")]
        .flatMap((question) => explained(question).origins)
        .map((origin) => [origin.id, origin]),
    ).values(),
  ];

  it.each(origins)(
    "[VB13] without the $kind $id there is no ghost and nothing of the kind fails",
    ({ kind, id }) => {
      const without = kind === "choice" ? { choices: [id] } : { events: [id] };

      const otherwise: Observed = observe(scenario, { untilMs, without, level: "bare" });

      const [, agent = "", n] = /^goal:(\w+)\/(\d+)$/.exec(failedBy("vault")) ?? [];
      expect(otherwise.story.ghosts).toEqual([]);
      expect(otherwise.story.moments.filter((moment) => moment.kind === "stressor")).toEqual([]);
      const same = otherwise.story.goals.find(
        (goal) => goal.agent === agent && goal.n === Number(n),
      );
      expect(same?.status).toBe("completed");
    },
  );
});
