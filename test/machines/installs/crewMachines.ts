// One of those who install alone: what it is sent, what it says and asks.
import type { AnyStateMachine } from "xstate";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import type { IntentFields } from "../../../src/machines/installs/crew/crewMail.ts";
import type { Json, Letter, Mail, MailEvent, MailOf } from "../../../src/machines/letter.ts";
import { policyWith } from "../../builtIn.ts";
import { statecharts } from "../../cast.ts";
import { ours } from "../statechartRunners.ts";

export type Member = "planner" | "coder" | "evaluator" | "auditor" | "installer";

export function alone(member: Member, policy: { readonly [path: string]: PolicyValue } = {}) {
  const machine: AnyStateMachine = statecharts(policyWith(policy))[member];
  const runner = ours(machine, "tables");
  let seq = 1;
  const sent: Letter[] = [];
  const heard = () => sent.push(...runner.seen().letters);
  const at = (asked: boolean) => ({
    ...{ nowMs: 0, seq: ++seq, from: "planner.default" },
    ...(asked ? { asked: true as const } : {}),
  });
  runner.start({}, at(false));
  const here = {
    sent,
    send(...events: readonly MailEvent[]) {
      for (const event of events) {
        runner.send(event, at(true));
        heard();
      }
      return here;
    },
    /** The next timer runs out. */
    late() {
      runner.fire(runner.nextDueMs() ?? 0, at(false));
      heard();
      return here;
    },
    of: <K extends keyof Mail>(type: K) =>
      sent.flatMap(({ event }) => (event.type === type ? [event as unknown as Mail[K]] : [])),
    /** The tools of the gateway that it called. */
    calls: () => here.of("gateway.asked").map(({ tool }) => tool),
    value: () => runner.seen().value,
    isIdle: () => runner.seen().value === "idle",
  };
  return here;
}

// What the outside says.

export const said = (answer: Json): MailEvent => ({
  type: "llm.replied",
  text: typeof answer === "string" ? answer : JSON.stringify(answer),
});
export const turn = (tool: string, more: object = {}): MailEvent =>
  said({ tool, why: "as it should be", ...more });
export const plan = (next: string, more: object = {}): MailEvent =>
  said({ next, why: "as it should be", ...more });
export const done = (result: Json = {}): MailEvent => ({
  ...{ type: "gateway.answered", ok: true, result },
});
export const failed = (message: string): MailEvent => ({
  ...{ type: "gateway.answered", ok: false },
  error: { ok: false, error_type: "validation", message },
});
export const NO_RECORD = failed("Promotion gate: no promotion.record found");
export const APPROVAL = "apr-0a1b2c3d";
export const needsApproval: MailEvent = {
  ...{ type: "gateway.answered", ok: false, approvalRequired: APPROVAL },
};
export const ruled = (isApproved: boolean): MailOf<"approval.decided"> => ({
  ...{ type: "approval.decided", approval: APPROVAL, agent: "weather-fetcher", isApproved },
  ...{ by: "mara", reason: null },
});
export const interrupted: MailEvent = { type: "turn.interrupted" };
export const REVISION = "rev-a1b2c3d4";
export const created = done({ ok: true, revision_id: REVISION });

/** How workflow.state tells of an install that came so far. */
export const standing = (
  step: string | null,
  more: { readonly pending?: readonly string[]; readonly revision?: string | null } = {},
): MailEvent =>
  done({
    ...{ pending_approvals: more.pending ?? [], resume_hint: "go on" },
    install:
      step === null
        ? null
        : { agent_id: "weather-fetcher", revision_id: more.revision ?? REVISION, step },
  });

export const INTENT: IntentFields = {
  ...{ agent_id: "weather-fetcher", description: "Fetches weather data" },
  instructions: "# Weather Agent",
  capabilities: [{ type: "NetworkAccess", hosts: ["api.weather.example"] }],
  llm_config: { provider: "openrouter", model: "google/gemini-3-flash-preview" },
};
export const ARTIFACT = "art_a1b2c3d4";

export const delegated = (more: Partial<Mail["install.delegated"]> = {}): MailEvent => ({
  ...{ type: "install.delegated", wish: "weather", loose: [] },
  intent: { ...INTENT, artifact_id: ARTIFACT },
  ...more,
});
export const wanted = (more: Partial<Mail["install.wanted"]> = {}): MailEvent => ({
  ...{ type: "install.wanted", wish: "weather", goal: "Fetch the weather.", intent: INTENT },
  ...{ needsCode: true, loose: [], gating: null },
  ...more,
});
export const judging: MailEvent = {
  ...{ type: "judging.wanted", wish: "weather", agent: "weather-fetcher" },
  ...{ goal: "Fetch the weather.", artifact: ARTIFACT, declared: ["NetworkAccess"] },
};
export const judgement = (
  role: "evaluator" | "auditor",
  more: Partial<Mail["judging.given"]> = {},
): MailOf<"judging.given"> => ({
  ...{ type: "judging.given", wish: "weather", role, pass: true, recorded: true, reason: null },
  ...{ findings: [], security: null, capability: null },
  ...more,
});
export const delivered = (artifact: string | null = ARTIFACT): MailEvent => ({
  ...{ type: "build.delivered", wish: "weather", artifact },
  reason: artifact === null ? "it does not compile" : null,
});
export const building: MailEvent = {
  ...{ type: "build.wanted", wish: "weather", agent: "weather-fetcher" },
  ...{ goal: "Fetch the weather.", intent: INTENT, flaws: [] },
};
export const report = (
  outcome: Mail["install.reported"]["outcome"],
  reason: string | null = null,
): MailEvent => ({
  ...{ type: "install.reported", wish: "weather", agent: "weather-fetcher", outcome, reason },
  ...{ todo: null, revision: outcome === "installed" ? REVISION : null },
});
export const inspection = done({
  ...{ ok: true, digest: "sha256:00" },
  files: [{ name: "main.py", alias: "0a1b2c3d" }],
});
export const audit = (more: object = {}): MailEvent =>
  said({
    ...{ pass: true, record: true, findings: [], threats_detected: [] },
    ...{ remote_access_detected: true, inferred_capabilities: ["NetworkAccess"] },
    ...more,
  });
export const evaluation = (more: object = {}): MailEvent =>
  said({ pass: true, record: true, findings: [], ...more });
