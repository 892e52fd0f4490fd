/** A chain that was kept to compare with stands in for an executor that came to nothing. */
import { drafted, ended, type RequestContext } from "./requestAccount.ts";
import { called, withHeldChain } from "./requestChoice.ts";
import type { RequestEvent } from "./requestEvents.ts";
import { proposalRationale } from "./requestRationale.ts";
import { turnedDown } from "./requestScore.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

export function chainInstead(
  context: RequestContext,
  event: RequestEvent,
  policy: SyntPolicy,
): RequestContext {
  const next = withHeldChain(withoutExecutor(context, event, policy));
  return { ...next, rationale: proposalRationale(next, policy) };
}

function withoutExecutor(context: RequestContext, event: RequestEvent, policy: SyntPolicy) {
  switch (event.type) {
    case "draft.ended":
      return drafted(context, event);
    case "paid.ended":
      return turnedDown(context, event, policy);
    case "person.decided":
      return ended(context, `the person turned down ${called(context)}`, null);
    default:
      return ended(context, "nobody answered in time", "StrategyExhausted");
  }
}
