/** The line by which editors find the schema of a scenario: `# yaml-language-server: $schema=PATH`. */
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** Beside src/ in a checkout and beside dist/ in the package, like the scenarios. */
const schemaFile = fileURLToPath(
  new URL("../../../scenarios/scenario.schema.json", import.meta.url),
);

/** Among the comments at the top; the same words further down are text. */
const REFERENCE = /^((?:#.*\r?\n)*?)# yaml-language-server: \$schema=[^\r\n]*/;

/** The text of a scenario for a file elsewhere: its reference leads from there to the schema. */
export function withReference(text: string, file: string, schema = schemaFile): string {
  const reference = schemaFrom(path.dirname(path.resolve(file)), schema);
  const line = `# yaml-language-server: $schema=${reference}`;
  return REFERENCE.test(text)
    ? text.replace(REFERENCE, (_, above: string) => above + line)
    : `${line}\n${text}`;
}

/** Relative, so that a project can be moved; a URL from another drive, or where blanks would end it. */
function schemaFrom(folder: string, schema: string): string {
  const relative = path.relative(folder, schema).replaceAll("\\", "/");
  if (path.isAbsolute(relative) || /\s/.test(relative)) return pathToFileURL(schema).href;
  return relative.startsWith(".") ? relative : `./${relative}`;
}
