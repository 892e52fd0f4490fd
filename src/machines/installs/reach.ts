/**
 * Whether an installed agent's call stays within its capabilities: asked before every call, and nothing is granted that was
 * not declared. Source: seed 003, "capability enforcement on every tool call"; dossier autonoetic 1.2; ruling I12.
 */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { choice, type ValuesOf } from "../policyLeaf.ts";
import { hostOf, isWithin, resolvedPath } from "./areas.ts";
import { areasOf, coversAll, type Grant, grantsSome } from "./grant.ts";
import { type Asked, type Demand, demandsOf, isOwned } from "./reachTable.ts";
import { shellPaths } from "./shellPaths.ts";

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
