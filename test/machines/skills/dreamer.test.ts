// The dreamer alone: a round of self-play, its counted attempts, and the gates before the playbook.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import type { Letter, Mail, MailEvent } from "../../../src/machines/letter.ts";
import { policyWith } from "../../builtIn.ts";
import { statecharts } from "../../cast.ts";
import { ours } from "../statechartRunners.ts";
import {
  CHALLENGE,
  challengeText,
  extractedText,
  SETUP,
  SOLUTION,
  type Worded,
} from "./dreamAnswers.ts";

const said = (text: string): MailEvent => ({ type: "llm.replied", text });
const ran = (ok: boolean): MailEvent => ({
  ...{ type: "sandbox.replied", ok, result: 1, functionName: "solve" },
  ...(ok ? {} : { error: "AssertionError: one line holds it" }),
});

function asleep(policy: { readonly [path: string]: PolicyValue } = {}) {
  const { dreamer } = statecharts(policyWith(policy));
  const runner = ours(dreamer, "tables");
  let seq = 1;
  const at = () => ({ nowMs: 0, seq: ++seq, from: "peer" });
  runner.start({}, at());
  const sent: Letter[] = [];
  const heard = () => sent.push(...runner.seen().letters);
  const here = {
    sent,
    send(...events: readonly MailEvent[]) {
      for (const event of events) {
        runner.send(event, at());
        heard();
      }
      return here;
    },
    dream() {
      runner.fire(runner.nextDueMs() ?? 0, at());
      heard();
      return here;
    },
    /** The solver's tries, in order: whether each passes. */
    tries(...passed: readonly boolean[]) {
      for (const passes of passed) {
        here.send(said(SOLUTION), ran(true), ran(passes));
      }
      return here;
    },
    extracts: (worded: Worded = {}) => here.send(said(extractedText(worded))),
    of: <K extends keyof Mail>(type: K) =>
      sent.flatMap(({ event }) => (event.type === type ? [event as unknown as Mail[K]] : [])),
    dueMs: () => runner.nextDueMs(),
    value: () => runner.seen().value,
  };
  return here;
}

const playing = (policy = {}) => asleep(policy).dream().send(said(challengeText));

describe("a dream", () => {
  it("[SK60] tells those who keep skills, lessons and macros before it plays", () => {
    const here = asleep();
    expect(here.dueMs()).toBe(7_200_000);
    const { sent } = here.dream();

    expect(sent.map(({ to, event }) => `${to} ${event.type}`)).toEqual([
      ...["skills dream.began", "playbook dream.began", "macros dream.began"],
      "port/llm.chat llm.asked",
    ]);
  });

  it("[SK60] has as many rounds as it may, and none at all", () => {
    const twice = asleep({ "skills.dream.rounds": 2 }).dream();
    twice.send(said("{"));
    expect(twice.value()).toBe("challenging");
    twice.send(said("{"));
    expect(twice.value()).toBe("sleeping");
    expect(twice.dream().send(said("{")).of("dream.ended")).toMatchObject([
      { dream: 1, round: 1 },
      { dream: 1, round: 2 },
      { dream: 2, round: 1 },
    ]);
    expect(twice.value()).toBe("challenging");

    expect(asleep({ "skills.dream.rounds": 0 }).dream().value()).toBe("sleeping");
  });
});

describe("a round", () => {
  it("[SK61] tries three times, and shows each try the errors before it", () => {
    const here = playing().tries(false, false);
    const asked = here.of("llm.asked").map(({ view }) => view);

    expect(here.value()).toBe("solving");
    expect(asked.at(-1)).toMatchObject({
      errors: ["AssertionError: one line holds it", "AssertionError: one line holds it"],
    });
    expect(here.tries(false).value()).toBe("extracting");
  });

  it("[SK61] runs the solution on the setup, and the validator on what it left", () => {
    const here = playing().send(said(SOLUTION), {
      ...{ type: "sandbox.replied", ok: true, result: 1, functionName: "solve" },
      changed: { "words.txt": "sorted", "/work/out.txt": "1", "gone.txt": null },
    });
    const [solved, validated] = here.of("sandbox.run");

    expect(solved).toMatchObject({ purpose: "solve", files: { "words.txt": expect.any(String) } });
    expect(validated).toMatchObject({
      ...{ purpose: "validate", params: { answer: 1 } },
    });
    expect(solved?.files).not.toMatchObject({ "words.txt": "sorted" });
    expect(validated?.files).toEqual({ "words.txt": "sorted", "/work/out.txt": "1" });
  });

  it("[SK61] counts an answer without code as an attempt", () => {
    const here = playing().send(said("I do not know."));

    expect(here.of("dream.tried")).toMatchObject([{ attempt: 1, passed: false }]);
  });

  it("[SK23] learns from a domain that is new, and not again from what it solves at once", () => {
    const here = asleep().dream().send(said(challengeText)).tries(true);
    expect(here.value()).toBe("extracting");

    here.extracts().tries(true).dream().send(said(challengeText)).tries(true);
    expect(here.of("dream.ended").at(-1)).toMatchObject({ end: "mastered", lesson: null });
    // A second attempt is a struggle, of which there is something to learn.
    here.dream().send(said(challengeText)).tries(false, true);
    expect(here.value()).toBe("extracting");
    here.extracts().tries(true).dream().send(said(challengeText)).tries(false, false, false);
    expect(here.of("dream.ended").at(-1)).toMatchObject({ end: "lost", lesson: null });
  });

  it("[SK23] learns from the first loss in a domain, and not from the next one", () => {
    const here = playing().tries(false, false, false);
    expect(here.value()).toBe("extracting");

    here.extracts().tries(false).dream().send(said(challengeText)).tries(false, false, false);
    expect(here.of("dream.ended").at(-1)).toMatchObject({ end: "lost", lesson: null });
  });

  it.each([true, false])("[SK22] the lesson is kept, verified or not: %s", (passes) => {
    const here = playing().tries(false, true).extracts().tries(passes);

    expect(here.of("dream.ended").at(-1)).toMatchObject({
      end: passes ? "verified" : "unverified",
      lesson: expect.anything(),
    });
  });

  it("[SK65] breaks off when the model, or the sandbox, does not answer", () => {
    const failed = asleep().dream().send({ type: "llm.failed", error: "away" });
    expect(failed.of("dream.ended")).toMatchObject([{ end: "broken", reason: "away" }]);

    for (const [silent, reason] of [
      [asleep().dream(), "the model did not answer in time"],
      [playing().send(said(SOLUTION)), "the sandbox did not answer in time"],
    ] as const) {
      expect(silent.dream().of("dream.ended")).toMatchObject([{ end: "broken", reason }]);
    }
    const nobody = asleep().dream().send({ type: "ask.bounced", address: "port/llm.chat" });
    expect(nobody.of("dream.ended")).toMatchObject([{ end: "broken" }]);
  });
});

describe("an answer that cannot be used", () => {
  it("[SK53] [SK65] ends the round, or is a failed attempt, with what was found and what is allowed", () => {
    const [unset] = asleep().dream().send(said("No thanks.")).of("dream.ended");
    expect(unset).toMatchObject({ end: "broken", attempts: 0, lesson: null });
    expect(unset?.reason).toMatch(/no JSON object; found: "No thanks\."; allowed: .*validator/);

    const [tried] = playing().send(said("I do not know.")).of("dream.tried");
    expect(tried?.error).toMatch(/no def solve; found: "I do not know\."; allowed: Python/);

    const [ended] = playing().tries(false, true).send(said("{}")).of("dream.ended");
    expect(ended).toMatchObject({ end: "empty", lesson: null });
    expect(ended?.reason).toMatch(/no trigger; found: nothing; allowed: a text/);
  });

  it("[SK65] a validator that does not load has judged nothing: no attempt counts, no lesson is drawn", () => {
    const here = playing().send(said(SOLUTION), ran(true), {
      ...{ type: "sandbox.replied", ok: false, error: "SyntaxError: '(' was never closed" },
    });

    expect(here.of("dream.tried")).toEqual([]);
    expect(here.of("dream.ended")).toMatchObject([{ end: "broken", attempts: 0 }]);
    expect(here.of("dream.ended")[0]?.reason).toContain("SyntaxError");
  });

  it("[SK61] [SK65] a validator that takes too long has refused the try, and the round goes on", () => {
    const late: MailEvent = { type: "sandbox.replied", ok: false, timedOut: true };
    const here = playing().send(said(SOLUTION), ran(true), late);

    expect(here.of("dream.tried")).toMatchObject([{ attempt: 1, passed: false }]);
    expect(here.of("dream.ended")).toEqual([]);
  });
});

describe("the gates", () => {
  it("[SK63] a lesson without confidence is none", () => {
    const here = playing().tries(false, true).extracts({ confidence: 0 });

    expect(here.of("dream.ended")).toMatchObject([{ end: "empty" }]);
  });

  it.each<[string, Worded]>([
    ["that restates the challenge", { trigger: CHALLENGE }],
    ["of no domain of the taxonomy", { domains: ["cooking"] }],
    ["with nothing to do", { pattern: " " }],
  ])("[SK63] the guard refuses a lesson %s", (_, worded) => {
    const here = playing().tries(false, true).extracts(worded);

    expect(here.of("dream.ended")).toMatchObject([{ end: "refused" }]);
  });

  it("[SK63] the guard looks at every file of the setup", () => {
    const words = "the grey heron stood beside two swans";
    const setup = { "a.txt": "nothing of it\n", "b.txt": `${words}\n` };
    const challenge = JSON.stringify({ ...JSON.parse(challengeText), setup });
    const here = asleep().dream().send(said(challenge)).tries(false, true);

    expect(here.extracts({ pattern: words }).of("dream.ended")).toMatchObject([{ end: "refused" }]);
  });

  it("[SK63] without the guard a lesson that restates the challenge goes on to its verification", () => {
    const off = playing({ "skills.dream.guard": "off" });
    const here = off.tries(false, true).extracts({ trigger: CHALLENGE });

    expect(here.of("dream.ended")).toEqual([]);
  });

  it("[SK64] the verification is one try, with the lesson and without the errors before it", () => {
    const changed = { "words.txt": "spoilt", "more.txt": "1" };
    const here = playing()
      .send(said(SOLUTION), { ...ran(true), changed } as MailEvent, ran(false))
      .tries(true)
      .extracts();
    const view = here.of("llm.asked").at(-1)?.view;

    expect(view).toMatchObject({ purpose: "skill.solve", errors: [] });
    expect(view).toHaveProperty("playbook", expect.stringContaining("### SKILL PLAYBOOK:"));
    expect(here.send(said(SOLUTION)).of("sandbox.run").at(-1)?.files).toEqual({
      "words.txt": SETUP,
    });
    expect(here.send(ran(true), ran(false)).of("dream.ended")).toHaveLength(1);
  });

  it.each<[string, readonly boolean[], boolean, string]>([
    ["failed, then passes with it", [false, false, false], true, "verified"],
    ["passed at the second attempt, then at once", [false, true], true, "verified"],
    ["passed at once either way", [true], true, "unverified"],
    ["fails with it", [false, true], false, "unverified"],
  ])("[SK64] a solver that %s: %j, %s, %s", (_, without, withIt, end) => {
    const here = playing()
      .tries(...without)
      .extracts()
      .tries(withIt);

    expect(here.of("dream.ended")).toMatchObject([{ end, attempts: without.length }]);
  });
});

it("[SK60, SK61] whatever it hears, no round has more attempts than it may, and each has one end", () => {
  const heard = fc.constantFrom<MailEvent>(
    ...[challengeText, SOLUTION, extractedText({}), "{"].map(said),
    ...[ran(true), ran(false)],
    { type: "llm.failed", error: "away" },
  );
  fc.assert(
    fc.property(fc.array(heard, { maxLength: 60 }), (events) => {
      const here = asleep({ "skills.dream.rounds": 3 })
        .dream()
        .send(...events);
      const ends = here.of("dream.ended").map(({ round }) => round);
      const attempts = here.of("dream.tried").filter((one) => !one.isVerification);

      expect(attempts.every(({ attempt }) => attempt <= 3)).toBe(true);
      expect(ends).toEqual([...new Set(ends)]);
      expect(ends.length).toBeLessThanOrEqual(3);
    }),
    { numRuns: 40 },
  );
});
