/** What a live run knows of its server, whatever protocol that server speaks. */
import type { AnswerSchema } from "../../machines/answerSchema.ts";
import type { LiveIdentity, LivePolicy, ModelIdentity, Tier } from "../../machines/livePolicy.ts";
import type { Usage } from "../../substrate/port.ts";
import type { Fetch } from "./guardedFetch.ts";

export interface Server {
  /** Such as `http://127.0.0.1:11434`. */
  readonly host: string;
  /** Opens the server, and stands in no file, text or error; none when absent. */
  readonly key?: string | undefined;
  /** Node's own when absent; tests give one that misbehaves. */
  readonly fetch?: Fetch;
}

export interface LiveModel extends ModelIdentity {
  readonly canThink: boolean;
}

/** One question to a model. */
export interface Question {
  readonly model: LiveModel;
  readonly prompt: string;
  /** What the answer must look like; any text when absent. */
  readonly format?: AnswerSchema | "json";
  readonly policy: LivePolicy;
  readonly seed: number;
  /** Where the answer is cut off. */
  readonly maxTokens: number;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** An answer, and what it took. */
export interface Said extends Omit<Usage, "wallMs"> {
  readonly text: string;
}

export interface VectorLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Whole numbers by text. */
export type Vectors = { readonly [text: string]: number[] };

/** A server that was looked at, with the models of a run. */
export interface LiveSetup {
  readonly origin: "live:ollama" | "live:openai";
  /** How the manifest names it: `Ollama`. */
  readonly kind: string;
  /** `ollama 0.12.6` */
  readonly version: string;
  readonly models: { readonly [tier in Tier]: LiveModel };
  readonly embed: LiveModel | null;
  /** One try. Throws a Fault only. */
  chat(question: Question): Promise<Said>;
  /** One try. Throws a Fault only. */
  embedAll(texts: readonly string[], limits: VectorLimits): Promise<Vectors>;
}

/** For the manifest: what answered, not where. */
export function identityOf({
  version,
  models,
  embed,
}: Pick<LiveSetup, "version" | "models" | "embed">): LiveIdentity {
  const plain = ({ canThink: _, ...model }: LiveModel): ModelIdentity => model;
  const { fast, middle, wise } = models;
  return {
    server: version,
    models: { fast: plain(fast), middle: plain(middle), wise: plain(wise) },
    embed: embed === null ? null : plain(embed),
  };
}
