/** What happens to skills, lessons and macros, in words. */
import type { Words } from "../words.ts";
import { dreamWords } from "./dreamWords.ts";
import { macroWords } from "./macroWords.ts";

export const words: Words = {
  "sandbox.wiped": () => "The sandbox was emptied.",
  ...macroWords,
  ...dreamWords,
};
