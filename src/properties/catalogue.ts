/**
 * Every property there is: those of the parts, and of runs. To add one: write it in the file of its
 * subject, and list it in the catalogue of its part.
 */
import type { Property } from "../actors/property.ts";
import { promises } from "./promises.ts";
import { runProperties } from "./runProperties.ts";

const ofKind = (kind: "world" | "unit"): readonly Property[] =>
  promises.flatMap(({ properties: own = [] }) => own.filter((one) => one.kind === kind));

export const properties: readonly Property[] = [
  ...ofKind("world"),
  ...runProperties,
  ...ofKind("unit"),
];
