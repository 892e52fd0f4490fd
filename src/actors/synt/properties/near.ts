/**
 * Worlds near a scenario with synt: some of its turns at other times with other caps, models that
 * fail, answer nonsense or too late, a person who decides otherwise or never, another morning.
 */
import fc from "fast-check";
import type { WorldSource } from "../../../contract/worldSource.ts";
import type { Json } from "../../../machines/letter.ts";

type Part = { readonly [field: string]: Json };

interface SyntPart {
  readonly turns?: readonly Part[];
  readonly answers?: readonly Part[];
  readonly person?: readonly Part[];
  readonly [field: string]: unknown;
}

/** Mostly nothing is different. */
const seldom = <T>(other: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(other, { freq: 2 });

const each = <T>(list: readonly unknown[], drawn: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(drawn, { minLength: list.length, maxLength: list.length });

const turnDrawn = (endMs: number) =>
  fc.record({ atMs: seldom(fc.nat(endMs)), budgetCents: seldom(fc.constantFrom(0, 3, 10, 500)) });

const OTHERWISE: readonly Part[] = [
  { fails: "the connection was lost" },
  { answer: "I would rather not." },
  { after: "90m" },
];
const DECISIONS: readonly Part[] = [
  { decision: "discard" },
  { decision: "amend", feedback: "Make it smaller." },
  { decision: "approve" },
  { after: "1s" },
  { after: "8d" },
];

/** The changes to the part `synt` of a source, and when it begins; none for a world without it. */
export function syntNear(source: WorldSource, endMs: number): fc.Arbitrary<object> {
  const synt = source["synt"] as SyntPart | undefined;
  if (synt === undefined) return fc.constant({});
  const { turns = [], answers = [], person = [] } = synt;
  return fc
    .record({
      kept: fc.subarray([...turns], { minLength: Math.min(1, turns.length) }),
      turns: each(turns, turnDrawn(endMs)),
      answers: each(answers, seldom(seldom(fc.constantFrom(...OTHERWISE)))),
      people: each(person, seldom(fc.constantFrom(...DECISIONS))),
      nobody: fc.constantFrom(false, false, false, true),
      startsAt: seldom(fc.constantFrom("2026-12-31T23:59:30Z", "2028-02-28T02:59:59.900Z")),
    })
    .map(({ kept, nobody, startsAt, ...drawn }) => ({
      ...(startsAt !== null && { startsAt }),
      synt: {
        ...synt,
        turns: turns.flatMap((turn, index) =>
          kept.includes(turn) ? [turnAt(turn, drawn.turns[index])] : [],
        ),
        answers: answers.map((one, index) => answered(one, drawn.answers[index] ?? null)),
        person: nobody ? [] : person.map((one, index) => ({ ...one, ...drawn.people[index] })),
      },
    }));
}

function turnAt(
  turn: Part,
  drawn: { atMs: number | null; budgetCents: number | null } | undefined,
) {
  const { atMs = null, budgetCents = null } = drawn ?? {};
  return {
    ...turn,
    ...(atMs !== null && { at: `${atMs}ms` }),
    ...(budgetCents !== null && { budgetCents }),
  };
}

/** A call that fails has no answer. */
function answered(one: Part, other: Part | null): Part {
  const { answer: _, ...failing } = one;
  return { ...(other !== null && "fails" in other ? failing : one), ...other };
}
