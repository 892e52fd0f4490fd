// The command line as its users start it: a process of its own, in a folder of its own.
import { spawn } from "node:child_process";
import { resolve } from "node:path";

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

export function started(args: readonly string[], { cwd, env, file = program }: Where = {}) {
  return spawn(process.execPath, [file, ...args], {
    ...(cwd !== undefined && { cwd }),
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compiled,
      NO_COLOR: undefined,
      FORCE_COLOR: undefined,
      ...env,
    },
  });
}

/** Two at a time, however many tests run at once. */
const PLACES = 2;
const taken: Promise<unknown>[] = new Array(PLACES).fill(Promise.resolve());
let next = 0;

export function ghostlight(args: readonly string[], where: Where = {}): Promise<Said> {
  const place = next++ % PLACES;
  const said = (taken[place] ?? Promise.resolve()).then(() => saidBy(args, where));
  taken[place] = said.catch(() => undefined);
  return said;
}

function saidBy(args: readonly string[], where: Where): Promise<Said> {
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
