/** What a capability lets an agent do, in words for the person who is asked about it. */
import type { Capability } from "../../../machines/installs/gate/capability.ts";

const listed = (words: readonly string[]): string =>
  words.length < 2
    ? (words[0] ?? "nothing")
    : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const begun = (text: string): string => text.replace(/\*+$/, "");

function pathText(scope: string): string {
  if (scope === "*" || scope === "/") return "every file";
  if (scope === "self.*") return "its own folder";
  return scope.endsWith("*")
    ? `whatever begins with ${begun(scope)}`
    : `${scope} and what lies below`;
}

const nameText = (pattern: string): string =>
  pattern === "*" ? "anyone" : `whoever is called ${begun(pattern)}…`;

const commandText = (pattern: string): string =>
  pattern === "*" ? "any command" : `\`${begun(pattern).trim()}\` and what it is given`;

const keysText = (scope: string): string => {
  if (scope === "*") return "all keys";
  if (scope === "self.*") return "its own keys";
  return scope.endsWith("*") ? `keys that begin with ${begun(scope)}` : `the key ${scope}`;
};

/** One sentence without its subject, such as `read its own folder`. */
export function reachText(capability: Capability): string {
  switch (capability.type) {
    case "ReadAccess":
      return `read ${listed(capability.scopes.map(pathText))}`;
    case "WriteAccess":
      return `write ${listed(capability.scopes.map(pathText))}`;
    case "NetworkAccess":
      if (capability.hosts.length === 0) return "reach no host";
      return capability.hosts.includes("*")
        ? "reach any host"
        : `reach ${listed(capability.hosts)} alone`;
    case "CodeExecution":
      return `run ${listed((capability.patterns ?? ["*"]).map(commandText))}`;
    case "SandboxFunctions":
      return capability.allowed === undefined
        ? "call any function of the sandbox"
        : `call ${listed(capability.allowed)}`;
    case "AgentSpawn":
      return `start up to ${capability.max_children} agents of its own`;
    case "AgentMessage":
      return `write to ${listed(capability.patterns.map(nameText))}`;
    case "BackgroundReevaluation":
      return `wake up by itself every ${capability.min_interval_secs} s${capability.allow_reasoning ? ", and ask its model" : ""}`;
    case "CredentialAccess":
      return `use the credentials of ${listed(capability.services)}`;
    case "MemoryAccess":
      return `read and write ${listed(capability.scopes.map(keysText))} of the shared memory`;
    case "SchedulerAccess":
      return "have work done at times that it names";
    case "EmergencyStop":
      return "stop everything";
  }
}
