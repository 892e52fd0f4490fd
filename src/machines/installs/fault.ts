/** What is wrong with what was sent: the fault of a field, a reader that gathers such faults, and the refusal of a tool. */
import { cutText } from "../cutText.ts";
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
export function shown(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  // Whole texts are not written out for their first letters.
  const head = typeof value === "string" ? cutText(value, SHOWN_MAX + 1) : value;
  const text = JSON.stringify(head);
  const cut = cutText(text, SHOWN_MAX);
  return cut === text ? text : `${cut}…`;
}

/** A key as the last step of a path: `.hosts`, or `["a b"]` where that would be read wrongly. */
export const step = (key: string): string =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? `.${key}` : `[${shown(key)}]`;

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

export const refused = (fault: ToolFault): Refused => ({ fault });

/** Whether a field must be there, and the right shape. */
export interface FieldRule {
  readonly isRequired?: boolean;
  readonly todo: string;
}

/** Reads the fields of an object that was sent, and gathers what is wrong with them. An absent field is null here. */
export class FieldReader {
  readonly faults: Fault[] = [];
  readonly #members: { readonly [name: string]: Json };
  readonly #at: string;

  /** `at` is the path of the object; that of the whole is empty. */
  constructor(members: { readonly [name: string]: Json }, at = "") {
    this.#members = members;
    this.#at = at;
  }

  raw(name: string): Json {
    return ownValue(this.#members, name) ?? null;
  }

  path(name: string): string {
    return this.#at === "" ? name : `${this.#at}${step(name)}`;
  }

  text(name: string, rule: FieldRule): string | null {
    return this.#read(name, rule, "a text, not blank", isText);
  }

  flag(name: string, rule: FieldRule): boolean | null {
    return this.#read(name, rule, "true or false", (one) => typeof one === "boolean");
  }

  texts(name: string, rule: FieldRule): readonly string[] | null {
    const isList = (one: Json): one is readonly string[] =>
      Array.isArray(one) && one.every((each) => typeof each === "string");
    return this.#read(name, rule, "a list of texts", isList);
  }

  number(
    name: string,
    rule: FieldRule & { readonly min: number; readonly max: number; readonly isWhole?: boolean },
  ): number | null {
    const { min, max, isWhole = false } = rule;
    const allowed = `a ${isWhole ? "whole " : ""}number from ${min} to ${max}`;
    const fits = (one: Json): one is number =>
      typeof one === "number" && one >= min && one <= max && (!isWhole || Number.isInteger(one));
    return this.#read(name, rule, allowed, fits);
  }

  oneOf<const T extends string>(name: string, options: readonly T[], todo: string): T | null {
    const isOption = (one: Json): one is T => options.some((option) => option === one);
    return this.#read(name, { todo }, options.join(", "), isOption);
  }

  /** Names a fault of this object's field. */
  refuse(name: string, allowed: string, todo: string, said?: string): void {
    const fault = {
      field: this.path(name),
      found: shown(this.raw(name) ?? undefined),
      allowed,
      todo,
    };
    this.faults.push(said === undefined ? fault : { ...fault, said });
  }

  /** A misspelt field would silently be none. */
  refuseOthers(known: readonly string[], todo: string): void {
    for (const name of Object.keys(this.#members).filter((one) => !known.includes(one))) {
      const found = "a field that is not known";
      this.faults.push({ field: this.path(name), found, allowed: known.join(", "), todo });
    }
  }

  #read<T extends Json>(
    name: string,
    { isRequired = false, todo }: FieldRule,
    allowed: string,
    fits: (value: Json) => value is T,
  ): T | null {
    const value = this.raw(name);
    if (value === null && !isRequired) return null;
    if (value !== null && fits(value)) return value;
    const found = shown(value ?? undefined);
    this.faults.push({ field: this.path(name), found, allowed, todo });
    return null;
  }
}

const isText = (value: Json): value is string => typeof value === "string" && value.trim() !== "";
