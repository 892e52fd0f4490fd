/** The switches of installing agents, composed from their files, and the real system's values of them. Source: seed 003; rulings I. */
import type { ValuesOf } from "../policyLeaf.ts";
import { bookLeaves, bookReal } from "./bookPolicy.ts";
import { crewLeaves } from "./crewPolicy.ts";
import { detectionLeaves, realDetection } from "./detection/detection.ts";
import { gateLeaves, realGate } from "./gatePolicy.ts";
import { wardenLeaves } from "./warden/warden.ts";

export const installsLeaves = {
  ...gateLeaves,
  ...detectionLeaves,
  ...bookLeaves,
  crew: crewLeaves,
  warden: wardenLeaves,
};

export type InstallsPolicy = ValuesOf<typeof installsLeaves>;

const below = <T extends object>(values: T): { readonly [path: string]: T[keyof T] } =>
  Object.fromEntries(Object.entries(values).map(([leaf, value]) => [`installs.${leaf}`, value]));

/** What the named profiles change here. */
export const installsProfiles = {
  real: { ...below(realGate), ...below(realDetection), ...bookReal },
};
