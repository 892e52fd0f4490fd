/** A broken promise between two parts of this program: a bug, never bad input. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
}

/** Throws AssertionError with `message`, a sentence, unless `condition` holds. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionError(message);
}
