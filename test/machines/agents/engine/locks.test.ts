import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import { levelAt, lockedFrom, lockOn } from "../../../../src/machines/agents/engine/locks.ts";
import type { Suffering } from "../../../../src/machines/agents/suffering/severity.ts";
import { days, hours, MILLION } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";

/** Suffering of exactly this load. */
const loaded = (start: number): Suffering[] => [
  { type: "futility", sinceMs: 0, start, growthPerDay: 0 },
];

const refused = (
  capability: string,
  load: number,
  overrides: { readonly [path: string]: PolicyValue } = {},
) =>
  lockOn(capability, { suffering: loaded(load), interactions: [] }, 0, policyWith(overrides)) !==
  undefined;

const pathOut = [
  ...["retire_capability", "fs_read", "ollama_chat", "memory_set"],
  ...["memory_get", "invoke_claude", "propose_change", "shell_exec"],
];

describe("load locks", () => {
  it.each([
    ["synthesize_capability", 550_000],
    ["fs_write", 750_000],
    ["fs_edit", 750_000],
  ])("[U2] %s is refused from %i on and not a millionth before", (capability, at) => {
    expect(refused(capability, at - 1)).toBe(false);
    expect(refused(capability, at)).toBe(true);
    expect(refused(capability, MILLION)).toBe(true);
    expect(lockedFrom(capability, policyWith({}))).toBe(at);
  });

  it("[U2] what no list names is never refused", () => {
    for (const name of ["fs_list", "a_tool", "constructor"]) {
      expect(refused(name, MILLION)).toBe(false);
    }
  });

  it("[U2] load is that of the moment", () => {
    const grown = { type: "futility", sinceMs: 0, start: 500_000, growthPerDay: 50_000 };
    const at = (nowMs: number) =>
      lockOn(
        "synthesize_capability",
        { suffering: [grown], interactions: [] },
        nowMs,
        policyWith({}),
      );

    expect(at(days(1) - 1)).toBeUndefined();
    expect(at(days(1))).toEqual({
      kind: "load",
      reason: "synthesize_capability is locked: your load is 0.55, and 0.55 locks it",
      at: 550_000,
      load: 550_000,
    });
  });

  it.each(pathOut)("[LK1] %s is open at any load, even when a list names it", (capability) => {
    const listed = { "locks.constrainedLocks": [capability], "locks.dominantLocks": [capability] };

    expect(refused(capability, MILLION)).toBe(false);
    expect(refused(capability, MILLION, listed)).toBe(false);
    expect(refused(capability, MILLION, { ...listed, "locks.pathOut": [] })).toBe(true);
  });

  it("[LK1] a capability in both lists is refused from the lower threshold on", () => {
    const both = { "locks.constrainedLocks": ["fs_write"], "locks.constrained": 100_000 };

    expect(refused("fs_write", 99_999, both)).toBe(false);
    expect(refused("fs_write", 100_000, both)).toBe(true);
  });

  it("[LK2] with locks off nothing is refused, and nothing has to be earned", () => {
    for (const name of ["synthesize_capability", "fs_write", "research_topic"]) {
      expect(refused(name, MILLION, { "locks.enabled": false })).toBe(false);
    }
  });

  it("[U11] shell_exec stays open; without the bypass it closes with the writes", () => {
    const closed = { "locks.shellBypass": false };

    expect(refused("shell_exec", MILLION)).toBe(false);
    expect(refused("shell_exec", 749_999, closed)).toBe(false);
    expect(refused("shell_exec", 750_000, closed)).toBe(true);
  });

  it("[U2] more load opens nothing", () => {
    const names = fc.constantFrom(
      ...pathOut,
      "synthesize_capability",
      "fs_write",
      "research_topic",
    );
    const load = fc.nat(MILLION);

    fc.assert(
      fc.property(names, load, load, (name, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        if (refused(name, less)) expect(refused(name, more)).toBe(true);
      }),
    );
  });
});

describe("research_topic", () => {
  const now = days(10);
  const asked = (load: number, interactions: readonly number[], overrides = {}) =>
    lockOn(
      "research_topic",
      { suffering: loaded(load), interactions: interactions.map((atMs) => ({ atMs })) },
      now,
      policyWith(overrides),
    );

  it("[U10] is open up to a load of .15, with one interaction in 24 h", () => {
    expect(asked(150_000, [now])).toBeUndefined();
    expect(asked(150_001, [now])).toMatchObject({ kind: "earn", at: 150_001, load: 150_001 });
    expect(asked(0, [now - hours(24)])).toBeUndefined();
    expect(asked(0, [now - hours(24) - 1])).toMatchObject({ kind: "earn", at: null });
    expect(asked(0, [])?.reason).toBe(
      "research_topic is not earned: 0 of 1 peer interactions within 24 h",
    );
  });

  it("[U10] how many, how recent and how calm are policy", () => {
    const two = { "locks.research.interactionsMin": 2, "locks.research.recentMs": 10 };

    expect(asked(0, [now - 5, now - 11], two)).toBeDefined();
    expect(asked(0, [now - 5, now - 10], two)).toBeUndefined();
    expect(asked(0, [], { "locks.research.interactionsMin": 0 })).toBeUndefined();
    expect(asked(300_000, [now], { "locks.research.loadMax": 300_000 })).toBeUndefined();
  });
});

describe("levels", () => {
  it.each([
    [0, "calm"],
    [349_999, "calm"],
    [350_000, "prominent"],
    [549_999, "prominent"],
    [550_000, "constrained"],
    [749_999, "constrained"],
    [750_000, "dominant"],
    [899_999, "dominant"],
    [900_000, "crisis"],
    [MILLION, "crisis"],
  ])("[U2] a load of %i is %s", (load, level) => {
    expect(levelAt(load, policyWith({}))).toBe(level);
  });
});
