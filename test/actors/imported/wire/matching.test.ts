// Whether a request is one that was recorded: what may differ, where, and what never may.
import { describe, expect, it } from "vitest";
import {
  differenceOf,
  RecordedAnswers,
} from "../../../../src/actors/imported/edge/wire/matching.ts";
import type { Json } from "../../../../src/machines/letter.ts";

const path = "/chat/completions";
const recorded = (...requests: readonly Json[]) =>
  requests.map((request) => ({ api: "openai", path, request }));
const user = (content: string): Json => ({ messages: [{ role: "user", content }] });
const system = (content: string): Json => ({ messages: [{ role: "system", content }] });
const developer = (content: string): Json => ({ input: [{ role: "developer", content }] });
const looking = (text: string): Json => ({
  ...{ role: "assistant", content: null },
  tool_calls: [{ id: "c", type: "function", function: { name: "look", arguments: text } }],
});
const called = (content: string): Json => ({ messages: [looking(content)] });
const result = (content: string): Json => ({
  messages: [looking("{}"), { role: "tool", tool_call_id: "c", content }],
});
const metadata = (content: string): Json => ({ metadata: { run: content }, messages: [] });
const prompt = (content: string): Json => ({ system: content, messages: [] });
const instructions = (content: string): Json => ({ instructions: content, input: [] });

/** By which rules the second is taken for the first; null where it is not. */
function hidden(first: Json, second: Json, isStrict = false): object | null {
  const answers = new RecordedAnswers(recorded(first), isStrict, []);
  const found = answers.take("openai", path, second);
  return found === undefined ? null : Object.fromEntries(answers.hidden);
}

describe("a request that differs from a recorded one", () => {
  it.each([
    ["time", "2026-01-02T03:04:05Z", "2027-05-06T07:08:09Z"],
    ["time", "2026-01-02", "2027-01-02"],
    ["time", "03:04:05", "13:14:15"],
    ["id", "0b1f2a3c-0000-4000-8000-000000000001", "0b1f2a3c-0000-4000-8000-000000000002"],
    ["id", "0123456789abcdef", "fedcba9876543210"],
    ["temporary path", "/tmp/a-1/x.txt", "/tmp/b-2/x.txt"],
    ["temporary path", "/var/folders/zz/y", "/private/var/folders/qq/y"],
  ])(
    "[WR5] is that one by %s, in what the system says, in results and in metadata: %s",
    (rule, one, other) => {
      for (const made of [system, developer, prompt, instructions, result, metadata]) {
        expect(hidden(made(`At ${one}.`), made(`At ${other}.`))).toEqual({ [rule]: 1 });
      }
      for (const made of [user, called]) {
        expect(hidden(made(`At ${one}.`), made(`At ${other}.`))).toBeNull();
      }
    },
  );

  it.each([
    ...[
      ["a number", "7", "8"],
      ["a word", "ann", "bob"],
      ["a path that is not temporary", "/home/a", "/home/b"],
    ],
    ...[
      ["an id that is too short", "0123456789abcde", "edcba9876543210"],
      ["letters alone", "abcdefabcdefabcdef", "fedcbafedcbafedcba"],
    ],
  ])("[WR5] is another one by %s, wherever that stands", (_, one, other) => {
    for (const made of [user, system, result, metadata])
      expect(hidden(made(`At ${one}.`), made(`At ${other}.`))).toBeNull();
  });

  it("[WR5] of several times in one text those that differ are counted", () => {
    const said = (...times: readonly string[]) => system(`From ${times.join(" to ")}.`);

    expect(hidden(said("01:00:00", "02:00:00"), said("01:00:00", "03:00:00"))).toEqual({ time: 1 });
    expect(hidden(said("01:00:00", "02:00:00"), said("04:00:00", "03:00:00"))).toEqual({ time: 2 });
  });

  it("[WR6] with --strict nothing is hidden, and what is the same is found", () => {
    expect(hidden(system("At 03:04:05."), system("At 03:04:06."), true)).toBeNull();
    expect(hidden(system("At 03:04:05."), system("At 03:04:05."), true)).toEqual({});
  });

  it("[WR5] a message more or less is another request, also where the rest is hidden", () => {
    const more = {
      messages: [
        { role: "system", content: "x" },
        { role: "system", content: "y" },
      ],
    };

    expect(hidden(system("x"), more)).toBeNull();
    expect(hidden(more, system("x"))).toBeNull();
  });
});

it("[WR5] answers come in any order, each once, the exact one before one that a rule hides", () => {
  const [early, late] = [system("At 03:04:05."), system("At 13:14:15.")];
  const answers = new RecordedAnswers(recorded(early, user("a"), late), false, []);
  const take = (request: Json) => answers.take("openai", path, request)?.request;

  expect(take(late)).toBe(late);
  expect(take(user("a"))).toEqual(user("a"));
  expect(take(user("a"))).toBeUndefined();
  expect(answers.left.map(({ request }) => request)).toEqual([early]);
  expect(take(late)).toBe(early);
  expect([answers.total, answers.left]).toEqual([3, []]);
});

it("[WR5] tools may be offered in another order, and are others where one is changed", () => {
  const offering = (...names: readonly string[]): Json => ({
    ...{ messages: [], tools: names.map((name) => ({ type: "function", function: { name } })) },
  });

  expect(hidden(offering("a", "b", "c"), offering("c", "a", "b"))).toEqual({});
  expect(hidden(offering("a", "b"), offering("a", "c"))).toBeNull();
});

it("[WR6] the place that is told is the first that no rule hides, whatever stands before it", () => {
  const request = (time: string, amount: number, ...more: readonly Json[]): Json => ({
    messages: [
      { role: "system", content: `At ${time}.` },
      { role: "user", content: `Pay ${amount}.` },
      ...more,
    ],
  });
  const place = (one: Json, other: Json) => {
    const { path: at, recorded: was, asked } = differenceOf(one, other, []);
    return [at, was, asked];
  };
  const [early, late] = ["03:04:05", "13:14:15"];

  expect(place(request(early, 42), request(late, 43))).toEqual([
    ...["messages[1].content", "Pay 42.", "Pay 43."],
  ]);
  // Where rules hide all of it, such as with --strict.
  expect(place(request(early, 42), request(late, 42))).toEqual([
    ...["messages[0].content", "At 03:04:05.", "At 13:14:15."],
  ]);
  const more = { role: "user", content: "More." };
  expect(place(request(early, 42), request(late, 42, more))).toEqual([
    "messages[2]",
    undefined,
    more,
  ]);
  expect(place(request(early, 42, more), request(late, 42))).toEqual([
    "messages[2]",
    more,
    undefined,
  ]);
  expect(place({ model: "a" }, { model: "b" })).toEqual(["model", "a", "b"]);
  expect(place({ a: { b: [1, 2] } }, { a: { b: [1, 3] } })).toEqual(["a.b[1]", 2, 3]);
  expect(place({ a: [1] }, { a: { b: 1 } })).toEqual(["a", [1], { b: 1 }]);
});

it("[WR6] it is told beside the recorded request that is most like it: of its path, of about its length, and alike longest", () => {
  const said = (...words: readonly string[]): Json => ({
    messages: words.map((content) => ({ role: "user", content })),
  });
  const all = [
    ...recorded(said("pay 1", "x"), said("look"), said("pay 2")),
    { api: "ollama", path, request: said("pay 33") },
    { api: "openai", path: "/responses", request: said("pay 34") },
  ];
  const answers = new RecordedAnswers(all, false, []);
  const near = (request: Json) => answers.nearest("openai", path, request)?.request;

  expect(near(said("pay 3"))).toEqual(said("pay 2"));
  expect(near(said("pay 1", "y"))).toEqual(said("pay 1", "x"));
  expect(answers.nearest("anthropic", path, said("pay 3"))).toBeUndefined();
});

it("[WR5] what went to another API or path is another request", () => {
  const answers = new RecordedAnswers(recorded(user("a")), false, []);

  expect(answers.take("ollama", path, user("a"))).toBeUndefined();
  expect(answers.take("openai", "/responses", user("a"))).toBeUndefined();
  expect(answers.take("openai", path, user("a"))).toBeDefined();
});
