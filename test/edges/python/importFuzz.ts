/**
 * A process of its own: real Python behind the guard, of whose imports each of those in its argument is
 * called between two calls of a tool, with wrong arguments. Prints a line of JSON for each, until one
 * uses the process up; `rest` are those that were not called.
 */
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { pyodideFile } from "../../../src/edges/python/childProcess.ts";
import type { ChildRequest } from "../../../src/edges/python/childProtocol.ts";
import type { PythonModule } from "../../../src/edges/python/emscripten.ts";
import { Guard } from "../../../src/edges/python/guard.ts";
import { harness, scrub, virtualTime } from "../../../src/edges/python/harness.ts";
import { Interpreter } from "../../../src/edges/python/interpreter.ts";

const say = process.stdout.write.bind(process.stdout);
const quit = process.exit.bind(process);
const [wanted = "[]", seed = "1"] = process.argv.slice(2);

type Imported = (...given: unknown[]) => unknown;
const imports: Record<string, Imported> = {};
const guard = new Guard(256 * 1024 * 1024);
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
const module: PythonModule = python._module;
const interpreter = new Interpreter(module, guard, printed);

const look: ChildRequest = {
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
const answer = (): string => JSON.stringify(interpreter.answer(look));

const odd = fc.oneof(
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  fc.integer({ min: -8, max: 70 }),
  fc.constantFrom(0, 1, 2, 3, -1, -100, 0x7fffffff, 0x10000, 1 << 20, Number.NaN),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, 1n, -1n),
  fc.double(),
);
const TRIES = 12;

const before = answer();
const memory = module.HEAPU8.slice(); // What each call starts from.
const names = JSON.parse(wanted) as string[];
if (names.length === 0) {
  say(`${JSON.stringify({ all: Object.keys(imports) })}\n`);
  quit(0);
}
let rest: readonly string[] = names;
for (const [index, name] of names.entries()) {
  const draws = fc.sample(fc.array(odd, { maxLength: 7 }), { seed: Number(seed), numRuns: TRIES });
  const { isSpent, said } = calledWith(imports[name] as Imported, draws);
  module.HEAPU8.set(memory);
  const isChanged = !isSpent && answer() !== before;
  say(`${JSON.stringify({ name, isSpent, isChanged, said })}\n`);
  rest = names.slice(index + 1);
  if (isSpent || isChanged) break;
}
say(`${JSON.stringify({ rest })}\n`);
quit(0);

/** At a wrong time: no call of Python is under way. Ends at the first that uses the process up. */
function calledWith(imported: Imported, draws: readonly unknown[][]) {
  const said = new Set<string>();
  let isSpent = false;
  for (const given of draws) {
    guard.begin(look);
    try {
      said.add(typeof imported(...given));
    } catch (error) {
      said.add(error instanceof Error ? error.constructor.name : "thrown");
    }
    isSpent = guard.end().spent;
    if (isSpent) break;
  }
  return { isSpent, said: [...said] };
}
