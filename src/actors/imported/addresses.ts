/** Where those live who speak in a log: by their names, as far as an address can hold them. */
import { bounds } from "./bounds.ts";

/** The log itself: its beginning, its end, and what nobody said. */
export const LOG = "log";
/** Of what the log says to nobody by name. */
export const EVERYONE = "everyone";

/** Blanks, what parts an address or a table, and what steers a terminal. */
const STRANGE = /[\s/#\\|,":\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]+/gu;

/** A name as an address, a table and a series of metrics can hold it. */
export function plainName(name: string): string {
  const short = name.length > 4 * bounds.nameChars ? name.slice(0, 4 * bounds.nameChars) : name;
  const plain = [...short.replace(STRANGE, "_")].slice(0, bounds.nameChars).join("");
  return plain === "" || plain === "_" ? "unnamed" : plain;
}

export const agentAddress = (name: string): string => `agent/${plainName(name)}`;
export const toolAddress = (name: string): string => `tool/${plainName(name)}`;
/** Of people, and of whoever gives instructions. */
export const outsideAddress = (name: string): string => `outside/${plainName(name)}`;
