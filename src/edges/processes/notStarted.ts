/** The error of a process that could not be started. */
import { SandboxFailed } from "../errors.ts";
import { NODE_NEEDED } from "../product.ts";
import type { SandboxKind } from "./sandboxKind.ts";

/** A stack of WebAssembly tells the user nothing: the first line does. */
export function notStarted(
  kind: SandboxKind | "shell",
  error: unknown,
  node: string = process.versions.node,
): SandboxFailed {
  const what = kind === "shell" ? "shell" : "Python";
  return new SandboxFailed({
    where: { path: kind === "shell" ? "the shell" : `sandbox ${kind}` },
    found: (error instanceof Error ? error.message : String(error)).split("\n", 1)[0] ?? "",
    allowed: `a ${what} that starts`,
    todo:
      Number.parseInt(node, 10) < Number.parseInt(NODE_NEEDED, 10)
        ? `This is Node ${node}; ${kind === "shell" ? "the shell" : what} needs Node ${NODE_NEEDED} or newer. A replay of a recording needs no ${what}.`
        : `Try again when the machine is less busy. A replay of a recording needs no ${what}.`,
  });
}
