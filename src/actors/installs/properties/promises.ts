/** What is promised of installs. */
import type { PartPromises } from "../../../contract/part.ts";
import { bookProperties } from "./books.ts";
import { gateProperties } from "./gates.ts";
import { reachProperties } from "./reach.ts";
import { worlds } from "./worlds.ts";

export const promises: PartPromises = {
  properties: [...gateProperties, ...reachProperties, ...bookProperties],
  worlds,
};
