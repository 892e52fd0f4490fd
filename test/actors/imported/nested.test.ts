// SPEC VW51 and VW52: which calls of a log lie within others, and how deep its picture draws them.
import { expect, it } from "vitest";
import { logPicture } from "../../../src/actors/imported/edge/picture.ts";
import { noKinship, parentsIn, type Ran, withinOf } from "../../../src/actors/imported/nested.ts";
import type { Lane } from "../../../src/contract/picture.ts";
import { spanText } from "../../../src/viewer/spanText.ts";

type Given = Partial<Ran> & Pick<Ran, "row">;

let seq = 0;
const run = (fromMs: number, toMs: number, given: Given): Ran => ({
  ...{ fromMs, toMs, caller: given.row, kind: "returned", id: null, parent: null },
  ...{ began: seq++, ended: seq++ },
  ...given,
});

function within(calls: readonly Ran[], ids: { readonly [id: string]: string | null } = {}) {
  const parents = parentsIn(noKinship());
  for (const [id, parent] of Object.entries(ids)) parents.note({ id, parent }, { seq: 0, atMs: 0 });
  const found = withinOf(calls, parents);
  return Object.fromEntries(calls.map((one) => [one.row, found.get(one)?.outer.row ?? null]));
}

it("[VW51] without parents a call lies within the last of another agent that encloses it", () => {
  const outer = run(0, 9, { row: "outer" });
  const [middle, inner] = [run(1, 8, { row: "middle" }), run(2, 7, { row: "inner" })];

  expect(within([inner, outer, middle])).toEqual({ outer: null, middle: "outer", inner: "middle" });
  // An agent's own calls at once stand side by side.
  expect(within([outer, run(1, 8, { row: "own", caller: "outer" })])).toMatchObject({ own: null });
  expect(within([outer, run(1, 8, { row: "lone", caller: null })])).toMatchObject({ lone: null });
});

it("[VW51] ends that touch enclose nothing", () => {
  const outer = run(2, 8, { row: "outer" });
  const of = (fromMs: number, toMs: number) =>
    within([outer, run(fromMs, toMs, { row: "one" })])["one"];

  expect([of(2, 7), of(3, 8), of(2, 8), of(8, 9), of(0, 2)]).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  expect(of(3, 7)).toBe("outer");
});

it("[VW51] parents say it before time does, as long as the call above still ran", () => {
  const ids = { root: null, a: "root", b: "root", agent: "a" };
  const a = run(0, 9, { row: "a", id: "a", parent: "root" });
  const b = run(1, 8, { row: "b", id: "b", parent: "root" });

  // By way of an agent's note. It may begin and end with its parent, or go on behind it; of what begins and ends at once, its result comes first.
  for (const [from, to] of [
    [2, 7],
    [0, 9],
    [8, 12],
  ] as const)
    expect(within([a, b, run(from, to, { row: "c", parent: "agent", ended: -1 })], ids)).toEqual({
      ...{ a: null, b: null, c: "a" },
    });
  // Its parent had ended.
  expect(within([a, b, run(9, 12, { row: "c", parent: "agent" })], ids)).toMatchObject({
    c: null,
  });
  // Another root: a helper's own thread, which only time puts there.
  const helper = run(2, 7, { row: "c", parent: "thread" });
  expect(within([a, b, helper], { ...ids, thread: null })).toMatchObject({ c: "b" });
});

it("[VW51] the run of an agent lasts from its note to the last record that belongs to it", () => {
  const parents = parentsIn(noKinship());
  const ids = (id: string | null, parent: string | null) => ({ id, parent });
  parents.note(ids("boss", null), { seq: 0, atMs: 0, who: "boss" });
  parents.note(ids("step", "boss"), { seq: 1, atMs: 1, who: "boss" });
  parents.note(ids("aide", "step"), { seq: 2, atMs: 2, who: "aide" });
  parents.note(ids("call", "aide"), { seq: 3, atMs: 5 });
  parents.note(ids("boss", null), { seq: 4, atMs: 7 });
  parents.note(ids("idle", "boss"), { seq: 5, atMs: 7, who: "idle" });
  const call = run(3, 5, { row: "call", parent: "aide", id: "call" });
  const runs = parents.runsBeside([call]);
  const found = withinOf([call, ...runs], parents);

  expect(
    runs.map(({ row, fromMs, toMs, began, ended }) => [row, fromMs, toMs, began, ended]),
  ).toEqual([
    ["boss", 0, 7, 0, 5],
    ["aide", 2, 5, 2, 3],
  ]);
  expect([call, ...runs].map((one) => found.get(one)?.outer.row)).toEqual([
    ...["aide", undefined, "boss"],
  ]);
  // A span that is told as a call is no run of its agent.
  parents.note(ids("other", null), { seq: 6, atMs: 8, who: "boss" });
  parents.note(ids("other", null), { seq: 7, atMs: 9 });
  expect(parents.runsBeside([run(8, 9, { row: "dig", id: "other" })])).toHaveLength(2);
});

it("[VW51] parents that go round in circles end", () => {
  const ids = { a: "b", b: "a" };
  const a = run(0, 9, { row: "a", id: "a", parent: "b" });
  const b = run(0, 9, { row: "b", id: "b", parent: "a" });

  expect(within([a, b], ids)).toEqual({ a: "b", b: null });
});

const drawn = (calls: readonly Ran[], more: object = {}, clock: "log" | "steps" = "log") => {
  const imported = {
    ...{ speakers: [], others: 0, moreCalls: 0, kinship: noKinship(), calls, ...more },
    tools: [...new Set(calls.map(({ row }) => row))].map((name) => ({ name })),
    points: [],
  };
  const story = { imported, moments: [] };
  return logPicture({ story: story as never, imported: { clock } });
};
const levels = (lanes: readonly Lane[]) =>
  Object.fromEntries(
    lanes.map((lane) => [
      lane.is === "row" ? lane.label : "",
      (lane.spans ?? []).map(({ under, within: of = "" }) =>
        [under?.level ?? 0, under?.label ?? "", of.replace(" (inferred from times)", "")]
          .join(" ")
          .trim(),
      ),
    ]),
  );

it("[VW51] what times alone say is said to be inferred", () => {
  const outer = run(0, 9, { row: "outer", id: "outer" });
  const inner = { row: "inner", id: "inner" };
  const kin = parentsIn(noKinship());
  kin.note({ id: "outer", parent: null }, { seq: 0, atMs: 0 });
  kin.note({ id: "inner", parent: "outer" }, { seq: 0, atMs: 0 });
  const stated = withinOf([outer, run(1, 8, { ...inner, parent: "outer" })], kin);
  const { lanes, nested } = drawn([outer, run(1, 8, inner)]);

  expect([...stated.values()].map((one) => one?.isInferred)).toEqual([undefined, false]);
  expect(nested?.map(([, , , isInferred]) => isInferred)).toEqual([true]);
  expect(JSON.stringify(lanes)).toContain('"within":"outer (inferred from times)"');
});

it("[VW52] below a call stands what lies within it, four levels in all; deeper ones are counted", () => {
  const calls = ["a", "b", "c", "d", "e"].map((row, at) => run(at, 20 - at, { row }));
  const four = drawn(calls.slice(0, 4));
  const five = drawn(calls);

  expect(levels(four.lanes)).toEqual({
    a: ["0", "1 b a", "2 c b", "3 d c"],
    b: ["0  a", "1 c b", "2 d c"],
    c: ["0  b", "1 d c"],
    d: ["0  c"],
  });
  expect(four.undrawn).toEqual([]);
  expect(levels(five.lanes)).toMatchObject({
    a: ["0", "1 b a", "2 c b", "3 d c"],
    b: ["0  a", "1 c b", "2 d c", "3 e d"],
  });
  expect(five.undrawn).toEqual(["1 call more than 4 deep"]);
  expect(five.nested).toEqual(
    calls.slice(1).map(({ began, ended }, at) => [began, ended, calls[at]?.began, true]),
  );
  expect(drawn(calls.slice(0, 1), { moreCalls: 2 }).undrawn).toEqual(["2 shorter calls not drawn"]);
});

it("[VW52] table and hovering say what a call lies within", () => {
  const own = { phase: "ran to a result", within: "task (inferred from times)" };

  expect(spanText(own)).toBe("ran to a result, within task (inferred from times)");
  expect(spanText({ ...own, under: { label: "dig", level: 1 } }, (name) => `<${name}>`)).toBe(
    "<dig>, ran to a result, within <task (inferred from times)>",
  );
});

it("[VW50] the run of an agent is drawn of a log with times alone", () => {
  const kinship = noKinship();
  const parents = parentsIn(kinship);
  parents.note({ id: "boss", parent: null }, { seq: 0, atMs: 0, who: "boss" });
  parents.note({ id: "boss", parent: null }, { seq: 1, atMs: 5 });
  const of = (clock: "log" | "steps") =>
    levels(drawn([], { kinship, speakers: [{ name: "boss" }] }, clock).lanes);

  expect([of("log"), of("steps")]).toEqual([{ boss: ["0"] }, { boss: [] }]);
});

it("[VW52] of more calls than are drawn, the shortest is left out and counted", () => {
  const calls = Array.from({ length: 2_001 }, (_, at) =>
    run(10 * at, 10 * at + (at === 0 ? 1 : 9), { row: "dig" }),
  );
  const { lanes, undrawn } = drawn(calls);
  const [lane] = lanes;

  expect(undrawn).toEqual(["1 shorter call not drawn"]);
  expect(lane?.spans?.some(({ fromMs }) => fromMs === 0)).toBe(false);
  expect(lane?.spans).toHaveLength(2_000);
});

it("[VW52] a tool that calls itself stands below its own call alone", () => {
  const calls = [run(0, 9, { row: "task", caller: "a" }), run(1, 8, { row: "task", caller: "b" })];

  expect(levels(drawn(calls).lanes)).toEqual({ task: ["0", "1 task task"] });
});
