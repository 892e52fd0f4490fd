/** The gateway's tools by name, each refused to whoever does not own it. Source: seed 003. */
import { ownValue } from "../ownValue.ts";
import type { Books } from "./gatewayBooks.ts";
import { type Call, type Env, failing, type Served, type Tool } from "./gatewayCall.ts";
import { artifactBuild, artifactInspect, contentRead, contentWrite } from "./gatewayContent.ts";
import { createFromIntent } from "./gatewayInstall.ts";
import { promotionQuery, promotionRecord } from "./gatewayRecords.ts";
import { diff, inspect, list, promote, reject, rollback } from "./gatewayRevisions.ts";
import { approvalInspect, approvalList, workflowStateTool } from "./gatewayWaiting.ts";
import { ownerFault } from "./toolOwners.ts";

const TOOLS: { readonly [tool: string]: Tool } = {
  "agent.revision.create_from_intent": createFromIntent,
  "agent.revision.promote": promote,
  "agent.revision.list": list,
  "agent.revision.inspect": inspect,
  "agent.revision.rollback": rollback,
  "agent.revision.diff": diff,
  "agent.revision.reject": reject,
  "artifact.build": artifactBuild,
  "artifact.inspect": artifactInspect,
  "content.write": contentWrite,
  "content.read": contentRead,
  "promotion.record": promotionRecord,
  "promotion.query": promotionQuery,
  "workflow.state": workflowStateTool,
  "approval.list": approvalList,
  "approval.inspect": approvalInspect,
};

export const GATEWAY_TOOLS: readonly string[] = Object.keys(TOOLS);

const TO_BUILDER = "Delegate it to the one that may: installs to specialized_builder.default.";

/** Judged by where the call came from; what its parameters claim is nothing to it. */
export function served(books: Books, call: Call, env: Env): Served {
  const stranger = ownerFault(call.tool, call.from, env.policy);
  if (stranger !== null) return failing(books, [`permission: ${stranger}`], TO_BUILDER);
  const tool = ownValue(TOOLS, call.tool);
  if (tool !== undefined) return tool(books, call, env);
  return failing(
    books,
    [`Unknown tool '${call.tool}'`],
    `Call one of ${GATEWAY_TOOLS.join(", ")}.`,
  );
}
