// `skill` with lines on standard input.
import { type Said, started } from "./ghostlight.ts";

/** A command with these lines on standard input. */
export function skillBatch(verb: string, lines: readonly string[], cwd: string): Promise<Said> {
  const child = started(["skill", verb, "--batch"], { cwd });
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  child.stdin.end(lines.join("\n"));
  return new Promise((done, failed) => {
    child.on("error", failed).on("close", (code) => done({ code, ...said }));
  });
}

export const linesOf = ({ stdout }: Said) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
