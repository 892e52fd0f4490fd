/**
 * Brings a new run to where a recorded live run stopped: its replies are served again, exactly, and
 * what was being asked at the end is asked anew. Then time follows the wall clock again.
 */

import { livePorts } from "../../run/bundle.ts";
import { certainMs, isOpenEnded } from "../../run/playRecorded.ts";
import type { Run, SimulateOptions } from "../../run/simulate.ts";
import type { PortRequest, Provider } from "../../substrate/port.ts";
import type { OnMiss } from "../../substrate/recordedPort.ts";
import { otherRun } from "../bundle/bundleFaults.ts";
import type { ReadBundle } from "../bundle/bundleReader.ts";
import type { Divergence } from "../errors.ts";
import type { Inbox } from "../play/inbox.ts";
import type { LiveClock } from "./liveClock.ts";

interface Waiting {
  readonly inbox: Inbox;
  readonly clock: LiveClock;
  readonly isLeft?: (() => boolean) | undefined;
}

export class CatchUp {
  /** When the last recorded live reply was delivered. */
  readonly lastReplyMs: number;
  readonly #bundle: ReadBundle;
  readonly #live: ReadonlySet<string>;
  readonly #isKilled: boolean;
  readonly #pending: { readonly request: PortRequest; readonly provider: Provider }[] = [];
  #isOver = false;

  constructor(bundle: ReadBundle) {
    this.#bundle = bundle;
    this.#live = livePorts(bundle.manifest);
    this.#isKilled = isOpenEnded(bundle);
    this.lastReplyMs = bundle.inputs.reduce(
      (most, one) =>
        one.kind === "reply" && this.#live.has(one.port) ? Math.max(most, one.deliveredAt) : most,
      0,
    );
  }

  /** What the new manifest says of the old run; null for one that was killed. */
  get from(): { readonly envelopes: number; readonly digest: string } | null {
    const { final } = this.#bundle.manifest;
    return final === undefined ? null : { envelopes: final.envelopes, digest: final.digest };
  }

  simulation(clock: LiveClock): Partial<SimulateOptions> {
    const { inputs } = this.#bundle;
    const caughtMs = this.#isKilled ? certainMs(inputs, this.#live) : Number.MAX_SAFE_INTEGER;
    return {
      recorded: inputs,
      serving: {
        onMiss: this.#onMiss,
        serves: (call, { request }) => call.kind === "reply" && call.request === request,
      },
      horizonMs: () => (this.#isOver || clock.hasHeld ? clock.horizonMs() : caughtMs),
    };
  }

  readonly #onMiss: OnMiss = ({ request, inPlace, error, provider }) => {
    if (inPlace?.kind === "reply") throw error;
    const asksLater = !this.#isKilled || this.#live.has(request.port);
    if (this.#isOver || !asksLater) return provider.answer(request);
    this.#pending.push({ request, provider });
    return null;
  };

  /** Throws Divergence where the run no longer goes as it was recorded. */
  async through(run: Run, waiting: Waiting): Promise<void> {
    const { final } = this.#bundle.manifest;
    if (final === undefined) await this.#throughKilled(run, waiting);
    else if (run.advance(final.envelopes) !== undefined || run.kernel.digest !== final.digest) {
      throw this.#diverged(`another run than it was by ${run.kernel.nowMs} ms`);
    }
    this.#isOver = true;
    waiting.clock.goesOnAt(run.kernel.nowMs);
    for (const { request, provider } of this.#pending) {
      const reply = provider.answer(request);
      if (reply !== null) run.kernel.reply(request.seq, reply);
    }
  }

  /** As far as the recording is certain. */
  async #throughKilled(run: Run, { inbox, clock, isLeft }: Waiting): Promise<void> {
    for (;;) {
      const state = run.advance(SLICE);
      if (typeof state === "object") {
        throw this.#diverged(`a run that is over there: ${state.error?.message ?? state.outcome}`);
      }
      if (state === "waiting") {
        if (!clock.hasHeld || isLeft?.()) return;
        await inbox.arrival(LOOK_MS);
      }
      for (const { seq, reply } of inbox.take()) {
        run.kernel.reply(seq, clock.stamped(seq, reply, run.kernel.nowMs));
      }
    }
  }

  #diverged(found: string): Divergence {
    const allowed = "a recording made under the rules of this version, with something left to play";
    return otherRun(this.#bundle.folder, found, allowed);
  }
}

const SLICE = 1_000;
const LOOK_MS = 250;
