/** `ghostlight tool check`: would synthesize_capability take this tool, and if not, why? */
import { basename } from "node:path";
import { parts } from "../../../../builtIn/parts.ts";
import { answerBatch, type Fields } from "../../../../cli/batch.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { echoSet, overridesOption, sandboxOption } from "../../../../cli/options.ts";
import { clearProgress, print, printJson, progress } from "../../../../cli/output.ts";
import { policyWith } from "../../../../contract/policyTree.ts";
import { badInput, eitherOrBatch, quoted } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { jsonText } from "../../../../edges/jsonText.ts";
import { cacheFolder, KeptAnswers } from "../../../../edges/play/keptAnswers.ts";
import { lazySandbox } from "../../../../edges/python/sandboxPort.ts";
import { pythonFile, textFile } from "../../../../edges/pythonFile.ts";
import { type FolderPolicy, isVirtualPath, rootsText } from "../../../../machines/folders.ts";
import { isMap } from "../../../../machines/isMap.ts";
import {
  callTool,
  type FileChanged,
  type Params,
  type Texts,
  type ToolCalled,
} from "../toolCalls.ts";
import { checkTool, type ToolCheck, type ToolText } from "../toolCheck.ts";

export interface ToolFlags extends JsonFlag {
  readonly name?: string;
  readonly description?: string;
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly batch?: true;
  readonly sandbox?: string;
  readonly cache?: string;
  readonly call?: readonly string[];
  readonly file?: readonly string[];
}

type Check = (tool: ToolText) => Promise<ToolCheck>;

/** What a command does in the sandbox: the nine steps, and calls. */
interface Checking {
  readonly check: Check;
  readonly call: (tool: ToolText) => Promise<readonly ToolCalled[]>;
}

export async function toolCheckCommand(
  file: string | undefined,
  flags: ToolFlags,
): Promise<number> {
  const policy = policyWith(parts, overridesOption(parts, flags.set ?? [], flags.profile));
  echoSet(parts, flags.set);
  const isGiven = file !== undefined;
  eitherOrBatch("tool check", isGiven, flags.batch, "a file", "the path of a Python file");
  const calls = callsOption(flags.call ?? []);
  const files = filesOption(flags.file ?? [], policy.folders);
  if (file === undefined ? calls.length + Object.keys(files).length > 0 : false) {
    throw badInput(
      "tool check",
      "--call or --file beside --batch",
      "them beside one Python file",
      "Leave out --batch, or the others.",
    );
  }
  if (calls.length === 0 && Object.keys(files).length > 0) {
    throw badInput(
      "tool check",
      "--file without --call",
      "files for a call",
      "Add --call with the tool's arguments as JSON, such as --call '{}'.",
    );
  }
  const answers = new KeptAnswers(cacheFolder(flags.cache));
  const sandbox = lazySandbox({ kind: sandboxOption(flags.sandbox), answers });
  const checking: Checking = {
    check: (tool) => checkTool(tool, policy, { sandbox: async () => sandbox }),
    call: (tool) => callTool(tool, calls, files, policy, sandbox),
  };
  try {
    return await (file === undefined
      ? checkBatch(checking.check)
      : checkFile(file, flags, checking));
  } finally {
    await sandbox.close();
  }
}

async function checkFile(
  file: string,
  flags: ToolFlags,
  { check, call }: Checking,
): Promise<number> {
  const name = flags.name ?? basename(file).replace(/\.py$/, "");
  const tool = { name, description: flags.description ?? "", implementation: pythonFile(file) };
  progress(`checking ${file}`);
  const result = await check(tool);
  // What is called is what was deployed: code without a function of its own is wrapped in one.
  const deployed = Object.entries(result.files).find(([path]) => path.endsWith(".py"))?.[1];
  const calls = await call({ ...tool, implementation: deployed ?? tool.implementation });
  clearProgress();
  if (flags.json) printJson({ file, ...result, ...(flags.call && { calls }) });
  else print([checkText(result), ...calls.map(callText)].join("\n"));
  const isWell = result.verdict !== "rejected" && calls.every(({ ok }) => ok);
  return isWell ? EXIT.ok : EXIT.failed;
}

function checkText({ verdict, return: value, steps, files }: ToolCheck): string {
  const left = Object.keys(files);
  return [
    ...steps.map(
      ({ step, title, outcome, rule, detail }) =>
        `${step} ${title.padEnd(24)} ${outcome.padEnd(8)}` +
        escapedLine(rule === null ? detail : `[${rule}] ${detail}`),
    ),
    `verdict  ${verdict}`,
    `files    ${left.length === 0 ? "none" : escapedLine(left.join(", "))}`,
    `return   ${JSON.stringify(value)}`,
  ].join("\n");
}

/** The others are checked all the same where one line cannot be read. */
const checkBatch = (check: Check): Promise<number> =>
  answerBatch(
    async (fields) => {
      const tool = toolOf(fields);
      if ("error" in tool) return tool;
      const { verdict, step, return: value, steps } = await check(tool);
      return { verdict, step, return: value, steps };
    },
    {
      looksAt: ["id", "name", "description", "implementation", "code"],
      progress: progressText,
    },
  );

const BAR = 30;

function progressText(done: number, count: number): string {
  const full = Math.round((done / count) * BAR);
  return `[${"#".repeat(full)}${" ".repeat(BAR - full)}] ${done} of ${count} tools`;
}

/** `implementation` may be missing, as in the source; `code` is its alias. */
function toolOf(fields: Fields): ToolText | { readonly error: string } {
  const { name, description = "" } = fields;
  if (fields["implementation"] !== undefined && fields["code"] !== undefined) {
    return { error: "code: found implementation as well; allowed: one of the two" };
  }
  const implementation = fields["implementation"] ?? fields["code"] ?? "";
  for (const [field, value] of Object.entries({ name, description, implementation })) {
    if (typeof value !== "string") {
      return { error: `${field}: found ${quoted(value)}; allowed: a text` };
    }
  }
  return { name, description, implementation } as ToolText;
}

const CALL_TODO = `Give the arguments as a JSON object, as in --call '{"path": "/agentOS/workspace/shared/a.md"}'.`;
const FILE_TODO = "Give --file VIRTUAL=REAL, as in --file /agentOS/workspace/shared/a.md=a.md.";

const callsOption = (written: readonly string[]): readonly Params[] =>
  written.map((text) => {
    const value = jsonText(text, { path: "--call" }, CALL_TODO);
    if (isMap(value)) return value as Params;
    throw badInput("--call", quoted(value), "a JSON object of arguments", CALL_TODO);
  });

/** The texts of real files, by the virtual paths at which the tool finds them. */
const filesOption = (written: readonly string[], folders: FolderPolicy): Texts =>
  Object.fromEntries(
    written.map((one) => {
      const at = one.indexOf("=");
      const path = one.slice(0, Math.max(0, at));
      if (at < 0 || !isVirtualPath(path, folders)) {
        const allowed = `a path below ${rootsText(folders)}/, =, and the path of a file`;
        throw badInput("--file", quoted(one), allowed, FILE_TODO);
      }
      return [path, textFile(one.slice(at + 1), FILE_TODO)];
    }),
  );

const callText = (one: ToolCalled): string =>
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
