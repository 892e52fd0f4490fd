/** `new part`: a part of one's own that works, with a test, to be changed. */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { claimFolder } from "../edges/bundle/bundleWriter.ts";
import { badInput, OutputRefused, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { namesIn } from "../edges/parts/joinedParts.ts";
import { isPartName, NAME_ALLOWED } from "../edges/parts/ownPart.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import { partLists } from "./chosenParts.ts";
import { print, printJson } from "./output.ts";

const templates = fileURLToPath(new URL("../../templates/part/", import.meta.url));

export async function newPartCommand(
  name: string,
  flags: { readonly out?: string; readonly json?: true },
): Promise<number> {
  const camel = checkedName(name, await partLists({}));
  const folder = flags.out ?? name;
  const named = (text: string): string =>
    text.replaceAll("part-name", name).replaceAll("partName", camel);
  const files = readdirSync(templates).map((file) => ({
    file: named(file),
    text: named(readFileSync(path.join(templates, file), "utf8")),
  }));
  claimFolder(folder);
  writeWhole(folder, files);
  const next = [`cd ${folder}`, "npm install", "npm test", "npm start"];
  if (flags.json) {
    printJson({ part: name, folder, files: files.map(({ file }) => file), next });
    return EXIT.ok;
  }
  print(`${folder} holds the part ${name}: ${files.map(({ file }) => file).join(", ")}.`);
  print(`Next:\n${next.map((line) => `  ${line}`).join("\n")}`);
  print(`Then change ${name}.ts: its comments lead from its numbers to its promises.`);
  return EXIT.ok;
}

/** The name as it stands in paths of the policy, metrics and fields. Throws BadInput. */
function checkedName(name: string, lists: PartLists): string {
  const where = { path: "new part NAME" };
  const todo = "Give another name, such as `npx ghostlight new part tea-room`.";
  if (!isPartName(name)) {
    throw badInput(where, quoted(name), NAME_ALLOWED, todo);
  }
  const camel = name.replaceAll(/-+(.?)/g, (_, letter: string) => letter.toUpperCase());
  const taken = namesIn(lists).find((one) => one.name === name || one.name === camel);
  if (taken === undefined) return camel;
  const { what, of } = taken;
  const owner = of === "the core" ? of : `the part ${of}`;
  throw badInput(
    where,
    `${quoted(name)}, which is a ${what} of ${owner}`,
    "a name that nothing in a world has",
    todo,
  );
}

/** All files or none. The folder is there, and empty. */
function writeWhole(
  folder: string,
  files: readonly { readonly file: string; readonly text: string }[],
): void {
  const parent = path.dirname(path.resolve(folder));
  let unfinished: string | undefined;
  try {
    unfinished = mkdtempSync(path.join(parent, ".ghostlight-new-"));
    for (const { file, text } of files) writeFileSync(path.join(unfinished, file), text);
    rmdirSync(folder);
    renameSync(unfinished, folder);
  } catch (error) {
    if (unfinished !== undefined) rmSync(unfinished, { recursive: true, force: true });
    throw new OutputRefused({
      where: { path: "--out", file: folder },
      found: (error as NodeJS.ErrnoException).message,
      allowed: "a new or empty folder in one that can be written",
      todo: "Name another folder.",
    });
  }
}
