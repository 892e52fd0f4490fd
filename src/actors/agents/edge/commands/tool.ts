/** `ghostlight tool check`: would synthesize_capability take this tool, and if not, why? */
import { basename } from "node:path";
import { parts } from "../../../../builtIn/parts.ts";
import { answerBatch, type Fields } from "../../../../cli/batch.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { echoSet, overridesOption, sandboxOption } from "../../../../cli/options.ts";
import { clearProgress, print, printJson, progress } from "../../../../cli/output.ts";
import { policyWith } from "../../../../contract/policyTree.ts";
import { BadInput, quoted } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { cacheFolder, KeptAnswers } from "../../../../edges/play/keptAnswers.ts";
import { lazySandbox } from "../../../../edges/python/sandboxPort.ts";
import { pythonFile } from "../../../../edges/pythonFile.ts";
import { callTool, type ToolCalled } from "../toolCalls.ts";
import { checkTool, type ToolCheck, type ToolText } from "../toolCheck.ts";
import { callsOption, callText, filesOption } from "./toolCallText.ts";

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
  if ((file === undefined) !== (flags.batch === true)) {
    throw new BadInput({
      where: { path: "tool check" },
      found: file === undefined ? "neither a file nor --batch" : "a file and --batch",
      allowed: "one of the two",
      todo: "Give the path of a Python file, or --batch with JSON lines on standard input.",
    });
  }
  const calls = callsOption(flags.call ?? []);
  const files = filesOption(flags.file ?? [], policy.folders);
  if (file === undefined ? calls.length + Object.keys(files).length > 0 : false) {
    throw new BadInput({
      where: { path: "tool check" },
      ...{ found: "--call or --file beside --batch", allowed: "them beside one Python file" },
      todo: "Leave out --batch, or the others.",
    });
  }
  if (calls.length === 0 && Object.keys(files).length > 0) {
    throw new BadInput({
      where: { path: "tool check" },
      ...{ found: "--file without --call", allowed: "files for a call" },
      todo: "Add --call with the tool's arguments as JSON, such as --call '{}'.",
    });
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
