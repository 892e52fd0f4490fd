/** A question to `why` that fits nothing in a run, in the words of our errors. */
import type { Part } from "../../contract/part.ts";
import { questionForms, type UnknownQuestion } from "../../run/why.ts";
import { BadInput, hintFor, quoted } from "../errors.ts";

/** `todo` says where the questions of this run are listed. */
export const questionRefusal = (
  parts: readonly Part[],
  question: string | undefined,
  { known }: UnknownQuestion,
  todo: string,
): BadInput =>
  new BadInput({
    where: {},
    found: `the question ${quoted(question)}`,
    allowed: `${["SEQ", ...questionForms(parts)].join(" | ")}, of something in this run`,
    ...hintFor(question ?? "", known),
    todo,
  });
