/** The memory that all agents share: a JSON file for each key. Source: seed 000. */
import type { Json } from "../../../letter.ts";
import { readJson } from "../../../readJson.ts";
import { type Builtin, isText, needs } from "../builtin.ts";
import { toFiles } from "./files.ts";

const fileOf = (key: string): string => `/agentOS/memory/context/${key}.json`;

const isKey = (value: Json | undefined): value is string =>
  isText(value) && /^[A-Za-z0-9_-]{1,100}$/.test(value);

export const memorySet: Builtin = {
  name: "memory_set",
  description: "Sets key to a JSON value in shared memory, replacing what the key held.",
  takes: "key: string, value: any",
  isLockable: true,
  output: "usual",
  begin({ key, params: { key: name, value } }) {
    if (!isKey(name) || value === undefined) return needs("key and value");
    const text = JSON.stringify(value);
    return toFiles(key, { type: "files.write", path: fileOf(name), text });
  },
  result: ({ key = null }, { ok }) => (ok ? { ok: true, key } : undefined),
};

export const memoryGet: Builtin = {
  name: "memory_get",
  description: "Gets the JSON value of key from shared memory, or null when the key is unset.",
  takes: "key: string",
  isLockable: true,
  output: "possible",
  begin: ({ key, params: { key: name } }) =>
    isKey(name) ? toFiles(key, { type: "files.read", path: fileOf(name) }) : needs("key"),
  result: (_, { ok, text = "null" }) => ({ value: ok ? parsed(text) : null }),
};

/** An agent may have written anything there; what is no JSON is returned as text. */
function parsed(text: string): Json {
  const value = readJson(text);
  return value === undefined ? text : value;
}
