/** What `tool check --call` says of a call, and how its options are read. */
import { BadInput, quoted } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import { jsonText } from "../../../../edges/jsonText.ts";
import { textFile } from "../../../../edges/pythonFile.ts";
import { type FolderPolicy, isVirtualPath, rootsText } from "../../../../machines/folders.ts";
import { isMap } from "../../../../machines/isMap.ts";
import type { FileChanged, Params, Texts, ToolCalled } from "../toolCalls.ts";

const CALL_TODO = `Give the arguments as a JSON object, as in --call '{"path": "/agentOS/workspace/shared/a.md"}'.`;
const FILE_TODO = "Give --file VIRTUAL=REAL, as in --file /agentOS/workspace/shared/a.md=a.md.";

export const callsOption = (written: readonly string[]): readonly Params[] =>
  written.map((text) => {
    const value = jsonText(text, { path: "--call" }, CALL_TODO);
    if (isMap(value)) return value as Params;
    throw new BadInput({
      where: { path: "--call" },
      ...{ found: quoted(value), allowed: "a JSON object of arguments", todo: CALL_TODO },
    });
  });

/** The texts of real files, by the virtual paths at which the tool finds them. */
export const filesOption = (written: readonly string[], folders: FolderPolicy): Texts =>
  Object.fromEntries(
    written.map((one) => {
      const at = one.indexOf("=");
      const path = one.slice(0, Math.max(0, at));
      if (at < 0 || !isVirtualPath(path, folders)) {
        const allowed = `a path below ${rootsText(folders)}/, =, and the path of a file`;
        throw new BadInput({
          where: { path: "--file" },
          ...{ found: quoted(one), allowed, todo: FILE_TODO },
        });
      }
      return [path, textFile(one.slice(at + 1), FILE_TODO)];
    }),
  );

export const callText = (one: ToolCalled): string =>
  [
    "",
    `call     ${escapedLine(JSON.stringify(one.call))}`,
    one.ok
      ? `returned ${one.isNone ? "None, which a world takes for nothing" : escapedLine(JSON.stringify(one.returned))}`
      : `failed   ${escapedLine(one.error ?? "")}`,
    `took     ${one.tookMs} ms of virtual time`,
    ...printed("stdout", one.stdout),
    ...printed("stderr", one.stderr),
    ...(one.changed.length === 0 ? ["changed  no file"] : one.changed.flatMap(changeText)),
  ].join("\n");

const LINES_MAX = 20;

function printed(what: string, text: string): readonly string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  return text === ""
    ? []
    : shortened(lines).map((line) => `${what.padEnd(8)} ${escapedLine(line)}`);
}

const shortened = (lines: readonly string[]): readonly string[] =>
  lines.length <= LINES_MAX
    ? lines
    : [...lines.slice(0, LINES_MAX), `… and ${lines.length - LINES_MAX} more lines`];

/** What stands between the lines that both texts begin and end with. */
function changeText({ path, before, after }: FileChanged): readonly string[] {
  const how = before === null ? "made" : after === null ? "removed" : "changed";
  const [old, now] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start++;
  let end = 0;
  while (end < most - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  const cut = (lines: readonly string[], mark: string) =>
    shortened(lines.slice(start, lines.length - end)).map(
      (line) => `  ${mark} ${escapedLine(line)}`,
    );
  return [
    `${how.padEnd(8)} ${escapedLine(path)}, from line ${start + 1}`,
    ...cut(old, "-"),
    ...cut(now, "+"),
  ];
}

const linesOf = (text: string | null): readonly string[] =>
  text === null || text === "" ? [] : text.replace(/\n$/, "").split("\n");
