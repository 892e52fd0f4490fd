/** Logs to import, a line at a time: the same for the same number, about a kilobyte each. */

/** About 700 characters of words, which differ from line to line. */
function words(number: number): string {
  const some: string[] = [];
  let state = number * 2_654_435_761 + 1;
  for (let index = 0; index < 110; index++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    some.push(WORDS[state % WORDS.length] as string);
  }
  return some.join(" ");
}

const WORDS =
  "agent writes a file to disk then reads it back and finds nothing there so it asks again whether tool said yes".split(
    " ",
  );
const START_MS = 1_700_000_000_000;

type LineOf = (number: number) => object;

/** In fours: asked, called, returned, answered. */
const message =
  (called: (id: string) => object, returned: (id: string, text: string) => object): LineOf =>
  (number) => {
    const id = `call_${Math.floor(number / 4)}`;
    const text = words(number);
    if (number % 4 === 0) return { role: "user", content: text };
    if (number % 4 === 1) return called(id);
    return number % 4 === 2 ? returned(id, text) : { role: "assistant", content: text };
  };

const openai = message(
  (id) => ({
    role: "assistant",
    content: null,
    tool_calls: [
      {
        id,
        type: "function",
        function: { name: "look", arguments: JSON.stringify({ at: id, why: words(1) }) },
      },
    ],
  }),
  (id, text) => ({ role: "tool", tool_call_id: id, content: text }),
);
const anthropic = message(
  (id) => ({
    role: "assistant",
    content: [{ type: "tool_use", id, name: "look", input: { at: id, why: words(1) } }],
  }),
  (id, text) => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content: text }],
  }),
);
const ollama = message(
  (id) => ({
    role: "assistant",
    content: "",
    tool_calls: [{ function: { name: "look", arguments: { at: id, why: words(1) } } }],
  }),
  (_, text) => ({ role: "tool", tool_name: "look", content: text }),
);

const attributesOf = (fields: { readonly [key: string]: string }) =>
  Object.entries(fields).map(([key, stringValue]) => ({ key, value: { stringValue } }));

/** Spans of traces of twenty, each block of a hundred backwards. */
function span(number: number): object {
  const at = Math.floor(number / 100) * 100 + 99 - (number % 100);
  const time = (ms: number) => `${START_MS + ms}000000`;
  const isTool = at % 2 === 1;
  const told: { readonly [key: string]: string } = isTool
    ? {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "look",
        "gen_ai.tool.call.arguments": '{"at":1}',
        "gen_ai.tool.call.result": words(at),
      }
    : {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.input.messages": JSON.stringify([
          { role: "user", parts: [{ type: "text", content: words(at) }] },
        ]),
      };
  const one = {
    traceId: Math.floor(at / 20)
      .toString(16)
      .padStart(32, "0"),
    spanId: at.toString(16).padStart(16, "0"),
    name: isTool ? "execute_tool look" : "chat m",
    startTimeUnixNano: time(at * 10),
    endTimeUnixNano: time(at * 10 + 5),
    attributes: attributesOf(told),
  };
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ "service.name": "bench" }) },
        scopeSpans: [{ spans: [one] }],
      },
    ],
  };
}

export const LINES: { readonly [format: string]: LineOf } = {
  openai,
  anthropic,
  ollama,
  episodes: (number) => ({
    task_id: number,
    reward: number % 2,
    messages: [
      { role: "user", content: words(number) },
      { role: "assistant", content: "Done." },
    ],
  }),
  exchanges: (number) => ({
    request: { model: "m", messages: [{ role: "user", content: words(number) }] },
    response: {
      model: "m",
      created: START_MS / 1000 + number,
      choices: [{ message: { role: "assistant", content: "Done." } }],
    },
  }),
  speakers: (number) => ({ speaker: `agent${number % 7}`, text: words(number) }),
  otlp: span,
  mapped: (number) => ({
    ts: START_MS + number,
    who: `agent${number % 7}`,
    session: `s${number % 50}`,
    msg: words(number),
  }),
  hollow: (number) => ({
    step_id: `s${number}`,
    agent_id: "cedar",
    goal_id: `g${number % 90}`,
    execution_id: `e${number}`,
    capability_id: "fs_write",
    execution_result: { ok: true, text: words(number) },
    execution_status: "success",
    timestamp: START_MS / 1000 + number,
  }),
};

/** How lines of `mapped` are read. */
export const MAP = { time: "ts", speaker: "who", log: "session", text: "msg" };
