/**
 * The folder of a skill with a SKILL.md, or of an MCP server, as an install: what it says of itself becomes an intent, its other
 * files the artifact. Neither was written for this gateway, so that what is missing is taken from its code, and said.
 */
import { basename, resolve } from "node:path";
import { parse as yaml } from "yaml";
import { type BadInput, badInput } from "../../../edges/errors.ts";
import { hindrance, languageOf } from "../../../machines/installs/detection/detection.ts";
import { instructionAsks, unlooked } from "../../../machines/installs/detection/instructionAsks.ts";
import { isMap } from "../../../machines/isMap.ts";
import type { Json } from "../../../machines/letter.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import { readObject } from "../../../machines/readJson.ts";
import type { Folder, FolderFile, FolderNote } from "./artifactFolder.ts";

export interface ForeignFolder {
  readonly kind: "a skill" | "an MCP server";
  /** Without capabilities and artifact_id. */
  readonly intent: { readonly [field: string]: Json };
  /** What it may use by its own words; null where it says nothing of that. */
  readonly declared: readonly Json[] | null;
  /** The files of the artifact. */
  readonly folder: Folder;
  readonly notes: readonly FolderNote[];
}

const SKILL = "SKILL.md";

/** What a tool of a skill's `allowed-tools` lets it do. */
const TOOLS: { readonly [tool: string]: (words: string | null) => Json } = {
  ...Object.fromEntries(
    ["Read", "Glob", "Grep", "LS", "NotebookRead"].map((one) => [
      one,
      () => ({ type: "ReadAccess", scopes: ["*"] }),
    ]),
  ),
  ...Object.fromEntries(
    ["Write", "Edit", "MultiEdit", "NotebookEdit"].map((one) => [
      one,
      () => ({ type: "WriteAccess", scopes: ["*"] }),
    ]),
  ),
  Bash: (words) => ({
    type: "CodeExecution",
    ...(words === null ? {} : { patterns: [words.replace(/:\*$/, "*")] }),
  }),
  WebFetch: () => ({ type: "NetworkAccess", hosts: ["*"] }),
  WebSearch: () => ({ type: "NetworkAccess", hosts: ["*"] }),
  Task: () => ({ type: "AgentSpawn", max_children: 1 }),
};

/** Scripts that a package manager runs by itself. */
const RUN_AT_INSTALL = ["preinstall", "install", "postinstall", "prepare"];

/** Throws BadInput for a folder that is neither. */
export function foreignFolder(path: string, folder: Folder): ForeignFolder {
  const file = (name: string) => folder.files.find((one) => one.path === name);
  const skill = file(SKILL);
  const name = basename(resolve(path));
  const notes = [
    {
      file: name,
      why: "what its texts ask for is found by their words: that nothing is found proves nothing",
    },
    ...folder.files.flatMap(askNotes),
    ...atInstall(file("package.json")),
  ];
  const readme = folder.files.find((one) => /^readme(\.md|\.rst|\.txt)?$/i.test(one.path));
  if (skill !== undefined) {
    const files = folder.files.filter((one) => one !== skill);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const said = skillSaid(skill.text);
    const why = hindrance(skill, skill.text.length);
    const unread = {
      ...{ file: SKILL, found: `${why}: it cannot be read`, allowed: "words in UTF-8" },
      todo: "Ask whoever wrote the skill for its words.",
    };
    return {
      kind: "a skill",
      intent: intentOf(textIn(said.head, "name") ?? name, {
        description: textIn(said.head, "description") ?? "a skill",
        instructions: said.body,
      }),
      declared: said.declared,
      folder: {
        ...{ ...folder, files, bytes },
        faults: why === null ? folder.faults : [...folder.faults, unread],
      },
      notes: [...said.notes, ...notes],
    };
  }
  if (!folder.files.some(isServer)) throw neither(path);
  const about = readObject(file("package.json")?.text ?? "") ?? {};
  return {
    kind: "an MCP server",
    intent: intentOf(textIn(about, "name") ?? name, {
      description: textIn(about, "description") ?? "an MCP server",
      instructions: readme?.text.trim() || "an MCP server",
    }),
    declared: null,
    folder,
    notes,
  };
}

const neither = (path: string): BadInput =>
  badInput(
    { file: path },
    "a folder without SKILL.md, in which nothing is an MCP server",
    "a JSON file with an intent, a skill's folder with SKILL.md, or the folder of an MCP server",
    "Give the folder's own intent: npx ghostlight install check INTENT.json --artifact FOLDER",
  );

const textIn = (fields: object, field: string): string | null => {
  const value: unknown = Reflect.get(fields, field);
  return typeof value === "string" && value.trim() !== "" ? value : null;
};

/** An id has lower case, digits and hyphens. */
function intentOf(
  name: string,
  texts: { readonly description: string; readonly instructions: string },
): ForeignFolder["intent"] {
  const slug = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-+|-+$/g, "");
  const named = slug(name);
  const id = /^[a-z]/.test(named) ? named : `folder-${named}`;
  return {
    agent_id: slug(id.slice(0, 60)),
    ...texts,
    execution_mode: "reasoning",
    // Whoever uses it brings the model.
    llm_config: { provider: "any", model: "any" },
  };
}

/** A skill's head, which is YAML between two lines of hyphens, and what stands below it. */
function skillSaid(text: string) {
  const [, head = "", below] =
    /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ?? [];
  let fields: unknown = {};
  const notes: FolderNote[] = [];
  try {
    fields = yaml(head, { maxAliasCount: 20 }) ?? {};
  } catch {
    notes.push({ file: SKILL, why: "its head is no YAML: nothing of it counts" });
  }
  if (below === undefined)
    notes.push({ file: SKILL, why: "it has no head with name and description" });
  const known = isMap(fields as Json) ? (fields as { readonly [field: string]: Json }) : {};
  const body = (below ?? text).trim();
  const tools = toolsIn(ownValue(known, "allowed-tools"));
  const strange = tools?.filter((one) => capabilityOf(one) === null) ?? [];
  if (tools === null) {
    notes.push({
      file: SKILL,
      why: "it names no allowed-tools: whoever runs it may use every tool",
    });
  }
  for (const one of strange) {
    notes.push({ file: SKILL, why: `allowed-tools has ${one}, which no table knows` });
  }
  return {
    head: known,
    body: body === "" ? "a skill without words" : body,
    declared: tools?.flatMap((one) => capabilityOf(one) ?? []) ?? null,
    notes,
  };
}

/** `Read, Bash(git:*)` or a list of such. */
function toolsIn(given: Json | undefined): readonly string[] | null {
  if (given === undefined || given === null) return null;
  const texts = Array.isArray(given)
    ? given.map(String)
    : (String(given).match(/[^,\s(]+(?:\([^)]*\))?/g) ?? []);
  return texts.map((one) => one.trim()).filter((one) => one !== "");
}

function capabilityOf(tool: string): Json | null {
  if (tool.startsWith("mcp__")) return { type: "SandboxFunctions", allowed: [tool] };
  const [, name = "", words = null] = /^(\w+)(?:\((.*)\))?$/.exec(tool) ?? [];
  return ownValue(TOOLS, name)?.(words) ?? null;
}

/** Ours: of one file; more say nothing new. */
const ASKS_MAX = 100;

/** Its head is data; the lines below keep their numbers. */
const withoutHead = (text: string): string =>
  text.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\n---/, (head) => head.replace(/[^\n]/g, ""));

function askNotes(file: FolderFile): readonly FolderNote[] {
  const { path } = file;
  const text = path === SKILL ? withoutHead(file.text) : file.text;
  const isCode = languageOf(file) !== null;
  if (!isCode && !/\.(?:md|mdx|txt|rst)$/i.test(path)) return [];
  const asks = instructionAsks(text, isCode).map(
    (one) => `line ${one.line} asks ${one.asks}: ${JSON.stringify(one.quote)}`,
  );
  const more = asks.length - ASKS_MAX;
  return [
    ...asks.slice(0, ASKS_MAX),
    ...(more > 0 ? [`… and ${more} more of the kind`] : []),
    ...unlooked(text).map((line) => `line ${line} is too long: not all of it was looked at`),
  ].map((why) => ({ file: path, why }));
}

function atInstall(manifest: FolderFile | undefined): readonly FolderNote[] {
  const scripts = ownValue(readObject(manifest?.text ?? "") ?? {}, "scripts");
  if (!isMap(scripts ?? null)) return [];
  const of = scripts as { readonly [name: string]: Json };
  return RUN_AT_INSTALL.flatMap((name) => {
    const command = ownValue(of, name);
    if (typeof command !== "string") return [];
    return [
      {
        file: "package.json",
        why: `runs ${JSON.stringify(command)} when it is installed (${name})`,
      },
    ];
  });
}

/** By what it depends on, or imports. */
function isServer({ path, text }: FolderFile): boolean {
  if (path === "package.json") return text.includes("@modelcontextprotocol/");
  if (/^(?:pyproject\.toml|requirements[\w.-]*\.txt)$/.test(path))
    return /\b(?:fast)?mcp\b/.test(text);
  if (path === "server.json") return text.includes("modelcontextprotocol");
  return /\bfrom (?:mcp|fastmcp)\b|\bimport (?:mcp|fastmcp)\b|["']@modelcontextprotocol\//.test(
    text,
  );
}
