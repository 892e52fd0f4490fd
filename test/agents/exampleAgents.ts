// The agents of examples/agents, as their users run them: installed from their lock files into a cache, recorded, and run again
// without a server.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Said, saidBy } from "../cli/ghostlight.ts";
import type { ScriptedApis } from "./scriptedApis.ts";

const examples = resolve("examples/agents");
export const AGENTS: readonly string[] = readdirSync(examples).filter(
  (name) =>
    existsSync(join(examples, name, "package.json")) ||
    existsSync(join(examples, name, "requirements.lock")),
);

const cache = process.env["GHOSTLIGHT_AGENTS"] ?? join(homedir(), ".cache", "ghostlight-agents");

/** One that is installed. */
export interface InstalledAgent {
  readonly name: string;
  readonly folder: string;
  /** What runs its files, and the agent's command. */
  readonly runs: string;
  readonly command: readonly string[];
  readonly isMcp: boolean;
}

/** Undefined where its packages cannot be had. */
export function installed(name: string): InstalledAgent | undefined {
  const from = join(examples, name);
  const isNode = existsSync(join(from, "package.json"));
  const lock = join(from, isNode ? "package-lock.json" : "requirements.lock");
  const stamp = createHash("sha256").update(readFileSync(lock)).digest("hex").slice(0, 16);
  const folder = join(cache, `${name}-${stamp}`);
  const runs = isNode ? process.execPath : join(folder, "venv", "bin", "python");
  if (!existsSync(join(folder, "whole"))) {
    try {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      cpSync(from, folder, { recursive: true });
      const run = (program: string, ...args: readonly string[]) =>
        execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
      if (isNode) run("npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts");
      else {
        run("python3", "-m", "venv", "venv");
        run(
          runs,
          "-m",
          "pip",
          "install",
          "-q",
          "--disable-pip-version-check",
          "--no-deps",
          "-r",
          "requirements.lock",
        );
      }
      writeFileSync(join(folder, "whole"), "");
    } catch {
      return undefined;
    }
  }
  // The agent as it is now.
  for (const file of readdirSync(from))
    if (/\.(py|mjs)$/.test(file)) cpSync(join(from, file), join(folder, file));
  const [agent, server] = ["agent", "server"].map((part) => `${part}.${isNode ? "mjs" : "py"}`);
  const isMcp = existsSync(join(from, server ?? ""));
  return { name, folder, runs, command: [runs, join(folder, agent ?? "")], isMcp };
}

export interface Tried {
  readonly recorded: Said;
  readonly rerun: Said;
  /** What the log of the recording holds. */
  readonly events: string;
}

/** A folder of its own that is gone behind `use`. */
async function inFolder<T>(use: (cwd: string) => Promise<T>): Promise<T> {
  const cwd = mkdtempSync(join(tmpdir(), "ghostlight-agent-"));
  try {
    return await use(cwd);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** Recorded before a scripted server, run again without one. */
export const tried = ({ command }: InstalledAgent, apis: ScriptedApis): Promise<Tried> =>
  inFolder(async (cwd) => {
    const where = { cwd, env: apis.variables };
    const nowhere = {
      ...apis.variables,
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
      ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    };
    const recorded = await saidBy(["record", "--out", "run", "--", ...command], where);
    const { stdout: events } = await saidBy(["events", "run"], { cwd });
    const rerun = await saidBy(["rerun", "run", "--", ...command], { cwd, env: nowhere });
    return { recorded, rerun, events };
  });

/** A client of the Model Context Protocol before its server, with a fault or without. */
export const triedMcp = ({ command, folder, runs }: InstalledAgent, faults: readonly string[]) =>
  inFolder(async (cwd) => {
    const server = [runs, join(folder, runs === process.execPath ? "server.mjs" : "server.py")];
    const ghostlight = [
      process.execPath,
      resolve("src/cli/main.ts"),
      "mcp",
      "--out",
      join(cwd, "run"),
    ];
    const own = [...ghostlight, ...faults.flatMap((one) => ["--fault", one]), "--", ...server];
    const [program = "", ...args] = command;
    const said = execFileSync(program, [...args, ...own], {
      cwd,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { stdout: events } = await saidBy(["events", "run"], { cwd });
    return { said, events };
  });
