/**
 * What a command line names by the shell's own means: behind quotes and backslashes, by a glob, from the root. What it computes
 * is not in its text. Source: ours, for an installed agent's reach.
 */
import { resolvedPath } from "./areas.ts";

const ROOT = "/";
const VIRTUAL = "/agentOS";
/** What the shell takes away before a word is a path. */
const QUOTES = /['"\\]/g;
const BETWEEN = /[\s`<>|,;:=()&{}]+/;
const GLOB = /[*?[]/;
/** A variable: where it leads only the shell knows. */
const VARIABLE = /\$[A-Za-z_{'"]/;
/** The agent's own folder, or one where it has been: those it may reach. Any other `~` is the home of whom it names. */
const OWN_HOME = /^~(?:[+-]?\d*)(?=\/|$)/;
const ALTERNATIVES = /\{([^{}]*,[^{}]*)\}/;
/** Of what stands between two characters, dots and slashes may be a part. */
const SEQUENCE = /\{[^{},]*\.\.[^{},]*\}/;
const LETTERS = /\{\w+\.\.-?\w+(?:\.\.-?\w+)?\}/g;
/** More words than that are not looked through. */
const WORDS_MAX = 64;

/** The folders and files that it may mean; `/` where nobody knows before it runs. */
export function shellPaths(command: string, agent: string): readonly string[] {
  if (VARIABLE.test(command)) return [ROOT];
  const words = command
    .replace(QUOTES, "")
    .split(/\s+/)
    .flatMap((word) => alternatives(word) ?? [ROOT]);
  return words.flatMap((word) => word.split(BETWEEN)).flatMap((word) => pathIn(word, agent));
}

/** The words that the shell makes of one with braces; null for too many, or where they may be anything. */
function alternatives(word: string): readonly string[] | null {
  if (SEQUENCE.test(word.replace(LETTERS, ""))) return null;
  const done: string[] = [];
  const open = [word];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const [group, inner = ""] = ALTERNATIVES.exec(one) ?? [];
    if (group === undefined) done.push(one);
    else {
      const at = one.indexOf(group);
      const [before, behind] = [one.slice(0, at), one.slice(at + group.length)];
      open.push(...inner.split(",").map((choice) => before + choice + behind));
    }
    if (open.length + done.length > WORDS_MAX) return null;
  }
  return done;
}

function pathIn(given: string, agent: string): readonly string[] {
  const word = given.replace(OWN_HOME, ".");
  if (word.startsWith("~")) return [ROOT];
  const parts = word.split("/");
  // A glob after a dot finds `..` too.
  if (parts.some((part) => part.startsWith(".") && GLOB.test(part))) return [ROOT];
  const globbed = parts.findIndex((part) => GLOB.test(part));
  // Upwards of what a glob finds is nowhere that its text tells.
  if (globbed >= 0 && parts.includes("..", globbed)) return [ROOT];
  const sure = globbed < 0 ? word : `${parts.slice(0, globbed).join("/")}/`;
  if (!word.startsWith("/") && !parts.includes("..")) return [];
  const path = resolvedPath(sure, agent);
  // The root, and the beginning of a name that the shell may go on with.
  if (`${VIRTUAL}/`.startsWith(path)) return [ROOT];
  return path.startsWith(`${VIRTUAL}/`) || parts.includes("..") ? [path] : [];
}
