/** Parts from files: modules whose default export is a part. */
import { statSync } from "node:fs";
import module from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type BadInput, badInput, isEdgeError } from "../errors.ts";
import { checkedPart, type OwnPart } from "./ownPart.ts";

/** In the order of the files. Throws BadInput for a file that is not there, or that holds no part. */
export async function ownParts(files: readonly string[] = []): Promise<readonly OwnPart[]> {
  if (files.length > 0) giveLibrary();
  const own: OwnPart[] = [];
  for (const file of files) own.push(checkedPart(await defaultOf(file), `--part ${file}`));
  return own;
}

/** The library of this program, in a checkout or in the package. */
const library = new URL(
  import.meta.url.endsWith(".ts") ? "../../index.ts" : "../../index.js",
  import.meta.url,
).href;
let isGiven = false;

/** What a part imports from ghostlight is this program itself, wherever the file lies: there are no two of them. */
function giveLibrary(): void {
  if (isGiven) return;
  isGiven = true;
  // An older Node, which we try, lacks them; it then takes what is installed beside the part.
  module.registerHooks?.({
    resolve: (specifier, context, next) =>
      specifier === "ghostlight" ? { url: library, shortCircuit: true } : next(specifier, context),
  });
}

async function defaultOf(file: string): Promise<unknown> {
  if (!isFile(file)) throw partError(file, "no such file");
  let loaded: { readonly default?: unknown };
  try {
    loaded = await inTime(
      import(pathToFileURL(path.resolve(file)).href) as Promise<typeof loaded>,
      `not done after ${LOAD_SECONDS} seconds: it waits for something at its top level`,
    );
  } catch (thrown) {
    if (isEdgeError(thrown)) throw thrown; // Of `definePart`: it says what is wrong with the part.
    throw partError(file, `a module that does not load: ${messageOf(thrown)}`);
  }
  if (loaded.default === undefined) throw partError(file, "a module without a default export");
  return loaded.default;
}

/** Ours: more than any module takes, and a person still waits for it. */
const LOAD_SECONDS = 20;

/** Rejects with these words when it takes longer; so does what would never end. */
async function inTime<T>(work: Promise<T>, words: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(words)), LOAD_SECONDS * 1_000);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const isFile = (file: string): boolean =>
  !file.includes("\0") && (statSync(file, { throwIfNoEntry: false })?.isFile() ?? false);

function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return `a ${typeof thrown} was thrown that has no text`;
  }
}

const partError = (file: string, found: string): BadInput =>
  badInput(
    { path: "--part", file },
    found,
    "a module whose default export is a part",
    "Write `export default definePart({ name: … })` in it, with `definePart` of ghostlight.",
  );
