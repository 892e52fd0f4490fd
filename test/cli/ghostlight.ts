// The command line as its users start it, in a folder of its own.
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { WarmHost } from "./warm.ts";

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const program = resolve("src/cli/main.ts");

/** Halves the time that a process takes to start. */
const compiled = resolve("node_modules/.cache/ghostlight");

export interface Where {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Another program than `src/cli/main.ts`. */
  readonly file?: string;
}

const plain = {
  ...process.env,
  NODE_COMPILE_CACHE: compiled,
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
};

export function started(args: readonly string[], { cwd, env, file = program }: Where = {}) {
  return spawn(process.execPath, [file, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: { ...plain, ...env },
  });
}

/** In a process of its own, with these lines on its standard input. */
export function fed(
  args: readonly string[],
  lines: readonly unknown[],
  where: Where = {},
): Promise<Said> {
  const child = started(args, where);
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  child.stdin.end(
    lines.map((one) => (typeof one === "string" ? one : JSON.stringify(one))).join("\n"),
  );
  return new Promise((done, failed) => {
    child.on("error", failed).on("close", (code) => done({ code, ...said }));
  });
}

/** What it printed, a value a line. */
export const valuesIn = ({ stdout }: Said) =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Two at a time, however many tests run at once. */
const places = [0, 1].map(() => ({
  taken: Promise.resolve() as Promise<unknown>,
  warm: new WarmHost(plain),
}));
let next = 0;

/**
 * Whatever has an environment or program of its own gets a process of its own; the others are run one
 * after another in a process that has its modules loaded. Both say the same: processes.goldens.ts.
 */
export function ghostlight(args: readonly string[], where: Where = {}): Promise<Said> {
  const place = places[next++ % places.length] as (typeof places)[number];
  const isWarm = where.env === undefined && where.file === undefined;
  const said = place.taken.then(() =>
    isWarm
      ? place.warm.run({ program, args, cwd: where.cwd ?? process.cwd() })
      : saidBy(args, where),
  );
  place.taken = said.catch(() => undefined);
  return said;
}

/** A process for this command alone. */
export function saidBy(args: readonly string[], where: Where): Promise<Said> {
  const child = started(args, where);
  child.stdin.end();
  const said = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.stderr += text;
  });
  return new Promise((done, failed) => {
    child.on("error", failed).on("close", (code) => done({ code, ...said }));
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
