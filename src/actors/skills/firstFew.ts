/** Some of many, for a sentence. */
import { countOf } from "../../contract/countOf.ts";

const FEW = 3;

/** `goal cedar/3`, `goals cedar/3, cedar/4`, `90 goals (cedar/3, cedar/4, cedar/5, …)`. */
export const firstFew = (names: readonly string[], one: string): string =>
  names.length <= FEW
    ? `${one}${names.length === 1 ? "" : "s"} ${names.join(", ")}`
    : `${countOf(names.length, one)} (${names.slice(0, FEW).join(", ")}, …)`;
