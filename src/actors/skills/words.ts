/** What happens to skills, lessons and macros, in words. */
import type { Words } from "../words.ts";

export const words: Words = {
  "sandbox.wiped": () => "The sandbox was emptied.",
};
