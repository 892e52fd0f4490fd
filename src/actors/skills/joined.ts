/** What is asked of skills, of lessons and of macros, as that of one part. */
import type { Questions } from "../../contract/part.ts";

/** What went wrong first is asked of the first that knows of trouble. */
export const joinedQuestions = (...all: readonly Questions[]): Questions => ({
  forms: all.flatMap(({ forms }) => forms),
  none: all.flatMap(({ none }) => none),
  of: (delivery) => firstOf(all, (one) => one.of(delivery)),
  find: (deliveries, question) => firstOf(all, (one) => one.find(deliveries, question)),
  all: (deliveries) => all.flatMap((one) => one.all(deliveries)),
  trouble: (deliveries) => firstOf(all, (one) => one.trouble(deliveries)),
});

function firstOf<T>(
  all: readonly Questions[],
  of: (one: Questions) => T | undefined,
): T | undefined {
  for (const one of all) {
    const found = of(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
