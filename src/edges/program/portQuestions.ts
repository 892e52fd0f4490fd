/** What a program is asked, made of the letter that came to its port; and the letter of its answer. */

import { nobodyDecides } from "../../actors/synt/scriptedSynt.ts";
import { answerFormat } from "../../machines/answerSchemas.ts";
import type { Json, MailEvent } from "../../machines/letter.ts";
import { isSyntPurpose, promptText } from "../../machines/promptText.ts";
import type { PortReply, PortRequest, Usage } from "../../substrate/port.ts";
import { wholeVector } from "../ollama/embed.ts";
import { createdIn } from "../shell/shellPort.ts";
import type { ChatAnswer, PortAnswerOf, PortName, PortRequestOf } from "./portContracts.ts";

interface Translation<P extends PortName> {
  /** The facts of the question, beside what every question says of itself. */
  facts(event: MailEvent, purpose: string): object;
  /** What the asking actor hears. Null: nobody answers, and a time-out decides. */
  reply(answer: PortAnswerOf<P>, request: PortRequest): Omit<PortReply, "latencyMs"> | null;
  /** What it hears when there is no answer; absent where a port knows no failure. */
  failure?(error: string): MailEvent;
}

const nullable = (value: unknown): unknown => value ?? null;

export const translations: { readonly [P in PortName]: Translation<P> } = {
  "port/llm.chat": {
    facts: (event, purpose) => ({
      prompt: promptText(event),
      schema: nullable(answerFormat(purpose)),
      maxTokens: nullable(event["maxTokens"]),
      tier: nullable(event["tier"]),
      view: nullable(event["view"]),
    }),
    reply: (answer, { purpose }) => chatEvent(answer, purpose),
    failure: (error) => ({ type: "llm.failed", error }),
  },
  "port/llm.embed": {
    facts: ({ texts }) => ({ texts }),
    reply: ({ vectors }, { event }) => {
      const texts = event["texts"] as readonly string[];
      const rows = vectors.map((row, index): [string, number[]] => [
        texts[index] ?? "",
        wholeVector(row),
      ]);
      return { event: { type: "embed.replied", vectors: Object.fromEntries(rows) } };
    },
    // Without vectors nothing is alike: callers know how to bear that.
    failure: () => ({ type: "embed.replied", vectors: {} }),
  },
  "port/sandbox.run": {
    facts: ({ name, code, params, files, limitMs }) => ({
      ...{ name, code, limitMs },
      ...{ params: params ?? {}, files: files ?? {} },
    }),
    reply: (answer) => ({
      event: {
        type: "sandbox.replied",
        timedOut: false,
        isNone: (answer.result ?? null) === null,
        ...answer,
      },
    }),
    failure: (error) => ({ type: "sandbox.replied", ok: false, timedOut: false, error }),
  },
  "port/shell.run": {
    facts: ({ agent, command, cwd, files, mtimesMs, limitMs }) => ({
      ...{ agent, command, cwd, files, mtimesMs, limitMs },
    }),
    reply: (answer, { event }) => ({
      event: {
        type: "shell.replied",
        reads: [],
        ...answer,
        created: createdIn(answer.changed ?? {}, event["files"] as object),
      },
    }),
    failure: (fault) => ({
      ...{ type: "shell.replied", exitCode: 1, stdout: "", stderr: "", reads: [], fault },
    }),
  },
  "port/python.parse": {
    facts: ({ text }) => ({ text }),
    reply: (answer) => ({ event: { type: "python.parsed", ...answer } }),
  },
  "port/tool.call": {
    facts: ({ agent, params }) => ({ agent, params: params ?? {} }),
    reply: (answer) => ({ event: { type: "tool.replied", ...answer } }),
    failure: (error) => ({ type: "tool.replied", ok: false, error }),
  },
  "port/person.decide": {
    facts: ({ request, dossier }) => ({ request: nullable(request), dossier: nullable(dossier) }),
    reply: (answer) =>
      "decision" in answer && answer.decision === "none"
        ? null
        : { event: { type: "person.decided", ...answer } },
  },
  "port/executor.run": {
    facts: ({ name, params }) => ({ name, params: params ?? {} }),
    reply: (answer) => ({ event: { type: "executor.ended", cents: 0, ...answer } }),
    failure: (error) => ({ type: "executor.ended", ok: false, cents: 0, error }),
  },
  "port/sign": {
    facts: ({ text, signature, key }) => ({
      ...{ text, signature: nullable(signature), key: nullable(key) },
    }),
    reply: (answer) => ({
      event: { type: "ok" in answer ? "sign.verified" : "sign.signed", ...answer },
    }),
  },
};

/** Nobody decides, in a world whose clock stands still meanwhile: heard long after its end. */
export const NOBODY_MS = nobodyDecides.latencyMs;

function chatEvent(answer: ChatAnswer, purpose: string): Omit<PortReply, "latencyMs"> {
  const { text, usage } = typeof answer === "string" ? { text: answer } : answer;
  if (usage === undefined) return { event: { type: "llm.replied", text } };
  const { model, promptTokens, answerTokens, stop = "unknown" } = usage;
  const took: Usage = { model, promptTokens, answerTokens, stop, wallMs: 0 };
  const tokens = { asked: promptTokens, answered: answerTokens };
  // Only synt pays for tokens.
  const counted = isSyntPurpose(purpose) ? { tokens } : {};
  return { event: { type: "llm.replied", text, ...counted }, usage: took };
}

/** The question as the program gets it; a copy, so that it can change nothing of the run. */
export function questionOf<P extends PortName>(
  port: P,
  { from, purpose, nth, nowMs, event }: PortRequest,
  signal: AbortSignal,
): PortRequestOf<P> {
  const facts = structuredClone(
    translations[port].facts(event, purpose) as { [fact: string]: Json },
  );
  return { port, from, purpose, nth, nowMs, signal, ...facts } as unknown as PortRequestOf<P>;
}
