/**
 * Requests of a conversation repeat all that was said before. In a file of exchanges each message stands once, after the one that it
 * followed; a line brings what no line before it had, and says with which message each of its lists ends.
 */
import { isMap } from "../../../../machines/isMap.ts";
import type { Json } from "../../../../machines/letter.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import type { Fields } from "../readers/fields.ts";
import { digestOf, messageDigest, Remembered } from "./messageDigests.ts";

/** Beside a request whose lists and long texts were taken out. Messages are numbered through the file, from 0. */
interface Shared {
  /** How many lines before it brought: one that is lost is found by the next. */
  readonly from: number;
  /** New ones: the number of the one before it in its list, null at the beginning, and the message. */
  readonly said: readonly (readonly [after: number | null, message: Json])[];
  /** By field of the request, the last message of the list that stood there. */
  readonly lists?: { readonly [field: string]: number };
  /** By field, the text that stood there. */
  readonly texts?: { readonly [field: string]: number };
}

/** Ours: a shorter text is not worth a number. */
const TEXT_CHARS_MIN = 200;
/** Ours: a file of a stranger's that names more would be made to fill the memory. */
const LIST_MAX = 100_000;
const NAMED_MAX = 20_000_000;

export class Sharing {
  readonly #numbers: Remembered<string, number>;
  #count = 0;
  #named = 0;

  /** `most` messages are remembered; others would be written again. */
  constructor(most?: number) {
    this.#numbers = new Remembered(most);
  }

  /** The members of a line. */
  of(request: Json): { readonly request: Json; readonly shared?: Shared } {
    if (!isMap(request)) return { request };
    const from = this.#count;
    const said: [number | null, Json][] = [];
    const [lists, texts]: Record<string, number>[] = [{}, {}] as const;
    const rest = Object.entries(request as Fields).map(([field, value]) => {
      if (typeof value === "string" && value.length >= TEXT_CHARS_MIN) {
        texts[field] = this.#number(null, value, said);
        return [field, ""] as const;
      }
      // A list of numbers, as of tokens, is no list of messages; and no reader takes more than so many.
      if (!Array.isArray(value) || !value.some((one) => typeof one === "object"))
        return [field, value] as const;
      if (value.length > LIST_MAX || this.#named + value.length > NAMED_MAX)
        return [field, value] as const;
      this.#named += value.length;
      let end: number | null = null;
      for (const message of value as Json[]) end = this.#number(end, message, said);
      if (end !== null) lists[field] = end;
      return [field, []] as const;
    });
    this.#numbers.forget();
    if (said.length === 0 && Object.keys({ ...lists, ...texts }).length === 0) return { request };
    return { request: Object.fromEntries(rest), shared: { from, said, lists, texts } };
  }

  #number(after: number | null, message: Json, said: [number | null, Json][]): number {
    const key = digestOf(`${after} ${messageDigest(message)}`);
    const known = this.#numbers.take(key);
    const number = known ?? this.#count++;
    if (known === undefined) {
      this.#numbers.keep(key, number);
      said.push([after, message]);
    }
    return number;
  }
}

interface Said {
  readonly after: number | null;
  readonly message: Json;
}

/** The lines of one file, in their order. */
export class Unsharing {
  readonly #said: Remembered<Json, Said>;
  /** How many messages the lines so far brought. */
  #count = 0;
  #named = 0;

  /** `most` as whoever wrote it: what that forgot is never named again. */
  constructor(most?: number) {
    this.#said = new Remembered(most);
  }

  /** The line as it was before its request was shared; undefined where it names what is not there, or far too much. */
  line(fields: Fields): Fields | undefined {
    const { shared, ...rest } = fields;
    if (shared === undefined) return fields;
    const { request } = rest;
    if (!isMap(request) || !isMap(shared)) return undefined;
    const { from, said, lists = {}, texts = {} } = shared as Fields;
    if (!Array.isArray(said) || !isMap(lists) || !isMap(texts)) return undefined;
    // What is behind a line that was lost, or refused, would name other messages.
    if (from !== this.#count) return undefined;
    const whole = this.#hear(said as Json[])
      ? Object.entries(request as Fields).map(([field, value]) => {
          const [list, text] = [ownValue(lists as Fields, field), ownValue(texts as Fields, field)];
          const found =
            list !== undefined
              ? this.#list(list)
              : text !== undefined
                ? this.#said.take(text)?.message
                : value;
          return [field, found] as const;
        })
      : undefined;
    if (whole === undefined || whole.some(([, value]) => value === undefined)) {
      for (let number = this.#count; number > from; ) this.#said.delete(--number);
      this.#count = from;
      return undefined;
    }
    this.#said.forget();
    return { ...rest, request: Object.fromEntries(whole) as Json };
  }

  /** All of them, or not. */
  #hear(said: readonly Json[]): boolean {
    return said.every((one) => {
      const [after, message] = Array.isArray(one) && one.length === 2 ? (one as Json[]) : [];
      // Only what stands before it: there is no circle.
      if (message === undefined || (after !== null && this.#said.get(after ?? "") === undefined))
        return false;
      this.#said.keep(this.#count++, { after: after as number | null, message });
      return true;
    });
  }

  #list(end: Json): Json | undefined {
    const numbers: Json[] = [];
    for (let at: Json = end; at !== null; ) {
      const found = this.#said.get(at);
      if (found === undefined || numbers.length === LIST_MAX || this.#named === NAMED_MAX)
        return undefined;
      this.#named += 1;
      numbers.push(at);
      at = found.after;
    }
    return numbers.reverse().map((number) => this.#said.take(number)?.message ?? null);
  }
}
