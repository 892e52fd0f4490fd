// Runs one command line after another, each as if it had a process of its own: loading the modules
// takes longer than most commands. Started by ghostlight.ts.
import { pathToFileURL } from "node:url";
import { endMark, type Order } from "./warm.ts";

process.on("message", async ({ id, program, args, cwd }: Order) => {
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...args];
  process.exitCode = undefined;
  // Another address is another module: the program runs anew, what it imports stays loaded.
  await import(`${pathToFileURL(program)}?${id}`);
  const code = process.exitCode ?? 0;
  process.exitCode = undefined;
  process.stdout.write(endMark(id));
  process.stderr.write(endMark(id));
  process.send?.({ id, code });
});
process.on("disconnect", () => process.exit());
