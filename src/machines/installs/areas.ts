/**
 * What a scope, a host or a pattern of a capability covers, and what two of them cover both. A text that ends with `*` covers
 * all that begins so; any other covers itself and, for paths, what is below. Source: dossier autonoetic 1.2; ruling I12.
 */

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
export function meet(one: Area, other: Area): Area | null {
  const [short, long] = stem(one).length <= stem(other).length ? [one, other] : [other, one];
  // Of two with one stem, that which covers less.
  if (stem(short) === stem(long)) return "prefix" in short ? long : short;
  return isWithin(stem(long), short) ? long : null;
}

/** As a capability would say it. */
export const areaText = (area: Area): string => ("prefix" in area ? `${area.prefix}*` : area.at);

const withoutStars = (text: string): string => text.replace(/\*+$/, "");

export type ScopeReading = "boundary" | "prefix";

/** Of a scope, a pattern or the like; null where it covers nothing. The real system takes every text for a beginning. */
export function areaOf(text: string, marks: readonly string[], reading: ScopeReading): Area | null {
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
export const hostArea = (host: string): Area =>
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
