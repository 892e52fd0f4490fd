// Cases that the real system answered, where they are at hand. Only `adopt: yes` cases are golden.
import { existsSync, readFileSync } from "node:fs";

const ORACLE = new URL("../../../../shared/oracles/metnos.json", import.meta.url);

export interface OracleCase<Input, Expected> {
  readonly id: string;
  readonly kind: string;
  readonly adopt: "yes" | "quirk" | "bug";
  readonly input: Input;
  readonly expected: Expected;
}

interface Oracle {
  readonly cases: readonly OracleCase<unknown, unknown>[];
  readonly fixtures: { readonly upstream_catalog_106: readonly string[] };
  readonly meta: { readonly kinds: { readonly [kind: string]: number } };
}

export const isAbsent = !existsSync(ORACLE);

/** What a suite of golden cases is called, so that a run that skips it says why. */
export const golden = (what: string): string =>
  `${what} as the real system's (skipped where shared/oracles/metnos.json is absent)`;

const read = (): Oracle =>
  isAbsent
    ? { cases: [], fixtures: { upstream_catalog_106: [] }, meta: { kinds: {} } }
    : JSON.parse(readFileSync(ORACLE, "utf8"));

const oracle = read();

export const catalogue106 = oracle.fixtures.upstream_catalog_106;

/** The golden cases of a kind. */
export const casesOf = <Input, Expected>(...kinds: readonly string[]) =>
  oracle.cases.filter(
    ({ kind, adopt }) => adopt === "yes" && kinds.includes(kind),
  ) as readonly OracleCase<Input, Expected>[];

/** A case by its id, whatever became of it: for the quirks and bugs that we leave out on purpose. */
export const caseOf = <Input, Expected>(id: string) =>
  oracle.cases.find((one) => one.id === id) as OracleCase<Input, Expected>;

/** Every kind of case that there is, also those of which no case is at hand. */
export const allKinds: readonly string[] = Object.keys(oracle.meta.kinds).sort();
