import { describe, expect, it } from "vitest";
import { builtins } from "../../../../src/machines/agents/engine/builtins.ts";
import {
  type Described,
  routerLeaves,
  type Scored,
  scoreLexical,
  topMatch,
} from "../../../../src/machines/agents/engine/router.ts";

const policy = { k1: routerLeaves.k1.default, b: routerLeaves.b.default };

/** The names are the source's; the descriptions are ours. */
const synthesized: readonly Described[] = Object.entries({
  context_synthesizer:
    "Condenses recent observations into a bounded context block for the next prompt.",
  ground_physical_structure:
    "Maps abstract claims onto measured host facts such as mounts, devices and block sizes.",
  raw_fd_reader:
    "Dumps bytes from an open descriptor number as hexadecimal with offsets, without buffering.",
  raw_io_verifier:
    "Compares two byte buffers around an input/output round trip and locates the first mismatch.",
  raw_io_verify:
    "Checks that an input/output round trip kept length and checksum, answering true or false.",
  synthesize_mock_state:
    "Generates a deterministic mock agent from a seed, with beliefs and counters, for rehearsals.",
  synthetics_verify_registry:
    "Verifies that each registered capability has both a specification and an implementation.",
  unicode_corruption_verifier:
    "Detects replacement characters, lone surrogates and mojibake in a string.",
  validate_capability_registry_gaps:
    "Enumerates capability names that agents asked for but the registry lacks.",
}).map(([name, description]) => ({ name, description }));

const registry: readonly Described[] = [...builtins, ...synthesized];
const ghost = { name: "safe_file_executor", description: "secure file write operations" };
const haunted: readonly Described[] = [...registry, ghost];

const best = (intent: string, entries: readonly Described[]) =>
  topMatch(scoreLexical(intent, entries, policy))?.name;

const scoreOf = (name: string, scored: readonly Scored[]) =>
  scored.find((candidate) => candidate.name === name)?.score ?? Number.NaN;

/** What cedar and cipher ask for. */
const writing = [
  "write file",
  "file write",
  "write the plan to a file",
  "save the report with a file write",
  "file write of the state snapshot",
  "write results file",
  "write the summary into a file",
  "write state to a file",
  "write my goal plan to disk",
  "write the journal entry to a file in the workspace",
  "write down the findings in a file",
  "file write: current hypotheses",
  "write the validated output file",
  "write an analysis file for the peers",
  "write the lesson to a new file",
  "write notes.md",
  "write the report",
  "perform a secure file write",
];

/** What no ghost about writing may take. */
const otherIntents: Readonly<Record<string, readonly string[]>> = {
  fs_read: [
    "read file",
    "read a file",
    "read the notes",
    "read the plan file",
    "read the file contents",
    "read contents at the path",
    "read the contents of the report",
    "read back the state file",
    "read the peer file",
    "open and read the journal",
  ],
  fs_edit: [
    "edit the file",
    "edit the file in place",
    "edit one line of the file",
    "edit the plan",
    "in-place edit of the notes",
    "edit in place the status text",
    "edit in place: replace the heading text",
    "apply an in-place edit replacing text",
    "replace the old text in the report",
    "replace the first match of the heading with other text",
  ],
  fs_list: [
    "list directory",
    "list the directory entries",
    "list entries of the workspace",
    "list the files in the workspace directory",
  ],
  memory_set: ["set a value under a memory key", "set a memory key to the outcome"],
  memory_get: ["get the value of a memory key", "get a memory value", "get the memory key"],
};
const others = Object.entries(otherIntents).flatMap(([name, intents]) =>
  intents.map((intent) => ({ intent, name })),
);

describe("the safe_file_executor incident", () => {
  it.each(writing)("[T14] the ghost takes “%s” from fs_write", (intent) => {
    expect(best(intent, registry)).toBe("fs_write");

    const scored = scoreLexical(intent, haunted, policy);

    expect(topMatch(scored)?.name).toBe("safe_file_executor");
    const margin = scoreOf("safe_file_executor", scored) / scoreOf("fs_write", scored);
    expect(margin).toBeGreaterThan(1.5);
  });

  it.each(others)("[T14] “$intent” goes to $name, ghost or not", ({ intent, name }) => {
    expect(best(intent, registry)).toBe(name);
    expect(best(intent, haunted)).toBe(name);
  });

  it.each(writing)("[T14] “%s” returns to fs_write once the ghost is skipped", (intent) => {
    const scored = scoreLexical(intent, haunted, policy);

    expect(topMatch(scored, ["safe_file_executor"])?.name).toBe("fs_write");
  });

  it("[T14] an intent in the manual's words escapes the ghost", () => {
    expect(best("write content to path", haunted)).toBe("fs_write");
    expect(best("write bytes to a file path", haunted)).toBe("fs_write");
  });

  it("[T14] shared words are all it sees: “save my plan” matches nothing", () => {
    expect(best("save my plan", haunted)).toBeUndefined();
  });
});

/** What an agent may say when it wants each of them, all of them being there. */
const intentsOfAll: Readonly<Record<string, readonly string[]>> = {
  fs_read: ["read the file contents", "read the notes", "open and read the journal"],
  fs_write: ["write the plan to a file", "write file", "save the report with a file write"],
  fs_edit: [
    "edit the file in place",
    "replace the old text in the report",
    "edit one line of the file",
  ],
  fs_list: [
    "list the directory entries",
    "list the files in the workspace directory",
    "list directory",
  ],
  memory_set: [
    "set a memory key to the outcome",
    "set a value under a memory key",
    "set the key in shared memory",
  ],
  memory_get: ["get the value of a memory key", "get the memory key", "get a memory value"],
  synthesize_capability: [
    "synthesize a capability",
    "synthesize a new tool in Python",
    "create a new capability with a Python implementation",
    "deploy a new tool",
    "build a new tool that counts words",
    "make a new capability for the agents",
  ],
  retire_capability: [
    "retire a capability",
    "retire the broken tool",
    "unregister the tool",
    "archive the old capability",
    "retire the ghost capability",
  ],
  shell_exec: [
    "run a shell command",
    "execute a command",
    "execute ls in the shell",
    "execute a shell pipeline",
    "grep with a shell command",
    "use the shell to count lines",
  ],
  ollama_chat: [
    "ask the local model a question",
    "chat with the model",
    "generate a summary with the model",
    "ask the model to summarize the notes",
    "prompt the model for ideas",
  ],
  propose_change: [
    "propose a change to the system",
    "submit a proposal for review",
    "propose a change for human approval",
    "ask a human to approve a change",
  ],
  invoke_claude: [
    "invoke Claude",
    "ask Claude for help",
    "request help from the external assistant",
  ],
  research_topic: [
    "research a topic on the web",
    "search the web",
    "search Wikipedia for statecharts",
    "look up the topic on the web",
  ],
  message_send: [
    "send a message to cipher",
    "send cedar a message",
    "message another agent",
    "send a note to the other agent",
  ],
};
const pinned = Object.entries(intentsOfAll).flatMap(([name, intents]) =>
  intents.map((intent) => ({ intent, name })),
);

describe("all builtins together", () => {
  it("[T14] every builtin has intents of its own", () => {
    expect(Object.keys(intentsOfAll)).toEqual(builtins.map(({ name }) => name));
    expect(Object.values(intentsOfAll).every((intents) => intents.length >= 3)).toBe(true);
    expect(pinned.length).toBeGreaterThanOrEqual(40);
  });

  it.each(pinned)("[T14] “$intent” goes to $name", ({ intent, name }) => {
    expect(best(intent, builtins)).toBe(name);
  });

  it("[T14] a world of files and memory only routes among those", () => {
    const few = builtins.slice(0, 6);

    for (const { intent, name } of pinned.slice(0, 18)) expect(best(intent, few)).toBe(name);
    expect(best("send cedar a message", few)).toBeUndefined();
  });
});
