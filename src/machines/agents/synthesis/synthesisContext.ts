/** What synthesize_capability is asked, what it knows and what it returns. Source: seed 000, "Return values"; rulings T6, T8. */
import type { Delivered } from "../../letter.ts";
import { sanitizedName } from "./name.ts";

/** The rule that turned it down, and the error that the agent reads. */
export interface Fault {
  readonly rule: string;
  readonly error: string;
}

export interface SynthesisInput {
  /** The agent that asked for the tool. */
  readonly agent: string;
  readonly name: string;
  readonly description: string;
  readonly implementation: string | null;
  /** An alias of `implementation`, read when that is missing. */
  readonly code?: string | null;
  /** The address that is told of every step and of the end. */
  readonly caller: string;
  /** The address that is told to load the code; null where no engine runs. */
  readonly engine: string | null;
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
}

export type SynthesisEvent = Delivered<
  "python.parsed" | "files.replied" | "sandbox.replied" | "ask.bounced" | "daemon.stopped"
>;

export interface SynthesisStep {
  /** 1 … 9, as the source numbers them. */
  readonly step: number;
  readonly title: string;
  readonly outcome: "done" | "skipped" | "failed";
  /** The pattern or rule that turned it down. */
  readonly rule: string | null;
  readonly detail: string;
}

export type SynthesisVerdict = "deployed" | "untested" | "rejected" | "already_deployed";

/** Word for word what the source returns; `tested` is ours. */
export type SynthesisReturn =
  | {
      readonly ok: true;
      readonly capability: string;
      readonly path: string;
      readonly status: "deployed";
      readonly tested?: false;
    }
  | { readonly ok: false; readonly error: string }
  | { readonly ok: false; readonly status: "already_deployed"; readonly message: string };

export interface SynthesisOutcome {
  readonly verdict: SynthesisVerdict;
  readonly return: SynthesisReturn;
  readonly steps: readonly SynthesisStep[];
}

export interface SynthesisContext {
  readonly input: SynthesisInput;
  /** Empty when the given name is none. */
  readonly name: string;
  /** The text as given. */
  readonly given: string;
  /** What stands in the .py. */
  readonly module: string;
  readonly steps: readonly SynthesisStep[];
  /** Why nothing was deployed; null as long as nothing speaks against it. */
  readonly refusal: SynthesisReturn | null;
  /** What a pattern, the parser or the sandbox shows against it; null for nothing, and once it is refused. */
  readonly fault: Fault | null;
  /** Whether the call without arguments said anything about the tool. */
  readonly isTested: boolean;
}

export const openingContext = (input: SynthesisInput): SynthesisContext => ({
  input,
  name: sanitizedName(input.name) ?? "",
  given: input.implementation ?? input.code ?? "",
  module: "",
  steps: [],
  refusal: null,
  fault: null,
  isTested: false,
});
