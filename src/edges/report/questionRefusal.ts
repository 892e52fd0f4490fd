/** A question to `why` that fits nothing in a run, in the words of our errors. */
import type { Part } from "../../contract/part.ts";
import { questionForms, type UnknownQuestion } from "../../run/why.ts";
import { type BadInput, badInput, hintFor, quoted } from "../errors.ts";

/** `todo` says where the questions of this run are listed. */
export const questionRefusal = (
  parts: readonly Part[],
  question: string | undefined,
  { known }: UnknownQuestion,
  todo: string,
): BadInput =>
  badInput(
    {},
    `the question ${quoted(question)}`,
    `${["SEQ", ...questionForms(parts)].join(" | ")}, of something in this run`,
    todo,
    hintFor(question ?? "", known),
  );
