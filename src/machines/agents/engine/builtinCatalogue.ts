/**
 * What the engine's own capabilities say about themselves: the text the router scores. Terse and
 * technical, as manual pages are, and that is how a plainer description can outscore them.
 *
 * Source: ours; the wording of no real system is copied.
 */
import type { Described } from "./router.ts";

/** In the order of registration, which decides between equal scores. The first six are of files and memory only. */
export const builtinDescriptions: readonly Described[] = [
  {
    name: "fs_read",
    description:
      "POSIX read(2) on a regular file: opens path O_RDONLY, returns contents as UTF-8 and size.",
  },
  {
    name: "fs_write",
    description:
      "POSIX write(2) to a regular file at path, O_TRUNC: content as UTF-8, creates parent " +
      "directories, returns bytes_written.",
  },
  {
    name: "fs_edit",
    description:
      "In-place edit of a regular file at path: replaces the first exact match of a text by another " +
      "text, returns the number of replacements.",
  },
  {
    name: "fs_list",
    description: "POSIX readdir(3): lists directory entries at path with name, type and size.",
  },
  {
    name: "memory_set",
    description: "Sets key to a JSON value in shared memory, replacing what the key held.",
  },
  {
    name: "memory_get",
    description: "Gets the JSON value of key from shared memory, or null when the key is unset.",
  },
  {
    name: "synthesize_capability",
    description:
      "Synthesizes a capability: validates a Python implementation, deploys it under name as a new " +
      "tool, hot-reloads the engine.",
  },
  {
    name: "retire_capability",
    description: "Retires a capability by name: unregisters the tool, archives its spec and code.",
  },
  {
    name: "shell_exec",
    description:
      "Executes a shell command line, sh -c, with pipes; returns exit_code, stdout and stderr.",
  },
  {
    name: "ollama_chat",
    description:
      "Single-turn chat completion by the local Ollama model: prompt in, generated response out; " +
      "for summaries, questions and reasoning.",
  },
  {
    name: "propose_change",
    description:
      "Submits a proposal for a change to the system for human review and approval; returns status and id.",
  },
  {
    name: "invoke_claude",
    description:
      "Invokes Claude, the external assistant, with a request for help; returns its advice.",
  },
  {
    name: "research_topic",
    description:
      "Researches a topic on the external web: search engines, GitHub, Wikipedia; returns results.",
  },
  {
    name: "message_send",
    description: "Sends a message to the inbox of another agent: recipient, text.",
  },
];
