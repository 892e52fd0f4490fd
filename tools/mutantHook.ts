// Loads one file as tools/mutants.ts changed it: in tests, and in every process and thread of the product that they start.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";

const { MUTANT_FILE, MUTANT_TEXT } = process.env;
if (MUTANT_FILE !== undefined && MUTANT_TEXT !== undefined) {
  const changed = pathToFileURL(MUTANT_FILE).href;
  registerHooks({
    load: (url, context, next) =>
      url.split("?")[0] === changed
        ? { ...next(url, context), source: readFileSync(MUTANT_TEXT, "utf8") }
        : next(url, context),
  });
}
