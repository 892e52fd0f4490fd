/** How the statecharts of one machine act: what is said, what changes, and what a state asks while it lasts. */
import { assign, type EventObject, type MachineContext } from "xstate";
import { cancelAsk, type Letter, post } from "./letter.ts";

/** Of a machine's context and the events that it hears. */
export function chartActions<C extends MachineContext, E extends EventObject>() {
  const say = (letters: (context: C) => readonly Letter[]) =>
    post<C, E, E>(({ context }) => letters(context));
  /** `update` is given the event of the transition that it stands in. */
  const change = <K extends EventObject = E>(update: (context: C, event: K) => Partial<C>) =>
    assign<C, K, undefined, E, never>(({ context, event }) => update(context, event));
  /** For a state that asks: its question is forgotten when it is left. */
  const asking = (key: string, letter: (context: C) => Letter) => ({
    entry: say((context) => [letter(context)]),
    exit: say(() => [cancelAsk(key)]),
  });
  return { say, change, asking };
}
