/**
 * `ghostlight tool check`: the nine steps on a real text, with a virtual folder and real Python, which
 * reads and runs it. Time is virtual: only what a tool sleeps, and the time-outs, move it.
 */

import type { Policy } from "../../../contract/policyTree.ts";
import { readPython } from "../../../edges/python/parsePort.ts";
import type { Sandbox } from "../../../edges/python/sandbox.ts";
import { callVerdict, execVerdict } from "../../../edges/python/sandboxPort.ts";
import { TRIED_SETTING } from "../../../edges/python/triedSetting.ts";
import {
  capabilitySynthesisMachine,
  type SynthesisInput,
  type SynthesisOutcome,
} from "../../../machines/agents/synthesis/capabilitySynthesis.ts";
import { type FilesState, filesService } from "../../../machines/files.ts";
import type {
  At,
  Carried,
  Letter,
  MailEvent,
  MailOf,
  TimerEvent,
} from "../../../machines/letter.ts";
import type { SandboxPolicy } from "../../../machines/sandboxPolicy.ts";
import { assert } from "../../../substrate/assert.ts";
import type { Step } from "../../../substrate/behaviour.ts";
import { serviceBehaviour } from "../../../substrate/serviceBehaviour.ts";
import { statechartBehaviour } from "../../../substrate/statechart.ts";

/** What an agent would give to synthesize_capability. */
export interface ToolText {
  readonly name: string;
  readonly description: string;
  readonly implementation: string;
}

export interface ToolCheck extends SynthesisOutcome {
  /** The step that turned it down; else the last one. */
  readonly step: number;
  /** What is left in the virtual folder, by path. */
  readonly files: { readonly [path: string]: string };
}

export interface ToolCheckPorts {
  /** Asked for when the first tool gets as far as being read, or run. */
  readonly sandbox: () => Promise<Pick<Sandbox, "exec" | "call" | "syntax">>;
}

/** Far above the nine steps; a machine that asks more is a bug. */
const ANSWERS_MAX = 50;

export async function checkTool(
  tool: ToolText,
  policy: Policy,
  ports: ToolCheckPorts,
): Promise<ToolCheck> {
  const world = new CheckedWorld(ports, policy.sandbox);
  const behaviour = statechartBehaviour(capabilitySynthesisMachine(policy));
  const input: SynthesisInput = {
    agent: "caller",
    name: tool.name.toWellFormed(),
    description: tool.description.toWellFormed(),
    implementation: tool.implementation.toWellFormed(),
    caller: "caller",
    engine: null,
    startsAtMs: TRIED_SETTING.nowMs,
  };
  let step = behaviour.start("synthesis", input, world.at("caller"));
  for (let answers = 0; ; answers++) {
    const reply = await world.reply(step);
    if (step.ended) break;
    assert(answers < ANSWERS_MAX && reply !== undefined, "a synthesis that has not ended waits");
    step = behaviour.receive("synthesis", step.state, reply);
  }
  // To the kernel what a machine leaves is any JSON; this one leaves an outcome.
  const outcome = step.output as unknown as SynthesisOutcome;
  const failed = outcome.steps.find(({ outcome: how }) => how === "failed");
  const last = failed ?? outcome.steps.at(-1);
  return { ...outcome, step: last?.step ?? 0, files: world.files() };
}

type Stamped = Carried & { readonly at: At };

const files = serviceBehaviour(filesService);

/** Answers one question after the other, as the kernel would with a single actor. */
class CheckedWorld {
  readonly #ports: ToolCheckPorts;
  readonly #policy: SandboxPolicy;
  readonly #timers = new Map<string, { readonly event: TimerEvent; readonly dueMs: number }>();
  #tree: FilesState;
  #nowMs = 0;
  #seq = 0;

  constructor(ports: ToolCheckPorts, policy: SandboxPolicy) {
    this.#ports = ports;
    this.#policy = policy;
    this.#tree = files.start("files", { files: {} }, this.at("host")).state;
  }

  at(from: string): At {
    return { nowMs: this.#nowMs, seq: ++this.#seq, from };
  }

  files(): { readonly [path: string]: string } {
    const folders = Object.entries(this.#tree.files.tree());
    return Object.fromEntries(
      folders.flatMap(([folder, held]) =>
        Object.entries(held).map(([name, { text }]) => [`${folder}/${name}`, text]),
      ),
    );
  }

  /** The answer to what was asked last, or the time-out that came before it. */
  async reply({ effects }: Step<unknown>): Promise<Stamped | undefined> {
    let question: Letter | undefined;
    for (const effect of effects) {
      if (effect.kind === "cancelTimer") this.#timers.delete(effect.id);
      else if (effect.kind === "timer") {
        this.#timers.set(effect.id, { ...effect, dueMs: this.#nowMs + effect.delayMs });
      } else if (effect.letter.ask !== undefined) question = effect.letter;
      else if (effect.letter.to === "files") this.#file(effect.letter.event);
    }
    if (question === undefined) return undefined;
    const { event, afterMs } = await this.#answer(question);
    const timer = [...this.#timers].sort(([, a], [, b]) => a.dueMs - b.dueMs)[0];
    if (timer !== undefined && timer[1].dueMs <= this.#nowMs + afterMs) {
      this.#timers.delete(timer[0]);
      this.#nowMs = timer[1].dueMs;
      return { ...timer[1].event, at: this.at("synthesis") };
    }
    this.#nowMs += afterMs;
    return { ...event, at: this.at(question.to) };
  }

  async #answer({ to, event }: Letter): Promise<{ event: MailEvent; afterMs: number }> {
    if (to === "files") return { event: this.#file(event), afterMs: 0 };
    if (event.type === "python.parse") {
      const python = await this.#ports.sandbox();
      return { event: await readPython(python, event.text, "gate", this.#policy), afterMs: 0 };
    }
    assert(event.type === "sandbox.run", `no actor lives at ${to}`);
    return this.#run(event);
  }

  #file(event: MailEvent): MailEvent {
    const at: At = { ...this.at("synthesis"), asked: true };
    const { state, effects } = files.receive("files", this.#tree, { ...event, at });
    this.#tree = state;
    const reply = effects[0];
    return reply?.kind === "letter" ? reply.letter.event : { type: "files.replied", ok: true };
  }

  async #run(event: MailOf<"sandbox.run">): Promise<{ event: MailEvent; afterMs: number }> {
    const sandbox = await this.#ports.sandbox();
    const { code, name: functionName, limitMs: wallMs } = event;
    const limits = { wallMs };
    const setting = { ...TRIED_SETTING, nowMs: TRIED_SETTING.nowMs + this.#nowMs };
    if (event.purpose === "exec") {
      const result = await sandbox.exec(code, limits, setting);
      return { event: execVerdict(result), afterMs: result.elapsedMs };
    }
    const result = await sandbox.call({ code, functionName, kwargs: {} }, limits, setting);
    return { event: callVerdict(result), afterMs: result.elapsedMs };
  }
}
