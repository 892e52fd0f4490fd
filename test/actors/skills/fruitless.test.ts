// Logs written by hand of worlds in which something was tried and nothing came of it.
import { expect, it } from "vitest";
import { fruitless } from "../../../src/actors/skills/fruitless.ts";
import type { Mail, MailEvent, MailOf } from "../../../src/machines/letter.ts";
import { modelUse } from "../../builtIn.ts";
import { delivery } from "../../handLog.ts";

const found = (events: readonly MailEvent[], to = "skills", soFar = "") => {
  const deliveries = events.map((event, index) => delivery({ seq: index + 2, event, to }));
  return fruitless({ deliveries, use: modelUse(deliveries, []), soFar });
};

const asked = (capability: string): MailEvent => ({
  ...{ type: "capability.called", agent: "cedar", cycle: 1, capability, intent: "x", params: {} },
});
const refused = (cause: string): MailEvent => ({
  ...{ type: "skill.refused", skill: "news", agent: "cedar", stage: "testing" },
  ...{ cause, found: "it printed nothing", todo: "Print." },
});
const registered: MailEvent = { type: "skill.registered", ok: true, saving: "new" };
const counted = (outcome: Mail["skill.counted"]["outcome"], cause: string | null): MailEvent => ({
  ...{ type: "skill.counted", skill: "news", agent: "cedar", outcome, cause },
  ...{ status: "active", usageCount: 0, failureCount: 1 },
});
const round = (end: Mail["dream.ended"]["end"], reason: string | null): MailEvent => ({
  ...{ type: "dream.ended", dream: 1, round: 1, challenge: "c", end, reason },
  ...{ attempts: 1, lesson: null },
});
const surfaced: MailEvent = {
  ...{ type: "playbook.surfaced", lesson: "lesson-1", source: "self_play", challenge: "c" },
  ...{ agent: "cedar", n: 1, purpose: "plan", way: "meaning", score: 1, counts: true, utility: 1 },
};
const changed = (how: Mail["playbook.changed"]["how"]): MailEvent => ({
  ...{ type: "playbook.changed", lesson: "lesson-1", how, cause: null, trigger: "t", source: "s" },
  ...{ challenge: "c", verified: false, utility: 1, size: 1, pins: 0 },
});
const goal = (status: "completed" | "abandoned"): MailEvent => ({
  ...{ type: "goal.reported", agent: "cedar", n: 1, status, text: "g", artifact: "/a" },
  ...{ misses: 0, failedSteps: 0, reason: null, notes: [] },
});
const ran = (ok: boolean, reason: string | null): MailOf<"macro.ended"> => ({
  ...{ type: "macro.ended", name: "brief", agent: "cedar", cycle: 1, run: 2, ok, ran: 1, total: 2 },
  reason,
});

it("[VB30] nothing is said of skills where nothing was tried", () => {
  expect(found([])).toEqual([]);
  expect(found([goal("completed")], "playbook")).toEqual([]);
});

it("[VB30] no skill was accepted: where and why, and what has not ended", () => {
  const create = asked("create_skill");

  expect(found([create, create, create, refused("silent"), refused("silent")])).toEqual([
    {
      what: "Nothing came of creating skills: none of 3 attempts was accepted.",
      reasons: [
        "2 attempts refused at testing, silent: it printed nothing.",
        "1 attempt had no end when the run did.",
      ],
    },
  ]);
  expect(found([create], "skills", " so far")[0]?.what).toBe(
    "Nothing came of creating skills so far: the only attempt was not accepted.",
  );
  expect(found([create, refused("silent")])[0]?.reasons).toEqual([
    "1 attempt refused at testing, silent: it printed nothing.",
  ]);
  expect(found([create, create, registered, refused("silent"), counted("success", null)])).toEqual(
    [],
  );
});

it("[VB30] skills were created and none was called", () => {
  const [one] = found([asked("create_skill"), registered, asked("manage_skills")]);

  expect(one).toEqual({
    what: "Nothing came of the skills that agents created: the only skill was not called.",
    reasons: ["No step was given to one."],
  });
  expect(found([registered, registered, asked("news")])[0]?.reasons).toEqual([
    "1 call came to no count.",
  ]);
});

it("[VB30] skills were called and no call went well", () => {
  const failed = counted("failure", "KeyError: 'x'");

  expect(found([failed, failed, counted("infra", "it took too long")])).toEqual([
    {
      what: "Nothing came of calling skills: none of 3 calls was successful.",
      reasons: [
        "2 calls of news failed: KeyError: 'x'.",
        "1 call of news failed: it took too long.",
      ],
    },
  ]);
  expect(found([failed, counted("success", null)])).toEqual([]);
});

it("[VB30] dreams left no lesson, and how their rounds ended", () => {
  const rounds = [round("mastered", "it was solved at once"), round("empty", "no confidence")];

  expect(found([...rounds, round("mastered", "it was solved at once")], "playbook")).toEqual([
    {
      what: "Nothing came of the dreams: 3 rounds of self-play, and no lesson was kept.",
      reasons: [
        "2 rounds taught nothing: it was solved at once.",
        "1 round left no lesson: no confidence.",
      ],
    },
  ]);
  expect(found([...rounds, round("verified", null)], "playbook")).toEqual([]);
});

it("[VB30] dreams whose model never answered say so, with its errors", () => {
  const deliveries = [delivery({ seq: 2, to: "playbook", event: round("empty", "no answer") })];
  const use = { ...modelUse([], []), asked: 2, errors: [["gone", 2]] as const };

  expect(fruitless({ deliveries, use, soFar: "" })[0]?.reasons).toEqual([
    "1 round left no lesson: no answer.",
    "2 questions to the model, no answer: gone (2).",
  ]);
});

it("[VB30] lessons were kept and none was verified", () => {
  const easy = round("unverified", "it would have gone well without it");

  expect(found([easy, easy], "playbook")).toEqual([
    {
      what: "Nothing came of putting lessons to the test: none of 2 lessons was verified.",
      reasons: ["2 lessons not verified: it would have gone well without it."],
    },
  ]);
  expect(found([easy, round("verified", null)], "playbook")).toEqual([]);
});

it("[VB30] prompts showed lessons and none was credited", () => {
  const of = (...events: readonly MailEvent[]) =>
    found([surfaced, surfaced, ...events], "playbook");

  expect(of(goal("abandoned"))).toEqual([
    {
      what: "Nothing came of the lessons that prompts showed: the only lesson was not credited with a success, in 2 showings.",
      reasons: ["No goal was completed."],
    },
  ]);
  expect(of(goal("completed"))[0]?.reasons).toEqual([
    "1 goal completed, none soon after a lesson that shares words with it.",
  ]);
  expect(of(goal("completed"), changed("credited"))).toEqual([]);
  expect(of(changed("reinforced"))).toHaveLength(1);
});

it("[VB30] macros were run and no run went well", () => {
  expect(found([ran(false, "step 1 failed: no"), ran(false, null)], "macros")).toEqual([
    {
      what: "Nothing came of the macros: none of 2 runs was successful.",
      reasons: ["1 run failed: step 1 failed: no.", "1 run failed: no reason given."],
    },
  ]);
  expect(found([ran(false, null), ran(true, null)], "macros")).toEqual([]);
});
