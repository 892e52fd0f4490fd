/** What becomes of files, and what Python answers, in words. */
import { type Words, who } from "../../contract/words.ts";

export const words: Words = {
  "files.move": (event, { from, changes }) =>
    changes.length === 0
      ? `${who(from)} could not move ${event.path}: nothing was changed.`
      : `${who(from)} moved ${event.path} to ${event.to}.`,
  "files.write": (event, { from }) =>
    from.startsWith("outside/") ? `The outside wrote ${event.path}.` : null,
  "sandbox.replied": (event) =>
    event.ok ? null : `The sandbox says: ${event.error ?? "no reason given"}.`,
};
