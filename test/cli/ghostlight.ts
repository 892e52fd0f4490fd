// The command line as its users start it, in a folder of its own.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { byHosts, plain, type Said } from "./warm.ts";

export type { Said };

export const program = resolve("src/cli/main.ts");

export interface Where {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Another program than `src/cli/main.ts`. */
  readonly file?: string;
}

export function started(args: readonly string[], { cwd, env, file = program }: Where = {}) {
  return spawn(process.execPath, [file, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...plain, ...env },
  });
}

/** With these lines on its standard input. */
export const fed = (
  args: readonly string[],
  lines: readonly unknown[],
  where: Where = {},
): Promise<Said> =>
  said(
    args,
    lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n"),
    where,
  );

/** What it printed, a value a line. */
export const valuesIn = ({ stdout }: Said) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/**
 * Whatever has an environment or program of its own gets a process of its own; the others are run one
 * after another in processes that have their modules loaded. Both say the same: processes.goldens.ts.
 */
export const ghostlight = (args: readonly string[], where: Where = {}): Promise<Said> =>
  said(args, "", where);

const said = (args: readonly string[], input: string, where: Where): Promise<Said> =>
  where.env === undefined && where.file === undefined
    ? byHosts({ program, args, input, cwd: where.cwd ?? process.cwd() })
    : saidBy(args, where, input);

/** A process for this command alone. */
export function saidBy(args: readonly string[], where: Where, input = ""): Promise<Said> {
  const child = started(args, where);
  // A program that is refused at once may be gone before it is asked to read.
  child.stdin.on("error", () => {}).end(input);
  const texts = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    texts.stdout += more;
  });
  child.stderr.setEncoding("utf8").on("data", (more: string) => {
    texts.stderr += more;
  });
  return new Promise((done, failed) => {
    child.on("error", failed).on("close", (code) => done({ code, ...texts }));
  });
}

/** What a command prints with --json. */
export async function json(args: readonly string[], where: Where = {}): Promise<Json> {
  const { stdout, stderr } = await ghostlight([...args, "--json"], where);
  try {
    return JSON.parse(stdout) as Json;
  } catch {
    throw new Error(`no JSON: ${stdout.slice(0, 200)} ${stderr}`);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was printed.
export type Json = any;
