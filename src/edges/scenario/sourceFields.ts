/**
 * What a scenario's file would say of decoded fields, which a program may have put together: whatever is none of
 * them stays as it is, so that the judge of files finds it.
 */
import { isMap } from "../../machines/isMap.ts";
import { durationText } from "../duration.ts";

/** What a program says is a map. */
export type Given = { readonly [name: string]: unknown };

/** Each map of a list as a file would say it. */
export const eachSaid = (value: unknown, said: (one: Given) => object): unknown =>
  Array.isArray(value) ? value.map((one) => mapSaid(one, said)) : value;

export const mapSaid = (value: unknown, said: (one: Given) => object): unknown =>
  isMap(value) ? said(value) : value;

/** Without the fields that a file leaves out: those that are nothing, or null. */
export const present = (fields: Given): object =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );

/** A list that is left out where it is empty. */
export const filled = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 0 ? undefined : value;

/** Milliseconds as a file writes them. */
export const lasting = (ms: unknown): unknown =>
  typeof ms === "number" ? (durationText(ms) ?? ms) : ms;
