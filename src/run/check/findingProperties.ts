/** Findings on any log as properties of worlds: a check that names one looks for it in the worlds that it plays. */
import type { WorldProperty } from "../../contract/property.ts";
import type { TraceFact } from "../../contract/trace.ts";
import { watchFacts } from "../../findings/findIn.ts";
import type { Finding } from "../../findings/finding.ts";
import { findings } from "../../findings/findings.ts";

export const findingProperties: readonly WorldProperty[] = findings.map(propertyOf);

function propertyOf(finding: Finding): WorldProperty {
  const { id, says, source, looksAt } = finding;
  return {
    ...{ kind: "world", id, says, source, expected: "noted" },
    watch: () => {
      const watching = watchFacts([finding]);
      const watch = ({ facts }: { readonly facts: readonly TraceFact[] }) => {
        const [first] = facts.flatMap(watching.see);
        return first?.says ?? (facts.some(({ is }) => looksAt.includes(is)) || undefined);
      };
      return Object.assign(watch, { ended: () => watching.end()[0] });
    },
  };
}
