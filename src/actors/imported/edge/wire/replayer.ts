/** Answers an agent from its recording. The first request that was not recorded ends that, or goes on live. */
import { setTimeout } from "node:timers/promises";
import { Redaction } from "../redacted.ts";
import { isModelCall } from "./apis.ts";
import type { Exchange } from "./exchangeLog.ts";
import { type Answering, type Reply, refuse } from "./gateway.ts";
import type { LearnedRule } from "./learnedRules.ts";
import { type Difference, differenceOf, RecordedAnswers } from "./matching.ts";
import { bodyValue } from "./recorder.ts";

export interface Parted {
  /** Which request of the run it was, from 1. */
  readonly number: number;
  readonly path: string;
  /** Null where no recorded request of that path was left. */
  readonly difference: Difference | null;
}

export interface ReplayerOptions {
  readonly exchanges: readonly Exchange[];
  /** Rules of this recording alone; those count that were accepted. */
  readonly learned?: readonly LearnedRule[];
  /** No rule hides a difference. */
  readonly isStrict: boolean;
  /** Streams come at the pace at which they came, else at once. */
  readonly isPaced: boolean;
  /** Hears that the run parts from its recording. */
  readonly onParted: (parted: Parted) => void;
  /** Hears of each answer that was given from the recording. */
  readonly onAnswered?: (exchange: Exchange) => void;
  /** Who answers from there on; nobody when absent. */
  readonly onward?: Answering;
}

export class Replayer {
  readonly #options: ReplayerOptions;
  readonly #redaction = new Redaction();
  readonly #accepted: readonly LearnedRule[];
  /** Both sides of a comparison are redacted alike. */
  readonly #isWhole: boolean;
  readonly answers: RecordedAnswers;
  asked = 0;
  parted: Parted | null = null;

  constructor(options: ReplayerOptions) {
    this.#options = options;
    this.#isWhole = options.exchanges.some(({ isWhole }) => isWhole === true);
    this.#accepted = (options.learned ?? []).filter(({ accepted }) => accepted);
    this.answers = new RecordedAnswers(options.exchanges, options.isStrict, this.#accepted);
  }

  readonly answering: Answering = async (asked, reply) => {
    const { api, method, path, body } = asked;
    const { onward } = this.#options;
    if (this.parted !== null && onward !== undefined) return onward(asked, reply);
    if (!isModelCall(api, method, path)) {
      return refuse(reply, 404, `no call of a model, so not in the recording: ${method} ${path}`);
    }
    this.asked += 1;
    const sent = bodyValue(body.toString("utf8"));
    const request = this.#isWhole ? sent : this.#redaction.value(sent).clean;
    const found = this.parted === null ? this.answers.take(api, path, request) : undefined;
    if (found !== undefined) {
      this.#options.onAnswered?.(found);
      return this.#give(found, reply);
    }
    if (this.parted === null) {
      const near = this.answers.nearest(api, path, request);
      const difference =
        near === undefined ? null : differenceOf(near.request, request, this.#accepted);
      this.parted = { number: this.asked, path, difference };
      this.#options.onParted(this.parted);
    }
    return onward === undefined ? refuse(reply, 409, "not in the recording") : onward(asked, reply);
  };

  async #give({ status, type, response, pieces }: Exchange, reply: Reply): Promise<void> {
    reply.head(status, { "content-type": type || "application/json" });
    const text = typeof response === "string" ? response : JSON.stringify(response);
    let beforeMs = 0;
    for (const [afterMs, piece] of pieces ?? [[0, text] as const]) {
      if (this.#options.isPaced) await setTimeout(Math.max(0, afterMs - beforeMs));
      beforeMs = afterMs;
      reply.piece(Buffer.from(piece));
    }
    reply.end();
  }
}
