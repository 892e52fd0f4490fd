/** What is said of a builtin, whichever actor executes it. */
export interface BuiltinFacts {
  readonly name: string;
  /**
   * The text the router scores. Terse and technical, as manual pages are, and that is how a plainer
   * description can outscore it. The wording of no real system is copied.
   */
  readonly description: string;
  /** Its parameters, as prompts list them where tools are called by name: `path: string, content: string`. */
  readonly takes?: string;
  /** Whether the lists of locks may name it. */
  readonly isLockable?: true;
  /** Whether its steps count as output: unless the policy says otherwise, or only if it says so. */
  readonly output?: "usual" | "possible";
  /** Whether others come to read the texts that it is given. */
  readonly isPublic?: true;
}
