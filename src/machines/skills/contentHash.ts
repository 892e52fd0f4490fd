/**
 * What a skill is, in one word: whether a saved one has changed is seen by it. Source: seed 001 (a content hash); the real
 * system's text of it: code, schema and description.
 */
import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { Json } from "../letter.ts";
import { pythonJson } from "./pythonJson.ts";

export const contentHash = (code: string, schema: Json, description: string): string =>
  bytesToHex(md5(utf8ToBytes(code + pythonJson(schema) + description)));
