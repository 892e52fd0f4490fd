/** How the builder goes on when it wakes up: by what workflow.state says, and not by memory. Source: seed 003, "Resumption". */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import type { InstallPhase } from "./builderRules.ts";
import { agentOf } from "./crewMail.ts";
import { refusalText, resultText } from "./crewTools.ts";
import type { InstallerContext, InstallerEvent } from "./installerContext.ts";
import { broken, ended, withFact } from "./installerUpdates.ts";

type Change = Partial<InstallerContext>;

/** Awake again: how far the install is, by the gateway's word and not by memory. */
export function woken(context: InstallerContext, event: InstallerEvent): Change {
  if (event.type !== "gateway.answered") return {};
  const fact = withFact(context, event);
  if (!event.ok) return { ...broken(`workflow.state: ${refusalText(event)}`), ...fact };
  const { result } = event;
  const state = isMap(result) ? result : {};
  const hint = resultText(event, "resume_hint");
  const pending = Array.isArray(state["pending_approvals"]) ? state["pending_approvals"] : [];
  return { hint, ...fact, ...resumed(context, pending, state["install"] ?? null) };
}

function resumed(context: InstallerContext, pending: readonly Json[], install: Json): Change {
  const { ruling, phase, hasAsked, approval: known } = context;
  // What failed before it fell asleep has failed for good.
  if (OVER.includes(phase)) return {};
  if (ruling !== null && !ruling.isApproved) return { phase: "approval-pending" };
  const approval = pending.find((one) => typeof one === "string");
  if (approval !== undefined && ruling === null && hasAsked) {
    return { phase: "approval-pending", approval: known ?? approval };
  }
  const found = hasAsked && isMap(install) ? foundInstall(context, install) : null;
  if (found !== null) return found;
  return ruling !== null || phase === "approval-pending" ? { phase: "approved" } : {};
}

const OVER: readonly InstallPhase[] = ["loose", "refused", "gated"];

/** How far the gateway says that this very install came; null where it knows nothing of it. */
function foundInstall(
  { task, revision }: InstallerContext,
  { agent_id: agent, revision_id: id, step }: { readonly [field: string]: Json },
): Change | null {
  if (agent !== agentOf(task?.intent ?? {})) return null;
  if (step === "refused" && revision === null) {
    return {
      phase: "refused",
      ...ended("refused", "it was refused while the builder slept", null),
    };
  }
  if (typeof id !== "string" || (revision !== null && revision !== id)) return null;
  // One that is active may be an earlier one of the agent: it is this one where this one was known.
  if (step === "active") return revision === id ? { phase: "done" } : null;
  return { phase: "created", revision: id };
}
