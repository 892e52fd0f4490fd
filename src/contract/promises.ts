/** Promises as tables: by its id, what each says and how it is put to the test. */
import type { UnitProperty, WorldProperty } from "./property.ts";

/** It holds, unless a row says otherwise. */
type Row<P extends WorldProperty | UnitProperty> = Omit<P, "id" | "kind" | "expected"> &
  Partial<Pick<P, "expected">>;

interface Rows<P extends WorldProperty | UnitProperty> {
  readonly [id: string]: Row<P>;
}

export const worldPromises = (rows: Rows<WorldProperty>): readonly WorldProperty[] =>
  Object.entries(rows).map(([id, row]) => ({ kind: "world", id, expected: "holds", ...row }));

export const unitPromises = (rows: Rows<UnitProperty>): readonly UnitProperty[] =>
  Object.entries(rows).map(([id, row]) => ({ kind: "unit", id, expected: "holds", ...row }));
