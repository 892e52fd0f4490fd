// What README and docs quote of the program. `…` stands for what they omit.
import { globSync, readFileSync } from "node:fs";

/** README and the pages of docs/, by name. */
export const pages: ReadonlyMap<string, string> = new Map(
  ["README.md", ...globSync("docs/*.md").toSorted()].map((name) => [
    name,
    readFileSync(name, "utf8"),
  ]),
);
const readme = [...pages.values()].join("\n");

/** The lines below `$ command` in a fenced block. */
export function quotedOutput(command: string, text: string = readme): readonly string[] {
  const block = [...text.matchAll(/^```\n\$ (.*)\n([^`]*)^```$/gm)].find(
    ([, said]) => said === command,
  );
  return (block?.[2] ?? "").trimEnd().split("\n");
}

/** The rows of the table with this head, their cells trimmed. */
export function quotedTable(head: string): readonly (readonly string[])[] {
  return tableIn(readme, head);
}

export function tableIn(text: string, head: string): readonly (readonly string[])[] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => cellsOf(line).join(" | ").startsWith(head));
  const rows = lines.slice(first + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return first < 0 ? [] : rows.slice(0, end).map(cellsOf);
}

const cellsOf = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** Quoted lines that do not come next in the output, in its order; a line of `…` alone omits any. */
export function misquoted(quoted: readonly string[], output: string): readonly string[] {
  const said = output.split("\n");
  let next = 0;
  let isGap = false;
  return quoted.filter((line) => {
    if (line.trim() === "…") {
      isGap = true;
      return false;
    }
    const found = said.findIndex((one, at) => at >= next && fits(line, one));
    const isNext = found >= 0 && (isGap || found === next);
    isGap = false;
    if (found >= 0) next = found + 1;
    return !isNext;
  });
}

/** Its parts between `…` stand in the line, one after another, from its beginning to its end. */
function fits(quoted: string, line: string): boolean {
  const [head = "", ...parts] = quoted.split("…");
  const tail = parts.pop();
  if (tail === undefined) return quoted === line;
  if (!line.startsWith(head)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = line.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return line.slice(at).endsWith(tail);
}
