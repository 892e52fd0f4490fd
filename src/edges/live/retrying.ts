/** The same call again after a failure, as the policy says; every failed try is kept. */
import { setTimeout as rest } from "node:timers/promises";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import type { Attempt } from "../../substrate/port.ts";
import type { Redactor } from "../redaction.ts";
import { type Fault, faultOf, isFinal } from "./faults.ts";

export interface Tried<T> {
  /** Undefined when every try failed. */
  readonly value: T | undefined;
  readonly wallMs: number;
  readonly attempts: readonly Attempt[];
}

export interface TryOptions {
  readonly policy: Pick<LivePolicy, "retries" | "backoffMs">;
  readonly redactor: Redactor;
  readonly signal: AbortSignal;
  /** Which faults may be over at the next try; all that are not final when absent. */
  readonly isWorthIt?: (fault: Fault) => boolean;
}

export async function tried<T>(work: () => Promise<T>, options: TryOptions): Promise<Tried<T>> {
  const { policy, redactor, signal, isWorthIt = (fault) => !isFinal(fault) } = options;
  const attempts: Attempt[] = [];
  for (let count = 0; ; count++) {
    const startMs = performance.now();
    const wallMs = (): number => Math.round(performance.now() - startMs);
    try {
      return { value: await work(), wallMs: wallMs(), attempts };
    } catch (thrown) {
      const fault = faultOf(thrown, false);
      const { kind, message } = fault;
      attempts.push({ kind, error: redactor.error(message), wallMs: wallMs() });
      const isOver = !isWorthIt(fault) || count >= policy.retries;
      const restMs = Math.max(fault.restMs, policy.backoffMs * 2 ** count);
      const isRested = !isOver && (await hasRested(restMs, signal));
      if (!isRested) return { value: undefined, wallMs: wallMs(), attempts };
    }
  }
}

/** Ours: no rest grows beyond this. */
const REST_MAX_MS = 60_000;

async function hasRested(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await rest(Math.min(ms, REST_MAX_MS), undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

/** Lets `places` calls work at once; others wait in the order in which they came. */
export function turnstile(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => void waiting.push(resolve));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}

/** A fault as an agent hears of it. */
export const failureText = (attempts: readonly Attempt[]): string => {
  const last = attempts.at(-1);
  return last === undefined ? "no answer" : `${last.kind}: ${last.error}`;
};

export const isCancelled = (attempts: readonly Attempt[]): boolean =>
  attempts.at(-1)?.kind === ("cancelled" satisfies Fault["kind"]);
