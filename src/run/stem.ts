/**
 * Runs that differ in leaves of the policy alone are one world for as long as no machine decides otherwise for one of them, and
 * are played once. Where a machine reads a leaf that differs, the machines of the others are asked the same: those that come to
 * something else leave, and go on by themselves from that delivery on.
 */
import type { Policy, PolicyValue } from "../contract/policyTree.ts";
import type { Behaviour, Step } from "../substrate/behaviour.ts";
import type { Cast } from "../substrate/resident.ts";
import { overheard } from "./overheard.ts";

/** One of the runs. */
export interface StemRun {
  readonly set: { readonly [path: string]: PolicyValue };
}

/** Which leaves are read while a machine is at work, and which at any other time: for worlds that are played one after another. */
export class Listening {
  /** Leaves by which runs part before they begin: whoever read one is nobody who can be asked for another run. */
  readonly outside = new Set<string>();
  /** Of the machine that is at work, or was last. */
  readonly #reads = new Set<string>();
  #isAtWork = false;
  readonly #heard = new WeakMap<Policy, Map<string, Policy>>();

  /** The same one for the same policy and leaves, so that runs share what is made of it. */
  policy(plain: Policy, paths: readonly string[]): Policy {
    const known = this.#heard.get(plain) ?? new Map<string, Policy>();
    this.#heard.set(plain, known);
    const name = paths.join();
    const policy =
      known.get(name) ??
      overheard(plain, (path) => (this.#isAtWork ? this.#reads : this.outside).add(path), paths);
    known.set(name, policy);
    return policy;
  }

  /** What comes of a machine's work. */
  to<T>(work: () => T): T {
    this.#reads.clear();
    this.#isAtWork = true;
    const came = work();
    this.#isAtWork = false;
    return came;
  }

  /** What was read for it. */
  get reads(): ReadonlySet<string> {
    return this.#reads;
  }
}

/** A machine that threw came to nothing that another may share. */
class Threw {
  readonly error: unknown;

  constructor(error: unknown) {
    this.error = error;
  }
}

type Came = Step<unknown> | Threw;

/** Has the machine of one of the runs do what is to be done. */
type Work = (its: Behaviour) => Step<unknown>;

export class Stem<Run extends StemRun = StemRun> {
  /** Those that are one world still; the first is the one that is played. */
  runs: readonly Run[];
  readonly #paths: readonly string[];
  readonly #listening: Listening;
  readonly #policyOf: (run: Run) => Policy;
  readonly #onLeave: (groups: readonly (readonly Run[])[]) => void;

  /** `onLeave` is told who leaves, together where they are one world still, while the delivery is still to come. */
  constructor(
    runs: readonly Run[],
    listening: Listening,
    policyOf: (run: Run) => Policy,
    onLeave: (groups: readonly (readonly Run[])[]) => void,
  ) {
    this.runs = runs;
    this.#listening = listening;
    this.#policyOf = policyOf;
    this.#onLeave = onLeave;
    const paths = new Set(runs.flatMap(({ set }) => Object.keys(set)));
    this.#paths = [...paths].filter((path) => !areOneAt(runs, path)).sort();
  }

  heard(plain: Policy): Policy {
    return this.#paths.length === 0 ? plain : this.#listening.policy(plain, this.#paths);
  }

  /** The machines of the run that is played, which ask those of the others. */
  asking(cast: Cast, castOf: (policy: Policy) => Cast): Cast {
    if (this.#paths.length === 0) return cast;
    const asking = (name: string, own: Behaviour): Behaviour => {
      const of = (run: Run): Behaviour => castOf(this.#policyOf(run))[name]?.behaviour ?? own;
      return {
        ...own,
        start: (...given) => this.#asked(own, of, (its) => its.start(...given)),
        receive: (address, state, event) =>
          this.#asked(own, of, (its) => {
            const from = its === own ? state : its.restore(address, own.shared(state));
            return its.receive(address, from, event);
          }),
      };
    };
    return Object.fromEntries(
      Object.entries(cast).map(([name, role]) => [
        name,
        { ...role, behaviour: asking(name, role.behaviour) },
      ]),
    );
  }

  #asked(own: Behaviour, of: (run: Run) => Behaviour, work: Work): Step<unknown> {
    const listening = this.#listening;
    const came = listening.to(() => tried(work, own));
    if (listening.reads.size > 0 && this.runs.length > 1) {
      this.#part([...listening.reads], { own, of, work, came });
    }
    if (came instanceof Threw) throw came.error;
    return came;
  }

  /** Who comes to something else leaves. */
  #part(reads: readonly string[], { own, of, work, came }: Asked<Run>): void {
    const [first, ...others] = this.runs as [Run, ...Run[]];
    const staying = [first];
    const groups: { readonly of: Behaviour; readonly came: Came; readonly runs: Run[] }[] = [];
    for (const run of others) {
      // With the same of all that was read it is the same machine.
      if (reads.every((path) => areOneAt([first, run], path))) {
        staying.push(run);
        continue;
      }
      const its = of(run);
      const other = tried(work, its);
      const known = groups.find((one) => isOne(one.of, one.came, its, other));
      if (isOne(own, came, its, other)) staying.push(run);
      else if (known !== undefined) known.runs.push(run);
      else groups.push({ of: its, came: other, runs: [run] });
    }
    if (groups.length === 0) return;
    this.runs = staying;
    this.#onLeave(groups.map(({ runs }) => runs));
  }
}

/** What the machine of the run that is played was asked, and what it came to. */
interface Asked<Run> {
  readonly own: Behaviour;
  readonly of: (run: Run) => Behaviour;
  readonly work: Work;
  readonly came: Came;
}

const areOneAt = (runs: readonly StemRun[], path: string): boolean =>
  new Set(runs.map(({ set }) => JSON.stringify(set[path]))).size === 1;

function tried(work: Work, its: Behaviour): Came {
  try {
    return work(its);
  } catch (error) {
    return new Threw(error);
  }
}

function isOne(of: Behaviour, came: Came, its: Behaviour, other: Came): boolean {
  if (came instanceof Threw || other instanceof Threw) return false;
  const { state, grown: _, ...rest } = came;
  const { state: otherState, grown: __, ...otherRest } = other;
  return isAlike(rest, otherRest) && isAlike(of.shared(state), its.shared(otherState));
}

/** Of the same members in the same order throughout. */
function isAlike(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return false;
  }
  const [names, otherNames] = [Object.keys(one), Object.keys(other)];
  const [values, otherValues] = [Object.values(one), Object.values(other)];
  return (
    names.length === otherNames.length &&
    Array.isArray(one) === Array.isArray(other) &&
    names.every((name, at) => name === otherNames[at] && isAlike(values[at], otherValues[at]))
  );
}
