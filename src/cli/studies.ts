/** `ghostlight studies`: those that come with the program, and a first one of one's own. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { BadInput, OutputRefused, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { refusal } from "../edges/finding.ts";
import { listScenarios, namedText } from "../edges/scenarioFolder.ts";
import { withReference } from "../edges/schemaReference.ts";
import { parseYaml } from "../edges/yamlText.ts";
import { print, printJson } from "./output.ts";

/** Beside src/ in a checkout and beside dist/ in the package. */
const folder = fileURLToPath(new URL("../../studies/", import.meta.url));
const schema = path.join(folder, "study.schema.json");

/** What a new study starts from: small, and with one of everything. */
const FIRST = "lock-thresholds";

/** What is told of a study. */
interface Told {
  readonly why: string;
  readonly scenario: string;
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
  for (const { name, why, scenario } of all) print(`${name} (on ${scenario})\n  ${why}`);
  print("`npx ghostlight studies --new NAME` writes a first one of your own.");
  return EXIT.ok;
}

function toldOf(file: string): Told {
  const yaml = parseYaml(namedText(file, folder, "study").text, file);
  if ("problems" in yaml) throw refusal(yaml.problems, file);
  return yaml.value as unknown as Told; // Each study of the package is decoded by the tests.
}

function newStudy(name: string, isJson: true | undefined): number {
  if (!/^[\w./\\-]+$/.test(name) || /(^|[\\/])\.*$/.test(name)) {
    throw new BadInput({
      where: { path: "--new" },
      found: quoted(name),
      allowed: "a name or a path of letters, digits, ., _ and -",
      todo: "For example: npx ghostlight studies --new thresholds",
    });
  }
  const file = /\.ya?ml$/i.test(name) ? name : `${name}.yaml`;
  const { text } = namedText(FIRST, folder, "study");
  try {
    writeFileSync(file, withReference(text, file, schema), { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OutputRefused({
      where: { path: "--new", file },
      found: code === "EEXIST" ? "a file that is there already" : message,
      allowed: "a new file in a folder that can be written",
      todo: "Name another file.",
    });
  }
  const next = `npx ghostlight sweep ${/[\\/]/.test(file) ? file : `./${file}`}`;
  if (isJson) printJson({ study: file, next });
  else print(`${file} is a study that works: change it. Next: ${next}`);
  return EXIT.ok;
}
