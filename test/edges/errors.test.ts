import * as Effect from "effect/Effect";
import { expect, test } from "vitest";
import * as errors from "../../src/edges/errors.ts";
import {
  BadInput,
  Divergence,
  hintFor,
  isEdgeError,
  NewerFormat,
  OutputRefused,
  quoted,
  RecordingMissing,
} from "../../src/edges/errors.ts";
import { nearest } from "../../src/machines/nearest.ts";

const facts = {
  where: { file: "a.yaml", line: 3, column: 7, path: "events[1].at" },
  found: '"soon"',
  allowed: "a duration",
  todo: "Correct a.yaml and run again.",
};

test("a message says where, what was found, what is allowed, and ends with what to do", () => {
  const error = new BadInput(facts);

  expect(error.message).toBe(
    'a.yaml:3:7 events[1].at: found "soon"; allowed: a duration\nCorrect a.yaml and run again.',
  );
  expect(error).toMatchObject({ _tag: "BadInput", name: "BadInput", ...facts });
  expect(error).toBeInstanceOf(Error);
});

test("[LB1] each kind is told from a bug", () => {
  const kinds = Object.values(errors).filter(
    (one) => typeof one === "function" && one.prototype instanceof Error,
  ) as (typeof BadInput)[];

  expect(kinds).toHaveLength(9);
  expect(kinds.map((Kind) => isEdgeError(new Kind(facts)))).toEqual(kinds.map(() => true));
});

test("every kind has its exit code", () => {
  const kinds = [BadInput, OutputRefused, NewerFormat, Divergence, RecordingMissing];
  const errors = kinds.map((Kind) => new Kind(facts));

  expect(errors.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 3, 4]);
  expect(errors.every(isEdgeError)).toBe(true);
  expect(isEdgeError(new Error("other"))).toBe(false);
});

test("an effect recovers from one by its tag", () => {
  const recovered = Effect.fail(new OutputRefused(facts)).pipe(
    Effect.catchTag("OutputRefused", ({ found }) => Effect.succeed(found)),
  );

  expect(Effect.runSync(recovered)).toBe('"soon"');
});

test("five problems are spelled out, the rest is counted", () => {
  const { todo: _, ...problem } = facts;
  const { message } = new BadInput({ ...facts, more: new Array(6).fill(problem) });

  expect(message.split("\n")).toHaveLength(7);
  expect(message).toContain("\n… and 2 more.\nCorrect a.yaml");
});

test("parts that are absent leave no trace", () => {
  const { message } = new BadInput({ where: {}, found: "x", allowed: "", todo: "Go on." });

  expect(message).toBe("found x\nGo on.");
});

test("a name is guessed only when it is close", () => {
  const names = ["agents", "events", "expect", "startsAt"];

  expect(nearest("agnets", names)).toBe("agents");
  expect(nearest("STARTSAT", names)).toBe("startsAt");
  expect(nearest("zzz", names)).toBeUndefined();
  expect(nearest("", names)).toBeUndefined();
  expect(nearest("x".repeat(1_000_000), ["x".repeat(999_999)])).toBeUndefined();
  expect(hintFor("event", names)).toEqual({ hint: 'Did you mean "events"?' });
  expect(hintFor("events", names)).toBeUndefined();
  // The only one that begins so, however much longer it is.
  expect(hintFor("T7", ["T7-window", "T8-leftover-code"])).toEqual({
    hint: 'Did you mean "T7-window"?',
  });
  expect(hintFor("syn", ["synt-caps-hold", "synt-calls-are-paid"])).toBeUndefined();
});

test("a value is quoted on one line, at a readable length, without breaking characters", () => {
  expect(quoted("a\nb\u001b[2J")).toBe('"a\\nb\\u001b[2J"');
  expect(quoted("x".repeat(1_000))).toHaveLength(83);
  expect(quoted("😀".repeat(200)).isWellFormed()).toBe(true);
  expect(quoted([1, 2])).toBe("[1,2]");
  expect(quoted(new Array(1_000_000).fill(1))).toBe("a list of 1000000 items");
  expect(quoted(Number.POSITIVE_INFINITY)).toBe("Infinity");
  expect(quoted(undefined)).toBe("undefined");
});
