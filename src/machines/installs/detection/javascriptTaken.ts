/**
 * Where a value goes that was taken by a name that is put together, such as `f[k]`: of a function that may be what makes
 * code of a text. It is followed through names in their scopes, the text's own literals and functions, whatever their order.
 */
import type { AnyNode, CallExpression, MemberExpression, NewExpression, Program } from "acorn";
import { fullAncestor } from "acorn-walk";
import { words } from "./codeFacts.ts";
import { BINDERS, type JavascriptNames, namesIn, type Placed, sources } from "./javascriptNames.ts";

/** Bits: the value itself, a list that holds it, a function that answers with it. */
const [NOTHING, VALUE, LIST, MAKER] = [0, 1, 2, 4];

const ROUNDS = 6;
const DEPTH_MAX = 40;
/** Members of lists and promises that call what they are given, with what the list holds. */
const CALLERS = words(`
  map forEach filter flatMap some every find findIndex findLast findLastIndex reduce reduceRight then catch`);

type MadeBy = Extract<AnyNode, { params: unknown }>;
const isFunction = (node: AnyNode): node is MadeBy => "params" in node;

// Which declaration a name of a JavaScript text means: two functions may call different things alike.

const BLOCKS = new Set([
  ...["Program", "BlockStatement", "StaticBlock", "CatchClause", "SwitchStatement"],
  ...["ForStatement", "ForOfStatement", "ForInStatement"],
]);
const isScope = (node: AnyNode): boolean => BLOCKS.has(node.type) || "params" in node;

class JavascriptScopes {
  /** By scope, its number and what is declared there. */
  readonly #declared = new Map<AnyNode, { readonly id: number; readonly names: Set<string> }>();
  readonly #of = new Map<AnyNode, string>();

  constructor(program: Program) {
    fullAncestor(program, (node, _, above) => this.#declare(node, above));
    fullAncestor(program, (node, _, above) => {
      if (node.type === "Identifier") this.#of.set(node, this.#meant(node.name, above));
    });
  }

  /** The name with the number of the scope that declares it; the plain name of a global. */
  of(node: AnyNode): string {
    return this.#of.get(node) ?? (node.type === "Identifier" ? node.name : "");
  }

  #declare(node: AnyNode, above: readonly AnyNode[]): void {
    if (node.type === "VariableDeclaration") {
      const isVar = node.kind === "var";
      const scope = above
        .slice(0, -1)
        .findLast((one) => "params" in one || one.type === "Program" || (!isVar && isScope(one)));
      for (const { id } of node.declarations) this.#add(scope, namesIn(id));
    } else if (node.type === "CatchClause" && node.param) this.#add(node, namesIn(node.param));
    else if ("params" in node) {
      for (const one of node.params) this.#add(node, namesIn(one));
    }
    if (
      (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") &&
      node.id !== null
    ) {
      this.#add(above.slice(0, -1).findLast(isScope), [node.id.name]);
    }
  }

  #add(scope: AnyNode | undefined, names: readonly string[]): void {
    if (scope === undefined || names.length === 0) return;
    let known = this.#declared.get(scope);
    if (known === undefined) {
      known = { id: this.#declared.size + 1, names: new Set() };
      this.#declared.set(scope, known);
    }
    for (const name of names) known.names.add(name);
  }

  #meant(name: string, above: readonly AnyNode[]): string {
    for (let at = above.length - 1; at >= 0; at--) {
      const known = this.#declared.get(above[at] as AnyNode);
      if (known?.names.has(name)) return `${name} ${known.id}`;
    }
    return name;
  }
}

export class JavascriptTaken {
  readonly #names: JavascriptNames;
  readonly #scopes: JavascriptScopes;
  readonly #isUnknown: (object: AnyNode, key: AnyNode) => boolean;
  readonly #byName = new Map<string, number>();
  /** By name, the literals and functions that the text gives it. */
  readonly #literals = new Map<string, AnyNode[]>();
  readonly #answers = new Map<AnyNode, AnyNode[]>();
  /** Of this round. */
  #known = new Map<AnyNode, number>();

  /** `isUnknown` says whether nobody knows which member of an object a key names. */
  constructor(
    program: Program,
    placed: readonly Placed[],
    names: JavascriptNames,
    isUnknown: (object: AnyNode, key: AnyNode) => boolean,
  ) {
    [this.#names, this.#isUnknown] = [names, isUnknown];
    this.#scopes = new JavascriptScopes(program);
    this.#read(program);
    let size = -1;
    for (let round = 0; round < ROUNDS && size !== this.#size(); round++) {
      size = this.#size();
      this.#known = new Map();
      for (const { node } of placed) this.#give(node);
    }
    this.#known = new Map();
  }

  /** Whether such a value is run with something that may be a text. */
  isRun({ callee, arguments: given }: CallExpression | NewExpression): boolean {
    if (callee.type === "Super") return false;
    if (callee.type === "MemberExpression") {
      const key = this.#keyOf(callee);
      // What is bound is not run yet, and the first is only `this`.
      if (BINDERS.has(key) && this.#has(callee.object, VALUE)) {
        return key !== "bind" && given.slice(1).some(mayBeText);
      }
      if (isCaller(callee, key) && given.some((one) => this.#has(one, VALUE))) return true;
      // A member is judged where it stands.
      if (callee.computed && this.#isUnknown(callee.object, callee.property)) return false;
    }
    return given.some(mayBeText) && this.#has(callee, VALUE);
  }

  /** Used as a tag, or extended. */
  isTaken(node: AnyNode): boolean {
    return this.#has(node, VALUE);
  }

  #has(node: AnyNode, bit: number): boolean {
    return (this.#of(node, 0) & bit) !== 0;
  }

  #of(node: AnyNode, depth: number): number {
    if (depth > DEPTH_MAX) return NOTHING;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    // Whoever asks for it meanwhile asks of itself.
    this.#known.set(node, NOTHING);
    const found = this.#found(node, depth + 1);
    this.#known.set(node, found);
    return found;
  }

  #found(node: AnyNode, depth: number): number {
    const all = (nodes: readonly (AnyNode | null)[]): number =>
      nodes.reduce((bits, one) => bits | (one === null ? NOTHING : this.#of(one, depth)), NOTHING);
    switch (node.type) {
      case "Identifier":
        return this.#byName.get(this.#scopes.of(node)) ?? NOTHING;
      case "MemberExpression":
        return this.#ofMember(node, depth);
      case "ArrayExpression":
        return all(node.elements) & (VALUE | LIST) ? LIST : NOTHING;
      case "SpreadElement":
        return this.#of(node.argument, depth);
      case "CallExpression":
        return this.#ofCall(node, depth);
      default:
        if (isFunction(node))
          return all(this.#answers.get(node) ?? []) & (VALUE | LIST) ? MAKER : NOTHING;
        return all(sources(node));
    }
  }

  #ofMember(node: MemberExpression, depth: number): number {
    const { object, property, computed } = node;
    if (computed && this.#isUnknown(object, property)) return VALUE;
    if (computed && this.#of(object, depth) & LIST) return VALUE;
    const key = this.#keyOf(node);
    const literals =
      object.type === "Identifier" ? this.#literals.get(this.#scopes.of(object)) : [object];
    return (literals ?? []).reduce((bits, one) => bits | this.#inLiteral(one, key, depth), NOTHING);
  }

  /** What a literal has under a key; a getter hands on what its function answers with. */
  #inLiteral(literal: AnyNode, key: string, depth: number): number {
    if (literal.type !== "ObjectExpression" || key === "") return NOTHING;
    return literal.properties.reduce((bits, one) => {
      if (one.type === "SpreadElement" || this.#nameOf(one) !== key) return bits;
      const held = this.#of(one.value, depth);
      return bits | (one.kind === "get" ? (held & MAKER ? VALUE : NOTHING) : held);
    }, NOTHING);
  }

  #ofCall({ callee, arguments: given }: CallExpression, depth: number): number {
    const called = this.#of(callee, depth);
    const made = called & MAKER ? VALUE : NOTHING;
    if (callee.type !== "MemberExpression") return made;
    const held = this.#of(callee.object, depth);
    const key = this.#keyOf(callee);
    if (BINDERS.has(key) && held & VALUE) return VALUE;
    const isMade = CALLERS.has(key) && given.some((one) => this.#of(one, depth) & MAKER);
    return isMade || held & LIST ? made | VALUE | LIST : made;
  }

  #keyOf = ({ computed, property }: MemberExpression): string =>
    this.#nameOf({ computed, key: property });

  #nameOf = (member: { readonly computed: boolean; readonly key: AnyNode }): string =>
    this.#names.keyOf(member) ?? "";

  /** Notes literals by name, and what each function answers with itself. */
  #read(program: Program): void {
    const note = (name: AnyNode, value: AnyNode): void => {
      if (name.type !== "Identifier") return;
      const key = this.#scopes.of(name);
      const known = this.#literals.get(key);
      if (known === undefined) this.#literals.set(key, [value]);
      else if (known.length < LITERALS_MAX) known.push(value);
    };
    fullAncestor(program, (node, _, above) => {
      if (node.type === "VariableDeclarator" && node.init) note(node.id, node.init);
      else if (node.type === "AssignmentExpression") note(node.left, node.right);
      else if (node.type === "FunctionDeclaration" && node.id !== null) note(node.id, node);
      if (isFunction(node) && node.body.type !== "BlockStatement")
        this.#answers.set(node, [node.body]);
      if (node.type !== "ReturnStatement" || !node.argument) return;
      const made = above.findLast(isFunction);
      if (made === undefined) return;
      const answers = this.#answers.get(made);
      if (answers === undefined) this.#answers.set(made, [node.argument]);
      else answers.push(node.argument);
    });
  }

  #give(node: AnyNode): void {
    if (node.type === "VariableDeclarator" && node.init) this.#bind(node.id, node.init);
    else if (node.type === "AssignmentExpression") this.#bind(node.left, node.right);
    else if (node.type === "FunctionDeclaration" && node.id !== null) {
      this.#name(node.id, this.#of(node, 0));
    } else if (node.type === "ForOfStatement" && this.#has(node.right, LIST)) {
      const { left } = node;
      const targets =
        left.type === "VariableDeclaration" ? left.declarations.map(({ id }) => id) : [left];
      for (const one of targets) this.#name(one, VALUE);
    } else if (isFunction(node)) {
      for (const param of node.params) {
        if (param.type === "AssignmentPattern") this.#bind(param.left, param.right);
      }
    } else if (node.type === "CallExpression") this.#hand(node);
  }

  /** What a call hands to a function of the text, or to one that a list calls. */
  #hand(call: CallExpression): void {
    const { callee } = call;
    const given: readonly AnyNode[] = call.arguments;
    if (callee.type === "MemberExpression" && this.#has(callee.object, LIST)) {
      for (const one of given.filter(isFunction)) {
        for (const param of one.params) this.#name(param, VALUE);
      }
    }
    const called =
      callee.type === "Identifier" ? this.#literals.get(this.#scopes.of(callee)) : [callee];
    for (const one of ((called ?? []) as readonly AnyNode[]).filter(isFunction)) {
      for (const [index, param] of one.params.entries()) {
        const value = given[index];
        if (value !== undefined) this.#bind(param, value);
      }
    }
  }

  #bind(target: AnyNode, value: AnyNode): void {
    if (target.type === "AssignmentPattern") {
      this.#bind(target.left, target.right);
      this.#bind(target.left, value);
    } else if (target.type === "ObjectPattern") {
      for (const one of target.properties) {
        if (one.type !== "Property") continue;
        const isTaken = one.computed && this.#isUnknown(value, one.key);
        const held =
          value.type === "ObjectExpression"
            ? this.#inLiteral(value, this.#nameOf(one), 0)
            : NOTHING;
        this.#name(one.value, isTaken ? VALUE : held);
      }
    } else if (target.type === "ArrayPattern") {
      const bits = this.#has(value, LIST) ? VALUE : NOTHING;
      for (const one of target.elements) if (one !== null) this.#name(one, bits);
    } else this.#name(target, this.#of(value, 0));
  }

  #name(target: AnyNode, bits: number): void {
    if (target.type === "Identifier") this.#add(this.#scopes.of(target), bits);
    else if (target.type === "AssignmentPattern") {
      this.#name(target.left, bits | this.#of(target.right, 0));
    } else if (target.type === "MemberExpression") {
      const isGlobal = [...this.#names.of(target.object)].includes("globalThis");
      if (isGlobal) this.#add(this.#keyOf(target), bits);
    }
  }

  #add(name: string, bits: number): void {
    if (bits !== NOTHING && name !== "") {
      this.#byName.set(name, (this.#byName.get(name) ?? NOTHING) | bits);
    }
  }

  #size(): number {
    return [...this.#byName.values()].reduce((sum, bits) => sum + bits, 0);
  }
}

/** Of one name; a text that gives it more is read as far. */
const LITERALS_MAX = 32;

/** `Option.some(x)` is no list's: what begins with a capital letter is a module or a class. */
const isCaller = ({ object }: MemberExpression, key: string): boolean =>
  CALLERS.has(key) && !(object.type === "Identifier" && /^[A-Z]/.test(object.name));

/** Numbers, nothing, `this` and functions written out make no code that another gave. */
const mayBeText = (node: AnyNode): boolean =>
  !isFunction(node) &&
  node.type !== "ThisExpression" &&
  !(node.type === "Literal" && typeof node.value !== "string") &&
  !(node.type === "Identifier" && node.name === "undefined");
