/** What there is to know of a Python text without running it, as `port/python.parse` answers. */

/** What a body does: only `pass`, nothing beyond a docstring (or a constant), or more. */
export type BodyKind = "pass" | "docstring" | "code";

export interface FunctionSyntax {
  readonly name: string;
  /** Null when it takes none, or only `*args` and keywords. */
  readonly firstArgument: string | null;
  readonly inClass: boolean;
  /** `async def`: called, it gives a coroutine and has done nothing. */
  readonly isAsync?: true;
  readonly body: BodyKind;
}

/** What a parser found in a text, at whatever depth. */
export interface SyntaxSummary {
  readonly ok: boolean;
  /** Why it is no Python, when it is none. */
  readonly error?: string;
  readonly functions: readonly FunctionSyntax[];
  /** The text's own statements: they become a body when the text is wrapped. */
  readonly module: BodyKind;
}
