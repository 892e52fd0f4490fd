// docs/scenarios.md and docs/scenario-fields.md say what the program takes.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { scenarioFields } from "../tools/scenarioFields.ts";
import { parseScenario } from "./builtInScenarios.ts";
import { scenarioRecipes } from "./scenarioRecipes.ts";

it("[WW20] docs/scenario-fields.md is current: node tools/scenarioDocs.ts", () => {
  const text = readFileSync("docs/scenario-fields.md", "utf8");

  expect(text).toBe(scenarioFields());
  for (const field of ["claimBelow", "whenLoad", "malformedPerMille", "startsAt", "wanted"]) {
    expect(text).toContain(`\`${field}\``);
  }
  const sections = new Set(
    [...text.matchAll(/^## (.*)$/gm)].map(([, name]) => name?.toLowerCase()),
  );
  const links = [...text.matchAll(/\]\(#([^)]*)\)/g)].map(([, name]) => name);
  expect(links.filter((name) => !sections.has(name))).toEqual([]);
});

it("[WW21] docs/scenarios.md has the recipes that it promises, each of them a scenario", () => {
  const recipes = scenarioRecipes();

  expect(recipes.map(({ title }) => title)).toEqual([
    ...[
      "A chain of a producer and a consumer",
      "A tool of your own",
      "Tools called by name, and a folder of their own",
      "A tool that lies",
      "A ghost",
      "A variant",
    ],
    ...["An outside event and an expectation", "A lesson"],
  ]);
  for (const { text, title } of recipes) {
    expect(text.split("\n").length).toBeLessThan(50);
    expect(parseScenario(text, `${title}.yaml`).expect.length).toBeGreaterThan(0);
  }
});

it("the glossary says each word in one row, in order, with its source", () => {
  const [, glossary = ""] = readFileSync("docs/scenarios.md", "utf8").split("## Glossary");
  const rows = [...glossary.matchAll(/^\| (.*?) \| (.*) \| (.*) \|$/gm)].slice(2);
  const words = rows.map(([, word = ""]) => word.toLowerCase());

  for (const word of [
    "gate",
    "load",
    "r",
    "mnest",
    "floor",
    "ghost",
    "synt",
    "stressor",
    "goal",
    "artifact",
    "evidence",
    "claim",
    "cycle",
    "lesson",
    "playbook",
  ]) {
    expect(words).toContain(word);
  }
  expect(words).toEqual([...new Set(words)].toSorted());
  expect(rows.filter(([, , says, source]) => says === "" || source === "")).toEqual([]);
});
