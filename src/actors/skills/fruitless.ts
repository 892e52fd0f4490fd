/** Whether anything came of skills, dreams, lessons and macros: what was tried, and nothing of it went well. */

import { countOf } from "../../contract/countOf.ts";
import { answerReasons, type Done, type Fruitless, noneOf, top } from "../../contract/fruitless.ts";
import type { EventType, MailOf } from "../../machines/letter.ts";
import { MACROS } from "../../machines/skills/macroKeeper.ts";
import { skillBuiltins } from "../../machines/skills/skillKeeper.ts";
import { SKILLS } from "../../machines/skills/skillStore.ts";
import { type Log, ofTypes } from "../../substrate/log.ts";
import { ROUND_ENDS } from "./dreamWords.ts";

export function fruitless({ deliveries, use, soFar }: Done): readonly Fruitless[] {
  const inDreams = [...use.purposes].filter(([purpose]) => purpose.startsWith("skill."));
  const found = [
    creations(deliveries),
    calls(deliveries),
    dreams(deliveries, () => answerReasons({ ...use, purposes: new Map(inDreams) })),
    verifications(deliveries),
    showings(deliveries),
    macros(deliveries),
  ];
  return found.flatMap((one) =>
    one === null
      ? []
      : [{ what: `Nothing came of ${one.of}${soFar}: ${one.count}.`, reasons: one.reasons }],
  );
}

interface Found {
  /** What nothing came of. */
  readonly of: string;
  readonly count: string;
  readonly reasons: readonly string[];
}

/** Events of a type that were handled, by any actor or by this one: what is reported goes to several. */
const eventsOf = <K extends EventType>(log: Log, type: K, to?: string): readonly MailOf<K>[] => {
  const events: MailOf<K>[] = [];
  for (const { event, fate, to: receiver } of ofTypes(log, type)) {
    if (fate === "handled" && (to === undefined || receiver === to)) events.push(event);
  }
  return events;
};

const topText = (texts: readonly string[], one: string): string[] =>
  top(texts).map(
    ([text, count]) => `${countOf(count, one)} ${text}${/[.!?]["']?$/.test(text) ? "" : "."}`,
  );

function creations(log: Log): Found | null {
  const asked = eventsOf(log, "capability.called").filter(
    ({ capability }) => capability === "create_skill",
  ).length;
  if (asked === 0 || eventsOf(log, "skill.registered").some(({ ok }) => ok)) return null;
  const refusals = eventsOf(log, "skill.refused");
  const open = asked - refusals.length;
  return {
    of: "creating skills",
    count: noneOf(asked, "attempt", "accepted"),
    reasons: [
      ...topText(
        refusals.map(({ stage, cause, found }) => `refused at ${stage}, ${cause}: ${found}`),
        "attempt",
      ),
      ...(open > 0 ? [`${countOf(open, "attempt")} had no end when the run did.`] : []),
    ],
  };
}

function calls(log: Log): Found | null {
  const ended = eventsOf(log, "skill.counted");
  if (ended.some(({ outcome }) => outcome === "success")) return null;
  if (ended.length > 0) {
    return {
      of: "calling skills",
      count: noneOf(ended.length, "call", "successful"),
      reasons: topText(
        ended.map(({ skill, cause }) => `of ${skill} failed: ${cause ?? "no reason given"}`),
        "call",
      ),
    };
  }
  const created = eventsOf(log, "skill.registered").filter(({ ok }) => ok).length;
  if (created === 0) return null;
  const begun = eventsOf(log, "capability.called", SKILLS).filter(
    ({ capability }) => !skillBuiltins.some(({ name }) => name === capability),
  ).length;
  return {
    of: "the skills that agents created",
    count: noneOf(created, "skill", begun === 0 ? "called" : "called to an end"),
    reasons: [
      begun === 0 ? "No step was given to one." : `${countOf(begun, "call")} came to no count.`,
    ],
  };
}

function dreams(log: Log, answers: () => readonly string[]): Found | null {
  const rounds = eventsOf(log, "dream.ended");
  if (rounds.length === 0 || rounds.some(({ end }) => KEPT.includes(end))) return null;
  const ends = rounds.map(
    ({ end, reason }) => `${ROUND_ENDS[end]}${reason === null ? "" : `: ${reason}`}`,
  );
  return {
    of: "the dreams",
    count: `${countOf(rounds.length, "round")} of self-play, and no lesson was kept`,
    reasons: [...topText(ends, "round"), ...answers()],
  };
}

type RoundEnd = MailOf<"dream.ended">["end"];
const KEPT: readonly RoundEnd[] = ["unverified", "verified"];

function verifications(log: Log): Found | null {
  const rounds = eventsOf(log, "dream.ended").filter(({ end }) => KEPT.includes(end));
  if (rounds.length === 0 || rounds.some(({ end }) => end === "verified")) return null;
  return {
    of: "putting lessons to the test",
    count: noneOf(rounds.length, "lesson", "verified"),
    reasons: topText(
      rounds.map(({ reason }) => `not verified: ${reason}`),
      "lesson",
    ),
  };
}

/** Lessons that prompts showed, and no success was credited to. */
function showings(log: Log): Found | null {
  const shown = eventsOf(log, "playbook.surfaced");
  if (shown.length === 0 || eventsOf(log, "playbook.changed").some(({ how }) => how === "credited"))
    return null;
  const lessons = new Set(shown.map(({ lesson }) => lesson)).size;
  const completed = eventsOf(log, "goal.reported", "playbook").filter(
    ({ status }) => status === "completed",
  ).length;
  return {
    of: "the lessons that prompts showed",
    count: `${noneOf(lessons, "lesson", "credited with a success")}, in ${countOf(shown.length, "showing")}`,
    reasons: [
      completed === 0
        ? "No goal was completed."
        : `${countOf(completed, "goal")} completed, none soon after a lesson that shares words with it.`,
    ],
  };
}

function macros(log: Log): Found | null {
  const runs = eventsOf(log, "macro.ended", MACROS);
  if (runs.length === 0 || runs.some(({ ok }) => ok)) return null;
  return {
    of: "the macros",
    count: noneOf(runs.length, "run", "successful"),
    reasons: topText(
      runs.map(({ reason }) => `failed: ${reason ?? "no reason given"}`),
      "run",
    ),
  };
}
