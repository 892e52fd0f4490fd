// One request of the cascade, driven by hand.

import { describe, expect, it } from "vitest";
import type { Letter, MailOf } from "../../../../src/machines/letter.ts";
import type { Draft } from "../../../../src/machines/synt/contract.ts";
import { policyWith } from "../../../builtIn.ts";
import { statecharts } from "../../../cast.ts";
import { mailOf } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

const { synthesisRequest } = statecharts(policyWith({}));
const material = { members: [], chain: [], hot: null, vetoes: [], covers: [] };
const input = {
  request: "req-0001",
  mode: "reactive",
  proto: "proto/move_files_pdf",
  need: {
    intent: "file the PDFs",
    name: "move_files_pdf",
    from: "read_files",
    hints: ["move_files"],
  },
  budgetCents: 500,
  strategy: null,
  material,
  revision: null,
  coder: { provider: "llamacpp", model: "Qwen3.6-35B" },
};
const shown = (name: string) => ({
  ...{ name, version: "1", description: name, takes: [], gives: [], profile: {}, shape: {} },
  meanMs: 400,
  meanCost: 0,
});
const pool: MailOf<"pool.answered"> = {
  type: "pool.answered",
  executors: [shown("read_files"), shown("move_files")],
  edges: [{ from: "read_files", to: "move_files", weight: 900_000_000, seen: { ok: 9, runs: 9 } }],
  uncovered: ["move_files_pdf"],
  cleanRuns: {},
};
const judged = (score: number, violates: string | null = null): MailOf<"paid.ended"> => ({
  type: "paid.ended",
  call: "synt/req-0001/judge-1",
  text: JSON.stringify({ score, reasoning: "so", violates }),
  why: null,
  error: null,
  cost: 0,
});
const decided = (decision: string): MailOf<"person.decided"> => ({
  ...{ type: "person.decided", decision },
});
const draft: Draft = {
  ...{ name: "move_files_pdf", version: "1", description: "moves", takes: [], gives: [] },
  ...{ profile: {}, shape: {}, revertible: false, critical: false, targetKind: "none" },
  ...{ argsSchema: {}, capabilities: [], reversePattern: null, tests: [], affinity: [], code: "x" },
};
const made: MailOf<"draft.ended"> = {
  type: "draft.ended",
  ...{ ok: true, draft, passed: 4, run: 4, meanMs: 3, cost: 0, why: null, error: null },
};
const compared: MailOf<"embed.replied"> = { type: "embed.replied", vectors: { moves: [1, 0] } };
const signed: MailOf<"sign.signed"> = { type: "sign.signed", signature: "ab", key: "cd" };
const admitted: MailOf<"pool.admitted"> = { type: "pool.admitted", ok: true, why: null };

const states = (letters: readonly Letter[]) =>
  lettersTo(letters, "synt").map((one) => mailOf(one, "synth.stated").state);
const rationaleIn = (letters: readonly Letter[]) =>
  mailOf(lettersTo(letters, "synt").at(-1), "synth.stated").rationale;

describe("the reactive cascade", () => {
  it("[SN61] composes first, and writes nothing when the chain is granted", () => {
    const request = driven(synthesisRequest, input);
    expect(states(request.letters)).toEqual(["composing"]);
    request.send(pool);
    expect(states(request.send(judged(0.6)))).toEqual(["composed"]);

    expect(states(request.send(decided("approve")))).toEqual(["delivered"]);
  });

  it("[SN61] generates when there is no chain, and when its R misses the threshold", () => {
    const without = driven(synthesisRequest, input);
    expect(states(without.send({ ...pool, edges: [] }))).toEqual(["generating"]);

    const weak = driven(synthesisRequest, input);
    weak.send({
      ...pool,
      edges: pool.edges.map((edge) => ({ ...edge, seen: { ok: 1, runs: 9 } })),
    });
    const letters = weak.send(judged(0.1));
    expect(states(letters)).toEqual(["generating"]);
    expect(rationaleIn(letters)).toContain("below the threshold");
  });

  it("[SN61] gives up with what it tried and on what that failed", () => {
    const request = driven(synthesisRequest, input);
    request.send({ ...pool, edges: [] });
    const letters = request.send({ ...made, ok: false, draft: null, why: "birth test empty" });

    expect(states(letters)).toEqual(["abandoned"]);
    expect(rationaleIn(letters)).toMatch(
      /tried to compose with 2 executors.*tried to generate.*empty/,
    );
  });

  it("[SN61, SN19] asks for nothing that is covered already", () => {
    const request = driven(synthesisRequest, input);
    const letters = request.send({
      ...pool,
      executors: [...pool.executors, shown("move_files_pdf")],
    });

    expect(states(letters)).toEqual(["delivered"]);
  });

  it("[SN61] turns a breach of the constitution down whatever its score", () => {
    const request = driven(synthesisRequest, input);
    request.send(pool);
    const letters = request.send(judged(1, "it reaches more than it needs"));

    expect(lettersTo(letters, "synt").at(-1)?.event).toMatchObject({
      state: "abandoned",
      error: "ConstitutionViolation",
    });
  });
});

describe("the human gate", () => {
  const atTheGate = () => {
    const request = driven(synthesisRequest, input);
    for (const event of [{ ...pool, edges: [] }, made, compared]) request.send(event);
    request.send(judged(0.9));
    return request;
  };

  it("[SN62] grants, and only then anything is signed and offered", () => {
    const request = atTheGate();
    expect(request.value).toEqual({ generating: "deciding" });
    expect(request.letters.map(({ to }) => to)).not.toContain("port/sign");
    expect(request.send(decided("approve")).map(({ to }) => to)).toContain("port/sign");
    expect(request.send(signed).map(({ to }) => to)).toContain("pool");

    expect(states(request.send(admitted))).toEqual(["born"]);
  });

  it("[SN69] a proposal says in three lines why it is made, why so, and what it is worth", () => {
    const request = driven(synthesisRequest, input);
    request.send({ ...pool, edges: [] });
    for (const event of [made, compared]) request.send(event);
    const letters = request.send(judged(0.9));
    const lines = rationaleIn(letters).split("\n");

    expect(lines[0]).toBe(
      'Here: a user asked "file the PDFs" and move_files_pdf was missed behind read_files.',
    );
    expect(lines[1]).toMatch(/^Why: tried to compose with 2 executors: .*; so generate: .*4 of 4/);
    expect(lines[2]).toBe("Worth: R 0.780 against the threshold of 0.650, for 0.00 ct.");
    const [question] = lettersTo(letters, "port/person.decide");
    expect(mailOf(question, "person.asked").dossier).toMatchObject({
      rationale: lines.join("\n"),
    });
  });

  it("[SN62] is silent: nothing is granted", () => {
    const request = atTheGate();

    expect(states(request.fire("gateTimeout"))).toEqual(["abandoned"]);
    const chain = driven(synthesisRequest, input);
    for (const event of [pool, judged(0.6)]) chain.send(event);
    expect(states(chain.fire("gateTimeout"))).toEqual(["abandoned"]);
  });

  it("[SN62] asks for a change, three times at most", () => {
    const request = atTheGate();
    for (const _ of [1, 2, 3]) {
      request.send({ ...decided("amend"), feedback: "shorter" });
      expect(request.value).toEqual({ generating: "drafting" });
      for (const event of [made, compared, judged(0.9)]) request.send(event);
    }

    const letters = request.send(decided("amend"));
    expect(states(letters)).toEqual(["abandoned"]);
    expect(rationaleIn(letters)).toContain("revised 3 times already");
  });

  it("[SN62] asks for a chain after all, and gets one", () => {
    const request = atTheGate();

    const letters = request.send({ ...decided("amend"), feedback: "chain", target: "compose" });
    expect(states(letters)).toEqual(["composing"]);
  });

  it("[SN70] revise() amends what waits at the gate, and the audit says so", () => {
    const request = atTheGate();
    const letters = request.send({ type: "synth.revised", feedback: "shorter", target: null });

    expect(states(letters)).toEqual(["generating"]);
    expect(rationaleIn(letters)).toBe("the person asks for a change: shorter");
    expect(request.value).toEqual({ generating: "drafting" });
  });

  it("[SN70] what is taken up again knows the person's word, and skips the chain if told to", () => {
    const revision = { request: "req-0007", feedback: "keep the order", target: "generate" };
    const request = driven(synthesisRequest, { ...input, revision });

    const letters = request.send(pool);
    expect(states(letters)).toEqual(["generating"]);
    expect(mailOf(lettersTo(letters, "kernel").at(-1), "actor.start").input).toMatchObject({
      feedback: "keep the order",
    });
  });

  it("[SN62] is passed by a chain that ran clean often enough, and that is said", () => {
    const full = statecharts(policyWith({ "synt.compose.autonomy": "full" })).synthesisRequest;
    const request = driven(full, input);
    request.send({ ...pool, cleanRuns: { "read_files → move_files": 5 } });
    const letters = request.send(judged(0.6));

    expect(states(letters)).toEqual(["composed", "delivered"]);
    expect(rationaleIn(letters)).toContain("without asking");
    const once = driven(full, input);
    once.send({ ...pool, cleanRuns: { "read_files → move_files": 4 } });
    expect(states(once.send(judged(0.6)))).toEqual(["composed"]);
    const supervised = driven(synthesisRequest, input);
    supervised.send({ ...pool, cleanRuns: { "read_files → move_files": 5 } });
    expect(states(supervised.send(judged(0.6)))).toEqual(["composed"]);
  });
});

describe("the introspective strategies", () => {
  const nightly = (strategy: string, more: object = {}) =>
    driven(synthesisRequest, {
      ...{ ...input, mode: "introspective", strategy },
      material: { ...material, members: ["read_files"], ...more },
    });

  it.each<[string, object, string]>([
    [
      "merge",
      { members: ["read_a", "read_b"], chain: ["read_a", "read_b"] },
      "read_a and read_b are used together, by their traces",
    ],
    [
      "specialise",
      { hot: { value: "csv", uses: 38, of: 40 } },
      "38 of 40 uses of read_files are the case csv",
    ],
    ["generate", { chain: ["a", "b"] }, "a → b came back often enough to be one executor"],
    ["generate", { members: [] }, "move_files_pdf was missed again and again"],
    ["generate", { members: [], covers: ["x", "y"] }, "x, y was missed again and again"],
    ["generate", { members: [], chain: ["a"] }, "a came back often enough to be one executor"],
    ["generalise", {}, "read_files have one shape, and move_files_pdf of their family is missed"],
  ])("[SN69] the first line of a proposal of the night to %s, of %j: %s", (strategy, of, line) => {
    const request = nightly(strategy, of);
    const executors = ["read_files", "read_a", "read_b", "a", "b"].map(shown);
    for (const event of [{ ...pool, executors }, made, compared]) request.send(event);
    const [question] = lettersTo(request.send(judged(0.9)), "synt").slice(-1);

    expect(mailOf(question, "gate.asked").dossier).toMatchObject({
      rationale: expect.stringMatching(new RegExp(`^Here: ${line}\\.\n`)),
    });
  });

  it.each([
    ["merge", "fused"],
    ["generalise", "generalised"],
    ["specialise", "specialised"],
    ["generate", "born"],
  ])("[SN63] %s ends as %s", (strategy, end) => {
    const request = nightly(strategy);
    for (const event of [pool, made, compared, judged(0.9), decided("approve"), signed]) {
      request.send(event);
    }

    expect(states(request.send(admitted))).toEqual([end]);
  });

  it("[SN69] a proposal that is left undecided is suspended when its request gives up waiting", () => {
    const request = nightly("generate");
    for (const event of [pool, made, compared, judged(0.9)]) request.send(event);

    expect(states(request.fire("gateTimeout"))).toEqual(["suspended"]);
  });

  it("[SN63] a veto suspends it, and nobody is asked", () => {
    const request = nightly("merge", { vetoes: ["fs:write differs"] });

    expect(states(request.letters)).toEqual(["proposed", "suspended"]);
    expect(request.letters.map(({ event }) => event.type)).not.toContain("gate.asked");
  });

  it("[SN73] what reaches further than its sources is suspended, and nobody is asked", () => {
    const request = nightly("merge");
    request.send(pool);
    const profile = { "net:read": ["*"], "net:write": ["*"] };
    const letters = request.send({ ...made, draft: { ...draft, profile } });

    expect(states(letters)).toEqual(["suspended"]);
    expect(rationaleIn(letters)).toContain(
      "it would reach net:read, net:write, which none of read_files may",
    );
    const chained = nightly("generate", { members: [], chain: ["read_files", "move_files"] });
    chained.send(pool);
    const other = chained.send({ ...made, draft: { ...draft, profile: { "net:read": ["*"] } } });
    expect(states(other)).toEqual(["suspended"]);
  });

  it("[SN73] one foreign kind among those of its sources suspends it, before the person is asked", () => {
    const own = { "fs:read": ["~/a/"] };
    const ending = (profile: object) => {
      const request = nightly("merge", { members: ["read_files", "sort_files"] });
      // What one of them may is enough.
      const executors = [{ ...shown("read_files"), profile: own }, shown("sort_files")];
      request.send({ ...pool, executors });
      const letters = [...request.send({ ...made, draft: { ...draft, profile: { ...profile } } })];
      return [states(letters), letters.map(({ event }) => event.type).includes("gate.asked")];
    };

    expect(ending({ "fs:read": ["*"], "net:read": ["*"] })).toEqual([["suspended"], false]);
    expect(ending({ "fs:read": ["*"] })).toEqual([[], false]);
  });

  it("[SN73] what reaches as far gets the targets of its sources", () => {
    const request = nightly("merge", { members: ["read_files", "move_files"] });
    const reaching = (name: string, folder: string) => ({
      ...shown(name),
      profile: { "fs:read": [folder] },
    });
    const executors = [reaching("read_files", "~/a/"), reaching("move_files", "~/b/")];
    request.send({ ...pool, executors });
    const files = { ...draft, profile: { "fs:read": ["*"] } };
    for (const event of [{ ...made, draft: files }, compared]) request.send(event);
    const [question] = lettersTo(request.send(judged(0.9)), "synt").slice(-1);

    expect(mailOf(question, "gate.asked").dossier).toMatchObject({
      artefact: { profile: { "fs:read": ["~/a/", "~/b/"] } },
    });
  });

  it("[SN63] without a measured benefit nothing is specialised", () => {
    const hot = { value: "csv", uses: 38, of: 40 };
    const request = nightly("specialise", { hot });
    request.send(pool);

    expect(states(request.send({ ...made, meanMs: 390 }))).toEqual(["abandoned"]);
  });

  it("[SN44] a general one whose runs cost is specialised for its price alone", () => {
    const hot = { value: "csv", uses: 38, of: 40 };
    const request = nightly("specialise", { hot });
    const executors = [{ ...shown("read_files"), meanCost: 2_000_000 }];
    request.send({ ...pool, executors });

    request.send({ ...made, meanMs: 400 });
    expect(request.value).toEqual({ proposed: "comparing" });
  });

  it("[SN63] turned down is rejected", () => {
    const request = nightly("merge");
    for (const event of [pool, made, compared, judged(0.9)]) request.send(event);

    expect(states(request.send(decided("discard")))).toEqual(["rejected"]);
  });
});
