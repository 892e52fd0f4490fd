/** What the log says of lessons and dreams, counted. */

import { type Gauge, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import { PLAYBOOK } from "../../machines/skills/playbookKeeper.ts";

const lessons = { unit: "lessons", perAgent: false };

export const skillsMetrics = {
  "playbook.size": { ...lessons, says: "Lessons in the playbook, now." },
  "playbook.verified": { ...lessons, says: "Of these, the verified ones, which are pins." },
  "playbook.written": { ...lessons, says: "Lessons that came into the playbook." },
  "playbook.surfaced": { ...lessons, says: "Lessons that entered prompts, each time counted." },
  "playbook.credited": { ...lessons, says: "Credits for a success soon after it was shown." },
  "playbook.creditsPerGoal": {
    ...lessons,
    says: "Credits for each completed goal, on average; above 1, lessons share a success.",
  },
  "playbook.refusedByGuard": { ...lessons, says: "Lessons that the guard refused." },
  "playbook.blocked": { ...lessons, says: "Lessons for which verified ones left no room." },
  "playbook.dropped": {
    ...lessons,
    says: "Lessons that left the playbook or found no room in it.",
  },
  "dreams.begun": { unit: "dreams", perAgent: false, says: "Dreams that began." },
  "dreams.tried": { unit: "attempts", perAgent: false, says: "What the solver tried in dreams." },
  "dreams.verified": { ...lessons, says: "Lessons that proved in a dream that they help." },
} as const;

type SkillsMetrics = typeof skillsMetrics;

type SkillsMetric = keyof SkillsMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends SkillsMetrics {}
}

export function meter({ skills }: Partial<Sections>, gauge: Gauge): Observer {
  const values = new Map<SkillsMetric, number>();
  const set = (metric: SkillsMetric, atMs: number, value: number): void => {
    values.set(metric, value);
    gauge.set(metric, WORLD, atMs, value);
  };
  const add = (metric: SkillsMetric, atMs: number): void =>
    set(metric, atMs, (values.get(metric) ?? 0) + 1);
  let completed = 0;
  const setCreditsPerGoal = (atMs: number): void =>
    set("playbook.creditsPerGoal", atMs, (values.get("playbook.credited") ?? 0) / completed);
  return {
    observe: ({ event, to, dueMs: atMs }) => {
      switch (event.type) {
        case "actor.start":
          if (event.machine !== "playbook" || skills === undefined) return;
          for (const metric of Object.keys(skillsMetrics)) set(metric as SkillsMetric, atMs, 0);
          set("playbook.size", atMs, skills.playbook.length);
          set("playbook.verified", atMs, skills.playbook.filter((one) => one.verified).length);
          return;
        case "playbook.changed":
          set("playbook.size", atMs, event.size);
          set("playbook.verified", atMs, event.pins);
          if (event.how === "written") add("playbook.written", atMs);
          if (event.how === "credited") add("playbook.credited", atMs);
          if (event.how === "credited") setCreditsPerGoal(atMs);
          if (event.how === "blocked") add("playbook.blocked", atMs);
          if (event.cause !== null) add("playbook.dropped", atMs);
          return;
        case "goal.reported":
          if (to !== PLAYBOOK || event.status !== "completed") return;
          completed += 1;
          setCreditsPerGoal(atMs);
          return;
        case "playbook.surfaced":
          add("playbook.surfaced", atMs);
          return;
        case "dream.began":
          // Others who keep something hear it too.
          if (to === PLAYBOOK) add("dreams.begun", atMs);
          return;
        case "dream.tried":
          add("dreams.tried", atMs);
          return;
        case "dream.ended":
          if (event.end === "refused") add("playbook.refusedByGuard", atMs);
          if (event.end === "verified") add("dreams.verified", atMs);
          return;
        default:
          return;
      }
    },
  };
}
