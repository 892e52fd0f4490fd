/** What looks like a secret, in what is checked: where it stands is said, and it is in no output. */
import type { Redactor } from "../../../edges/redaction.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";

/** The lines that hold one, from 1. */
export function secretLines(text: string, { text: clean }: Redactor): readonly number[] {
  // What is no text is marked in both, and is no secret.
  const whole = text.toWellFormed();
  if (clean(whole) === whole) return [];
  const lines = whole.split("\n");
  const found = lines.flatMap((line, index) => (clean(line) === line ? [] : [index + 1]));
  // A secret of several lines shows on none of them alone.
  return found.length > 0 ? found : [1];
}

/** A value without secrets, in keys too. */
export function withoutSecrets<T>(value: T, redactor: Redactor): T;
export function withoutSecrets(value: unknown, redactor: Redactor): unknown {
  if (typeof value === "string") return redactor.text(value);
  if (Array.isArray(value)) return value.map((one) => withoutSecrets(one, redactor));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      redactor.text(key),
      withoutSecrets<unknown>(one, redactor),
    ]),
  );
}

/** The paths of an intent's texts that hold one. */
export function secretFields(value: Json, redactor: Redactor, path = ""): readonly string[] {
  if (typeof value === "string") {
    return redactor.text(value) === value.toWellFormed() ? [] : [path === "" ? "intent" : path];
  }
  if (Array.isArray(value)) {
    return value.flatMap((one: Json, index) => secretFields(one, redactor, `${path}[${index}]`));
  }
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    secretFields(one, redactor, path === "" ? key : `${path}.${key}`),
  );
}
