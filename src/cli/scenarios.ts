/** `ghostlight scenarios`. Lists are of texts alone: what plays and checks scenarios is not loaded for them. */

import { countOf } from "../contract/countOf.ts";
import { command } from "../edges/command.ts";
import { badInput } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import type { ReadingLists } from "../edges/parts/partLists.ts";
import { refusal } from "../edges/scenario/finding.ts";
import { listScenarios, scenarioText } from "../edges/scenario/scenarioFolder.ts";
import { withReference } from "../edges/scenario/schemaReference.ts";
import { parseYaml } from "../edges/scenario/yamlText.ts";
import type { JsonFlag } from "./bundles.ts";
import { asPath, writeNew } from "./newFile.ts";
import type { NewScenarioFlags } from "./newScenario.ts";
import { print, printJson } from "./output.ts";

/** What is told of a scenario. */
interface Told {
  readonly why: string;
  readonly variants?: Readonly<Record<string, { readonly why: string }>>;
}

export async function scenariosCommand(
  flags: JsonFlag & NewScenarioFlags & { copy?: readonly string[]; new?: string },
): Promise<number> {
  if (flags.new !== undefined) {
    return (await import("./newScenario.ts")).newScenario(flags.new, flags);
  }
  for (const option of ["yes", "out"] as const) {
    if (flags[option] === undefined) continue;
    throw badInput(
      `--${option}`,
      "no --new",
      "only beside it",
      "For example: npx ghostlight scenarios --new first --yes",
    );
  }
  if (flags.copy !== undefined) return copyScenario(flags.copy);
  const all = listScenarios().map(({ name, file }) => ({ name, file, ...toldOf(file) }));
  if (flags.json) {
    const { parts } = await lists();
    const { metricTable } = await import("../contract/metricTable.ts");
    printJson({
      scenarios: all.map(({ name, file, why, variants = {} }) => ({
        name,
        file,
        why,
        variants: Object.keys(variants),
      })),
      metrics: metricTable(parts),
    });
    return EXIT.ok;
  }
  for (const { name, why, variants = {} } of all) {
    print(`${name}\n  ${why}`);
    for (const [variant, { why: reason }] of Object.entries(variants)) {
      print(`  --variant ${variant}: ${reason}`);
    }
  }
  print("`npx ghostlight scenarios --new NAME` writes a first one of your own.");
  return EXIT.ok;
}

function toldOf(file: string): Told {
  const yaml = parseYaml(scenarioText(file).text, file);
  if ("problems" in yaml) throw refusal(yaml.problems, file);
  return yaml.value as unknown as Told; // Each scenario of the package is decoded by the tests.
}

const lists = async (): Promise<ReadingLists> =>
  (await import("./chosenParts.ts")).readingLists({});

async function copyScenario(names: readonly string[]): Promise<number> {
  const [name, file, ...others] = names;
  if (name === undefined || file === undefined || others.length > 0) {
    throw badInput(
      "--copy",
      countOf(names.length, "name"),
      "two: the scenario, then the new file",
      "For example: npx ghostlight scenarios --copy safe-file-executor mine.yaml",
    );
  }
  const { loadScenario } = await import("../edges/scenario/scenarioFile.ts");
  const { text } = loadScenario(await lists(), name);
  writeNew(file, withReference(text, file), "--copy");
  print(`${file} is a copy of ${name}. Next: ${command`run ${asPath(file)}`}`);
  return EXIT.ok;
}
