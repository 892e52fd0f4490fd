/** What happens where agents are installed, in words. */
import type { Words } from "../../contract/words.ts";
import { crewWords } from "./crewWords.ts";
import { gatewayWords } from "./gatewayWords.ts";
import { wardenWords } from "./wardenWords.ts";

export const words: Words = { ...gatewayWords, ...crewWords, ...wardenWords };
