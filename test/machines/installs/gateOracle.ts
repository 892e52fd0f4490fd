/** The real system's recorded cases, read where they are and never kept here. */
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { AgreementTable } from "../skills/ghostOracle.ts";
import { type GateRules, gatePolicy, realPolicy } from "./gateRules.ts";

const ORACLE = new URL("../../../../shared/oracles/autonoetic.json", import.meta.url);

export const isOracleThere = existsSync(ORACLE);

export interface InstallCase<Input, Expected> {
  readonly id: string;
  readonly kind: string;
  readonly adopt?: string;
  readonly input: Input;
  readonly expected: Expected;
}

let cases: readonly InstallCase<unknown, unknown>[] | undefined;

export function installCases<I, E>(kind: string): readonly InstallCase<I, E>[] {
  cases ??= JSON.parse(readFileSync(ORACLE, "utf8")).cases as readonly InstallCase<
    unknown,
    unknown
  >[];
  // The shapes of a kind's cases are what its file says of them.
  return cases.filter((one) => one.kind === kind) as readonly InstallCase<I, E>[];
}

/** What a case is to ours: undefined where both must be the same, else why they may differ. */
export type Ruled<I, E> = (one: InstallCase<I, E>, is: unknown) => string | undefined;

/** Each case twice: under the real system's values, where it must agree but for `never`, and under ours, but for `ruled`. */
export const agreeing =
  (table: AgreementTable) =>
  <I, E>(
    kind: string,
    ours: (input: I, by: GateRules) => unknown,
    theirs: (expected: E, input: I) => unknown,
    {
      never = () => undefined,
      ruled = () => undefined,
    }: { readonly never?: Ruled<I, E>; readonly ruled?: Ruled<I, E> } = {},
  ): void => {
    const modes = [
      ["real", realPolicy(), never],
      [
        "defaults",
        gatePolicy(),
        (one: InstallCase<I, E>, is: unknown) => never(one, is) ?? ruled(one, is),
      ],
    ] as const;
    it.each(modes)(`[INS25] agrees on ${kind} (%s)`, (mode, by, differs) => {
      const all = installCases<I, E>(kind);
      expect(all.length).toBeGreaterThan(0);
      for (const one of all) {
        if (one.adopt === "bug" || one.adopt === "quirk") continue;
        const [is, was] = [ours(one.input, by), theirs(one.expected, one.input)];
        const isSame = isAs(is, was);
        const why = isSame ? undefined : differs(one, is);
        if (why === undefined) expect({ id: one.id, is }).toEqual({ id: one.id, is: was });
        table.count(`${kind} (${mode})`, why ?? "same");
      }
    });
  };

/** What was told may be a pattern. */
function isAs(is: unknown, was: unknown): boolean {
  try {
    expect(is).toEqual(was);
    return true;
  } catch {
    return false;
  }
}
