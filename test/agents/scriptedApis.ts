// A server with the APIs of models: in each, `write_file` is called once, and then all is said to be done.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { streamOf } from "../../src/actors/imported/edge/wire/streamed.ts";
import type { Json } from "../../src/machines/letter.ts";

export interface ScriptedApis {
  readonly variables: { readonly [name: string]: string };
  readonly asked: () => number;
  close(): Promise<void>;
}

interface Asked {
  readonly stream?: boolean;
  readonly messages?: readonly object[];
  readonly input?: readonly object[] | string;
  readonly tools?: readonly object[];
}

const ARGS = { path: "out.txt", text: "hello" };
const DONE = "Done: hello stands in out.txt.";
const usage = { prompt_tokens: 50, completion_tokens: 9, total_tokens: 59 };

/** In chat completions; an agent that answers by a tool is answered by it. */
function completion({ tools = [] }: Asked, isDone: boolean): Json {
  const call = (name: string, args: object): Json => ({
    ...{ id: isDone ? "call_2" : "call_1", type: "function" },
    function: { name, arguments: JSON.stringify(args) },
  });
  const answersByTool = JSON.stringify(tools).includes('"final_answer"');
  const calls = isDone
    ? answersByTool
      ? [call("final_answer", { answer: DONE })]
      : []
    : [call("write_file", ARGS)];
  const message = {
    role: "assistant",
    content: calls.length > 0 ? null : DONE,
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choice = {
    index: 0,
    message,
    finish_reason: calls.length > 0 ? "tool_calls" : "stop",
    logprobs: null,
  };
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "scripted",
    choices: [choice],
    usage,
  };
}

function response({ tools = [] }: Asked, isDone: boolean): Json {
  const item = isDone
    ? {
        type: "message",
        id: "msg_2",
        role: "assistant",
        status: "completed",
        content: [{ type: "output_text", text: DONE, annotations: [] }],
      }
    : {
        type: "function_call",
        id: "fc_1",
        call_id: "call_1",
        name: "write_file",
        arguments: JSON.stringify(ARGS),
        status: "completed",
      };
  return {
    ...{
      id: `resp_${isDone ? 2 : 1}`,
      object: "response",
      created_at: 1,
      status: "completed",
      model: "scripted",
    },
    ...{
      output: [item],
      parallel_tool_calls: true,
      tool_choice: "auto",
      tools: tools as unknown as Json,
    },
    ...{
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      temperature: 1,
      top_p: 1,
    },
    usage: {
      ...{ input_tokens: 50, output_tokens: 9, total_tokens: 59 },
      ...{
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    },
  };
}

const message = (isDone: boolean): Json => ({
  ...{ id: "msg", type: "message", role: "assistant", model: "scripted", stop_sequence: null },
  content: isDone
    ? [{ type: "text", text: DONE }]
    : [{ type: "tool_use", id: "toolu_1", name: "write_file", input: ARGS }],
  stop_reason: isDone ? "end_turn" : "tool_use",
  usage: { input_tokens: 50, output_tokens: 9 },
});

export async function scriptedApis(): Promise<ScriptedApis> {
  let asked = 0;
  const server = createServer(async (request, reply) => {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const path = (request.url ?? "").replace(/\?.*/, "");
    const given = JSON.parse(text || "{}") as Asked;
    asked += 1;
    const isDone = /"role":"tool"|"tool_result"|"function_call_output"|wrote 5 characters/.test(
      text,
    );
    const body = path.endsWith("/responses")
      ? response(given, isDone)
      : path.endsWith("/messages")
        ? message(isDone)
        : completion(given, isDone);
    reply.writeHead(200, {
      "content-type": given.stream ? "text/event-stream" : "application/json",
    });
    reply.end(given.stream ? streamOf(body) : JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  return {
    // Of no value anywhere: the SDKs want one.
    variables: {
      OPENAI_BASE_URL: `${base}/v1`,
      ANTHROPIC_BASE_URL: base,
      OPENAI_API_KEY: "none",
      ANTHROPIC_API_KEY: "none",
    },
    asked: () => asked,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
