/** Promises as tables: by its id, what each says and how it is put to the test. */
import type { Policy } from "./policy.ts";
import type { Seen, UnitProperty, Verdict, WorldProperty } from "./property.ts";

/** It holds, unless a row says otherwise. */
type Row<P extends WorldProperty | UnitProperty> = Omit<P, "id" | "kind" | "expected"> &
  Partial<Pick<P, "expected">>;

/** A promise of which each delivery is judged by itself. */
type JudgedRow = Omit<Row<WorldProperty>, "watch"> & {
  readonly judge: (seen: Seen, policy: Policy) => Verdict;
};

export const worldPromises = (rows: {
  readonly [id: string]: Row<WorldProperty> | JudgedRow;
}): readonly WorldProperty[] =>
  Object.entries(rows).map(([id, row]) => ({
    ...{ kind: "world", id, expected: "holds" },
    ...("judge" in row ? watched(row) : row),
  }));

const watched = ({ judge, ...row }: JudgedRow): Row<WorldProperty> => ({
  ...row,
  watch: (policy) => (seen) => judge(seen, policy),
});

export const unitPromises = (rows: {
  readonly [id: string]: Row<UnitProperty>;
}): readonly UnitProperty[] =>
  Object.entries(rows).map(([id, row]) => ({ kind: "unit", id, expected: "holds", ...row }));
