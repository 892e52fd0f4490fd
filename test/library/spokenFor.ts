// A program that says at every port what a recording says: the run is then the one that was recorded.
import type { PlayedRun, PortName, Ports } from "../../src/index.ts";
import type { Input } from "../../src/substrate/port.ts";

type Reply = Extract<Input, { kind: "reply" }>;

const nameOf = ({ port, from, purpose, nth }: Pick<Reply, "port" | "from" | "purpose" | "nth">) =>
  [port, from, purpose, nth].join(" ");

/** What a program would have answered, so that the world hears this event. */
function answerOf({ port, event: { type: _, ...facts } }: Reply): unknown {
  if (port !== "port/llm.chat") return facts;
  const { text, tokens } = facts as { text: string; tokens?: { asked: number; answered: number } };
  if (tokens === undefined) return text;
  const { asked: promptTokens, answered: answerTokens } = tokens;
  return { text, usage: { model: "as recorded", promptTokens, answerTokens } };
}

/** Entries for these ports, and how often each was asked. */
export function spokenFor(run: PlayedRun, ports: readonly PortName[]) {
  const replies = new Map(
    run.inputs.flatMap((input) => (input.kind === "reply" ? [[nameOf(input), input]] : [])),
  );
  const asked: { [port: string]: number } = {};
  const found = (request: Parameters<typeof nameOf>[0]): Reply => {
    const reply = replies.get(nameOf(request));
    if (reply === undefined) throw new Error(`nobody recorded ${nameOf(request)}`);
    return reply;
  };
  const entries = ports.map((port) => [
    port,
    {
      answer: async (request: Parameters<typeof nameOf>[0]) => {
        asked[port] = (asked[port] ?? 0) + 1;
        return answerOf(found(request));
      },
      latencyMs: (request: Parameters<typeof nameOf>[0]) => found(request).latencyMs,
    },
  ]);
  return { ports: Object.fromEntries(entries) as Ports, asked };
}
