/** Which calls of a log were made within other calls. */
import { bounds } from "./bounds.ts";
import { BoundedMap } from "./linker.ts";

/** A call with its result. */
export interface RunCall {
  readonly tool: string;
  readonly caller: string | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isError: boolean;
  /** The log's own id of its result, such as a span's, and of what the call belongs to. */
  readonly id: string | null;
  readonly parent: string | null;
  /** The seqs of call and result. */
  readonly began: number;
  readonly ended: number;
}

/** The longest first. */
export const byLength = (a: RunCall, b: RunCall): number =>
  b.toMs - b.fromMs - (a.toMs - a.fromMs) || a.ended - b.ended;

interface Belonging {
  readonly parent: string | null;
  /** The first of its parents. */
  readonly root: string;
}

/** What belongs to what, as the log says by ids. */
export class Parents {
  readonly #of = new BoundedMap<string, Belonging>(bounds.ids);

  note({ id, parent }: { readonly id: string | null; readonly parent: string | null }): void {
    if (id !== null) this.#of.set(id, { parent, root: this.root(parent) ?? id });
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

/** Ours: ids above a call that are followed, and calls at once among which one is looked for by time. */
const most = { above: 64, atOnce: 200 } as const;

/**
 * What each call lies within: the nearest call above it that ran when it began. Where the log states no common root, the
 * last call of another agent that encloses it in time: one agent's calls at once stand side by side. Each comes before what it holds.
 */
export function withinOf(
  calls: readonly RunCall[],
  parents: Parents,
): ReadonlyMap<RunCall, RunCall | undefined> {
  const found = new Map<RunCall, RunCall | undefined>();
  const byId = new Map<string, RunCall>();
  let open: RunCall[] = [];
  const inTurn = calls.toSorted(
    (a, b) => a.fromMs - b.fromMs || b.toMs - a.toMs || b.ended - a.ended,
  );
  for (const one of inTurn) {
    open = open.filter(({ toMs }) => toMs > one.fromMs).slice(-most.atOnce);
    const byTime = (): RunCall | undefined =>
      open.findLast((outer) => encloses(outer, one, parents));
    found.set(one, stated(one, parents, byId) ?? byTime());
    if (one.id !== null) byId.set(one.id, one);
    open.push(one);
  }
  return found;
}

function stated(
  one: RunCall,
  parents: Parents,
  byId: ReadonlyMap<string, RunCall>,
): RunCall | undefined {
  for (const id of parents.above(one.parent)) {
    const outer = byId.get(id);
    if (outer !== undefined && outer.toMs > one.fromMs) return outer;
  }
  return undefined;
}

/** Ends that touch enclose nothing: calls of one answer begin at once. */
function encloses(outer: RunCall, one: RunCall, parents: Parents): boolean {
  if (outer.caller === null || one.caller === null || outer.caller === one.caller) return false;
  if (outer.fromMs >= one.fromMs || outer.toMs <= one.toMs) return false;
  const root = parents.root(one.parent);
  return root === null || root !== parents.root(outer.parent ?? outer.id);
}
