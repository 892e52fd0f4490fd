/** Functions of a program that look on while a run goes. */
import type { Delivery } from "../substrate/envelope.ts";
import type { Input } from "../substrate/port.ts";
import type { RunOptions } from "./runOptions.ts";

export interface LookingOn {
  /** The same functions: what they are given is frozen, and after a throw they are called no more. */
  readonly looks: {
    readonly onDelivery?: (delivery: Delivery) => void;
    readonly onInput?: (input: Input) => void;
  };
  readonly hasThrown: () => boolean;
  /** Throws what one of them threw, as it was: it is the program's own and no end of a run. */
  readonly rethrow: () => void;
}

/** With `atOnce` a throw also ends the run there; otherwise the caller asks `hasThrown`. */
export function lookingOn(
  { onDelivery, onInput }: Pick<RunOptions, "onDelivery" | "onInput">,
  atOnce: boolean,
): LookingOn {
  let thrown: { readonly error: unknown } | undefined;
  const guarded =
    <T>(look: (one: T) => void) =>
    (one: T): void => {
      if (thrown !== undefined) return;
      try {
        look(frozen(one));
      } catch (error) {
        thrown = { error };
        if (atOnce) throw error;
      }
    };
  return {
    looks: {
      ...(onDelivery && { onDelivery: guarded(onDelivery) }),
      ...(onInput && { onInput: guarded(onInput) }),
    },
    hasThrown: () => thrown !== undefined,
    rethrow: () => {
      if (thrown !== undefined) throw thrown.error;
    },
  };
}

/** A copy, so that nothing of the program's own is frozen with what is delivered. */
export const ownCopy = <T>(value: T, { looks }: LookingOn): T =>
  Object.keys(looks).length === 0 ? value : structuredClone(value);

/** What is delivered belongs to the world: a look that changed it would change the run. */
function frozen<T>(value: T): T {
  // States share their parts, and what is frozen is frozen throughout.
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(frozen);
  return value;
}
