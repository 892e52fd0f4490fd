/** What `--batch` answers where one call of a function is an answer. */
import { isEdgeError } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { batchLine, batchLines, type Fields } from "./batchLines.ts";
import { printJsonLine } from "./output.ts";

/** Each line is answered in its place; one that cannot be read gets an error there, and exit 2. */
export async function answerBatch(answer: (fields: Fields) => object): Promise<number> {
  let bad = 0;
  for (const line of await batchLines()) {
    const said = batchAnswer(line, answer);
    if ("error" in said) bad += 1;
    printJsonLine(said);
  }
  return bad === 0 ? EXIT.ok : EXIT.badInput;
}

function batchAnswer(line: string, answer: (fields: Fields) => object): object {
  const read = batchLine(line);
  if ("error" in read) return read;
  const { id, fields } = read;
  try {
    return { id, ...answer(fields) };
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return { id, error: error.message.split("\n")[0] ?? "" };
  }
}
