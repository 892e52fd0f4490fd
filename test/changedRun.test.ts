import { beforeAll, expect, it } from "vitest";
import type { ReadBundle } from "../src/edges/bundle/bundleReader.ts";
import type { Input } from "../src/substrate/port.ts";
import type { RecordingMiss } from "../src/substrate/recordedPort.ts";
import { changedRun, simulate } from "./builtIn.ts";
import { readBundle } from "./builtInScenarios.ts";
import { recordedRun } from "./recordedRun.ts";

let bundle: ReadBundle;
beforeAll(async () => {
  bundle = readBundle((await recordedRun({ set: { "model.jitter": 0 } })).folder);
});

function played(
  set: { [path: string]: number | boolean } = {},
  { strict = false, inputs = bundle.inputs, variant = null as string | null } = {},
) {
  const plan = changedRun({ ...bundle, inputs }, { set, variant, strict });
  const { manifest, scenario } = bundle;
  const result = simulate(scenario, {
    ...{ variant, seed: manifest.seed, set: plan.set, untilMs: manifest.untilMs ?? 0 },
    ...{ recorded: inputs, serving: plan.serving },
  });
  return { result, coverage: plan.coverage(), set: plan.set, missed: plan.missed() };
}

it("[LV17] with nothing changed the recording answers every call, and the run is the same", () => {
  const { result, coverage, set } = played();

  expect(result.digest).toBe(bundle.manifest.final?.digest);
  expect(coverage).toMatchObject({ exact: result.recordedCalls, normalised: 0, scripted: 0 });
  expect(coverage).toMatchObject({ missed: 0, model: { scripted: 0 } });
  expect(set).toEqual({ "model.jitter": 0 });
});

it("[LV17] what the recording lacks goes to the scenario's own model, and is counted", () => {
  const { result, coverage, set } = played({ "planner.stepsPerCycle": 1 });

  expect(set).toEqual({ "model.jitter": 0, "planner.stepsPerCycle": 1 });
  expect(result.outcome).toBe("ended");
  expect(coverage.exact).toBeGreaterThan(0);
  expect(coverage.scripted).toBeGreaterThan(0);
  expect(coverage.exact + coverage.normalised).toBe(result.recordedCalls + coverage.normalised);
  const { recorded, scripted } = coverage.model;
  expect([recorded > 0, scripted > 0, scripted <= coverage.scripted]).toEqual([true, true, true]);
});

it("[LV17] strictly, the first miss ends the run and shows the nearest recorded call", () => {
  const { result, coverage, missed } = played({ "planner.stepsPerCycle": 1 }, { strict: true });

  expect(result.outcome).toBe("miss");
  expect(coverage).toMatchObject({ scripted: 0, missed: 1 });
  expect(missed?.map((text) => /at most (\d+) steps/.exec(text)?.[1])).toEqual(["6", "1"]);
  expect((result.error as RecordingMiss).nearest).toBeDefined();
});

it.each([
  ["[LV17]", false],
  ["[LM30] beside a live model", true],
])("%s a request that differs in times and ids only is answered by the recording", (_, isLive) => {
  // The same recording under hashes of requests with other ids in them.
  const inputs: Input[] = bundle.inputs.map((one) =>
    one.kind === "reply" && one.port === "port/llm.chat" ? { ...one, request: "other" } : one,
  );
  const chats = inputs.filter((one) => one.kind === "reply" && one.port === "port/llm.chat");
  const plan = changedRun(bundle, { set: {}, variant: null, strict: false, isLive });
  const result = simulate(bundle.scenario, {
    ...{ seed: bundle.manifest.seed, set: plan.set, untilMs: bundle.manifest.untilMs ?? 0 },
    ...{ recorded: inputs, serving: plan.serving },
  });

  expect(plan.coverage()).toMatchObject({ normalised: chats.length, scripted: 0, missed: 0 });
  expect(result.digest).toBe(bundle.manifest.final?.digest);
});

it("[LV17] of questions whose text differs in ids the recording answers, in a fact it does not", () => {
  const isChat = (one: Input) => one.kind === "reply" && one.port === "port/llm.chat";
  const inputs = bundle.inputs.map((one) => (isChat(one) ? { ...one, request: "other" } : one));
  const { manifest, scenario } = bundle;
  const normalisedOf = (change: (text: string) => string) => {
    let changed = 0;
    const plan = changedRun(bundle, { set: {}, variant: null, strict: false });
    const onMiss: typeof plan.serving.onMiss = (miss) => {
      const was = miss.provider.text?.(miss.request.event) ?? "";
      changed += was === change(was) ? 0 : 1;
      const provider = { ...miss.provider, text: () => change(was) };
      return plan.serving.onMiss?.({ ...miss, provider }) ?? null;
    };
    simulate(scenario, {
      ...{ seed: manifest.seed, set: plan.set, untilMs: manifest.untilMs ?? 0 },
      ...{ recorded: inputs, serving: { ...plan.serving, onMiss } },
    });
    return { changed: changed > 0, normalised: plan.coverage().normalised };
  };

  const all = inputs.filter(isChat).length;
  expect(normalisedOf((text) => text.replace(/\/\d+-/g, "/9999-"))).toEqual({
    ...{ changed: true, normalised: all },
  });
  expect(normalisedOf((text) => `${text} And more.`)).toEqual({ changed: true, normalised: 0 });
});

it("[LV17] a variant's model does not think of what it was taken, whatever was recorded", () => {
  const choices = new Set(
    bundle.inputs.flatMap((one) => ("choice" in one ? [one.choice ?? ""] : [])),
  );
  const taken = [...choices].find((one) => one.startsWith("goal:")) ?? "none";
  const variants = {
    taken: {
      why: "",
      policy: {},
      events: [],
      expect: [],
      without: { events: [], choices: [taken] },
    },
  };
  const scenario = { ...bundle.scenario, variants };
  const answers = (inputs: readonly Input[]) => {
    const variant = "taken";
    const plan = changedRun({ ...bundle, inputs, scenario }, { set: {}, variant, strict: false });
    const chosen: string[] = [];
    simulate(scenario, {
      ...{ variant, seed: bundle.manifest.seed, set: plan.set },
      ...{ untilMs: bundle.manifest.untilMs ?? 0, recorded: inputs, serving: plan.serving },
      onInput: (one) => void ("choice" in one && chosen.push(one.choice ?? "")),
    });
    return { chosen, coverage: plan.coverage() };
  };
  const unlike = bundle.inputs.map((one) =>
    one.kind === "reply" ? { ...one, request: "other" } : one,
  );

  for (const inputs of [bundle.inputs, unlike]) {
    const { chosen, coverage } = answers(inputs);
    expect(coverage.scripted).toBeGreaterThan(0);
    expect(chosen.length).toBeGreaterThan(0);
    expect(chosen).not.toContain(taken);
  }
});
