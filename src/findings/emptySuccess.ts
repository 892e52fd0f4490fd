/** A call that returns nothing and looks like success. Source: seed 000, the hour of `safe_file_executor`. */
import { failureOf } from "./failure.ts";
import { type Finding, placeOf } from "./finding.ts";
import { isNothing } from "./nothing.ts";

export const emptySuccess: Finding = {
  id: "empty-success",
  says: "A call returned nothing, and nothing says that it failed.",
  source: "seed 000: every write went into a tool that kept nothing, and looked like success",
  looksAt: ["returned"],
  find: () => ({
    returned: ({ returned, call }) => {
      const { tool, agent, ok } = returned;
      if (failureOf(returned) !== null || !isNothing(returned.result)) return [];
      const how = ok === true ? "and says that it went well" : "and no error";
      const says = `${tool} returned nothing to ${agent}, ${how}.`;
      const related = call === null ? [] : [call.seq];
      return [{ ...placeOf(returned), tool, agent, says, related }];
    },
  }),
};
