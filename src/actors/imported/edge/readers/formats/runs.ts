/** Traces of LangSmith, Langfuse and OpenAI's Agents SDK as spans: what follows from spans is said once, for all of them. */
import type { Json } from "../../../../../machines/letter.ts";
import {
  type Fields,
  fieldOf,
  idOf,
  isEmpty,
  listOf,
  mapOf,
  mapsIn,
  numberOf,
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

function spanOf({ trace, id, parent, name, start, end, error, attributes }: Run): Span {
  const startMs = timeOf(start);
  return {
    ...{ trace, id, parent, name, startMs, endMs: timeOf(end), error },
    startNs: nanosOf(start, startMs),
    attributes: Object.fromEntries(
      Object.entries(attributes).filter(([, value]) => !isEmpty(value)),
    ),
    ...{ events: [], resource: {}, status: error === null ? null : "error" },
  };
}

/** Runs that began within one millisecond keep their order. */
function nanosOf(written: Json, ms: number | null): string | null {
  if (ms === null || ms < 0) return null;
  const [, fraction = ""] = typeof written === "string" ? (/[.,](\d+)/.exec(written) ?? []) : [];
  const below = fraction.padEnd(9, "0").slice(3, 9);
  return `${ms}${/^\d{6}$/.test(below) ? below : "000000"}`;
}

const usageOf = (fields: Fields): Fields => {
  const usage = usageIn(fields);
  return usage === null
    ? {}
    : {
        "gen_ai.usage.input_tokens": usage.promptTokens,
        "gen_ai.usage.output_tokens": usage.answerTokens,
      };
};

// LangSmith

export function isLangsmith(value: Json): boolean {
  const list = listOf(value) ?? listOf(mapOf(value)?.["runs"]) ?? [value];
  return mapsIn(list).some(
    (run) => textOf(run["run_type"]) !== null && mapOf(run["inputs"]) !== null,
  );
}

export function langsmithSpans(value: Json): readonly SpanOrFault[] {
  const list = listOf(value) ?? listOf(mapOf(value)?.["runs"]);
  if (list !== null) return list.flatMap(langsmithSpans);
  const run = mapOf(value);
  if (run === null || textOf(run["run_type"]) === null)
    return [{ fault: "a value that is no run" }];
  const children = listOf(run["child_runs"]) ?? [];
  return [spanOf(langsmithRun(run)), ...children.flatMap(langsmithSpans)];
}

function langsmithRun(run: Fields): Run {
  const inputs = mapOf(run["inputs"]) ?? {};
  const outputs = mapOf(run["outputs"]) ?? {};
  const kind = textOf(run["run_type"]) ?? "chain";
  const name = textOf(run["name"]) ?? kind;
  const extra = mapOf(run["extra"]) ?? {};
  const metadata = mapOf(extra["metadata"]) ?? {};
  const parent = idOf(run["parent_run_id"]);
  const thread = idOf(fieldOf(metadata, ["session_id", "thread_id", "conversation_id"]));
  const common: Fields = { "session.id": thread };
  const base = {
    ...{
      trace: idOf(run["trace_id"]) ?? (parent === null ? idOf(run["id"]) : null),
      id: idOf(run["id"]),
      parent,
      name,
    },
    ...{
      start: run["start_time"] ?? null,
      end: run["end_time"] ?? null,
      error: textOf(run["error"]),
    },
  };
  if (kind === "tool") {
    const output = fieldOf(outputs, ["output"]) ?? (isEmpty(outputs) ? null : outputs);
    const message = mapOf(mapOf(output)?.["kwargs"]) ?? mapOf(output);
    const isMessage = message !== null && Object.hasOwn(message, "tool_call_id");
    const isError = isMessage && message["status"] === "error";
    const result = isMessage ? (message["content"] ?? null) : output;
    return {
      ...base,
      error: base.error ?? (isError ? (textOf(result) ?? "it says that it failed") : null),
      attributes: {
        ...{ ...common, "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name },
        "gen_ai.tool.call.arguments": onlyInput(inputs),
        "gen_ai.tool.call.result": result,
        "gen_ai.tool.call.id": isMessage ? (message["tool_call_id"] ?? null) : null,
      },
    };
  }
  if (kind === "llm") {
    const asked = mapOf(extra["invocation_params"]) ?? {};
    const answers = generations(outputs);
    const usage = mapOf(mapOf(mapsIn(answers)[0]?.["kwargs"])?.["usage_metadata"]);
    return {
      ...base,
      attributes: {
        ...{ ...common, "gen_ai.operation.name": "chat" },
        "gen_ai.request.model":
          fieldOf(asked, ["model", "model_name"]) ?? metadata["ls_model_name"] ?? null,
        "gen_ai.input.messages":
          listedIn(inputs["messages"] ?? null) ??
          textsOf(inputs["prompts"] ?? inputs["prompt"] ?? null) ??
          inputs,
        "gen_ai.output.messages": answers,
        "gen_ai.tool.definitions": asked["tools"] ?? inputs["tools"] ?? null,
        ...usageOf(usage ?? mapOf(mapOf(outputs["llm_output"])?.["token_usage"]) ?? outputs),
      },
    };
  }
  const agent = textOf(metadata["lc_agent_name"]) ?? (parent === null ? name : null);
  const isAgent = agent !== null;
  return {
    ...base,
    attributes: {
      ...{ ...common, run_type: kind, inputs, outputs },
      ...(isAgent && { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": agent }),
    },
  };
}

const onlyInput = (inputs: Fields): Json =>
  Object.keys(inputs).length === 1 && typeof inputs["input"] === "string"
    ? within(inputs["input"].replaceAll("'", '"'))
    : inputs;

/** A list of messages, or the only one of a list of such lists. */
function listedIn(value: Json): Json {
  const list = listOf(value);
  return list !== null && listOf(list[0]) !== null
    ? list.flatMap((one) => listOf(one) ?? [])
    : list === null
      ? null
      : [...list];
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
  return mapOf(one) !== null
    ? [one]
    : textOf(one) === null
      ? []
      : [{ role: "assistant", content: one }];
}

// OpenAI's Agents SDK

export function isOpenaiAgents(value: Json): boolean {
  const list = listOf(value) ?? listOf(mapOf(value)?.["data"]) ?? [value];
  return mapsIn(list).some(({ object }) => object === "trace.span" || object === "trace");
}

export function openaiAgentsSpans(value: Json): readonly SpanOrFault[] {
  const list = listOf(value) ?? listOf(mapOf(value)?.["data"]);
  if (list !== null) return list.flatMap(openaiAgentsSpans);
  const fields = mapOf(value) ?? {};
  // The trace itself says no more than how it is called.
  if (fields["object"] === "trace") return [];
  const data = mapOf(fields["span_data"]);
  if (data === null) return [{ fault: "a value that is no span" }];
  const kind = textOf(data["type"]) ?? "custom";
  const failed = mapOf(fields["error"]);
  const detail = failed === null ? null : textOf(mapOf(failed["data"])?.["error"]);
  const error =
    failed === null
      ? null
      : [textOf(failed["message"]), detail].filter((one) => one !== null).join(": ");
  const run: Run = {
    ...{
      trace: idOf(fields["trace_id"]),
      id: idOf(fields["id"]),
      parent: idOf(fields["parent_id"]),
    },
    ...{
      name: textOf(data["name"]) ?? kind,
      start: fields["started_at"] ?? null,
      end: fields["ended_at"] ?? null,
    },
    ...{ error, attributes: agentsAttributes(kind, data) },
  };
  const isBare = kind === "response" && isEmpty(data["input"]) && isEmpty(data["output"]);
  const fault = `an answer of a model, ${idOf(data["response_id"]) ?? "without an id"}, of which the SDK exports no more than that`;
  return [spanOf(run), ...(isBare ? [{ fault }] : [])];
}

function agentsAttributes(kind: string, data: Fields): Fields {
  const usage = usageOf(mapOf(data["usage"]) ?? {});
  const { type: _, name, input, output, ...rest } = data;
  switch (kind) {
    case "agent":
      return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": name ?? null,
        ...rest,
      };
    case "generation":
    case "response":
      return {
        ...{ "gen_ai.operation.name": "chat", "gen_ai.request.model": data["model"] ?? null },
        ...{
          "gen_ai.input.messages": input ?? null,
          "gen_ai.output.messages": output ?? mapOf(data["response"])?.["output"] ?? null,
        },
        ...usage,
      };
    case "function":
      return {
        ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name ?? "unknown" },
        ...{
          "gen_ai.tool.call.arguments": input ?? null,
          "gen_ai.tool.call.result": output ?? null,
        },
      };
    default:
      return {
        kind,
        ...rest,
        ...(input !== undefined && { input }),
        ...(output !== undefined && { output }),
      };
  }
}

// Langfuse

const OBSERVATIONS =
  /^(SPAN|GENERATION|EVENT|AGENT|TOOL|CHAIN|RETRIEVER|EVALUATOR|EMBEDDING|GUARDRAIL)$/;

const isObservation = (fields: Fields): boolean =>
  OBSERVATIONS.test(textOf(fields["type"]) ?? "") &&
  fieldOf(fields, ["startTime", "start_time"]) !== null;

export function isLangfuse(value: Json): boolean {
  const list = listOf(value) ?? listOf(mapOf(value)?.["data"]) ?? [value];
  return mapsIn(list).some(
    (one) => isObservation(one) || mapsIn(listOf(one["observations"]) ?? []).some(isObservation),
  );
}

export function langfuseSpans(value: Json): readonly SpanOrFault[] {
  const list = listOf(value) ?? listOf(mapOf(value)?.["data"]);
  if (list !== null) return list.flatMap(langfuseSpans);
  const fields = mapOf(value) ?? {};
  const inner = listOf(fields["observations"]);
  if (inner === null)
    return isObservation(fields)
      ? [spanOf(langfuseRun(fields, null, null))]
      : [{ fault: "a value that is no observation" }];
  const id = idOf(fields["id"]);
  const { observations: _, id: _id, sessionId, session_id, ...rest } = fields;
  const session = idOf(sessionId ?? session_id ?? null);
  const root = spanOf({
    ...{
      trace: id,
      id: id === null ? null : `trace ${id}`,
      parent: null,
      name: textOf(fields["name"]) ?? "trace",
    },
    ...{ start: fields["timestamp"] ?? fields["createdAt"] ?? null, end: null, error: null },
    attributes: { "gen_ai.operation.name": "invoke_agent", "session.id": session, ...rest },
  });
  return [
    root,
    ...inner.map(
      (one): SpanOrFault =>
        mapOf(one) === null
          ? { fault: "an observation that is no object" }
          : spanOf(langfuseRun(mapOf(one) ?? {}, id, session)),
    ),
  ];
}

function langfuseRun(fields: Fields, trace: string | null, session: string | null): Run {
  const kind = textOf(fields["type"]) ?? "SPAN";
  const name = textOf(fields["name"]) ?? kind.toLowerCase();
  const input = within(fields["input"] ?? null);
  const output = within(fields["output"] ?? null);
  const told = textOf(fieldOf(fields, ["statusMessage", "status_message"]));
  const error = fields["level"] === "ERROR" ? (told ?? "it says that it failed") : null;
  const usage = mapOf(fieldOf(fields, ["usageDetails", "usage_details", "usage"])) ?? {};
  const counts = usageIn(usage) ?? {
    promptTokens: numberOf(usage["input"]),
    answerTokens: numberOf(usage["output"]),
  };
  const base = {
    ...{
      trace: trace ?? idOf(fieldOf(fields, ["traceId", "trace_id"])),
      id: idOf(fields["id"]),
      name,
      error,
    },
    parent:
      idOf(fieldOf(fields, ["parentObservationId", "parent_observation_id"])) ??
      (trace === null ? null : `trace ${trace}`),
    ...{
      start: fieldOf(fields, ["startTime", "start_time"]),
      end: fieldOf(fields, ["endTime", "end_time"]),
    },
  };
  const common: Fields = {
    "session.id": session ?? idOf(fieldOf(fields, ["sessionId", "session_id"])),
  };
  if (kind === "TOOL") {
    const call = idOf(mapOf(output)?.["tool_call_id"]);
    const result = call === null ? output : (mapOf(output)?.["content"] ?? null);
    return {
      ...base,
      attributes: {
        ...common,
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.call.arguments": input,
        "gen_ai.tool.call.result": result,
        "gen_ai.tool.call.id": call,
      },
    };
  }
  if (kind === "GENERATION") {
    const { messages, tools } = mapOf(input) ?? {};
    return {
      ...base,
      attributes: {
        ...{
          ...common,
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": fieldOf(fields, [
            "model",
            "providedModelName",
            "provided_model_name",
          ]),
        },
        ...{
          "gen_ai.input.messages": messages ?? input,
          "gen_ai.output.messages":
            listOf(mapOf(output)?.["choices"]) === null ? output : generations(mapOf(output) ?? {}),
        },
        ...{
          "gen_ai.tool.definitions": tools ?? null,
          "gen_ai.usage.input_tokens": counts.promptTokens,
          "gen_ai.usage.output_tokens": counts.answerTokens,
        },
      },
    };
  }
  const isAgent = kind === "AGENT";
  return {
    ...base,
    attributes: {
      ...common,
      kind,
      input,
      output,
      level: fields["level"] ?? null,
      metadata: fields["metadata"] ?? null,
      ...(isAgent && { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name }),
    },
  };
}
