// Logs of other systems, as their own programs wrote them: each is read whole.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { errorIn } from "../../../src/actors/imported/errorText.ts";
import type { LogRecord } from "../../../src/actors/imported/record.ts";
import { fileOf, gathered, lines, recordsOf } from "./gathered.ts";

const FOLDER = "test/actors/imported/formats";

/** `said Who: text`, `called Who tool args`, `returned tool: result` or `failed tool: error`. */
function line(record: LogRecord): readonly string[] {
  switch (record.kind) {
    case "said":
      return record.text === "" || record.role === "system"
        ? []
        : [`said ${record.speaker}: ${record.text.split("\n")[0]}`];
    case "called":
      return [`called ${record.agent} ${record.tool} ${JSON.stringify(record.args)}`];
    case "returned": {
      const error = errorIn(record);
      const text = JSON.stringify(error === null ? record.result : error.text).slice(0, 40);
      return [`${error === null ? "returned" : "failed"}: ${text}`];
    }
    default:
      return [];
  }
}

const read = async (name: string) => {
  const { logs, formats, unread } = await gathered([join(FOLDER, name)]);
  return {
    unread: unread.map(({ reason }) => reason),
    formats: [...new Set(formats.values())],
    told: [...logs.values()].flatMap((records) => records.flatMap(line)),
  };
};

const QUESTION = "When is the grocer open, and the bakery?";

/** The same conversation, whoever wrote it: two notes are looked for, and the second is not there. */
const notes = (user: string, first: string, second: string, result: string, error: string) => [
  `said ${user}: ${QUESTION}`,
  `called ${first} find_note {"query":"grocer"}`,
  `returned: ${result}`,
  `called ${second} find_note {"query":"bakery"}`,
  `failed: ${error}`,
  `said ${second}: The bakery is open.`,
];
const NOTE = '"Grocer: Monday closed"';
const NONE = '"no such note: bakery"';
const HANDED = [
  'called Clerk transfer_to_agent {"agent_name":"Baker"}',
  'returned: {"result":null}',
];
const inAdk = notes("user", "Clerk", "Baker", '{"result":"Grocer: Monday closed"}', NONE);
const inGemini = notes("user", "model", "model", '{"result":"Grocer: Monday closed"}', NONE);
const inInspect = [
  `said user: ${QUESTION}`,
  "said assistant: tool call for tool find_note",
  'called assistant find_note {"query":"grocer"}',
  `returned: ${NOTE}`,
  "said assistant: tool call for tool find_note",
  'called assistant find_note {"query":"bakery"}',
  `failed: ${NONE}`,
  "said assistant: tool call for tool submit",
  'called assistant submit {"answer":"The bakery is open."}',
  'returned: "The bakery is open."',
];
const inLangchain = [
  "said human: When is the grocer open?",
  'called ai find_note {"query":"grocer"}',
  `returned: ${NOTE}`,
  "said ai: I look for the bakery.",
  'called ai find_note {"query":"bakery"}',
  `failed: ${NONE}`,
  "said ai: The bakery is open.",
];
const mended = (said: readonly string[], result: string) => [
  "said user: List nowhere.",
  "said assistant: I list.",
  'called assistant bash {"command":"ls /nowhere"}',
  `failed: ${result}`,
  ...said,
  'called assistant bash {"command":"echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT; echo fixed"}',
];
const RETURN_CODE = JSON.stringify("<returncode>2</returncode>\n<output>\nls: cannot access").slice(
  0,
  40,
);

const FILES: readonly (readonly [file: string, format: string, told: readonly string[]])[] = [
  ["adk-events.jsonl", "adk", [...inAdk.slice(0, 3), ...HANDED, ...inAdk.slice(3)]],
  ["adk-session.json", "adk", [...inAdk.slice(0, 3), ...HANDED, ...inAdk.slice(3)]],
  [
    "autogen.json",
    "autogen",
    notes("user", "Clerk", "Baker", NOTE, NONE).toSpliced(
      3,
      0,
      "said Clerk: The grocer is closed on Monday.",
    ),
  ],
  ["gemini-python.json", "gemini", inGemini],
  ["gemini-rest.jsonl", "gemini", inGemini],
  ["inspect.eval", "inspect", inInspect],
  ["inspect.json", "inspect", inInspect],
  ["langchain-dict.json", "langchain", inLangchain],
  ["langchain-dumpd.json", "langchain", inLangchain],
  ["langchain-flat.json", "langchain", inLangchain],
  [
    "langsmith.jsonl",
    "langsmith",
    notes(
      "human",
      "Clerk",
      "Clerk",
      NOTE,
      JSON.stringify("ValueError('no such note: bakery')Traceback").slice(0, 40),
    ),
  ],
  [
    "mcp.jsonl",
    "mcp",
    [
      'called clerk find_note {"query":"grocer"}',
      `returned: ${NOTE}`,
      'called clerk find_note {"query":"bakery"}',
      `failed: ${NONE}`,
      "called clerk lose_note {}",
      'failed: "MCP error -32602: Tool lose_note not fo',
      'called clerk resources/read {"uri":"note://x"}',
      'failed: "Method not found"',
    ],
  ],
  ["mini-swe-agent-text.json", "mini-swe-agent", mended(["said assistant: Done."], RETURN_CODE)],
  ["mini-swe-agent-tools.json", "mini-swe-agent", mended([], RETURN_CODE)],
  [
    "openai-agents.jsonl",
    "openai-agents",
    [
      `said user: ${QUESTION}`,
      'called Clerk find_note {"query":"grocer"}',
      `returned: ${NOTE}`,
      "called Clerk transfer_to_baker {}",
      // Each agent is told its own history.
      `said user: ${QUESTION}`,
      'returned: "{\\"assistant\\": \\"Baker\\"}"',
      "said Baker: The bakery is open.",
    ],
  ],
  [
    "vercel-model-messages.json",
    "vercel",
    notes(
      "user",
      "assistant",
      "assistant",
      '{"hours":"Monday closed"}',
      '"Error: no such note: bakery"',
    ).flatMap((one) => (one.startsWith("called") ? ["said assistant: I look.", one] : [one])),
  ],
  [
    "vercel-ui-messages.json",
    "vercel",
    notes(
      "user",
      "assistant",
      "assistant",
      '{"hours":"Monday closed"}',
      '"Error: no such note: bakery"',
    ).toSpliced(1, 0, "said assistant: I look."),
  ],
  [
    "claude-code.jsonl",
    "claude-code",
    [
      "said user: When is the bakery open?",
      "said assistant: I read the notes.",
      'called assistant Read {"file_path":"/work/notes.md"}',
      'failed: "<tool_use_error>File does not exist.</t',
      'called assistant Task {"description":"find","prompt":"Find the hours.","subagent_type":"Explore"}',
      "said assistant: Find the hours.",
      'called agent-a1b2 Grep {"pattern":"bakery"}',
      'returned: "No matches found"',
      "said agent-a1b2: There are no hours.",
      'returned: "There are no hours."',
      "said assistant: The bakery is open.",
    ],
  ],
  [
    "codex.jsonl",
    "codex",
    [
      "said user: List nowhere.",
      'called assistant shell {"command":["bash","-lc","ls /nowhere"]}',
      "failed: \"ls: cannot access '/nowhere': No such f",
      "called assistant apply_patch null",
      'failed: "Exit code: 1\\nWall time: 0 seconds\\nOut',
      'called assistant exec_command {"cmd":"pwd"}',
      'returned: "Chunk ID: f9\\nWall time: 0.0000 seconds',
      "said assistant: Nowhere is listed.",
    ],
  ],
  [
    "langfuse.json",
    "langfuse",
    [
      "said user: When is the bakery open?",
      'called Clerk find_note {"query":"bakery"}',
      `failed: ${NONE}`,
      "said Clerk: The bakery is open.",
    ],
  ],
  [
    "openhands.json",
    "openhands",
    [
      "said user: List nowhere.",
      "said agent: I list it.",
      'called agent execute_bash {"command":"ls /nowhere","is_input":false,"blocking":false}',
      "failed: \"ls: cannot access '/nowhere': No such f",
      "said agent: Nowhere is listed.",
    ],
  ],
  [
    "openhands-sdk.jsonl",
    "openhands",
    [
      "said user: List nowhere.",
      "said agent: I list it.",
      'called agent terminal {"command":"ls /nowhere"}',
      "failed: \"ls: cannot access '/nowhere'\"",
      "said agent: Nowhere is listed.",
    ],
  ],
  [
    "swe-agent.traj",
    "swe-agent",
    [
      "said user: List nowhere.",
      "said main: I list it.",
      'called main shell {"command":"ls /nowhere"}',
      "returned: \"ls: cannot access '/nowhere': No such f",
      "said main: Done.",
      'called main shell {"command":"submit"}',
      'returned: "diff --git a/x b/x"',
    ],
  ],
];

it.each(FILES)("[IM20] %s is read whole, as %s", async (file, format, told) => {
  expect(await read(file)).toEqual({ unread: [], formats: [format], told });
});

/** What those files do not hold: who did it and whether it failed all the same. `judged` and `noted error` are told too. */
const RARER: readonly (readonly [
  of: string,
  values: readonly object[],
  told: readonly string[],
])[] = [
  [
    "ADK tells pieces of a stream once, and an error as one",
    [
      { author: "Clerk", invocationId: "i", partial: true, content: { parts: [{ text: "The" }] } },
      { author: "Clerk", invocationId: "i", content: { parts: [{ text: "The bakery." }] } },
      { author: "Clerk", invocationId: "i", errorCode: "SAFETY" },
    ],
    ["said Clerk: The bakery.", "noted error"],
  ],
  [
    "Gemini's code that failed",
    [
      {
        role: "model",
        parts: [
          { executableCode: { code: "stop()" } },
          { codeExecutionResult: { outcome: "OUTCOME_FAILED", output: "stopped" } },
        ],
      },
    ],
    ['called model code_execution {"code":"stop()"}', 'failed: "stopped"'],
  ],
  [
    "AutoGen's code that left another exit code than 0",
    [
      {
        ...{ type: "CodeExecutionEvent", source: "Clerk", content: "" },
        result: { output: "stopped", exit_code: 3 },
      },
    ],
    ["called Clerk run_code null", 'failed: "stopped"'],
  ],
  [
    "the AI SDK's tools of any name, and a call that was denied",
    [
      {
        role: "assistant",
        parts: [
          {
            ...{ type: "dynamic-tool", toolName: "look", toolCallId: "a", input: { at: 1 } },
            ...{ state: "output-available", output: "a note" },
          },
        ],
      },
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "b", toolName: "ask", input: {} }],
      },
      {
        role: "tool",
        content: [
          {
            ...{ type: "tool-result", toolCallId: "b", toolName: "ask" },
            output: { type: "execution-denied", reason: "not now" },
          },
        ],
      },
    ],
    [
      'called assistant look {"at":1}',
      'returned: "a note"',
      "called assistant ask {}",
      'failed: "not now"',
    ],
  ],
  [
    "LangChain's call that stands in the content too, and one whose arguments are no JSON",
    [
      {
        ...{ type: "ai", additional_kwargs: {} },
        content: [{ type: "tool_call", id: "a", name: "look", args: { at: 1 } }],
        tool_calls: [{ id: "a", name: "look", args: { at: 1 } }],
        invalid_tool_calls: [{ id: "b", name: "ask", args: "{" }],
      },
    ],
    ['called ai look {"at":1}', "called ai ask null"],
  ],
  [
    "the agent that a sample's event names, and a score of no answer",
    [
      {
        ...{ id: 1, epoch: 1, messages: [{ role: "user", content: "Look." }] },
        events: [
          {
            ...{ event: "tool", id: "a", function: "look", agent: "Baker" },
            ...{ arguments: { at: 1 }, result: "a note" },
          },
        ],
        scores: { match: { value: "N" } },
      },
    ],
    ["said user: Look.", 'called Baker look {"at":1}', 'returned: "a note"', "judged 0"],
  ],
  [
    "Codex's results that say so, as a word or as the exit code of a shell",
    [
      '{"output":"no note","success":false}',
      "Wall time: 1 s\nProcess exited with code 3\n",
    ].flatMap((output, at) => [
      {
        type: "response_item",
        payload: { type: "function_call", call_id: `${at}`, name: "look", arguments: "{}" },
      },
      {
        type: "response_item",
        payload: { type: "function_call_output", call_id: `${at}`, output },
      },
    ]),
    [
      "called assistant look {}",
      'failed: "no note"',
      "called assistant look {}",
      `failed: ${JSON.stringify("Wall time: 1 s\nProcess exited with code 3").slice(0, 40)}`,
    ],
  ],
  [
    "what Claude Code itself writes is no word of a person",
    [
      {
        ...{ sessionId: "s", uuid: "a", type: "user", isMeta: true },
        message: { role: "user", content: "Caveat." },
      },
      {
        ...{ sessionId: "s", uuid: "b", type: "user" },
        message: { role: "user", content: "Look." },
      },
    ],
    ["said user: Look."],
  ],
  [
    "what stands beside the result of a call of a helper is no word of its caller",
    [
      {
        ...{ sessionId: "s", uuid: "a", type: "assistant", isSidechain: true },
        message: {
          role: "assistant",
          content: [{ type: "tool_use", id: "c", name: "look", input: {} }],
        },
      },
      {
        ...{ sessionId: "s", uuid: "b", type: "user", isSidechain: true },
        message: {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c", content: "a note" },
            { type: "text", text: "Mind." },
          ],
        },
      },
    ],
    ["called agent-sidechain look {}", 'returned: "a note"', "said user: Mind."],
  ],
];

it.each(RARER)("[IM20] who did it and whether it failed is told: %s", async (_, values, told) => {
  const { records, unread } = await recordsOf(lines(values), "x.jsonl");
  const rows = records.flatMap((one) => {
    if (one.kind === "judged") return [`judged ${one.reward}`];
    return one.kind === "noted" && one.what === "error" ? ["noted error"] : line(one);
  });

  expect({ unread, rows }).toEqual({ unread: [], rows: told });
});

it("[IM21] a file that fits two formats is read as the first, and says so", async () => {
  const text = ["claude-code.jsonl", "codex.jsonl"]
    .map((name) => readFileSync(join(FOLDER, name), "utf8"))
    .join("");
  const { format, unread } = await recordsOf(text, "both.jsonl");

  expect(format).toBe("claude-code");
  expect(unread[0]).toContain("fits two formats, claude-code (value 3) and codex (value 16)");
});

it("[IM21] what a Claude Code file has of no such line is unread, and helpers count their own tokens", async () => {
  const { records } = await recordsOf(
    readFileSync(join(FOLDER, "claude-code.jsonl"), "utf8"),
    "x.jsonl",
  );
  const tokens = records.flatMap((one) =>
    one.kind === "said" && one.usage !== null ? [one.speaker] : [],
  );

  // An answer of several lines says what it cost in each of them.
  expect(tokens).toEqual(["assistant", "assistant", "agent-a1b2", "agent-a1b2", "assistant"]);
});

it("[IM22] an archive is read member by member", async () => {
  const whole = readFileSync(join(FOLDER, "inspect.eval"));
  const { logs, unread } = await gathered([fileOf("whole.eval", whole)]);

  expect(unread).toEqual([]);
  expect(logs.size).toBeGreaterThan(0);
});

it("[IM22] an archive that is broken, and a member that does not unpack, are unread", async () => {
  const whole = readFileSync(join(FOLDER, "inspect.eval"));
  const torn = await gathered([fileOf("torn.eval", whole.subarray(0, whole.length - 30))]);
  const bent = Buffer.from(whole);
  bent.fill(0, 3_000, 3_400);
  const broken = await gathered([fileOf("bent.eval", bent)]);

  expect(torn.unread.map(({ reason }) => reason)).toEqual([
    "no log: an archive whose directory is broken or absent",
  ]);
  expect(broken.unread[0]?.reason).toMatch(/cannot be taken out of the archive|no JSON/);
  expect(broken.logs.size).toBe(0);
});

it("[IM21] an answer of the Agents SDK of which only the id is exported is unread", async () => {
  const span = {
    ...{ object: "trace.span", id: "s", trace_id: "t", started_at: "2026-01-02T03:04:05Z" },
    span_data: { type: "response", response_id: "resp_1" },
  };
  const { unread } = await recordsOf(lines([span]), "spans.jsonl");

  expect(unread[0]).toContain("resp_1, of which the SDK exports no more");
});
