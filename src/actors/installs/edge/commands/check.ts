/** `ghostlight install check`: an intent of a file, of standard input, or of each line of a batch. */
import { parts } from "../../../../builtIn/parts.ts";
import { answerBatch, type Fields } from "../../../../cli/batch.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { echoSet, overridesOption, sandboxOption } from "../../../../cli/options.ts";
import { clearProgress, print, printJson, progress } from "../../../../cli/output.ts";
import { policyWith } from "../../../../contract/policyTree.ts";
import { fileBytes, fileFault, textOfBytes } from "../../../../edges/boundedBytes.ts";
import { isFolder } from "../../../../edges/bundle/bundleFolders.ts";
import { type BadInput, badInput, eitherOrBatch, type Where } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { jsonText } from "../../../../edges/jsonText.ts";
import { cacheFolder, KeptAnswers } from "../../../../edges/play/keptAnswers.ts";
import { lazySandbox } from "../../../../edges/python/sandboxPort.ts";
import { redactor } from "../../../../edges/redaction.ts";
import { type Gating, judgeOf } from "../../../../machines/installs/addresses.ts";
import type { Json } from "../../../../machines/letter.ts";
import { artifactFolder, type Folder } from "../artifactFolder.ts";
import { foreignFolder } from "../foreignFolder.ts";
import {
  type CheckPolicy,
  type CheckTools,
  checkedFolder,
  checkedInstall,
  type InstallCheck,
} from "../installCheck.ts";
import type { Reason, Shown } from "../installReasons.ts";

export interface InstallCheckFlags extends JsonFlag {
  readonly artifact?: string;
  readonly gating?: string;
  readonly records?: string;
  readonly from?: string;
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly batch?: true;
  readonly sandbox?: string;
  readonly cache?: string;
}

/** What one check is asked, before its files are read. */
interface Asked {
  readonly intent: Json;
  readonly artifact: string | undefined;
  readonly gating: Gating | undefined;
  readonly records: readonly Json[] | undefined;
  readonly from: string | undefined;
}

/** Ours: instructions are long, and no intent is longer. */
const BYTES_MAX = 4 * 1024 * 1024;

const TODO = "Give the path of a JSON file, or - for standard input.";
const inputError = (where: Where, found: string, allowed: string, todo = TODO): BadInput =>
  badInput(where, found, allowed, todo);

async function jsonFile(file: string): Promise<Json> {
  const where = { file: file === "-" ? "standard input" : file };
  const bytes = file === "-" ? await standardInput() : bytesOf(file);
  if (bytes.length > BYTES_MAX) {
    throw inputError(where, `more than ${BYTES_MAX} bytes`, `at most ${BYTES_MAX} bytes`);
  }
  try {
    return jsonText(textOfBytes(bytes), where, TODO);
  } catch (error) {
    if (error instanceof TypeError) throw inputError(where, "bytes that are no text", "UTF-8");
    throw error;
  }
}

async function standardInput(): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    // Chunks of a stream without an encoding are bytes.
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > BYTES_MAX) break;
  }
  return Buffer.concat(chunks);
}

function bytesOf(file: string): Uint8Array {
  try {
    return fileBytes(file, BYTES_MAX);
  } catch (error) {
    const where = { file: file === "" ? '""' : file };
    throw inputError(where, fileFault(error), "a file that can be read");
  }
}

export async function installCheckCommand(
  file: string | undefined,
  flags: InstallCheckFlags,
): Promise<number> {
  fileOrBatch(file, flags);
  const gating = gatingOf(flags.gating, "--gating");
  return withTools(flags, async (tools) => {
    if (file === undefined) {
      const { redactor: redacts } = tools;
      return answerBatch(async (fields) => checked(askedIn(fields), tools), {
        fields: ["id", "intent", "artifact", "gating", "records", "from"],
        isRefused: ({ verdict }) => verdict === "refused",
        progress: (done, count) => `${done + 1} of ${count}`,
        shown: (text) => redacts.text(text),
      });
    }
    const { artifact, from } = flags;
    if (isFolder(file)) return folderAnswer(file, flags, tools);
    const records =
      flags.records === undefined ? undefined : recordsOf(await jsonFile(flags.records));
    const said = await checked(
      { intent: await jsonFile(file), artifact, gating, records, from },
      tools,
    );
    return printVerdict(said, flags);
  });
}

function printVerdict(said: Parameters<typeof checkText>[0], { json }: JsonFlag): number {
  clearProgress();
  if (json) printJson(said);
  else print(checkText(said));
  return said.verdict === "refused" ? EXIT.failed : EXIT.ok;
}

/** A skill's folder, or an MCP server's: it brings its own words, and nothing else counts. */
async function folderAnswer(
  path: string,
  flags: InstallCheckFlags,
  tools: CheckTools,
): Promise<number> {
  const stray = (["artifact", "gating", "records"] as const).find(
    (name) => flags[name] !== undefined,
  );
  if (stray !== undefined) {
    throw badInput(
      `--${stray}`,
      `a folder and --${stray}`,
      "a folder alone: what it holds is its artifact",
      "Give an intent, a JSON file, to say more of the install.",
    );
  }
  const foreign = foreignFolder(path, folderAt(path));
  const { from = tools.policy.installs.installers[0] ?? "" } = flags;
  return printVerdict(await checkedFolder(foreign, from, tools), flags);
}

/** What a batch says line by line. */
const OF_LINES = ["artifact", "gating", "records", "from", "json"] as const;

function fileOrBatch(file: string | undefined, flags: InstallCheckFlags): void {
  const { batch = false } = flags;
  const path = "install check";
  eitherOrBatch(
    path,
    file !== undefined,
    batch,
    "a file",
    "the path of an intent, - for standard input",
  );
  const stray = batch ? OF_LINES.find((name) => flags[name] !== undefined) : undefined;
  if (stray === undefined) return;
  const allowed = `--batch without --${stray}: each line says its own`;
  throw badInput(path, `--batch and --${stray}`, allowed, `Leave --${stray} out.`);
}

function gatingOf(given: unknown, path: string): Gating | undefined {
  if (given === undefined || given === "none" || given === "required") return given;
  throw badInput(
    path,
    "another word",
    "none | required",
    "Omit it where the planner said nothing: its matrix decides then.",
  );
}

function recordsOf(given: unknown): readonly Json[] {
  if (Array.isArray(given)) return given;
  throw badInput(
    "records",
    "no list",
    "a list of what promotion.record was given",
    '[{"artifact_id": "art_a1b2c3d4", "role": "evaluator", "pass": true}]',
  );
}

/** One sandbox for all, opened by the first text that is to be read. */
async function withTools(
  { set = [], profile, sandbox, cache }: InstallCheckFlags,
  work: (tools: CheckTools) => Promise<number>,
): Promise<number> {
  const policy: CheckPolicy = policyWith(parts, overridesOption(parts, set, profile));
  echoSet(parts, set);
  const answers = new KeptAnswers(cacheFolder(cache));
  const python = lazySandbox({ kind: sandboxOption(sandbox), answers });
  const onText = (done: number, of: number): void =>
    progress(`Python has read ${done} of ${of} texts`);
  try {
    return await work({ python, policy, redactor: redactor(), onText });
  } finally {
    await python.close();
  }
}

function checked(asked: Asked, tools: CheckTools): Promise<InstallCheck> {
  const { intent, artifact, gating = null, records = null } = asked;
  const { from = tools.policy.installs.installers[0] ?? "" } = asked;
  const folder = artifact === undefined ? null : folderAt(artifact);
  return checkedInstall({ intent, folder, from, gating, records }, tools);
}

const folderAt = (path: string): Folder =>
  artifactFolder(path, (count) => {
    if (count % FILES_A_STEP === 0) progress(`read ${count} files of ${path}`);
  });

const FILES_A_STEP = 200;

const MEND = "Mend the line.";

function askedIn(fields: Fields): Asked {
  const refused = (path: string, found: string, allowed: string): BadInput =>
    badInput(path, found, allowed, MEND);
  const textIn = (name: "artifact" | "from"): string | undefined => {
    const value = fields[name];
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    throw refused(name, value === "" ? "an empty text" : "no text", "a text");
  };
  const { intent, gating, records } = fields;
  if (intent === undefined) throw refused("intent", "nothing", "an intent");
  return {
    intent: intent as Json, // A field of a JSON line.
    artifact: textIn("artifact"),
    gating: gatingOf(gating, "gating"),
    records: records === undefined ? undefined : recordsOf(records),
    from: textIn("from"),
  };
}

/** Of evidence and notes; a reason is always told, and `--json` has all. */
const SHOWN_MAX = 20;

function checkText(said: InstallCheck & { readonly kind?: string }): string {
  const { kind, verdict, agent, artifact, revision, capabilities, remoteAccess, notes, reasons } =
    said;
  const rows: readonly (readonly [string, string])[] = [
    ...(kind === undefined ? [] : [["kind", kind] as const]),
    ["agent", agent ?? "none"],
    ...(artifact === null
      ? []
      : [["artifact", `${artifact.id}, ${filesText(artifact)}, ${artifact.digest}`] as const]),
    ["declared", listed(capabilities.declared)],
    ["needed", `${listed(capabilities.inferred)}; remote access: ${remoteAccess ? "yes" : "no"}`],
    ["verdict", verdict === "passes" ? passed(revision) : "refused"],
  ];
  return [
    ...rows.map(([name, text]) => `${name.padEnd(WIDTH)}${escapedLine(text)}`),
    ...(verdict === "passes" ? ahead(said) : []),
    ...reasons.flatMap(reasonLines),
    ...cut(
      notes.map(({ file, why }) => `${"note".padEnd(WIDTH)}${escapedLine(`${file}: ${why}`)}`),
      "notes",
    ),
  ].join("\n");
}

const passed = (revision: string | null): string =>
  revision === null ? "nothing found against it" : `would be created as ${revision}`;

const WIDTH = 10;
const listed = (names: readonly string[]): string => names.join(", ") || "nothing";

const filesText = ({ files, bytes }: { readonly files: number; readonly bytes: number }): string =>
  `${files} ${files === 1 ? "file" : "files"} of ${bytes} bytes`;

/** What is still to come before it is active. */
function ahead({ approval, gates, shows }: InstallCheck): readonly string[] {
  const row = (name: string, text: string): string => `${name.padEnd(WIDTH)}${text}`;
  return [
    ...(approval === null
      ? []
      : [row("approval", `a person is asked first: ${approval.join(", ") || "always"}`)]),
    row(
      "gate",
      gates.length === 0
        ? "none"
        : `promotion needs the records of ${gates.map(judgeOf).join(" and ")}`,
    ),
    ...(shows === null ? [] : [row("", `promotion_gate shows ${JSON.stringify(shows)}`)]),
  ];
}

function reasonLines(reason: Reason): readonly string[] {
  const { check, field, file, said, found, allowed, todo, evidence = [] } = reason;
  const place = escapedLine(file ?? field ?? check);
  return [
    "",
    `${check}: ${place}: found ${escapedLine(found)}; allowed: ${escapedLine(allowed)}`,
    ...(said === undefined ? [] : [`  ${escapedLine(said)}`]),
    ...cut(evidence.map(shownLine), "places"),
    `  ${escapedLine(todo)}`,
  ];
}

const shownLine = ({ file, line, pattern, what }: Shown): string =>
  `  ${escapedLine(`${file}:${line}: ${pattern} (${what})`)}`;

const cut = (lines: readonly string[], what: string): readonly string[] =>
  lines.length <= SHOWN_MAX
    ? lines
    : [
        ...lines.slice(0, SHOWN_MAX),
        `  … and ${lines.length - SHOWN_MAX} more ${what}; --json has all`,
      ];
