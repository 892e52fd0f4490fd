// Runs one command line after another, each as if it had a process of its own: loading the modules
// takes longer than most commands. Started by warm.ts.
import "../warmThreads.ts";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { endMark, type Numbered } from "./warm.ts";

process.on("message", async ({ id, program, args, cwd, input }: Numbered) => {
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  const stdin = Readable.from(input === "" ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, "stdin", { configurable: true, value: stdin });
  // Another address is another module: the program runs anew, what it imports stays loaded.
  await import(`${pathToFileURL(program)}?${id}`);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  process.stdout.write(endMark(id));
  process.stderr.write(endMark(id));
  process.send?.({ id, code });
});
process.on("disconnect", () => process.exit());
