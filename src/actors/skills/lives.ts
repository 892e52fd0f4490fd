/** The life of each skill, lesson and macro, as a report and its picture tell it. */
import { groupedBy } from "../../machines/grouped.ts";

/** A stretch of a life; it lasts until the next one, or to the end of the life. */
interface Phase {
  readonly phase: string;
  readonly atMs: number;
}

export interface Life {
  readonly kind: "skill" | "lesson" | "macro";
  /** As `why` asks for it. */
  readonly name: string;
  /** What it is, in words. */
  readonly about: string;
  readonly phases: Phase[];
  /** Null while it lasts. */
  endMs: number | null;
  /** How it ended: `retired`, `evicted`, `dropped`; null while it lasts. */
  end: string | null;
  /** Why it ended, where the log says more than how. */
  because: string | null;
  /** Calls of a skill or a macro; of a lesson, when it was shown, and those that it was credited with. */
  readonly uses: { readonly atMs: number; readonly ok: boolean }[];
  /** Of a skill: when a program was run to reach it, instead of a call by its name. */
  readonly wraps: number[];
  /** Of a lesson, in millionths. */
  readonly utility: { readonly atMs: number; readonly value: number }[];
}

/** The phase of what is no skill yet. */
export const MAKING = "being made";

/** Another life begins, also of a name that comes back. */
export function begin(
  lives: Life[],
  kind: Life["kind"],
  name: string,
  about: string,
  phase: string,
  atMs: number,
): Life {
  const life: Life = {
    ...{ kind, name, about, phases: [{ phase, atMs }] },
    ...{ endMs: null, end: null, because: null, uses: [], wraps: [], utility: [] },
  };
  lives.push(life);
  return life;
}

/** The one that lasts, and is more than being made. */
export const lasting = (
  lives: readonly Life[],
  kind: Life["kind"],
  name: string,
): Life | undefined =>
  lives.findLast(
    (one) =>
      one.kind === kind &&
      one.name === name &&
      one.end === null &&
      one.phases.at(-1)?.phase !== MAKING,
  );

export function enter(life: Life | undefined, phase: string, atMs: number): void {
  if (life !== undefined && life.phases.at(-1)?.phase !== phase) life.phases.push({ phase, atMs });
}

export function finish(
  life: Life | undefined,
  end: string,
  atMs: number,
  because: string | null = null,
): void {
  if (life !== undefined) Object.assign(life, { end, endMs: atMs, because });
}

/** As few as are worth a line of their own. */
const FOLDED_MIN = 3;

/** Those that never did anything but last, as one; others, and so few that each has room, as they are. */
export function folded(lives: readonly Life[]): readonly Life[] {
  const groups = groupedBy(lives, (life) => (isQuiet(life) ? quietKey(life) : life));
  return [...groups.values()].flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)];
    if (group.length < FOLDED_MIN || first === undefined || last === undefined) return group;
    const name = `${first.name} … ${last.name}`;
    return [{ ...first, name, about: `${group.length} ${first.kind}s, such as: ${first.about}` }];
  });
}

const isQuiet = ({ end, phases, uses, wraps, utility }: Life): boolean =>
  end === null && phases.length === 1 && uses.length + wraps.length + utility.length === 0;

const quietKey = ({ kind, phases: [only] }: Life): string => `${kind} ${only?.phase} ${only?.atMs}`;
