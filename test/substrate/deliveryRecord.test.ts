import { describe, expect, it } from "vitest";
import { logEntry } from "../../src/substrate/deliveryRecord.ts";
import { simulate } from "../builtIn.ts";
import { delivered } from "./delivered.ts";
import { firstMinutes, simulated, untilMs } from "./firstMinutes.ts";

describe("an entry of the log", () => {
  it("mentions letters by number, receiver, type and time", () => {
    expect(logEntry(delivered()).letters).toEqual([
      { seq: 8, to: "a", type: "test.noted", dueMs: 40 },
    ]);
  });
});

describe("a run", () => {
  const { result, log, inputs, checkpoints } = simulated();

  it("[KN12] every cause is an earlier delivery, or nothing for what came from outside", () => {
    const known = new Set<number>();

    for (const { seq, cause, from } of log) {
      if (cause === null) expect(from).toMatch(/^outside\//);
      else expect(known).toContain(cause);
      expect(known).not.toContain(seq);
      known.add(seq);
    }
  });

  it("[KN12] every reason is an earlier delivery", () => {
    const known = new Set<number>();
    let reasons = 0;

    for (const { seq, because = [], re } of log) {
      for (const reason of because) expect(known).toContain(reason);
      if (re !== undefined) expect(known).toContain(re);
      reasons += because.length;
      known.add(seq);
    }

    expect(reasons).toBeGreaterThan(100);
  });

  it("[KN12] every letter of a delivery names it as its cause", () => {
    const bySeq = new Map(log.map((delivery) => [delivery.seq, delivery]));

    for (const { seq, letters } of log) {
      for (const sent of letters) {
        const arrived = bySeq.get(sent.seq);
        if (arrived !== undefined) expect(arrived).toMatchObject({ cause: seq, to: sent.to });
      }
    }
  });

  it("[KN1, KN2] is in the order of due time and number", () => {
    for (const [index, { dueMs, seq }] of log.entries()) {
      const before = log[index - 1];
      if (before === undefined) continue;
      expect(before.dueMs < dueMs || (before.dueMs === dueMs && before.seq < seq)).toBe(true);
    }
  });

  it("[KN13] two runs are equal, delivery by delivery", () => {
    const again = simulated();

    expect(again.log).toEqual(log);
    expect(again.inputs).toEqual(inputs);
    expect(again.checkpoints).toEqual(checkpoints);
    expect(again.result.digest).toBe(result.digest);
  });

  it("[KN13] watching changes nothing", () => {
    expect(simulate(firstMinutes(), { untilMs }).digest).toBe(result.digest);
  });

  it("[KN13] another seed is another run", () => {
    expect(simulated({ seed: 8 }).result.digest).not.toBe(result.digest);
  });
});
