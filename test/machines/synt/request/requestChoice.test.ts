// Which proposal of a request is taken: chain after chain, then chain or executor by R.

import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import type { Letter, MailOf } from "../../../../src/machines/letter.ts";
import type { Draft } from "../../../../src/machines/synt/contract.ts";
import { unserved } from "../../../../src/machines/synt/request/requestChoice.ts";
import { policyWith } from "../../../builtIn.ts";
import { statecharts } from "../../../cast.ts";
import { mailOf } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

const input = {
  ...{ request: "req-0001", mode: "reactive", proto: "proto/move_files_pdf" },
  need: {
    ...{ intent: "file the PDFs", name: "move_files_pdf" },
    ...{ from: "read_files", hints: ["move_files"] },
  },
  ...{ budgetCents: 500, strategy: null, revision: null },
  material: { members: [], chain: [], hot: null, vetoes: [], covers: [] },
  coder: { provider: "llamacpp", model: "Qwen3.6-35B" },
};
const shown = (name: string) => ({
  ...{ name, version: "1", description: name, takes: [], gives: [], profile: {}, shape: {} },
  ...{ meanMs: 400, meanCost: 0 },
});
const hop = (from: string, to: string, weight: number, ok: number) => ({
  ...{ from, to, weight: weight * 1_000_000, seen: { ok, runs: 10 } },
});
/** Three chains from read_files to move_files: by sort_files, by group_files, and at once. */
const pool: MailOf<"pool.answered"> = {
  type: "pool.answered",
  executors: ["read_files", "sort_files", "group_files", "move_files"].map(shown),
  edges: [
    ...[hop("read_files", "sort_files", 900, 2), hop("sort_files", "move_files", 900, 10)],
    ...[hop("read_files", "group_files", 700, 9), hop("group_files", "move_files", 700, 10)],
    hop("read_files", "move_files", 500, 10),
  ],
  ...{ uncovered: ["move_files_pdf"], cleanRuns: {} },
};
const judged = (score: number, more: object = {}): MailOf<"paid.ended"> => ({
  ...{ type: "paid.ended", call: "synt/req-0001/judge-1", why: null, error: null, cost: 0 },
  text: JSON.stringify({ score, reasoning: "so", violates: null, ...more }),
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
const compared: MailOf<"embed.replied"> = {
  type: "embed.replied",
  vectors: { moves: [1, 0], group_files: [4, 3] },
};

const requestWith = (policy: { readonly [path: string]: PolicyValue }, given: object = {}) =>
  driven(statecharts(policyWith(policy)).synthesisRequest, { ...input, ...given });
const stated = (letters: readonly Letter[]) =>
  lettersTo(letters, "synt").map((one) => mailOf(one, "synth.stated"));
const states = (letters: readonly Letter[]) => stated(letters).map(({ state }) => state);
const weighedIn = (letters: readonly Letter[]) =>
  stated(letters).flatMap(({ weighed }) =>
    weighed.map(({ artefact, scored }) => [artefact, scored.reward.total, scored.reward.passes]),
  );
const asked = (letters: readonly Letter[]) =>
  lettersTo(letters, "port/person.decide").map((one) => mailOf(one, "person.asked").dossier);
const chain = (...middle: string[]) => ["read_files", ...middle, "move_files"];

describe("chain after chain", () => {
  it("[SN77] the next chain is scored when one misses the threshold, and every R is told", () => {
    const request = requestWith({});
    request.send(pool);
    const between = request.send(judged(0.2));
    expect(states(between)).toEqual([]);
    expect(request.value).toEqual({ composing: "judging" });

    const letters = request.send(judged(0.2));
    expect(states(letters)).toEqual(["composed"]);
    expect(weighedIn(letters)).toEqual([
      [chain("sort_files"), [23, 50], false],
      [chain("group_files"), [141, 200], true],
    ]);
    expect(stated(letters)[0]?.rationale).toContain(
      "tried to compose read_files → sort_files → move_files: R 0.460 is below the threshold; so compose",
    );
  });

  it("[SN77] as many as the policy says, then an executor is written", () => {
    const two = requestWith({ "synt.compose.chainsMax": 2, "synt.reward.gate": 900 });
    two.send(pool);
    two.send(judged(0));

    const letters = two.send(judged(0));
    expect(states(letters)).toEqual(["generating"]);
    expect(weighedIn(letters)).toHaveLength(2);
    const one = requestWith({ "synt.compose.chainsMax": 1 });
    one.send(pool);
    expect(states(one.send(judged(0)))).toEqual(["generating"]);
  });

  it("[SN28] a walk that ends after so many paths says so where it has found no chain", () => {
    const request = requestWith({ "synt.compose.pathsMax": 1 });

    const [event] = stated(request.send(pool));
    expect([event?.state, event?.rationale]).toEqual([
      "generating",
      expect.stringMatching(/no chain .*; the walk was cut short$/),
    ]);
  });

  it("[SN76] a refused chain leaves its names, every term and its R, once", () => {
    const request = requestWith({ "synt.compose.chainsMax": 1 });
    request.send(pool);

    const [event] = stated(request.send(judged(0)));
    const [weighed] = event?.weighed ?? [];
    expect(weighed?.artefact).toEqual(chain("sort_files"));
    expect(weighed?.scored.reward.terms).toEqual({
      ...{ det: [1, 5], judge: [0, 1], cost: [1, 1] },
      ...{ similarity: [0, 1], coverage: [1, 1], bonus: [1, 1] },
    });
    const later = request.send({ ...made, ok: false, draft: null, why: "no" });
    expect(weighedIn(later)).toEqual([]);
    const passed = requestWith({});
    for (const event of [pool, judged(0.2)]) passed.send(event);
    expect(weighedIn(passed.send(judged(0.2)))).toHaveLength(2);
    expect(weighedIn(passed.send(decided("discard")))).toEqual([]);
  });
});

/** R of the executor that is written where no chain passes, in a pool with its twin. */
function rewardOfExecutor({
  members = [] as string[],
  covers = [] as string[],
  uncovered = pool.uncovered,
}) {
  const material = { ...input.material, members, covers };
  const request = requestWith({ "synt.compose.chainsMax": 1 }, { material });
  const twin = { ...shown("sort_files"), description: "moves" };
  const executors = pool.executors.map((one) => (one.name === twin.name ? twin : one));
  for (const event of [{ ...pool, executors, uncovered }, judged(0), made, compared]) {
    request.send(event);
  }
  const [scored] = stated(request.send(judged(0.9))).flatMap(({ weighed }) => weighed);
  return scored?.scored.reward;
}
const termsOfExecutor = (given: Parameters<typeof rewardOfExecutor>[0]) =>
  rewardOfExecutor(given)?.terms;

describe("the terms of an executor", () => {
  it("[SN6] a twin in the pool costs the penalty, unless the executor would replace it; the cosine is kept", () => {
    expect(termsOfExecutor({})?.similarity).toEqual([1, 1]);
    expect(termsOfExecutor({ members: ["sort_files"] })?.similarity).toEqual([0, 1]);
    expect(termsOfExecutor({ members: ["read_files", "sort_files"] })?.similarity).toEqual([0, 1]);
    expect(rewardOfExecutor({ members: ["sort_files"] })?.cosine).toBe(800_000_000);
  });

  it("[SN7] the family is the names that begin with the need's verb and object", () => {
    const uncovered = [
      "move_files_pdf",
      "move_files_txt",
      "move_files",
      "move_notes",
      "move_filesx",
    ];
    expect(termsOfExecutor({ uncovered })?.coverage).toEqual([1, 3]);
    expect(termsOfExecutor({ uncovered, covers: ["move_files_txt"] })?.coverage).toEqual([2, 3]);
    expect(termsOfExecutor({ uncovered: ["move_notes"] })?.coverage).toEqual([0, 1]);
  });
});

const best = { "synt.compare": "best" };

/** With both scored: a chain of .845 and an executor judged at `score`. */
function bothScored(score: number, more: object = {}) {
  const request = requestWith({ ...best, "synt.compose.chainsMax": 3 });
  for (const event of [pool, judged(0), judged(0.9), made, compared]) request.send(event);
  return { request, letters: request.send(judged(score, more)) };
}

describe("compare: best", () => {
  it("[SN78] a chain that passes waits for an executor; nobody is asked, nothing signed", () => {
    const request = requestWith(best);
    request.send(pool);
    request.send(judged(0));

    expect(states(request.send(judged(0.2)))).toEqual(["generating"]);
    for (const event of [made, compared]) request.send(event);
    const sent = request.letters.map(({ to }) => to);
    expect(sent).not.toContain("port/person.decide");
    expect(sent).not.toContain("port/sign");
  });

  it("[SN78] with `first`, the default, the chain is taken as it passes", () => {
    const request = requestWith({});
    request.send(pool);
    request.send(judged(0));

    expect(states(request.send(judged(0)))).toEqual(["composed"]);
  });

  it("[SN78] the better of the two is asked about: the chain, at the same R as well", () => {
    const { letters } = bothScored(0.9);
    expect(states(letters)).toEqual(["composed"]);
    expect(asked(letters)).toMatchObject([{ artefact: chain("group_files") }]);
    expect(weighedIn(letters)).toEqual([["move_files_pdf", [39, 50], true]].map(named));

    const equal = requestWith({ ...best, "synt.reward.bonus.generate": 1000 });
    const direct = pool.edges.slice(-1);
    for (const event of [{ ...pool, edges: direct }, judged(0.5), made, compared]) {
      equal.send(event);
    }
    expect(states(equal.send(judged(0.5)))).toEqual(["composed"]);
  });

  it("[SN78] a chain that the person wants is compared with nothing", () => {
    const revision = { request: "req-0000", feedback: null, target: "compose" };
    const composed = requestWith(best, { revision });
    composed.send(pool);
    composed.send(judged(0));
    expect(states(composed.send(judged(0.2)))).toEqual(["composed"]);
  });

  it("[SN78] the better of the two is asked about: the executor", () => {
    const request = requestWith({ ...best, "synt.reward.bonus.generate": 1000 });
    for (const event of [pool, judged(0), judged(0.2), made, compared]) request.send(event);

    const letters = request.send(judged(0.9));
    expect(request.value).toEqual({ generating: "deciding" });
    expect(asked(letters)).toMatchObject([{ artefact: { name: "move_files_pdf" } }]);
  });

  it("[SN79] what comes to nothing, by whatever reason, leaves the chain that passed", () => {
    expect(states(bothScored(0).letters)).toEqual(["composed"]);
    expect(states(bothScored(1, { violates: "it reaches too far" }).letters)).toEqual(["composed"]);
    const failing = requestWith(best);
    for (const event of [pool, judged(0), judged(0.2)]) failing.send(event);
    const letters = failing.send({ ...made, ok: false, draft: null, why: "no test passed" });
    expect(states(letters)).toEqual(["composed"]);
    expect(stated(letters)[0]?.rationale).toContain("no test passed");
    expect(states(failing.send(decided("approve")))).toEqual(["delivered"]);
    // The draft, its comparison or its judge may not answer.
    for (const [index, timer] of ["draftTimeout", "answerTimeout", "callTimeout"].entries()) {
      const late = requestWith(best);
      const heard = [pool, judged(0), judged(0.2), made, compared].slice(0, 3 + index);
      for (const event of heard) late.send(event);
      expect(states(late.fire(timer))).toEqual(["composed"]);
    }
  });

  it("[SN79] the person who turns one down is asked about the other, and once about each", () => {
    const { request } = bothScored(0.9);
    const letters = request.send(decided("discard"));
    expect(request.value).toEqual({ generating: "deciding" });
    expect(asked(letters)).toMatchObject([{ artefact: { name: "move_files_pdf" } }]);

    expect(states(request.send(decided("discard")))).toEqual(["abandoned"]);
    const chosen = requestWith({ ...best, "synt.reward.bonus.generate": 1000 });
    for (const event of [pool, judged(0), judged(0.2), made, compared, judged(0.9)]) {
      chosen.send(event);
    }
    const other = chosen.send(decided("discard"));
    expect(states(other)).toEqual(["composed"]);
    expect(asked(other)).toMatchObject([{ artefact: chain("group_files") }]);
    // An executor below the threshold is nobody's other choice.
    const weak = bothScored(0.2).request;
    weak.send(decided("discard"));
    expect(weak.value).toEqual({ generating: "drafting" });
    const unlawful = bothScored(1, { violates: "it reaches too far" }).request;
    expect(states(unlawful.send(decided("discard")))).toEqual(["generating"]);
    expect(unlawful.value).toEqual({ generating: "drafting" });
  });
});

/** An executor is told by its facts; its name is enough here. */
const named = ([name, ...rest]: readonly unknown[]) => [
  { name, description: "moves", capabilities: [], profile: {}, tests: 0 },
  ...rest,
];

describe("what is served already", () => {
  it("[SN62] what the person approved for a missing name covers it, under whatever name it was made", () => {
    const request = requestWith({});
    const executors = [...pool.executors, { ...shown("sort_texts"), closes: ["move_files_pdf"] }];
    const letters = request.send({ ...pool, executors });

    expect(states(letters)).toEqual(["delivered"]);
    expect(stated(letters)).toMatchObject([
      { artefact: ["sort_texts"], rationale: "sort_texts was approved for it" },
    ]);
  });

  const { need } = input;
  const answering = ["read_files", "sort_files", "move_files"];

  it("[SN75] what a chain for this very need left is no gap; what other chains left is", () => {
    const uncovered = ["move_files_pdf", "move_files_zip"];
    expect(unserved({ uncovered, stoodIn: { move_files_zip: [answering] } }, need, [])).toEqual([
      "move_files_pdf",
    ]);
    const other = ["read_urls", "sort_files", "move_files"];
    expect(unserved({ uncovered, stoodIn: { move_files_zip: [other] } }, need, [])).toEqual(
      uncovered,
    );
    const elsewhere = ["read_files", "sort_files", "share_files"];
    expect(unserved({ uncovered, stoodIn: { move_files_zip: [elsewhere] } }, need, [])).toEqual(
      uncovered,
    );
  });

  it("[SN75] a chain answers this need by whatever hint it was found, words of affinity too", () => {
    const uncovered = ["move_files_pdf", "move_files_zip"];
    const stoodIn = { move_files_zip: [["read_files", "sort_entries"]] };
    const pool = [{ name: "sort_entries", affinity: ["tidy"] }];
    const unservedBy = (hints: readonly string[]) =>
      unserved({ uncovered, stoodIn }, { ...need, hints }, pool);
    expect(unservedBy(["tidy"])).toEqual(["move_files_pdf"]);
    expect(unservedBy(["elsewhere"])).toEqual(uncovered);
  });
});
