// The gateway with its files and the actors of its approvals, gates and revisions; letters are delivered one by one.

import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import { defined } from "../../../src/machines/defined.ts";
import { filesService } from "../../../src/machines/files.ts";
import type { Tree } from "../../../src/machines/fileTree.ts";
import { approvalMachine } from "../../../src/machines/installs/gate/approval.ts";
import { promotionGateMachine } from "../../../src/machines/installs/gate/promotionGate.ts";
import {
  type GatewayState,
  gatewayService,
} from "../../../src/machines/installs/gateway/gateway.ts";
import { NO_OPENING, type Opening } from "../../../src/machines/installs/gateway/store.ts";
import { revisionMachine } from "../../../src/machines/installs/revisions/revision.ts";
import type { At, Carried, Letter, Mail, MailEvent, MailOf } from "../../../src/machines/letter.ts";
import type { Behaviour, Step } from "../../../src/substrate/behaviour.ts";
import { serviceBehaviour } from "../../../src/substrate/serviceBehaviour.ts";
import { statechartBehaviour } from "../../../src/substrate/statechart.ts";
import { policyWith } from "../../builtIn.ts";

export const BUILDER = "specialized_builder.default";
export const PLANNER = "planner.default";
export const EVALUATOR = "evaluator.default";
export const AUDITOR = "auditor.default";
export const PERSON = "outside/ada";

export type Answer = Mail["gateway.answered"];
type Params = Mail["gateway.asked"]["params"];

interface Post {
  readonly letter: Letter;
  readonly from: string;
  readonly seq: number;
}

interface Actor {
  readonly behaviour: Behaviour;
  state: unknown;
  isOver: boolean;
}

export interface Heard {
  readonly to: string;
  readonly from: string;
  readonly event: Carried;
}

export function loneGateway(
  set: { readonly [path: string]: PolicyValue } = {},
  opening: Partial<Opening> = {},
) {
  const policy = policyWith(set);
  const machines: { readonly [name: string]: () => Behaviour } = {
    approval: () => statechartBehaviour(approvalMachine(policy)),
    gateway: () => serviceBehaviour(gatewayService(policy)) as Behaviour,
    files: () => serviceBehaviour(filesService) as Behaviour,
    promotionGate: () => statechartBehaviour(promotionGateMachine()),
    revision: () => statechartBehaviour(revisionMachine()),
  };
  const actors = new Map<string, Actor>();
  const posts: Post[] = [];
  const heard: Heard[] = [];
  /** Keys of open questions, by the number of the letter that asked. */
  const keys = new Map<number, string>();
  const answers = new Map<number, Answer>();
  let [seq, nowMs] = [0, 0];

  function begin(machine: string, address: string, input: object): void {
    if (actors.has(address)) throw new Error(`${address} lived before`);
    const make = machines[machine];
    if (make === undefined) throw new Error(`no machine ${machine}`);
    const behaviour = make();
    const at: At = { nowMs, seq: ++seq, from: "kernel" };
    const step = behaviour.start(address, input, at);
    actors.set(address, { behaviour, state: step.state, isOver: step.ended });
    posted(address, step);
  }

  function posted(from: string, step: Step<unknown>): void {
    for (const effect of step.effects) {
      if (effect.kind === "letter") put(from, effect.letter);
    }
  }

  function put(from: string, letter: Letter): number {
    seq += 1;
    if (letter.ask !== undefined) keys.set(seq, letter.ask);
    if (letter.to === "kernel") {
      const { event } = letter;
      if (event.type === "actor.start") begin(event.machine, event.address, event.input);
      return seq;
    }
    posts.push({ letter, from, seq });
    return seq;
  }

  function deliver({ letter: { to, event, re, ask }, from, seq: number }: Post): void {
    heard.push({ to, from, event });
    if (event.type === "gateway.answered" && re !== undefined) answers.set(re, event);
    if (to === "port/sandbox.run") {
      put(to, {
        to: from,
        re: number,
        event: { type: "sandbox.replied", ok: false, error: "none" },
      });
    }
    const actor = actors.get(to);
    if (actor === undefined || actor.isOver) {
      const isPort = to.startsWith("port/");
      if (ask !== undefined && !isPort) {
        put("kernel", { to: from, re: number, event: { type: "ask.bounced", address: to } });
      }
      return;
    }
    const key = re === undefined ? undefined : keys.get(re);
    const at: At = {
      ...{ nowMs, seq: number, from },
      ...(key === undefined ? {} : { key }),
      ...(ask === undefined ? {} : { asked: true }),
    };
    const step = actor.behaviour.receive(to, actor.state, { ...event, at });
    actor.state = step.state;
    actor.isOver = step.ended;
    posted(to, step);
  }

  /** Delivers the next letter; false when there is none. */
  function step(): boolean {
    const next = posts.shift();
    if (next === undefined) return false;
    nowMs += 1;
    deliver(next);
    return true;
  }

  function drain(): void {
    while (step());
  }

  begin("files", "files", { files: {} });
  const from = { startsAtMs: 0, opening: { ...NO_OPENING, ...opening } };
  begin("gateway", "gateway", from);
  drain();

  const ask = (who: string, tool: string, params: object, workflow?: string): number =>
    put(who, {
      ...{ to: "gateway", ask: tool },
      event: defined<MailOf<"gateway.asked">>({
        ...{ type: "gateway.asked", tool, params: params as Params, workflow },
      }),
    });
  return {
    policy,
    heard,
    answers,
    step,
    drain,
    ask,
    /** Asks, and waits for the answer. */
    call(who: string, tool: string, params: object, workflow?: string): Answer {
      const number = ask(who, tool, params, workflow);
      drain();
      const found = answers.get(number);
      if (found === undefined) throw new Error(`no answer to ${tool}`);
      return found;
    },
    post: (who: string, event: MailEvent): number => put(who, { to: "gateway", event }),
    tell(who: string, event: MailEvent): void {
      put(who, { to: "gateway", event });
      drain();
    },
    get books() {
      const { state } = actors.get("gateway") as Actor; // It began with the world.
      return (state as GatewayState).books;
    },
    /** The books of the act that is being written; null for none. */
    get writing() {
      const { state } = actors.get("gateway") as Actor; // As above.
      return (state as GatewayState).act?.after ?? null;
    },
    get files(): { readonly [path: string]: string } {
      const { behaviour, state } = actors.get("files") as Actor; // It began first.
      const { tree } = behaviour.context(state) as { readonly tree: Tree };
      return Object.fromEntries(
        Object.entries(tree).flatMap(([folder, files]) =>
          Object.entries(files).map(([name, { text }]) => [`${folder}/${name}`, text]),
        ),
      );
    },
    /** As an agent or a fault of the disk would. */
    spoil: (path: string, text: string | null): void => {
      put("fault", { to: "files", event: { type: "files.apply", changed: { [path]: text } } });
      drain();
    },
    valueOf: (address: string) => {
      const actor = actors.get(address);
      return actor === undefined ? undefined : actor.behaviour.value(actor.state);
    },
    typesHeard: () => heard.map(({ event }) => event.type),
  };
}

export type LoneGateway = ReturnType<typeof loneGateway>;
