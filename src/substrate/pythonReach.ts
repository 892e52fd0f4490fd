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
  /** Whether an `open` writes, or may: its mode is no literal. */
  readonly opensToWrite: boolean;
}

interface Node {
  readonly nodeType: string;
  readonly [field: string]: unknown;
}

export function pythonReach(text: string): Reach {
  if (text.length > PYTHON_CHARS_MAX) return { imports: [], calls: [], opensToWrite: true };
  const imports = new Set<string>();
  const calls = new Set<string>();
  let opensToWrite = false;
  for (const node of nodesOf(text)) {
    for (const name of importedBy(node)) imports.add(name);
    if (node.nodeType !== "Call") continue;
    const name = dotted(node["func"] as Node);
    calls.add(name);
    opensToWrite ||= isOpen(name) && mayWrite(node as unknown as Call);
  }
  const named = [...calls].filter((name) => name !== "").sort();
  return { imports: [...imports].sort(), calls: named, opensToWrite };
}

interface Call {
  readonly func: Node;
  readonly args: readonly Node[];
  /** Without a name for `**more`. */
  readonly keywords: readonly { readonly arg?: string | null; readonly value: Node }[];
}

const isOpen = (name: string): boolean => name === "open" || name.endsWith(".open");

/** Of `open(file, mode)` the mode is looked at; a method of something may write. */
function mayWrite({ func, args, keywords }: Call): boolean {
  const isPlain = func.nodeType === "Name" || dotted(func) === "io.open";
  const isHidden = args.some(({ nodeType }) => nodeType === "Starred");
  if (!isPlain || isHidden || keywords.some(({ arg }) => typeof arg !== "string")) return true;
  const mode = keywords.find(({ arg }) => arg === "mode")?.value ?? args[1];
  if (mode === undefined) return false;
  return typeof mode["value"] !== "string" || /[wax+]/.test(mode["value"]);
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
