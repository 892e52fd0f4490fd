// One turn of the user: plan, have built, run, answer.

import { expect, it } from "vitest";
import type { Letter, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import type { Artefact, ProposalState } from "../../../../src/machines/synt/contract.ts";
import { policyWith } from "../../../builtIn.ts";
import { statecharts } from "../../../cast.ts";
import { mailIn } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

const { userTurn } = statecharts(policyWith({}));
const turn = () =>
  driven(userTurn, { turn: "t1", says: "sort my files", args: {}, case: null, budgetCents: null });
const plan = (steps: readonly string[]): MailOf<"plan.made"> => ({
  type: "plan.made",
  ...{ steps, towards: ["move_files"], known: ["read_files"], isReplayed: false, why: null },
});
const ended = (state: ProposalState, artefact: Artefact): MailOf<"synth.ended"> => ({
  type: "synth.ended",
  ...{ request: "req-0001", state, rationale: "tried it all", artefact },
});
const found = (name: string): MailOf<"executor.found"> => ({
  ...{ type: "executor.found", name, isLoaded: true, code: null },
});
const told = (letters: readonly Letter[]) =>
  mailIn(lettersTo(letters, "synt"), "user.told").map(({ text }) => text);

it("[SN55] what is missing leaves a proto-mnest and goes to synt", () => {
  const letters = turn().send(plan(["read_files", "sort_files"]));

  expect(lettersTo(letters, "pool")[0]?.event.type).toBe("proto.raised");
  expect(lettersTo(letters, "synt")[0]?.event).toMatchObject({
    type: "synth.requested",
    need: { name: "sort_files", from: "read_files", hints: ["move_files"] },
  });
});

it("[SN55] a chain stands in for the step before the gap and the gap", () => {
  const one = turn();
  one.send(plan(["read_files", "sort_files"]));
  one.send(ended("delivered", ["read_files", "group_files", "move_files"]));

  expect(one.context).toMatchObject({ steps: ["read_files", "group_files", "move_files"] });
  expect(one.value).toEqual({ running: "seeking" });
});

it("[SN55] without a plan it asks synt for what has no name yet, and runs what is born", () => {
  const one = turn();
  const letters = one.send(plan([]));

  expect(lettersTo(letters, "synt")[0]?.event).toMatchObject({
    ...{ type: "synth.requested", proto: null },
    need: { intent: "sort my files", name: "", from: null },
  });
  expect(lettersTo(letters, "pool")).toEqual([]);
  const born = { name: "sort_files", description: "", capabilities: [], profile: {}, tests: 4 };
  one.send(ended("born", born));
  expect(one.context).toMatchObject({ steps: ["sort_files"] });
});

it("[SN55] runs step by step, tells the pool each time, and answers", () => {
  const one = turn();
  one.send(plan(["read_files"]));
  one.send(found("read_files"));
  const letters = one.send({ type: "executor.ended", ok: true }, 40);

  expect(lettersTo(letters, "pool").map(({ event }) => event.type)).toEqual([
    ...["executor.ran", "chain.ran"],
  ]);
  expect(lettersTo(letters, "pool")[0]?.event).toMatchObject({ ok: true, ms: 40 });
  expect(told(letters)).toEqual(["Done with read_files."]);
});

it.each<[why: string, readonly MailEvent[]]>([
  ["the planner did not answer", [{ ...plan([]), why: "the planner did not answer" }]],
  ["tried it all", [plan(["sort_files"]), ended("abandoned", null)]],
  [
    "read_files failed: no reason given",
    [plan(["read_files"]), found("read_files"), { type: "executor.ended", ok: false }],
  ],
  ["read_files is not loaded", [plan(["read_files"]), { ...found("read_files"), isLoaded: false }]],
])("[SN55] never ends without a word: %s", (why, events) => {
  const one = turn();
  const letters = events.map((event) => one.send(event)).at(-1) ?? [];

  expect(one.ended).toBe(true);
  expect(told(letters)).toEqual([`I could not: ${why}.`]);
});

it("[SN62] a composed chain that is replayed without a word is said to the desk, as the pool granted it", () => {
  const steps = ["read_files", "move_files"];
  const letters = turn().send({ ...plan(steps), known: steps, isReplayed: true, unasked: 5 });

  expect(mailIn(lettersTo(letters, "synt"), "chain.replayed")).toEqual([
    { type: "chain.replayed", turn: "t1", intent: "sort my files", chain: steps, cleanRuns: 5 },
  ]);
  const planned = turn().send({ ...plan(steps), known: steps, isReplayed: true });
  expect(mailIn(lettersTo(planned, "synt"), "chain.replayed")).toEqual([]);
});
