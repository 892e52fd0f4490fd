/** Values of a log as a scenario holds them: no longer than is kept whole, and nothing that YAML or a schema refuses. */
import { cutText } from "../../machines/cutText.ts";
import { isMap } from "../../machines/isMap.ts";
import type { Json } from "../../machines/letter.ts";

const DEPTH_MOST = 16;
const ARGUMENTS_MOST = 100;
const KEY = /^.{1,100}$/u;

/** Says how often something was cut. */
export class Cutter {
  cuts = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  text = (text: string, most: number = this.#most): string => {
    if (text.length <= most) return text;
    this.cuts += 1;
    return `${cutText(text.slice(0, 2 * most), most)}… (cut: ${text.length} characters in the log)`;
  };

  /** What is too long, too deep or named as YAML may not name it becomes a text of JSON. */
  value(value: Json): Json {
    if (typeof value === "string") return this.text(value);
    const text = JSON.stringify(value);
    if (text.length <= this.#most && isPlain(value, 0)) return value;
    return this.text(text);
  }

  /** What is no map, or has names that no arguments can have, stands under one name. */
  arguments(args: Json, raw: string | null): { readonly [name: string]: Json } {
    if (raw !== null) return { raw: this.text(raw) };
    if (args === null) return {};
    if (!isMap(args)) return { value: this.value(args) };
    const names = Object.keys(args);
    const isFit = names.length <= ARGUMENTS_MOST && names.every((name) => KEY.test(name));
    const whole = JSON.stringify(args);
    if (!isFit || !isPlain(args, 0)) return { json: this.text(whole) };
    if (whole.length <= this.#most) return args;
    return Object.fromEntries(names.map((name) => [name, this.value(args[name] ?? null)]));
  }
}

function isPlain(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth >= DEPTH_MOST) return false;
  return Object.entries(value).every(
    ([key, member]) => key !== "__proto__" && isPlain(member as Json, depth + 1),
  );
}

/** A length of time as scenarios write it. */
const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
  ["ms", 1],
] as const;

/** `1m30s`, `0s`; whole milliseconds, none below zero. */
export function durationOf(ms: number): string {
  let rest = Math.max(0, Math.round(ms));
  let text = "";
  for (const [unit, unitMs] of UNITS) {
    const count = Math.floor(rest / unitMs);
    rest -= count * unitMs;
    if (count > 0) text += `${count}${unit}`;
  }
  return text === "" ? "0s" : text;
}
