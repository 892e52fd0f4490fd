/** What happens to skills, lessons and macros, in words. */
import type { Words } from "../words.ts";
import { skillWords } from "./skillWords.ts";

export const words: Words = { ...skillWords };
