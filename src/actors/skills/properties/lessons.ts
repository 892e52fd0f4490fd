/** What is promised of lessons in any world. Source: seed 001, path B and Retention formula; rulings K2, K4, K8. */

import type { Policy } from "../../../contract/policy.ts";
import { worldPromises } from "../../../contract/promises.ts";
import type { Verdict, WorldProperty } from "../../../contract/property.ts";
import { naturalLog } from "../../../machines/naturalLog.ts";
import {
  UTILITY_TERMS,
  type UtilityPolicy,
  type UtilityTerm,
} from "../../../machines/skills/retention.ts";
import { MILLION } from "../../../machines/units.ts";
import { type LessonSeen, PlaybookMirror, type WordSeen } from "./playbookMirror.ts";

/** Looks at each word of the playbook. */
const onWords =
  (judge: (policy: Policy["skills"]) => (word: WordSeen) => Verdict): WorldProperty["watch"] =>
  ({ skills: policy }) => {
    const mirror = new PlaybookMirror(policy);
    const verdict = judge(policy);
    return ({ delivery }) => {
      const word = mirror.observe(delivery);
      return word && verdict(word);
    };
  };

type Terms = { readonly [term in UtilityTerm]: number };

/** Each term from the facts, in millionths. */
export function termsSeen(lesson: LessonSeen, by: UtilityPolicy): Terms {
  const { retrievals, helpfulRetrievals: helpful, frequency } = lesson;
  const isReal = by.form === "real";
  const raw = retrievals === 0 ? 0 : helpful / retrievals;
  const hit = isReal ? (helpful + 1) / (retrievals + 2) : raw;
  const confidence = isReal && lesson.confidence === 0 ? MILLION / 2 : lesson.confidence;
  const times = Math.max(1, frequency);
  const grown = Math.round(naturalLog(isReal ? times + 1 : times) * by.frequency * 1_000);
  const terms = {
    confidence: Math.round((confidence * by.confidence) / 1_000),
    hitRate: Math.round(hit * by.hitRate * 1_000),
    verified: lesson.verified ? by.verified * 1_000 : 0,
    frequency: isReal ? Math.min(grown, by.frequencyMax * 1_000) : grown,
  };
  const isStale = retrievals >= by.staleRetrievals && hit * 1_000 < by.staleBelow;
  if (!isStale) return { ...terms, stale: 0 };
  const whole = sumOf({ ...terms, stale: 0 });
  const left = isReal
    ? Math.round((whole * by.staleFactor) / 1_000)
    : whole - by.stalePenalty * 1_000;
  return { ...terms, stale: left - whole };
}

const sumOf = (terms: Terms): number => UTILITY_TERMS.reduce((sum, term) => sum + terms[term], 0);

const inWords = (terms: Terms): string =>
  UTILITY_TERMS.map((term) => `${term} ${(terms[term] / MILLION).toFixed(6)}`).join(", ");

export const lessonProperties = worldPromises({
  "lessons-utility-is-a-recount": {
    says: "Whatever is told of a lesson's utility is finite, and the sum of terms that follow from when it was shown, what went well after that, how often it was learnt, and its confidence; so are the numbers of lessons and of pins.",
    source: "seed 001, Retention formula; RULINGS K2, K14",
    watch: onWords((policy) => ({ event, lesson, lessons, isLast }) => {
      if (lesson === undefined) return `${event.lesson} is told of, and no such lesson is there.`;
      const terms = termsSeen(lesson, policy.utility);
      const { utility } = event;
      if (!Number.isSafeInteger(utility) || utility !== sumOf(terms)) {
        return `${event.lesson} is told with a utility of ${utility} millionths; the log has ${inWords(terms)}.`;
      }
      if (event.type === "playbook.surfaced" || !isLast) return true;
      const pins = [...lessons.values()].filter(({ verified }) => verified).length;
      const found = `${event.size} lessons, ${event.pins} of them pins`;
      const recount = `${lessons.size} lessons, ${pins} of them pins`;
      return found === recount
        ? true
        : `the playbook is told to have ${found}; the log has ${recount}.`;
    }),
  },
  "lessons-within-their-number": {
    says: "The playbook never has more lessons than are kept.",
    source: "seed 001, Retention formula",
    watch: onWords(({ playbook: { size } }) => ({ lessons, isLast }) => {
      if (!isLast) return undefined;
      return (
        lessons.size <= size || `the playbook has ${lessons.size} lessons where ${size} are kept.`
      );
    }),
  },
  "lessons-pins-stay": {
    says: "A verified lesson leaves the playbook only where all that stay are verified, unless the policy lets all compete by utility.",
    source: "seed 001, Retention formula; RULINGS K4, K8",
    watch: onWords(({ playbook }) => {
      let gone: string[] = [];
      let hasLeft = false;
      return ({ event, lesson, lessons, isGone, isLast }) => {
        if (playbook.overflow === "utility") return undefined;
        hasLeft ||= isGone;
        if (isGone && lesson?.verified === true) gone.push(event.lesson);
        if (!isLast || !hasLeft) return undefined;
        const [left] = gone;
        gone = [];
        hasLeft = false;
        const others = [...lessons.values()];
        const stays = others.find(({ verified }) => !verified);
        if (left !== undefined && stays !== undefined) {
          return `${left}, which is verified, left the playbook, and “${stays.trigger}” stays, which is not.`;
        }
        return left !== undefined || others.some(({ verified }) => verified) ? true : undefined;
      };
    }),
  },
  "lessons-least-useful-leave": {
    says: "A lesson that leaves for its utility is worth no more than any unverified one that stays, the newest apart; one that is pruned was shown often enough, is unverified, and never helped.",
    source: "seed 001, Retention formula, Retrieval feedback loop; RULINGS K4, K8",
    watch: onWords(({ utility, playbook }) => {
      const worth = (lesson: LessonSeen): number => sumOf(termsSeen(lesson, utility));
      let gone: { readonly id: string; readonly lesson: LessonSeen }[] = [];
      return ({ event, lesson, head, lessons, isGone, isLast }) => {
        const cause = event.type === "playbook.changed" ? event.cause : null;
        if (isGone && lesson !== undefined && cause === "lowest-utility") {
          gone.push({ id: event.lesson, lesson });
        }
        if (
          isGone &&
          lesson !== undefined &&
          (cause === "never-helpful" || cause === "lowest-quarter")
        ) {
          const { verified, retrievals, helpfulRetrievals: helpful } = lesson;
          const isUseless = helpful === 0 || cause === "lowest-quarter";
          const isDue = !verified && retrievals >= playbook.pruneRetrievals && isUseless;
          if (isDue) return true;
          return `${event.lesson} is pruned: ${verified ? "verified" : "unverified"}, shown ${retrievals} times, helpful ${helpful} times.`;
        }
        if (!isLast || gone.length === 0) return undefined;
        const left = gone;
        gone = [];
        const rivals = [...lessons].flatMap(([key, one]) =>
          key === head || (one.verified && playbook.overflow === "pins-block") ? [] : [one],
        );
        for (const { id, lesson: one } of left) {
          const others = one.verified ? rivals : rivals.filter(({ verified }) => !verified);
          const lesser = others.find((rival) => worth(rival) < worth(one));
          if (lesser !== undefined) {
            return `${id} left, which is worth ${worth(one)} millionths, and “${lesser.trigger}” stays, which is worth ${worth(lesser)}.`;
          }
        }
        return true;
      };
    }),
  },
});
