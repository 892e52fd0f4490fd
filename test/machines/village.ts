// The real cast on a real kernel, with outside worlds written by hand: what a run is, in small.

import { standInShell } from "../../src/actors/agents/properties/promises.ts";
import { standInParser } from "../../src/actors/agents/properties/standInPython.ts";
import type { PolicyValue } from "../../src/contract/policyTree.ts";
import type { Json, Letter, Mail, MailEvent } from "../../src/machines/letter.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { Kernel } from "../../src/substrate/kernel.ts";
import { defaultLimits } from "../../src/substrate/limits.ts";
import type { PortReply, PortRequest, PromptProvider } from "../../src/substrate/port.ts";
import type { Cast } from "../../src/substrate/resident.ts";
import { policyWith } from "../builtIn.ts";
import { castFor } from "../cast.ts";

declare module "../../src/machines/letter.ts" {
  interface Mail {
    /** To nobody, so that something is delivered at a certain time. */
    "test.waited": { readonly [field in never]: never };
  }
}

export interface VillageOptions {
  readonly policy?: { readonly [path: string]: PolicyValue };
  /** What a tool returns; an Error is raised. */
  readonly tools?: { readonly [name: string]: Json | Error };
  /** The model's words, or a whole reply. */
  readonly model?: (request: PortRequest<"llm.asked">) => string | PortReply;
  /** What a tool changes in the files it sees. */
  readonly changes?: { readonly [name: string]: { readonly [path: string]: string | null } };
  /** What the shell answers; a stand-in that knows echo and cat when absent. */
  readonly shell?: (request: PortRequest<"shell.run">) => Partial<Mail["shell.replied"]>;
  /** What somebody outside answers to `port/tool.call`. */
  readonly outside?: (request: PortRequest<"tool.called">) => Mail["tool.replied"];
  /** In place of the built-in one under this policy. */
  readonly cast?: Cast;
  readonly vector?: (text: string) => readonly number[];
  readonly endMs?: number;
}

/** What a test waits for comes long before; a world with a broken rule may go on for ever. */
const DELIVERIES_MAX = 20_000;
const ROUNDS_MAX = 10_000;

const shellOf = (shell: NonNullable<VillageOptions["shell"]>): PromptProvider<"shell.run"> => ({
  answer: (request) => ({
    event: { type: "shell.replied", exitCode: 0, stdout: "", stderr: "", ...shell(request) },
    latencyMs: SHELL_MS,
  }),
});

const MODEL_MS = 6_000;
const SHELL_MS = 1_000;
const SANDBOX_MS = 100;
const EMBED_MS = 10;

export function village(options: VillageOptions = {}) {
  const {
    tools = {},
    changes = {},
    model = () => '{"action":"rest"}',
    vector = () => [1],
    outside = () => ({ ok: true, result: { status: "pending" } }),
    policy = {},
  } = options;
  const log: Delivery[] = [];
  const embedded: string[][] = [];
  const kernel = new Kernel({
    cast: options.cast ?? castFor(policyWith(policy)),
    ports: {
      "port/llm.chat": {
        answer(request: PortRequest<"llm.asked">) {
          const said = model(request);
          if (typeof said !== "string") return said;
          return { event: { type: "llm.replied", text: said }, latencyMs: MODEL_MS };
        },
      },
      "port/llm.embed": {
        answer({ event: { texts } }: PortRequest<"llm.embed">) {
          embedded.push([...texts]);
          const vectors = Object.fromEntries(texts.map((text) => [text, vector(text)]));
          return { event: { type: "embed.replied", vectors }, latencyMs: EMBED_MS };
        },
      },
      "port/sandbox.run": {
        answer({ event, purpose }: PortRequest<"sandbox.run">): PortReply {
          const { name, files = {} } = event;
          if (purpose === "exec") {
            return { event: { type: "sandbox.replied", ok: true }, latencyMs: SANDBOX_MS };
          }
          const result = tools[name] ?? null;
          const changed = changes[name] ?? {};
          const created = Object.keys(changed).filter((path) => !(path in files));
          const found: Mail["sandbox.replied"] =
            result instanceof Error
              ? { ok: false, error: result.message, functionName: name }
              : {
                  ok: true,
                  result,
                  functionName: name,
                  isNone: result === null,
                  changed,
                  created,
                };
          return { event: { type: "sandbox.replied", ...found }, latencyMs: SANDBOX_MS };
        },
      },
      "port/shell.run": options.shell === undefined ? standInShell(1) : shellOf(options.shell),
      "port/python.parse": standInParser,
      "port/tool.call": {
        answer: (request: PortRequest<"tool.called">): PortReply => ({
          event: { type: "tool.replied", ...outside(request) },
          latencyMs: SANDBOX_MS,
        }),
      },
    },
    limits: defaultLimits,
    endMs: options.endMs ?? Number.MAX_SAFE_INTEGER,
    checkpointEvery: 1_000,
    onCheckpoint: () => {},
    onDelivery: (delivery) => log.push(delivery),
  });
  let posted = 0;

  /** Sends a letter from outside and delivers everything up to its arrival. */
  const send = (letter: Letter): string => {
    const id = `sender-${++posted}`;
    kernel.postFromOutside(id, letter);
    until(({ from }) => from === `outside/${id}`);
    return `outside/${id}`;
  };

  const until = (isIt: (delivery: Delivery) => boolean): Delivery => {
    const first = log.length;
    for (let seen = first; seen < first + DELIVERIES_MAX; seen++) {
      while (seen >= log.length) {
        if (kernel.step() === "ended") throw new Error("it never happened");
      }
      const delivery = log[seen] as Delivery;
      if (isIt(delivery)) return delivery;
    }
    throw new Error(`it did not happen within ${DELIVERIES_MAX} deliveries`);
  };

  return {
    kernel,
    log,
    /** What the embedding port was asked, call by call. */
    embedded,
    send,
    until,
    /** Asks and waits for the answer. */
    ask(to: string, event: MailEvent): Delivery {
      const asker = send({ to, event, ask: "question" });
      return log.find((one) => one.to === asker) ?? until((one) => one.to === asker);
    },
    /** Delivers everything due within this time, and all that follows from it at its very end. */
    wait(delayMs: number): void {
      const passed: Letter = { to: "nobody", event: { type: "test.waited" } };
      send({ ...passed, delayMs });
      for (let rounds = 0, count = -1; log.length > count + 1; rounds++) {
        if (rounds === ROUNDS_MAX) throw new Error(`after ${ROUNDS_MAX} rounds it goes on still`);
        count = log.length;
        send(passed);
      }
    },
    context<T>(address: string): T {
      return kernel.contexts()[address] as T;
    },
    file(path: string): string | undefined {
      const { tree } = kernel.contexts()["files"] as {
        tree: { [folder: string]: { [name: string]: { text: string } } };
      };
      const slash = path.lastIndexOf("/");
      return tree[path.slice(0, slash)]?.[path.slice(slash + 1)]?.text;
    },
  };
}
