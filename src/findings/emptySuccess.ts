/** A call that returns nothing and looks like success. Source: seed 000, the hour of `safe_file_executor`. */
import { failureOf } from "../contract/failure.ts";
import { isNothing } from "../contract/nothing.ts";
import { isTooDeep } from "../contract/plainValue.ts";
import { type Exchange, type Finding, type Found, placeOf } from "./finding.ts";
import { KeptMap } from "./keptMap.ts";
import { quotedText } from "./valueText.ts";

/** How descriptions of tools say that nothing is one of their answers. */
const SAID =
  /\b(or|returns?|answers?|gives?)\s+(a |an )?(null|none|nothing|empty|undefined)\b|\bno (output|result|return value)\b/i;

/** Tools that are there for what they are told, or for the time that they take: nobody waits for what they return. */
const SILENT = /(^|[_.-])(think|thought|thinking|reflect|scratchpad|sleep|wait|noop)$/i;

export const emptySuccess: Finding = {
  id: "empty-success",
  says: "A call returned nothing, nothing says that it failed, and its tool's description does not say that it may be so.",
  source: "seed 000: every write went into a tool that kept nothing, and looked like success",
  looksAt: ["returned"],
  find: () => {
    /** Whether a tool's description says that it may return nothing. */
    const honest = new KeptMap<string, boolean>();
    return {
      offered: ({ tool, description }) => void honest.set(tool, SAID.test(description ?? "")),
      returned: (exchange) => {
        const { returned } = exchange;
        const { tool, result } = returned;
        const isExpected = honest.get(tool) === true || SILENT.test(tool);
        const isFound = !isExpected && isNothing(result) && failureOf(returned) === null;
        return isFound ? [foundIn(exchange)] : [];
      },
    };
  },
};

function foundIn({ returned, call }: Exchange): Found {
  const { tool, agent, ok } = returned;
  const asked = call === null ? "" : ` for ${askedIn(call)}`;
  const how = ok === true ? "and said that it went well" : "and no error";
  const says = `${tool} returned nothing to ${agent}${asked}, ${how}.`;
  return { ...placeOf(returned), tool, agent, says, related: call === null ? [] : [call.seq] };
}

const askedIn = ({ args, raw, intent }: NonNullable<Exchange["call"]>): string =>
  quotedText(intent ?? raw ?? (isTooDeep(args) ? "arguments without end" : JSON.stringify(args)));
