/** Starts the process that Python runs in, with as few rights as Node can give, and talks to it. */
import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type BareNode, type Ended, manifestsAbove, startBareNode } from "../processes/bareNode.ts";
import type { Walls } from "../processes/bwrap.ts";
import type { ChildSetup } from "./childProtocol.ts";

/** In a checkout Node runs the TypeScript; in the package it is compiled. */
const childFile = fileURLToPath(
  new URL(import.meta.url.endsWith(".ts") ? "./child.ts" : "./child.js", import.meta.url),
);
const require = createRequire(import.meta.url);

/** Ours: the longest line that is read from a child; more is an attack. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

export const pyodideFile = (): string => realpathSync(require.resolve("pyodide/pyodide.mjs"));

/** Everything the child sends goes through `onBytes`; framing is the caller's. */
export interface ChildHandle extends Omit<BareNode, "stdout"> {
  /** The next line, or how the process ended instead. */
  line(): Promise<string | Ended>;
  /** Exactly this many bytes. */
  bytes(count: number): Promise<Uint8Array | Ended>;
}

/** `walls` puts more around it: bwrap.ts. */
export const startChild = (setup: ChildSetup, walls?: Walls): ChildHandle =>
  handleOf(
    startBareNode({
      file: childFile,
      given: [JSON.stringify(setup)],
      reads: readable(setup),
      flags: [
        // Python's functions are checked as they are first compiled; most never are. A third of the start.
        "--wasm-lazy-validation",
        // V8 makes code best that short tools hardly run: a quarter of the time that they take.
        "--no-wasm-inlining",
        "--wasm-tiering-budget=130000000",
      ],
      walls,
    }),
  );

/** Our own code, Pyodide, and the package `ws` that Pyodide loads unasked. */
function readable(setup: ChildSetup): readonly string[] {
  const code = path.dirname(childFile);
  const pyodide = path.dirname(setup.pyodide);
  const ws = path.dirname(realpathSync(createRequire(setup.pyodide).resolve("ws/package.json")));
  const manifests = [...manifestsAbove(code), ...manifestsAbove(pyodide)];
  return [path.join(code, "*"), path.join(pyodide, "*"), path.join(ws, "*"), ...manifests];
}

function handleOf({ stdout, ...child }: BareNode): ChildHandle {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let wake = (): void => {};
  let over: Ended | undefined;
  void child.ended.then((ended) => {
    over = ended;
    wake();
  });
  stdout.on("data", (bytes: Buffer) => {
    held.push(bytes);
    heldBytes += bytes.length;
    wake();
  });

  const take = async (lengthOf: (held: Buffer) => number): Promise<Buffer | Ended> => {
    let seen = -1;
    for (;;) {
      if (heldBytes !== seen) {
        const all = Buffer.concat(held);
        seen = heldBytes;
        held = [all];
        const length = lengthOf(all);
        if (length >= 0) {
          held = [all.subarray(length)];
          heldBytes -= length;
          return all.subarray(0, length);
        }
      } else if (over !== undefined) {
        return over;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  };
  return {
    ...child,
    line: async () => {
      const found = await take((all) => {
        if (all.length > LINE_BYTES_MAX) child.kill();
        return all.length > LINE_BYTES_MAX ? -1 : all.indexOf(10) + 1 || -1;
      });
      return Buffer.isBuffer(found) ? found.toString("utf8") : found;
    },
    bytes: (count) => take((all) => (all.length >= count ? count : -1)),
  };
}
