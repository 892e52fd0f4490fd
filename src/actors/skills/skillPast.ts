/** What only the whole log can say of skills: what a delivery rests on in the life of a skill, and how that life went. */
import { countOf } from "../../contract/countOf.ts";
import { startOf } from "../../contract/startOf.ts";
import type { Json } from "../../machines/letter.ts";
import { onceFor } from "../../machines/onceFor.ts";
import { scriptResult } from "../../machines/skills/scriptRun.ts";
import type { SkillInput } from "../../machines/skills/skill.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { type DeliveryOf, isEvent } from "../../substrate/isEvent.ts";
import { finderIn, type Log, ofTypes } from "../../substrate/log.ts";
import { firstFew } from "./firstFew.ts";

export interface SkillPasts {
  /** By the number of a delivery: that of the one it rests on. */
  readonly rests: ReadonlyMap<number, number>;
  readonly says: ReadonlyMap<number, string>;
  /** By name: what answers a question about a skill, its last life. */
  readonly answers: ReadonlyMap<string, Delivery>;
}

const READ = [
  "actor.start",
  "call.routed",
  "call.finished",
  "call.reported",
  "step.ended",
  "skill.stepped",
  "skill.registering",
  "skill.registered",
  "skill.refused",
  "skill.counted",
  "skill.left",
  "skill.wrapped",
] as const;

/** Whatever else bears a skill's name, the registry says what served. */
const SKILL = "skill";

/** `top_news` of `skill/top_news#2`. */
export const skillIn = (address: string): string => address.split(/[/#]/)[1] ?? address;

export const skillPasts = onceFor((log: Log): SkillPasts => new Reading(log));

/** One life of a skill: from its start or its registering to its end. */
interface Past {
  readonly name: string;
  readonly input: SkillInput;
  /** Its registering, or its start when it was there from the beginning; null while it is being made. */
  birth: Delivery | null;
  /** What was said last that counts as trouble. */
  trouble: Delivery | null;
  /** When a call of it went well last. */
  wellAt: number | null;
  hasEnded: boolean;
  well: number;
  failed: number;
  brokenOff: number;
  /** Of those that went well: calls that returned nothing, or left unwritten what they were asked to write. */
  hollow: number;
  wraps: number;
  readonly goals: Set<string>;
}

function served({ well, failed, brokenOff, hollow, wraps, goals, hasEnded }: Past): string {
  const calls = well + failed + brokenOff;
  const until = hasEnded ? "Until it ended" : "In this run";
  const outcomes = [
    `${well} went well${hollow === 0 ? "" : `, but ${hollow} of these came to nothing`}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(brokenOff === 0
      ? []
      : [`${brokenOff} ${brokenOff === 1 ? "was" : "were"} broken off by the machine`]),
  ];
  return [
    calls === 0
      ? `${until} it was never called by its name`
      : `${until} it was called ${countOf(calls, "time")}: ${outcomes.join(", ")}`,
    ...(goals.size === 0 ? [] : [`; it served ${firstFew([...goals], "goal")}`]),
    ...(wraps === 0
      ? []
      : [`; ${countOf(wraps, "program")} ${wraps === 1 ? "was" : "were"} run to reach it`]),
    ".",
  ].join("");
}

/** Who wrote it, with what arguments. */
function writtenBy({
  name,
  agent,
  description,
  parametersSchema,
  code,
  payload,
}: SkillInput): string {
  const lines = code.replace(/\n$/, "").split("\n").length;
  const parameters = parametersOf(parametersSchema);
  return (
    `${agent} wrote ${name} (${cut(description)}): ${countOf(lines, "line")} of code, ` +
    `${parameters.length === 0 ? "no parameters" : `parameters ${parameters.join(", ")}`}, to be tested with ${cut(payload)}.`
  );
}

function parametersOf(schema: Json): readonly string[] {
  // Whatever an agent sent: it may be no map.
  const { properties } = (schema ?? {}) as { readonly properties?: object };
  return Object.keys(properties ?? {});
}

/** With a mark at its end, so that another sentence can follow. */
export const sentence = (text: string): string => (/[.!?…]["”’)]?$/.test(text) ? text : `${text}.`);

const MOST = 120;
const cut = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  return line === "" ? "nothing" : line.length > MOST ? `${line.slice(0, MOST)}…` : line;
};

class Reading implements SkillPasts {
  readonly rests = new Map<number, number>();
  readonly says = new Map<number, string>();
  readonly answers = new Map<string, Delivery>();

  readonly #at: (seq: number) => Delivery | undefined;
  readonly #all: Past[] = [];
  /** By name: those that are skills, or were; and those that are being made. */
  readonly #lives = new Map<string, Past>();
  readonly #making = new Map<string, Past>();
  /** The stage that a skill being made passed last, by name. */
  readonly #passed = new Map<string, number>();
  /** The count of a skill after a call, by what caused it. */
  readonly #counted = new Map<number, number>();
  /** What a call came to, by the number of the call. */
  readonly #finished = new Map<number, DeliveryOf<"call.finished">>();
  /** Which skill an intent was given to last. */
  readonly #served = new Map<string, string>();

  constructor(log: Log) {
    this.#at = finderIn(log);
    for (const one of ofTypes(log, ...READ)) if (one.fate === "handled") this.#read(one);
    for (const past of this.#all) this.#end(past);
  }

  #read(one: Delivery): void {
    if (isEvent(one, "call.routed")) this.#routed(one);
    else if (isEvent(one, "call.finished")) this.#call(one);
    else if (isEvent(one, "step.ended")) this.#step(one);
    else if (isEvent(one, "skill.wrapped")) this.#wrapped(one);
    else if (isEvent(one, "skill.counted")) this.#count(one);
    else if (isEvent(one, "skill.left")) this.#left(one);
    else this.#made(one);
  }

  #made(one: Delivery): void {
    const input = startOf(one.event, "skill");
    if (input !== undefined) this.#started(one, input);
    if (isEvent(one, "skill.stepped")) this.#stepped(one);
    if (isEvent(one, "skill.registering") || isEvent(one, "skill.refused")) {
      const passed = this.#passed.get(one.event.skill);
      if (passed !== undefined) this.rests.set(one.seq, passed);
    }
    if (isEvent(one, "skill.registered") && one.event.ok) this.#born(skillIn(one.to), one);
    if (isEvent(one, "skill.refused")) {
      this.#making.delete(one.event.skill);
      // One of this name that lives goes on.
      if (!this.#lives.has(one.event.skill)) this.answers.set(one.event.skill, one);
    }
  }

  #born(name: string, birth: Delivery): void {
    const past = this.#making.get(name);
    if (past === undefined) return;
    this.#making.delete(name);
    past.birth = birth;
    const before = this.#lives.get(name);
    if (before !== undefined) before.hasEnded = true;
    this.#lives.set(name, past);
    this.#all.push(past);
  }

  #started(one: Delivery, input: SkillInput): void {
    const { name, kept } = input;
    this.#passed.delete(name);
    const past: Past = {
      ...{ name, input, birth: null, trouble: null, wellAt: null, hasEnded: false },
      ...{ well: 0, failed: 0, brokenOff: 0, hollow: 0, wraps: 0, goals: new Set() },
    };
    this.#making.set(name, past);
    if (kept === null) this.says.set(one.seq, writtenBy(input));
    else this.#born(name, one);
  }

  #stepped(one: DeliveryOf<"skill.stepped">): void {
    const { skill, stage, detail } = one.event;
    const passed = this.#passed.get(skill);
    if (passed !== undefined) this.rests.set(one.seq, passed);
    this.#passed.set(skill, one.seq);
    const run = one.cause === null ? undefined : this.#at(one.cause);
    const payload = this.#making.get(skill)?.input.payload;
    if (stage === "testing" && run !== undefined && isEvent(run, "sandbox.replied")) {
      const { exitCode, stdout } = scriptResult(run.event);
      this.says.set(
        one.seq,
        `${skill} passed its test run with ${cut(String(payload))}: exit code ${exitCode}, and it printed ${cut(stdout)}.`,
      );
    }
    if (stage === "normalising") {
      this.says.set(one.seq, `${skill} passed normalising: ${detail}.`);
    }
  }

  #routed({ event }: DeliveryOf<"call.routed">): void {
    const past = this.#lives.get(event.capability);
    if (past !== undefined) this.#served.set(event.intent, past.name);
    else this.#served.delete(event.intent);
  }

  /** What failed because of a skill rests on the skill; also where the skill that did it is gone. */
  #call(one: DeliveryOf<"call.finished">): void {
    if (one.re !== undefined) this.#finished.set(one.re, one);
    if (one.event.ok) this.#hollow(one);
    else this.#failed(one);
  }

  #failed(one: DeliveryOf<"call.finished">): void {
    const answered = one.cause === null ? undefined : this.#at(one.cause);
    const counted = answered?.cause == null ? undefined : this.#counted.get(answered.cause);
    if (counted !== undefined) this.rests.set(one.seq, counted);
    if (one.event.capability !== null) return;
    const asked = one.re === undefined ? undefined : this.#at(one.re);
    const intent =
      asked !== undefined && isEvent(asked, "call.requested") ? asked.event.intent : "";
    const trouble = this.#lives.get(this.#served.get(intent) ?? "")?.trouble;
    if (trouble) this.rests.set(one.seq, trouble.seq);
  }

  /** A skill that swallows what it is given is a ghost: what came of the call rests on the skill. */
  #hollow({ seq, event }: DeliveryOf<"call.finished">): void {
    const past = this.#lives.get(event.capability ?? "");
    if (past === undefined || past.birth === null || event.kind !== SKILL) return;
    if (!event.nothing && event.unwritten === undefined) return;
    past.hollow++;
    this.rests.set(seq, past.birth.seq);
  }

  #step({ event, to }: DeliveryOf<"step.ended">): void {
    const past = event.capability === null ? undefined : this.#lives.get(event.capability);
    if (past !== undefined && event.kind === SKILL && event.ok)
      past.goals.add(to.slice("goal/".length));
  }

  #wrapped(one: DeliveryOf<"skill.wrapped">): void {
    const { skill, agent } = one.event;
    const past = this.#lives.get(skill);
    if (past === undefined) return;
    past.wraps++;
    if (past.trouble === null || isEvent(past.trouble, "skill.wrapped")) past.trouble = one;
    const report = one.cause === null ? undefined : this.#at(one.cause);
    if (report === undefined || !isEvent(report, "call.reported")) return;
    const finished = this.#finished.get(report.event.call);
    if (finished === undefined || finished.event.ok) return;
    const { capability, error } = finished.event;
    this.says.set(
      finished.seq,
      `${agent}'s call of ${capability} failed, by which it reached for the skill ${skill} instead of ` +
        `calling it by its name: ${String(error).replace(/\.$/, "")}.`,
    );
  }

  #count(one: DeliveryOf<"skill.counted">): void {
    const { skill, outcome, status } = one.event;
    const past = this.#lives.get(skill);
    if (past === undefined) return;
    if (outcome === "success") {
      past.well++;
      past.wellAt = one.dueMs;
    }
    if (outcome === "failure") past.failed++;
    if (outcome === "infra") past.brokenOff++;
    if (outcome === "success") {
      if (past.trouble !== null && isEvent(past.trouble, "skill.wrapped")) past.trouble = null;
      return;
    }
    if (one.cause !== null) this.#counted.set(one.cause, one.seq);
    if (past.birth !== null) {
      this.rests.set(
        one.seq,
        this.#changedSince(past.wellAt ?? past.birth.dueMs, one) ?? past.birth.seq,
      );
    }
    if (status === "degraded") past.trouble = one;
  }

  /** Who changed last what the call read, its own file too, since a call of it went well. */
  #changedSince(ms: number, { cause }: Delivery): number | undefined {
    const ended = this.#at(cause ?? -1);
    const run = ended && isEvent(ended, "sandbox.replied") ? this.#at(ended.cause ?? -1) : ended;
    const view = run && isEvent(run, "sandbox.run") ? this.#at(run.cause ?? -1) : run;
    return view?.because?.findLast((seq) => (this.#at(seq)?.dueMs ?? 0) > ms);
  }

  #left(one: DeliveryOf<"skill.left">): void {
    const { skill, how, because } = one.event;
    const past = this.#lives.get(skill);
    // Another of its name has taken its place.
    if (past === undefined || how === "replaced") return;
    const on = past.trouble ?? past.birth;
    if (how === "retired" && on !== null && !isEvent(on, "skill.wrapped")) {
      this.rests.set(one.seq, on.seq);
    }
    past.trouble = one;
    past.hasEnded = true;
    const call = one.cause === null ? undefined : this.#at(one.cause);
    if (call !== undefined && isEvent(call, "capability.called")) {
      const { agent, capability } = call.event;
      this.says.set(one.seq, `${skill} was ${how} when ${agent} called ${capability}: ${because}.`);
    }
  }

  /** What is known of it at the end of the log. */
  #end(past: Past): void {
    const { name, birth, trouble, input } = past;
    const answer = trouble ?? birth;
    if (answer !== null) this.answers.set(name, answer);
    if (birth === null) return;
    const first =
      input.kept === null
        ? `${name} is a skill now.`
        : `${name} was a skill from the start: ${sentence(cut(input.description))}`;
    this.says.set(birth.seq, `${first} ${served(past)}`);
  }
}
