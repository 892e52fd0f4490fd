/** The share that skills have of the worlds in which promises are put to the test. */
import type { PartWorlds } from "../../../contract/part.ts";
import { standInSkills } from "./standIn.ts";
import { randomSkillWorld } from "./world.ts";

const SANDBOX = "port/sandbox.run";

export const worlds: PartWorlds = {
  random: randomSkillWorld,
  standIns: (seed, before) => ({ [SANDBOX]: standInSkills(seed, before[SANDBOX]) }),
};
