/**
 * Which tool needs which capability, and which of its parameters says for what. What is not in the table is a function that
 * agents made or another part brought. Source: seed 003; dossier autonoetic 1.2; ruling I12: one table.
 */
import { ownValue } from "../ownValue.ts";

type Kind =
  | "SandboxFunctions"
  | "ReadAccess"
  | "WriteAccess"
  | "NetworkAccess"
  | "AgentSpawn"
  | "AgentMessage"
  | "BackgroundReevaluation"
  | "CodeExecution"
  | "EmergencyStop"
  | "CredentialAccess"
  | "MemoryAccess"
  | "SchedulerAccess";

/** What of a call the capability must cover. */
export type Asked =
  | {
      readonly what: "path" | "url" | "memory" | "agent" | "command" | "service";
      readonly of: string;
    }
  /** The tool's own name. */
  | { readonly what: "name" }
  /** Every virtual path that the parameters name: code may read it and change it. */
  | { readonly what: "named" }
  /** No host is named, so that it may be any. */
  | { readonly what: "any host" }
  /** One more child than there are. */
  | { readonly what: "child" }
  /** An interval in seconds, and whether the agent thinks then. */
  | { readonly what: "interval" }
  /** That there is such a capability at all. */
  | { readonly what: "any" };

export interface Demand {
  readonly type: Kind;
  readonly asked: Asked;
}

const path = (type: Kind): readonly Demand[] => [{ type, asked: { what: "path", of: "path" } }];
const of = (type: Kind, asked: Asked): readonly Demand[] => [{ type, asked }];

const url = of("NetworkAccess", { what: "url", of: "url" });
const anyHost = of("NetworkAccess", { what: "any host" });
const memory = of("MemoryAccess", { what: "memory", of: "key" });
const named: readonly Demand[] = [
  { type: "ReadAccess", asked: { what: "named" } },
  { type: "WriteAccess", asked: { what: "named" } },
];
const command = [...of("CodeExecution", { what: "command", of: "command" }), ...named];
const child = of("AgentSpawn", { what: "child" });
const message = of("AgentMessage", { what: "agent", of: "to" });
const someRead = of("ReadAccess", { what: "any" });
const someWrite = of("WriteAccess", { what: "any" });
const scheduler = of("SchedulerAccess", { what: "any" });
const code = of("CodeExecution", { what: "any" });
const credential = of("CredentialAccess", { what: "service", of: "service" });

/** By name; one that ends with a dot stands for all that begin so. Nothing is needed for an empty list. */
const TABLE: { readonly [tool: string]: readonly Demand[] } = {
  fs_read: path("ReadAccess"),
  fs_list: path("ReadAccess"),
  fs_write: path("WriteAccess"),
  fs_edit: path("WriteAccess"),
  memory_get: memory,
  memory_set: memory,
  shell_exec: command,
  synthesize_capability: code,
  retire_capability: code,
  ollama_chat: [],
  propose_change: [],
  invoke_claude: anyHost,
  research_topic: anyHost,
  message_send: message,
  "memory.": memory,
  "content.read": someRead,
  "content.write": someWrite,
  "artifact.inspect": someRead,
  "artifact.build": someWrite,
  "promotion.query": someRead,
  "sandbox.exec": command,
  "web.fetch": url,
  "web.search": anyHost,
  "credential.request": credential,
  "scheduler.": scheduler,
  "agent.message": message,
  "agent.spawn": child,
  "background.schedule": of("BackgroundReevaluation", { what: "interval" }),
  "emergency.stop": of("EmergencyStop", { what: "any" }),
  "workflow.state": [],
};

const FUNCTION: readonly Demand[] = [...of("SandboxFunctions", { what: "name" }), ...named];

export function demandsOf(tool: string): readonly Demand[] {
  const row = ownValue(TABLE, tool);
  if (row !== undefined) return row;
  const beginning = Object.keys(TABLE).find((one) => one.endsWith(".") && tool.startsWith(one));
  return (beginning === undefined ? undefined : TABLE[beginning]) ?? FUNCTION;
}

/** Whether no capability grants the tool: the gateway looks at the sender's address alone. */
export const isOwned = (tool: string): boolean =>
  /^(?:agent\.(?:install$|revision\.)|promotion\.record$|approval\.)/.test(tool);
