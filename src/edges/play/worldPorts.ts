/** What the edge puts behind the ports of a run: real Python, a live model or a program when there is one. */

import type { Policy } from "../../contract/policyTree.ts";
import { defined } from "../../machines/defined.ts";
import type { Provider } from "../../substrate/port.ts";
import { LiveClock } from "../live/liveClock.ts";
import { livePortsFor } from "../live/livePorts.ts";
import type { LiveSetup } from "../live/liveSetup.ts";
import type { PartLists } from "../parts/partLists.ts";
import type { Ports } from "../program/portContracts.ts";
import { hasLivePort, programPorts } from "../program/programPorts.ts";
import { parsePort } from "../python/parsePort.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import { sandboxPort } from "../python/sandboxPort.ts";
import { redactor } from "../redaction.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import type { Gate } from "./gate.ts";
import { desksOf, gatesOf } from "./gates.ts";
import { servedByHost } from "./hostPorts.ts";
import { Inbox } from "./inbox.ts";
import type { Person } from "./person.ts";
import { personPort } from "./personPort.ts";

export interface WorldPorts {
  readonly ports: { readonly [port: string]: Provider };
  /** Where their answers arrive. */
  readonly inbox: Inbox;
  /** Of a live run. */
  readonly clock?: LiveClock;
  /** Whether a question to the person at a gate is open and left for later. */
  readonly isLeft?: () => boolean;
  /** Ends every request that is still open. */
  close(): void;
}

/** The ports of one run. `startsAt` is the scenario's. */
export function worldPorts(
  lists: PartLists,
  options: {
    readonly sandbox: LazySandbox;
    readonly shell: LazyShell;
    readonly policy: Policy;
    readonly seed: number;
    readonly startsAt: string;
    readonly live?: LiveSetup | undefined;
    /** In a live run: who answers what agents ask of people. */
    readonly person?: Person | undefined;
    /** Who decides at the gates of the parts, in place of the scenario. */
    readonly gate?: Gate | undefined;
    /** What a program serves; it goes before everything else here. */
    readonly program?: Ports | undefined;
    /** When the last live reply of a run that goes on was delivered. */
    readonly afterMs?: number;
  },
): WorldPorts {
  const inbox = new Inbox();
  const {
    sandbox,
    shell,
    policy,
    seed,
    startsAt,
    live,
    person,
    gate,
    program = {},
    afterMs,
  } = options;
  const startsAtMs = Date.parse(startsAt);
  const host = { shell, inbox, policy, seed, startsAtMs };
  const python = sandboxPort({ sandbox, inbox, policy: policy.sandbox, seed, startsAtMs });
  const parser = parsePort({ sandbox, inbox, policy: policy.sandbox });
  const redacts = redactor();
  const atGates =
    gate === undefined
      ? []
      : gatesOf(lists).map((one) => ({
          ...{ port: one.port, asks: one.asks },
          ...one.serve(gate, { inbox, redactor: redacts, policy }),
        }));
  const ofParts: readonly [string, Provider][] = [
    ...Object.entries(servedByHost(lists, host)),
    ...desksOf(atGates),
  ];
  const isInLiveTime = live !== undefined || hasLivePort(program);
  const clock = isInLiveTime ? new LiveClock(undefined, afterMs) : undefined;
  const holding = (provider: Provider): Provider => clock?.holding(provider) ?? provider;
  const over = new AbortController();
  const { signal } = over;
  const answers = clock && { inbox, clock, redactor: redacts };
  return defined({
    ports: {
      "port/sandbox.run": holding(python),
      "port/python.parse": holding(parser),
      ...Object.fromEntries(ofParts.map(([port, provider]) => [port, holding(provider)])),
      ...(live &&
        answers &&
        livePortsFor(lists.parts, { ...answers, setup: live, policy, seed, signal })),
      ...(live && answers && person && { "port/tool.call": personPort({ ...answers, person }) }),
      ...programPorts(lists, program, { inbox, clock, redactor: redacts, policy, signal }),
    },
    inbox,
    clock,
    isLeft: atGates.length > 0 ? () => atGates.some((one) => one.isLeft()) : undefined,
    close: () => over.abort(),
  });
}
