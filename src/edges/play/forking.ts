/**
 * Records a run that leaves a recorded one: up to the turn the recording alone answers, and what is
 * scripted hears all of it, so that it knows what it has said; from there on whoever answers now.
 */
import { livePorts, type Manifest } from "../../run/bundle.ts";
import type { ChangedRun, Coverage } from "../../run/changedRun.ts";
import type { Fork } from "../../run/fork.ts";
import type { SimulateOptions } from "../../run/simulate.ts";
import { assert } from "../../substrate/assert.ts";
import type { PortReply, PortRequest } from "../../substrate/port.ts";
import { type Call, type OnMiss, replyOf } from "../../substrate/recordedPort.ts";
import type { ReadBundle } from "../bundle/bundleReader.ts";
import type { LiveClock } from "../live/liveClock.ts";

export interface ForkingOptions {
  readonly bundle: ReadBundle;
  /** All that the new manifest will hold; the last one is made now. */
  readonly forks: readonly Fork[];
  /** Ports that a live model serves from the turn on, asked whatever the recording holds. */
  readonly nowLive: ReadonlySet<string>;
  /** How the recording answers for what was live, or partly recorded, before; absent where nothing was. */
  readonly changed: ChangedRun | undefined;
}

type Miss = Parameters<OnMiss>[0];

export class Forking {
  readonly #options: ForkingOptions;
  readonly #lived: ReadonlySet<string>;
  #turns = 0;
  #turnedMs: number | undefined;

  constructor(options: ForkingOptions) {
    this.#options = options;
    this.#lived = livePorts(options.bundle.manifest);
  }

  /** Whether some answers after the turn are those of the recording, and what it lacks is scripted. */
  get isMixed(): boolean {
    return this.#options.changed !== undefined;
  }

  /** Whether the run has left its recording. */
  get isOver(): boolean {
    return this.#turnedMs !== undefined;
  }

  /** Who answered since the turn; undefined where nobody but the scripts and a live model was asked. */
  coverage(): Coverage | undefined {
    return this.#options.changed?.coverage();
  }

  simulation(clock: LiveClock | undefined): Partial<SimulateOptions> {
    const { bundle, forks } = this.#options;
    return {
      recorded: bundle.inputs,
      serving: { serves: () => false, onMiss: (miss) => this.#answer(miss) },
      // Before the turn, what the recording leaves unanswered stays so.
      horizonMs: () =>
        this.#turnedMs === undefined ? Number.MAX_SAFE_INTEGER : (clock?.horizonMs() ?? -1),
      onTurn: (_, kernel) => {
        this.#turns += 1;
        if (this.#turns < forks.length) return;
        assert(kernel.digest === forks.at(-1)?.digest, "up to its turn a fork is the run before");
        this.#turnedMs = kernel.nowMs;
        clock?.goesOnAt(kernel.nowMs);
      },
    };
  }

  #answer(miss: Miss): PortReply | null {
    const turnedMs = this.#turnedMs;
    if (turnedMs === undefined) return this.#before(miss);
    const reply = this.#after(miss);
    const { nowMs } = miss.request;
    // It was asked before the turn and nobody had answered: the answer comes after it.
    return reply === null || nowMs + reply.latencyMs > turnedMs || nowMs >= turnedMs
      ? reply
      : { ...reply, latencyMs: turnedMs + 1 - nowMs };
  }

  #before({ request, inPlace, error, provider }: Miss): PortReply | null {
    const { partial } = this.#options.bundle;
    if (inPlace === undefined && partial && this.#lived.has(request.port)) return null;
    if (inPlace === undefined || inPlace.request !== request.request) throw error;
    // What is scripted goes on from what it has said; its answer is the recorded one.
    if (this.#by(request) === "scripted") provider.answer(request);
    return inPlace.kind === "reply" ? replyOf(inPlace) : null;
  }

  #after(miss: Miss): PortReply | null {
    const { request, inPlace, provider } = miss;
    const { nowLive, changed } = this.#options;
    const by = this.#by(request);
    if (by === "scripted" || nowLive.has(request.port)) return provider.answer(request);
    if (changed !== undefined && isMixedPort(by)) {
      const { serves, onMiss } = changed.serving;
      const isServed = inPlace?.kind === "reply" && serves?.(inPlace, request) === true;
      return isServed ? replyOf(inPlace) : (onMiss?.(miss) ?? null);
    }
    // Python, a shell and a person at a gate say the same to the same.
    return isSame(inPlace, request) ? replyOf(inPlace) : provider.answer(request);
  }

  #by({ port }: PortRequest): string {
    return this.#options.bundle.manifest.providers[port] ?? "scripted";
  }
}

const isSame = (
  call: Call | undefined,
  { request }: PortRequest,
): call is Extract<Call, { kind: "reply" }> => call?.kind === "reply" && call.request === request;

/** Whether somebody answered there whom no script stands for. */
export const isMixed = (
  { providers }: Pick<Manifest, "providers">,
  nowLive: ReadonlySet<string>,
): boolean => Object.entries(providers).some(([port, by]) => !nowLive.has(port) && isMixedPort(by));

const isMixedPort = (by: Manifest["providers"][string]): boolean =>
  by.startsWith("live:") || by === "a recording; what it lacks: scripted";
