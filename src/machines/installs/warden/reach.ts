/**
 * Whether an installed agent's call stays within its capabilities: asked before every call, and nothing is granted that was
 * not declared. Source: seed 003, "capability enforcement on every tool call"; dossier autonoetic 1.2; ruling I12.
 */
import { isMap } from "../../isMap.ts";
import type { Json } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import type { CapabilityKind } from "../gate/capability.ts";
import {
  areasOf,
  coversAll,
  type Grant,
  grantsSome,
  hostOf,
  isWithin,
  resolvedPath,
} from "./grant.ts";

export const reachLeaves = {
  scopes: choice("boundary", ["boundary", "prefix"], {
    says: "What a scope or pattern covers: itself and what is below, of paths without `..`, or every text that begins so.",
    source: "RULINGS I12, self.* (boundary); prefix in the real system",
  }),
  segments: choice("every", ["every", "any"], {
    says: "How many commands of a command line must be within the patterns: every one, or any.",
    source: "ours (every); any in the real system",
  }),
};

export type ReachPolicy = ValuesOf<typeof reachLeaves>;

export interface ReachCall {
  readonly tool: string;
  readonly params: { readonly [name: string]: Json };
  /** How many agents it has spawned that live. */
  readonly children: number;
}

export interface OutOfReach {
  /** The kind of capability. */
  readonly missing: string;
  readonly why: string;
  readonly todo: string;
}

/** Null where the agent may make the call; else the first capability that does not cover it. */
export function allowed(
  call: ReachCall,
  capabilities: readonly Grant[],
  agent: string,
  policy: ReachPolicy,
): OutOfReach | null {
  if (isOwned(call.tool)) return ownedByOthers(call.tool);
  for (const { type, asked } of demandsOf(call.tool)) {
    const grants = capabilities.filter((one) => one.type === type);
    const beyond = firstBeyond(asked, call, grants, { agent, policy });
    if (beyond !== null) return outOfReach(call.tool, { type, asked }, beyond, grants);
  }
  return null;
}

const ownedByOthers = (tool: string): OutOfReach => ({
  missing: "ownership",
  why: `no capability grants '${tool}': it is its owners' alone`,
  todo: "report to the planner, which delegates to its owner",
});

function outOfReach(
  tool: string,
  { type }: Demand,
  beyond: string,
  grants: readonly Grant[],
): OutOfReach {
  const has =
    grants.length === 0
      ? "none is declared"
      : `declared is ${grants.map((one) => JSON.stringify(one)).join(", ")}`;
  return {
    missing: type,
    why: `${tool} needs ${type} for ${beyond}; ${has}`,
    todo: `stay within the declared capabilities, or ask the planner for a revision that declares ${type}`,
  };
}

interface Scene {
  readonly agent: string;
  readonly policy: ReachPolicy;
}

/** What of the call no grant covers, in words; null where all is covered. */
function firstBeyond(
  asked: Asked,
  { tool, params, children }: ReachCall,
  grants: readonly Grant[],
  { agent, policy }: Scene,
): string | null {
  const reading = policy.scopes;
  const areas = grants.flatMap((grant) => areasOf(grant, agent, reading));
  const beyond = (texts: readonly string[], end = ""): string | null => {
    const one = texts.find((text) => !areas.some((area) => isWithin(text + end, area)));
    return one === undefined ? null : JSON.stringify(one);
  };
  const isReal = reading === "prefix";
  // A folder is within a scope of all that is in it.
  const pathBeyond = (path: string) =>
    isReal ? beyond([path]) : beyond([resolvedPath(path, agent)], "/");
  switch (asked.what) {
    case "any":
      return grants.some((one) => grantsSome(one, agent, reading)) ? null : "any use of it";
    case "any host":
      // Any host at all is enough for the real system.
      return coversAll(areas) || (isReal && areas.length > 0) ? null : "any host";
    case "child":
      return grants.some(({ max_children: most = 0 }) => children < most)
        ? null
        : `child ${children + 1}`;
    case "interval":
      return isOftenEnough(params, grants) ? null : "this interval, or for thinking";
    case "name":
      return beyond([tool]);
    case "named":
      return isReal
        ? null
        : beyond([...namedPaths(params, agent), ...namedToShell(tool, params, agent)], "/");
    default:
      return argument(asked.of, params, (text) => {
        switch (asked.what) {
          case "path":
            return pathBeyond(text);
          case "url":
            return hostBeyond(text, beyond);
          case "command":
            return commandBeyond(text, { isAll: coversAll(areas), beyond, policy });
          default:
            return beyond([text]);
        }
      });
  }
}

/** What is no text cannot be covered. */
function argument(
  name: string,
  params: ReachCall["params"],
  beyondOf: (text: string) => string | null,
): string | null {
  const value = ownValue(params, name);
  return typeof value === "string" ? beyondOf(value) : `a call without ${name}`;
}

function hostBeyond(
  url: string,
  beyond: (texts: readonly string[]) => string | null,
): string | null {
  const host = hostOf(url);
  return host === null ? `the URL ${JSON.stringify(url)}` : beyond([host]);
}

/** Ends a command and begins another; within quotes too, since no shell is asked. */
const SEPARATOR = /[|&;]/;
const SEPARATOR_OR_LINE = /[|&;\n\r]/;
/** Runs a command within a command, which nothing here reads. */
const SUBSTITUTION = /[`]|\$\(|[<>]\(/;

function commandBeyond(
  command: string,
  of: {
    readonly isAll: boolean;
    readonly beyond: (texts: readonly string[]) => string | null;
    readonly policy: ReachPolicy;
  },
): string | null {
  const isStrict = of.policy.segments === "every";
  const parts = command.split(isStrict ? SEPARATOR_OR_LINE : SEPARATOR);
  const segments = parts.map((part) => part.trim()).filter((part) => part !== "");
  if (segments.length === 0) return "an empty command";
  if (!isStrict) {
    return segments.some((one) => of.beyond([one]) === null) ? null : JSON.stringify(command);
  }
  if (!of.isAll && SUBSTITUTION.test(command))
    return `the substitution in ${JSON.stringify(command)}`;
  return of.beyond(segments);
}

function isOftenEnough(params: ReachCall["params"], grants: readonly Grant[]): boolean {
  const [secs, isThinking] = [ownValue(params, "interval_secs"), ownValue(params, "reasoning")];
  return grants.some(
    ({ min_interval_secs: least = 0, allow_reasoning: mayThink = false }) =>
      typeof secs === "number" && secs >= least && (mayThink || isThinking !== true),
  );
}

/** What a command line means by other words than a path's own. */
function namedToShell(tool: string, params: ReachCall["params"], agent: string): readonly string[] {
  return demandsOf(tool).flatMap(({ asked }) => {
    const command = asked.what === "command" ? ownValue(params, asked.of) : null;
    return typeof command === "string" ? shellPaths(command, agent) : [];
  });
}

/** Between what may be paths in a text. */
const BETWEEN = /[\s"'`<>|,;:=()[\]{}\\]+/;
const VIRTUAL = "/agentOS";

/** The virtual files that a call's parameters name, on any level, and what leads upwards from the agent's folder. */
function namedPaths(value: Json, agent: string): readonly string[] {
  if (typeof value === "string") {
    return value.split(BETWEEN).flatMap((word) => {
      const at = word.indexOf(VIRTUAL);
      if (at < 0 && !word.split("/").includes("..")) return [];
      return [resolvedPath(word.slice(Math.max(at, 0)), agent)];
    });
  }
  if (Array.isArray(value)) return value.flatMap((one: Json) => namedPaths(one, agent));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => [
    ...namedPaths(key, agent),
    ...namedPaths(one, agent),
  ]);
}

/*
 * Which tool needs which capability, and which of its parameters says for what. What is not in the table is a function that
 * agents made or another part brought. Source: seed 003; dossier autonoetic 1.2; ruling I12: one table.
 */

/** What of a call the capability must cover. */
type Asked =
  | {
      readonly what: "path" | "url" | "memory" | "agent" | "command" | "service";
      readonly of: string;
    }
  /** The tool's own name. */
  | { readonly what: "name" }
  /** Every virtual path that the parameters name: code may read it and change it. */
  | { readonly what: "named" }
  /** No host is named, so that it may be any. */
  | { readonly what: "any host" }
  /** One more child than there are. */
  | { readonly what: "child" }
  /** An interval in seconds, and whether the agent thinks then. */
  | { readonly what: "interval" }
  /** That there is such a capability at all. */
  | { readonly what: "any" };

interface Demand {
  readonly type: CapabilityKind;
  readonly asked: Asked;
}

const path = (type: CapabilityKind): readonly Demand[] => [
  { type, asked: { what: "path", of: "path" } },
];
const of = (type: CapabilityKind, asked: Asked): readonly Demand[] => [{ type, asked }];

const url = of("NetworkAccess", { what: "url", of: "url" });
const anyHost = of("NetworkAccess", { what: "any host" });
const memory = of("MemoryAccess", { what: "memory", of: "key" });
const named: readonly Demand[] = [
  { type: "ReadAccess", asked: { what: "named" } },
  { type: "WriteAccess", asked: { what: "named" } },
];
const command = [...of("CodeExecution", { what: "command", of: "command" }), ...named];
const child = of("AgentSpawn", { what: "child" });
const message = of("AgentMessage", { what: "agent", of: "to" });
const someRead = of("ReadAccess", { what: "any" });
const someWrite = of("WriteAccess", { what: "any" });
const scheduler = of("SchedulerAccess", { what: "any" });
const code = of("CodeExecution", { what: "any" });
const credential = of("CredentialAccess", { what: "service", of: "service" });

/** By name; one that ends with a dot stands for all that begin so. Nothing is needed for an empty list. */
const TABLE: { readonly [tool: string]: readonly Demand[] } = {
  fs_read: path("ReadAccess"),
  fs_list: path("ReadAccess"),
  fs_write: path("WriteAccess"),
  fs_edit: path("WriteAccess"),
  memory_get: memory,
  memory_set: memory,
  shell_exec: command,
  synthesize_capability: code,
  retire_capability: code,
  ollama_chat: [],
  propose_change: [],
  invoke_claude: anyHost,
  research_topic: anyHost,
  message_send: message,
  "memory.": memory,
  "content.read": someRead,
  "content.write": someWrite,
  "artifact.inspect": someRead,
  "artifact.build": someWrite,
  "promotion.query": someRead,
  "sandbox.exec": command,
  "web.fetch": url,
  "web.search": anyHost,
  "credential.request": credential,
  "scheduler.": scheduler,
  "agent.message": message,
  "agent.spawn": child,
  "background.schedule": of("BackgroundReevaluation", { what: "interval" }),
  "emergency.stop": of("EmergencyStop", { what: "any" }),
  "workflow.state": [],
};

const FUNCTION: readonly Demand[] = [...of("SandboxFunctions", { what: "name" }), ...named];

export function demandsOf(tool: string): readonly Demand[] {
  const row = ownValue(TABLE, tool);
  if (row !== undefined) return row;
  const beginning = Object.keys(TABLE).find((one) => one.endsWith(".") && tool.startsWith(one));
  return ownValue(TABLE, beginning ?? "") ?? FUNCTION;
}

/** Whether no capability grants the tool: the gateway looks at the sender's address alone. */
export const isOwned = (tool: string): boolean =>
  /^(?:agent\.(?:install$|revision\.)|promotion\.record$|approval\.)/.test(tool);

/*
 * What a command line names by the shell's own means: behind quotes and backslashes, by a glob, from the root. What it computes
 * is not in its text. Source: ours, for an installed agent's reach.
 */

const ROOT = "/";
/** What the shell takes away before a word is a path. */
const QUOTES = /['"\\]/g;
const SHELL_BETWEEN = /[\s`<>|,;:=()&{}]+/;
const GLOB = /[*?[]/;
/** A variable: where it leads only the shell knows. */
const VARIABLE = /\$[A-Za-z_{'"]/;
/** The agent's own folder, or one where it has been: those it may reach. Any other `~` is the home of whom it names. */
const OWN_HOME = /^~(?:[+-]?\d*)(?=\/|$)/;
const ALTERNATIVES = /\{([^{}]*,[^{}]*)\}/;
/** Of what stands between two characters, dots and slashes may be a part. */
const SEQUENCE = /\{[^{},]*\.\.[^{},]*\}/;
const LETTERS = /\{\w+\.\.-?\w+(?:\.\.-?\w+)?\}/g;
/** More words than that are not looked through. */
const WORDS_MAX = 64;

/** The folders and files that it may mean; `/` where nobody knows before it runs. */
function shellPaths(command: string, agent: string): readonly string[] {
  if (VARIABLE.test(command)) return [ROOT];
  const words = command
    .replace(QUOTES, "")
    .split(/\s+/)
    .flatMap((word) => alternatives(word) ?? [ROOT]);
  return words.flatMap((word) => word.split(SHELL_BETWEEN)).flatMap((word) => pathIn(word, agent));
}

/** The words that the shell makes of one with braces; null for too many, or where they may be anything. */
function alternatives(word: string): readonly string[] | null {
  if (SEQUENCE.test(word.replace(LETTERS, ""))) return null;
  const done: string[] = [];
  const open = [word];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [group, inner = ""] = ALTERNATIVES.exec(one) ?? [];
    if (group === undefined) done.push(one);
    else {
      const at = one.indexOf(group);
      const [before, behind] = [one.slice(0, at), one.slice(at + group.length)];
      open.push(...inner.split(",").map((choice) => before + choice + behind));
    }
    if (open.length + done.length > WORDS_MAX) return null;
  }
  return done;
}

function pathIn(given: string, agent: string): readonly string[] {
  const word = given.replace(OWN_HOME, ".");
  if (word.startsWith("~")) return [ROOT];
  const parts = word.split("/");
  // A glob after a dot finds `..` too.
  if (parts.some((part) => part.startsWith(".") && GLOB.test(part))) return [ROOT];
  const globbed = parts.findIndex((part) => GLOB.test(part));
  // Upwards of what a glob finds is nowhere that its text tells.
  if (globbed >= 0 && parts.includes("..", globbed)) return [ROOT];
  const sure = globbed < 0 ? word : `${parts.slice(0, globbed).join("/")}/`;
  if (!word.startsWith("/") && !parts.includes("..")) return [];
  const path = resolvedPath(sure, agent);
  // The root, and the beginning of a name that the shell may go on with.
  if (`${VIRTUAL}/`.startsWith(path)) return [ROOT];
  return path.startsWith(`${VIRTUAL}/`) || parts.includes("..") ? [path] : [];
}
