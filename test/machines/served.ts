// One service alone, driven event by event.
import type { At, Letter, MailEvent } from "../../src/machines/letter.ts";
import type { Service } from "../../src/machines/service.ts";
import { serviceBehaviour } from "../../src/substrate/serviceBehaviour.ts";

export function served<TState extends object, TInput extends object>(
  service: Service<TState, TInput>,
  input: TInput,
  begins: At = { nowMs: 0, seq: 1, from: "kernel" },
) {
  const behaviour = serviceBehaviour(service);
  let { state } = behaviour.start("self", input, begins);
  let { seq } = begins;
  return {
    /** Delivers an event, as a question unless the stamp says otherwise; what comes of it. */
    send(event: MailEvent, at: Partial<At> = { asked: true }) {
      const stamp: At = { nowMs: 0, seq: ++seq, from: "peer", ...at };
      const step = behaviour.receive("self", state, { ...event, at: stamp });
      state = step.state;
      const letters = step.effects.flatMap((effect): readonly Letter[] =>
        effect.kind === "letter" ? [effect.letter] : [],
      );
      return { letters, done: step.ended, grown: step.grown };
    },
    get state() {
      return state;
    },
    /** The state as plain data, as everyone else sees it. */
    get plain() {
      return behaviour.context(state);
    },
    get seq() {
      return seq;
    },
  };
}
