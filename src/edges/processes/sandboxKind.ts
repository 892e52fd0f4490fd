/** `auto`: inside bubblewrap where the machine has it; `pyodide`: never; `bwrap`: always. */
export const SANDBOX_KINDS = ["auto", "pyodide", "bwrap"] as const;

export type SandboxKind = (typeof SANDBOX_KINDS)[number];
