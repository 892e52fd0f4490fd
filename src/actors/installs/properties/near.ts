/**
 * Worlds near a scenario with installs: some of its wishes at other times, a person who decides otherwise, later or never,
 * coders and judges who think of something else.
 */
import fc from "fast-check";
import type { WorldSource } from "../../../contract/worldSource.ts";
import type { Json } from "../../../machines/letter.ts";

type Part = { readonly [field: string]: Json };

interface InstallsPart {
  readonly wanted: readonly Part[];
  readonly person?: readonly Part[];
  readonly crew?: readonly Part[];
  readonly [field: string]: unknown;
}

/** Mostly nothing is different. */
const seldom = <T>(other: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ arbitrary: fc.constant(null), weight: 2 }, { arbitrary: other, weight: 1 });

const each = <T>(list: readonly unknown[], drawn: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.array(drawn, { minLength: list.length, maxLength: list.length });

const OTHERWISE: readonly Part[] = [
  { decision: "approve" },
  { decision: "reject" },
  { after: "1s" },
  { after: "8d" },
  { times: 1 },
];

/** The part of a source that has one. */
export const installsOf = (source: WorldSource): InstallsPart | undefined =>
  source["installs"] as InstallsPart | undefined; // It was decoded before.

/** The changes to the part `installs` of a source; none for a world without it. */
export function installsNear(source: WorldSource, endMs: number): fc.Arbitrary<object> {
  const own = installsOf(source);
  if (own === undefined) return fc.constant({});
  const { wanted, person = [], crew = [] } = own;
  return fc
    .record({
      kept: fc.subarray([...wanted], { minLength: Math.min(1, wanted.length) }),
      times: each(wanted, seldom(fc.nat(endMs))),
      words: each(person, seldom(fc.constantFrom(...OTHERWISE))),
      thoughts: fc.oneof(
        { arbitrary: fc.constant([...crew]), weight: 2 },
        { arbitrary: fc.subarray([...crew]), weight: 1 },
      ),
      nobody: fc.constantFrom(false, false, false, true),
    })
    .map(({ kept, times, words, thoughts, nobody }) => ({
      installs: {
        ...own,
        wanted: wanted.flatMap((wish, index) => {
          const atMs = times[index] ?? null;
          if (!kept.includes(wish)) return [];
          return [atMs === null ? wish : { ...wish, at: `${atMs}ms` }];
        }),
        person: nobody ? [] : person.map((word, index) => ({ ...word, ...words[index] })),
        crew: thoughts,
      },
    }));
}
