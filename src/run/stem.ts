/**
 * Runs that differ in leaves of the policy alone are one world for as long as no machine decides otherwise for one of them, and
 * are played once. Where a machine reads a leaf that differs, the machines of the others are asked the same: those that come to
 * something else leave, and go on by themselves from that delivery on.
 */
import type { Part } from "../contract/part.ts";
import { type Policy, type PolicyValue, policyLeaves } from "../contract/policyTree.ts";
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
  readonly outside: Set<string>;
  /** Of the machine that is at work; a leaf as often as it is read. */
  #reads: string[] | undefined;
  readonly #heard = new WeakMap<Policy, Map<string, Policy>>();

  constructor(parts: readonly Part[]) {
    // What is made of folders is made once and found again (folders.ts): no machine reads them each time.
    const folders = policyLeaves(parts).filter(([, { kind }]) => kind === "folders");
    this.outside = new Set(folders.map(([path]) => path));
  }

  /** The same one for the same policy and leaves, so that runs share what is made of it. */
  policy(plain: Policy, paths: readonly string[]): Policy {
    const known = this.#heard.get(plain) ?? new Map<string, Policy>();
    this.#heard.set(plain, known);
    const name = paths.join();
    const policy =
      known.get(name) ??
      overheard(plain, (path) => this.#reads?.push(path) ?? this.outside.add(path), paths);
    known.set(name, policy);
    return policy;
  }

  /** What comes of a machine's work, and which leaves it read. */
  to<T>(work: () => T): { readonly came: T; readonly reads: readonly string[] } {
    const reads: string[] = [];
    this.#reads = reads;
    const came = work();
    this.#reads = undefined;
    return { came, reads };
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

/** Runs whose machines came to the same. */
interface Group<Run> {
  readonly its: Behaviour;
  readonly came: Came;
  readonly runs: Run[];
  /** Those whose machine was asked, with what it read. */
  readonly asked: { readonly run: Run; readonly reads: readonly string[] }[];
}

export class Stem<Run extends StemRun = StemRun> {
  /** Those that are one world still; the first is the one that is played. */
  runs: readonly Run[];
  /** Leaves in which these, or those that they came from, differ. */
  readonly paths: readonly string[];
  readonly #listening: Listening;
  readonly #policyOf: (run: Run) => Policy;
  readonly #onLeave: (groups: readonly (readonly Run[])[]) => void;

  /** `onLeave` is told who leaves, together where they are one world still, while the delivery is still to come. */
  constructor(
    runs: readonly Run[],
    paths: readonly string[],
    listening: Listening,
    policyOf: (run: Run) => Policy,
    onLeave: (groups: readonly (readonly Run[])[]) => void,
  ) {
    this.runs = runs;
    this.paths = paths;
    this.#listening = listening;
    this.#policyOf = policyOf;
    this.#onLeave = onLeave;
  }

  /** The policy of the run that is played; as it is where there is nobody else from the start. */
  heard(plain: Policy): Policy {
    return this.runs.length === 1 ? plain : this.#listening.policy(plain, this.paths);
  }

  /** The machines of the run that is played, which ask those of the others. */
  asking(cast: Cast, castOf: (policy: Policy) => Cast): Cast {
    if (this.runs.length === 1) return cast;
    const casts = new Map<Run, Cast>();
    const castFor = (run: Run): Cast => {
      const known = casts.get(run) ?? castOf(this.heard(this.#policyOf(run)));
      casts.set(run, known);
      return known;
    };
    const asking = (name: string, own: Behaviour): Behaviour => {
      const of = (run: Run): Behaviour => castFor(run)[name]?.behaviour ?? own;
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
    const { came, reads } = this.#listening.to(() => tried(work, own));
    if (reads.length > 0 && this.runs.length > 1) this.#part(own, of, work, { came, reads });
    if (came instanceof Threw) throw came.error;
    return came;
  }

  /** Who comes to something else leaves. */
  #part(own: Behaviour, of: (run: Run) => Behaviour, work: Work, { came, reads }: Heard): void {
    const [first, ...others] = this.runs as [Run, ...Run[]];
    const staying: Group<Run> = { its: own, came, runs: [first], asked: [{ run: first, reads }] };
    const groups = [staying];
    for (const run of others) {
      // With the same of all that was read it is the same machine.
      const isKnown = ({ asked }: Group<Run>): boolean =>
        asked.some((one) => one.reads.every((path) => areOneAt([one.run, run], path)));
      const known = groups.find(isKnown);
      if (known !== undefined) {
        known.runs.push(run);
        continue;
      }
      const its = of(run);
      const heard = this.#listening.to(() => tried(work, its));
      const alike = groups.find((one) => isOne(one.its, one.came, its, heard.came));
      const asked = { run, reads: heard.reads };
      alike?.runs.push(run);
      alike?.asked.push(asked);
      if (alike === undefined) groups.push({ its, came: heard.came, runs: [run], asked: [asked] });
    }
    if (groups.length === 1) return;
    this.runs = staying.runs;
    this.#onLeave(groups.slice(1).map(({ runs }) => runs));
  }
}

/** What a machine came to, and which of the leaves it read for it. */
interface Heard {
  readonly came: Came;
  readonly reads: readonly string[];
}

/** The leaves in which runs differ. */
export const differing = (runs: readonly StemRun[]): readonly string[] =>
  [...new Set(runs.flatMap(({ set }) => Object.keys(set)))]
    .filter((path) => !areOneAt(runs, path))
    .sort();

const areOneAt = ([first, ...others]: readonly StemRun[], path: string): boolean =>
  others.every(({ set }) => isAlike(set[path], first?.set[path]));

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
