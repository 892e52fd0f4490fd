// What a person decided, as what weights are fitted to; from logs written by hand.
import { expect, it } from "vitest";
import { decisionsIn } from "../../../src/actors/synt/decisions.ts";
import { ALL, NONE } from "../../../src/machines/synt/score/exactShare.ts";
import { reward } from "../../../src/machines/synt/score/reward.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { policyWith } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

const scored = reward(
  { strategy: "compose", det: ALL, judge: NONE, cost: ALL, cosine: 0, coverage: NONE },
  policyWith({}).synt.reward,
);
const dossier = { reward: scored, artefact: ["read", "sort"] };
const line = {
  ...{ strategy: "compose", what: "read → sort", total: scored.total },
  terms: {
    ...{ det_pass_rate: ALL, judge_score: NONE, cost_ratio: ALL, similarity_penalty: NONE },
    ...{ coverage_bonus: NONE, strategy_cost_bonus: ALL },
  },
};

type Said = readonly [type: string, fields: object, given?: Partial<Delivery>];
const decided = (...log: readonly Said[]) =>
  decisionsIn(
    log.map(([type, fields, given], at) =>
      delivery({ seq: at + 1, ...given, event: strangeEvent(type, fields) }),
    ),
  );
const asked = (purpose: string, request: string, more: object = dossier): Said => [
  "person.asked",
  { purpose, request, dossier: more },
];
const said = (word: object, re: number, given: Partial<Delivery> = {}): Said => [
  "person.decided",
  word,
  { re, ...given },
];
const brief = (...log: readonly Said[]) =>
  decided(...log).map(({ request, delivery: seq, verdict }) => [request, seq, verdict]);

it("[ST90] has strategy, terms in exact shares, and what it was", () => {
  const words = (word: string) => [asked("chain", "r"), said({ decision: word }, 1)] as const;

  expect(decided(...words("approve"))).toEqual([
    { request: "r", delivery: 2, verdict: "approve", ...line },
  ]);
  expect(["approve", "discard", "amend", "later"].map((word) => brief(...words(word)))).toEqual([
    ...[[["r", 2, "approve"]], [["r", 2, "discard"]], [["r", 2, "amend"]], []],
  ]);
  const of = (artefact: unknown) =>
    decided(asked("executor", "r", { ...dossier, artefact }), said({ decision: "amend" }, 1));
  expect([{ name: "sort" }, null].map((one) => of(one)[0]?.what)).toEqual(["sort", ""]);
});

it("[ST90] each proposal of a dossier is one, with the word on it; of money none is", () => {
  const proposals = ["r-1", "r-2", "r-3"].map((request) => ({ request, dossier }));
  const words = { decisions: [{ request: "r-2", decision: "discard" }] };

  expect(
    brief(["person.asked", { purpose: "proposals", dossier: { proposals } }], said(words, 1)),
  ).toEqual([["r-2", 2, "discard"]]);
  expect(brief(asked("soft-cap", "r"), said({ decision: "approve" }, 1))).toEqual([]);
});

it("[ST90] what was not scored, not asked or not heard is none", () => {
  expect(brief(asked("chain", "r", {}), said({ decision: "approve" }, 1))).toEqual([]);
  expect(brief(asked("chain", "r"), said({ decision: "approve" }, 9))).toEqual([]);
  expect(brief(asked("chain", "r"), said({ decision: "approve" }, 1, { fate: "stale" }))).toEqual(
    [],
  );
});

it("[ST90] a scored chain that was delivered without a word is told as unasked", () => {
  const stated = (more: object = {}, given: Partial<Delivery> = {}): Said => [
    "synth.stated",
    {
      ...{ request: "r", state: "delivered", strategy: "compose", scored: { reward: scored } },
      ...{ artefact: ["read", "sort"], ...more },
    },
    given,
  ];

  expect(decided(stated())).toEqual([{ request: "r", delivery: 1, verdict: "unasked", ...line }]);
  for (const other of [{ state: "composed" }, { strategy: "merge" }, { scored: null }]) {
    expect(decided(stated(other))).toEqual([]);
  }
  expect(decided(stated({}, { fate: "ignored" }))).toEqual([]);
  expect(brief(asked("chain", "r"), said({ decision: "approve" }, 1), stated())).toEqual([
    ["r", 2, "approve"],
  ]);
  // One that was sent back, and granted later.
  expect(brief(asked("chain", "r"), said({ decision: "amend" }, 1), stated())).toEqual([
    ["r", 2, "amend"],
    ["r", 3, "unasked"],
  ]);
  expect(brief(asked("chain", "q"), said({ decision: "amend" }, 1), stated())).toEqual([
    ["q", 2, "amend"],
    ["r", 3, "unasked"],
  ]);
});
