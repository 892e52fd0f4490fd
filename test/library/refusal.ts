// What a program is told that asks for what cannot be.
import { expect } from "vitest";
import { isEdgeError } from "../../src/index.ts";

/** The text of the error, which must be one of ours, with its four parts. */
export async function refusal(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (thrown) {
    if (!isEdgeError(thrown)) throw thrown;
    for (const part of [thrown._tag, thrown.found, thrown.todo]) expect(part).not.toBe("");
    expect(thrown.message).toContain(thrown.todo);
    return thrown.message;
  }
  throw new Error("nothing was refused");
}
