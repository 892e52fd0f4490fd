/**
 * Real Python behind the guard in this very process, which it takes clock, entropy and WebAssembly from:
 * only for a program of its own.
 */
import { pathToFileURL } from "node:url";
import { pyodideFile } from "../../../src/edges/python/childProcess.ts";
import type { ChildRequest } from "../../../src/edges/python/childProtocol.ts";
import type { PythonModule } from "../../../src/edges/python/emscripten.ts";
import { Guard } from "../../../src/edges/python/guard.ts";
import { harness, scrub, virtualTime } from "../../../src/edges/python/harness.ts";
import { Interpreter } from "../../../src/edges/python/interpreter.ts";

export type Imported = (...given: unknown[]) => unknown;
/** What Python can call, by name. */
export const imports: Record<string, Imported> = {};
export const guard = new Guard(256 * 1024 * 1024);
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: { instantiate(source: unknown, given: object): Promise<unknown> };
};
const instantiate = WebAssembly.instantiate.bind(WebAssembly);
// Below the guard: what arrives here is what Python can call.
Object.defineProperty(WebAssembly, "instantiate", {
  configurable: true,
  value: (source: unknown, given: Record<string, Record<string, Imported>>) => {
    for (const space of ["env", "wasi_snapshot_preview1"]) {
      for (const [name, one] of Object.entries(given?.[space] ?? {})) {
        if (typeof one === "function" && given["wasi_snapshot_preview1"]) imports[name] = one;
      }
    }
    return instantiate(source, given);
  },
});
guard.install();

const collector = () => {
  let text = "";
  return {
    write: (bytes: Uint8Array): number => {
      text += Buffer.from(bytes).toString();
      return bytes.length;
    },
    take: (): string => {
      const taken = text;
      text = "";
      return taken;
    },
  };
};
const printed = { stdout: collector(), stderr: collector() };
const { loadPyodide } = await import(pathToFileURL(pyodideFile()).href);
const python = await loadPyodide({ env: { PYTHONHASHSEED: "0" }, jsglobals: {} });
python.runPython(harness);
python.setStdout({ write: printed.stdout.write, isatty: false });
python.setStderr({ write: printed.stderr.write, isatty: false });
python.runPython(virtualTime);
python.runPython(scrub);
export const module: PythonModule = python._module;
export const interpreter = new Interpreter(module, guard, printed);

/** An ordinary call that looks at what an earlier one could have left. */
export const look: ChildRequest = {
  ...{ id: "look", mode: "call", functionName: "tool", kwargs: {}, seed: 3, nowMs: 7_000 },
  ...{ limitMs: 60_000, events: 500_000, files: { given: "x" } },
  code: `
import os, random, sys, time
def tool():
    print("seen")
    return [os.listdir("/"), os.listdir("/work"), os.getcwd(), time.time(), random.random(), id(tool), len(sys.modules),
            os.open("n", os.O_CREAT), os.stat("n").st_ino, os.stat("/").st_mode, open("/lib/python314.zip", "rb").read(40).hex()]
`,
};
