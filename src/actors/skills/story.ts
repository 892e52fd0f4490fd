/** What became of skills, lessons and macros, from the event log alone. */

import type { Book } from "../../contract/book.ts";
import { startOf } from "../../contract/startOf.ts";
import type { Mail, MailOf } from "../../machines/letter.ts";
import type { Lesson } from "../../machines/skills/lesson.ts";
import { MACROS, type MacrosInput } from "../../machines/skills/macroKeeper.ts";
import type { RoundEnd } from "../../machines/skills/selfPlay.ts";
import type { SkillInput } from "../../machines/skills/skill.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { DROP_CAUSES } from "./dreamWords.ts";
import { namedLessons } from "./lessonPast.ts";
import { begin, enter, finish, type Life, lasting, MAKING } from "./lives.ts";
import { skillIn } from "./skillPast.ts";
import { unfitText } from "./skillWords.ts";

declare module "../../contract/startOf.ts" {
  interface Inputs {
    macroKeeper: MacrosInput;
    playbook: { readonly lessons: readonly Lesson[] };
    skill: SkillInput;
  }
}

declare module "../../contract/book.ts" {
  interface Books {
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

export interface SkillsFacts {
  readonly told: { readonly skills: { readonly lives: Life[]; readonly rounds: Round[] } };
  /** Of skills, by address, the place of its life: one that is created again is another, and both last for a while. */
  readonly byAddress: { [address: string]: number };
}

/** The facts, and where a moment is noted. */
interface Page {
  readonly lives: Life[];
  readonly byAddress: SkillsFacts["byAddress"];
  readonly note: (kind: string, label: string) => void;
}

export const book: Book<SkillsFacts> = {
  start: () => ({ told: { skills: { lives: [], rounds: [] } }, byAddress: {} }),
  reads: [
    ...(["actor.start", "tools.answered", "store.found", "dream.ended"] as const),
    ...(["skill.registered", "skill.refused", "skill.counted", "skill.wrapped"] as const),
    ...(["skill.left", "playbook.surfaced", "playbook.changed"] as const),
    ...(["macro.learned", "macro.evicted", "macro.retired", "macro.ended"] as const),
  ],
  step(facts, delivery, moments) {
    const { event, to, from, dueMs: atMs, fate } = delivery;
    if (fate !== "handled") return;
    const { lives, rounds } = facts.told.skills;
    const page: Page = {
      ...{ lives, byAddress: facts.byAddress },
      note: (kind: string, label: string) => moments.push({ atMs, kind, label }),
    };
    if (event.type === "actor.start") started(page, event, atMs);
    if (event.type === "tools.answered") brokenListed(lives, event, atMs);
    skillStep(page, delivery);
    lessonStep(page, delivery);
    if (event.type === "dream.ended") rounds.push({ atMs, end: event.end, reason: event.reason });
    if (to === MACROS && from === MACROS) macroStep(page, delivery);
  },
  /** The part's own actors set the stage. */
  tellsOf: ({ cause, event, from }) =>
    cause === null && event.type === "actor.start" && from === "outside/skills",
};

function started({ lives, byAddress }: Page, event: MailOf<"actor.start">, dueMs: number): void {
  const skill = startOf(event, "skill");
  if (skill !== undefined) {
    const { name, description, kept } = skill;
    begin(lives, "skill", name, description, kept ?? MAKING, dueMs);
    byAddress[event.address] = lives.length - 1;
  }
  const given = startOf(event, "playbook")?.lessons ?? [];
  for (const [name, { trigger, verified }] of namedLessons(given)) {
    begin(lives, "lesson", name, trigger, verified ? "verified" : "unverified", dueMs);
  }
  for (const { name, steps } of startOf(event, "macroKeeper")?.macros ?? []) {
    begin(lives, "macro", name, stepsOf(steps), "kept", dueMs);
  }
}

function skillStep(
  { lives, byAddress, note }: Page,
  { event, to, from, dueMs }: SeenDelivery,
): void {
  const lifeAt = (address: string): Life | undefined => lives[byAddress[address] ?? -1];
  if (event.type === "skill.registered" && event.ok) {
    const name = skillIn(to);
    enter(lifeAt(to), event.status ?? "active", dueMs);
    note("skill", `${name} is a skill`);
  }
  if (event.type === "skill.refused") {
    finish(lifeAt(from), "refused", dueMs, event.cause);
    note("skill", `${event.skill} is refused: ${event.cause}`);
  }
  if (event.type === "skill.counted") {
    const life = lifeAt(to);
    const isNew = life?.phases.at(-1)?.phase !== event.status;
    life?.uses.push({ atMs: dueMs, ok: event.outcome === "success" });
    enter(life, event.status, dueMs);
    if (isNew && event.status === "degraded") {
      note("skill", `${event.skill} is degraded`);
    }
  }
  if (event.type === "skill.wrapped") lasting(lives, "skill", event.skill)?.wraps.push(dueMs);
  if (event.type === "store.found") storeFound(note, event);
  if (event.type === "skill.left") {
    const { skill, how, because } = event;
    finish(lifeAt(to), how, dueMs, because);
    note("skill", `${skill} is ${how}`);
  }
}

/** What the engine says of broken tools, each time that it is asked: it may count skills and macros too. */
function brokenListed(
  lives: readonly Life[],
  { broken }: Mail["tools.answered"],
  atMs: number,
): void {
  const names = new Set(broken.map(({ name }) => name));
  for (const life of lives) {
    if (life.kind === "lesson" || life.end !== null) continue;
    const [before, last] = life.phases.slice(-2);
    if (life.phases.at(-1)?.phase === MAKING) continue;
    if (names.has(life.name)) enter(life, LISTED, atMs);
    else if (last?.phase === LISTED) enter(life, before?.phase ?? LISTED, atMs);
  }
}

function lessonStep(page: Page, { event, dueMs }: SeenDelivery): void {
  const { lives } = page;
  if (event.type === "playbook.surfaced") {
    const life = lasting(lives, "lesson", event.lesson);
    life?.uses.push({ atMs: dueMs, ok: false });
    life?.utility.push({ atMs: dueMs, value: event.utility });
  }
  if (event.type === "playbook.changed") playbookChanged(page, event, dueMs);
}

/** What a store says for itself; that it holds what it should is no news. */
function storeFound(note: Page["note"], event: Mail["store.found"]): void {
  const { migrated, filesAlone, rowsAlone, unfit = [], changed = [], fault } = event;
  const lone = [...filesAlone, ...rowsAlone];
  if (migrated.length > 0) {
    note("store", `copied from the sandbox: ${migrated.join(", ")}`);
  }
  if (lone.length > 0) note("store", `file and row disagree: ${lone.join(", ")}`);
  if (unfit.length > 0) {
    const those = unfit.map(unfitText).join(", ");
    note("store", `rows that cannot be taken: ${those}`);
  }
  if (changed.length > 0) {
    note("store", `files changed behind their rows: ${changed.join(", ")}`);
  }
  if (fault !== null) note("store", `the store could not be read: ${fault}`);
}

function playbookChanged(
  { lives, note }: Page,
  event: Mail["playbook.changed"],
  atMs: number,
): void {
  const { lesson, how, cause, trigger, verified, utility } = event;
  const phase = verified ? "verified" : "unverified";
  const known = lasting(lives, "lesson", lesson);
  // One that finds no room is met when it is turned away.
  const life = known ?? begin(lives, "lesson", lesson, trigger, phase, atMs);
  enter(life, phase, atMs);
  life.utility.push({ atMs, value: utility });
  if (how === "credited") life.uses.push({ atMs, ok: true });
  if (how === "written") note("lesson", `${lesson} is written, ${phase}`);
  if (how === "dropped" || how === "blocked") {
    finish(life, how, atMs, cause === null ? null : DROP_CAUSES[cause]);
    note("lesson", `${lesson} is ${how}`);
  }
}

function macroStep({ lives, note }: Page, { event, dueMs }: SeenDelivery): void {
  if (event.type === "macro.learned") {
    const { name, steps } = event.macro;
    if (lasting(lives, "macro", name) !== undefined) return;
    begin(lives, "macro", name, stepsOf(steps), "kept", dueMs);
    note("macro", `${name} is learnt`);
  }
  if (event.type === "macro.evicted" || event.type === "macro.retired") {
    const end = event.type === "macro.evicted" ? "evicted" : "retired";
    finish(lasting(lives, "macro", event.name), end, dueMs);
    note("macro", `${event.name} is ${end}`);
  }
  if (event.type === "macro.ended") {
    lasting(lives, "macro", event.name)?.uses.push({ atMs: dueMs, ok: event.ok });
  }
}

const LISTED = "listed as broken";

const stepsOf = (steps: readonly { readonly tool: string }[]): string =>
  steps.map(({ tool }) => tool).join(" → ");
