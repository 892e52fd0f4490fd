/** Calls of one trace: each stands in the answer that makes it, in the span that runs it, and in later requests, and is told once. */
import type { Json } from "../../../../../machines/letter.ts";
import type { Called } from "../../../record.ts";

type Asked = Pick<Called, "tool" | "call" | "args" | "raw">;

interface Waiting extends Asked {
  /** A span has taken it up. */
  isBegun: boolean;
}

/** Ours: of more calls at once the oldest are no longer looked for. */
const WAITING_MAX = 1_000;

export class ToolCalls {
  readonly #waiting: Waiting[] = [];
  readonly #known = new Set<string>();
  readonly #answered = new Set<string>();
  /** Results of calls without an id that spans told and messages did not yet. */
  readonly #results = new Map<string, number>();

  /** Of a message: whether the call is not known yet. */
  asked(asked: Asked): boolean {
    if (asked.call !== null && this.#known.has(asked.call)) return false;
    if (asked.call === null && this.#waiting.some((one) => one.isBegun && isSame(one, asked)))
      return false;
    if (asked.call !== null) this.#known.add(asked.call);
    this.#wait(asked, false);
    return true;
  }

  /** Of a span: the id of the call that it runs, and whether no message made it. */
  begun(
    asked: Asked,
    span: string | null,
  ): { readonly call: string | null; readonly isNew: boolean } {
    const own = asked.call;
    const at = this.#waiting.findIndex(
      (one) => !one.isBegun && (own === null ? isSame(one, asked) : one.call === own),
    );
    const waiting = this.#waiting[at];
    if (waiting !== undefined) {
      waiting.isBegun = true;
      if (waiting.call !== null) this.#waiting.splice(at, 1);
      return { call: waiting.call, isNew: false };
    }
    const call = own ?? span;
    if (call !== null && this.#known.has(call)) return { call, isNew: false };
    if (call !== null) this.#known.add(call);
    if (own === null) this.#wait({ ...asked, call }, true);
    return { call, isNew: true };
  }

  /**
   * Whether the result is not told yet. One without an id is told by the span that ran the call, and again by the message that
   * takes it to the model.
   */
  returned(call: string | null, result: Json, by: "span" | "message"): boolean {
    if (call !== null) {
      if (this.#answered.has(call)) return false;
      this.#answered.add(call);
      this.#ended(call);
      return true;
    }
    const key = JSON.stringify(result);
    const told = this.#results.get(key) ?? 0;
    if (by === "span") this.#results.set(key, told + 1);
    else if (told > 0) this.#results.set(key, told - 1);
    return by === "span" || told === 0;
  }

  #wait({ tool, call, args, raw }: Asked, isBegun: boolean): void {
    this.#waiting.push({ tool, call, args, raw, isBegun });
    if (this.#waiting.length > WAITING_MAX) this.#waiting.shift();
  }

  #ended(call: string): void {
    const at = this.#waiting.findIndex((one) => one.call === call && !one.isBegun);
    if (at >= 0) this.#waiting.splice(at, 1);
  }
}

/** Arguments that one of the two does not tell are no difference. */
function isSame(one: Asked, other: Asked): boolean {
  if (one.tool !== other.tool) return false;
  const [a, b] = [one, other].map(({ args, raw }) =>
    args === null && raw === null ? undefined : JSON.stringify([args, raw]),
  );
  return a === undefined || b === undefined || a === b;
}
