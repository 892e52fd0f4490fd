// How a world with installs begins, and where what comes from outside goes.
import { expect, it } from "vitest";
import { figures } from "../../../src/actors/installs/figures.ts";
import { installs as part } from "../../../src/actors/installs/part.ts";
import { scriptedPerson } from "../../../src/actors/installs/scriptedPerson.ts";
import { crewAddresses, type PersonWord, stage } from "../../../src/actors/installs/stage.ts";
import type { OutsideEvent } from "../../../src/contract/scenario.ts";
import { INSTALLS_FOLDER } from "../../../src/machines/installs/gateway/store.ts";
import { metricChecks } from "../../builtIn.ts";
import { loadScenario } from "../../builtInScenarios.ts";

const { installs: shipped, ...rest } = loadScenario("install-impostor", metricChecks).scenario;
if (shipped === undefined) throw new Error("a world without installs");
const wish = { goal: "g", intent: {}, needsCode: false, loose: [], gating: null };
const wanted = ["ink", "quill"].map((name, nth) => ({ ...wish, wish: name, atMs: 7 * nth }));
const installs = { ...shipped, wanted };
const without = { ...rest, startsAtMs: 0 };
const scenario = { ...without, installs };

it("[INS118] those who install are there from the start, then those who try at addresses of their own, then each wish in time", () => {
  const attempts = scenario.events.flatMap((one) =>
    one.does === "install.attempt" ? [one.by] : [],
  );
  const opened = stage.opening?.(scenario) ?? [];
  const born = opened.flatMap(({ id, letter: { event } }) =>
    event.type === "actor.start" ? [[id, event.machine, event.address]] : [],
  );

  expect(attempts.length).toBeGreaterThan(1);
  expect(born).toEqual([
    ["installs", "gateway", "gateway"],
    ["installs", "warden", "warden"],
    ["installs", "planner", "planner.default"],
    ["installs", "installer", "specialized_builder.default"],
    ["installs", "coder", "coder.default"],
    ["installs", "evaluator", "evaluator.default"],
    ["installs", "auditor", "auditor.default"],
    ...[...new Set(attempts)].map((by) => ["installs", "bystander", by]),
  ]);
  expect(crewAddresses).toEqual(born.slice(0, 7).map(([, , address]) => address));
  expect(
    opened.slice(born.length).map(({ id, letter }) => [id, letter.to, letter.delayMs]),
  ).toEqual(installs.wanted.map(({ wish, atMs }) => [wish, "planner.default", atMs]));
  expect(stage.opening?.(without)).toEqual([]);
});

it("[INS118] a variant leaves out wishes by their ids", () => {
  expect(stage.without?.(scenario, new Set(["ink", "other"])).installs).toEqual({
    ...installs,
    wanted: wanted.slice(1),
  });
  expect(stage.without?.(without, new Set(["ink"]))).toBe(without);
});

it.each<[object, string, object]>([
  [
    { does: "install.want", wish: "w", goal: "g", intent: {} },
    "planner.default",
    { type: "install.wanted", wish: "w", goal: "g", intent: {} },
  ],
  [
    { does: "install.attempt", by: "rogue.one", tool: "t", params: { a: 1 } },
    "rogue.one",
    { type: "attempt.made", tool: "t", params: { a: 1 } },
  ],
  [
    { does: "install.decide", of: "ink", decision: "approve", by: "ops", reason: null },
    "gateway",
    { type: "approval.ruled", of: "ink", isApproved: true, by: "ops", reason: null },
  ],
  [
    { does: "install.decide", of: "ink", decision: "reject", by: "ops", reason: "no" },
    "gateway",
    { type: "approval.ruled", of: "ink", isApproved: false, by: "ops", reason: "no" },
  ],
  [
    { does: "install.rollback", agent: "ink", to: "rev-1", reason: "r" },
    "specialized_builder.default",
    { type: "rollback.wanted", agent: "ink", to: "rev-1", reason: "r" },
  ],
  [{ does: "install.interrupt" }, "specialized_builder.default", { type: "turn.interrupted" }],
  [{ does: "gateway.restart" }, "gateway", { type: "gateway.restarted" }],
])("[INS118] the outside event %j goes to %s", (event, to, sent) => {
  expect(stage.letterOf?.({ id: "x", atMs: 1, ...event } as OutsideEvent, scenario)).toEqual({
    to,
    event: sent,
  });
});

const word = (given: Partial<PersonWord>): PersonWord => ({
  ...{ id: "yes", agent: null, decision: "approve", reason: null, afterMs: 7, times: null },
  ...given,
});
const person = (all: readonly PersonWord[]) => {
  const before = {
    answer: () => ({ event: { type: "none" }, latencyMs: 1, choice: "before" }),
    persist: () => "kept",
    restore: (kept: unknown) => restored.push(kept),
  };
  const restored: unknown[] = [];
  const provider = scriptedPerson({ person: all, without: new Set() }, before as never);
  const asked = (type = "approval.asked") =>
    provider.answer({ event: { type, dossier: { agentId: "ink" } } } as never);
  return { provider, asked, restored };
};

it("[INS118] a person's word comes after its time, with its reason; of what is no install others are asked", () => {
  const { asked } = person([word({ decision: "reject", reason: "no" })]);

  expect(asked()).toEqual({
    event: { type: "person.decided", decision: "reject", feedback: "no" },
    ...{ latencyMs: 7, choice: "person:yes" },
  });
  expect(person([word({})]).asked()).toMatchObject({
    event: { type: "person.decided", decision: "approve" },
  });
  expect(asked("person.asked")?.choice).toBe("before");
  expect(
    scriptedPerson({ person: [], without: new Set() }, undefined).answer({
      event: { type: "person.asked" },
    } as never)?.choice,
  ).toBe("person:nobody");
});

it("[INS118] the first word that fits its agent and is not used up counts; without one, nothing is said", () => {
  const { asked } = person([
    word({ id: "other", agent: "quill" }),
    word({ id: "first", agent: "ink", times: 1 }),
    word({ id: "second", agent: "ink", decision: "reject" }),
    word({ id: "last" }),
  ]);

  expect([asked(), asked(), asked()].map((one) => one?.choice)).toEqual([
    ...["person:first", "person:second", "person:second"],
  ]);
  expect(person([word({ agent: "quill" })]).asked()?.choice).toBe("person:nobody");
});

it("[INS118] what is used up stays so in a run that goes on from what was saved", () => {
  const once = [word({ times: 1 })];
  const { provider, asked } = person(once);
  const twice = [asked()?.choice, asked()?.choice];
  const other = person(once);
  other.provider.restore?.(provider.persist?.() ?? null);

  expect(twice).toEqual(["person:yes", "person:nobody"]);
  expect(other.asked()?.choice).toBe("person:nobody");
  expect(other.restored).toEqual(["kept"]);
});

it("[INS119] figures are the metrics at the end, and without installs there are none", () => {
  const last = (metric: string) => metric.length;

  expect(figures(scenario, { last } as never).installs).toMatchObject({
    ...{ wanted: "installs.wanted".length, breached: "reach.breached".length },
  });
  expect(figures(without, { last } as never)).toEqual({});
});

it("[INS81] the gateway's folder is closed to the agents and their tools, whatever they may write", () => {
  expect(part.attaches.agents.closed).toEqual([INSTALLS_FOLDER]);
});
