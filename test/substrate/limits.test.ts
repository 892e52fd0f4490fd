import { describe, expect, it } from "vitest";
import { setup } from "xstate";
import { type LimitName, LimitReached, limitsFor } from "../../src/substrate/limits.ts";
import { type Answers, letter, office, said } from "./office.ts";

/** The name of the limit that ended the run; null when it came to its own end. */
function endOf(world: ReturnType<typeof office>): LimitName | null {
  try {
    world.run();
    return null;
  } catch (error) {
    if (error instanceof LimitReached) return error.limit;
    throw error;
  }
}

/** Sends so many letters, all due at once, to itself. */
const bursting =
  (count: number): Answers =>
  ({ type }) =>
    type === "test.go" ? Array.from({ length: count }, () => letter("speaker", "test.pinged")) : [];

/** Goes round for so many deliveries, `delayMs` apart. */
const circling =
  (rounds: number, delayMs: number): Answers =>
  (event) => {
    const round = event.type === "test.round" ? event.round + 1 : 1;
    return round > rounds ? [] : [{ to: "speaker", event: { type: "test.round", round }, delayMs }];
  };

function worldOf(speaker: Answers, limits: Parameters<typeof office>[0]["limits"]) {
  const world = office({ actors: { speaker }, ...(limits && { limits }) });
  world.kernel.postFromOutside("x", letter("speaker", "test.go", { delayMs: 1 }));
  return world;
}

const text = (length: number): Answers => {
  const empty = JSON.stringify({ type: "test.said", word: "" }).length;
  return ({ type }) => (type === "test.go" ? [said("speaker", "x".repeat(length - empty))] : []);
};

describe("limits", () => {
  it.each<{ name: LimitName; most: number; at: (count: number) => Answers }>([
    // The birth, the go and three rounds are five deliveries.
    { name: "envelopes", most: 5, at: (count) => circling(count - 2, 3) },
    // The go has left the queue when the burst comes in.
    { name: "queueLength", most: 6, at: bursting },
    { name: "lettersPerDelivery", most: 4, at: bursting },
    // The go and the rounds happen at the same millisecond.
    { name: "deliveriesPerInstant", most: 7, at: (count) => circling(count - 1, 0) },
    { name: "payloadChars", most: 90, at: text },
  ])("[KN10] $name: $most pass, one more ends the run by its name", ({ name, most, at }) => {
    expect({
      at: endOf(worldOf(at(most), { [name]: most })),
      past: endOf(worldOf(at(most + 1), { [name]: most })),
    }).toEqual({ at: null, past: name });
  });

  it("[KN33] fifty agents have the limits once, one more has them twice", () => {
    expect(limitsFor(0)).toEqual(limitsFor(50));
    expect(limitsFor(50).envelopes).toBe(2_000_000);
    expect(limitsFor(51)).toMatchObject({ envelopes: 4_000_000, payloadChars: 8_000_000 });
    expect(limitsFor(10_000).lettersPerDelivery).toBe(200 * 20_000);
  });

  it("[KN10] an actor that talks to itself without end reaches a limit", () => {
    const world = worldOf(circling(Number.POSITIVE_INFINITY, 0), { deliveriesPerInstant: 1_000 });

    expect(endOf(world)).toBe("deliveriesPerInstant");
  });

  it("[KN10] deliveries of another instant do not count", () => {
    expect(endOf(worldOf(circling(50, 1), { deliveriesPerInstant: 1 }))).toBe(null);
  });

  it("[KN11] a machine that goes round without end is a bug, not a hang", () => {
    const dizzy = setup({}).createMachine({
      id: "dizzy",
      initial: "calm",
      states: {
        calm: { on: { "test.pinged": "left" } },
        left: { always: "right" },
        right: { always: "left" },
      },
    });
    const world = office({ charts: { dizzy } });
    world.kernel.postFromOutside("x", letter("dizzy", "test.pinged"));

    expect(world.run).toThrow(/100 microsteps/);
  });

  it("[KN11] a machine may take a hundred steps for one event, and no more", () => {
    const walking = (steps: number) => {
      const names = Array.from({ length: steps }, (_, index) => `s${index}`);
      const states = names.map((name, index) => {
        const next = names[index + 1];
        return [name, next === undefined ? {} : { always: next }] as const;
      });
      const walker = setup({}).createMachine({
        id: "walker",
        initial: "rest",
        states: { rest: { on: { "test.go": "s0" } }, ...Object.fromEntries(states) },
      });
      const world = office({ charts: { walker } });
      world.kernel.postFromOutside("x", letter("walker", "test.go"));
      return world.run;
    };

    expect(walking(100)).not.toThrow();
    expect(walking(101)).toThrow(/100 microsteps/);
  });
});
