/**
 * Small expressions over outcomes: numbers, names, + - * /, comparisons (1 or 0), parentheses, min, max and abs.
 * jsep reads the text; only what stands here is taken of its tree.
 */
import jsep from "jsep";

export type Expression =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "minus"; readonly of: Expression }
  | {
      readonly kind: "operation";
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "call";
      readonly name: FunctionName;
      readonly given: readonly Expression[];
    };

/** What an expression comes to, or why it comes to nothing. */
export type Evaluated = { readonly value: number } | { readonly fault: string };

/** Ours: far above what one reads at a glance; it bounds how deep the tree may be. */
const CHARS_MAX = 500;

export const EXPRESSION_ALLOWED =
  "numbers, names of outcomes, + - * / < <= > >= == !=, parentheses, min(…), max(…), abs(…)";

const truth = (value: boolean): number => (value ? 1 : 0);

const OPERATORS = {
  "+": (left: number, right: number) => left + right,
  "-": (left: number, right: number) => left - right,
  "*": (left: number, right: number) => left * right,
  "/": (left: number, right: number) => left / right,
  "<": (left: number, right: number) => truth(left < right),
  "<=": (left: number, right: number) => truth(left <= right),
  ">": (left: number, right: number) => truth(left > right),
  ">=": (left: number, right: number) => truth(left >= right),
  "==": (left: number, right: number) => truth(left === right),
  "!=": (left: number, right: number) => truth(left !== right),
};
type Operator = keyof typeof OPERATORS;

const FUNCTIONS = {
  min: (...given: readonly number[]) => Math.min(...given),
  max: (...given: readonly number[]) => Math.max(...given),
  abs: (...given: readonly number[]) => Math.abs(given[0] ?? 0),
};
type FunctionName = keyof typeof FUNCTIONS;

/** Names that an outcome cannot have, since an expression means something else by them. */
export const TAKEN_NAMES: readonly string[] = [
  ...Object.keys(FUNCTIONS),
  ...["true", "false", "null", "this"],
];

/** The tree of a text, or what in it is no such expression. */
export function parseExpression(
  text: string,
): { readonly expression: Expression } | { readonly fault: string } {
  if (text.length > CHARS_MAX) return { fault: `${text.length} characters` };
  try {
    return { expression: ours(jsep(text)) };
  } catch (thrown) {
    // jsep says the place, and so does what is refused here.
    return { fault: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

/** The names in an expression, each once, in the order in which they stand. */
export function namesOf(expression: Expression): readonly string[] {
  return [...new Set(allNames(expression))];
}

function allNames(expression: Expression): readonly string[] {
  switch (expression.kind) {
    case "number":
      return [];
    case "name":
      return [expression.name];
    case "minus":
      return allNames(expression.of);
    case "operation":
      return [expression.left, expression.right].flatMap(allNames);
    case "call":
      return expression.given.flatMap(allNames);
  }
}

/** Every name has a value. */
export function evaluated(expression: Expression, values: ReadonlyMap<string, number>): Evaluated {
  switch (expression.kind) {
    case "number":
      return { value: expression.value };
    case "name":
      return { value: values.get(expression.name) ?? Number.NaN };
    case "minus":
      return applied([expression.of], values, ([value = 0]) => ({ value: -value }));
    case "operation":
      return applied([expression.left, expression.right], values, ([left = 0, right = 0]) =>
        expression.operator === "/" && right === 0
          ? { fault: `${left} divided by 0` }
          : finite(OPERATORS[expression.operator](left, right), expression.operator),
      );
    case "call":
      return applied(expression.given, values, (given) =>
        finite(FUNCTIONS[expression.name](...given), expression.name),
      );
  }
}

/**
 * Whether bounds decide it: a comparison with a value of which only the least is known, which no greater one would change, as
 * `recovery > 600000` of a run that had not recovered by then.
 */
export function isSettled(
  expression: Expression,
  values: ReadonlyMap<string, number>,
  { bounds, isLeast }: Bounds,
): boolean {
  if (expression.kind !== "operation" || !COMPARISONS.includes(expression.operator)) return false;
  const sides = [expression.left, expression.right];
  const bound = sides.find((side) => side.kind === "name" && bounds.includes(side.name));
  const other = sides.find((side) => side !== bound);
  if (bound?.kind !== "name" || !isLeast(bound.name) || other === undefined) return false;
  if (namesOf(other).some((name) => bounds.includes(name))) return false;
  const raised = evaluated(expression, new Map(values).set(bound.name, Number.POSITIVE_INFINITY));
  const now = evaluated(expression, values);
  return "value" in now && "value" in raised && now.value === raised.value;
}

interface Bounds {
  /** Names of whose value only a bound is known. */
  readonly bounds: readonly string[];
  /** Whether it is at least what is said. */
  readonly isLeast: (name: string) => boolean;
}

/** One that holds from some value on does so for all greater ones. */
const COMPARISONS: readonly Operator[] = ["<", "<=", ">", ">="];

function applied(
  operands: readonly Expression[],
  values: ReadonlyMap<string, number>,
  apply: (given: readonly number[]) => Evaluated,
): Evaluated {
  const given: number[] = [];
  for (const operand of operands) {
    const result = evaluated(operand, values);
    if ("fault" in result) return result;
    given.push(result.value);
  }
  return apply(given);
}

const finite = (value: number, what: string): Evaluated =>
  Number.isFinite(value) ? { value } : { fault: `${what} came to ${value}` };

/** Throws an Error that names what cannot stand there. */
function ours(node: jsep.Expression): Expression {
  const tree = node as jsep.CoreExpression; // No plugin adds other kinds.
  switch (tree.type) {
    case "Literal":
      if (typeof tree.value !== "number" || !Number.isFinite(tree.value)) throw no(tree.raw);
      return { kind: "number", value: tree.value };
    case "Identifier":
      return { kind: "name", name: tree.name };
    case "UnaryExpression":
      if (tree.operator === "+") return ours(tree.argument);
      if (tree.operator !== "-") throw no(tree.operator);
      return { kind: "minus", of: ours(tree.argument) };
    case "BinaryExpression":
      if (!isOf(OPERATORS, tree.operator)) throw no(tree.operator);
      return {
        kind: "operation",
        operator: tree.operator,
        left: ours(tree.left),
        right: ours(tree.right),
      };
    case "CallExpression":
      return called(tree);
    case "Compound":
      throw new Error(tree.body.length === 0 ? "nothing" : "several expressions in a row");
    default:
      throw no(tree.type);
  }
}

function called({ callee, arguments: given }: jsep.CallExpression): Expression {
  const name = callee.type === "Identifier" ? String(callee["name"]) : "a value";
  if (!isOf(FUNCTIONS, name)) throw no(`${name}(…)`);
  const isRight = name === "abs" ? given.length === 1 : given.length > 0;
  if (!isRight) throw new Error(`${name}(…) with ${given.length} values`);
  return { kind: "call", name, given: given.map(ours) };
}

const isOf = <T extends object>(table: T, name: string): name is keyof T & string =>
  Object.hasOwn(table, name);

const no = (what: string): Error => new Error(`${what}, which means nothing here`);
