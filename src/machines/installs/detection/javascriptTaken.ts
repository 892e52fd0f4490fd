/**
 * Where a value goes that was taken by a name that is put together, such as `f[k]`: of a function that may be what makes
 * code of a text. It is followed through names, members, lists and the text's own functions, whatever their order.
 */
import type { AnyNode, CallExpression, MemberExpression, NewExpression, Pattern } from "acorn";
import { full } from "acorn-walk";
import { words } from "./codeFacts.ts";
import { BINDERS, type JavascriptNames, type Placed, sources } from "./javascriptNames.ts";

/** Bits: the value itself, a list that holds it, a function that answers with it. */
const [NOTHING, VALUE, LIST, MAKER] = [0, 1, 2, 4];

const ROUNDS = 6;
const DEPTH_MAX = 40;
/** Members of lists, texts and promises that call what they are given, with what the list holds. */
const CALLERS = words(`
  map forEach filter flatMap some every find findIndex findLast findLastIndex reduce reduceRight sort toSorted
  replace replaceAll then catch`);

type MadeBy = Extract<AnyNode, { params: unknown }>;
const isFunction = (node: AnyNode): node is MadeBy => "params" in node;

export class JavascriptTaken {
  readonly #names: JavascriptNames;
  readonly #isUnknown: (node: AnyNode, key: AnyNode) => boolean;
  readonly #byName = new Map<string, number>();
  /** By the name of a member that is given it, of whatever object. */
  readonly #byMember = new Map<string, number>();
  readonly #functions = new Map<string, MadeBy[]>();
  readonly #answers = new Map<AnyNode, readonly AnyNode[]>();

  /** `isUnknown` says whether nobody knows which member of an object a key names. */
  constructor(
    placed: readonly Placed[],
    names: JavascriptNames,
    isUnknown: (object: AnyNode, key: AnyNode) => boolean,
  ) {
    [this.#names, this.#isUnknown] = [names, isUnknown];
    for (const { node } of placed) this.#declare(node);
    let size = -1;
    for (let round = 0; round < ROUNDS && size !== this.#size(); round++) {
      size = this.#size();
      for (const { node } of placed) this.#give(node);
    }
  }

  /** Whether such a value is run with something that may be a text. */
  isRun({ callee, arguments: given }: CallExpression | NewExpression): boolean {
    if (callee.type === "Super") return false;
    if (callee.type === "MemberExpression") {
      const key = this.#keyOf(callee);
      if (BINDERS.has(key) && this.#has(callee.object, VALUE)) return given.some(mayBeText);
      if (isCaller(callee, key) && given.some((one) => this.#has(one, VALUE))) return true;
      if (callee.computed && !this.#has(callee.object, LIST)) return false; // A member is judged where it stands.
    }
    return given.some(mayBeText) && this.#has(callee, VALUE);
  }

  /** Used as a tag, or extended. */
  isTaken(node: AnyNode): boolean {
    return this.#has(node, VALUE);
  }

  #has(node: AnyNode, bit: number): boolean {
    return (this.#of(node) & bit) !== 0;
  }

  #of(node: AnyNode, depth = 0): number {
    if (depth > DEPTH_MAX) return NOTHING;
    const of = (one: AnyNode | null): number => (one === null ? NOTHING : this.#of(one, depth + 1));
    const all = (nodes: readonly (AnyNode | null)[]): number =>
      nodes.reduce((bits, one) => bits | of(one), NOTHING);
    switch (node.type) {
      case "Identifier":
        return this.#byName.get(node.name) ?? NOTHING;
      case "MemberExpression": {
        if (node.computed && this.#isUnknown(node.object, node.property)) return VALUE;
        const held = of(node.object) & LIST && node.computed ? VALUE : NOTHING;
        return held | (this.#byMember.get(this.#keyOf(node)) ?? NOTHING);
      }
      case "ArrayExpression":
        return all(node.elements) & (VALUE | LIST) ? LIST : NOTHING;
      case "SpreadElement":
        return of(node.argument);
      case "CallExpression": {
        const { callee } = node;
        const made = of(callee) & MAKER ? VALUE : NOTHING;
        if (callee.type !== "MemberExpression") return made;
        if (BINDERS.has(this.#keyOf(callee)) && of(callee.object) & VALUE) return VALUE;
        if (of(callee.object) & LIST || all(node.arguments) & MAKER) return made | VALUE | LIST;
        return made;
      }
      default:
        if (isFunction(node)) return all(this.#answersOf(node)) === NOTHING ? NOTHING : MAKER;
        return all(sources(node));
    }
  }

  #keyOf = ({ computed, property }: MemberExpression): string =>
    (!computed && property.type === "Identifier" ? property.name : this.#names.textOf(property)) ??
    "";

  #answersOf(made: MadeBy): readonly AnyNode[] {
    const known = this.#answers.get(made);
    if (known !== undefined) return known;
    const answers: AnyNode[] = made.body.type === "BlockStatement" ? [] : [made.body];
    full(made.body, (node) => {
      if (node.type === "ReturnStatement" && node.argument) answers.push(node.argument);
    });
    this.#answers.set(made, answers);
    return answers;
  }

  #declare(node: AnyNode): void {
    const { name, made } = functionOf(node);
    if (made !== undefined) this.#functions.set(name, [...(this.#functions.get(name) ?? []), made]);
  }

  #give(node: AnyNode): void {
    if (node.type === "VariableDeclarator" && node.init) this.#bind(node.id, node.init);
    else if (node.type === "AssignmentExpression") this.#bind(node.left, node.right);
    else if (node.type === "Property" && node.value.type !== "AssignmentPattern") {
      const isGetter = node.kind === "get";
      if (!node.computed && node.key.type === "Identifier") {
        this.#add(this.#byMember, node.key.name, made(this.#of(node.value), isGetter));
      }
    } else if (node.type === "MethodDefinition" && node.key.type === "Identifier") {
      this.#add(this.#byMember, node.key.name, made(this.#of(node.value), node.kind === "get"));
    } else if (node.type === "FunctionDeclaration" && node.id !== null) {
      this.#add(this.#byName, node.id.name, this.#of(node));
    } else if (node.type === "ForOfStatement" && this.#has(node.right, LIST)) {
      const { left } = node;
      const targets =
        left.type === "VariableDeclaration" ? left.declarations.map(({ id }) => id) : [left];
      for (const one of targets) this.#name(one, VALUE);
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
    const called: readonly AnyNode[] =
      callee.type === "Identifier" ? (this.#functions.get(callee.name) ?? []) : [callee];
    for (const one of called.filter(isFunction)) {
      for (const [index, param] of one.params.entries()) {
        const value = given[index];
        if (value !== undefined) this.#name(param, this.#of(value));
      }
    }
  }

  #bind(target: AnyNode, value: AnyNode): void {
    if (target.type === "ObjectPattern") {
      for (const one of target.properties) {
        if (one.type === "Property" && one.computed && this.#isUnknown(value, one.key)) {
          this.#name(one.value, VALUE);
        }
      }
    } else if (target.type === "ArrayPattern") {
      const bits = this.#has(value, LIST) ? VALUE : NOTHING;
      for (const one of target.elements) if (one !== null) this.#name(one, bits);
    } else this.#name(target, this.#of(value));
  }

  #name(target: Pattern | AnyNode, bits: number): void {
    if (target.type === "Identifier") this.#add(this.#byName, target.name, bits);
    else if (target.type === "AssignmentPattern") this.#name(target.left, bits);
    else if (target.type === "MemberExpression") {
      this.#add(this.#byMember, this.#keyOf(target), bits);
      const isGlobal = [...this.#names.of(target.object)].includes("globalThis");
      if (isGlobal) this.#add(this.#byName, this.#keyOf(target), bits);
    }
  }

  #add(to: Map<string, number>, name: string, bits: number): void {
    if (bits !== NOTHING && name !== "") to.set(name, (to.get(name) ?? NOTHING) | bits);
  }

  #size(): number {
    const all = [...this.#byName.values(), ...this.#byMember.values()];
    return all.reduce((sum, bits) => sum + bits, 0);
  }
}

/** `Option.some(x)` is no list's: what begins with a capital letter is a module or a class. */
const isCaller = ({ object }: MemberExpression, key: string): boolean =>
  CALLERS.has(key) && !(object.type === "Identifier" && /^[A-Z]/.test(object.name));

/** A getter hands on what its function answers with. */
const made = (bits: number, isGetter: boolean): number => (isGetter && bits & MAKER ? VALUE : bits);

function functionOf(node: AnyNode): { readonly name: string; readonly made?: MadeBy } {
  if (node.type === "FunctionDeclaration" && node.id !== null) {
    return { name: node.id.name, made: node };
  }
  if (node.type !== "VariableDeclarator" || node.id.type !== "Identifier") return { name: "" };
  return node.init && isFunction(node.init)
    ? { name: node.id.name, made: node.init }
    : { name: "" };
}

/** Numbers, nothing and functions written out make no code that another gave. */
const mayBeText = (node: AnyNode): boolean =>
  !isFunction(node) &&
  !(node.type === "Literal" && typeof node.value !== "string") &&
  !(node.type === "Identifier" && node.name === "undefined");
