/** What happens to skills, lessons and macros, in words. */
import type { Words } from "../../contract/words.ts";
import { dreamWords } from "./dreamWords.ts";
import { macroWords } from "./macroWords.ts";
import { skillWords } from "./skillWords.ts";

export const words: Words = {
  ...skillWords,
  ...macroWords,
  ...dreamWords,
};
