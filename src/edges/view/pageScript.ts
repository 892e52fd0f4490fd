/** The script of the page: as a build left it in the package; in a checkout it is bundled when it is asked for. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { badInput } from "../errors.ts";

const isCheckout = import.meta.url.endsWith(".ts");

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The whole script, minified. Throws BadInput where it can neither be read nor made. */
export async function pageScript(): Promise<string> {
  if (isCheckout) return bundledScript();
  const built = at("../../viewer/page.js");
  if (existsSync(built)) return readFileSync(built, "utf8");
  throw badInput(
    { file: built },
    "no script of the page",
    "the script that `npm run build` makes",
    "Install the package again, or build it: npm run build.",
  );
}

/** What `npm run build` puts into the package. */
export async function bundledScript(): Promise<string> {
  try {
    const { build } = await import("rolldown");
    const { output } = await build({
      input: at("../../viewer/main.tsx"),
      platform: "browser",
      tsconfig: at("../../../tsconfig.viewer.json"),
      write: false,
      logLevel: "silent",
      output: { format: "iife", codeSplitting: false, comments: { legal: false }, minify: true },
    });
    return output[0].code;
  } catch (error) {
    throw badInput(
      { file: at("../../viewer/main.tsx") },
      `a page whose script cannot be bundled: ${error instanceof Error ? error.message : error}`,
      "a checkout with the packages of its development",
      "Install them: npm install. An installed package brings the script along.",
    );
  }
}
