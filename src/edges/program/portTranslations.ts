/** What a program is asked, made of the letter that came to its port; and the letter of its answer. */

import type { Part } from "../../contract/part.ts";
import { answerFormat, promptText, purposeOf } from "../../contract/purposeTable.ts";
import { defined } from "../../machines/defined.ts";
import type { MailOf } from "../../machines/letter.ts";
import { onceFor } from "../../machines/onceFor.ts";
import { assert } from "../../substrate/assert.ts";
import type { PortReply, PortRequest, Usage } from "../../substrate/port.ts";
import { PortFailed } from "../errors.ts";
import { wholeVector } from "../live/vectors.ts";
import type { PartLists } from "../parts/partLists.ts";
import { createdIn } from "../shell/shellPort.ts";
import { plain } from "./plainJson.ts";
import type {
  BuiltInContracts,
  ChatAnswer,
  EmbedAnswer,
  PortName,
  PortRequestOf,
} from "./portContracts.ts";
import type { AskedBy, PartContracts, Translation } from "./portQuestions.ts";

type EdgeParts = Pick<PartLists, "edgeParts">;

/** The ports of which parts say something. */
export const partPorts = ({ edgeParts }: EdgeParts): readonly string[] => [
  ...new Set(edgeParts.flatMap(({ contracts = {} }) => Object.keys(contracts))),
];

/** What the parts say of their own ports: of one that parts share, the part whose purpose it is; any of them for none. */
export function partContracts({ edgeParts }: EdgeParts, purpose: string | null): PartContracts {
  const said = edgeParts.flatMap(({ contracts = {} }) => Object.entries(contracts));
  const [named, others] = [
    said.filter(([, { purposes }]) => purposes?.some((one) => one === (purpose ?? one))),
    said.filter(([, { purposes }]) => purposes === undefined),
  ];
  return Object.fromEntries([...others, ...named]);
}

/** The caller has checked the name of the port. */
export function translationOf<P extends PortName>(
  lists: PartLists,
  port: P,
  purpose: string | null,
): Translation<P> {
  const all: { readonly [Q in PortName]?: Translation<Q> } = {
    ...partContracts(lists, purpose),
    ...translations(lists.parts),
  };
  const own: Translation<P> | undefined = all[port];
  assert(own !== undefined, `${port} has a contract`);
  return own;
}

type Translations = { readonly [P in keyof BuiltInContracts]: Translation<P> };

const translations = onceFor(
  (parts: readonly Part[]): Translations => ({
    "port/llm.chat": {
      text: (event) => promptText(parts, event),
      question: (asked, event) => ({
        ...asked,
        prompt: promptText(parts, event),
        schema: structuredClone(answerFormat(parts, asked.purpose, event.view)) ?? null,
        maxTokens: event.maxTokens ?? null,
        tier: event.tier ?? null,
        view: plain(event.view),
      }),
      reply: (answer, { purpose }) => chatEvent(parts, answer, purpose),
      failure: (error) => ({ type: "llm.failed", error }),
      choice: "live",
    },
    "port/llm.embed": {
      question: (asked, { texts }) => ({ ...asked, texts }),
      reply: (answer, request) => {
        checkVectors(answer, request);
        const { texts } = request.event;
        const rows = answer.vectors.map((row, index): [string, number[]] => [
          texts[index] ?? "",
          wholeVector(row),
        ]);
        return { event: { type: "embed.replied", vectors: Object.fromEntries(rows) } };
      },
      // Without vectors nothing is alike: callers can handle that.
      failure: () => ({ type: "embed.replied", vectors: {} }),
    },
    "port/sandbox.run": {
      question: (asked, { name, code, limitMs, params = {}, files = {} }) => ({
        ...{ ...asked, name, code, limitMs, params, files },
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
      question: (asked, { agent, command, cwd, files, mtimesMs, limitMs }) => ({
        ...{ ...asked, agent, command, cwd, files, mtimesMs, limitMs },
      }),
      reply: (answer, { event }) => ({
        event: {
          type: "shell.replied",
          reads: [],
          ...answer,
          created: createdIn(answer.changed ?? {}, event.files),
        },
      }),
      failure: (fault) => {
        const nothing = { exitCode: 1, stdout: "", stderr: "", reads: [] };
        return { type: "shell.replied", ...nothing, fault };
      },
    },
    "port/python.parse": {
      question: (asked, { text }) => ({ ...asked, text }),
      reply: (answer) => ({ event: { type: "python.parsed", ...answer } }),
    },
    "port/tool.call": {
      question: (asked, { purpose, agent, params }) => ({ ...asked, purpose, agent, params }),
      reply: (answer) => ({ event: { type: "tool.replied", ...answer } }),
      failure: (error) => ({ type: "tool.replied", ok: false, error }),
      choice: "answer",
    },
  }),
);

function chatEvent(
  parts: readonly Part[],
  answer: ChatAnswer,
  purpose: string,
): Omit<PortReply, "latencyMs"> {
  const { text, usage } = typeof answer === "string" ? { text: answer } : answer;
  if (usage === undefined) return { event: { type: "llm.replied", text } };
  const { model, promptTokens, answerTokens, stop = "unknown" } = usage;
  const took: Usage = { model, promptTokens, answerTokens, stop, wallMs: 0 };
  const tokens = { asked: promptTokens, answered: answerTokens };
  // Only synt pays for tokens.
  const counted = purposeOf(parts, purpose)?.countsTokens ? tokens : undefined;
  const event: MailOf<"llm.replied"> = defined({ type: "llm.replied", text, tokens: counted });
  return { event, usage: took };
}

/** Vectors that cannot be compared say nothing about what is alike. */
function checkVectors(
  { vectors }: EmbedAnswer,
  { event: { texts }, port, purpose, from, nth }: PortRequest<"llm.embed">,
): void {
  const lengths = new Set(vectors.map(({ length }) => length));
  if (vectors.length === texts.length && lengths.size <= 1) return;
  throw new PortFailed({
    where: { path: `${port} vectors` },
    found:
      lengths.size > 1
        ? `vectors of ${[...lengths].join(" and ")} numbers`
        : `${vectors.length} vectors`,
    allowed: `${texts.length} vectors of one length, one for each text`,
    todo: `Correct the answer to question ${nth} of ${from} for ${purpose}.`,
  });
}

/** The question as the program gets it; a copy, so that it can change nothing of the run. */
export const questionOf = <P extends PortName>(
  lists: PartLists,
  port: P,
  { from, purpose, nth, nowMs, event }: PortRequest<AskedBy<P>>,
  signal: AbortSignal,
): PortRequestOf<P> =>
  translationOf(lists, port, purpose).question(
    { port, from, purpose, nth, nowMs, signal },
    structuredClone(event),
  );
