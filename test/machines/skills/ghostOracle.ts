/** The real system's recorded cases, read where they are and never kept here. */
import { existsSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";

const ORACLE = new URL("../../../../shared/oracles/ghost.json", import.meta.url);

export const isOracleThere = existsSync(ORACLE);

export interface GhostCase<Input, Expected> {
  readonly id: string;
  readonly kind: string;
  readonly input: Input;
  readonly expected: Expected;
  /** What the system did on the day of the seed, where that was asked too. */
  readonly april?: Expected;
}

let cases: readonly GhostCase<unknown, unknown>[] | undefined;

export function ghostCases<Input, Expected>(kind: string): readonly GhostCase<Input, Expected>[] {
  cases ??= JSON.parse(readFileSync(ORACLE, "utf8")).cases as readonly GhostCase<
    unknown,
    unknown
  >[];
  // The shapes of a kind's cases are what its file says of them.
  return cases.filter((one) => one.kind === kind) as readonly GhostCase<Input, Expected>[];
}

/** How a case stands to ours: the same, or differing because of this ruling. */
export type Agreement = "same" | (string & {});

/** How many cases of each kind agree, and why others do not. */
export class AgreementTable {
  readonly #rows = new Map<string, Map<Agreement, number>>();

  count(kind: string, agreement: Agreement): void {
    const row = this.#rows.get(kind) ?? new Map<Agreement, number>();
    row.set(agreement, (row.get(agreement) ?? 0) + 1);
    this.#rows.set(kind, row);
  }

  toString(): string {
    return [...this.#rows]
      .map(([kind, row]) => `${kind}: ${[...row].map(([why, n]) => `${n} ${why}`).join(", ")}`)
      .join("\n");
  }
}

/** Compares ours with theirs, case by case: `ruled` names what lets a case differ, and nothing else may. */
export const agreement =
  (table: AgreementTable) =>
  <I, E>(
    kind: string,
    ours: (input: I) => unknown,
    theirs: (expected: E, input: I) => unknown,
    ruled: (one: GhostCase<I, E>) => Agreement | null = () => null,
  ): void => {
    it(`[SK17] agrees on ${kind}`, () => {
      const cases = ghostCases<I, E>(kind);
      expect(cases.length).toBeGreaterThan(0);
      for (const one of cases) {
        const [is, was] = [ours(one.input), theirs(one.expected, one.input)];
        const why = ruled(one);
        if (why === null) expect({ id: one.id, is }).toEqual({ id: one.id, is: was });
        // What a ruling decides otherwise is what the system did on the day of the seed, where that was asked.
        else if (one.april !== undefined) {
          const { id, input, april } = one;
          expect({ id, is }).toEqual({ id, is: theirs(april, input) });
        }
        table.count(kind, why === null || isDeepStrictEqual(is, was) ? "same" : why);
      }
    });
  };

/** As the oracle's lessons stand, old fields and new ones. */
export interface GhostLesson {
  readonly trigger?: string;
  readonly task?: string;
  readonly anti_pattern?: string;
  readonly mistake?: string;
  readonly correct_pattern?: string;
  readonly solution?: string;
  readonly domains?: readonly unknown[] | string | null;
  readonly confidence?: number | string | null;
  readonly source?: string;
  readonly source_challenge_hash?: string;
  readonly verified?: boolean;
  readonly verification_attempted?: boolean;
  readonly retrievals?: number | string;
  readonly helpful_retrievals?: number;
  readonly succeeded_retrievals?: number;
  readonly failed_retrievals?: number;
  readonly last_retrieved_at?: string;
  readonly frequency?: number | null;
  readonly timestamp?: string;
}
