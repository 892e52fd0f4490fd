/**
 * A policy leaf's value as people write and read it. For an integer a point means a share (`.55`), a text a
 * duration (`1h30m`), everything else the leaf's own unit.
 */

import { allowedBy, type PolicyValue } from "../../contract/policyTree.ts";
import { isTime, type Leaf, shareDigits } from "../../machines/policyLeaf.ts";
import { durationText, parseDuration, span } from "../duration.ts";
import { quoted } from "../errors.ts";

const DECIMAL = /^([+-]?)(\d*)\.(\d*)$/;
const WITH_POINT = /^[+-]?\d*\.\d*(?:e[+-]?\d+)?$/i;

/** Whether a number was written with a point; one that is a number already, whether it needs one. */
const hasPoint = (written: unknown): boolean =>
  typeof written === "number"
    ? !Number.isInteger(written)
    : typeof written === "string" && WITH_POINT.test(written);

/** What was written, in the leaf's unit; as it stands when it is no such value. Exact, never rounded. */
export function inUnits(leaf: Leaf, written: unknown): unknown {
  if (leaf.kind !== "integer") return written;
  const digits = shareDigits(leaf);
  if (digits !== undefined && hasPoint(written)) return shareIn(digits, String(written)) ?? written;
  if (isTime(leaf) && typeof written === "string") return parseDuration(written) ?? written;
  return written;
}

/** `.55` is 550000 millionths; undefined when it is no whole number of them. */
function shareIn(digits: number, text: string): number | undefined {
  const [, sign = "", whole = "", fraction = ""] = DECIMAL.exec(text) ?? [];
  const shown = fraction.replace(/0+$/, "");
  if (whole + fraction === "" || shown.length > digits) return undefined;
  const units = Number(whole + shown.padEnd(digits, "0"));
  return sign === "-" && units !== 0 ? -units : units;
}

/** What a leaf allows, in words; where the user wrote a point and none may be, also that. */
export function allowedFor(leaf: Leaf, written?: unknown): string {
  const allowed = allowedBy(leaf);
  if (leaf.kind !== "integer") return allowed;
  const digits = shareDigits(leaf);
  if (digits !== undefined) {
    const [min, max] = [leaf.min, leaf.max].map((bound) => shareText(bound, digits));
    return `${allowed}, or with a point a share ${min} … ${max}, at most ${digits} digits after it`;
  }
  if (isTime(leaf)) return `${allowed}, or a duration such as 6s`;
  return hasPoint(written) ? `${allowed}, without a point: its unit is no share` : allowed;
}

/** `550000 millionths (0.55)`, `90000 ms (1 min 30 s)`, `8 steps`, `true`. */
export function shownValue(leaf: Leaf, value: PolicyValue): string {
  if (leaf.kind !== "integer" || typeof value !== "number") return shownText(value);
  const text = `${value} ${leaf.unit}`;
  const digits = shareDigits(leaf);
  if (digits !== undefined) return `${text} (${shareText(value, digits)})`;
  return isTime(leaf) ? `${text} (${span(value)})` : text;
}

/** As `--set` reads it back, value for value: `0.55`, `1h30m`, `8`, `true`, `fs_read,shell_exec`. */
export function setValue(unit: string | undefined, value: PolicyValue): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : value.join(",");
  if (typeof value !== "number" || unit === undefined || !Number.isSafeInteger(value)) {
    return String(value);
  }
  const digits = shareDigits({ unit });
  if (digits !== undefined) return shareText(value, digits);
  return (isTime({ unit }) ? durationText(value) : undefined) ?? String(value);
}

const shownText = (value: PolicyValue): string =>
  typeof value === "string"
    ? value
    : Array.isArray(value)
      ? value.join(", ") || "none"
      : String(value);

/** Always with a point, so that it is read as the share it is. */
function shareText(units: number, digits: number): string {
  const text = String(Math.abs(units)).padStart(digits + 1, "0");
  const fraction = text.slice(-digits).replace(/0+$/, "");
  return `${units < 0 ? "-" : ""}${text.slice(0, -digits)}.${fraction || "0"}`;
}

/** What was written, as it may stand in an error: a number bare, a text in quotes. */
export const foundValue = (written: unknown): string =>
  typeof written === "string" && hasPoint(written) && written.length <= NUMBER_CHARS_MAX
    ? written
    : quoted(written);

const NUMBER_CHARS_MAX = 40;
