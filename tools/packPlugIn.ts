/**
 * `node tools/packPlugIn.ts NODE PROGRAM`: from an empty folder an installed package does all that docs/any-model.md
 * shows, against the small server on loopback, or this fails.
 */
import { spawn } from "node:child_process";
import { anyModelPage } from "../test/cli/anyModelPage.ts";
import type { Said } from "../test/cli/ghostlight.ts";
import { newFolder, removeFolders } from "../test/folders.ts";

const [node = "", program = ""] = process.argv.slice(2);
const cwd = newFolder();

const run = (args: readonly string[]): Promise<Said> =>
  new Promise((resolve, reject) => {
    const child = spawn(node, [program, ...args], { cwd, stdio: ["ignore", "pipe", "pipe"] });
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        said[name] += text;
      });
    }
    child.on("error", reject).on("close", (code) => resolve({ code, ...said }));
  });

const { commands, faults } = await anyModelPage(run);
removeFolders();
for (const fault of faults) console.error(fault);
console.log(`${commands} commands of docs/any-model.md`);
process.exitCode = faults.length === 0 && commands > 0 ? 0 : 1;
