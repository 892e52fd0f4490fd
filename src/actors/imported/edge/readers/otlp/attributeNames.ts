/**
 * Names of OpenTelemetry's GenAI attributes and events, current and previous, of OpenLLMetry's (`traceloop.*`, `llm.*`) and of
 * OpenInference's. A test holds those of OpenTelemetry against its own package, `@opentelemetry/semantic-conventions`.
 */

/** The first that a span has counts. */
export const NAMES = {
  operation: ["gen_ai.operation.name"],
  spanKind: ["openinference.span.kind", "traceloop.span.kind", "llm.request.type"],
  provider: ["gen_ai.provider.name", "gen_ai.system", "llm.system", "llm.vendor", "llm.provider"],
  model: [
    "gen_ai.response.model",
    "gen_ai.request.model",
    "llm.response.model",
    "llm.request.model",
    "llm.model_name",
  ],
  conversation: [
    "gen_ai.conversation.id",
    "session.id",
    "traceloop.association.properties.session_id",
  ],
  agent: ["gen_ai.agent.name", "agent.name", "llm.agent.name"],
  agentId: ["gen_ai.agent.id"],
  input: ["gen_ai.input.messages", "gen_ai.prompt"],
  output: ["gen_ai.output.messages", "gen_ai.completion"],
  system: ["gen_ai.system_instructions"],
  tools: ["gen_ai.tool.definitions", "llm.request.functions", "llm.tools"],
  tool: ["gen_ai.tool.name", "tool.name", "tool_call.function.name"],
  toolDescription: ["gen_ai.tool.description", "tool.description"],
  call: ["gen_ai.tool.call.id", "tool_call.id", "tool.id"],
  args: [
    "gen_ai.tool.call.arguments",
    "tool_call.function.arguments",
    "tool.parameters",
    "traceloop.entity.input",
    "input.value",
  ],
  result: ["gen_ai.tool.call.result", "traceloop.entity.output", "output.value"],
  promptTokens: [
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.prompt_tokens",
    "llm.usage.prompt_tokens",
    "llm.token_count.prompt",
  ],
  answerTokens: [
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.completion_tokens",
    "llm.usage.completion_tokens",
    "llm.token_count.completion",
  ],
} as const satisfies { readonly [what: string]: readonly string[] };

/** Messages of which each field is an attribute of its own: `gen_ai.prompt.0.content`. */
export const NUMBERED = {
  input: ["gen_ai.prompt", "llm.prompts", "llm.input_messages"],
  output: ["gen_ai.completion", "llm.completions", "llm.output_messages"],
  tools: ["llm.request.functions", "llm.tools", "gen_ai.request.functions"],
} as const;

export const OPERATIONS = {
  model: ["chat", "text_completion", "generate_content", "completion", "LLM", "llm"],
  tool: ["execute_tool", "tool", "TOOL"],
  agent: ["invoke_agent", "create_agent", "agent", "AGENT"],
} as const;

/** Events of a span that are a message each, and who speaks in it. */
export const MESSAGE_EVENTS: ReadonlyMap<string, "system" | "user" | "assistant" | "tool"> =
  new Map([
    ["gen_ai.system.message", "system"],
    ["gen_ai.user.message", "user"],
    ["gen_ai.assistant.message", "assistant"],
    ["gen_ai.tool.message", "tool"],
  ]);

export const CHOICE_EVENT = "gen_ai.choice";

/** Events whose attributes hold messages as those of a span do. */
export const DETAIL_EVENTS: readonly string[] = [
  "gen_ai.client.inference.operation.details",
  "gen_ai.content.prompt",
  "gen_ai.content.completion",
];

/** What is read into records, or says nothing of what happened. */
export const UNTOLD: ReadonlySet<string> = new Set<string>([
  ...Object.values(NAMES).flat(),
  "gen_ai.response.id",
  "gen_ai.response.finish_reasons",
  "gen_ai.tool.type",
  "gen_ai.usage.total_tokens",
  "llm.usage.total_tokens",
  "llm.token_count.total",
  "server.address",
  "server.port",
  "error.type",
]);

/** Of a tool's span alone: elsewhere they say what a step was given and gave. */
export const TOOLS_OWN: ReadonlySet<string> = new Set<string>([
  "traceloop.entity.input",
  "input.value",
  "traceloop.entity.output",
  "output.value",
  "tool.parameters",
]);
