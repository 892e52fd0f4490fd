// The tools of a scenario as they are written. SPEC, "Tools by name (TB)".
import { expect, it } from "vitest";
import { BadInput } from "../../src/edges/errors.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { byNameScenario } from "../byName.ts";

function problemAfter(from: string, to: string): string {
  expect(byNameScenario).toContain(from);
  try {
    parseScenario(
      byNameScenario.replace(from, () => to),
      "x.yaml",
    );
    return "";
  } catch (thrown) {
    if (!(thrown instanceof BadInput)) throw thrown;
    return `${thrown.where?.path}: ${thrown.found}; ${thrown.allowed}`;
  }
}

it("[TB26] a table is decoded, with failures, latency and parameters", () => {
  const [weather] = parseScenario(
    byNameScenario.replace(
      "    otherwise: { error: no such city }",
      "    otherwise: { error: no such city, latency: 1s }\n    failsPerMille: 20\n    nothing: true\n    latency: [50ms, 2s]",
    ),
    "x.yaml",
  ).tools;

  expect(weather).toEqual({
    name: "weather",
    description: "The weather of a city.",
    table: {
      rows: [
        {
          fits: { kind: "when", args: { city: "Rome" } },
          outcomes: [{ ok: true, result: { sky: "clear" } }],
        },
      ],
      otherwise: { ok: false, error: "no such city", latencyMs: [1_000, 1_000] },
    },
    failsPerMille: 20,
    failure: null,
    latencyMs: [50, 2_000],
    parameters: {
      type: "object",
      properties: { city: { type: "string" }, day: { type: "integer" } },
      required: ["city"],
    },
  });
});

const OTHERWISE = "    otherwise: { error: no such city }";
const WHEN = "when: { city: Rome }";

it.each([
  [
    "- tool: weather",
    "- tool: weather\n              intent: ask",
    "intent or tool, not both or none",
  ],
  ["- tool: weather\n              params", "- params", "intent or tool, not both or none"],
  ["- tool: weather", "- intent: ask for the weather", "tool: NAME, since router.kind is name"],
  ["- tool: weather", "- tool: the weather", "the name of a tool"],
  [OTHERWISE, `${OTHERWISE}\n    returns: 1`, "exactly one of returns, python, answers"],
  [OTHERWISE, "    failure: down", "failure beside failsPerMille"],
  [OTHERWISE, "    failsPerMille: 2\n    failure: down\n    nothing: true", "failure or nothing"],
  [OTHERWISE, "    failsPerMille: 1001", "a whole number 0 … 1000"],
  [OTHERWISE, "    latency: [2s, 1s]", "the least first, then the most"],
  [OTHERWISE, "    latency: soon", "a duration such as"],
  [OTHERWISE, "    otherwise: { latency: 1s }", "exactly one of returns, error"],
  [WHEN, "when: { town: Rome }", "one of the parameters: city, day"],
  [WHEN, "args: { town: Rome }", "one of the parameters: city, day"],
  [WHEN, `${WHEN}\n        args: { city: Rome }`, "when or args, not both"],
  ["returns: { sky: clear }", "inTurn: []", "a list of 1 … 5000 items"],
  ["returns: { sky: clear }", "inTurn: [{}]", "exactly one of returns, error"],
  ["returns: { sky: clear }", "latency: 1s", "exactly one of returns, error, inTurn"],
  ["type: object", "type: array", '"object"'],
  ["required: [city]", "required: [town]", "one of the parameters: city, day"],
])("[TB4, TB27] %j is refused as %j", (from, to, allowed) => {
  expect(problemAfter(from, to)).toContain(allowed);
});

it("[TB27] a slip of a name is named", () => {
  const text = byNameScenario.replace(WHEN, "when: { citty: Rome }");
  expect(() => parseScenario(text, "x.yaml")).toThrow(/Did you mean "city"\?/);
});

it("[TB26] null is something to return, and a variant may take failures out by their name", () => {
  const text = byNameScenario
    .replace(/ {4}answers:[\s\S]*?otherwise: .*\n/, "    returns: null\n    failsPerMille: 5\n")
    .concat('variants:\n  well: { why: w, without: { choices: ["failure:weather"] } }\n');

  expect(parseScenario(text, "x.yaml").tools[0]).toMatchObject({ returns: null, failsPerMille: 5 });
});
