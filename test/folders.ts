import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made: string[] = [];

/** An empty folder that is gone when the tests of the file are over: see setup.ts. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ghostlight-"));
  made.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}
