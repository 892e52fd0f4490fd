/** What happens to lessons and in dreams, in words. */

import { type Words, who } from "../../contract/words.ts";
import type { MailOf } from "../../machines/letter.ts";
import type { DropCause } from "../../machines/skills/retention.ts";
import {
  type RoundEnd,
  readChallenge,
  readExtracted,
  readSolution,
} from "../../machines/skills/selfPlay.ts";

const ended = (text: string): string => (/[.!?]["']?$/.test(text) ? text : `${text}.`);
const by = (choice: string | undefined): string => (choice === undefined ? "" : ` [${choice}]`);

export const dreamWords: Words = {
  "dream.began": (event, { to }) => (to === "playbook" ? `Dream ${event.dream} began.` : null),
  "dream.challenged": (event) =>
    `Dream ${event.dream} set itself ${event.challenge} (${event.domain}): ${ended(event.text)}`,
  "dream.tried": (event) =>
    `${event.isVerification ? "With the lesson, the solver" : `Attempt ${event.attempt}: the solver`} ` +
    (event.passed ? "passed." : `failed: ${ended(event.error ?? "no reason given")}`),
  "dream.ended": (event) => roundEnded(event),
  "playbook.changed": (event) => changedText(event),
  "playbook.surfaced": (event) =>
    `${event.agent}'s prompt (${event.purpose}) was shown ${event.lesson}` +
    `${event.counts ? "" : ", which had been counted for this goal"}.`,
  "llm.replied": ({ text }, { to }, choice) => {
    if (to !== "dreamer") return null;
    const { value: lesson } = readExtracted(text);
    if (lesson !== undefined) {
      return `The model worded a lesson for "${lesson.trigger}"${by(choice)}.`;
    }
    const { value: challenge } = readChallenge(text);
    if (challenge !== undefined) {
      return `The model set the dreamer a task${by(choice)}: ${ended(challenge.text)}`;
    }
    return readSolution(text).value === undefined
      ? `The model answered the dreamer${by(choice)}.`
      : `The model wrote an attempt at the dreamer's task${by(choice)}.`;
  },
  "llm.failed": ({ error }, { to }) =>
    to === "dreamer" ? `The model gave ${who(to)} no answer: ${ended(error)}` : null,
};

/** What a round of self-play did. */
export const ROUND_ENDS: { readonly [end in RoundEnd]: string } = {
  mastered: "taught nothing",
  lost: "taught nothing",
  empty: "left no lesson",
  refused: "left a lesson that the guard refused",
  unverified: "left a lesson that did not prove that it helps",
  verified: "left a lesson that proved that it helps",
  broken: "broke off",
};

const roundEnded = ({ challenge, end, reason }: MailOf<"dream.ended">): string =>
  ended(
    `Self-play${challenge === "" ? "" : ` at ${challenge}`} ${ROUND_ENDS[end]}` +
      `${reason === null ? "" : `: ${reason}`}`,
  );

export const DROP_CAUSES: { readonly [cause in DropCause]: string } = {
  "blocked-by-pins": "verified ones fill the playbook",
  "oldest-pin": "it was the oldest of too many verified ones",
  "lowest-utility": "its utility was the lowest",
  "never-helpful": "it was shown often and never helped",
  "lowest-quarter": "its utility was in the lowest quarter",
};

export function changedText({
  lesson,
  how,
  cause,
  trigger,
  size,
  verified,
}: MailOf<"playbook.changed">): string {
  switch (how) {
    case "written":
      return `${lesson} ("${trigger}") came into the playbook, ${verified ? "verified" : "unverified"}; it has ${size}.`;
    case "reinforced":
      return `${lesson} ("${trigger}") was learnt once more.`;
    case "credited":
      return `${lesson} was credited with the success.`;
    case "blocked":
    case "dropped":
      return (
        `${lesson} ("${trigger}") ${how === "blocked" ? "found no room in" : "left"} the playbook` +
        `${cause === null ? "" : `: ${DROP_CAUSES[cause]}`}.`
      );
  }
}
