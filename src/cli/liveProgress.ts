/** What a person sees while a live run goes on: one line on a terminal, now and then one elsewhere. */
import type { Part } from "../actors/part.ts";
import { clock } from "../edges/duration.ts";
import { escapedLine } from "../edges/escapedText.ts";
import type { LiveSetup } from "../edges/live/liveSetup.ts";
import { MILLION } from "../machines/units.ts";
import type { Run } from "../simulate.ts";
import type { Input } from "../substrate/port.ts";
import { note, progress } from "./output.ts";

/** Ours: how often a log gets a line. */
const LINE_MS = 10_000;

export interface LiveProgress {
  input(input: Input): void;
  slice(run: Run): void;
  /** One line at the end. */
  summary(): void;
}

export function liveProgress(
  parts: readonly Part[],
  scenario: string,
  { models }: LiveSetup,
): LiveProgress {
  const counted = { calls: 0, failed: 0, tokens: 0, price: 0 };
  /** Failed tries by what went wrong. */
  const tries = new Map<string, number>();
  let wroteMs = performance.now();
  let nowMs = 0;
  const counts = (): string =>
    `${counted.calls} calls, ${counted.failed} failed, ${counted.tokens} tokens, ` +
    `cost ${(counted.tokens * counted.price) / MILLION / MILLION}`;
  return {
    input(input) {
      if (input.kind !== "reply") return;
      for (const { kind } of input.attempts ?? []) tries.set(kind, (tries.get(kind) ?? 0) + 1);
      if (input.port !== "port/llm.chat") return;
      counted.calls += 1;
      if (input.event.type === "llm.failed") counted.failed += 1;
      counted.tokens += (input.usage?.promptTokens ?? 0) + (input.usage?.answerTokens ?? 0);
    },
    slice(run) {
      ({ nowMs } = run.kernel);
      counted.price = run.policy.live.pricePerMillion;
      const isTerminal = process.stderr.isTTY;
      if (!isTerminal && performance.now() - wroteMs < LINE_MS) return;
      wroteMs = performance.now();
      const seconds = clock(nowMs - (nowMs % 1000));
      const text = [`${scenario} ${seconds}`, counts(), ...glances(parts, run, nowMs)].join(" · ");
      if (isTerminal) progress(text);
      else note(text);
    },
    summary() {
      const went = [...tries].map(([kind, count]) => `${kind} ${count}`).join(", ");
      const failures = went === "" ? "" : `; tries that failed: ${went}`;
      const seconds = clock(nowMs - (nowMs % 1000));
      note(`${models.middle.name}: ${counts()}, ${seconds} of virtual time${failures}`);
    },
  };
}

/** What those who live there are doing, in the words of their parts. */
const glances = (parts: readonly Part[], { kernel }: Run, nowMs: number): string[] =>
  parts.flatMap(({ glance }) => glance?.(kernel.contexts(), nowMs) ?? []).map(escapedLine);
