// `skill` with lines on standard input.
import { fed, type Said } from "./ghostlight.ts";

/** A command with these lines on standard input. */
export const skillBatch = (verb: string, lines: readonly string[], cwd: string): Promise<Said> =>
  fed(["skill", verb, "--batch"], lines, { cwd });

export const linesOf = ({ stdout }: Said) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
