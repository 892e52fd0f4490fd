/** Ports whose tools meet the faults that a scenario names. What a recording answers has met its faults already. */

import { isMap } from "../machines/isMap.ts";
import type { Json } from "../machines/letter.ts";
import { ownValue } from "../machines/ownValue.ts";
import { NEVER_MS, type PortReply, type PortRequest, type Provider } from "../substrate/port.ts";
import type { NamedRandom } from "../substrate/random.ts";
import {
  FAULTS,
  type Fault,
  faultChoice,
  faultsIn,
  type PastAnswers,
  type ToolAnswer,
} from "./faults.ts";
import { TOOL_PORTS } from "./toolPorts.ts";

/** Ours: a tool that does nothing needs as long as a small script. */
const IDLE_MS = [20, 200] as const;

/** What the ports of one run remember of their tools. Plain JSON. */
interface Memory {
  /** By tool, how often it was called. */
  calls: { readonly [tool: string]: number };
  /** By fault, how many calls met it. */
  met: { readonly [id: string]: number };
  /** The last answer of each tool, the latest last. */
  last: readonly (readonly [tool: string, answer: ToolAnswer])[];
  /** By the number of the question: the fault that an open call is to meet. */
  open: { readonly [seq: string]: string | null };
}

/** The same ports where there is no fault. `without` holds the choices that are left out. */
export function faultyPorts(
  ports: { readonly [port: string]: Provider },
  faults: readonly Fault[],
  random: NamedRandom,
  without: ReadonlySet<string>,
): { readonly [port: string]: Provider } {
  if (faults.length === 0) return ports;
  const own = faults.filter(({ id }) => !without.has(faultChoice(id)));
  const desk = new FaultDesk(own, random);
  const faulty = Object.keys(TOOL_PORTS).flatMap((port) => {
    const provider = ownValue(ports, port);
    return provider === undefined ? [] : [[port, desk.before(port, provider)] as const];
  });
  return { ...ports, ...Object.fromEntries(faulty) };
}

class FaultDesk {
  readonly #faults: readonly Fault[];
  readonly #random: NamedRandom;
  #memory: Memory = { calls: {}, met: {}, last: [], open: {} };

  constructor(faults: readonly Fault[], random: NamedRandom) {
    this.#faults = faults;
    this.#random = random;
  }

  before(port: string, inner: Provider): Provider {
    const { tool: toolOf, read, written } = TOOL_PORTS[port] as (typeof TOOL_PORTS)[string];

    /** `isLate`: from outside, where it cannot be asked twice. */
    const finished = (request: PortRequest, reply: PortReply, isLate = false): PortReply => {
      const tool = toolOf(request.event);
      if (tool === undefined) return reply;
      const fault = this.#closed(request);
      const answer = read(reply.event);
      if (answer === undefined) return reply;
      const isOnce = isLate && fault?.does === "twice";
      const kind = isOnce ? undefined : fault && FAULTS[fault.does];
      const changed = kind?.runs ? kind.change(this.#past(tool), answer) : undefined;
      if (fault === undefined || changed === undefined) {
        this.#note(tool, answer);
        return reply;
      }
      this.#note(tool, changed);
      return {
        ...reply,
        event: changed === answer ? reply.event : written(changed, reply.event),
        latencyMs: reply.latencyMs + (fault.byMs ?? 0),
        choice: named(reply.choice, this.#counted(fault)),
      };
    };

    const answer = (request: PortRequest): PortReply | null => {
      const tool = toolOf(request.event);
      if (tool === undefined) return inner.answer(request);
      const fault = this.#meeting(request, tool);
      const kind = fault && FAULTS[fault.does];
      const idle = kind?.runs === false ? kind.change(this.#past(tool)) : undefined;
      if (fault === undefined || idle === undefined) {
        const reply = inner.answer(request);
        const again = reply && fault?.does === "twice" ? inner.answer(request) : null;
        return reply && finished(request, again ? both(reply, again) : reply);
      }
      inner.passedOver?.(request);
      this.#closed(request);
      if (fault.does !== "never") this.#note(tool, idle);
      const stream = this.#random.at(faultChoice(fault.id), "latency", this.#callsOf(tool));
      return {
        event: written(idle),
        latencyMs: fault.does === "never" ? NEVER_MS : stream.integer(...IDLE_MS),
        choice: this.#counted(fault),
      };
    };

    return {
      ...(inner.text && { text: inner.text }),
      ...(inner.needsRequestHash && { needsRequestHash: inner.needsRequestHash }),
      answer,
      completed: (request, reply) =>
        finished(request, inner.completed?.(request, reply) ?? reply, true),
      passedOver: (request, reply) => {
        const isTwice = this.#made(reply?.choice).some(({ does }) => does === "twice");
        for (let run = isTwice ? 2 : 1; run > 0; run -= 1) inner.passedOver?.(request, reply);
        this.#passedOver(toolOf(request.event), reply && read(reply.event), reply?.choice);
      },
      persist: () => ({ inner: inner.persist?.() ?? null, faults: { ...this.#memory } as Json }),
      restore: (kept) => {
        // A run that met no faults before kept what stands behind them alone.
        const [own, memory] =
          isMap(kept) && isMap(kept["faults"])
            ? [kept["inner"], kept["faults"]]
            : [kept, undefined];
        if (memory !== undefined) this.#memory = memory as unknown as Memory; // What `persist` made.
        if (own !== undefined && own !== null) inner.restore?.(own);
      },
    };
  }

  /** The fault that this call meets; of an open call that is asked again after a checkpoint, the same. */
  #meeting({ seq, nowMs }: PortRequest, tool: string): Fault | undefined {
    const { calls, open } = this.#memory;
    const known = ownValue(open, String(seq));
    if (known !== undefined) return this.#faults.find(({ id }) => id === known);
    const nth = this.#callsOf(tool) + 1;
    const found = this.#faults.find(
      (fault) =>
        (fault.tool ?? tool) === tool &&
        (fault.calls?.includes(nth) ?? true) &&
        nowMs >= fault.fromMs &&
        nowMs < (fault.toMs ?? Number.POSITIVE_INFINITY) &&
        (fault.times === null || this.#metSoFar(fault) < fault.times) &&
        (fault.perMille >= 1_000 ||
          this.#random.at(faultChoice(fault.id), tool, nth).integer(1, 1_000) <= fault.perMille),
    );
    this.#memory = {
      ...this.#memory,
      calls: { ...calls, [tool]: nth },
      open: { ...open, [seq]: found?.id ?? null },
    };
    return found;
  }

  /** Open calls too: what they meet is settled. */
  #metSoFar({ id }: Fault): number {
    const { met, open } = this.#memory;
    return (ownValue(met, id) ?? 0) + Object.values(open).filter((one) => one === id).length;
  }

  #closed({ seq }: PortRequest): Fault | undefined {
    const { [seq]: known, ...open } = this.#memory.open;
    this.#memory = { ...this.#memory, open };
    return this.#faults.find(({ id }) => id === known);
  }

  /** The choice by its name. */
  #counted({ id }: Fault): string {
    const { met } = this.#memory;
    this.#memory = { ...this.#memory, met: { ...met, [id]: (ownValue(met, id) ?? 0) + 1 } };
    return faultChoice(id);
  }

  #note(tool: string, answer: ToolAnswer): void {
    const others = this.#memory.last.filter(([name]) => name !== tool);
    this.#memory = { ...this.#memory, last: [...others, [tool, answer]] };
  }

  #callsOf = (tool: string): number => ownValue(this.#memory.calls, tool) ?? 0;

  #past(tool: string): PastAnswers {
    const { last } = this.#memory;
    return {
      same: last.find(([name]) => name === tool)?.[1],
      other: last.findLast(([name]) => name !== tool)?.[1],
    };
  }

  #passedOver(
    tool: string | undefined,
    answer: ToolAnswer | undefined,
    choice: string | undefined,
  ): void {
    if (tool === undefined) return;
    const { calls } = this.#memory;
    this.#memory = { ...this.#memory, calls: { ...calls, [tool]: this.#callsOf(tool) + 1 } };
    if (answer !== undefined) this.#note(tool, answer);
    for (const fault of this.#made(choice)) this.#counted(fault);
  }

  /** Those that a recorded reply has met. */
  #made(choice: string | undefined): readonly Fault[] {
    const made = faultsIn(choice);
    return this.#faults.filter(({ id }) => made.includes(faultChoice(id)));
  }
}

/** The second answer, after both have taken their time; what the first one changed, and the second did not, stays. */
function both(first: PortReply, second: PortReply): PortReply {
  const [before, after] = [first.event, second.event].map((one) =>
    "changed" in one ? one.changed : undefined,
  );
  const event =
    before === undefined ? second.event : { ...second.event, changed: { ...before, ...after } };
  return {
    ...second,
    event: event as PortReply["event"],
    latencyMs: first.latencyMs + second.latencyMs,
  };
}

const named = (choice: string | undefined, own: string): string =>
  choice === undefined ? own : `${choice} ${own}`;
