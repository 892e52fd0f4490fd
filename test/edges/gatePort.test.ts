import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { decidedBy, gatePort } from "../../src/actors/synt/edge/gatePort.ts";
import type { Dossier, Word } from "../../src/actors/synt/edge/gateQuestion.ts";
import {
  dossierText,
  questionText,
  readWord,
  scoreText,
} from "../../src/actors/synt/edge/gateText.ts";
import { nobodyDecides } from "../../src/contract/nobodyDecides.ts";
import type { Gate } from "../../src/edges/play/gate.ts";
import { Inbox } from "../../src/edges/play/inbox.ts";
import { personAt } from "../../src/edges/play/personPort.ts";
import { redactor } from "../../src/edges/redaction.ts";
import type { Mail } from "../../src/machines/letter.ts";
import type { Dossier as MachineDossier } from "../../src/machines/synt/contract.ts";
import { ALL, shareOfDecimal } from "../../src/machines/synt/score/exactShare.ts";
import { type Measured, reward } from "../../src/machines/synt/score/reward.ts";
import type { PortRequest } from "../../src/substrate/port.ts";
import { policyWith } from "../builtIn.ts";

const { reward: weights } = policyWith({}).synt;
const half = {
  ...{ det: ALL, judge: [1, 2], cost: ALL, cosine: 0, coverage: ALL },
} satisfies Omit<Measured, "strategy">;
const dossier: MachineDossier = {
  strategy: "generate",
  rationale: "sort_texts was made and passed 4 of 4 birth tests",
  cost: 2_340_000,
  intent: "Sort the lines.",
  artefact: {
    name: "sort_texts",
    description: "SCOPO: sorts.\u001b[2J\u202e PATTERN: sort_texts(text).",
    capabilities: ["fs:read"],
    profile: { "fs:read": ["~/"] },
    tests: 4,
  },
  reward: reward({ strategy: "generate", ...half }, weights),
  judge: "Small.",
};
const rules = { gate: 650, waitMs: 604_800_000 };

const questionOf = (question: Mail["person.asked"]): PortRequest<"person.asked"> => ({
  ...{ port: "port/person.decide", from: "synt/req-0001", purpose: question.purpose },
  ...{ nth: 1, seq: 7, nowMs: 0, request: "r", event: { type: "person.asked", ...question } },
});

const asked = (purpose: "chain" | "executor"): PortRequest<"person.asked"> =>
  questionOf({ purpose, request: "req-0001", dossier });

/** A terminal at which these lines are typed, each a second after the last. */
async function decided(request: PortRequest<"person.asked">, lines: readonly string[], env = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (text) => {
    shown += text;
  });
  const person = personAt(input, output);
  const inbox = new Inbox();
  let wallMs = 0;
  const wall = () => {
    wallMs += 1_000;
    return wallMs;
  };
  const options = { inbox, redactor: redactor(env), rules, wall };
  const { provider, isLeft } = gatePort({ kind: "terminal", person }, options);
  // As long as a person is asked, no progress is written.
  expect([provider.answer(request), isLeft(), person.isAsked]).toEqual([null, false, true]);
  input.end(lines.map((line) => `${line}\n`).join(""));
  await inbox.arrival(5_000);
  const [arrived] = inbox.take();
  expect(arrived?.seq).toBe(7);
  return { reply: arrived?.reply, shown };
}

describe("what a person may type", () => {
  it.each([
    ["a", { decision: "approve" }],
    [" Approve ", { decision: "approve" }],
    ["m shorter, please", { decision: "amend", feedback: "shorter, please" }],
    [
      "amend: compose: use the chain",
      { decision: "amend", feedback: "use the chain", target: "compose" },
    ],
    ["m Generate:anew", { decision: "amend", feedback: "anew", target: "generate" }],
    ["d", { decision: "discard" }],
    ["discard, too risky", { decision: "discard", feedback: "too risky" }],
  ])("[SG1] %j is a decision", (line, word) => {
    expect(readWord(line, "executor")).toEqual(word);
  });

  it.each(["", "y", "yes", "a lot of doubts", "approve it", "m", "m compose:", "dd", "s", "A B"])(
    "[SG1] %j decides nothing",
    (line) => {
      expect(readWord(line, "executor")).toBeUndefined();
    },
  );

  it("[SG1, SG5] money cannot be amended, and only one of several can be left undecided", () => {
    expect(readWord("m spend less", "soft-cap")).toBeUndefined();
    expect(readWord("a", "soft-cap")).toEqual({ decision: "approve" });
    expect(readWord("s", "proposals")).toBe("skipped");
    expect(readWord("s", "executor")).toBeUndefined();
  });
});

describe("a question", () => {
  it("[SG2] shows what, why, R with every term and the gate, and what it may reach", () => {
    const text = questionText("executor", { request: "req-0001", dossier }, rules);

    expect(text).toContain("req-0001: May sort_texts enter the pool?");
    for (const part of [
      ...[
        "Sort the lines.",
        "strategy         generate",
        "PATTERN: sort_texts(text)",
        "fs:read",
        '["~/"]',
        "Small.",
      ],
      ...["4 of 4 birth tests", "2.34 ct", "0.700, reaches the threshold of 0.650"],
      ...["det_pass_rate", "judge_score", "cost_ratio", "similarity_penalty", "coverage_bonus"],
      ...["strategy_cost_bonus", "up to 7 d", "a   ", "m WORDS", "d WORDS"],
    ]) {
      expect(text).toContain(part);
    }
  });

  it("[SG2] puts a chain, and money beyond the soft cap, in its own words", () => {
    const chain = { ...dossier, artefact: ["read_files", "sort_texts", "write_files"] };
    const caps = { soft: 2_000_000, cap: 10_000_000 };
    const money: Dossier = {
      call: "synt.code",
      intent: "Sort.",
      spent: 1_000_000,
      atMost: 500_000,
      ...caps,
    };

    const asked = questionText("chain", { request: "r", dossier: chain }, rules);
    expect(asked).toContain("I am about to call read_files → sort_texts → write_files, OK?");
    expect(asked).toContain("chain            read_files → sort_texts → write_files");
    const text = questionText("soft-cap", { request: "r", dossier: money }, rules);
    expect(text).toMatch(/beyond the soft cap with synt\.code\?/);
    expect(text).toMatch(/spent +1\.00 ct[\s\S]*may cost +0\.50 ct/);
    expect(text).toMatch(/soft cap +2\.00 ct[\s\S]*budget +10\.00 ct/);
    expect(text).not.toContain("m WORDS");
  });

  it("[SG2] rounds no R up, so that nothing looks as if it passed that did not", () => {
    const shown = [0.6499999, 0.65, 0.6509999, 1, 0].map((total) =>
      scoreText(shareOfDecimal(total)),
    );

    expect(shown).toEqual(["0.649", "0.650", "0.650", "1.000", "0.000"]);
    // A float would have lost its last bit.
    expect(scoreText(shareOfDecimal(0.57))).toBe("0.570");
  });

  it("[SG2] passes no control code of a model on to the terminal, and shows facts it does not know", () => {
    const more = { ...dossier, seenBefore: { times: 3 } };
    const text = dossierText(more, rules);

    expect(text).not.toContain("\u001b");
    expect(text).not.toContain("\u202e");
    expect(text).toContain('seenBefore       {"times":3}');
    expect(scoreText(shareOfDecimal(0.649999999999999))).toBe("0.649");
  });
});

describe("at the terminal", () => {
  it("[SG1, SG3] asks again until there is a decision; what it took is the latency", async () => {
    const { reply, shown } = await decided(asked("executor"), ["yes", "", "a"]);

    expect(reply).toEqual({
      event: { type: "person.decided", decision: "approve" },
      latencyMs: 1_000,
      choice: "person:executor/1",
    });
    expect(shown.match(/That is no decision\. What is:/g)).toHaveLength(2);
  });

  it("[SG4] the end of the input decides nothing: the time-out does", async () => {
    expect((await decided(asked("executor"), [])).reply).toBe(nobodyDecides);
    expect((await decided(asked("executor"), ["what?"])).reply).toBe(nobodyDecides);
  });

  const proposals = ["req-0002", "req-0003", "req-0004"].map((request) => ({ request, dossier }));
  const night = () => questionOf({ purpose: "proposals", dossier: { proposals } });

  it("[SG5] takes the proposals of a night one by one, and may leave some", async () => {
    const { reply, shown } = await decided(night(), ["a", "s", "m compose: the chain"]);

    expect(reply?.event).toEqual({
      type: "person.decided",
      decisions: [
        { request: "req-0002", decision: "approve" },
        { request: "req-0004", decision: "amend", feedback: "the chain", target: "compose" },
      ],
    });
    expect(shown).toContain("Proposal 3 of 3. req-0004: May sort_texts enter the pool (generate)?");
  });

  it("[SG5] leaving every one undecided is an answer too: they come again the next night", async () => {
    const { reply } = await decided(night(), ["s", "skip", "s"]);

    expect(reply).toMatchObject({ event: { decisions: [] }, latencyMs: 1_000 });
  });

  it("[SG5] who leaves in the middle of a night has decided what they decided", async () => {
    const { reply } = await decided(night(), ["d no"]);

    const decisions = [{ request: "req-0002", decision: "discard", feedback: "no" }];
    expect(reply?.event).toEqual({ type: "person.decided", decisions });
  });

  it("[SG1] a secret in somebody's words is not recorded", async () => {
    const lines = ["m use hunter2hunter2 as the key"];
    const { reply } = await decided(asked("executor"), lines, { MY_KEY: "hunter2hunter2" });

    expect(reply?.event).toMatchObject({ feedback: "use [secret 1 removed] as the key" });
  });
});

describe("elsewhere", () => {
  const portOf = (gate: Gate) =>
    gatePort(gate, { inbox: new Inbox(), redactor: redactor({}), rules });

  it("[SG4] nobody never answers", () => {
    expect(portOf({ kind: "nobody" }).provider.answer(asked("chain"))).toBe(nobodyDecides);
  });

  it("[SG6] later leaves every question, but the one that was decided between two runs", () => {
    const words = new Map<string, Word>([["req-0001", { decision: "discard" }]]);
    const { provider, isLeft } = portOf({
      kind: "later",
      decided: decidedBy(words, { seq: 7, afterMs: 40 }),
    });

    expect(provider.answer(asked("chain"))).toMatchObject({
      event: { decision: "discard" },
      latencyMs: 40,
    });
    expect(isLeft()).toBe(false);
    expect(provider.answer({ ...asked("chain"), seq: 8 })).toBeNull();
    expect(isLeft()).toBe(true);
  });
});
