/** What is wrong with what was sent: the fault of a field, a reader that gathers such faults, and the refusal of a tool. */
import { cutText } from "../cutText.ts";
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { ownValue } from "../ownValue.ts";

/** Of one field, and what it must be. */
export interface Fault {
  /** As a path: `capabilities[1].hosts`. */
  readonly field: string;
  readonly found: string;
  readonly allowed: string;
  /** With the right shape. */
  readonly todo: string;
  /** The real system's words, where it has some. */
  readonly said?: string;
}

export const faultText = ({ field, found, allowed, todo }: Fault): string =>
  `${field}: found ${found}; allowed: ${allowed}. ${todo}`;

const SHOWN_MAX = 60;

/** A value as an error shows it: JSON of one line, cut where it is long. */
export function valueText(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  // Whole texts are not written out for their first letters.
  const head = typeof value === "string" ? cutText(value, SHOWN_MAX + 1) : value;
  const text = JSON.stringify(head);
  const cut = cutText(text, SHOWN_MAX);
  return cut === text ? text : `${cut}…`;
}

/** A key as the last step of a path: `.hosts`, or `["a b"]` where that would be read wrongly. */
export const step = (key: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${valueText(key)}]`;

/** Reasons in one line: one that is a whole sentence ends as one. */
export const reasonsText = (reasons: readonly string[]): string =>
  reasons.reduce(
    (text, one) => (text === "" ? one : `${text}${text.endsWith(".") ? "" : ";"} ${one}`),
    "",
  );

/** Why a tool of the gateway does not do what it was asked. */
export interface ToolFault extends Fault {
  /** The tool's error, in the real system's words where it has some. */
  readonly said: string;
}

export interface Refused {
  readonly fault: ToolFault;
}

export const faultOnly = (fault: ToolFault): Refused => ({ fault });

/** What a field must be. */
export interface Shape<T extends Json> {
  readonly allowed: string;
  readonly fits: (value: Json) => value is T;
  /** In place of one that is wrong: nobody sees it, since the fault is told. */
  readonly none: T;
}

export const TEXT: Shape<string> = {
  allowed: "a text, not blank",
  fits: (value): value is string => typeof value === "string" && value.trim() !== "",
  none: "",
};

export const FLAG: Shape<boolean> = {
  allowed: "true or false",
  fits: (value) => typeof value === "boolean",
  none: false,
};

export const TEXTS: Shape<readonly string[]> = {
  allowed: "a list of texts",
  fits: (value): value is readonly string[] =>
    Array.isArray(value) && value.every((each) => typeof each === "string"),
  none: [],
};

export const oneOf = <const T extends string>(options: readonly [T, ...T[]]): Shape<T> => ({
  allowed: options.join(", "),
  fits: (value): value is T => options.some((option) => option === value),
  none: options[0],
});

export const numberFrom = (min: number, max: number, isWhole = false): Shape<number> => ({
  allowed: `a ${isWhole ? "whole " : ""}number from ${min} to ${max}`,
  fits: (value): value is number =>
    typeof value === "number" &&
    value >= min &&
    value <= max &&
    (!isWhole || Number.isInteger(value)),
  none: min,
});

type Members = { readonly [name: string]: Json };

export type Faults = readonly [Fault, ...Fault[]];
export type Decoded<T> = { readonly value: T } | { readonly faults: Faults };

/** What is read of a whole object that was sent, or all that is wrong with it. */
export function decoded<T>(
  members: Members,
  todo: string,
  read: (reader: FieldReader) => T,
): Decoded<T> {
  const reader = new FieldReader(members, "", todo);
  const value = read(reader);
  const [first, ...rest] = reader.faults;
  return first === undefined ? { value } : { faults: [first, ...rest] };
}

export const noObject = (field: string, value: Json, todo: string): Fault => ({
  ...{ field, found: valueText(value), allowed: "an object", todo },
});

/** Reads the fields of an object that was sent, and gathers what is wrong with them. An absent field is null here. */
export class FieldReader {
  readonly faults: Fault[] = [];
  readonly #members: Members;
  readonly #at: string;
  readonly #todo: string;
  readonly #asked = new Set<string>();

  /** `at` is the path of the object, that of the whole is empty; `todo` has the right shape of all of it. */
  constructor(members: Members, at: string, todo: string) {
    this.#members = members;
    this.#at = at;
    this.#todo = todo;
  }

  get asked(): readonly string[] {
    return [...this.#asked];
  }

  raw(name: string): Json {
    this.#asked.add(name);
    return ownValue(this.#members, name) ?? null;
  }

  #path(name: string): string {
    return this.#at === "" ? name : `${this.#at}${step(name)}`;
  }

  /** A field that may be absent. */
  may<T extends Json>({ allowed, fits }: Shape<T>, name: string, todo = this.#todo): T | null {
    const value = this.raw(name);
    if (value === null || fits(value)) return value;
    this.refuse(name, allowed, todo);
    return null;
  }

  /** A field that must be there. */
  must<T extends Json>({ allowed, fits, none }: Shape<T>, name: string, todo = this.#todo): T {
    const value = this.raw(name);
    if (value !== null && fits(value)) return value;
    this.refuse(name, allowed, todo);
    return none;
  }

  /** An object within this one; null where there is none. */
  inner<T>(name: string, todo: string, read: (reader: FieldReader) => T): T | null {
    const value = this.raw(name);
    return value === null ? null : this.#inner(this.#path(name), value, todo, read);
  }

  /** A list of objects; an absent one is empty. */
  each<T>(name: string, read: (reader: FieldReader) => T): readonly T[] {
    const given = this.raw(name);
    if (given === null) return [];
    if (Array.isArray(given)) {
      const at = this.#path(name);
      return given.flatMap(
        (one: Json, index) => this.#inner(`${at}[${index}]`, one, this.#todo, read) ?? [],
      );
    }
    this.refuse(name, "a list");
    return [];
  }

  #inner<T>(at: string, value: Json, todo: string, read: (reader: FieldReader) => T): T | null {
    if (!isMap(value)) {
      this.faults.push(noObject(at, value, todo));
      return null;
    }
    const reader = new FieldReader(value, at, todo);
    const made = read(reader);
    this.faults.push(...reader.faults);
    return made;
  }

  /** Names a fault of this object's field. */
  refuse(name: string, allowed: string, todo = this.#todo, said?: string): void {
    const field = this.#path(name);
    const fault = { field, found: valueText(this.raw(name) ?? undefined), allowed, todo };
    this.faults.push(said === undefined ? fault : { ...fault, said });
  }

  /** A misspelt field would silently be none. Known are those that were asked for, unless they are named. */
  refuseOthers(todo = this.#todo, known = this.asked): void {
    for (const name of Object.keys(this.#members).filter((one) => !known.includes(one))) {
      const found = "a field that is not known";
      this.faults.push({ field: this.#path(name), found, allowed: known.join(", "), todo });
    }
  }
}
