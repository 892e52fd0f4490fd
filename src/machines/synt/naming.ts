/**
 * The one authority on executor names: `verb_object[_qualifier[_descriptor]][_provider]` from a
 * closed vocabulary. Source: seed 002, 4.2.3; ruling Y14; the order of the checks is the real system's.
 */
import { ownValue } from "../ownValue.ts";
import type { ValuesOf } from "../policyLeaf.ts";
import {
  canonicalAction,
  canonicalObject,
  PROVIDERS,
  QUALIFIERS,
  SYSTEM_NAMES,
  SYSTEM_VERBS,
  type syntNamingLeaves,
} from "./vocabulary.ts";

export type NamingPolicy = ValuesOf<typeof syntNamingLeaves>;

/** The real system's bound on a descriptor. */
const DESCRIPTOR_CHARS_MAX = 30;
const DESCRIPTOR = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Objects that only some verbs go with, in memory as they are. */
const VERBS_OF_LISTS: readonly string[] = ["filter", "compute"];
const VERBS_NOT_OF_ENTRIES: readonly string[] = ["find", "read", "get"];

export interface NameParts {
  readonly verb: string;
  readonly object: string;
  readonly qualifier: string | null;
  readonly descriptor: string | null;
  readonly provider: string | null;
  /** The name without its descriptor; its provider may stand behind it or not. */
  readonly canonical: string;
}

export type NameRule =
  | "syntax"
  | "reserved-verb"
  | "verb"
  | "object"
  | "lists"
  | "qualifier"
  | "compatibility"
  | "level"
  | "entries"
  | "descriptor";

export interface NameVerdict {
  readonly ok: boolean;
  /** The rule that turns it down, and why; null when it is admitted. */
  readonly rule: NameRule | null;
  readonly reason: string | null;
  /** Why a name is admitted that no rule looked at. */
  readonly exception: "policy" | "system" | null;
  readonly parts: NameParts | null;
  /** The same name in words of the vocabulary; null when a part has none, or none is needed. */
  readonly means: string | null;
}

/** The parts of a name, whatever the words; null when there are not two to four of them. */
export function parseName(name: string): NameParts | null {
  const provider = providerAfterQualifier(name);
  const head = provider === null ? name : name.slice(0, -provider.length - 1);
  const [verb, object, qualifier = null, descriptor = null, ...more] = partsOf(head);
  if (verb === undefined || object === undefined || more.length > 0) return null;
  const canonical = [verb, object, qualifier, provider].filter((part) => part !== null).join("_");
  return { verb, object, qualifier, descriptor, provider, canonical };
}

/** A provider right after the object takes the place of the qualifier, and is no suffix. */
function providerAfterQualifier(name: string): string | null {
  const provider = PROVIDERS.find((one) => name.endsWith(`_${one}`));
  if (provider === undefined) return null;
  return name.slice(0, -provider.length - 1).split("_").length > 2 ? provider : null;
}

/** Split at `_`, but a provider of two words is one part: no object, so that verb and object stand before it. */
function partsOf(name: string): string[] {
  const provider = PROVIDERS.find((one) => name.endsWith(`_${one}`));
  if (provider === undefined) return name.split("_");
  const head = name.slice(0, -provider.length - 1).split("_");
  return head.length === 1 && provider.includes("_") ? head : [...head, provider];
}

/** `live` are the names in the pool; without it a descriptor needs no living canonical. */
export function checkName(
  name: string,
  policy: NamingPolicy,
  live?: readonly string[],
): NameVerdict {
  const parts = parseName(name);
  const admitted = { ok: true, rule: null, reason: null, means: null, parts };
  if ((policy.exceptions as readonly string[]).includes(name)) {
    return { ...admitted, exception: "policy" };
  }
  if (SYSTEM_NAMES.includes(name)) return { ...admitted, exception: "system" };
  const fault = parts === null ? SYNTAX : faultOf(parts, policy, live);
  if (fault === null) return { ...admitted, exception: null };
  const [rule, reason] = fault;
  return { ok: false, rule, reason, exception: null, parts, means: meantBy(parts, policy) };
}

type Fault = readonly [rule: NameRule, reason: string];

const SYNTAX: Fault = ["syntax", "not of the form verb_object[_qualifier[_descriptor]][_provider]"];

function faultOf(parts: NameParts, policy: NamingPolicy, live?: readonly string[]): Fault | null {
  const { verb, object, canonical, descriptor } = parts;
  const { actions, objects } = policy as { readonly [part: string]: readonly string[] };
  if (SYSTEM_VERBS.includes(verb)) return ["reserved-verb", `${verb} is a verb of the system`];
  if (!actions?.includes(verb)) {
    return ["verb", `${said(verb)} is none of the ${actions?.length} verbs`];
  }
  if (!objects?.includes(object)) {
    return ["object", `${said(object)} is none of the ${objects?.length} objects`];
  }
  if (object === "lists" && !VERBS_OF_LISTS.includes(verb)) {
    return ["lists", `lists go with ${VERBS_OF_LISTS.join(" and ")} only`];
  }
  const unfit = qualifierFault(parts);
  if (unfit !== null) return unfit;
  if (descriptor !== null && live !== undefined && livingCanonical(parts, live) === null) {
    return ["level", `one level at a time: ${canonical} is not in the pool`];
  }
  if (object === "entries" && VERBS_NOT_OF_ENTRIES.includes(verb)) {
    return ["entries", "entries are in memory: nothing finds, reads or gets them"];
  }
  return descriptor === null ? null : descriptorFault(descriptor, [...actions, ...objects]);
}

/**
 * The executor of the pool that a name with a descriptor narrows: of its provider, else of none, for a
 * provider says where and not what. Null when neither is there.
 */
function livingCanonical({ canonical, provider }: NameParts, live: readonly string[]) {
  const plain = provider === null ? canonical : canonical.slice(0, -provider.length - 1);
  return [canonical, plain].find((name) => live.includes(name)) ?? null;
}

function qualifierFault({ object, qualifier, provider }: NameParts): Fault | null {
  for (const part of [qualifier, provider]) {
    if (part === null) continue;
    if (ownValue(QUALIFIERS, part) === undefined) {
      return ["qualifier", `${said(part)} is no qualifier`];
    }
    if (!goesWith(part, object)) return ["compatibility", `${part} does not go with ${object}`];
  }
  return null;
}

function descriptorFault(descriptor: string, words: readonly string[]): Fault | null {
  if (!DESCRIPTOR.test(descriptor)) {
    return ["descriptor", `${said(descriptor)} is not kebab-case: a-z, 0-9, single hyphens inside`];
  }
  if (descriptor.length > DESCRIPTOR_CHARS_MAX) {
    return ["descriptor", `a descriptor has at most ${DESCRIPTOR_CHARS_MAX} characters`];
  }
  return words.includes(descriptor)
    ? ["descriptor", `${said(descriptor)} is a word of the vocabulary`]
    : null;
}

const said = (word: string): string => JSON.stringify(word);

/** Whether a qualifier is known and goes with an object. */
export function goesWith(qualifier: string, object: string): boolean {
  const objects = ownValue(QUALIFIERS, qualifier);
  return objects === null || objects?.includes(object) === true;
}

/** Synonyms put in their place: `read_appointments` means read_events. */
function meantBy(parts: NameParts | null, policy: NamingPolicy): string | null {
  if (parts === null) return null;
  const { verb, object, qualifier, descriptor, provider } = parts;
  const words = [
    canonicalAction(verb),
    canonicalObject(object),
    ...[qualifier, descriptor, provider].filter((part) => part !== null),
  ];
  const name = words.join("_");
  const { ok } = words.includes(null) ? { ok: false } : checkedOnce(name, policy);
  return ok ? name : null;
}

function checkedOnce(name: string, policy: NamingPolicy): { readonly ok: boolean } {
  const parts = parseName(name);
  return { ok: parts !== null && faultOf(parts, policy) === null };
}

/** `<last_verb>_<first_object>`, the name of a chain taken as one executor; seed 002, chapter 2. */
export function chainName(chain: readonly string[]): string | null {
  const last = parseName(chain.at(-1) ?? "");
  const first = parseName(chain[0] ?? "");
  return last === null || first === null ? null : `${last.verb}_${first.object}`;
}
