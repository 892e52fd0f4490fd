/** What became of skills, lessons and macros, from the event log alone. */

import type { Teller } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import { startOf } from "../../contract/startOf.ts";
import type { Moment } from "../../contract/story.ts";
import type { Mail } from "../../machines/letter.ts";
import type { Lesson } from "../../machines/skills/lesson.ts";
import { MACROS, type MacrosInput } from "../../machines/skills/macroKeeper.ts";
import type { RoundEnd } from "../../machines/skills/selfPlay.ts";
import type { SkillInput } from "../../machines/skills/skill.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { DROP_CAUSES } from "./dreamWords.ts";
import { namedLessons } from "./lessonPast.ts";
import { type Life, Lives, MAKING } from "./lives.ts";
import { skillIn } from "./skillPast.ts";
import { unfitText } from "./skillWords.ts";

declare module "../../contract/startOf.ts" {
  interface Inputs {
    macroKeeper: MacrosInput;
    playbook: { readonly lessons: readonly Lesson[] };
    skill: SkillInput;
  }
}

declare module "../../contract/story.ts" {
  interface Stories {
    readonly skills: SkillsStory;
  }
}

export interface SkillsStory {
  /** In the order in which they began. */
  readonly lives: readonly Life[];
  /** Rounds of self-play, in the order in which they ended. */
  readonly rounds: readonly Round[];
}

export interface Round {
  readonly atMs: number;
  readonly end: RoundEnd;
  readonly reason: string | null;
}

class SkillsTeller implements Teller {
  readonly #lives = new Lives();
  /** Of skills, by address: one that is created again is another, and both last for a while. */
  readonly #skills = new Map<string, Life>();
  readonly #rounds: Round[] = [];
  readonly told = { skills: { lives: this.#lives.all, rounds: this.#rounds } };
  readonly #moments: Moment[];

  constructor(moments: Moment[]) {
    this.#moments = moments;
  }

  observe(delivery: SeenDelivery): void {
    if (delivery.fate !== "handled") return;
    this.#started(delivery);
    if (delivery.event.type === "tools.answered") this.#broken(delivery.event, delivery.dueMs);
    this.#skill(delivery);
    this.#lesson(delivery);
    if (delivery.to === MACROS && delivery.from === MACROS) this.#macro(delivery);
  }

  /** The part's own actors set the stage. */
  tellsOf({ cause, event, from }: SeenDelivery): boolean {
    return cause === null && event.type === "actor.start" && from === "outside/skills";
  }

  #started({ event, dueMs }: SeenDelivery): void {
    const skill = startOf(event, "skill");
    if (skill !== undefined && event.type === "actor.start") {
      const { name, description, kept } = skill;
      const life = this.#lives.begin("skill", name, description, kept ?? MAKING, dueMs);
      this.#skills.set(event.address, life);
    }
    const given = startOf(event, "playbook")?.lessons ?? [];
    for (const [name, { trigger, verified }] of namedLessons(given)) {
      this.#lives.begin("lesson", name, trigger, verified ? "verified" : "unverified", dueMs);
    }
    for (const { name, steps } of startOf(event, "macroKeeper")?.macros ?? []) {
      this.#lives.begin("macro", name, stepsOf(steps), "kept", dueMs);
    }
  }

  #skill({ event, to, from, dueMs }: SeenDelivery): void {
    if (event.type === "skill.registered" && event.ok) {
      const name = skillIn(to);
      this.#lives.enter(this.#skills.get(to), event.status ?? "active", dueMs);
      this.#moment(dueMs, "skill", `${name} is a skill`);
    }
    if (event.type === "skill.refused") {
      this.#lives.finish(this.#skills.get(from), "refused", dueMs, event.cause);
      this.#moment(dueMs, "skill", `${event.skill} is refused: ${event.cause}`);
    }
    if (event.type === "skill.counted") {
      const life = this.#skills.get(to);
      const isNew = life?.phases.at(-1)?.phase !== event.status;
      life?.uses.push({ atMs: dueMs, ok: event.outcome === "success" });
      this.#lives.enter(life, event.status, dueMs);
      if (isNew && event.status === "degraded") {
        this.#moment(dueMs, "skill", `${event.skill} is degraded`);
      }
    }
    if (event.type === "skill.wrapped") this.#lives.of("skill", event.skill)?.wraps.push(dueMs);
    if (event.type === "store.found") this.#found(event, dueMs);
    if (event.type === "skill.left") {
      const { skill, how, because } = event;
      this.#lives.finish(this.#skills.get(to), how, dueMs, because);
      this.#moment(dueMs, "skill", `${skill} is ${how}`);
    }
  }

  /** What the engine says of broken tools, each time that it is asked: it may count skills and macros too. */
  #broken({ broken }: Mail["tools.answered"], atMs: number): void {
    const names = new Set(broken.map(({ name }) => name));
    for (const life of this.#lives.all) {
      if (life.kind === "lesson" || life.end !== null) continue;
      const [before, last] = life.phases.slice(-2);
      if (life.phases.at(-1)?.phase === MAKING) continue;
      if (names.has(life.name)) this.#lives.enter(life, LISTED, atMs);
      else if (last?.phase === LISTED) this.#lives.enter(life, before?.phase ?? LISTED, atMs);
    }
  }

  #lesson({ event, dueMs }: SeenDelivery): void {
    if (event.type === "playbook.surfaced") {
      const life = this.#lives.of("lesson", event.lesson);
      life?.uses.push({ atMs: dueMs, ok: false });
      life?.utility.push({ atMs: dueMs, value: event.utility });
    }
    if (event.type === "playbook.changed") this.#changed(event, dueMs);
    if (event.type === "dream.ended") {
      this.#rounds.push({ atMs: dueMs, end: event.end, reason: event.reason });
    }
  }

  /** What a store says for itself; that it holds what it should is no news. */
  #found(event: Mail["store.found"], atMs: number): void {
    const { migrated, filesAlone, rowsAlone, unfit = [], changed = [], fault } = event;
    const lone = [...filesAlone, ...rowsAlone];
    if (migrated.length > 0) {
      this.#moment(atMs, "store", `copied from the sandbox: ${migrated.join(", ")}`);
    }
    if (lone.length > 0) this.#moment(atMs, "store", `file and row disagree: ${lone.join(", ")}`);
    if (unfit.length > 0) {
      const those = unfit.map(unfitText).join(", ");
      this.#moment(atMs, "store", `rows that cannot be taken: ${those}`);
    }
    if (changed.length > 0) {
      this.#moment(atMs, "store", `files changed behind their rows: ${changed.join(", ")}`);
    }
    if (fault !== null) this.#moment(atMs, "store", `the store could not be read: ${fault}`);
  }

  #changed(event: Mail["playbook.changed"], atMs: number): void {
    const { lesson, how, cause, trigger, verified, utility } = event;
    const phase = verified ? "verified" : "unverified";
    const known = this.#lives.of("lesson", lesson);
    // One that finds no room is met when it is turned away.
    const life = known ?? this.#lives.begin("lesson", lesson, trigger, phase, atMs);
    this.#lives.enter(life, phase, atMs);
    life.utility.push({ atMs, value: utility });
    if (how === "credited") life.uses.push({ atMs, ok: true });
    if (how === "written") this.#moment(atMs, "lesson", `${lesson} is written, ${phase}`);
    if (how === "dropped" || how === "blocked") {
      this.#lives.finish(life, how, atMs, cause === null ? null : DROP_CAUSES[cause]);
      this.#moment(atMs, "lesson", `${lesson} is ${how}`);
    }
  }

  #macro({ event, dueMs }: SeenDelivery): void {
    if (event.type === "macro.learned") {
      const { name, steps } = event.macro;
      if (this.#lives.of("macro", name) !== undefined) return;
      this.#lives.begin("macro", name, stepsOf(steps), "kept", dueMs);
      this.#moment(dueMs, "macro", `${name} is learnt`);
    }
    if (event.type === "macro.evicted" || event.type === "macro.retired") {
      const end = event.type === "macro.evicted" ? "evicted" : "retired";
      this.#lives.finish(this.#lives.of("macro", event.name), end, dueMs);
      this.#moment(dueMs, "macro", `${event.name} is ${end}`);
    }
    if (event.type === "macro.ended") {
      this.#lives.of("macro", event.name)?.uses.push({ atMs: dueMs, ok: event.ok });
    }
  }

  #moment(atMs: number, kind: string, label: string): void {
    this.#moments.push({ atMs, kind, label });
  }
}

const LISTED = "listed as broken";

const stepsOf = (steps: readonly { readonly tool: string }[]): string =>
  steps.map(({ tool }) => tool).join(" → ");

export const story = (_: Partial<Sections>, moments: Moment[]): Teller => new SkillsTeller(moments);
