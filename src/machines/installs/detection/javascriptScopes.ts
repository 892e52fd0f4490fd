/** Which declaration a name of a JavaScript text means: two functions may call different things alike. */
import type { AnyNode, Program } from "acorn";
import { fullAncestor } from "acorn-walk";
import { namesIn } from "./javascriptNames.ts";

const BLOCKS = new Set([
  ...["Program", "BlockStatement", "StaticBlock", "CatchClause", "SwitchStatement"],
  ...["ForStatement", "ForOfStatement", "ForInStatement"],
]);
const isScope = (node: AnyNode): boolean => BLOCKS.has(node.type) || "params" in node;

export class JavascriptScopes {
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
