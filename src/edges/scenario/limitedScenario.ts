/** A scenario with other bounds of a run, as if its file had them: a bundle's text says all that a run rests on. */
import { parseDocument } from "yaml";
import type { Limits } from "../../substrate/limits.ts";
import type { ReadingLists } from "../parts/partLists.ts";
import { type LoadedScenario, parseScenario } from "./scenarioFile.ts";

/** Throws BadInput for a bound that scenarios do not take. */
export function limitedScenario(
  lists: ReadingLists,
  loaded: LoadedScenario,
  limits: Partial<Limits>,
): LoadedScenario {
  const entries = Object.entries(limits);
  if (entries.length === 0) return loaded;
  const document = parseDocument(loaded.text);
  for (const [name, value] of entries) document.setIn(["limits", name], value);
  const text = document.toString({ lineWidth: 0 });
  return { ...loaded, text, scenario: parseScenario(lists, text, loaded.file) };
}
