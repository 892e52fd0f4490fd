/**
 * Every small fault that a maintainer might put into a file of TypeScript: a comparison or its boundary, a condition, a statement, a
 * spread, a number. Types are blanked out in place, so that what is left is JavaScript whose places are those of the file.
 */
import { stripTypeScriptTypes } from "node:module";
import { type Expression, type Node, parse } from "acorn";
import { full } from "acorn-walk";

export interface Mutant {
  /** Of the text that is replaced, from 0. */
  readonly start: number;
  readonly end: number;
  /** What stands there instead. */
  readonly by: string;
  /** From 1. */
  readonly line: number;
  /** Of the place in the file, in one line. */
  readonly was: string;
}

/** One that holds at the boundary goes to one that does not, and back. */
const COMPARED: ReadonlyMap<string, string> = new Map([
  ["<", "<="],
  ["<=", "<"],
  [">", ">="],
  [">=", ">"],
  ["===", "!=="],
  ["!==", "==="],
]);

/** Statements that do something, so that without them something is missing. */
const ACTS = new Set([
  "AssignmentExpression",
  "AwaitExpression",
  "CallExpression",
  "UpdateExpression",
  "YieldExpression",
]);

/** In the order of the file, each once. */
export function mutantsOf(source: string): Mutant[] {
  // Without it Node says with each file that this is experimental.
  const text = stripTypeScriptTypes(source, { mode: "strip" });
  const found = new Map<string, Mutant>();
  const put = (start: number, end: number, by: string): void => {
    const was = source.slice(start, end).replaceAll(/\s+/g, " ");
    const line = source.slice(0, start).split("\n").length;
    found.set(`${start} ${end} ${by}`, { start, end, by, line, was });
  };
  const textOf = ({ start, end }: Node): string => source.slice(start, end);
  const operator = (left: Expression, right: Expression, from: string, to: string): void => {
    const at = text.indexOf(from, left.end);
    if (at !== -1 && at < right.start) put(at, at + from.length, to);
  };
  const condition = (test: Expression): void => {
    put(test.start, test.end, "true");
    put(test.start, test.end, "false");
  };
  const program = parse(text, { ecmaVersion: "latest", sourceType: "module" });
  full(program, (any) => {
    // The walker gives every node as the common one.
    const node = any as import("acorn").AnyNode;
    switch (node.type) {
      case "BinaryExpression": {
        const other = COMPARED.get(node.operator);
        if (other !== undefined && node.left.type !== "PrivateIdentifier")
          operator(node.left, node.right, node.operator, other);
        return;
      }
      case "LogicalExpression":
        if (node.operator === "&&") operator(node.left, node.right, "&&", "||");
        else if (node.operator === "||") operator(node.left, node.right, "||", "&&");
        if (node.operator !== "??") put(node.start, node.end, `(${textOf(node.left)})`);
        put(node.start, node.end, `(${textOf(node.right)})`);
        return;
      case "IfStatement":
      case "ConditionalExpression":
        condition(node.test);
        return;
      case "UnaryExpression":
        if (node.operator === "!") put(node.start, node.end, `(${textOf(node.argument)})`);
        return;
      case "ExpressionStatement":
        if (ACTS.has(node.expression.type)) put(node.start, node.end, ";");
        return;
      case "ObjectExpression":
        for (const one of node.properties)
          if (one.type === "SpreadElement") put(one.start, one.end, "...{}");
        return;
      case "ArrayExpression":
        for (const one of node.elements)
          if (one?.type === "SpreadElement") put(one.start, one.end, "...[]");
        return;
      case "Literal":
        if (typeof node.value !== "number" || !Number.isSafeInteger(node.value)) return;
        put(node.start, node.end, String(node.value + 1));
        if (node.value > 0) put(node.start, node.end, String(node.value - 1));
        return;
    }
  });
  return [...found.values()].sort((a, b) => a.start - b.start || a.end - b.end);
}

export const mutated = (source: string, { start, end, by }: Mutant): string =>
  `${source.slice(0, start)}${by}${source.slice(end)}`;
