/** The error of a process that could not be started. */
import { readFileSync } from "node:fs";
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
        : `${limitsText()} Raise what is too low, or try again when the machine is less busy. A replay of a recording needs no ${what}.`,
  });
}

const MIB = 1024 * 1024;

/** What the system allows this process. Where it does not say, what is free of the memory alone. */
export function limitsText(limits = systemLimits(), freeBytes = process.availableMemory()): string {
  const soft = (name: string): number | undefined => {
    const [, found] = new RegExp(`^${name} +(\\d+)`, "m").exec(limits) ?? [];
    return found === undefined ? undefined : Number(found);
  };
  const [threads, bytes] = [soft("Max processes"), soft("Max address space")];
  const said = [
    ...(threads === undefined ? [] : [`${threads} processes and threads of this user (ulimit -u)`]),
    ...(bytes === undefined ? [] : [`${mib(bytes)} of addresses (ulimit -v)`]),
    `${mib(freeBytes)} of memory are free`,
  ];
  return `The limits here: ${said.join(", ")}.`;
}

const mib = (bytes: number): string => `${Math.floor(bytes / MIB)} MiB`;

function systemLimits(): string {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return "";
  }
}
