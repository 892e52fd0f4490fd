/** The engine's own capabilities. A new one is a record in this folder, and a line here. */
import type { Builtin } from "../builtin.ts";
import { fsEdit, fsList, fsRead, fsWrite } from "./files.ts";
import { memoryGet, memorySet } from "./memory.ts";
import { invokeClaude, messageSend, ollamaChat, proposeChange, researchTopic } from "./outside.ts";
import { shellExec } from "./shell.ts";
import { retireCapability, synthesizeCapability } from "./tools.ts";

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
