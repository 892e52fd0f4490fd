/** What each builtin asks of the virtual files, and what it returns. Source: seed 000, seed 004. */
import type { FilesReply, FilesRequest } from "../../files.ts";
import type { Json } from "../../letter.ts";
import { readJson } from "../../readJson.ts";
import { utf8Length } from "../../utf8Length.ts";
import { writeFault } from "./permissions.ts";
import type { ToolPolicy } from "./registry.ts";
import { ARCHIVE_FOLDER, TOOLS_FOLDER } from "./state.ts";

type Params = { readonly [name: string]: Json };

const MEMORY_FOLDER = "/agentOS/memory/context";

/** The request a builtin makes, or the sentence by which it refuses its parameters. */
export function builtinRequest(
  capability: string,
  params: Params,
  policy: ToolPolicy,
): FilesRequest | string {
  const path = params["path"];
  const key = params["key"];
  switch (capability) {
    case "fs_read":
      return isText(path) ? { type: "files.read", path } : needs("path");
    case "fs_list":
      return isText(path) ? { type: "files.list", path } : needs("path");
    case "fs_write": {
      const text = params["content"];
      if (!isText(path) || !isText(text)) return needs("path and content");
      return writeFault(path, policy) ?? { type: "files.write", path, text };
    }
    case "fs_edit": {
      const oldText = params["old_text"];
      const newText = params["new_text"];
      if (!isText(path) || !isText(oldText) || !isText(newText)) {
        return needs("path, old_text and new_text");
      }
      return writeFault(path, policy) ?? { type: "files.edit", path, oldText, newText };
    }
    case "memory_set": {
      if (!isKey(key) || params["value"] === undefined) return needs("key and value");
      const text = JSON.stringify(params["value"]);
      return { type: "files.write", path: `${MEMORY_FOLDER}/${key}.json`, text };
    }
    case "retire_capability": {
      const name = params["name"];
      if (!isText(name) || !/^[a-z0-9_]{1,60}$/.test(name)) return needs("name");
      const path = `${TOOLS_FOLDER}/${name}.json`;
      return { type: "files.move", path, to: `${ARCHIVE_FOLDER}/${name}.json` };
    }
    case "memory_get":
      if (!isKey(key)) return needs("key");
      return { type: "files.read", path: `${MEMORY_FOLDER}/${key}.json` };
    default:
      return `NotImplementedError: ${capability} is no builtin`;
  }
}

/** What a builtin returns, as its description promises; undefined when it failed. */
export function builtinResult(
  capability: string,
  params: Params,
  reply: FilesReply,
): Json | undefined {
  if (capability === "memory_get") return { value: reply.ok ? parsed(reply.text ?? "null") : null };
  if (!reply.ok) return undefined;
  switch (capability) {
    case "fs_read":
      return { content: reply.text ?? "", size: utf8Length(reply.text ?? "") };
    case "fs_list":
      return { entries: (reply.entries ?? []).map((entry) => ({ ...entry })) };
    case "fs_edit":
      return { ok: true, path: params["path"] ?? null, replacements: 1 };
    case "memory_set":
      return { ok: true, key: params["key"] ?? null };
    default: {
      const bytes = utf8Length(String(params["content"] ?? ""));
      return { ok: true, path: params["path"] ?? null, bytes_written: bytes };
    }
  }
}

/** An agent may have written anything there; what is no JSON is returned as text. */
function parsed(text: string): Json {
  const value = readJson(text);
  return value === undefined ? text : value;
}

const isText = (value: Json | undefined): value is string => typeof value === "string";
const isKey = (value: Json | undefined): value is string =>
  typeof value === "string" && /^[A-Za-z0-9_-]{1,100}$/.test(value);
const needs = (names: string): string => `TypeError: expects ${names}`;
