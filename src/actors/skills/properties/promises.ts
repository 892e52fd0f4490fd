/** What is promised of skills, lessons and macros. */
import type { PartPromises, PartWorlds } from "../../../contract/part.ts";
import { bookProperties } from "./books.ts";
import { codeProperties } from "./code.ts";
import { lessonProperties } from "./lessons.ts";
import { macroBookProperties } from "./macroBook.ts";
import { macroProperties } from "./macros.ts";
import { registryProperties } from "./registry.ts";
import { standInSkills } from "./standIn.ts";
import { randomSkillWorld } from "./world.ts";

const properties: PartPromises["properties"] = [
  ...registryProperties,
  ...lessonProperties,
  ...macroBookProperties,
  ...codeProperties,
  ...bookProperties,
  ...macroProperties,
];

// The share that skills have of the worlds in which promises are put to the test.

const SANDBOX = "port/sandbox.run";

const worlds: PartWorlds = {
  random: randomSkillWorld,
  standIns: (seed, before) => ({ [SANDBOX]: standInSkills(seed, before[SANDBOX]) }),
};

export const promises: PartPromises = { properties, worlds };
