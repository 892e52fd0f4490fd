// The wall of the sandbox, name by name: what is refused, what is open only while Python starts, and
// that there is nothing else.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import {
  bootOnly,
  harmless,
  REFUSED_CALLS,
  restored,
  restoredBut,
  served,
  spending,
} from "../../../src/edges/python/imports.ts";
import { bootOnlyImports, refusedImports } from "./closedImports.ts";

const program = fileURLToPath(new URL("./guardedImports.ts", import.meta.url));

interface Outcomes {
  readonly booting: { readonly [name: string]: unknown };
  readonly locked: { readonly [name: string]: unknown };
  readonly refused?: string;
}

const guarded = (names: readonly string[]): Outcomes =>
  JSON.parse(
    execFileSync(process.execPath, ["--no-warnings", program, JSON.stringify(names)], {
      encoding: "utf8",
    }),
  ) as Outcomes;

const closed = guarded([...refusedImports.map(([name]) => name), ...bootOnlyImports]);

it.each(refusedImports)(
  "%s is refused with %j, and the host behind it is never called",
  (name, code) => {
    expect([closed.booting[name], closed.locked[name]]).toEqual([code, code]);
  },
);

it.each(bootOnlyImports)(
  "%s works while Python starts, and ends the interpreter afterwards",
  (name) => {
    expect(closed.booting[name]).toBe("reaches the host");
    expect(closed.locked[name]).toBe(`reached for the host: ${name}`);
  },
);

it("no name stands in two groups, and these two hold no others", () => {
  const working = [[...harmless], [...restored], Object.keys(restoredBut), [...spending]];
  const groups = [...working, [...served], Object.keys(REFUSED_CALLS), [...bootOnly]];
  const names = groups.flat();

  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(Object.keys(REFUSED_CALLS)).toEqual(refusedImports.map(([name]) => name));
  expect([...bootOnly]).toEqual(bootOnlyImports);
});

it("a name that stands nowhere stops the start", () => {
  expect(guarded(["emscripten_run_script"])).toEqual({
    refused: "Pyodide asks for an unknown import: emscripten_run_script",
  });
});
