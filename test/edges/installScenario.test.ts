// What a scenario may say of installs. SPEC: "Installing agents (seed 003)".
import { expect, it } from "vitest";
import { isEdgeError } from "../../src/edges/errors.ts";
import { parseScenario } from "../builtInScenarios.ts";

function problemsOf(by: string): string[] {
  const attempt = `{ id: e, at: 1m, does: install.attempt, by: ${by}, tool: agent.revision.list, params: {} }`;
  const head = 'why: w\nsource: s\nstartsAt: "2026-05-02T09:00:00Z"\nseed: 1\nrunsFor: 10m\n';
  try {
    parseScenario(`${head}installs: { wanted: [] }\nevents: [${attempt}]\n`, "i.yaml");
    return [];
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return [error, ...(error.more ?? [])].map(({ where, found }) => `${where.path}: ${found}`);
  }
}

it("[INS118] whoever tries to install lives at an address of its own", () => {
  expect(problemsOf("architect.default")).toEqual([]);
  expect(problemsOf("planner.default")).toEqual(['events[0].by: "planner.default"']);
});

it.each(["files", "daemon", "synt", "pool", "skills", "gateway", "warden", "outside", "__proto__"])(
  "[INS118] nobody tries from where %s lives, or under the name of what is no actor",
  (by) => {
    expect(problemsOf(by)).toEqual([`events[0].by: "${by}"`]);
  },
);
