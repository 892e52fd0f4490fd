/**
 * A capability as enforcement reads it, what its texts cover, and what two capabilities grant both. A text that ends with `*`
 * covers all that begins so; any other covers itself and, for paths, what is below. Source: dossier autonoetic 1.2; ruling I12.
 */

import { defined } from "../../defined.ts";
import { ownValue } from "../../ownValue.ts";

/** All that begins so; or this, and what goes on behind it with one of the marks. */
export type Area =
  | { readonly prefix: string }
  | { readonly at: string; readonly marks: readonly string[] };

export const EVERYTHING: Area = { prefix: "" };

export function isWithin(text: string, area: Area): boolean {
  if ("prefix" in area) return text.startsWith(area.prefix);
  return text === area.at || area.marks.some((mark) => text.startsWith(area.at + mark));
}

const stem = (area: Area): string => ("prefix" in area ? area.prefix : area.at);

/** What lies within both; null for nothing. Both areas are of one kind of text. */
function meet(one: Area, other: Area): Area | null {
  const [short, long] = stem(one).length <= stem(other).length ? [one, other] : [other, one];
  // Of two with one stem, that which covers less.
  if (stem(short) === stem(long)) return "prefix" in short ? long : short;
  return isWithin(stem(long), short) ? long : null;
}

/** As a capability would say it. */
const areaText = (area: Area): string => ("prefix" in area ? `${area.prefix}*` : area.at);

const withoutStars = (text: string): string => text.replace(/\*+$/, "");

type ScopeReading = "boundary" | "prefix";

/** Of a scope, a pattern or the like; null where it covers nothing. The real system takes every text for a beginning. */
function areaOf(text: string, marks: readonly string[], reading: ScopeReading): Area | null {
  const prefix = withoutStars(text);
  if (reading === "prefix" || prefix !== text) return { prefix };
  if (text === "") return null;
  return marks.some((mark) => text.endsWith(mark)) ? { prefix } : { at: text, marks };
}

/** Where an agent's own files lie. */
export const ownFolder = (agent: string): string => `/agentOS/workspace/${agent}/`;

/** Absolute and without `.` and `..`; what is relative begins in the agent's own folder. */
export function resolvedPath(path: string, agent: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : ownFolder(agent) + path).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

const SELF = "self.";

/** Of a scope of paths: `self.` is the agent's own folder, and leads nowhere else. */
export function pathArea(scope: string, agent: string, reading: ScopeReading): Area | null {
  if (reading === "prefix") return areaOf(scope, [], reading);
  const isOwn = scope.startsWith(SELF);
  const path = isOwn ? scope.slice(SELF.length) : scope;
  if (scope === "*") return EVERYTHING;
  if (scope === "") return null;
  const star = path.endsWith("*") ? "*" : "";
  const stable = withoutStars(path);
  const slash = stable === "" || stable.endsWith("/") ? "/" : "";
  const resolved = resolvedPath(stable, agent);
  const absolute = slash === "" || resolved === "/" ? resolved : resolved + slash;
  if (isOwn && !`${absolute}/`.startsWith(ownFolder(agent))) return null;
  return areaOf(absolute + star, ["/"], reading);
}

/** Of a host: itself, in any letters, or all. */
const hostArea = (host: string): Area =>
  host === "*" ? EVERYTHING : { at: host.toLowerCase(), marks: [] };

const AUTHORITY = /^[a-z][a-z0-9+.-]*:[/\\]{2}([^/\\?#]*)/i;

/** The host that a URL leads to; null where it has none. What stands before `@` is no host. */
export function hostOf(url: string): string | null {
  const [, authority = ""] = AUTHORITY.exec(url.trim()) ?? [];
  const behind = authority.slice(authority.lastIndexOf("@") + 1);
  const [, host = ""] = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(behind) ?? [];
  const bare = host.toLowerCase().replace(/\.$/, "");
  return bare === "" || /\s/.test(bare) ? null : bare;
}

export interface Grant {
  readonly type: string;
  readonly hosts?: readonly string[];
  readonly scopes?: readonly string[];
  readonly patterns?: readonly string[];
  readonly allowed?: readonly string[];
  readonly services?: readonly string[];
  readonly max_children?: number;
  readonly min_interval_secs?: number;
  readonly allow_reasoning?: boolean;
}

type ListField = "hosts" | "scopes" | "patterns" | "allowed" | "services";

const LISTS: readonly ListField[] = ["hosts", "scopes", "patterns", "allowed", "services"];

/** Kinds whose list may be left out, which grants all of it. Source: seed 003; ruling I2. */
const OPTIONAL: { readonly [type: string]: ListField } = {
  CodeExecution: "patterns",
  SandboxFunctions: "allowed",
};

const NAME_MARKS: readonly string[] = [".", "/", ":"];
const COMMAND_MARKS: readonly string[] = [" ", "\t"];

const listOf = (
  grant: Grant,
): { readonly field: ListField; readonly texts: readonly string[] } | null => {
  const field = LISTS.find((one) => grant[one] !== undefined) ?? ownValue(OPTIONAL, grant.type);
  return field === undefined ? null : { field, texts: grant[field] ?? ["*"] };
};

/** Of one text of a grant; null where it covers nothing. */
function areaIn(type: string, text: string, agent: string, reading: ScopeReading): Area | null {
  switch (type) {
    case "NetworkAccess":
      return hostArea(text);
    case "ReadAccess":
    case "WriteAccess":
      return pathArea(text, agent, reading);
    case "MemoryAccess":
      return text === "self.*" && reading === "boundary"
        ? { prefix: ownKeys(agent) }
        : areaOf(text, [], reading);
    case "CodeExecution":
      return areaOf(text, COMMAND_MARKS, reading);
    case "CredentialAccess":
      return areaOf(text, [], "boundary");
    default:
      return areaOf(text, NAME_MARKS, reading);
  }
}

/** Its own part of the memory that all share: no name of an agent holds this mark. */
export const ownKeys = (agent: string): string => `${agent}_`;

export const areasOf = (grant: Grant, agent: string, reading: ScopeReading): readonly Area[] =>
  (listOf(grant)?.texts ?? [])
    .map((text) => areaIn(grant.type, text, agent, reading))
    .filter((area) => area !== null);

/** Texts of a grant that cover nothing: a scope that leads out of `self.`, a host that no URL has. */
export const emptyTexts = (grant: Grant, agent: string, reading: ScopeReading): readonly string[] =>
  (listOf(grant)?.texts ?? []).filter((text) =>
    grant.type === "NetworkAccess"
      ? text !== "*" && (text.includes("*") || hostOf(`any://${text}`) !== text.toLowerCase())
      : areaIn(grant.type, text, agent, reading) === null,
  );

export const coversAll = (areas: readonly Area[]): boolean =>
  areas.some((area) => "prefix" in area && area.prefix === "");

/** An empty list grants nothing, though it is declared. The real system looks at the declaration alone. */
export const grantsSome = (grant: Grant, agent: string, reading: ScopeReading): boolean =>
  reading === "prefix" || listOf(grant) === null || areasOf(grant, agent, reading).length > 0;

/** What both grant; null for nothing. */
function metGrant(one: Grant, other: Grant, agent: string, reading: ScopeReading): Grant | null {
  if (one.type !== other.type) return null;
  const [list, others] = [listOf(one), listOf(other)];
  const texts = areasOf(one, agent, reading).flatMap((area) =>
    areasOf(other, agent, reading).map((second) => meet(area, second)),
  );
  const met = [...new Set(texts.filter((area) => area !== null).map(areaText))].sort();
  if (list !== null && others !== null && met.length === 0) return null;
  return defined<Grant>({
    type: one.type,
    ...(list === null ? {} : { [list.field]: met }),
    max_children: ofBoth(Math.min, one.max_children, other.max_children),
    min_interval_secs: ofBoth(Math.max, one.min_interval_secs, other.min_interval_secs),
    allow_reasoning:
      one.allow_reasoning === undefined
        ? undefined
        : one.allow_reasoning && other.allow_reasoning === true,
  });
}

const ofBoth = (of: typeof Math.max, a?: number, b?: number): number | undefined =>
  a === undefined || b === undefined ? undefined : of(a, b);

/** What every one of the lists grants: the reach of an agent whose intent, declaration and approval they are. */
export function intersected(
  lists: readonly [readonly Grant[], ...(readonly Grant[])[]],
  agent: string,
  reading: ScopeReading,
): readonly Grant[] {
  const [first, ...rest] = lists;
  return rest.reduce<readonly Grant[]>(
    (met, list) =>
      met.flatMap((one) =>
        list.map((other) => metGrant(one, other, agent, reading)).filter((grant) => grant !== null),
      ),
    first,
  );
}
