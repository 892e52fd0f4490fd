/** A new file that a command writes for its user, never over another. */
import { writeFileSync } from "node:fs";
import { badInput, OutputRefused, quoted } from "../edges/errors.ts";

/** The file that a name or a path after `option` means; the ending may be left out. Throws BadInput. */
export function namedFile(name: string, option: string, example: string): string {
  if (!/^[\w./\\][\w./\\-]*$/.test(name) || /(^|[\\/])\.*$/.test(name)) {
    throw badInput(
      option,
      quoted(name),
      "a name or a path of letters, digits, ., _ and -, which does not begin with -",
      `For example: ${example}`,
    );
  }
  return /\.ya?ml$/i.test(name) ? name : `${name}.yaml`;
}

/** Throws OutputRefused where something is, or where nothing can be written. */
export function writeNew(file: string, text: string, option: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new OutputRefused({
      where: { path: option, file },
      found: code === "EEXIST" ? "a file that is there already" : message,
      allowed: "a new file in a folder that can be written",
      todo: "Name another file.",
    });
  }
}

/** As `run` takes it: a bare name would be one of the scenarios that come with ghostlight. */
export const asPath = (file: string): string => (/[\\/]/.test(file) ? file : `./${file}`);
