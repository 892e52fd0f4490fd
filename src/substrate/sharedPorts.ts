/** One port behind which several stand, each for the events that it is asked: a person at one desk, with words for each part. */
import type { EventType, Json } from "../machines/letter.ts";
import type { PortReply, PortRequest, Provider } from "./port.ts";

interface Ports {
  readonly [port: string]: Provider;
}

/** All of them. Of two at one port the last stands there alone, unless both say what they are asked. */
export function sharedPorts(all: readonly Ports[]): Ports {
  const byPort = new Map<string, Provider[]>();
  for (const [port, provider] of all.flatMap((one) => Object.entries(one))) {
    byPort.set(port, [...(byPort.get(port) ?? []), provider]);
  }
  return Object.fromEntries(
    [...byPort].flatMap(([port, providers]) => {
      const last = providers.at(-1);
      if (last === undefined) return [];
      const areTold = providers.every(({ asks }) => asks !== undefined);
      return [[port, providers.length > 1 && areTold ? shared(port, providers) : last]];
    }),
  );
}

function shared(port: string, providers: readonly Provider[]): Provider {
  const of = (type: EventType): Provider => {
    const found = providers.find(({ asks }) => asks?.includes(type));
    if (found === undefined) throw new Error(`nobody at ${port} is asked ${type}`);
    return found;
  };
  return {
    asks: providers.flatMap(({ asks }) => asks ?? []),
    answer: (request: PortRequest): PortReply | null => of(request.event.type).answer(request),
    persist: () => providers.map((one) => one.persist?.() ?? null),
    restore: (kept) => {
      // As it was persisted: one of each, in this order.
      for (const [index, one] of (kept as readonly Json[]).entries()) {
        if (one !== null) providers[index]?.restore?.(one);
      }
    },
  };
}
