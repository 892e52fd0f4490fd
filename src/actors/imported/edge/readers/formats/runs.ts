/** Traces of LangSmith, Langfuse and OpenAI's Agents SDK as spans: what follows from spans is said once, for all of them. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Usage } from "../../../record.ts";
import {
  eitherOf,
  type Fields,
  fieldOf,
  idIn,
  idOf,
  isEmpty,
  listIn,
  listOf,
  mapIn,
  mapOf,
  mapsIn,
  numberOf,
  restIn,
  textOf,
} from "../fields.ts";
import { usageIn } from "../messageFields.ts";
import type { Span, SpanOrFault } from "../otlp/export.ts";
import { within } from "../otlp/spanMessages.ts";
import { timeOf } from "../time.ts";

interface Run {
  readonly trace: string | null;
  readonly id: string | null;
  readonly parent: string | null;
  readonly name: string;
  readonly start: Json;
  readonly end: Json;
  readonly error: string | null;
  readonly attributes: Fields;
}

function spanOf({ start, end, attributes, ...run }: Run): Span {
  const startMs = timeOf(start);
  return {
    ...{ ...run, startMs, endMs: timeOf(end), startNs: nanosOf(start, startMs) },
    attributes: restIn(attributes),
    ...{ events: [], resource: {}, status: run.error === null ? null : "error" },
  };
}

/** Of what failed and gives no reason. */
const UNTOLD_REASON = "it says that it failed";

/** Runs that began within one millisecond keep their order. */
function nanosOf(written: Json, ms: number | null): string | null {
  if (ms === null || ms < 0) return null;
  const [, fraction = ""] = typeof written === "string" ? (/[.,](\d+)/.exec(written) ?? []) : [];
  const below = fraction.padEnd(9, "0").slice(3, 9);
  return `${ms}${/^\d{6}$/.test(below) ? below : "000000"}`;
}

/** A call of a tool, in OpenTelemetry's names. */
const toolCall = (name: Json, args: Json, result: Json, id: Json = null): Fields => ({
  "gen_ai.operation.name": "execute_tool",
  "gen_ai.tool.name": name,
  "gen_ai.tool.call.arguments": args,
  "gen_ai.tool.call.result": result,
  "gen_ai.tool.call.id": id,
});

interface Asked {
  readonly model: Json;
  readonly input: Json;
  readonly output: Json;
  readonly tools: Json;
  readonly usage: Usage | null;
}

/** A request to a model. */
const modelCall = ({ model, input, output, tools, usage }: Asked): Fields => ({
  "gen_ai.operation.name": "chat",
  "gen_ai.request.model": model,
  "gen_ai.input.messages": input,
  "gen_ai.output.messages": output,
  "gen_ai.tool.definitions": tools,
  "gen_ai.usage.input_tokens": usage?.promptTokens ?? null,
  "gen_ai.usage.output_tokens": usage?.answerTokens ?? null,
});

const agentRun = (name: Json): Fields => ({
  "gen_ai.operation.name": "invoke_agent",
  "gen_ai.agent.name": name,
});

/** A list of them, alone or under a name, or else the one that the value is. */
const listed = (value: Json, name: string): readonly Json[] | null =>
  listOf(value) ?? listOf(mapIn(value)[name]);

// LangSmith

export const isLangsmith = (value: Json): boolean =>
  mapsIn(listed(value, "runs") ?? [value]).some(
    (run) => textOf(run["run_type"]) !== null && mapOf(run["inputs"]) !== null,
  );

export function langsmithSpans(value: Json): readonly SpanOrFault[] {
  const list = listed(value, "runs");
  if (list !== null) return list.flatMap(langsmithSpans);
  const run = mapIn(value);
  if (textOf(run["run_type"]) === null) return [{ fault: "a value that is no run" }];
  return [spanOf(langsmithRun(run)), ...listIn(run["child_runs"]).flatMap(langsmithSpans)];
}

function langsmithRun(run: Fields): Run {
  const inputs = mapIn(run["inputs"]);
  const outputs = mapIn(run["outputs"]);
  const kind = textOf(run["run_type"]) ?? "chain";
  const name = textOf(run["name"]) ?? kind;
  const extra = mapIn(run["extra"]);
  const metadata = mapIn(extra["metadata"]);
  const parent = idOf(run["parent_run_id"]);
  const common = { "session.id": idIn(metadata, "session_id", "thread_id", "conversation_id") };
  const base = {
    trace: idOf(run["trace_id"]) ?? (parent === null ? idOf(run["id"]) : null),
    ...{ id: idOf(run["id"]), parent, name, error: textOf(run["error"]) },
    ...{ start: run["start_time"] ?? null, end: run["end_time"] ?? null },
  };
  if (kind === "tool") {
    const output = fieldOf(outputs, ["output"]) ?? (isEmpty(outputs) ? null : outputs);
    const message = mapOf(mapIn(output)["kwargs"]) ?? mapOf(output);
    const isMessage = message !== null && Object.hasOwn(message, "tool_call_id");
    const isError = isMessage && message["status"] === "error";
    const result = isMessage ? (message["content"] ?? null) : output;
    const call = isMessage ? (message["tool_call_id"] ?? null) : null;
    return {
      ...base,
      error: base.error ?? (isError ? (textOf(result) ?? UNTOLD_REASON) : null),
      attributes: { ...common, ...toolCall(name, onlyInput(inputs), result, call) },
    };
  }
  if (kind === "llm") {
    const asked = mapIn(extra["invocation_params"]);
    const output = [...generations(outputs)];
    const usage = mapOf(mapIn(mapsIn(output)[0]?.["kwargs"])["usage_metadata"]);
    const said = textsOf(inputs["prompts"] ?? inputs["prompt"] ?? null);
    const model = fieldOf(asked, ["model", "model_name"]) ?? metadata["ls_model_name"] ?? null;
    const input = listedIn(inputs["messages"] ?? null) ?? said ?? inputs;
    const tools = asked["tools"] ?? inputs["tools"] ?? null;
    const counts = usage ?? mapOf(mapIn(outputs["llm_output"])["token_usage"]) ?? outputs;
    const call = modelCall({ model, input, output, tools, usage: usageIn(counts) });
    return { ...base, attributes: { ...common, ...call } };
  }
  const agent = textOf(metadata["lc_agent_name"]) ?? (parent === null ? name : null);
  const own = agent === null ? {} : agentRun(agent);
  return { ...base, attributes: { ...common, run_type: kind, inputs, outputs, ...own } };
}

const onlyInput = (inputs: Fields): Json =>
  Object.keys(inputs).length === 1 && typeof inputs["input"] === "string"
    ? within(inputs["input"].replaceAll("'", '"'))
    : inputs;

/** A list of messages, or the only one of a list of such lists. */
function listedIn(value: Json): Json {
  const list = listOf(value);
  return list !== null && listOf(list[0]) !== null ? list.flatMap(listIn) : (list as Json);
}

const textsOf = (value: Json): Json => {
  const list = listOf(value) ?? (typeof value === "string" ? [value] : null);
  return list === null ? null : list.map((content) => ({ role: "user", content }));
};

/** What a model answered, as LangChain keeps it, or as a client's own response. */
function generations(outputs: Fields): readonly Json[] {
  const all = listOf(outputs["generations"]);
  if (all !== null) {
    return mapsIn(all.flatMap((one) => listOf(one) ?? [one])).map(
      ({ message = null, text = null }): Json => message ?? { role: "assistant", content: text },
    );
  }
  const choices = listOf(outputs["choices"]);
  if (choices !== null) return mapsIn(choices).map(({ message = null }) => message);
  const one = fieldOf(outputs, ["message", "output", "content"]);
  if (typeof outputs["role"] === "string") return [outputs];
  const list = listOf(outputs["messages"] ?? one);
  if (list !== null) return list;
  if (mapOf(one) !== null) return [one];
  return textOf(one) === null ? [] : [{ role: "assistant", content: one }];
}

// OpenAI's Agents SDK

export const isOpenaiAgents = (value: Json): boolean =>
  mapsIn(listed(value, "data") ?? [value]).some(
    ({ object }) => object === "trace.span" || object === "trace",
  );

export function openaiAgentsSpans(value: Json): readonly SpanOrFault[] {
  const list = listed(value, "data");
  if (list !== null) return list.flatMap(openaiAgentsSpans);
  const fields = mapIn(value);
  // The trace itself says no more than how it is called.
  if (fields["object"] === "trace") return [];
  const data = mapOf(fields["span_data"]);
  if (data === null) return [{ fault: "a value that is no span" }];
  const kind = textOf(data["type"]) ?? "custom";
  const failed = mapOf(fields["error"]);
  const said = [textOf(failed?.["message"]), textOf(mapIn(failed?.["data"])["error"])];
  const span = spanOf({
    ...{
      trace: idOf(fields["trace_id"]),
      id: idOf(fields["id"]),
      parent: idOf(fields["parent_id"]),
    },
    ...{ name: textOf(data["name"]) ?? kind, attributes: agentsAttributes(kind, data) },
    ...{ start: fields["started_at"] ?? null, end: fields["ended_at"] ?? null },
    error: failed === null ? null : said.filter((one) => one !== null).join(": "),
  });
  const isBare = kind === "response" && isEmpty(data["input"]) && isEmpty(data["output"]);
  const fault = `an answer of a model, ${idOf(data["response_id"]) ?? "without an id"}, of which the SDK exports no more than that`;
  return [span, ...(isBare ? [{ fault }] : [])];
}

function agentsAttributes(kind: string, data: Fields): Fields {
  const { type: _, name = null, input = null, output = null, ...rest } = data;
  if (kind === "agent") return { ...agentRun(name), ...rest };
  if (kind === "function") return toolCall(name ?? "unknown", input, output);
  if (kind !== "generation" && kind !== "response") return { kind, ...rest, input, output };
  const usage = usageIn(mapIn(data["usage"]));
  const answer = output ?? mapIn(data["response"])["output"] ?? null;
  return modelCall({ model: data["model"] ?? null, input, output: answer, tools: null, usage });
}

// Langfuse

const OBSERVATIONS =
  /^(SPAN|GENERATION|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)$/;

const isObservation = (fields: Fields): boolean =>
  OBSERVATIONS.test(textOf(fields["type"]) ?? "") &&
  fieldOf(fields, ["startTime", "start_time"]) !== null;

export const isLangfuse = (value: Json): boolean =>
  mapsIn(listed(value, "data") ?? [value]).some(
    (one) => isObservation(one) || mapsIn(one["observations"]).some(isObservation),
  );

export function langfuseSpans(value: Json): readonly SpanOrFault[] {
  const list = listed(value, "data");
  if (list !== null) return list.flatMap(langfuseSpans);
  const fields = mapIn(value);
  const inner = listOf(fields["observations"]);
  if (inner === null)
    return isObservation(fields)
      ? [spanOf(langfuseRun(fields, null, null))]
      : [{ fault: "a value that is no observation" }];
  const id = idOf(fields["id"]);
  const { observations: _, id: _id, sessionId, session_id, ...rest } = fields;
  const session = idOf(sessionId ?? session_id ?? null);
  const root = spanOf({
    ...{ trace: id, id: id === null ? null : `trace ${id}`, parent: null, error: null },
    ...{ name: textOf(fields["name"]) ?? "trace", end: null },
    start: fields["timestamp"] ?? fields["createdAt"] ?? null,
    attributes: { "gen_ai.operation.name": "invoke_agent", "session.id": session, ...rest },
  });
  const spans = inner.map((one): SpanOrFault => {
    const own = mapOf(one);
    if (own === null) return { fault: "an observation that is no object" };
    return spanOf(langfuseRun(own, id, session));
  });
  return [root, ...spans];
}

function langfuseRun(fields: Fields, trace: string | null, session: string | null): Run {
  const kind = textOf(fields["type"]) ?? "SPAN";
  const name = textOf(fields["name"]) ?? kind.toLowerCase();
  const said = textOf(eitherOf(fields, "statusMessage"));
  const run = {
    ...{ trace: trace ?? idOf(eitherOf(fields, "traceId")), id: idOf(fields["id"]), name },
    parent:
      idOf(eitherOf(fields, "parentObservationId")) ?? (trace === null ? null : `trace ${trace}`),
    ...{ start: eitherOf(fields, "startTime"), end: eitherOf(fields, "endTime") },
    error: fields["level"] === "ERROR" ? (said ?? UNTOLD_REASON) : null,
  };
  const common = { "session.id": session ?? idOf(eitherOf(fields, "sessionId")) };
  return { ...run, attributes: { ...common, ...langfuseAttributes(fields, kind, name) } };
}

function langfuseAttributes(fields: Fields, kind: string, name: string): Fields {
  const input = within(fields["input"] ?? null);
  const output = within(fields["output"] ?? null);
  if (kind === "TOOL") {
    const call = idOf(mapIn(output)["tool_call_id"]);
    const result = call === null ? output : (mapIn(output)["content"] ?? null);
    return toolCall(name, input, result, call);
  }
  if (kind === "GENERATION") {
    const usage = mapIn(eitherOf(fields, "usageDetails", "usage"));
    const { messages, tools = null } = mapIn(input);
    const isChoices = listOf(mapIn(output)["choices"]) !== null;
    return modelCall({
      model: eitherOf(fields, "model", "providedModelName"),
      ...{ input: messages ?? input, tools },
      output: isChoices ? [...generations(mapIn(output))] : output,
      usage: usageIn(usage) ?? {
        promptTokens: numberOf(usage["input"]),
        answerTokens: numberOf(usage["output"]),
      },
    });
  }
  const { level = null, metadata = null } = fields;
  const own = kind === "AGENT" ? agentRun(name) : {};
  return { kind, input, output, level, metadata, ...own };
}
