/** One sandbox for a test file, with a snapshot that the test files and their next runs share. */
import { fileURLToPath } from "node:url";
import type { CallResult, CallSetting, SandboxLimits } from "../../../src/edges/python/answer.ts";
import type { Sandbox } from "../../../src/edges/python/sandbox.ts";

export const testCache = fileURLToPath(
  new URL("../../../node_modules/.cache/ghostlight", import.meta.url),
);

export const noon: CallSetting = { seed: 7, nowMs: Date.UTC(2026, 4, 3, 12) };

export interface Asked {
  readonly kwargs?: { readonly [name: string]: string };
  readonly limits?: SandboxLimits;
  readonly setting?: Partial<CallSetting>;
}

/** Calls `tool` of a module. */
export const callTool = (sandbox: Sandbox, code: string, asked: Asked = {}): Promise<CallResult> =>
  sandbox.call(
    { code, functionName: "tool", kwargs: asked.kwargs ?? {} },
    asked.limits ?? { wallMs: 10_000 },
    { ...noon, ...asked.setting },
  );
