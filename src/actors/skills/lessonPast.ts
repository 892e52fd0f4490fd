/** What only the whole log can say of lessons: how often each was shown, and the goals that it was credited with. */

import { countOf } from "../../contract/countOf.ts";
import { startOf } from "../../contract/startOf.ts";
import { onceFor } from "../../machines/onceFor.ts";
import { type Lesson, triggerKey } from "../../machines/skills/lesson.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";
import { finderIn, type Log, ofTypes } from "../../substrate/log.ts";
import { changedText } from "./dreamWords.ts";
import { firstFew } from "./firstFew.ts";

interface Past {
  readonly name: string;
  readonly trigger: string;
  readonly wasThere: boolean;
  /** What answers a question about it: that it came, left or found no room; else that it was shown, or its start. */
  answer: Delivery;
  hasTurned: boolean;
  shown: number;
  readonly goals: string[];
}

export interface LessonPasts {
  readonly says: ReadonlyMap<number, string>;
  /** By name. */
  readonly answers: ReadonlyMap<string, Delivery>;
}

/** The oldest was written first; lessons of one trigger are one. */
export function namedLessons(lessons: readonly Lesson[]): ReadonlyMap<string, Lesson> {
  const byTrigger = new Map<string, Lesson>();
  for (const one of lessons.toReversed()) {
    if (!byTrigger.has(triggerKey(one.trigger))) byTrigger.set(triggerKey(one.trigger), one);
  }
  return new Map([...byTrigger.values()].map((one, index) => [`lesson-${index + 1}`, one]));
}

export const lessonPasts = onceFor((log: Log): LessonPasts => {
  const at = finderIn(log);
  const says = new Map<number, string>();
  const pasts = new Map<string, Past>();
  for (const one of ofTypes(log, "actor.start", "playbook.changed", "playbook.surfaced")) {
    if (one.fate !== "handled") continue;
    if (isEvent(one, "playbook.changed")) changed(one, pasts, at);
    else if (isEvent(one, "playbook.surfaced")) surfaced(one, pasts);
    else opened(one, pasts, says);
  }
  for (const past of pasts.values()) say(past, says);
  return { says, answers: new Map([...pasts].map(([name, { answer }]) => [name, answer])) };
});

function opened(one: Delivery, pasts: Map<string, Past>, says: Map<number, string>): void {
  const named = namedLessons(startOf(one.event, "playbook")?.lessons ?? []);
  if (named.size === 0) return;
  for (const [name, { trigger }] of named) {
    const quiet = { wasThere: true, hasTurned: false, shown: 0, goals: [] };
    pasts.set(name, { ...{ name, trigger, answer: one }, ...quiet });
  }
  const verified = [...named.values()].filter((lesson) => lesson.verified).length;
  says.set(
    one.seq,
    `The playbook began with ${countOf(named.size, "lesson")}, ${verified} of them verified: ` +
      `${named.size === 1 ? "lesson-1" : `lesson-1 to lesson-${named.size}`}.`,
  );
}

function surfaced(one: DeliveryOf<"playbook.surfaced">, pasts: ReadonlyMap<string, Past>): void {
  const past = pasts.get(one.event.lesson);
  if (past === undefined) return;
  past.shown++;
  if (!past.hasTurned) past.answer = one;
}

/** What is learnt once more, or is of use, stays as it is. */
const TURNS: readonly string[] = ["written", "blocked", "dropped"];

function changed(
  one: DeliveryOf<"playbook.changed">,
  pasts: Map<string, Past>,
  at: (seq: number) => Delivery | undefined,
): void {
  const { lesson: name, how, trigger } = one.event;
  const known = pasts.get(name);
  // One that found no room leaves its name to the next.
  const isNew = known === undefined || how === "written" || how === "blocked";
  const past: Past = isNew
    ? { ...{ name, trigger, wasThere: false, answer: one, hasTurned: true }, shown: 0, goals: [] }
    : known;
  pasts.set(name, past);
  if (TURNS.includes(how)) {
    past.answer = one;
    past.hasTurned = true;
  }
  if (how !== "credited") return;
  for (const seq of one.because ?? []) {
    const goal = at(seq);
    if (goal !== undefined && isEvent(goal, "goal.reported")) {
      past.goals.push(`${goal.event.agent}/${goal.event.n}`);
    }
  }
}

function say({ name, trigger, wasThere, answer, shown, goals }: Past, says: Map<number, string>) {
  const use =
    `it was shown ${countOf(shown, "time")}` +
    (goals.length === 0
      ? ", and never credited"
      : `, and credited with ${firstFew(goals, "goal")}`);
  if (isEvent(answer, "playbook.surfaced")) {
    const { agent, purpose } = answer.event;
    says.set(
      answer.seq,
      `${name} ("${trigger}") was ${wasThere ? "there from the start" : "in the playbook"}; ${use}, ` +
        `the last time in ${agent}'s prompt (${purpose}).`,
    );
  }
  if (!isEvent(answer, "playbook.changed") || answer.event.how === "blocked") return;
  says.set(answer.seq, `${changedText(answer.event)} In this run ${use}.`);
}
