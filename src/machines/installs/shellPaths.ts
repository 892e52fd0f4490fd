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
/** A variable: where it leads only the shell knows. Its `~` is the agent's own folder. */
const VARIABLE = /\$[A-Za-z_{'"]/;

/** The folders and files that it may mean; `/` where nobody knows before it runs. */
export function shellPaths(command: string, agent: string): readonly string[] {
  if (VARIABLE.test(command)) return [ROOT];
  return command
    .replace(QUOTES, "")
    .split(BETWEEN)
    .flatMap((word) => pathIn(word, agent));
}

function pathIn(word: string, agent: string): readonly string[] {
  const parts = word.split("/");
  // A glob after a dot finds `..` too.
  if (parts.some((part) => part.startsWith(".") && GLOB.test(part))) return [ROOT];
  const globbed = parts.findIndex((part) => GLOB.test(part));
  const sure = globbed < 0 ? word : `${parts.slice(0, globbed).join("/")}/`;
  if (!word.startsWith("/") && !parts.includes("..")) return [];
  const path = resolvedPath(sure, agent);
  // The root, and the beginning of a name that the shell may go on with.
  if (`${VIRTUAL}/`.startsWith(path)) return [ROOT];
  return path.startsWith(`${VIRTUAL}/`) || parts.includes("..") ? [path] : [];
}
