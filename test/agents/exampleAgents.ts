// The agents of examples/agents, as their users run them: installed from their lock files into a cache, recorded, and run again
// without a server.
import { exec, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { ghostlight, program, type Said, saidBy } from "../cli/ghostlight.ts";
import { HOSTS_AT, plain } from "../cli/warm.ts";

const examples = resolve("examples/agents");
const LOCKS = ["package-lock.json", "requirements.lock"];
export const AGENTS: readonly string[] = readdirSync(examples);

const cache = process.env["GHOSTLIGHT_AGENTS"] ?? join(homedir(), ".cache", "ghostlight-agents");

/** The folder of the cache with what the lock files of `from` name; undefined where that cannot be had. */
export function cached(from: string): string | undefined {
  const locks = LOCKS.filter((file) => existsSync(join(from, file)));
  const hash = createHash("sha256");
  for (const lock of locks) hash.update(readFileSync(join(from, lock)));
  const folder = join(cache, `${basename(from)}-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(join(folder, "whole"))) return folder;
  const run = (program: string, ...args: readonly string[]) =>
    execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(from, folder, { recursive: true });
    if (locks.includes("package-lock.json"))
      run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
    if (locks.includes("requirements.lock")) {
      run("python3", "-m", "venv", "venv");
      const pip = ["-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps"];
      // What is run is compiled then; all of it would take several times as long.
      run(join(folder, "venv", "bin", "python"), ...pip, "--no-compile", "-r", "requirements.lock");
    }
    writeFileSync(join(folder, "whole"), "");
    return folder;
  } catch {
    return undefined;
  }
}

/** One that is installed. */
export interface InstalledAgent {
  readonly name: string;
  readonly from: string;
  /** The folder of the cache. */
  readonly packages: string;
  /** As its user types it, where the agent lies. That of a client names its server of tools, behind `ghostlight mcp`. */
  readonly command: string;
  readonly isMcp: boolean;
}

/** Undefined where its packages cannot be had. */
export function installed(name: string): InstalledAgent | undefined {
  const from = join(examples, name);
  const packages = cached(from);
  if (packages === undefined) return undefined;
  const [runs, kind] = existsSync(join(from, "agent.py")) ? ["python", "py"] : ["node", "mjs"];
  const isMcp = existsSync(join(from, `server.${kind}`));
  const server = isMcp ? ` npx ghostlight mcp -- ${runs} server.${kind}` : "";
  return { name, from, packages, command: `${runs} agent.${kind}${server}`, isMcp };
}

export interface Ran extends Said {
  readonly command: string;
}

export interface AgentFolder {
  readonly cwd: string;
  run(command: string, variables?: NodeJS.ProcessEnv): Promise<Ran>;
}

/** A folder with the agent's files as they are now, in which its packages and `npx ghostlight` are found. It is gone behind `use`. */
export async function inFolder<T>(
  { from, packages }: InstalledAgent,
  variables: NodeJS.ProcessEnv,
  use: (folder: AgentFolder) => Promise<T>,
): Promise<T> {
  const cwd = mkdtempSync(join(tmpdir(), "ghostlight-agent-"));
  const bin = mkdtempSync(join(tmpdir(), "ghostlight-bin-"));
  try {
    for (const file of readdirSync(from))
      if (/\.(py|mjs)$/.test(file)) cpSync(join(from, file), join(cwd, file));
    symlinkSync(join(packages, "node_modules"), join(cwd, "node_modules"));
    const npx = `#!/bin/sh\nshift\nexec ${process.execPath} ${program} "$@"\n`;
    writeFileSync(join(bin, "npx"), npx, { mode: 0o755 });
    const places = [bin, join(packages, "venv", "bin"), dirname(process.execPath)];
    const PATH = [...places, process.env["PATH"]].join(":");
    const run = (command: string, own: NodeJS.ProcessEnv = {}) =>
      new Promise<Ran>((done) => {
        const env = { ...plain, PATH, ...variables, ...own };
        exec(command, { cwd, env }, (error, stdout, stderr) => {
          done({ command, code: error === null ? 0 : (error.code ?? null), stdout, stderr });
        });
      });
    return await use({ cwd, run });
  } finally {
    for (const folder of [cwd, bin]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing listens there. */
export const NOWHERE = {
  OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
  ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
};

export interface Tried {
  readonly recorded: Ran;
  readonly rerun: Ran;
  /** What the log of the recording holds. */
  readonly events: string;
}

/** By a process that has its modules loaded, where the suite has started one. */
const eventsOf = (cwd: string): Promise<Said> =>
  (process.env[HOSTS_AT] === undefined ? saidBy : ghostlight)(["events", "runs/mine"], { cwd });

/** Recorded before a server, run again without one. */
export const tried = (agent: InstalledAgent, variables: NodeJS.ProcessEnv): Promise<Tried> =>
  inFolder(agent, variables, async ({ cwd, run }) => {
    const recorded = await run(`npx ghostlight record --out runs/mine -- ${agent.command}`);
    const { stdout: events } = await eventsOf(cwd);
    const rerun = await run(`npx ghostlight rerun runs/mine -- ${agent.command}`, NOWHERE);
    return { recorded, rerun, events };
  });

/** A client of the Model Context Protocol before its server, which returns nothing. */
export const triedHollow = (agent: InstalledAgent) =>
  inFolder(agent, {}, async ({ cwd, run }) => {
    const fault = " mcp --out runs/mine --fault nothing@write_file ";
    const { stdout: said } = await run(agent.command.replace(" mcp ", fault));
    const { stdout: events } = await eventsOf(cwd);
    return { said, events };
  });
