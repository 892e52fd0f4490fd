/** What is promised of skills, lessons and macros. */
import type { PartPromises } from "../../../contract/part.ts";
import { bookProperties } from "./books.ts";
import { codeProperties } from "./code.ts";
import { lessonProperties } from "./lessons.ts";
import { macroBookProperties } from "./macroBook.ts";
import { macroProperties } from "./macros.ts";
import { registryProperties } from "./registry.ts";
import { worlds } from "./worlds.ts";

const properties: PartPromises["properties"] = [
  ...registryProperties,
  ...lessonProperties,
  ...macroBookProperties,
  ...codeProperties,
  ...bookProperties,
  ...macroProperties,
];

export const promises: PartPromises = { properties, worlds };
