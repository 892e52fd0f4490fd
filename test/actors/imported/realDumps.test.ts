// Logs as the software development kits of providers and frameworks write them.
import { expect, it } from "vitest";
import { brief, fileOf, gathered, lines, recordsOf } from "./gathered.ts";

const told = async (...values: unknown[]) => {
  const { logs, formats, unread } = await gathered([fileOf("api.jsonl", lines(values))]);
  return {
    logs: [...logs.values()].map((all) =>
      all.map((one): { readonly [field: string]: unknown } => ({ ...brief(one) })),
    ),
    formats: [...formats.values()],
    unread,
  };
};

const response = (id: string, output: object[], more: object = {}) => ({
  ...{ id, object: "response", created_at: 1_700_000_000, status: "completed", model: "m" },
  ...{ output, ...more },
});

it("[IM4] a request of OpenAI's Responses goes on with the response that it names", async () => {
  const call = { type: "function_call", id: "f", call_id: "c1", name: "look", arguments: "{}" };
  const result = { type: "function_call_output", call_id: "c1", output: "14 C" };
  const text = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "14." }],
  };
  const { logs, unread } = await told(
    { request: { model: "m", input: "How warm?" }, response: response("r1", [call]) },
    {
      request: { model: "m", input: [result], previous_response_id: "r1" },
      response: response("r2", [text]),
    },
  );

  expect(unread).toEqual([]);
  expect(logs.map((all) => all.map(({ kind }) => kind))).toEqual([
    ["said", "called", "returned", "said"],
  ]);
});

it("[IM1] items of a response that have a type alone are no speakers", async () => {
  const search = {
    type: "web_search_call",
    id: "w",
    status: "completed",
    action: { type: "search" },
  };
  const text = {
    type: "message",
    role: "assistant",
    content: [{ type: "output_text", text: "14." }],
  };
  const { format } = await recordsOf(JSON.stringify(response("r1", [search, text])));

  expect(format).toBe("openai");
});

it("[IM3] an answer that did not end of its own accord is noted with the reason", async () => {
  const asked = { model: "m", messages: [{ role: "user", content: "Tell." }] };
  const answered = (finish_reason: string) => ({
    choices: [{ message: { role: "assistant", content: "Once" }, finish_reason }],
  });
  const { logs } = await told(
    { request: asked, response: answered("length") },
    { request: asked, response: answered("stop") },
  );

  expect(logs[0]?.at(-1)).toMatchObject({ kind: "noted", what: "answer ended", data: "length" });
  expect(logs[1]?.at(-1)).toMatchObject({ kind: "said" });
});

it("[IM3] results that a message begins with come before its words", async () => {
  const use = { type: "tool_use", id: "u", name: "look", input: {} };
  const { logs } = await told(
    { role: "assistant", content: [use] },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: "u", content: "nothing" },
        { type: "text", text: "Go on." },
      ],
    },
  );

  expect(logs[0]?.map(({ kind }) => kind)).toEqual(["called", "returned", "said"]);
});

it("[IM4] a system prompt is told once, wherever it is to be cached", async () => {
  const system = (more: object) => [{ type: "text", text: "Be kind.", ...more }];
  const user = { role: "user", content: "Hi" };
  const answer = { role: "assistant", content: [{ type: "text", text: "Yes?" }] };
  const given = { type: "message", ...answer, stop_reason: "end_turn" };
  const { logs } = await told(
    {
      request: {
        model: "m",
        system: system({ cache_control: { type: "ephemeral" } }),
        messages: [user],
      },
      response: given,
    },
    {
      request: {
        model: "m",
        system: system({}),
        messages: [user, answer, { role: "user", content: "So?" }],
      },
      response: given,
    },
  );

  expect(logs[0]?.filter(({ role }) => role === "system")).toHaveLength(1);
});

it("[IM6] a speaker by the name of a role has that role", async () => {
  const { logs, formats } = await told(
    { source: "user", type: "TextMessage", content: "How warm?" },
    { source: "Ann", type: "TextMessage", content: "14 degrees." },
  );

  expect(formats).toEqual(["autogen"]);
  expect(logs[0]).toMatchObject([{ role: "user" }, { role: "agent", speaker: "Ann" }]);
});
