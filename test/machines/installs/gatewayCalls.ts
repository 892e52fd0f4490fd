// What is asked of a gateway in tests: installs of each kind, and the words of those who judge them.

import type { Gating } from "../../../src/machines/installs/addresses.ts";
import { pointerPath } from "../../../src/machines/installs/gateway/store.ts";
import { BUILDER, type LoneGateway, PERSON } from "./loneGateway.ts";

export const CREATE = "agent.revision.create_from_intent";
export const PROMOTE = "agent.revision.promote";
export const ROLLBACK = "agent.revision.rollback";
export const AGENT = "weather-fetcher";

const llm_config = { provider: "openrouter", model: "m", temperature: 0.1 };

/** Without code and without risk: nobody is asked, and no gate stands in its way. */
export const plain = (description = "Keeps notes.") => ({
  ...{ agent_id: AGENT, description, instructions: "# Notes", llm_config },
  capabilities: [{ type: "ReadAccess", scopes: ["self.*"] }],
});

/** Of high risk: a person is asked. */
export const risky = (description = "Posts to a feed.") => ({
  ...plain(description),
  capabilities: [{ type: "NetworkAccess", hosts: ["localhost"] }],
});

export const FETCH = "fetch('https://api.example.com/data');\n";

/** With code that fetches: a person is asked, and both judges are. */
export function coded(artifact: string) {
  const inferred = ["NetworkAccess"];
  return {
    ...risky("Fetches the weather."),
    artifact_id: artifact,
    promotion_gate: {
      ...{ evaluator_pass: true, auditor_pass: true },
      security_analysis: { passed: true, threats_detected: [], remote_access_detected: true },
      capability_analysis: {
        ...{ inferred_capabilities: inferred, missing_capabilities: [] },
        ...{ declared_capabilities: inferred, analysis_passed: true },
      },
    },
  };
}

export function built(one: LoneGateway, text = FETCH): string {
  one.call("coder.default", "content.write", { name: "main.js", content: text });
  const { result } = one.call("coder.default", "artifact.build", { inputs: ["main.js"] });
  return (result as { artifact_id: string }).artifact_id;
}

export const resultOf = ({ result }: ReturnType<LoneGateway["call"]>) =>
  result as { readonly [field: string]: string };

export function created(one: LoneGateway, intent: object): string {
  const first = one.call(BUILDER, CREATE, intent);
  if (first.approvalRequired === undefined) return resultOf(first)["revision_id"] ?? "";
  one.tell(PERSON, ruling(first.approvalRequired, true));
  return (
    resultOf(one.call(BUILDER, CREATE, withRef(intent, first.approvalRequired)))["revision_id"] ??
    ""
  );
}

export const said = (workflow: string, gating: Gating) =>
  ({ type: "gating.said", workflow, agent: AGENT, gating }) as const;

export const ruling = (of: string, isApproved: boolean) =>
  ({ type: "approval.ruled", of, isApproved, by: "ada", reason: null }) as const;

export const withRef = (intent: object, ref: string) => {
  const { promotion_gate = { evaluator_pass: false, auditor_pass: false } } = intent as {
    readonly promotion_gate?: object;
  };
  return { ...intent, promotion_gate: { ...promotion_gate, install_approval_ref: ref } };
};

export const promoted = (one: LoneGateway, id: string, agent = AGENT) =>
  one.call(BUILDER, PROMOTE, { agent_id: agent, revision_id: id });

export function record(one: LoneGateway, artifact: string, by: string, pass = true) {
  const role = by.split(".")[0];
  return one.call(by, "promotion.record", { artifact_id: artifact, role, pass });
}

export const activeIn = (one: LoneGateway, agent = AGENT) =>
  one.files[pointerPath(agent)]?.trim() ?? null;
