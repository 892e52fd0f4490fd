/** What is promised of skills, lessons and macros. */
import type { PartPromises } from "../../part.ts";
import { bookProperties } from "./books.ts";
import { macroProperties } from "./macros.ts";

export const promises: PartPromises = { properties: [...bookProperties, ...macroProperties] };
