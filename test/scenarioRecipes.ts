// The recipes of docs/scenarios.md.
import { readFileSync } from "node:fs";

interface Recipe {
  readonly title: string;
  /** The scenario. */
  readonly text: string;
  /** What the page tells of its run. */
  readonly says: string;
}

export const scenarioRecipes = (): readonly Recipe[] =>
  [
    ...readFileSync("docs/scenarios.md", "utf8").matchAll(
      /^### (.*)\n[\s\S]*?^```yaml\n([\s\S]*?)^```\n\n`run` says: "(.*)"\.$/gm,
    ),
  ].map(([, title = "", text = "", says = ""]) => ({ title, text, says }));
