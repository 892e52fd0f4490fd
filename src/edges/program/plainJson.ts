import type { Json } from "../../machines/letter.ts";

/** What machines type field by field is any JSON to a program. */
export const plain = (value: object): Json => JSON.parse(JSON.stringify(value));
