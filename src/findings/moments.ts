/**
 * Joins the facts of a log: each result with its call, and what a speaker says that does nothing but run the code of
 * others, as a call and its result. Source of the latter's form: AutoGen, `LocalCommandLineCodeExecutor` and its
 * `generate_code_execution_reply`, "exitcode: 0 (execution succeeded)\nCode output: …".
 */
import type { ToolCalled, ToolReturned, TraceFact, WordSaid } from "../contract/trace.ts";
import type { Exchange } from "./finding.ts";
import { KeptMap } from "./keptMap.ts";

/** What `Joined` makes of one fact. */
export type Moment =
  | { readonly is: "called"; readonly fact: ToolCalled }
  | { readonly is: "returned"; readonly exchange: Exchange<ToolReturned> }
  | { readonly is: "said"; readonly fact: WordSaid };

/** What such a speaker says where it finds no code to run. */
const NO_CODE = /^There is no code from the last \d+ messages? for me to execute\b/;

const SPOKEN = /^exitcode: (\d+) \(execution (?:succeeded|failed)\)\s*\n?(?:Code output:)?/;

export class Joined {
  readonly #calls = new KeptMap<number, ToolCalled>();
  /** Whether a speaker has said nothing but results. */
  readonly #speakers = new KeptMap<string, boolean>();
  #last: WordSaid | null = null;

  of(fact: TraceFact): readonly Moment[] {
    if (fact.is === "called") {
      this.#calls.set(fact.seq, fact);
      return [{ is: "called", fact }];
    }
    if (fact.is === "returned") {
      const call = this.#calls.get(fact.call) ?? null;
      this.#calls.delete(fact.call);
      return [{ is: "returned", exchange: { returned: fact, call, isSpoken: false } }];
    }
    return fact.is === "said" ? this.#saidBy(fact) : [];
  }

  #saidBy(fact: WordSaid): readonly Moment[] {
    const { speaker, text, seq, step, atMs } = fact;
    const [head, code] = SPOKEN.exec(text) ?? [];
    const isOutput = head !== undefined || NO_CODE.test(text);
    const isTerminal = isOutput && (this.#speakers.get(speaker) ?? true);
    this.#speakers.set(speaker, isTerminal);
    const asked = this.#last;
    if (head === undefined || !isTerminal || asked === null || asked.speaker === speaker) {
      this.#last = fact;
      return [{ is: "said", fact }];
    }
    const at = { seq, step, atMs };
    const call: ToolCalled = {
      ...{ is: "called", seq: asked.seq, step: asked.step, atMs: asked.atMs },
      ...{ agent: asked.speaker, tool: speaker, intent: null, args: null, raw: asked.text },
    };
    const output = text.slice(head.length).trim();
    const error = code === "0" ? null : output.split("\n").at(-1) || `exit code ${code}`;
    const returned: ToolReturned = {
      ...{ is: "returned", ...at, agent: asked.speaker, tool: speaker, call: asked.seq },
      ...{ result: output, ok: code === "0", error },
    };
    return [
      { is: "called", fact: call },
      { is: "returned", exchange: { returned, call, isSpoken: true } },
    ];
  }
}
