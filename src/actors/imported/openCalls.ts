/** The calls of a log that have no result yet, by their ids and by their tools. */

import { BoundedMap } from "./boundedMap.ts";
import { bounds } from "./bounds.ts";
import type { Returned } from "./record.ts";

export interface OpenCall {
  readonly seq: number;
  readonly agent: string;
  readonly tool: string;
  /** By which its result names it. */
  readonly id: string | null;
  /** Paths that it writes. */
  readonly writes: readonly string[];
}

export class OpenCalls {
  /** By seq, the oldest first. */
  readonly #open = new BoundedMap<number, OpenCall>(bounds.openCalls);
  /** The last call of each id: an id may come again once its call is answered. */
  readonly #byId = new BoundedMap<string, OpenCall>(bounds.openCalls);
  /** The open calls of each tool, the last one last. */
  readonly #byTool = new BoundedMap<string, number[]>(bounds.openCalls);

  get forgotten(): number {
    return this.#open.forgotten;
  }

  open(call: OpenCall): void {
    this.#open.set(call.seq, call);
    if (call.id !== null) this.#byId.set(call.id, call);
    for (const tool of [call.tool, ANY]) {
      const seqs = this.#byTool.get(tool) ?? [];
      // Of those that nothing ever answers, only the last ones can be meant.
      if (seqs.length >= OF_TOOL_MOST) seqs.shift();
      seqs.push(call.seq);
      this.#byTool.set(tool, seqs);
    }
  }

  /** The call that a result is of: as the log states it, else the last open one of its tool. */
  answered({ call: id, tool }: Pick<Returned, "call" | "tool">): {
    readonly call: OpenCall | undefined;
    readonly isStated: boolean;
  } {
    const named = id === null ? undefined : this.#byId.get(id);
    const call = named ?? (id === null ? this.#last(tool ?? ANY) : undefined);
    if (call !== undefined) this.#open.delete(call.seq);
    return { call, isStated: named !== undefined };
  }

  #last(tool: string): OpenCall | undefined {
    const seqs = this.#byTool.get(tool) ?? [];
    for (let seq = seqs.pop(); seq !== undefined; seq = seqs.pop()) {
      const call = this.#open.get(seq);
      // One that has an id is answered under it.
      if (call !== undefined && (call.id === null || tool !== ANY)) return call;
    }
    return undefined;
  }
}

/** No tool is called so. */
const ANY = "\0any";
const OF_TOOL_MOST = 64;
