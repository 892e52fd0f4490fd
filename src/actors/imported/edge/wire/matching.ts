/**
 * Whether a request is one that was recorded. It is, where its canonical text is; and where it differs by a rule alone: a time, an
 * id, or a temporary path, in what the system or a tool says. No rule covers arguments, numbers or what a user says.
 */
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { canonicalJson } from "../../../../substrate/canonicalJson.ts";
import { type Fields, mapIn } from "../readers/fields.ts";
import { covered, type LearnedRule } from "./learnedRules.ts";
import { digestOf } from "./messageDigests.ts";
import { withResults } from "./messages.ts";

interface Rule {
  readonly name: string;
  readonly pattern: RegExp;
}

export const RULES: readonly Rule[] = [
  {
    name: "time",
    pattern:
      /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d{1,2}:\d\d:\d\d(?:\.\d+)?\b/g,
  },
  {
    name: "id",
    pattern: /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b(?=[a-f]*\d)[0-9a-f]{16,}\b/gi,
  },
  {
    name: "temporary path",
    pattern: /(?:\/private)?(?:\/var\/folders\/[\w/+-]+|\/tmp)\/[\w./+-]+/g,
  },
];

/** How often each rule hid a difference, by its name. */
export type Hidden = Map<string, number>;

/** A request as it is compared: digests of all of it and of what no rule touches, since a recording repeats itself; and the texts that one may. */
interface Compared {
  readonly exact: string;
  readonly masked: string;
  readonly texts: readonly string[];
  /** What a rule of this recording covers, by rule and place. */
  readonly covered: ReadonlyMap<string, { readonly name: string; readonly text: string }>;
}

function comparing(request: Json, learned: readonly LearnedRule[]): Compared {
  const texts: string[] = [];
  const covers = new Map<string, { name: string; text: string }>();
  const sorted = inToolOrder(request);
  const masked = ruled(
    covered(sorted, learned, ({ name }, path, text) => {
      covers.set(`${name} ${path} ${covers.size}`, { name, text });
    }),
    (text) => {
      texts.push(text);
      return masks(text);
    },
  );
  const [exact = "", own = ""] = [sorted, masked].map((one) => digestOf(canonicalJson(one)));
  return { exact, masked: own, texts, covered: covers };
}

/** What is left of a request where all that the rules of every recording hide is hidden. */
export const withoutHidden = (request: Json): Json => ruled(inToolOrder(request), masks);

/** Tools are a set: their order says nothing. */
function inToolOrder(request: Json): Json {
  if (!isMap(request) || !Array.isArray(request["tools"])) return request;
  const tools = (request["tools"] as readonly Json[]).toSorted((a, b) =>
    canonicalJson(a) < canonicalJson(b) ? -1 : 1,
  );
  return { ...request, tools };
}

/** Changes what rules may touch: what the system says, results of tools, and what stands beside the messages as metadata. */
function ruled(request: Json, mask: (text: string) => string): Json {
  const deep = (value: Json): Json => {
    if (typeof value === "string") return mask(value);
    if (Array.isArray(value)) return value.map(deep);
    if (!isMap(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, deep(one)]));
  };
  const results = withResults(request, ({ content }) => deep(content));
  if (!isMap(results)) return results;
  const key = Array.isArray(results["messages"]) ? "messages" : "input";
  const list = results[key];
  const changed: Record<string, Json> = { ...results };
  if (Array.isArray(list)) {
    changed[key] = list.map((one: Json) => {
      const isSystem = isMap(one) && (one["role"] === "system" || one["role"] === "developer");
      return isSystem ? { ...one, content: deep((one as Fields)["content"] ?? null) } : one;
    });
  }
  for (const name of ["system", "instructions", "metadata"]) {
    const value = changed[name];
    if (value !== undefined) changed[name] = deep(value);
  }
  return changed;
}

/** Of a recording: a request, and where it went. */
interface Recorded {
  readonly api: string;
  readonly path: string;
  readonly request: Json;
}

export class RecordedAnswers<R extends Recorded> {
  readonly #left: R[];
  readonly #isStrict: boolean;
  readonly #learned: readonly LearnedRule[];
  readonly #known = new WeakMap<object, Compared>();
  readonly hidden: Hidden = new Map();
  readonly total: number;

  /** `learned` are rules of this recording that a person accepted. */
  constructor(recorded: readonly R[], isStrict: boolean, learned: readonly LearnedRule[]) {
    this.#left = [...recorded];
    this.total = recorded.length;
    this.#isStrict = isStrict;
    this.#learned = learned;
  }

  #of(request: Json): Compared {
    const known = isMap(request) ? this.#known.get(request) : undefined;
    const made = known ?? comparing(request, this.#learned);
    if (isMap(request)) this.#known.set(request, made);
    return made;
  }

  /** What was recorded and not asked for yet. */
  get left(): readonly R[] {
    return this.#left;
  }

  /** The first of those that are left that answers the request; undefined for none. */
  take(api: string, path: string, request: Json): R | undefined {
    const asked = this.#of(request);
    const length = lengthOf(request);
    // No rule of every recording hides a message; one that was learned may hide the whole list.
    const isAsLong = (one: R): boolean =>
      this.#learned.length > 0 || lengthOf(one.request) === length;
    const fits = (one: R): boolean => one.api === api && one.path === path && isAsLong(one);
    let at = this.#left.findIndex(
      (one) => fits(one) && this.#of(one.request).exact === asked.exact,
    );
    if (at < 0 && !this.#isStrict) {
      at = this.#left.findIndex(
        (one) => fits(one) && this.#of(one.request).masked === asked.masked,
      );
    }
    const [found] = at < 0 ? [] : this.#left.splice(at, 1);
    if (found !== undefined) this.#count(asked, this.#of(found.request));
    return found;
  }

  #count({ texts, covered: covers }: Compared, recorded: Compared): void {
    for (const [place, { name, text }] of covers) {
      if (recorded.covered.get(place)?.text === text) continue;
      this.hidden.set(name, (this.hidden.get(name) ?? 0) + 1);
    }
    for (const [index, text] of texts.entries()) {
      const other = recorded.texts[index] ?? text;
      if (other === text) continue;
      for (const { name, pattern } of RULES) {
        const [a, b] = [text, other].map((one) => one.match(pattern) ?? []);
        const count = a?.filter((one, place) => one !== b?.[place]).length ?? 0;
        if (count > 0) this.hidden.set(name, (this.hidden.get(name) ?? 0) + count);
      }
    }
  }

  /** The recorded request that is most like one: of the same path, with the longest beginning in common. */
  nearest(api: string, path: string, request: Json): R | undefined {
    const exact = canonicalJson(inToolOrder(request));
    const common = (other: string): number => {
      let length = 0;
      while (length < other.length && other[length] === exact[length]) length += 1;
      return length;
    };
    const apart = (one: R): number => Math.abs(lengthOf(one.request) - lengthOf(request));
    const near = this.#left
      .filter((one) => one.api === api && one.path === path)
      .toSorted((a, b) => apart(a) - apart(b))
      .slice(0, NEAR_MAX);
    let [best, most] = [undefined as R | undefined, -1];
    for (const one of near) {
      const length = common(canonicalJson(inToolOrder(one.request)));
      if (length > most) [best, most] = [one, length];
    }
    return best;
  }
}

/** Ours: of a long conversation those of about as many messages. */
const NEAR_MAX = 50;

/** Of a request, how many messages it holds. */
function lengthOf(request: Json): number {
  const { messages, input = null } = mapIn(request);
  const list = messages ?? input;
  return Array.isArray(list) ? list.length : 0;
}

export interface Difference {
  /** Such as `messages[3].content`. */
  readonly path: string;
  readonly recorded: Json | undefined;
  readonly asked: Json | undefined;
}

/** Where a request differs from a recorded one and no rule hides it, or where it differs at all. */
export function differenceOf(
  recorded: Json,
  asked: Json,
  learned: readonly LearnedRule[],
): Difference {
  const masked = ([recorded, asked] as const).map((one) =>
    ruled(covered(inToolOrder(one), learned), masks),
  );
  const place = differenceIn(masked[0] ?? null, masked[1] ?? null);
  const found = place === null ? null : differenceIn(recorded, asked, place.path);
  return found ?? differenceIn(recorded, asked) ?? { path: "", recorded, asked };
}

export const masks = (text: string): string =>
  RULES.reduce((rest, { name, pattern }) => rest.replace(pattern, `<${name}>`), text);

/** The first place at which two values differ, or the first at or below `wanted`. */
function differenceIn(recorded: Json, asked: Json, wanted = "", path = ""): Difference | null {
  if (canonicalJson(recorded) === canonicalJson(asked)) return null;
  const isList = Array.isArray(recorded) && Array.isArray(asked);
  if (!isList && !(isMap(recorded) && isMap(asked))) return { path, recorded, asked };
  const [a, b] = [recorded, asked] as unknown as readonly [Fields, Fields];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const place = isList ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    if (!wanted.startsWith(place) && !place.startsWith(wanted)) continue;
    const [one, other] = [a[key], b[key]];
    if (one === undefined && other === undefined) continue;
    if (one === undefined || other === undefined) {
      return { path: place, recorded: one, asked: other };
    }
    const found = differenceIn(one, other, wanted, place);
    if (found !== null) return found;
  }
  return null;
}
