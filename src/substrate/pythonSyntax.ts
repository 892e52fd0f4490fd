/**
 * What the quality gate wants to know of a Python text, from its syntax tree. The text comes from a
 * model: its size is bounded, and no text makes this throw. Ruling T4 says which functions count.
 */
import { type FunctionDef, type Module, parse, type StmtNode } from "py-ast";
import type { BodyKind, FunctionSyntax, SyntaxSummary } from "../machines/synthesis/gate.ts";

/** Ours: ten times the longest tool that we know, and parsed within a second. */
export const PYTHON_CHARS_MAX = 262_144;
/** Ours: how many functions a summary lists; a text with more is no tool. */
const FUNCTIONS_MAX = 2_000;

const wrong = (error: string): SyntaxSummary => ({
  ok: false,
  error,
  functions: [],
  module: "code",
});

export function pythonSyntax(text: string): SyntaxSummary {
  if (text.length > PYTHON_CHARS_MAX) {
    return wrong(`${text.length} characters; at most ${PYTHON_CHARS_MAX} are read`);
  }
  let module: Module;
  try {
    module = parse(text);
  } catch (error) {
    // The parser descends by recursion: what is nested too deeply for it is so for Python too.
    if (error instanceof RangeError) return wrong("too many nested parentheses or blocks");
    return wrong(error instanceof Error ? error.message.toWellFormed() : "invalid syntax");
  }
  const functions = functionsOf(module);
  if (functions.length > FUNCTIONS_MAX) return wrong(`more than ${FUNCTIONS_MAX} functions`);
  return { ok: true, functions, module: kindOf(module.body) };
}

interface Found {
  readonly node: StmtNode;
  readonly inClass: boolean;
}

/** In the order of the text, at whatever depth. Statements only: a lambda is no function here. */
function functionsOf(module: Module): FunctionSyntax[] {
  const found: FunctionSyntax[] = [];
  const open: Found[] = listed(module.body, false);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, inClass } = next;
    if (node.nodeType === "FunctionDef" || node.nodeType === "AsyncFunctionDef") {
      const isAsync = node.nodeType === "AsyncFunctionDef";
      found.push({ ...syntaxOf(node as FunctionDef, inClass), ...(isAsync && { isAsync }) });
    }
    open.push(...listed(statementsIn(node), node.nodeType === "ClassDef"));
  }
  return found;
}

/** Last first, so that a stack gives them back in order. */
const listed = (nodes: readonly StmtNode[], inClass: boolean): Found[] =>
  nodes.map((node) => ({ node, inClass })).reverse();

const syntaxOf = ({ name, args, body }: FunctionDef, inClass: boolean): FunctionSyntax => ({
  name,
  firstArgument: (args.posonlyargs[0] ?? args.args[0])?.arg ?? null,
  inClass,
  body: kindOf(body),
});

/** The fields under which a statement holds other statements, or what holds them in turn. */
const NESTING = ["body", "handlers", "cases", "orelse", "finalbody"] as const;

function statementsIn(node: StmtNode): StmtNode[] {
  const holder = node as unknown as { readonly [field: string]: unknown };
  return NESTING.flatMap((field) => {
    const held = holder[field];
    return Array.isArray(held) ? (held as StmtNode[]) : [];
  });
}

/** A text without any statement is no body at all: the exec check says so. */
function kindOf(body: readonly StmtNode[]): BodyKind {
  if (body.length === 0) return "code";
  if (body.length === 1 && body[0]?.nodeType === "Pass") return "pass";
  return body.every(isSilent) ? "docstring" : "code";
}

const isSilent = (node: StmtNode): boolean =>
  node.nodeType === "Pass" || (node.nodeType === "Expr" && node.value.nodeType === "Constant");
