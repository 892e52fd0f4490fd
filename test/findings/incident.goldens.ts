// The incident as its log alone tells it, and the same hour without the ghost.
import { expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { scenarioParts } from "../../src/builtIn/scenarioParts.ts";
import { findingsOf } from "../../src/edges/pool/findWork.ts";
import { findings } from "../../src/findings/findings.ts";

const ghostly = ["empty-success", "takes-others-calls"];

function toolsOf(recording: string): { readonly [finding: string]: readonly (string | null)[] } {
  const ids = findings.map(({ id }) => id);
  const work = { findings: ids, ofEach: 1 };
  const found = findingsOf({ parts, scenarioParts }, work, `recordings/${recording}`);
  if (found.unread !== undefined) throw new Error(found.unread.says);
  expect(found.facts.called).toBeGreaterThan(1_000);
  return Object.fromEntries(
    ghostly.map((id) => [
      id,
      [...new Set(found.tallies.filter(({ finding }) => finding === id).map(({ tool }) => tool))],
    ]),
  );
}

it("[FI18] every write into safe_file_executor is found twice: it took the call, and returned nothing", () => {
  expect(toolsOf("safe-file-executor")).toEqual({
    "empty-success": ["safe_file_executor"],
    "takes-others-calls": ["safe_file_executor"],
  });
});

it("[FI18] without the ghost, neither is found", () => {
  expect(toolsOf("safe-file-executor-no-ghost")).toEqual({
    "empty-success": [],
    "takes-others-calls": [],
  });
});
