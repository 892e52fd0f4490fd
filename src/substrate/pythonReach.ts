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
  /** Names behind which everything is, and attributes of modules by computed names. Absent for none. */
  readonly hidden?: readonly string[];
}

interface Node {
  readonly nodeType: string;
  readonly [field: string]: unknown;
}

/** Python's own doors: who holds one needs no import and no name for what is behind it. */
const DOORS: readonly string[] =
  "eval exec compile globals __import__ sys.modules sys._getframe".split(" ");
/** The same, whatever they are an attribute of. */
const DOORS_OF_ANY: readonly string[] =
  "__builtins__ __globals__ __getattribute__ __subclasses__ __loader__ __spec__".split(" ");

export function pythonReach(text: string): Reach {
  if (text.length > PYTHON_CHARS_MAX) return { imports: [], calls: [], opensToWrite: true };
  const nodes = nodesOf(text);
  const imports = new Set<string>();
  const calls = new Set<string>();
  const hidden = new Set<string>();
  const bound = new Map(nodes.flatMap(boundBy));
  let opensToWrite = false;
  for (const node of nodes) {
    for (const name of importedBy(node)) imports.add(name);
    const named = node.nodeType === "Name" || node.nodeType === "Attribute" ? dotted(node) : "";
    if (isDoor(named, bound)) hidden.add(named);
    if (node.nodeType !== "Call") continue;
    const call = node as unknown as Call;
    const name = dotted(call.func);
    calls.add(name);
    opensToWrite ||= isOpen(name) && mayWrite(call);
    const reached = name === "getattr" ? attributeOf(call, bound) : undefined;
    if (reached !== undefined) calls.add(reached ?? "");
    if (reached === null || isDoor(reached ?? "", bound)) hidden.add(reached ?? "getattr");
  }
  const named = [...calls].filter((name) => name !== "").sort();
  return {
    ...{ imports: [...imports].sort(), calls: named, opensToWrite },
    ...(hidden.size > 0 && { hidden: [...hidden].sort() }),
  };
}

/** What the names of a text mean that an import has bound: `o` of `import os as o` is `os`. */
type Bound = ReadonlyMap<string, string>;

function isDoor(name: string, bound: Bound): boolean {
  const [root = "", ...attributes] = name.split(".");
  const meant = [bound.get(root) ?? root, ...attributes].join(".");
  return DOORS.includes(meant) || DOORS_OF_ANY.includes(meant.split(".").at(-1) ?? "");
}

/**
 * What `getattr(module, "name")` reaches, as if it were written with a dot; null for a name of a
 * module that is computed, undefined for an attribute of anything else.
 */
function attributeOf({ args }: Call, bound: Bound): string | null | undefined {
  const [owner, attribute] = args;
  if (owner === undefined || attribute === undefined) return null;
  const name = dotted(owner);
  const value = attribute["value"];
  if (typeof value === "string") return name === "" ? value : `${name}.${value}`;
  return bound.has(name.split(".")[0] ?? "") ? null : undefined;
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

function boundBy({ nodeType, names, module }: Node): (readonly [string, string])[] {
  if (nodeType !== "Import" && nodeType !== "ImportFrom") return [];
  const from = nodeType === "ImportFrom" ? `${String(module ?? "")}.` : "";
  return (names as readonly { readonly name: string; readonly asname?: string | null }[]).map(
    ({ name, asname }) => [
      asname ?? topOf(name),
      asname == null && from === "" ? topOf(name) : `${from}${name}`,
    ],
  );
}

const topOf = (module: string): string => module.split(".")[0] || ".";

/** `os.path.join` of its own node; empty for what has no plain name. */
function dotted(node: Node): string {
  if (node.nodeType === "Name") return String(node["id"]);
  if (node.nodeType !== "Attribute") return "";
  const owner = dotted(node["value"] as Node);
  return owner === "" ? String(node["attr"]) : `${owner}.${String(node["attr"])}`;
}
