/** The line by which editors find the schema of a scenario: `# yaml-language-server: $schema=PATH`. */
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Beside src/ in a checkout and beside dist/ in the package, like the scenarios. */
const schemaFile = fileURLToPath(new URL("../../scenarios/scenario.schema.json", import.meta.url));

const REFERENCE = /^# yaml-language-server: \$schema=.*$/m;

/** The text of a scenario for a file elsewhere: its reference leads from there to the schema. */
export function withReference(text: string, file: string): string {
  const line = `# yaml-language-server: $schema=${schemaFrom(path.dirname(path.resolve(file)))}`;
  return REFERENCE.test(text) ? text.replace(REFERENCE, () => line) : `${line}\n${text}`;
}

/** Relative, so that a project can be moved; a URL from another drive, or where blanks would end it. */
function schemaFrom(folder: string): string {
  const relative = path.relative(folder, schemaFile).replaceAll("\\", "/");
  if (path.isAbsolute(relative) || /\s/.test(relative)) return pathToFileURL(schemaFile).href;
  return relative.startsWith(".") ? relative : `./${relative}`;
}
