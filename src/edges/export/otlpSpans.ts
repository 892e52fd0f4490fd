/**
 * A run as an export request of OpenTelemetry in JSON: spans of the GenAI conventions for questions to models and for calls of tools,
 * below one span for each agent. Source: OTLP, and OpenTelemetry's semantic conventions for generative AI.
 */
import type { ToolCalled, ToolReturned } from "../../contract/trace.ts";
import { factReader } from "../../findings/findIn.ts";
import type { Json } from "../../machines/letter.ts";
import type { ModelCall } from "../../run/modelCalls.ts";
import { sha256Hex } from "../../substrate/digest.ts";
import { isEvent } from "../../substrate/isEvent.ts";
import type { ExportedRun } from "./exportedRun.ts";

interface Span {
  /** Unique within the run. */
  readonly key: string;
  readonly name: string;
  readonly agent: string;
  /** Virtual milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly error?: string | null;
  readonly attributes: { readonly [name: string]: string };
}

/** The file, piece by piece. A question or a call without an end is no span. */
export function* otlpSpans(run: ExportedRun): Generator<string> {
  const trace = sha256Hex(`${run.name} ${run.deliveries.at(-1)?.digest ?? ""}`).slice(0, 32);
  const resource = { attributes: attributesOf({ "service.name": `ghostlight ${run.name}` }) };
  const agents = new Map<string, readonly [fromMs: number, toMs: number]>();
  const written = (span: Span, parent?: string): string =>
    JSON.stringify(spanOf(span, { trace, parent, startsAtMs: run.startsAtMs }));
  yield `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":{"name":"ghostlight"},"spans":[`;
  let comma = "\n";
  for (const span of spansIn(run)) {
    const { agent, fromMs, toMs } = span;
    const [from, to] = agents.get(agent) ?? [fromMs, toMs];
    agents.set(agent, [Math.min(from, fromMs), Math.max(to, toMs)]);
    yield `${comma}${written(span, agentKey(agent))}`;
    comma = ",\n";
  }
  for (const [agent, [fromMs, toMs]] of agents) {
    const attributes = spoken("invoke_agent", agent);
    const span = { key: agentKey(agent), name: `invoke_agent ${agent}`, agent, fromMs, toMs };
    yield `${comma}${written({ ...span, attributes })}`;
    comma = ",\n";
  }
  yield "\n]}]}]}\n";
}

const agentKey = (agent: string): string => `agent ${agent}`;

/** In the order in which they end. */
function* spansIn({ parts, deliveries, calls }: ExportedRun): Generator<Span> {
  const factsOf = factReader(parts);
  const open = new Map<number, ToolCalled>();
  const asked = new Map<number, number>();
  for (const delivery of deliveries) {
    const { seq, dueMs, re } = delivery;
    if (isEvent(delivery, "llm.asked")) asked.set(seq, dueMs);
    const fromMs = asked.get(re ?? -1);
    if (
      fromMs !== undefined &&
      (isEvent(delivery, "llm.replied") || isEvent(delivery, "llm.failed"))
    ) {
      const call = calls.get(seq);
      if (call !== undefined) yield modelSpan(call, fromMs, dueMs);
    }
    for (const fact of factsOf(delivery)) {
      if (fact.is === "called") open.set(fact.seq, fact);
      const call = fact.is === "returned" ? open.get(fact.call) : undefined;
      if (fact.is === "returned" && call !== undefined) yield toolSpan(call, fact);
    }
  }
}

const spoken = (operation: string, agent: string) => ({
  "gen_ai.operation.name": operation,
  "gen_ai.agent.name": agent,
});

function modelSpan(call: ModelCall, fromMs: number, toMs: number): Span {
  const { seq, from, purpose, prompt, answer, error } = call;
  const agent = from.replace(/^agent\//, "");
  const said = (role: string, text: string | null) =>
    JSON.stringify(text === null ? [] : [{ role, parts: [{ type: "text", content: text }] }]);
  return {
    ...{ key: `model ${seq}`, name: `chat ${purpose}`, agent, fromMs, toMs, error },
    attributes: {
      ...spoken("chat", agent),
      "gen_ai.input.messages": said("user", prompt),
      "gen_ai.output.messages": said("assistant", answer),
    },
  };
}

function toolSpan(call: ToolCalled, { atMs, ok, error, result }: ToolReturned): Span {
  const { agent, seq, intent, args, atMs: fromMs } = call;
  const tool = call.tool ?? intent ?? "unknown";
  return {
    ...{ key: `tool ${seq}`, name: `execute_tool ${tool}`, agent, fromMs, toMs: atMs },
    error: ok === false ? (error ?? "") : error,
    attributes: {
      ...spoken("execute_tool", agent),
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": `call-${seq}`,
      "gen_ai.tool.call.arguments": JSON.stringify(args ?? {}),
      "gen_ai.tool.call.result": JSON.stringify(result),
    },
  };
}

const OK = 1;
const ERROR = 2;
/** Of a span within one process. */
const INTERNAL = 1;

function spanOf(
  { key, name, fromMs, toMs, error = null, attributes }: Span,
  known: {
    readonly trace: string;
    readonly parent: string | undefined;
    readonly startsAtMs: number;
  },
): Json {
  const ns = (ms: number): string => `${BigInt(known.startsAtMs + ms) * 1_000_000n}`;
  return {
    ...{ traceId: known.trace, spanId: idOf(key), name, kind: INTERNAL },
    ...(known.parent !== undefined && { parentSpanId: idOf(known.parent) }),
    ...{ startTimeUnixNano: ns(fromMs), endTimeUnixNano: ns(toMs) },
    attributes: attributesOf(attributes),
    status: error === null ? { code: OK } : { code: ERROR, message: error },
  };
}

const idOf = (key: string): string => sha256Hex(key).slice(0, 16);

const attributesOf = (attributes: { readonly [name: string]: string }): Json =>
  Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } }));
