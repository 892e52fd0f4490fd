/** A JavaScript text as acorn's tree, and what its names mean, followed through imports, assignments and constants. */
import {
  type AnyNode,
  type MemberExpression,
  type Options,
  type Pattern,
  type Program,
  type Property,
  parse,
  type Token,
  tokenizer,
} from "acorn";
import { fullAncestor } from "acorn-walk";
import { isBelow, words } from "./codeFacts.ts";

/** How many nodes above one are of interest. */
const ABOVE = 8;

export interface Placed {
  readonly node: AnyNode;
  readonly above: readonly AnyNode[];
}

const OPTIONS: Options = {
  ...{ ecmaVersion: "latest", locations: true, allowReturnOutsideFunction: true },
  ...{ allowAwaitOutsideFunction: true, allowImportExportEverywhere: true, allowHashBang: true },
  allowSuperOutsideMethod: true,
};

/** Ours: so far below the end of a call stack that no host decides whether a text is read. */
const NESTING_MAX = 400;
/** Of a tree: what a parser reads in a loop, such as `a.b.b.b`, is deep all the same to whoever walks it. */
const TREE_DEPTH_MAX = 600;
const TOO_DEEP = "it is nested too deeply";
const BRACKET = 3;
const OPENS = new Set(["(", "[", "{", "${"]);
const CLOSES = new Set([")", "]", "}"]);
const PARTS = new Set([",", ";", "var", "const", "return", "throw"]);
/** Labels of tokens that may end an expression, and of words that go on with one. */
const ENDS = new Set(
  "name num string regexp privateId ` ) ] } this null true false super".split(" "),
);
const INFIX = new Set(["in", "instanceof"]);
/** Labels of tokens that neither open nor deepen anything; names and values among them. */
const QUIET = new Set(
  (
    "name num string template invalidTemplate regexp privateId ` . ?. : this null true false super eof " +
    "function class import export"
  ).split(" "),
);

export function javascriptTree(
  text: string,
): { readonly program: Program; readonly placed: readonly Placed[] } | { readonly error: string } {
  if (isDeep(text)) return { error: TOO_DEEP };
  let error = "";
  for (const sourceType of ["module", "script"] as const) {
    try {
      const program = parse(text, { ...OPTIONS, sourceType });
      if (isDeepTree(program)) return { error: TOO_DEEP };
      return { program, placed: placedOf(program) };
    } catch (thrown) {
      // The stack of any host reads more than what is refused above.
      if (isStackFull(thrown)) return { error: TOO_DEEP };
      error ||= thrown instanceof Error ? thrown.message : "it could not be read";
    }
  }
  return { error };
}

const isStackFull = (thrown: unknown): boolean =>
  thrown instanceof RangeError || (thrown instanceof Error && /stack space/.test(thrown.message));

function isDeepTree(program: Program): boolean {
  let level: readonly object[] = [program];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > TREE_DEPTH_MAX) return true;
    level = level.flatMap(nodesIn);
  }
  return false;
}

/** The nodes right below one, whatever its members are called. */
const nodesIn = (node: object): readonly object[] =>
  Object.values(node)
    .flat()
    .filter(
      (one: unknown): one is object => typeof one === "object" && one !== null && "type" in one,
    );

function placedOf(program: Program): readonly Placed[] {
  const placed: Placed[] = [];
  fullAncestor(program, (node, _, ancestors, type) => {
    // A name that is given a value is not read.
    if (type !== "VariablePattern") placed.push({ node, above: ancestors.slice(-1 - ABOVE, -1) });
  });
  return placed;
}

/** Whether brackets and operators stand so deep in one another that a parser's stack might not do. */
function isDeep(text: string): boolean {
  const levels = [0];
  let total = 0;
  let before: Token | null = null;
  try {
    for (const token of tokenizer(text, { ...OPTIONS, sourceType: "module" })) {
      const { type } = token;
      if (isNewStatement(before, token)) {
        total -= levels.at(-1) ?? 0;
        levels[levels.length - 1] = 0;
      }
      before = token;
      const here = levels.at(-1) ?? 0;
      if (OPENS.has(type.label)) {
        levels.push(0);
        total += BRACKET;
      } else if (CLOSES.has(type.label) && levels.length > 1) {
        levels.pop();
        total -= BRACKET + here;
      } else if (PARTS.has(type.label)) {
        levels[levels.length - 1] = 0;
        total -= here;
      } else if (!QUIET.has(type.label)) {
        levels[levels.length - 1] = here + 1;
        total += 1;
      }
      if (total > NESTING_MAX) return true;
    }
  } catch {
    // What is no token is no JavaScript either: the parser says where.
  }
  return false;
}

/** Where no semicolon stands and none is needed: a name or a word on a new line, after what ended an expression. */
const isNewStatement = (before: Token | null, { type, loc }: Token): boolean =>
  before !== null &&
  before.loc?.end.line !== loc?.start.line &&
  ENDS.has(before.type.label) &&
  (type.label === "name" || (type.keyword !== undefined && !INFIX.has(type.label)));

/** What a text finds without declaring it. A module of Node is named as if it were there, as in a console. */
const GLOBALS = words(`
  fetch XMLHttpRequest WebSocket EventSource navigator eval Function require process module globalThis window self
  global setTimeout setInterval setImmediate fs child_process axios Deno Bun Worker SharedWorker WebAssembly
  importScripts Image RTCPeerConnection WebTransport`);
const GLOBAL_OBJECTS = words("globalThis window self global");
const GUARDED = words("globalThis process fs child_process Deno Bun");
const REQUIRES = words(
  "require module.require process.mainModule.require process.getBuiltinModule",
);
export const BINDERS = words("call apply bind");

const NAMES_MAX = 64;
const PARTS_MAX = 6;
const DEPTH_MAX = 40;
const ROUNDS = 6;

type Names = ReadonlySet<string>;
const NONE: Names = new Set();

/** A text that is known before the program runs. */
export function constantOf(node: AnyNode, depth = 0): string | null {
  if (depth > DEPTH_MAX) return null;
  if (node.type === "Literal") return typeof node.value === "string" ? node.value : null;
  if (node.type === "ParenthesizedExpression") return constantOf(node.expression, depth + 1);
  if (node.type === "BinaryExpression" && node.operator === "+") {
    return joined([node.left, node.right], depth);
  }
  if (node.type !== "TemplateLiteral") return null;
  const texts = node.quasis.map(({ value }) => value.cooked ?? "");
  const between = node.expressions.map((one) => constantOf(one, depth + 1));
  if (between.includes(null)) return null;
  return texts.map((text, index) => text + (between[index] ?? "")).join("");
}

function joined(nodes: readonly AnyNode[], depth: number): string | null {
  const parts = nodes.map((one) => constantOf(one, depth + 1));
  return parts.includes(null) ? null : parts.join("");
}

const moduleName = (specifier: string): string =>
  specifier.replace(/^node:/, "").replace(/^fs\/promises$/, "fs");

const memberName = (owner: string, key: string): string => {
  if (GLOBAL_OBJECTS.has(owner)) return GLOBAL_OBJECTS.has(key) ? "globalThis" : key;
  return key === "default" || (owner === "fs" && key === "promises") ? owner : `${owner}.${key}`;
};

const member = (owners: Names, key: string): Names => {
  const roots = owners.size > 0 ? [...owners] : ["?"];
  const short = roots.map((owner) => (owner.split(".").length > PARTS_MAX ? "?" : owner));
  return new Set(short.map((owner) => memberName(owner, key)));
};

export class JavascriptNames {
  readonly #bound = new Map<string, Set<string>>();
  /** By name: every value that the text gives it; null for one that is not written out, such as an argument's. */
  readonly #values = new Map<string, (AnyNode | null)[]>();
  /** Declared by the text itself at its top: such a name is no global. */
  readonly #declared: Names;
  readonly #functions = new Set<string>();
  #known = new Map<AnyNode, Names>();

  constructor(program: Program, placed: readonly Placed[]) {
    this.#declared = declaredIn(program);
    for (const { node } of placed) {
      this.#give(node);
      if (node.type === "FunctionDeclaration" && node.id !== null)
        this.#functions.add(node.id.name);
    }
    let size = -1;
    for (let round = 0; round < ROUNDS && size !== this.#size(); round++) {
      size = this.#size();
      this.#known = new Map();
      for (const { node } of placed) this.#bindBy(node);
    }
    this.#known = new Map();
  }

  /** Where a value may come from; `?` is a place unknown. */
  of(node: AnyNode, depth = 0): Names {
    if (depth > DEPTH_MAX) return NONE;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    const names = this.#found(node, depth + 1);
    const kept = names.size > NAMES_MAX ? new Set([...names].sort().slice(0, NAMES_MAX)) : names;
    this.#known.set(node, kept);
    return kept;
  }

  #found(node: AnyNode, depth: number): Names {
    if (node.type === "Identifier") return this.#ofName(node.name);
    if (node.type === "MemberExpression") {
      if (node.object.type === "Super" || node.property.type === "PrivateIdentifier") return NONE;
      const owners = this.of(node.object, depth);
      if (!node.computed) {
        return node.property.type === "Identifier" ? member(owners, node.property.name) : NONE;
      }
      const key = this.textOf(node.property);
      if (key !== null) return member(owners, key);
      return [...owners].some((owner) => GUARDED.has(owner) || GLOBAL_OBJECTS.has(owner))
        ? new Set(["member(computed)"])
        : NONE;
    }
    if (node.type === "ImportExpression") return moduleOf(node.source);
    if (node.type === "CallExpression" && node.callee.type !== "Super") {
      const { callee } = node;
      const [first] = node.arguments;
      return union([...this.of(callee, depth)].map((name) => called(name, first)));
    }
    return union(sources(node).map((one) => this.of(one, depth)));
  }

  /** What is given to a name; empty where some of it is not written out. */
  valuesOf(name: string): readonly AnyNode[] {
    const values = this.#values.get(name) ?? [];
    const known = values.filter((one) => one !== null);
    return known.length === values.length ? known : [];
  }

  /** Whether the text declares a function of that name. */
  isFunction(name: string): boolean {
    return (
      this.#functions.has(name) ||
      this.valuesOf(name).some(({ type }) => type === "FunctionExpression")
    );
  }

  /** Whether a name counts: it is given whole numbers only. */
  isNumber(name: string): boolean {
    const values = this.valuesOf(name);
    return (
      values.length > 0 &&
      values.every((one) => one.type === "Literal" && typeof one.value === "number")
    );
  }

  /** A text that is known before the program runs, also by a name that is given one text only. */
  textOf(node: AnyNode): string | null {
    if (node.type !== "Identifier") return constantOf(node);
    const values = this.valuesOf(node.name);
    return values.length === 1 && values[0] !== undefined ? constantOf(values[0]) : null;
  }

  /** The name of a member, as far as it is known before the program runs. */
  keyOf({ computed, key }: { readonly computed: boolean; readonly key: AnyNode }): string | null {
    return !computed && key.type === "Identifier" ? key.name : this.textOf(key);
  }

  #give(node: AnyNode): void {
    const given = (name: string, value: AnyNode | null): void => {
      const values = this.#values.get(name);
      if (values === undefined) this.#values.set(name, [value]);
      else values.push(value);
    };
    const whole = (target: AnyNode, value: AnyNode | null): void => {
      if (target.type === "Identifier") given(target.name, value);
      else for (const name of namesIn(target as Pattern)) given(name, null); // No pattern has no names.
    };
    if (node.type === "VariableDeclarator" && node.init) whole(node.id, node.init);
    else if (node.type === "AssignmentExpression") {
      whole(node.left, node.operator === "=" ? node.right : null);
    } else if (node.type === "ForOfStatement" || node.type === "ForInStatement") {
      const { left } = node;
      const targets =
        left.type === "VariableDeclaration" ? left.declarations.map(({ id }) => id) : [left];
      for (const target of targets) whole(target, null);
    } else if ("params" in node) for (const one of node.params) whole(one, null);
    else if (node.type === "CatchClause" && node.param) whole(node.param, null);
  }

  #ofName(name: string): Names {
    const bound = this.#bound.get(name) ?? NONE;
    if (this.#declared.has(name) || !GLOBALS.has(name)) return bound;
    return new Set([...bound, GLOBAL_OBJECTS.has(name) ? "globalThis" : name]);
  }

  #bindBy(node: AnyNode): void {
    if (node.type === "VariableDeclarator" && node.init) this.#bind(node.id, this.of(node.init));
    else if (node.type === "AssignmentExpression") this.#bind(node.left, this.of(node.right));
    else if (node.type === "AssignmentPattern") this.#bind(node.left, this.of(node.right));
    else if (node.type === "CallExpression") this.#bindThen(node.callee, node.arguments[0]);
    else if (node.type === "ImportDeclaration") {
      const module = moduleName(String(node.source.value));
      for (const one of node.specifiers) {
        const key = one.type === "ImportSpecifier" ? keyText(one.imported) : "default";
        this.#add(one.local.name, new Set([memberName(module, key ?? "default")]));
      }
    }
  }

  /** `import("fs").then((fs) => …)`: what is loaded is the first argument. */
  #bindThen(callee: AnyNode, taker: AnyNode | undefined): void {
    if (callee.type !== "MemberExpression" || callee.object.type === "Super") return;
    if (callee.property.type !== "Identifier" || callee.property.name !== "then") return;
    const isTaker =
      taker?.type === "ArrowFunctionExpression" || taker?.type === "FunctionExpression";
    const [first] = isTaker ? taker.params : [];
    if (first !== undefined) this.#bind(first, this.of(callee.object));
  }

  #bind(target: Pattern | AnyNode, names: Names): void {
    if (target.type === "Identifier") this.#add(target.name, names);
    if (target.type === "AssignmentPattern") this.#bind(target.left, names);
    if (target.type !== "ObjectPattern" || names.size === 0) return;
    for (const property of target.properties) {
      if (property.type === "RestElement") this.#bind(property.argument, names);
      else {
        const key = propertyKey(property);
        const held = key === null ? new Set(["member(computed)"]) : member(names, key);
        this.#bind(property.value, held);
      }
    }
  }

  #add(name: string, names: Names): void {
    const held = this.#bound.get(name) ?? new Set();
    for (const one of names) if (!one.startsWith("?") && held.size < NAMES_MAX) held.add(one);
    if (held.size > 0) this.#bound.set(name, held);
  }

  #size(): number {
    return [...this.#bound.values()].reduce((sum, { size }) => sum + size, this.#bound.size);
  }
}

export const moduleOf = (specifier: AnyNode | undefined): Names => {
  const text = specifier === undefined ? null : constantOf(specifier);
  return new Set([text === null ? "import(computed)" : moduleName(text)]);
};

export const keyName = ({ computed, property }: MemberExpression): string =>
  !computed && property.type === "Identifier" ? property.name : "";

function called(name: string, first: AnyNode | undefined): Names {
  if (REQUIRES.has(name)) return moduleOf(first);
  if (name === "module.createRequire") return new Set(["require"]);
  return new Set([isBelow(name, GUARDED) ? "?" : `${name}()`].filter((one) => one !== "?"));
}

/** The parts of an expression whose value may be its own. */
export function sources(node: AnyNode): readonly AnyNode[] {
  if (node.type === "AwaitExpression") return [node.argument];
  if (node.type === "ChainExpression" || node.type === "ParenthesizedExpression") {
    return [node.expression];
  }
  if (node.type === "LogicalExpression") return [node.left, node.right];
  if (node.type === "ConditionalExpression") return [node.consequent, node.alternate];
  if (node.type === "AssignmentExpression") return [node.right];
  return node.type === "SequenceExpression" ? node.expressions.slice(-1) : [];
}

const union = (all: readonly Names[]): Names => new Set(all.flatMap((one) => [...one]));

const keyText = (key: AnyNode): string | null =>
  key.type === "Identifier" ? key.name : constantOf(key);

const propertyKey = ({ computed, key }: Pick<Property, "computed" | "key">): string | null =>
  computed ? constantOf(key) : keyText(key);

/** A `var` without a value leaves the global as it was. */
function declaredIn({ body }: Program): Names {
  const names = new Set<string>();
  for (const outer of body) {
    const node = outer.type === "ExportNamedDeclaration" ? (outer.declaration ?? outer) : outer;
    if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") {
      if (node.id !== null) names.add(node.id.name);
    } else if (node.type === "VariableDeclaration") {
      for (const { id, init } of node.declarations) {
        if (id.type === "Identifier" && (init || node.kind !== "var")) names.add(id.name);
      }
    } else if (node.type === "ImportDeclaration") {
      for (const { local } of node.specifiers) names.add(local.name);
    }
  }
  return names;
}

/** What a pattern names. */
export function namesIn(pattern: Pattern): readonly string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type === "AssignmentPattern") return namesIn(pattern.left);
  if (pattern.type === "RestElement") return namesIn(pattern.argument);
  if (pattern.type === "ArrayPattern") {
    return pattern.elements.flatMap((one) => (one === null ? [] : namesIn(one)));
  }
  if (pattern.type !== "ObjectPattern") return [];
  return pattern.properties.flatMap((one) =>
    namesIn(one.type === "RestElement" ? one.argument : one.value),
  );
}
