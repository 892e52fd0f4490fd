// One service alone, sent one event after another.
import type {
  At,
  EventType,
  Letter,
  Mail,
  MailEvent,
  MailOf,
} from "../../../src/machines/letter.ts";
import type { Service } from "../../../src/machines/service.ts";
import { serviceBehaviour } from "../../../src/substrate/serviceBehaviour.ts";

export function serving<TState extends object, TInput extends object>(
  service: Service<TState, TInput>,
  input: TInput,
  openedAt: At,
) {
  const behaviour = serviceBehaviour(service);
  let { state } = behaviour.start("it", input, openedAt);
  return {
    /** Delivers an event; what the service posts. */
    send(event: MailEvent, at: At): readonly Letter[] {
      const step = behaviour.receive("it", state, { ...event, at });
      state = step.state;
      return step.effects.flatMap((effect) => (effect.kind === "letter" ? [effect.letter] : []));
    },
  };
}

/** An event of its type and its fields. */
export const eventOf = <K extends EventType>(type: K, fields: Mail[K]): MailOf<K> =>
  ({ type, ...fields }) as MailOf<K>; // As the signature says; the compiler does not see it.
