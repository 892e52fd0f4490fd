/** The folder of a study: new, empty, or one in which it was begun. */
import { accessSync, constants, existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "../bundle/makeFolder.ts";
import { OutputRefused } from "../errors.ts";
import { TABLE_FILE } from "./runTable.ts";

/** Makes it. Throws OutputRefused. */
export function claimStudyFolder(folder: string): void {
  try {
    const present = statSync(folder, { throwIfNoEntry: false });
    if (present?.isDirectory() === false) throw new Error("a file, not a folder");
    makeFolder(folder);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const isBegun = existsSync(path.join(folder, TABLE_FILE));
    if (!isBegun && readdirSync(folder).length > 0) throw new Error("a folder of something else");
  } catch (error) {
    throw new OutputRefused({
      where: { path: "--out", file: folder },
      found: error instanceof Error ? error.message : String(error),
      allowed: "a new or empty folder that can be written, or that of this study",
      todo: "Name another folder with --out.",
    });
  }
}
