// Logs written by hand of worlds with synt in which nothing came of what was wanted.
import { expect, it } from "vitest";
import { fruitless } from "../../../src/actors/synt/fruitless.ts";
import type { Delivery } from "../../../src/substrate/envelope.ts";
import { modelUse } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";
import { strangeEvent } from "../../mail.ts";

type Said = readonly [type: string, fields: object];
const pool: Said = ["actor.start", { machine: "pool", input: { executors: [] } }];
const turn = (id: string): Said => [
  "actor.start",
  { machine: "userTurn", input: { turn: id, says: "Sort." } },
];
const closed = (id: string, ok: boolean): Said => ["turn.closed", { turn: id, ok }];
const stated = (request: string, state: string, rationale: string): Said => [
  "synth.stated",
  { request, state, rationale, weighed: [], scored: null, artefact: null },
];

function found(all: readonly Said[], soFar = "", given: Partial<ReturnType<typeof modelUse>> = {}) {
  const log: Delivery[] = all.map(([type, fields], at) =>
    delivery({ seq: at + 1, to: "synt", event: strangeEvent(type, fields) }),
  );
  return fruitless({ deliveries: log, use: { ...modelUse(log, []), ...given }, soFar });
}

it("[VB30] nothing is said where a turn was answered and a request granted, or without a pool", () => {
  for (const state of ["delivered", "born", "fused", "generalised", "specialised"]) {
    expect(found([pool, stated("r-1", "abandoned", "no"), stated("r-2", state, "so")])).toEqual([]);
  }
  expect(found([pool, turn("a"), turn("b"), closed("a", false), closed("b", true)])).toEqual([]);
  expect(found([pool])).toEqual([]);
  expect(found([turn("a"), closed("a", false)])).toEqual([]);
});

it("[VB30] it is said of turns and of requests, the reasons once, with what had no end", () => {
  const log = [
    ...[pool, turn("a"), turn("b"), closed("a", false)],
    ...[stated("r-1", "abandoned", "too dear"), stated("r-2", "abandoned", "too dear")],
    ...[stated("r-3", "composing", "Looks for a chain.")],
  ];

  expect(found(log, " so far")).toEqual([
    {
      what: "Nothing came of what the user wanted so far: none of 2 turns was answered.",
      reasons: [
        "2 requests, abandoned: too dear.",
        "1 request, still composing: Looks for a chain.",
        "1 turn had no end when the run did.",
      ],
    },
    {
      what: "Nothing came of what synt was asked so far: none of 3 requests was granted.",
      reasons: [],
    },
  ]);
});

it("[VB30] of requests alone it is said with their reasons, of turns alone without any", () => {
  expect(found([pool, stated("r-1", "rejected", "no")])).toEqual([
    {
      what: "Nothing came of what synt was asked: the only request was not granted.",
      reasons: ["1 request, rejected: no."],
    },
  ]);
  expect(found([pool, turn("a"), closed("a", false)])).toEqual([
    {
      what: "Nothing came of what the user wanted: the only turn was not answered.",
      reasons: [],
    },
  ]);
});

it("[VB30] a model of whose answers none could be used is a reason, and one of which some could is none", () => {
  const log = [pool, turn("a"), closed("a", false)];
  const naming = { asked: 2, answered: 2, usable: 0, faults: [["no JSON", 2]] as const };
  const reasons = (usable: number) =>
    found(log, "", {
      ...{ asked: 3, answered: 3, usable, errors: [] },
      purposes: new Map([["synt.naming", naming]]) as never,
    })[0]?.reasons;

  expect([reasons(0), reasons(1)]).toEqual([
    ["3 answers, 0 usable: no JSON for synt.naming (2)."],
    [],
  ]);
});
