/** A promise of the tools' catalogue that is broken: a tool that nobody offered, or arguments that its schema forbids. */
import { type Finding, type Found, placeOf, type ServedCall } from "./finding.ts";
import { ToolCatalogue } from "./toolCatalogue.ts";
import { quotedText } from "./valueText.ts";

export const catalogueBroken: Finding = {
  id: "catalogue-broken",
  says: "An agent called a tool that it was not offered, or with arguments that the tool's schema forbids.",
  source: "JSON Schema 2020-12, as tools are offered to models; what is omitted of it: SPEC FI14",
  looksAt: ["offered", "called"],
  find: () => {
    const catalogue = new ToolCatalogue();
    return {
      offered: (fact) => void catalogue.add(fact),
      called: (fact) => {
        const says = faultOf(fact, catalogue);
        return says === null ? [] : [foundIn(fact, says, catalogue)];
      },
    };
  },
};

function foundIn(fact: ServedCall, says: string, catalogue: ToolCatalogue): Found {
  const { tool, agent } = fact;
  const offered = catalogue.get(tool)?.seq;
  return { ...placeOf(fact), tool, agent, says, related: offered === undefined ? [] : [offered] };
}

function faultOf({ agent, tool, intent, args, raw }: ServedCall, catalogue: ToolCatalogue) {
  const offered = catalogue.get(tool);
  if (offered === undefined) {
    // Asked for in words, it is the router that chose the tool.
    const isUnknown = catalogue.size > 0 && intent === null;
    return isUnknown
      ? `${agent} called ${tool}, which is none of the ${catalogue.size} tools that were offered.`
      : null;
  }
  if (raw !== null && args === null) {
    if (offered.schema === null) return null;
    return `${agent} called ${tool} with arguments that are no JSON: ${quotedText(raw)}.`;
  }
  const fault = catalogue.faultOf(tool, args ?? {});
  return fault === null
    ? null
    : `${agent} called ${tool} with arguments that its schema forbids: ${fault}`;
}
