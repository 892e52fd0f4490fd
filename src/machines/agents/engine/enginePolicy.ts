/** What the engine may do, and how long what takes. */
import type { FolderPolicy } from "../../folders.ts";
import { between, integer, type ValuesOf } from "../../policyLeaf.ts";
import type { SandboxPolicy } from "../../sandboxPolicy.ts";
import type { ShellPolicy } from "../../shellPolicy.ts";
import type { AttachedHooks, HookPolicy } from "../hooks.ts";
import type { ToolPolicy } from "./builtins.ts";
import type { GhostPolicy } from "./ghosts.ts";
import type { LockPolicy } from "./locks.ts";
import { builtinsLeaf, type RegistryPolicy } from "./registry.ts";
import type { RouterPolicy } from "./router.ts";

export const engineLeaves = {
  callMs: integer(1_000, between(0, 600_000, "ms"), {
    says: "Time the engine itself takes for one call, from request to answer.",
    source: "ours; the real system's steps without a model call take about a second",
  }),
  builtins: builtinsLeaf,
};

/** The leaves the engine reads, and its own address, to which it writes its routing decisions. */
export interface EnginePolicy {
  readonly self: string;
  /** What other parts attach. */
  readonly attached: AttachedHooks;
  readonly engine: ValuesOf<typeof engineLeaves>;
  readonly folders: FolderPolicy;
  readonly ghosts: GhostPolicy;
  readonly hooks: HookPolicy;
  readonly locks: LockPolicy;
  readonly registry: RegistryPolicy;
  readonly router: RouterPolicy;
  readonly sandbox: SandboxPolicy;
  readonly shell: ShellPolicy;
  readonly tools: ToolPolicy;
}
