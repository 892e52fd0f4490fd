/** What the log says of lessons and dreams, counted. */

import { type Gauge, metricsIn, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import { PLAYBOOK } from "../../machines/skills/playbookKeeper.ts";

const lessons = metricsIn("lessons");

export const lessonMetrics = {
  "playbook.size": lessons("Lessons in the playbook, now."),
  "playbook.verified": lessons("Of these, the verified ones, which are pins."),
  "playbook.written": lessons("Lessons that came into the playbook.", {
    "playbook.changed": ({ how }) => how === "written",
  }),
  "playbook.surfaced": lessons("Lessons that entered prompts, each time counted.", {
    "playbook.surfaced": 1,
  }),
  "playbook.credited": lessons("Credits for a success soon after it was shown.", {
    "playbook.changed": ({ how }) => how === "credited",
  }),
  "playbook.creditsPerGoal": lessons(
    "Credits for each completed goal, on average; above 1, lessons share a success.",
  ),
  "playbook.refusedByGuard": lessons("Lessons that the guard refused.", {
    "dream.ended": ({ end }) => end === "refused",
  }),
  "playbook.blocked": lessons("Lessons for which verified ones left no room.", {
    "playbook.changed": ({ how }) => how === "blocked",
  }),
  "playbook.dropped": lessons("Lessons that left the playbook or found no room in it.", {
    "playbook.changed": ({ cause }) => cause !== null,
  }),
  "dreams.begun": metricsIn("dreams")("Dreams that began.", {
    "dream.began": (_, to) => to === PLAYBOOK,
  }),
  "dreams.tried": metricsIn("attempts")("What the solver tried in dreams.", { "dream.tried": 1 }),
  "dreams.verified": lessons("Lessons that proved in a dream that they help.", {
    "dream.ended": ({ end }) => end === "verified",
  }),
} as const;

type LessonMetrics = typeof lessonMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends LessonMetrics {}
}

export function meter({ skills }: Partial<Sections>, gauge: Gauge): Observer {
  const kept = { completed: 0 };
  const setCreditsPerGoal = (atMs: number): void => {
    const credits = gauge.at("playbook.credited", WORLD, atMs);
    gauge.set("playbook.creditsPerGoal", WORLD, atMs, credits / Math.max(1, kept.completed));
  };
  const setSize = (atMs: number, size: number, verified: number): void => {
    gauge.set("playbook.size", WORLD, atMs, size);
    gauge.set("playbook.verified", WORLD, atMs, verified);
  };
  return {
    kept,
    observe: ({ event, to, dueMs: atMs }) => {
      if (event.type === "actor.start" && event.machine === "playbook" && skills !== undefined) {
        const { playbook } = skills;
        setSize(atMs, playbook.length, playbook.filter(({ verified }) => verified).length);
      } else if (event.type === "playbook.changed") {
        setSize(atMs, event.size, event.pins);
        if (event.how === "credited") setCreditsPerGoal(atMs);
      } else if (event.type === "goal.reported" && to === PLAYBOOK) {
        if (event.status !== "completed") return;
        kept.completed += 1;
        setCreditsPerGoal(atMs);
      }
    },
  };
}
