/** `ghostlight studies`: those that come with the program, and a first one of one's own. */

import path from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "../../edges/command.ts";
import { EXIT } from "../../edges/exit.ts";
import { refusal } from "../../edges/scenario/finding.ts";
import { listScenarios, namedText } from "../../edges/scenario/scenarioFolder.ts";
import { withReference } from "../../edges/scenario/schemaReference.ts";
import { parseYaml } from "../../edges/scenario/yamlText.ts";
import { asPath, namedFile, writeNew } from "../newFile.ts";
import { print, printJson } from "../output.ts";

/** Beside src/ in a checkout and beside dist/ in the package. */
const folder = fileURLToPath(new URL("../../../studies/", import.meta.url));
const schema = path.join(folder, "study.schema.json");

/** What a new study starts from: small, and with one of everything. */
const FIRST = "lock-thresholds";

/** What is told of a study. */
interface Told {
  readonly why: string;
  readonly scenario: string | readonly string[];
}

export async function studiesCommand(flags: {
  readonly new?: string;
  readonly json?: true;
}): Promise<number> {
  if (flags.new !== undefined) return newStudy(flags.new, flags.json);
  const all = listScenarios(folder).map(({ name, file }) => ({ name, file, ...toldOf(file) }));
  if (flags.json) {
    printJson({
      studies: all.map(({ name, file, why, scenario }) => ({ name, file, why, scenario })),
    });
    return EXIT.ok;
  }
  for (const { name, why, scenario } of all) {
    print(`${name} (on ${[scenario].flat().join(", ")})\n  ${why}`);
  }
  print("`npx ghostlight studies --new NAME` writes a first one of your own.");
  return EXIT.ok;
}

function toldOf(file: string): Told {
  const yaml = parseYaml(namedText(file, folder, "study").text, file);
  if ("problems" in yaml) throw refusal(yaml.problems, file);
  return yaml.value as unknown as Told; // Each study of the package is decoded by the tests.
}

function newStudy(name: string, isJson: true | undefined): number {
  const file = namedFile(name, "--new", command`studies --new thresholds`);
  const { text } = namedText(FIRST, folder, "study");
  writeNew(file, withReference(text, file, schema), "--new");
  const next = command`sweep ${asPath(file)}`;
  if (isJson) printJson({ study: file, next });
  else print(`${file} is a study that works: change it. Next: ${next}`);
  return EXIT.ok;
}
