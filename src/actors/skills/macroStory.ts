/** The life of each macro, from the log alone. */
import { MACROS } from "../../machines/skills/macroKeeper.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { startOf } from "../startOf.ts";
import type { Moment } from "../story.ts";

declare module "../startOf.ts" {
  interface Inputs {
    macroKeeper: import("../../machines/skills/macroKeeper.ts").MacrosInput;
  }
}

/** A life in the book of macros; a name that comes back has another one. */
export interface MacroStory {
  readonly name: string;
  readonly steps: readonly string[];
  /** The goals it was learnt from; null for one that was there from the start. */
  readonly goals: readonly string[] | null;
  readonly fromMs: number;
  toMs: number | null;
  end: "kept" | "evicted" | "retired";
  readonly runs: { readonly atMs: number; readonly ok: boolean }[];
}

export class MacroLives {
  readonly lives: MacroStory[] = [];
  readonly #moments: Moment[];

  constructor(moments: Moment[]) {
    this.#moments = moments;
  }

  observe({ event, to, from, dueMs, fate }: SeenDelivery): void {
    if (fate !== "handled") return;
    for (const { name, steps } of startOf(event, "macroKeeper")?.macros ?? []) {
      this.#begins(name, steps, null, dueMs);
    }
    if (to !== MACROS || from !== MACROS) return;
    switch (event.type) {
      case "macro.learned":
        if (this.#living(event.macro.name) !== undefined) return;
        this.#begins(event.macro.name, event.macro.steps, event.goals, dueMs);
        this.#moments.push({ atMs: dueMs, kind: "macro", label: `${event.macro.name} is learnt` });
        break;
      case "macro.evicted":
        this.#ends(event.name, "evicted", dueMs);
        break;
      case "macro.retired":
        this.#ends(event.name, "retired", dueMs);
        break;
      case "macro.ended":
        this.#living(event.name)?.runs.push({ atMs: dueMs, ok: event.ok });
    }
  }

  #begins(
    name: string,
    steps: readonly { readonly tool: string }[],
    goals: MacroStory["goals"],
    fromMs: number,
  ): void {
    const tools = steps.map(({ tool }) => tool);
    this.lives.push({ name, steps: tools, goals, fromMs, toMs: null, end: "kept", runs: [] });
  }

  #ends(name: string, end: "evicted" | "retired", atMs: number): void {
    const life = this.#living(name);
    if (life === undefined) return;
    life.toMs = atMs;
    life.end = end;
    this.#moments.push({ atMs, kind: "macro", label: `${name} is ${end}` });
  }

  #living(name: string): MacroStory | undefined {
    return this.lives.findLast((one) => one.name === name && one.toMs === null);
  }
}
