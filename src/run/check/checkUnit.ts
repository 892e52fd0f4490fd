/** Puts a property of one function to the test, on drawn inputs. */
import fc from "fast-check";
import type { UnitProperty } from "../../contract/property.ts";
import type { Fared } from "./check.ts";

/** Draws `runs` inputs; fast-check shrinks one that breaks the promise. */
export function tryUnit(property: UnitProperty, seed: number, runs: number): Fared {
  const details = fc.check(property.draw(), { seed: seed | 0, numRuns: runs });
  if (!details.failed) return { moments: details.numRuns, violation: null };
  const { errorInstance, counterexample } = details;
  const reason = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  const says = `${reason} (for ${fc.stringify(counterexample).slice(0, EXAMPLE_CHARS_MAX)})`;
  return { moments: details.numRuns, violation: { seq: null, atMs: 0, says } };
}

const EXAMPLE_CHARS_MAX = 300;
