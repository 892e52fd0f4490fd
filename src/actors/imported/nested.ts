/** Which calls of a log were made within other calls. */
import { bounds } from "./bounds.ts";
import { BoundedMap } from "./linker.ts";

/** A call with its result, or the run of an agent: from its note to the last record that belongs to it. */
export interface Ran {
  /** The tool, or the agent. */
  readonly row: string;
  readonly kind: "returned" | "error" | "run";
  /** Null of a run. */
  readonly caller: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  /** The log's own id of its result, such as a span's, and of what the call belongs to. */
  readonly id: string | null;
  readonly parent: string | null;
  /** The seqs of its first and last delivery. */
  readonly began: number;
  readonly ended: number;
}

interface AgentRun extends Ran {
  toMs: number;
  ended: number;
  readonly outer: AgentRun | undefined;
}

/** The longest first. */
export const byLength = (a: Ran, b: Ran): number =>
  b.toMs - b.fromMs - (a.toMs - a.fromMs) || a.ended - b.ended;

interface Belonging {
  readonly parent: string | null;
  /** The first of its parents. */
  readonly root: string;
  /** The run of an agent that it belongs to. */
  readonly run: AgentRun | undefined;
}

/** What belongs to what, as the log says by ids. */
export class Parents {
  readonly #of = new BoundedMap<string, Belonging>(bounds.ids);
  readonly #runs: AgentRun[] = [];

  /** In the order of the log; `who` is the agent of a note. An agent's notes within its own run are no runs. */
  note(
    { id, parent }: Pick<Ran, "id" | "parent">,
    {
      seq,
      atMs,
      who = null,
    }: { readonly seq: number; readonly atMs: number; readonly who?: string | null },
  ): void {
    const above = parent === null ? undefined : this.#of.get(parent);
    const known = id === null ? undefined : this.#of.get(id);
    let run = known === undefined ? above?.run : known.run;
    for (let one = run; one !== undefined; one = one.outer) [one.toMs, one.ended] = [atMs, seq];
    if (id === null) return;
    const isNew = known === undefined && who !== null && run?.row !== who;
    if (isNew && this.#runs.length < most.runs) {
      const at = { fromMs: atMs, toMs: atMs, began: seq, ended: seq };
      run = { row: who, kind: "run", caller: null, id, parent, outer: run, ...at };
      this.#runs.push(run);
    }
    this.#of.set(id, { parent, root: this.root(parent) ?? id, run });
  }

  /** Those of agents that took a time, and that are no call. */
  runsBeside(calls: readonly Ran[]): readonly Ran[] {
    const ids = new Set(calls.map(({ id }) => id));
    return this.#runs.filter(({ id, fromMs, toMs }) => toMs > fromMs && !ids.has(id));
  }

  root(id: string | null): string | null {
    return id === null ? null : (this.#of.get(id)?.root ?? id);
  }

  /** Itself and what it belongs to, the nearest first. */
  *above(id: string | null): Iterable<string> {
    let at = id;
    for (let step = 0; at !== null && step < most.above; step++) {
      yield at;
      at = this.#of.get(at)?.parent ?? null;
    }
  }
}

/** Ours: ids above a call that are followed, calls at once among which one is looked for by time, and runs of agents. */
const most = { above: 64, atOnce: 200, runs: 1_000 } as const;

/**
 * What each call lies within: the nearest call above it that ran when it began. Where the log states no common root, the
 * last call of another agent that encloses it in time: one agent's calls at once stand side by side. Each comes before what it holds.
 */
export function withinOf(
  calls: readonly Ran[],
  parents: Parents,
): ReadonlyMap<Ran, Ran | undefined> {
  const found = new Map<Ran, Ran | undefined>();
  const byId = new Map<string, Ran>();
  let open: Ran[] = [];
  const inTurn = calls.toSorted(
    (a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs || b.ended - a.ended || a.began - b.began,
  );
  for (const one of inTurn) {
    open = open.filter(({ toMs }) => toMs > one.fromMs).slice(-most.atOnce);
    const byTime = (): Ran | undefined => open.findLast((outer) => encloses(outer, one, parents));
    found.set(one, stated(one, parents, byId) ?? byTime());
    if (one.id !== null) byId.set(one.id, one);
    open.push(one);
  }
  return found;
}

function stated(one: Ran, parents: Parents, byId: ReadonlyMap<string, Ran>): Ran | undefined {
  for (const id of parents.above(one.parent)) {
    const outer = byId.get(id);
    if (outer !== undefined && outer.toMs > one.fromMs) return outer;
  }
  return undefined;
}

/** Ends that touch enclose nothing: calls of one answer begin at once. */
function encloses(outer: Ran, one: Ran, parents: Parents): boolean {
  if (outer.caller === null || one.caller === null || outer.caller === one.caller) return false;
  if (outer.fromMs >= one.fromMs || outer.toMs <= one.toMs) return false;
  const root = parents.root(one.parent);
  return root === null || root !== parents.root(outer.parent ?? outer.id);
}
