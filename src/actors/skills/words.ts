/** What happens to skills, lessons and macros, in words. */
import { countOf } from "../../contract/countOf.ts";
import type { Words } from "../../contract/words.ts";
import { MACROS } from "../../machines/skills/macroKeeper.ts";
import { dreamWords } from "./dreamWords.ts";
import { skillWords } from "./skillWords.ts";

const macroWords: Words = {
  "macro.learned": ({ macro, goals }) =>
    `${macro.steps.map(({ tool }) => tool).join(", then ")} recurred in ${countOf(goals.length, "completed goal")} ` +
    `(${goals.join(", ")}) and became the macro ${macro.name}.`,
  "macro.evicted": ({ name, uses, by }) =>
    `The macro ${name} gave its place to ${by}: ${uses === 0 ? "nobody had used it" : `it was used ${times(uses)}, the least of all`}.`,
  "macro.retired": ({ name, by }) => `${by} retired the macro ${name}.`,
  "call.finished": ({ capability, ok, error }, { to }) =>
    to === MACROS
      ? `The macro's call${capability === null ? "" : ` of ${capability}`} ${ok ? "succeeded" : `failed: ${error}`}.`
      : null,
  "macro.ended": ({ name, agent, ok, ran, reason }) =>
    ok
      ? `${agent}'s macro ${name} went well, in ${countOf(ran, "step")}.`
      : `${agent}'s macro ${name} failed after ${countOf(ran, "step")}: ${reason}.`,
};

const times = (count: number): string => (count === 1 ? "once" : `${count} times`);

export const words: Words = {
  ...skillWords,
  ...macroWords,
  ...dreamWords,
};
