// What seed 002 promises, in the scenarios and in random worlds.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MetricName } from "../src/contract/gauge.ts";
import type { Scenario } from "../src/contract/scenario.ts";
import { compareShares, NONE } from "../src/machines/synt/score/exactShare.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { PromptProvider } from "../src/substrate/port.ts";
import { meterOf, narrate } from "./builtIn.ts";
import { parseScenario } from "./builtInScenarios.ts";
import { delivery } from "./handLog.ts";
import { auditOf, broken, eventsOf, played, syntScenario } from "./syntWorld.ts";

const names = [
  ..."audit-example six-hops budget day-cap day-lock no-wise-tier generalise merge".split(" "),
  ..."month-lock specialise promotion judge-text chain-choice".split(" "),
].map((name) => `synt-${name}`);

const worlds = names.flatMap((name) => {
  const scenario = syntScenario(name);
  return [null, ...Object.keys(scenario.variants)].map((variant) => ({ name, variant, scenario }));
});

describe.each(worlds)("$name, variant $variant", ({ variant, scenario }) => {
  it("[SN61, SN62, SN63, SN65] keeps every promise of chapter 12 that a log can show", () => {
    const { log, result } = played(scenario, { variant });

    expect(result.outcome).toBe("ended");
    expect(broken(log, result.policy)).toEqual([]);
  });

  it("[SN55] nothing is ignored, stale or lost on the way", () => {
    const { log } = played(scenario, { variant });

    // An executor passes over what its state says nothing of: most nights, most uses.
    const lost = log.filter(
      ({ fate, to }) => fate !== "handled" && fate !== "served" && !to.startsWith("executor/"),
    );
    expect(lost).toEqual([]);
  });
});

const finalOf = (scenario: Scenario, log: readonly Delivery[], metric: MetricName): number => {
  const meter = meterOf(scenario);
  for (const delivery of log) meter.observe(delivery);
  return meter.series(metric).at(-1)?.value ?? 0;
};

it("[SN39] what calls cost is summed in whole millionths: ten tenths of a cent are one cent", () => {
  const meter = meterOf(syntScenario("synt-budget"));
  const ended = { ...{ call: "c", text: "", why: null, error: null }, cost: 100_000 };
  const passed = { request: "r", call: "c", setAside: 0, cost: 100_000 };
  for (let seq = 1; seq <= 10; seq++) {
    meter.observe(delivery({ seq, event: { type: "paid.ended", ...ended } }));
    meter.observe(delivery({ seq, event: { type: "money.exceeded", ...passed } }));
  }

  const last = (metric: MetricName) => meter.series(metric).at(-1)?.value;
  expect([last("synt.cents"), last("synt.exceeded")]).toEqual([1, 1]);
});

describe("random worlds", () => {
  const base = syntScenario("synt-budget");
  const world = fc.record({
    budget: fc.option(fc.nat(40), { nil: null }),
    soft: fc.integer({ min: 1, max: 30 }),
    day: fc.integer({ min: 0, max: 60 }),
    judge: fc.constantFrom(0, 0.3, 0.9, 1),
    decides: fc.constantFrom("approve", "discard", "amend", "nobody"),
    turns: fc.array(fc.nat(90), { minLength: 1, maxLength: 4 }),
    autonomy: fc.constantFrom("supervised" as const, "full" as const),
    seed: fc.nat(1_000),
  });

  const scenarioOf = ({
    budget,
    judge: score,
    decides,
    turns,
    ...rest
  }: typeof world extends fc.Arbitrary<infer T> ? T : never): Scenario => {
    const { synt } = base;
    if (synt === undefined) throw new Error("a world without synt");
    const { answers, person } = synt.repertoire;
    return {
      ...base,
      seed: rest.seed,
      policy: {
        "synt.compose.autonomy": rest.autonomy,
        "synt.budget.softCents": rest.soft,
        "synt.budget.dayCents": rest.day,
        "synt.tiers.estimateCents.generate": 40,
      },
      synt: {
        ...synt,
        turns: turns.map((minute, index) => ({
          ...{ turn: `t${index}`, says: `Count the lines, ${index % 2}.`, args: { items: [1] } },
          ...{ case: null, budgetCents: budget, atMs: minute * 60_000 },
        })),
        repertoire: {
          ...synt.repertoire,
          answers: answers.map((one) =>
            one.to === "synt.judge" ? { ...one, answer: { score, reasoning: "so" } } : one,
          ),
          person:
            decides === "nobody"
              ? []
              : person.map((one) => ({ ...one, decision: decides as "approve" })),
        },
      },
    };
  };

  it("[SN31, SN61, SN62, SN65] keep the promises, whatever prices, gates and clocks", () => {
    fc.assert(
      fc.property(world, (given) => {
        const scenario = scenarioOf(given);
        const { log, result } = played(scenario);

        expect(result.outcome).toBe("ended");
        expect(broken(log, result.policy)).toEqual([]);
        if (given.decides !== "approve") {
          expect(finalOf(scenario, log, "synt.born")).toBe(0);
        }
        for (const lines of auditOf(log).values()) {
          const cap = given.budget ?? 500;
          expect(Math.max(...lines.map((line) => line.cost_cents))).toBeLessThanOrEqual(cap);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("[SN65] the same world leaves the same audit", () => {
    fc.assert(
      fc.property(world, (given) => {
        const once = played(scenarioOf(given));
        const again = played(scenarioOf(given));

        expect(again.result.digest).toBe(once.result.digest);
        expect([...auditOf(again.log)]).toEqual([...auditOf(once.log)]);
      }),
      { numRuns: 5 },
    );
  });
});

const observed = (name: string, variant: string | null = null) => {
  const scenario = syntScenario(name);
  return { scenario, ...played(scenario, { variant }) };
};

it("[SN64] a locked target is refused at once, with its first and its terminal line", () => {
  const { log } = observed("synt-day-lock");
  const requests = [...auditOf(log).values()];

  expect(requests.map((lines) => lines.map(({ state }) => state))).toEqual([
    ["composing", "generating", "abandoned"],
    ["composing", "abandoned"],
    ["composing", "abandoned"],
    ["composing", "generating", "abandoned"],
  ]);
  expect(requests[1]?.at(-1)?.rationale).toContain("locked until 2026-06-06T08:00:15.");
  expect(requests[2]?.at(-1)?.rationale).toContain("locked until 2026-06-06T08:00:15.");
});

/** The world without wise, with a model of 14 billion parameters there: enough under a lower floor. */
function smallWise() {
  const scenario = syntScenario("synt-no-wise-tier");
  const { synt } = scenario;
  if (synt === undefined) throw new Error("a world without synt");
  const wise = { provider: "llamacpp", model: "Qwen3-14B-Q4" };
  return { ...scenario, synt: { ...synt, tiers: { ...synt.tiers, wise } } };
}

it("[SN68] a model below the floor writes no code; under a lower floor the same one does", () => {
  const below = played(smallWise()).log;
  const above = played(smallWise(), { variant: "lower-floor" }).log;
  const made = (log: typeof below) => eventsOf(log, "pool.admitted").map(({ event }) => event.ok);

  expect([made(below), made(above)]).toEqual([[], [true]]);
  expect(eventsOf(below, "user.told")[0]?.event.text).toContain("tier wise has Qwen3-14B-Q4");
});

it("[SN64] two who want the same wait for one request", () => {
  const scenario = smallWise();
  const [turn] = scenario.synt.turns;
  if (turn === undefined) throw new Error("a world without turns");
  const turns = [turn, { ...turn, turn: "again", atMs: turn.atMs + 30_000 }];
  const twice = { ...scenario, synt: { ...scenario.synt, turns } };
  const { log } = played(twice, { variant: "lower-floor" });

  expect(auditOf(log).size).toBe(1);
  expect(eventsOf(log, "turn.closed").map(({ event }) => event.ok)).toEqual([true, true]);
});

it("[SN66] a night promotes, refuses a name that is taken, and moves leftovers", () => {
  const scenario = syntScenario("synt-promotion");
  const leftover = "/agentOS/workspace/executors/find_urls/find_urls.py";
  const { log } = played({ ...scenario, files: { ...scenario.files, [leftover]: "old" } });

  expect(eventsOf(log, "pattern.filtered")[0]?.event.reason).toContain("name collision");
  expect(eventsOf(log, "files.move").map(({ event }) => event)).toEqual([
    {
      type: "files.move",
      path: leftover,
      to: "/agentOS/tmp/metnos_synth_gc_1/find_urls/find_urls.py",
    },
  ]);
  expect(log.filter(({ event }) => event.type === "files.delete")).toEqual([]);
});

it("[SN67] the hot case goes to the specialised one, any other to the general one", () => {
  const { log } = observed("synt-specialise");
  const ran = eventsOf(log, "executor.ran").map(({ event }) => event.executor);

  expect(ran).toEqual(["read_files_csv", "read_files"]);
});

it("[SN52] the superseded are archived when nobody cites them, not before", () => {
  const { log } = observed("synt-generalise");
  const archivedOn = eventsOf(log, "executor.changed")
    .filter(({ event }) => event.state === "archived")
    .map(({ event, dueMs }) => [event.name, Math.floor(dueMs / 86_400_000)]);

  const day = Object.fromEntries(archivedOn) as { readonly [name: string]: number };
  expect(day["order_audio_file"]).toBe(1);
  expect(day["order_image_file"]).toBeGreaterThan(15);
});

it("[SN68] says at the start what is missing, and refuses everything", () => {
  const { log } = observed("synt-no-wise-tier");
  const note = eventsOf(log, "files.write").find(({ event }) =>
    event.path.endsWith("boot-error.txt"),
  )?.event;

  expect(note?.text).toContain("35 billion parameters");
  expect(note?.text).toContain("tier wise is none (tiers.wise.provider)");
  expect(eventsOf(log, "user.told")[0]?.event.text).toContain("synt did not start");
});

it("[SN54] nobody enters with a signature that is not right", () => {
  const scenario = syntScenario("synt-six-hops");
  const forger: PromptProvider = {
    answer: ({ purpose }) => ({
      event:
        purpose === "sign"
          ? { type: "sign.signed", signature: "00", key: "11" }
          : { type: "sign.verified", ok: false },
      latencyMs: 1,
    }),
  };
  const { log } = played(scenario, { ports: { "port/sign": forger } });

  expect(eventsOf(log, "pool.admitted")[0]?.event.ok).toBe(false);
  expect([...auditOf(log).values()][0]?.at(-1)?.state).toBe("abandoned");
  expect(eventsOf(log, "executor.changed").map(({ event }) => event.name)).not.toContain(
    "share_files_zip",
  );
});

it("[SO3] with a faulty prompt repertoire code is written all the same, and the log says so", () => {
  const scenario = smallWise();
  const files = {
    ...scenario.files,
    "/agentOS/config/metnos/prompts.toml": "[[hint]]\ntext = 3\n",
  };
  const { log } = played({ ...scenario, files }, { variant: "lower-floor" });
  const [said] = eventsOf(log, "hints.faulty");

  expect(said?.event.fault).toBe("hint 1: provider is no text");
  expect(said && narrate(said)).toContain(
    "prompts.toml is passed over: hint 1: provider is no text",
  );
  expect(eventsOf(log, "pool.admitted").map(({ event }) => event.ok)).toEqual([true]);
});

it("[SN53] an executor that the person takes back is archived, and called no more", () => {
  const scenario = syntScenario("synt-six-hops");
  const revoke = { id: "take-back", atMs: 20 * 60_000, does: "executor.revoke" as const };
  const { log } = played({
    ...scenario,
    events: [{ ...revoke, executor: "share_files_zip" }],
  });
  const states = eventsOf(log, "executor.changed")
    .filter(({ event }) => event.name === "share_files_zip")
    .map(({ event }) => event.state);

  expect(states).toEqual(["synthesized", "active", "archived"]);
});

it("[SN75] the same request scores no less because its first answer succeeded", () => {
  const { log } = played(syntScenario("synt-audit-example"));
  const scored = eventsOf(log, "synth.stated")
    .flatMap(({ event }) => event.weighed)
    .map(({ scored: { reward } }) => reward);
  const [first, second] = scored;

  expect(scored).toHaveLength(2);
  expect(first?.terms).toMatchObject({ det: [19, 20], coverage: [1, 1] });
  expect(second?.terms).toMatchObject({ det: [20, 21], coverage: [1, 1] });
  expect(compareShares(second?.total ?? NONE, first?.total ?? NONE)).toBe(1);
});

it("[SN75] nor where a word of affinity found the chain that answered it", () => {
  const world = {
    ...{ why: "a chain found by a word", source: "ruling Y23", seed: 5, runsFor: "4h" },
    startsAt: "2026-06-05T08:00:00Z",
    ...{ agents: [], model: { goals: [] } },
    synt: {
      executors: [
        { name: "read_files", description: "SCOPO: reads. PATTERN: read_files(). OUT: items." },
        {
          ...{ name: "classify_entries", affinity: ["Tidy"] },
          description: "SCOPO: tidies. PATTERN: classify_entries(items). OUT: items.",
        },
      ],
      mnests: [{ from: "read_files", to: "classify_entries", uses: 9 }],
      turns: ["1m", "61m"].map((at) => ({
        ...{ id: `turn-${at}`, at, says: "Tidy up.", args: { items: [1] } },
      })),
      answers: [
        {
          id: "plan",
          to: "plan",
          answer: { steps: ["read_files", "classify_files_kind"], towards: ["tidy"] },
        },
        { id: "judge", to: "judge", answer: { score: 0.8, reasoning: "fine", violates: null } },
      ],
      person: [{ id: "agrees", to: "chain", decision: "approve" }],
    },
  };
  const { log, result } = played(parseScenario(JSON.stringify(world), "world.yaml"));
  const scored = eventsOf(log, "synth.stated")
    .flatMap(({ event }) => event.weighed)
    .map(({ scored: { reward } }) => reward);

  // Its success left classify_files, in the family of what is missed.
  expect(scored.map(({ terms }) => terms.coverage)).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(broken(log, result.policy)).toEqual([]);
});
