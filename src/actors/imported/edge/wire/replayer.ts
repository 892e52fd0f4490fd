/** Answers an agent from its recording. The first request that was not recorded ends that, or goes on live. */
import { setTimeout } from "node:timers/promises";
import type { Json } from "../../../../machines/letter.ts";
import { Redaction } from "../redacted.ts";
import { isModelCall } from "./apis.ts";
import type { Exchange, McpLine } from "./exchangeLog.ts";
import { type Answering, type Came, type Reply, refuse } from "./gateway.ts";
import type { LearnedRule } from "./learnedRules.ts";
import { type Difference, differenceOf, RecordedAnswers } from "./matching.ts";
import { type AskedTool, askedTools, oneMore, type Spared, toldFrom } from "./recordedTools.ts";
import { bodyValue } from "./recorder.ts";
import { standInsAt } from "./standIns.ts";

export interface Parted {
  /** Which request of the run it was, from 1. */
  readonly number: number;
  readonly path: string;
  /** Null where no recorded request of that path was left. */
  readonly difference: Difference | null;
}

export interface ReplayerOptions {
  readonly exchanges: readonly Exchange[];
  /** What passed servers of tools; where there is something, they are answered from it. */
  readonly messages: readonly McpLine[];
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
  readonly answers: RecordedAnswers<Exchange>;
  readonly tools: RecordedAnswers<AskedTool>;
  readonly standIn: Answering<Came>;
  asked = 0;
  spared: Spared = {};
  parted: Parted | null = null;

  constructor(options: ReplayerOptions) {
    this.#options = options;
    const { exchanges, messages, learned, isStrict } = options;
    this.#isWhole = [...exchanges, ...messages].some(({ isWhole }) => isWhole === true);
    this.#accepted = (learned ?? []).filter(({ accepted }) => accepted);
    this.answers = new RecordedAnswers(exchanges, isStrict, this.#accepted);
    this.tools = new RecordedAnswers(askedTools(messages), isStrict, this.#accepted);
    this.standIn = standInsAt(
      messages.length > 0 ? "answer" : "nothing",
      this.#isWhole ? null : this.#redaction,
      this.#told,
    );
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
    this.#parts(path, this.answers.nearest(api, path, request)?.request, request);
    return onward === undefined ? refuse(reply, 409, "not in the recording") : onward(asked, reply);
  };

  /** What a client of a server of tools is told. */
  readonly #told = (line: McpLine): readonly Json[] =>
    toldFrom(line, (asked) => {
      const { api, path, request } = asked;
      this.asked += 1;
      const found = this.parted === null ? this.tools.take(api, path, request) : undefined;
      if (found === undefined)
        this.#parts(path, this.tools.nearest(api, path, request)?.request, request);
      else this.spared = oneMore(this.spared, found);
      return found;
    });

  /** Of several requests, the first that is not in the recording is told. */
  #parts(path: string, near: Json | undefined, request: Json): void {
    if (this.parted !== null) return;
    const difference = near === undefined ? null : differenceOf(near, request, this.#accepted);
    this.parted = { number: this.asked, path, difference };
    this.#options.onParted(this.parted);
  }

  /** Recorded requests that nobody asked. */
  get left(): number {
    return this.answers.left.length + this.tools.left.length;
  }

  get answered(): number {
    return this.answers.total + this.tools.total - this.left;
  }

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
