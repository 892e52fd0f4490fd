/** What the parts of a world attach to one another. */
import { ownValue } from "../machines/ownValue.ts";
import type { Attached, Hooks, Part } from "./part.ts";
import type { Policy } from "./policy.ts";
import type { Sections } from "./scenario.ts";

/** Those of the parts that attach to others in this world. */
export const attachingIn = <P extends Part>(
  parts: readonly P[],
  policy: Policy,
  sections: Partial<Sections>,
): readonly P[] => parts.filter(({ attachesTo }) => attachesTo?.(policy, sections) ?? true);

/** By the part it is attached to, in the order of the parts that attach it. */
export function attachedBy(parts: readonly Part[]): Attached {
  const all: { [name: string]: object[] } = {};
  for (const { attaches = {} } of parts) {
    for (const [name, hooks] of Object.entries<object>(attaches)) {
      all[name] = [...(ownValue(all, name) ?? []), hooks];
    }
  }
  // Each list holds what stood under its own name; the compiler does not follow that through a loop.
  return all as { [Name in keyof Hooks]?: Hooks[Name][] };
}
