import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  afterStep,
  type Progress,
  type ProgressPolicy,
  startOfProgress,
} from "../../../../src/machines/agents/goal/progress.ts";
import { MILLION } from "../../../../src/machines/units.ts";
import { policyWith, profiles } from "../../../builtIn.ts";

const seed = policyWith({}).progress;
const real = policyWith(profiles["real"] ?? {}).progress;

const reached = (capabilities: readonly string[], policy: ProgressPolicy): Progress =>
  capabilities.reduce((from, one) => afterStep(from, one, policy), startOfProgress);

const times = (count: number, capability: string) => Array<string>(count).fill(capability);

describe("with the seed's numbers", () => {
  it.each(["memory_set", "fs_write", "fs_edit", "propose_change"])(
    "[U6] %s brings a goal a fifth further",
    (capability) => {
      expect(reached([capability], seed)).toEqual({
        progress: 200_000,
        outputs: 1,
        lastCapability: capability,
      });
    },
  );

  it.each(["fs_read", "fs_list", "memory_get", "context_synthesizer", "safe_file_executor"])(
    "[U6] %s brings it a tenth further",
    (capability) => {
      expect(reached([capability], seed)).toEqual({
        progress: 100_000,
        outputs: 0,
        lastCapability: capability,
      });
    },
  );

  it("[U6] what is output by its name or by its kind brings it a fifth further, what is neither a tenth", () => {
    const policy = { ...seed, outputCapabilities: ["skill", "fs_write"] as const };
    const by = (name: string, kind?: string) =>
      afterStep(startOfProgress, name, policy as unknown as ProgressPolicy, kind);

    expect(by("top_news", "skill")).toMatchObject({ progress: 200_000, outputs: 1 });
    expect(by("fs_write", "builtin")).toMatchObject({ progress: 200_000, outputs: 1 });
    expect(by("top_news", "macro")).toMatchObject({ progress: 100_000, outputs: 0 });
    expect(by("skill")).toMatchObject({ progress: 200_000, outputs: 1 });
  });

  it("[U6] repeating a capability counts as much as the first time", () => {
    expect(reached(times(4, "fs_write"), seed).progress).toBe(800_000);
    expect(reached(times(5, "fs_write"), seed).progress).toBe(MILLION);
  });

  it("[U6] a goal without output gets full in ten steps, not nine, and no further", () => {
    expect(reached(times(9, "fs_read"), seed).progress).toBe(900_000);
    expect(reached(times(10, "fs_read"), seed).progress).toBe(MILLION);
    expect(reached(times(11, "fs_read"), seed).progress).toBe(MILLION);
  });
});

describe("with the real system's numbers", () => {
  it("[U6] output .15, other .10, the same capability again .02", () => {
    expect(reached(["memory_set"], real).progress).toBe(150_000);
    expect(reached(["fs_read"], real).progress).toBe(100_000);
    expect(reached(["memory_set", "memory_set"], real).progress).toBe(170_000);
    expect(reached(["memory_set", "fs_read", "memory_set"], real).progress).toBe(400_000);
    const first = afterStep(startOfProgress, "top_news", real, "skill");
    // Another one of its kind is no repetition, itself is.
    expect(afterStep(first, "weather", real, "skill").progress).toBe(200_000);
    expect(afterStep(first, "top_news", real, "skill").progress).toBe(120_000);
  });

  it("[U6] .9 is the ceiling before the first output, and the output lifts it", () => {
    const explored = times(10, "fs_read").flatMap((one) => [one, "fs_list"]);

    expect(reached(explored.slice(0, 9), real).progress).toBe(900_000);
    expect(reached(explored, real).progress).toBe(900_000);
    expect(reached([...explored, "fs_write"], real).progress).toBe(MILLION);
  });

  it("[U6] a ceiling never takes progress away", () => {
    const missed = { progress: 950_000, outputs: 0, lastCapability: "fs_write" };

    expect(afterStep(missed, "fs_read", real).progress).toBe(950_000);
  });
});

it("[U6] progress is a whole number that never falls and never passes one", () => {
  const steps = fc.array(fc.constantFrom("fs_write", "fs_read", "memory_set", "constructor"));

  fc.assert(
    fc.property(steps, fc.constantFrom(seed, real), (capabilities, policy) => {
      let from = startOfProgress;
      for (const capability of capabilities) {
        const to = afterStep(from, capability, policy);
        expect(Number.isSafeInteger(to.progress)).toBe(true);
        expect(to.progress).toBeGreaterThanOrEqual(from.progress);
        expect(to.progress).toBeLessThanOrEqual(MILLION);
        from = to;
      }
    }),
  );
});

const TRACE = new URL("../../../../../shared/oracles/hollow-trace.json", import.meta.url);

interface RecordedGoal {
  readonly goal_id: string;
  readonly complete_chain: boolean;
  readonly replayed_progress: number | null;
  readonly final_progress_registry: number;
  readonly steps: readonly (readonly [string, 0 | 1, number, number, number])[];
}

describe.skipIf(!existsSync(TRACE))(
  "the real system's recorded goals (skipped where shared/oracles/hollow-trace.json is absent)",
  () => {
    const read = (): readonly RecordedGoal[] =>
      (JSON.parse(readFileSync(TRACE, "utf8")) as { goals: RecordedGoal[] }).goals;
    const millionths = (share: number) => Math.round(share * MILLION);

    it("[U6] profile real is exact on every step of the 56 complete goals", () => {
      const goals = read().filter((goal) => goal.complete_chain);

      expect(goals).toHaveLength(56);
      for (const { goal_id, steps, replayed_progress, final_progress_registry } of goals) {
        let from = startOfProgress;
        const replayed = steps.map(([capability, ok]) => {
          if (ok === 1) from = afterStep(from, capability, real);
          return from.progress;
        });
        const recorded = steps.map(([, , , progress]) => millionths(progress));
        expect({ goal_id, replayed }).toEqual({ goal_id, replayed: recorded });
        expect(from.progress).toBe(millionths(replayed_progress ?? Number.NaN));
        expect(from.progress).toBe(millionths(final_progress_registry));
      }
    });
  },
);
