/**
 * How far a rewrite may reach: no further than what it is made of. Its kinds of permission follow
 * from its code, their targets from the executors it joins. Source: seed 002, 5.1, 5.2 (c) and 12.
 */
import type { SandboxProfile } from "./introspection.ts";
import type { RequestContext } from "./requestContext.ts";
import type { Shown } from "./requestEvents.ts";

/** The executors that a night's proposal is made of; none where it fills a gap. */
function sourcesOf({ input, pool }: RequestContext): readonly Shown[] {
  const { members, chain } = input.material;
  return input.mode === "reactive"
    ? []
    : pool.filter(({ name }) => members.includes(name) || chain.includes(name));
}

const targetsIn = (sources: readonly Shown[], permission: string): readonly string[] => [
  ...new Set(
    sources.flatMap(({ profile }) =>
      Object.hasOwn(profile, permission) ? (profile[permission] ?? []) : [],
    ),
  ),
];

/** What the code of a rewrite needs and none of its sources may; null when there is no such thing. */
export function excess(context: RequestContext, profile: SandboxProfile): string | null {
  const sources = sourcesOf(context);
  const beyond = Object.keys(profile).filter((kind) => targetsIn(sources, kind).length === 0);
  if (sources.length === 0 || beyond.length === 0) return null;
  const names = sources.map(({ name }) => name).join(", ");
  return `it would reach ${beyond.join(", ")}, which none of ${names} may`;
}

/** What its code leaves open is where its sources may: `fs:read` on anything becomes theirs. */
export function within(context: RequestContext, profile: SandboxProfile): SandboxProfile {
  const sources = sourcesOf(context);
  if (sources.length === 0) return profile;
  return Object.fromEntries(Object.keys(profile).map((kind) => [kind, targetsIn(sources, kind)]));
}
