/**
 * Every property there is: those of the parts, and of runs. To add one: write it in the file of its
 * subject, and list it in the catalogue of its part.
 */
import type { Property } from "../../contract/property.ts";
import { findingProperties } from "./findingProperties.ts";
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
