/**
 * `ghostlight tool check --call`: a tool with arguments in the sandbox, on virtual files, as a world's engine would
 * run it. What one call changed, the next one sees.
 */

import type { Policy } from "../../../contract/policyTree.ts";
import type { Sandbox } from "../../../edges/python/sandbox.ts";
import { callVerdict } from "../../../edges/python/sandboxPort.ts";
import { TRIED_SETTING } from "../../../edges/python/triedSetting.ts";
import { permitted } from "../../../machines/agents/engine/builtins.ts";
import { pathsIn } from "../../../machines/folders.ts";
import type { Json } from "../../../machines/letter.ts";

export type Params = { readonly [name: string]: Json };
export type Texts = { readonly [path: string]: string };

/** A file that a call made, changed or removed; null where it was not there, or is no longer. */
export interface FileChanged {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ToolCalled {
  readonly call: Params;
  readonly ok: boolean;
  /** The function that was found; null when there is none. */
  readonly function: string | null;
  readonly returned: Json;
  /** Whether that is None, which agents read as success. */
  readonly isNone: boolean;
  readonly error: string | null;
  /** In virtual time, milliseconds. */
  readonly tookMs: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly changed: readonly FileChanged[];
}

/** One after the other. A call that fails changes no file. */
export async function callTool(
  tool: { readonly name: string; readonly implementation: string },
  calls: readonly Params[],
  given: Texts,
  policy: Policy,
  sandbox: Pick<Sandbox, "call">,
): Promise<readonly ToolCalled[]> {
  const done: ToolCalled[] = [];
  let files = given;
  for (const call of calls) {
    const one = await called(tool, call, files, policy, sandbox);
    const left = Object.entries(files).filter(([path]) =>
      one.changed.every((file) => file.path !== path),
    );
    const now = one.changed.flatMap(({ path, after }) => (after === null ? [] : [[path, after]]));
    files = Object.fromEntries([...left, ...now]);
    done.push(one);
  }
  return done;
}

async function called(
  { name, implementation: code }: { readonly name: string; readonly implementation: string },
  call: Params,
  files: Texts,
  policy: Policy,
  sandbox: Pick<Sandbox, "call">,
): Promise<ToolCalled> {
  const { sandbox: limits, folders, tools } = policy;
  const wallMs = limits.callTimeoutMs;
  // As in a world: a tool sees the files that its arguments name, and the folders that are always there.
  const texts = Object.values(call).filter((value) => typeof value === "string");
  const named = new Set(texts.flatMap((text) => pathsIn(text, folders)));
  const seen = Object.fromEntries(Object.entries(files).filter(([path]) => named.has(path)));
  const shared = { "/agentOS/workspace/shared/": "" };
  const result = await sandbox.call(
    { code, functionName: name, kwargs: call },
    { wallMs, events: wallMs * limits.eventsPerMs },
    { ...TRIED_SETTING, files: { ...shared, ...seen } },
  );
  const verdict = callVerdict(result);
  const touched = Object.entries(verdict.changed ?? {});
  const refusal = permitted(
    touched.map(([path]) => path),
    { folders, tools, attached: { closed: [] } },
  );
  const said = verdict.ok
    ? refusedBy(verdict.result ?? null)
    : (verdict.error ?? "it raised an exception");
  const fault = said ?? (verdict.functionName === null ? "there is no function to call" : refusal);
  const burntMs = Math.ceil((result.events ?? 0) / limits.eventsPerMs);
  return {
    ...{ call, ok: fault === undefined, function: verdict.functionName ?? null },
    ...{ returned: verdict.result ?? null, isNone: verdict.ok && verdict.isNone === true },
    error: fault ?? null,
    tookMs: result.timedOut ? wallMs : Math.min(wallMs, result.elapsedMs + Math.max(1, burntMs)),
    ...{ stdout: result.stdout, stderr: result.stderr },
    changed:
      fault === undefined
        ? touched.map(([path, after]) => ({ path, before: seen[path] ?? null, after }))
        : [],
  };
}

/** A tool that answers `{"ok": false}` says that it failed, in a world too. */
function refusedBy(result: Json): string | undefined {
  const { ok, error } = (result ?? {}) as { readonly [key: string]: Json };
  if (ok !== false) return undefined;
  return typeof error === "string" ? error : "the tool answered ok: false";
}
