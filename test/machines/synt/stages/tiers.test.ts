import { describe, expect, it } from "vitest";
import {
  type Bindings,
  bindingsOf,
  bootFaults,
  callCost,
  JUDGE_TIER,
  meetsFloor,
  priceOf,
  STAGES,
  serverOf,
  type TierConfig,
  tierOf,
  usedTiers,
} from "../../../../src/machines/synt/stages/stageTiers.ts";
import { policyWith } from "../../../builtIn.ts";
import { casesOf, golden, isAbsent } from "../metnosOracle.ts";

const policy = policyWith({}).synt.tiers;

const local = (model: string | null) => ({ provider: "llamacpp", model });
const online = (model: string | null) => ({ provider: "anthropic", model });
const serves = (stage: number, config: TierConfig) => {
  const served = serverOf(stage, bindingsOf(config).bindings, policy);
  return "tier" in served ? served.tier : served.setting;
};

it("[SN39] what a stage takes is as it was measured, unless the policy says otherwise", () => {
  expect(policyWith({}).synt.stages.latency).toEqual({
    ...{ namingMs: 13_000, signatureMs: 25_000, testsMs: 35_000, descriptionMs: 25_000 },
    ...{ codeMs: 45_000, proposeMs: 36_000, pocTestsMs: 28_000, transformMs: 45_000 },
    ...{ judgeMs: 120, planMs: 2_000 },
  });
});

describe("who serves a stage", () => {
  it("[SN38] middle fills in the forms, wise writes the code", () => {
    expect([1, 2, 3, 4, 5].map((stage) => serves(stage, {}))).toEqual([
      "middle",
      "middle",
      "middle",
      "middle",
      "wise",
    ]);
  });

  it("[SN38] a model below the floor is an error that names floor and setting, no downgrade", () => {
    const small = local("small-3b");
    const config = { wise: small, middle: small, "local-fast": small };

    const served = serverOf(5, bindingsOf(config).bindings, policy);

    expect(served).toEqual({
      fault: expect.stringContaining("35 billion parameters"),
      setting: "tiers.wise.model",
    });
    expect(serves(1, config)).toBe("middle");
    expect(serves(5, { ...config, wise: { provider: "none" } })).toBe("tiers.wise.provider");
    expect(serves(1, { middle: { provider: "none" } })).toBe("tiers.middle.provider");
  });

  it("[SN38] a smaller tier never serves for wise, though its model reached the floor", () => {
    const large = local("llama-70b");

    for (const model of [large, online("claude-opus-4-8")]) {
      const config = { middle: model, "local-fast": model };
      expect(serves(5, { ...config, wise: { provider: "none" } })).toBe("tiers.wise.provider");
      expect(serves(5, { ...config, wise: local("small-3b") })).toBe("tiers.wise.model");
    }
  });

  it("[SN38] a named external provider serves: as wise, or as frontier where wise does not", () => {
    const [small, claude] = [local("small-3b"), online("claude-opus-4-8")];

    expect(serves(5, { wise: claude })).toBe("wise");
    expect(serves(5, { wise: online(null) })).toBe("tiers.wise.model");
    expect(serves(5, { wise: small, frontier: claude })).toBe("frontier");
    expect(serves(5, { wise: { provider: "none" }, frontier: claude })).toBe("frontier");
    expect(serves(5, { wise: small, frontier: online(null) })).toBe("tiers.wise.model");
    expect(serves(5, { wise: small, frontier: local("llama-70b") })).toBe("tiers.wise.model");
    expect(serves(5, { frontier: claude })).toBe("wise");
  });

  it.each([
    [local("Qwen3.6-35B-A3B-UD-Q4_K_M.gguf"), true],
    [local("qwen3:32b"), false],
    [local("llama-70b"), true],
    [local("mystery"), false],
    [{ ...local("mystery"), billions: 35 }, true],
    [{ ...local("llama-70b"), billions: 34 }, false],
    [online("gpt-5"), true],
    [online(null), false],
  ])("[SN38] %j meets the floor: %j", (binding, meets) => {
    expect(meetsFloor(binding, policy)).toBe(meets);
  });

  it("[SN38] a configuration without a provider is a fault that names the tier", () => {
    expect(bindingsOf({ wise: { model: "x" } }).faults).toEqual(["tier wise names no provider"]);
    expect(bindingsOf({}).faults).toEqual([]);
  });

  const none = { provider: "none" };
  const used = usedTiers({ mode: "multistage" });

  it("[SN38, SN100] at boot every fault is told at once, with the setting that mends it", () => {
    expect(bootFaults({}, policy, used)).toEqual([]);
    expect(
      bootFaults({ frontier: {}, middle: none, wise: none, "local-fast": none }, policy, used),
    ).toEqual([
      "tier frontier names no provider",
      "no model serves tier local-fast (tiers.local-fast.provider)",
      "no model serves tier middle (tiers.middle.provider)",
      expect.stringMatching(/35 billion.*tier wise is none \(tiers\.wise\.provider\)$/),
    ]);
  });

  it("[SN100] each tier that a world uses must be served, and one that it never uses may be none", () => {
    const poc = usedTiers({ mode: "poc" });

    expect([used, poc]).toEqual([
      ["local-fast", "middle", "wise"],
      ["local-fast", "wise"],
    ]);
    for (const tier of used) expect(bootFaults({ [tier]: none }, policy, used)).toHaveLength(1);
    expect(bootFaults({ middle: none }, policy, poc)).toEqual([]);
    expect(bootFaults({ frontier: none }, policy, used)).toEqual([]);
  });

  it("[SN100] what writes code at night needs the floor, all else of the night is the smallest tier's", () => {
    const writes = STAGES.transform.map(({ stage }) => tierOf(stage));

    expect([writes, JUDGE_TIER]).toEqual([["wise"], "local-fast"]);
  });
});

describe("what a call costs", () => {
  const tokens = { asked: 640, answered: 1700 };

  it("[SN39] local models cost nothing, the frontier its price, in millionths of a cent", () => {
    const binding = online("claude-opus-4-8");

    expect(callCost(tokens, priceOf("wise", local("x"), policy))).toBe(0);
    expect(callCost(tokens, priceOf("frontier", binding, policy))).toBe(4_570_000);
  });

  it("[SN39] an external model on a tier without a price has none, and so has an unknown price", () => {
    expect(priceOf("wise", online("gpt-5"), policy)).toBeNull();
    expect(callCost(tokens, null)).toBeNull();
    const answers = { asked: 0, answered: 5 };
    const priced = { ...policy, price: { ...policy.price, wise: answers } };
    expect(priceOf("wise", online("gpt-5"), priced)).toEqual(answers);
    const price = { asked: 1, answered: 2 };
    expect(priceOf("wise", { ...online("gpt-5"), price }, policy)).toEqual(price);
    expect(priceOf("frontier", { ...online("x"), price: null }, policy)).toBeNull();
  });
});

interface Cost {
  readonly in: number;
  readonly out: number;
  readonly model: string;
  readonly provider: string;
}

interface Resolved {
  readonly [tier: string]: { readonly model: string | null; readonly provider: string };
}

describe.skipIf(isAbsent)(golden("tiers and prices"), () => {
  it("[SN39, SN41] what a call costs, given the price of its model", () => {
    const prices: Record<string, { asked: number; answered: number }> = {
      "claude-opus-4-8": { asked: 500, answered: 2500 },
      "claude-haiku-4-5": { asked: 100, answered: 500 },
      q: { asked: 0, answered: 0 },
    };
    const cases = casesOf<Cost, { usd: number }>("cost.usd");

    expect(cases).toHaveLength(3);
    for (const { input, expected } of cases) {
      const cost = callCost({ asked: input.in, answered: input.out }, prices[input.model] ?? null);
      expect(cost).toBe(Math.round(expected.usd * 100 * 1e6));
    }
  });

  it("[SN38, SN41] who serves a tier; 005 is a fault here (ruling Y17), creative is no tier of the seed", () => {
    const cases = casesOf<{ config: TierConfig & { fast?: object } }, Resolved>("tier.resolve");
    const ours = cases.filter(({ id }) => id !== "tier.resolve-005");

    expect([cases.length, ours.length]).toEqual([4, 3]);
    for (const { input, expected } of ours) {
      const { fast, ...config } = input.config;
      const given = fast === undefined ? config : { ...config, "local-fast": fast };
      const bindings: Bindings = bindingsOf(given).bindings;
      const found = {
        fast: bindings["local-fast"],
        middle: bindings.middle,
        wise: bindings.wise,
      };
      for (const [tier, binding] of Object.entries(found)) {
        const { provider, model } = expected[tier] ?? {};
        expect(binding).toMatchObject({ provider, model });
      }
      expect(bindings.frontier).toBeUndefined();
    }
  });
});
