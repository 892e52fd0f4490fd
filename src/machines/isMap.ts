import type { Json } from "./letter.ts";

/** Whether a value is a map: neither a list nor null. */
export function isMap(value: Json | undefined): value is { readonly [key: string]: Json };
export function isMap(value: unknown): value is { readonly [key: string]: unknown };
export function isMap(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
