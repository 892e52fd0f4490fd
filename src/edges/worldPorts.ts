/** What the edge puts behind the ports of a run: real Python, opened when a run first needs it. */
import type { Policy } from "../machines/policy.ts";
import type { Provider } from "../substrate/port.ts";
import { Inbox } from "./inbox.ts";
import type { LazySandbox } from "./python/sandboxPort.ts";
import { sandboxPort } from "./python/sandboxPort.ts";

export interface WorldPorts {
  readonly ports: { readonly [port: string]: Provider };
  /** Where their answers arrive. */
  readonly inbox: Inbox;
}

/** The ports of one run. `startsAt` is the scenario's. */
export function worldPorts(options: {
  readonly sandbox: LazySandbox;
  readonly policy: Policy;
  readonly seed: number;
  readonly startsAt: string;
}): WorldPorts {
  const inbox = new Inbox();
  const { sandbox, policy, seed, startsAt } = options;
  const startsAtMs = Date.parse(startsAt);
  const python = sandboxPort({ sandbox, inbox, policy: policy.sandbox, seed, startsAtMs });
  return { ports: { "port/sandbox.run": python }, inbox };
}
