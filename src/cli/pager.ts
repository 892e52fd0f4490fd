/** Long output on a terminal, in the pager that a person has: PAGER, else less. */
import { spawnSync } from "node:child_process";
import { screenSize } from "./output.ts";

/** Commands that print what is read, and ask nothing on the way. */
const PAGED = ["why", "events", "prompts", "diff", "policy", "metrics", "machines", "studies"];

export const isPaged = (command: string): boolean =>
  PAGED.includes(command) && Boolean(process.stdin.isTTY && process.stdout.isTTY);

/** Colours and control codes stay as they are; less ends by itself where one screen is enough. */
const LESS = "FRX";

/** False where it is short, or no pager is there or wanted: it is to be printed. */
export function paged(text: string): boolean {
  const { PAGER, TERM } = process.env;
  const pager = PAGER ?? (process.platform === "win32" ? "" : "less");
  const isShort = text.split("\n").length <= screenSize().rows;
  if (isShort || TERM === "dumb" || pager.trim() === "" || pager.trim() === "cat") return false;
  const { status } = spawnSync(pager, {
    ...{ shell: true, input: text, stdio: ["pipe", "inherit", "inherit"] },
    env: { LESS, ...process.env },
  });
  // A shell says 126 and 127 of what it cannot run.
  return status !== 126 && status !== 127;
}
