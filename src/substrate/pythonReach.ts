/**
 * What a Python text reaches for: the modules it imports and the names it calls, from its syntax
 * tree. Says nothing of a text that does not parse.
 */
import { parse } from "py-ast";
import { PYTHON_CHARS_MAX } from "./pythonSyntax.ts";

/** Top-level modules and dotted names, in alphabetical order. */
export interface Reach {
  readonly imports: readonly string[];
  readonly calls: readonly string[];
}

interface Node {
  readonly nodeType: string;
  readonly [field: string]: unknown;
}

export function pythonReach(text: string): Reach {
  if (text.length > PYTHON_CHARS_MAX) return { imports: [], calls: [] };
  const imports = new Set<string>();
  const calls = new Set<string>();
  for (const node of nodesOf(text)) {
    for (const name of importedBy(node)) imports.add(name);
    if (node.nodeType === "Call") calls.add(dotted(node["func"] as Node));
  }
  return { imports: [...imports].sort(), calls: [...calls].filter((name) => name !== "").sort() };
}

function nodesOf(text: string): readonly Node[] {
  try {
    const found: Node[] = [];
    const open: unknown[] = [parse(text)];
    // A node may hold undefined, so the stack's length says when it is empty.
    while (open.length > 0) {
      const next = open.pop();
      if (typeof next !== "object" || next === null) continue;
      if ("nodeType" in next) found.push(next as Node);
      open.push(...Object.values(next));
    }
    return found;
  } catch {
    return [];
  }
}

function importedBy(node: Node): string[] {
  if (node.nodeType === "Import") {
    return (node["names"] as readonly { readonly name: string }[]).map(({ name }) => topOf(name));
  }
  return node.nodeType === "ImportFrom" ? [topOf(String(node["module"] ?? "."))] : [];
}

const topOf = (module: string): string => module.split(".")[0] || ".";

/** `os.path.join` of its own node; empty for what has no plain name. */
function dotted(node: Node): string {
  if (node.nodeType === "Name") return String(node["id"]);
  if (node.nodeType !== "Attribute") return "";
  const owner = dotted(node["value"] as Node);
  return owner === "" ? String(node["attr"]) : `${owner}.${String(node["attr"])}`;
}
