/**
 * Every property there is: those of the parts, and of runs. To add one: write it in the file of its
 * subject, and list it in the catalogue of its part.
 */
import type { Property, WorldProperty } from "../../contract/property.ts";
import type { TraceFact } from "../../contract/trace.ts";
import { watchFacts } from "../../findings/findIn.ts";
import type { Finding } from "../../findings/finding.ts";
import { findings } from "../../findings/findings.ts";
import type { Promised } from "./promises.ts";
import { runProperties } from "./runProperties.ts";

export function propertiesOf({ promises }: Promised): readonly Property[] {
  const all = promises.flatMap(({ properties: own = [] }) => own);
  return [
    ...all.filter(({ kind }) => kind === "world"),
    ...runProperties,
    ...all.filter(({ kind }) => kind === "unit"),
  ];
}

/** Those, and the findings on any log: whatever a check can be asked for by name. */
export const askable = (promised: Promised): readonly Property[] => [
  ...propertiesOf(promised),
  ...findingProperties,
];

/* Findings on any log as properties of worlds: a check that names one looks for it in the worlds that it plays. */

const findingProperties: readonly WorldProperty[] = findings.map(propertyOf);

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
