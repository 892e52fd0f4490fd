// Turns of agents, from items of a log: whose each is, what begins it, and where they end.
import { expect, it } from "vitest";
import type { WorldItem } from "../../../src/actors/imported/worldItems.ts";
import { WorldNames } from "../../../src/actors/imported/worldNames.ts";
import { turnsOf } from "../../../src/actors/imported/worldTurns.ts";

let seqs = 0;
const place = () => {
  seqs += 1;
  return { seq: seqs, file: null, line: seqs, step: null, atMs: seqs };
};
const heard = (text: string, to: string | null = null): WorldItem => ({
  ...{ kind: "heard", to, text, ...place() },
});
const sent = (agent: string, text: string, to: string | null = null): WorldItem => ({
  ...{ kind: "sent", agent, to, text, ...place() },
});
const call = (agent: string, tool = "look"): WorldItem => ({
  ...{ kind: "call", agent, tool, args: {}, raw: null, outcome: null, ...place() },
});
const many = <T>(count: number, of: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, nth) => of(nth));

const turns = (items: readonly WorldItem[], most = 5_000) =>
  turnsOf({ items, beyond: null }, most, (text) => text);
const brief = (items: readonly WorldItem[]) =>
  turns(items).turns.map(({ id, agent, trigger, acts }) => [
    ...[id, agent, trigger?.text ?? null, trigger?.nth ?? null, acts.length],
  ]);

it("[IM85] a turn goes from a word to its agent until the next, and without one it is an opening", () => {
  expect(
    brief([
      call("ann"),
      call("ann"),
      heard("go"),
      call("ann"),
      call("bob"),
      heard("stop"),
      call("ann"),
    ]),
  ).toEqual([
    ["opening-1", "ann", null, null, 2],
    ["turn-1", "ann", "go", 1, 1],
    ["opening-2", "bob", null, null, 1],
    ["turn-2", "ann", "stop", 1, 1],
  ]);
});

it("[IM82] those that call are agents, and those that speak to one another; people are none", () => {
  const all = [heard("go"), sent("ann", "Hi", "bob"), sent("bob", "Hm", "ann"), call("cy")];

  expect(turns(all).agents).toEqual(["ann", "bob", "cy"]);
});

it("[IM82] an agent's name begins with a letter and has 31 characters at most, also of two that are cut alike", () => {
  const long = "a".repeat(40);
  const agents = WorldNames.ofAgents();

  expect(["9", long, `${long}b`].map((own) => agents.of(own))).toEqual([
    ...["agent-9", "a".repeat(31), `${"a".repeat(29)}-2`],
  ]);
});

it("[IM85] a plan of 20 steps is full, and the next goal goes on", () => {
  expect(brief([heard("go"), ...many(41, () => call("ann"))])).toEqual([
    ["turn-1", "ann", "go", 1, 20],
    ["more-1", "ann", null, null, 20],
    ["more-2", "ann", null, null, 1],
  ]);
});

it("[IM85] the n-th text that holds the words means the n-th of its kind to its agent", () => {
  const again = [heard("yes", "ann"), call("ann"), heard("yes, please", "ann"), call("ann")];

  expect(
    brief([...again, heard("yes", "bob"), call("bob"), heard("yes", "ann"), call("ann")]),
  ).toEqual([
    ["turn-1", "ann", "yes", 1, 1],
    ["turn-2", "ann", "yes, please", 1, 1],
    ["turn-3", "bob", "yes", 1, 1],
    ["turn-4", "ann", "yes", 3, 1],
  ]);
});

it("[IM85] a goal knows a text by its first 200 characters, up to what could be a place", () => {
  const trigger = (text: string) => turns([heard(text), call("ann")]).turns[0]?.trigger?.text;

  expect(trigger("x".repeat(201))).toBe("x".repeat(200));
  expect(trigger("for {agent} and {n}")).toBe("for {agent");
  expect(trigger("for {Agent} {")).toBe("for {Agent} {");
  expect(trigger("")).toBe("(no words)");
});

it("[IM84] a word of people is for whom it names, else for who acts next, at the end of the log for who acted last", () => {
  const to = (items: readonly WorldItem[]) => turns(items).events.map(({ agent }) => agent);

  expect(to([call("ann"), heard("go"), call("bob"), heard("stop")])).toEqual(["bob", "bob"]);
  expect(to([heard("go", "ann"), call("bob"), call("ann")])).toEqual(["ann"]);
  expect(to([heard("go", "nobody"), call("bob")])).toEqual(["bob"]);
  expect(to([heard("go")])).toEqual([]);
  expect(turns([heard("go"), heard("on"), call("ann")]).events.map(({ id }) => id)).toEqual([
    "turn-1",
    "turn-2",
  ]);
});

it("[IM87] a message to an agent by name begins its turn; to people, itself or nobody who acts it is unheard", () => {
  const talk = [call("ann"), sent("ann", "over", "bob"), call("bob"), sent("bob", "done", "ann")];
  const { unheard, agents } = turns([
    ...talk,
    sent("ann", "hm", "ann"),
    sent("ann", "bye", "user"),
  ]);

  expect([unheard, agents]).toEqual([2, ["ann", "bob"]]);
  expect(brief([...talk, call("ann")])).toEqual([
    ["opening-1", "ann", null, null, 2],
    ["message-1", "bob", "over", 1, 2],
    ["message-2", "ann", "done", 1, 1],
  ]);
});

it("[IM87] a word to nobody by name is for the next other agent within 100 records, unless it goes on itself or people speak", () => {
  const isHeard = (...between: readonly WorldItem[]) =>
    turns([sent("ann", "over"), ...between, call("bob")]).unheard === 0;

  expect(isHeard()).toBe(true);
  expect(isHeard(sent("ann", "to bob", "bob"))).toBe(true);
  expect(isHeard(call("ann"))).toBe(false);
  expect(isHeard(heard("wait", "bob"))).toBe(false);
  expect(isHeard(...many(99, () => sent("ann", "so", "bob")))).toBe(true);
  expect(isHeard(...many(100, () => sent("ann", "so", "bob")))).toBe(false);
  expect(turns([sent("ann", "over")]).unheard).toBe(1);
});

it.each([
  ["50 agents", 50, (n: number) => [heard("go"), call(`a${n}`)].slice(1)],
  ["1000 tools", 1_000, (n: number) => [call("ann", `t${n}`)]],
  ["500 turns", 500, (n: number) => [heard(`go ${n}`), call("ann")]],
])("[IM89] after %s a scenario ends, and it is said why", (why, most, of) => {
  const ends = (count: number) => turns(many(count, of).flat()).stopped?.why;

  expect(ends(most)).toBeUndefined();
  expect(ends(most + 1)).toBe(why);
});

it("[IM89] so many calls and messages, words of people and characters are taken, and no more", () => {
  const words = many(2_001, (n) => heard(`go ${n}`, "ann"));
  const chars = (count: number) => [call("ann"), heard("x".repeat(count), "ann"), call("ann")];
  const why = (items: readonly WorldItem[], most?: number) => turns(items, most).stopped?.why;

  expect(why([call("a"), call("a"), call("a")], 3)).toBeUndefined();
  expect(why([call("a"), call("a"), call("a"), call("a")], 3)).toBe("3 calls and messages");
  expect(why([call("ann"), ...words.slice(1)])).toBeUndefined();
  expect(why([call("ann"), ...words])).toBe("2000 words of people");
  expect(why(chars(400_000))).toBeUndefined();
  expect(why(chars(400_001))).toBe("400001 characters");
  const beyond = { first: place(), calls: 1 };
  expect(turnsOf({ items: [], beyond }, 9, (text) => text).stopped).toEqual({
    ...{ item: beyond.first, why: "what fits into memory" },
  });
});
