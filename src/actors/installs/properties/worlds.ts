/** The share that installs have of the worlds in which promises are put to the test. */
import type { PartWorlds } from "../../../contract/part.ts";
import type { WorldEvent } from "../../../contract/worldSource.ts";
import { installsNear, installsOf } from "./near.ts";
import { standInFacts } from "./standIn.ts";
import { randomInstallWorld } from "./world.ts";

const SANDBOX = "port/sandbox.run";

export const worlds: PartWorlds = {
  random: randomInstallWorld,
  near: installsNear,
  cut: (source, isKept) => {
    const own = installsOf(source);
    if (own === undefined) return source;
    const wanted = own.wanted.filter((one) => isKept(one as unknown as WorldEvent)); // A wish has an id and a time.
    return { ...source, installs: { ...own, wanted } };
  },
  standIns: (seed, before) => ({ [SANDBOX]: standInFacts(seed, before[SANDBOX]) }),
};
