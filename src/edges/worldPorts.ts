/** What the edge puts behind the ports of a run: real Python, and a live model when one was asked for. */
import type { Policy } from "../machines/policy.ts";
import type { Provider } from "../substrate/port.ts";
import { type Gate, gatePort } from "./gatePort.ts";
import { GATE } from "./gateQuestion.ts";
import { Inbox } from "./inbox.ts";
import { LiveClock } from "./live/liveClock.ts";
import { ollamaPorts } from "./ollama/ollamaPorts.ts";
import type { OllamaSetup } from "./ollama/preflight.ts";
import { type Person, personPort } from "./personPort.ts";
import type { LazySandbox } from "./python/sandboxPort.ts";
import { sandboxPort } from "./python/sandboxPort.ts";
import { redactor } from "./redaction.ts";

export interface WorldPorts {
  readonly ports: { readonly [port: string]: Provider };
  /** Where their answers arrive. */
  readonly inbox: Inbox;
  /** Of a live run. */
  readonly clock?: LiveClock;
  /** Whether a question to the person at the gate is open and left for later. */
  readonly isLeft?: () => boolean;
  /** Ends every request that is still open. */
  close(): void;
}

/** The ports of one run. `startsAt` is the scenario's. */
export function worldPorts(options: {
  readonly sandbox: LazySandbox;
  readonly policy: Policy;
  readonly seed: number;
  readonly startsAt: string;
  readonly live?: OllamaSetup | undefined;
  /** In a live run: who answers what agents ask of people. */
  readonly person?: Person | undefined;
  /** Who decides at the gate of synt, in place of the scenario. */
  readonly gate?: Gate | undefined;
  /** When the last live reply of a run that goes on was delivered. */
  readonly afterMs?: number;
}): WorldPorts {
  const inbox = new Inbox();
  const { sandbox, policy, seed, startsAt, live, person, gate, afterMs } = options;
  const startsAtMs = Date.parse(startsAt);
  const python = sandboxPort({ sandbox, inbox, policy: policy.sandbox, seed, startsAtMs });
  const { reward, gate: waits } = policy.synt;
  const rules = { gate: reward.gate, waitMs: waits.waitMs };
  const cleans = redactor();
  const decided = gate && gatePort(gate, { inbox, redactor: cleans, rules });
  const isLeft = decided && { isLeft: decided.isLeft };
  if (live === undefined) {
    const ports = { "port/sandbox.run": python, ...(decided && { [GATE]: decided.provider }) };
    return { ports, inbox, ...isLeft, close() {} };
  }
  const clock = new LiveClock(undefined, afterMs);
  const over = new AbortController();
  const answers = { inbox, clock, redactor: cleans };
  return {
    ports: {
      "port/sandbox.run": clock.holding(python),
      ...(decided && { [GATE]: clock.holding(decided.provider) }),
      ...ollamaPorts({ ...answers, setup: live, policy, seed, signal: over.signal }),
      ...(person && { "port/tool.call": personPort({ ...answers, person }) }),
    },
    inbox,
    clock,
    ...isLeft,
    close: () => over.abort(),
  };
}
