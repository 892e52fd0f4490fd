/** What `ghostlight skill` says in words. */
import { markdownTable } from "markdown-table";
import { escapedLine, escapedText } from "../../../../edges/escapedText.ts";
import { trimPython } from "../../../../machines/skills/pythonText.ts";
import type { NormalisedSkill, Refusal, SkillCheck } from "../skillCheck.ts";

export const refusalText = ({ cause, found, todo }: Refusal): string =>
  [`verdict  refused: ${cause}`, `found    ${escapedLine(found)}`, `todo     ${todo}`].join("\n");

/** Code as it goes out: exactly, but on a terminal nothing that steers it, on lines of its own. */
export function shownCode(
  code: string,
  isTerminal: boolean,
): { readonly text: string; readonly note: string | null } {
  if (!isTerminal) return { text: code, note: null };
  const shown = escapedText(code);
  return {
    text: shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`,
    note:
      shown === code
        ? null
        : "Control codes are written out here; into a file or a pipe the code goes as it is.",
  };
}

type OfFile<T> = T & { readonly file: string };

export const normalizedTable = (all: readonly OfFile<NormalisedSkill>[]): string =>
  markdownTable([
    ["file", "verdict", "why"],
    ...all.map(({ file, verdict, changed, refusal }) => [
      escapedLine(file),
      verdict,
      refusal === null ? changed.join("; ") : refusalLine(refusal),
    ]),
  ]);

export const checkTable = (all: readonly OfFile<SkillCheck>[]): string =>
  markdownTable([
    ["file", "verdict", "state", "why"],
    ...all.map(({ file, verdict, state, changed, refusal }) => [
      escapedLine(file),
      verdict,
      state,
      refusal === null ? changed.join("; ") : refusalLine(refusal),
    ]),
  ]);

const refusalLine = ({ cause, found }: Refusal): string => escapedLine(`${cause}: ${found}`);

export function checkText({ refusal, state, changed, run, registered }: SkillCheck): string {
  const normalised = changed.length === 0 ? "unchanged" : changed.join("; ");
  const head = state === "arguments" || state === "normalising" ? [] : [`code     ${normalised}`];
  const ran = run === null ? [] : [`test     exit code ${run.exitCode}${printedText(run.stdout)}`];
  if (refusal !== null) {
    return [...head, ...ran, `state    ${state}`, refusalText(refusal)].join("\n");
  }
  if (registered === null) return [...head, ...ran].join("\n");
  const { row, path, shown } = registered;
  return [
    ...[...head, ...ran, "verdict  would be registered", `file     ${path}`],
    `row      ${escapedLine(JSON.stringify(row))}`,
    ...shown.split("\n").map((line, index) => `${index === 0 ? "shown   " : "        "} ${line}`),
  ].join("\n");
}

const printedText = (stdout: string): string =>
  trimPython(stdout) === "" ? ", nothing printed" : `, printed ${escapedLine(stdout.trimEnd())}`;
