/** What a parser found that a text reaches for, by the name of its origin: `r.get` after `import requests as r` is `requests.get`. */

export interface CodeFact {
  readonly name: string;
  /**
   * `passed`: a module handed on whole, so that all of it is in reach. `computed`: a name that only the running
   * program knows. `loop`: one without an end. `unfamiliar`: a module that the language does not bring.
   */
  readonly how: "import" | "call" | "use" | "passed" | "computed" | "loop" | "unfamiliar";
  readonly line: number;
  /** Of a call that opens a file: how; null when only the running program knows. */
  readonly mode?: string | null;
  /** Of a call: it is given what a person types. */
  readonly typed?: true;
}

/** A word of a threat, in a string that is no docstring. */
export interface StringHit {
  readonly word: string;
  readonly line: number;
}

export type CodeFacts =
  | { readonly facts: readonly CodeFact[]; readonly hits: readonly StringHit[] }
  | { readonly error: string };
