/** One of the engine's own capabilities: all that is particular to it stands in its record. */
import type { FilesReply, FilesRequest } from "../../files.ts";
import { type FolderPolicy, foldersOf, isOpen, isVirtualPath, rootsText } from "../../folders.ts";
import {
  ask,
  type Delivered,
  type Json,
  type Letter,
  type MailOf,
  startActor,
} from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { readJson } from "../../readJson.ts";
import type { ShellPolicy } from "../../shellPolicy.ts";
import { utf8Length } from "../../utf8Length.ts";
import type { AttachedHooks, BuiltinFacts } from "../hooks.ts";
import { ARCHIVE_FOLDER, type Call, type CallOutcome, TOOLS_FOLDER } from "./state.ts";

export interface Builtin extends BuiltinFacts {
  /** What a call of it begins. */
  readonly begin: (call: Begun) => Beginning;
  /** What it returns of the files' reply, as its description promises; undefined when it failed. */
  readonly result?: (params: Params, reply: FilesReply) => Json | undefined;
  /** The file that is there whole because of a call that went well. */
  readonly wrote?: (params: Params) => string | undefined;
  /** What it makes of the files' reply, where it does more than return a result. */
  readonly replied?: (
    call: Call,
    seq: number,
    reply: Delivered<"files.replied">,
    policy: BuiltinPolicy,
  ) => Next;
}

/** What builtins need of the engine's policy. */
interface BuiltinPolicy {
  /** The engine's own address. */
  readonly self: string;
  readonly folders: FolderPolicy;
  readonly shell: ShellPolicy;
  readonly tools: ToolPolicy;
  readonly attached: Pick<AttachedHooks, "closed">;
}

export type Params = Call["params"];

/** A call, and what its builtin may know of the world. */
export interface Begun {
  readonly agent: string;
  readonly params: Params;
  readonly agents: readonly string[];
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
  /** Under which the answer to a question finds the call again. */
  readonly key: string;
  /** The address of the actor that it starts, if it starts one. */
  readonly address: string;
  readonly policy: BuiltinPolicy;
}

/** A letter whose answer ends the call, a message to a peer, or why there is neither. */
type Beginning =
  | { readonly letter: Letter }
  | { readonly message: { readonly to: string; readonly text: string } }
  | { readonly refusal: string };

/** The call's end, with what else it sends; or one more question, and what to keep of the call until then. */
export type Next =
  | { readonly outcome: CallOutcome; readonly letters?: readonly Letter[] }
  | { readonly letter: Letter; readonly call: Call };

export const needs = (names: string): { readonly refusal: string } => ({
  refusal: `TypeError: expects ${names}`,
});

export const isText = (value: Json | undefined): value is string => typeof value === "string";

/** A text with something in it. */
export const isWords = (value: Json | undefined): value is string => isText(value) && value !== "";

export const failed = (error: string): CallOutcome => ({ ok: false, result: null, error });

/* Which virtual paths are closed to agents and their tools. Source: seed 004, "Lessons"; seed 000. */

export const toolLeaves = {
  directWrites: choice("allow", ["allow", "refuse"], {
    says: "Whether fs_write and fs_edit may touch the tools folder, past synthesize_capability.",
    source: "seed 000, The safe_file_executor incident; refuse is ours",
  }),
};

export type ToolPolicy = ValuesOf<typeof toolLeaves>;

interface Closing {
  readonly folders: FolderPolicy;
  readonly tools: ToolPolicy;
  readonly attached: Pick<AttachedHooks, "closed">;
}

/** Why these changes are refused, all of them; undefined when they are not. */
export function permitted(paths: readonly string[], closing: Closing): string | undefined {
  const sorted = [...paths].sort();
  const { folders } = closing;
  const outside = sorted.find((path) => !isVirtualPath(path, folders));
  if (outside !== undefined) {
    return `PermissionError: ${outside} is not below ${rootsText(folders)}`;
  }
  return sorted.map((path) => writeFault(path, closing)).find((found) => found !== undefined);
}

/** Why a change of this path is refused, as an exception's text; undefined when it is not. */
export function writeFault(
  path: string,
  { folders, tools, attached }: Closing,
): string | undefined {
  if (isVirtualPath(path, folders) && !isOpen(path, folders)) {
    return `PermissionError: ${path} is read-only`;
  }
  if (path.startsWith("/agentOS/agents/")) {
    return "PermissionError: /agentOS/agents/ is read-only";
  }
  const closed = attached.closed.find((folder) => path === folder || path.startsWith(`${folder}/`));
  if (closed !== undefined) return `PermissionError: ${closed} is closed to agents and their tools`;
  const isDirect = path.startsWith(`${TOOLS_FOLDER}/`) && tools.directWrites === "refuse";
  return isDirect
    ? `PermissionError: ${TOOLS_FOLDER} is written by synthesize_capability only`
    : undefined;
}

/* Reading, writing, editing and listing virtual files. Source: seed 000. */

export const toFiles = (key: string, event: FilesRequest): { readonly letter: Letter } => ({
  letter: ask({ to: "files", key, event }),
});

/** A change that the path's permissions allow. */
const changing = (refusal: string | undefined, letter: Beginning): Beginning =>
  refusal === undefined ? letter : { refusal };

const fsRead: Builtin = {
  name: "fs_read",
  description:
    "POSIX read(2) on a regular file: opens path O_RDONLY, returns contents as UTF-8 and size.",
  takes: "path: string",
  isLockable: true,
  output: "possible",
  begin: ({ key, params: { path } }) =>
    isText(path) ? toFiles(key, { type: "files.read", path }) : needs("path"),
  result: (_, { ok, text = "" }) => (ok ? { content: text, size: utf8Length(text) } : undefined),
};

const fsWrite: Builtin = {
  name: "fs_write",
  description:
    "POSIX write(2) to a regular file at path, O_TRUNC: content as UTF-8, creates parent " +
    "directories, returns bytes_written.",
  takes: "path: string, content: string",
  isLockable: true,
  output: "usual",
  isPublic: true,
  begin({ key, params: { path, content: text }, policy }) {
    if (!isText(path) || !isText(text)) return needs("path and content");
    const letter = toFiles(key, { type: "files.write", path, text });
    return changing(writeFault(path, policy), letter);
  },
  result: ({ path = null, content }, { ok }) =>
    ok ? { ok: true, path, bytes_written: utf8Length(String(content ?? "")) } : undefined,
  wrote: ({ path }) => (isText(path) ? path : undefined),
};

const fsEdit: Builtin = {
  name: "fs_edit",
  description:
    "In-place edit of a regular file at path: replaces the first exact match of a text by another " +
    "text, returns the number of replacements.",
  takes: "path: string, old_text: string, new_text: string",
  isLockable: true,
  output: "usual",
  isPublic: true,
  begin({ key, params, policy }) {
    const { path, old_text: oldText, new_text: newText } = params;
    if (!isText(path) || !isText(oldText) || !isText(newText)) {
      return needs("path, old_text and new_text");
    }
    const letter = toFiles(key, { type: "files.edit", path, oldText, newText });
    return changing(writeFault(path, policy), letter);
  },
  result: ({ path = null }, { ok }) => (ok ? { ok: true, path, replacements: 1 } : undefined),
};

const fsList: Builtin = {
  name: "fs_list",
  description: "POSIX readdir(3): lists directory entries at path with name, type and size.",
  takes: "path: string",
  isLockable: true,
  output: "possible",
  begin: ({ key, params: { path } }) =>
    isText(path) ? toFiles(key, { type: "files.list", path }) : needs("path"),
  result: (_, { ok, entries = [] }) =>
    ok ? { entries: entries.map((entry) => ({ ...entry })) } : undefined,
};

/* The memory that all agents share: a JSON file for each key. Source: seed 000. */

const fileOf = (key: string): string => `/agentOS/memory/context/${key}.json`;

const isKey = (value: Json | undefined): value is string =>
  isText(value) && /^[A-Za-z0-9_-]{1,100}$/.test(value);

const memorySet: Builtin = {
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

const memoryGet: Builtin = {
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

/*
 * `shell_exec`: a view of all virtual files goes to the shell outside; what it answers is read in
 * replies.ts. Source: seed 004; rulings U11.
 */

const shellExec: Builtin = {
  name: "shell_exec",
  description:
    "Executes a shell command line, sh -c, with pipes; returns exit_code, stdout and stderr.",
  takes: "command: string",
  isLockable: true,
  begin({ key, params: { command }, policy }) {
    const folders = ["/agentOS", ...foldersOf(policy.folders)];
    return isWords(command)
      ? toFiles(key, { type: "files.snapshot", folders, times: true })
      : needs("command");
  },
  // The view for the shell; or, at the end, whether what it changed was accepted.
  replied(call, seq, reply, { shell }) {
    const { at, ok, error = "error", files = {}, madeBy = {}, mtimesMs = {}, taken } = reply;
    if (!ok) return { outcome: failed(error) };
    if (call.ran !== undefined) return { outcome: call.ran };
    const writers = Object.fromEntries(
      Object.entries(madeBy).map(([path, writer]) => {
        return [path, { ms: ownValue(mtimesMs, path) ?? 0, seq: writer }];
      }),
    );
    const event: MailOf<"shell.run"> = {
      type: "shell.run",
      purpose: "command",
      agent: call.agent,
      command: String(call.params["command"]),
      cwd: `/agentOS/workspace/${call.agent}`,
      files,
      mtimesMs,
      limitMs: shell.limitMs,
    };
    return {
      letter: ask({ to: "port/shell.run", key: `call:${seq}`, event }),
      call: { ...call, viewed: taken ?? { ms: at.nowMs, seq: at.seq }, writers },
    };
  },
};

/* Making a capability, and taking one out of use. Source: seed 000; seed 004, "Load locks". */

/** Parameters that are no texts are missing ones: the nine steps say what becomes of that. */
const synthesizeCapability: Builtin = {
  name: "synthesize_capability",
  description:
    "Synthesizes a capability: validates a Python implementation, deploys it under name as a new " +
    "tool, hot-reloads the engine.",
  takes: "name: string, description: string, implementation: string",
  isLockable: true,
  output: "possible",
  begin({ agent, params, address, startsAtMs, policy: { self } }) {
    const text = (name: string): string | null => {
      const value = params[name];
      return isText(value) ? value : null;
    };
    const input = {
      agent,
      name: text("name") ?? "",
      description: text("description") ?? "",
      implementation: text("implementation"),
      code: text("code"),
      caller: self,
      engine: self,
      startsAtMs,
    };
    return { letter: startActor("capabilitySynthesis", address, input) };
  },
};

const retireCapability: Builtin = {
  name: "retire_capability",
  description: "Retires a capability by name: unregisters the tool, archives its spec and code.",
  takes: "name: string",
  isLockable: true,
  begin({ key, params: { name } }) {
    if (!isText(name) || !/^[a-z0-9_]{1,60}$/.test(name)) return needs("name");
    return toFiles(key, {
      type: "files.move",
      path: `${TOOLS_FOLDER}/${name}.json`,
      to: `${ARCHIVE_FOLDER}/${name}.json`,
    });
  },
  // The spec has moved, or was not there; the code follows it.
  replied({ params }, _seq, { ok }) {
    const capability = String(params["name"]);
    if (!ok) {
      return { outcome: failed(`KeyError: no synthesized capability is called ${capability}`) };
    }
    const code: Letter = {
      to: "files",
      event: {
        type: "files.move",
        path: `${TOOLS_FOLDER}/${capability}.py`,
        to: `${ARCHIVE_FOLDER}/${capability}.py`,
      },
    };
    return {
      outcome: { ok: true, result: { ok: true, capability, status: "retired" } },
      letters: [code],
    };
  },
};

/* Asking a model, people, the web or a peer. Source: seed 004, "Load locks", "Earned capabilities". */

/** What an agent asks a model through a tool: its own words, and nothing around them. */
export interface ToolChatView {
  readonly purpose: "tool.chat";
  readonly agent: string;
  readonly prompt?: Json;
}

const ollamaChat: Builtin = {
  name: "ollama_chat",
  description:
    "Single-turn chat completion by the local Ollama model: prompt in, generated response out; " +
    "for summaries, questions and reasoning.",
  takes: "prompt: string",
  isLockable: true,
  begin({ agent, key, params: { prompt } }) {
    if (!isWords(prompt)) return needs("prompt");
    const view: ToolChatView = { purpose: "tool.chat", agent, prompt };
    const event: MailOf<"llm.asked"> = { type: "llm.asked", purpose: view.purpose, view };
    return { letter: ask({ to: "port/llm.chat", key, event }) };
  },
};

/** The provider behind `port/tool.call` answers. */
const beginOutside =
  (purpose: MailOf<"tool.called">["purpose"]): Builtin["begin"] =>
  ({ agent, key, params }) => {
    const event: MailOf<"tool.called"> = { type: "tool.called", purpose, agent, params };
    return { letter: ask({ to: "port/tool.call", key, event }) };
  };

const proposeChange: Builtin = {
  name: "propose_change",
  description:
    "Submits a proposal for a change to the system for human review and approval; returns status and id.",
  isLockable: true,
  output: "usual",
  begin: beginOutside("propose_change"),
};

const invokeClaude: Builtin = {
  name: "invoke_claude",
  description:
    "Invokes Claude, the external assistant, with a request for help; returns its advice.",
  isLockable: true,
  begin: beginOutside("invoke_claude"),
};

const researchTopic: Builtin = {
  name: "research_topic",
  description:
    "Researches a topic on the external web: search engines, GitHub, Wikipedia; returns results.",
  begin: beginOutside("research_topic"),
};

const messageSend: Builtin = {
  name: "message_send",
  description: "Sends a message to the inbox of another agent: recipient, text.",
  takes: "to: string, text: string",
  isPublic: true,
  begin({ agent, agents, params: { to, text } }) {
    if (!isWords(to) || !isWords(text)) return needs("to and text");
    if (agents.includes(to) && to !== agent) return { message: { to, text } };
    const others = agents.filter((name) => name !== agent).join(", ");
    return { refusal: `ValueError: no agent here is called ${to}; there are: ${others}` };
  },
};

/* The engine's own capabilities. A new one is a record above, and a line here. */

/** In the order of registration, which decides between equal scores. The first six are of files and memory only. */
export const builtins: readonly Builtin[] = [
  fsRead,
  fsWrite,
  fsEdit,
  fsList,
  memorySet,
  memoryGet,
  synthesizeCapability,
  retireCapability,
  shellExec,
  ollamaChat,
  proposeChange,
  invokeClaude,
  researchTopic,
  messageSend,
];

/** The builtin of that name; undefined for a tool that agents made. */
export const builtinOf = (name: string): Builtin | undefined =>
  builtins.find((one) => one.name === name);
