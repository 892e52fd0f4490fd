/**
 * What answers a request for an executor before anything is built: the pool has it, or has the same
 * under another producing verb. Source: seed 002, "short-circuit"; the real system's order of verbs.
 */
import { parseName } from "./naming.ts";
import { canonicalObject, PRODUCERS, PROVIDERS } from "./vocabulary.ts";

export type ShortCircuit =
  | { readonly outcome: "missing-name" }
  | { readonly outcome: "covered" | "redirected"; readonly name: string }
  | { readonly outcome: "cascade" };

/** In this order: no name, already in the pool, redirected to a canonical executor; else the cascade. */
export function shortCircuit(name: string, pool: readonly string[]): ShortCircuit {
  if (name === "") return { outcome: "missing-name" };
  if (pool.includes(name)) return { outcome: "covered", name };
  const other = canonicalExecutor(name, pool);
  return other === null ? { outcome: "cascade" } : { outcome: "redirected", name: other };
}

/**
 * Another executor of the pool that does what `name` says. An exact qualifier goes before none, over
 * all verbs; a provider is never dropped (the real system tries verb by verb and drops it), but the
 * qualifier before it may be.
 */
export function canonicalExecutor(name: string, pool: readonly string[]): string | null {
  const parts = parseName(name);
  if (parts === null || !PRODUCERS.includes(parts.verb)) return null;
  const object = canonicalObject(parts.object);
  if (object === null) return null;
  const { qualifier, provider } = parts;
  const isProvider = qualifier !== null && PROVIDERS.includes(qualifier);
  const tails = [
    [qualifier, provider],
    ...(qualifier === null || isProvider ? [] : [[null, provider]]),
  ];
  for (const tail of tails) {
    const rest = tail.filter((part) => part !== null);
    const found = PRODUCERS.map((verb) => [verb, object, ...rest].join("_")).find(
      (one) => one !== name && pool.includes(one),
    );
    if (found !== undefined) return found;
  }
  return null;
}
