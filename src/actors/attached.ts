/** What the parts of a world attach to one another. */
import type { Attached, Hooks, Part } from "./part.ts";

/** By the part it is attached to, in the order of the parts that attach it. */
export function attachedBy(parts: readonly Part[]): Attached {
  const all: { [name: string]: object[] } = {};
  for (const { attaches = {} } of parts) {
    for (const [name, hooks] of Object.entries<object>(attaches)) {
      all[name] = [...(all[name] ?? []), hooks];
    }
  }
  // Each list holds what stood under its own name; the compiler does not follow that through a loop.
  return all as { [Name in keyof Hooks]?: Hooks[Name][] };
}
