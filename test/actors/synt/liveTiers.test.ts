// Which models of a live run serve synt, and what is said where one is too small.
import { expect, it } from "vitest";
import { liveFault, liveTiers } from "../../../src/actors/synt/liveTiers.ts";
import { purposes } from "../../../src/actors/synt/purposes.ts";
import type { LiveIdentity, LivePolicy } from "../../../src/machines/livePolicy.ts";
import type { TierConfig } from "../../../src/machines/synt/stages/stageTiers.ts";
import { policyWith } from "../../builtIn.ts";
import { syntScenario } from "../../syntWorld.ts";

const model = (name: string, parameters: string) => ({
  ...{ name, parameters, digest: "d", quantization: "q", contextLength: 8_192 },
});
const live = (server: string, wise = "35B"): LiveIdentity => ({
  server,
  models: { fast: model("tiny", "500M"), middle: model("mid", "8B"), wise: model("big", wise) },
  embed: null,
});

it("[LV20] each tier has the live model of its size, under the price of the scenario; frontier only where it is asked for", () => {
  const price = { asked: 1, answered: 2 };
  const served = { provider: "ollama", model: "mid", billions: 8 };
  const tiers = liveTiers(live("ollama 0.12"), { middle: { provider: "llamacpp", price } });

  expect(tiers).toEqual({
    "local-fast": { provider: "ollama", model: "tiny", billions: 0.5 },
    middle: { ...served, price },
    wise: { provider: "ollama", model: "big", billions: 35 },
  });
  expect(liveTiers(live("an OpenAI-compatible server"), { frontier: {} }).frontier).toEqual({
    ...{ provider: "openai-compatible", model: "big", billions: 35 },
  });
});

it("[LV20] a tier that the scenario takes away stays away, and one without a live model as it was", () => {
  const { models, ...rest } = live("ollama 0.12");
  const { middle: _, ...others } = models;
  const given: TierConfig = { wise: { provider: "none" }, middle: { provider: "x", model: "y" } };

  expect(liveTiers({ ...rest, models: others }, given)).toEqual({
    "local-fast": { provider: "ollama", model: "tiny", billions: 0.5 },
    ...given,
  });
  expect(liveTiers({ ...rest, models: {} }, {})).toEqual({});
});

it("[LV20] a model below the floor, and a tier that nothing serves, are said with what to do", () => {
  const { synt, ...without } = syntScenario("synt-format-json");
  if (synt === undefined) throw new Error("a world without synt");
  const policy = policyWith({});
  const faultOf = (wise: string, tiers: TierConfig = {}) =>
    liveFault({ ...without, synt: { ...synt, tiers } }, policy, live("ollama 0.12", wise));

  expect(faultOf("35B")).toBeNull();
  expect(liveFault(without, policy, live("ollama 0.12", "1B"))).toBeNull();
  expect(faultOf("34.9B")).toEqual({
    where: { path: "--tier wise" },
    found:
      "big with 34.9B parameters: stage 5 writes code and needs a local model of 35 billion parameters " +
      "or more, or an external provider; tier wise has big (tiers.wise.model)",
    allowed: "a model of at least 35 billion parameters",
    todo:
      "Name a larger one with --tier wise=NAME, or lower the floor on purpose: " +
      "--set synt.tiers.floorBillions=N.",
  });
  expect(faultOf("35B", { wise: { provider: "none" }, middle: { provider: "none" } })).toEqual({
    where: { path: "synt.tiers" },
    found: expect.stringMatching(
      /^no model serves tier middle \(tiers\.middle\.provider\); stage 5 /,
    ),
    allowed: "a provider for each tier that the world uses",
    todo: "Take `provider: none` out of the scenario, so that the live model serves the tier.",
  });
});

it("[LV20] a paid call goes to the live model of its tier, a planner to that of plans", () => {
  const tiers = { plan: "middle" } as LivePolicy["tier"];
  const tierOf = (tier?: string) => purposes["synt.plan"]?.tier?.({ tier } as never, tiers);

  expect(["local-fast", "middle", "wise", "frontier", "toString", undefined].map(tierOf)).toEqual([
    ...["fast", "middle", "wise", "wise", "middle", "middle"],
  ]);
});

it("[LV5] code needs a def invoke, any other answer one JSON object", () => {
  const looked = (purpose: string, text: string) => [
    purposes[purpose]?.unusable?.(text),
    purposes[purpose]?.fault?.(text),
  ];

  expect(looked("synt.code", "def invoke(args):")[0]).toBeNull();
  expect(looked("synt.code", "{}")).toEqual(["it has no def invoke", "there is no def invoke"]);
  expect(looked("synt.judge", '{"score": 1}')[0]).toBeNull();
  expect(looked("synt.judge", "good")).toEqual(["it is no JSON object", "no JSON object"]);
  expect(() => purposes["synt.plan"]?.render({ purpose: "goal.choose" } as never)).toThrow(
    "goal.choose is no purpose of synt",
  );
});
