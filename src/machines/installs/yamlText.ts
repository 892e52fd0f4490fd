/** YAML with every text in double quotes: whatever a text holds, it is read back as that text. */
import { stringify } from "yaml";
import type { Json } from "../letter.ts";

/** Some readers of YAML refuse them, or take them for the end of a line. */
const ODD = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

const escaped = (letter: string): string =>
  `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Keys as they stand, in the order of the value's; only texts may hold odd letters, not keys. */
export const yamlText = (value: Json): string =>
  stringify(value, {
    aliasDuplicateObjects: false,
    defaultKeyType: "PLAIN",
    defaultStringType: "QUOTE_DOUBLE",
    doubleQuotedAsJSON: true,
    lineWidth: 0,
    version: "1.2",
  }).replaceAll(ODD, escaped);
