/** What is promised of the keeper of macros, over drawn letters. Source: seed 001, "Composed skills". */

import fc from "fast-check";
import { demand } from "../../../contract/demand.ts";
import { valuesOf } from "../../../contract/policy.ts";
import { unitPromises } from "../../../contract/promises.ts";
import type { Letter, MailEvent } from "../../../machines/letter.ts";
import type { Macro } from "../../../machines/skills/macro.ts";
import {
  MACROS,
  type MacrosState,
  macroKeeperService,
} from "../../../machines/skills/macroKeeper.ts";
import { skillsLeaves } from "../../../machines/skills/skillsPolicy.ts";
import { seconds } from "../../../machines/units.ts";
import { serviceBehaviour } from "../../../substrate/serviceBehaviour.ts";

const TOOLS = ["fs_read", "fs_write", "fs_list", "memory_get"];

const act = fc.oneof(
  fc.record({
    does: fc.constant("goal" as const),
    tools: fc.array(fc.constantFrom(...TOOLS), { maxLength: 5 }),
    isDone: fc.boolean(),
  }),
  fc.record({ does: fc.constant("call" as const), at: fc.nat(5) }),
  fc.record({ does: fc.constant("finish" as const), at: fc.nat(5), ok: fc.boolean() }),
  fc.record({ does: fc.constant("late" as const), at: fc.nat(5) }),
);

/** More than any macro of these has. */
const STEPS_MOST = 6;

const firstMacros = (count: number): Macro[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ name: `given_${index}`, description: "reads again and again", branches: {} },
    steps: Array.from({ length: index + 1 }, () => {
      return { tool: "fs_read", description: "read", params: {} };
    }),
  }));

/** The keeper alone; what it says to itself arrives at once. */
class Alone {
  readonly sent: Letter[] = [];
  readonly heard: MailEvent[] = [];
  readonly #keeper: ReturnType<typeof keeperUnder>;
  #state: MacrosState;
  #seq = 1;

  constructor(macros: readonly Macro[], set: Set) {
    this.#keeper = keeperUnder(set);
    const at = { nowMs: 0, seq: this.#seq, from: "kernel" };
    this.#state = this.#keeper.start(MACROS, { macros }, at).state;
  }

  /** Gives the number of the delivery. */
  hear(event: MailEvent, from: string, key?: string): number {
    this.#seq += 1;
    const seq = this.#seq;
    const at = { nowMs: seq, seq, from, ...(key !== undefined && { key }) };
    const { state, effects } = this.#keeper.receive(MACROS, this.#state, { ...event, at });
    this.#state = state;
    this.heard.push(event);
    for (const effect of effects) {
      if (effect.kind !== "letter") continue;
      this.sent.push(effect.letter);
      const { to, event: said, delayMs } = effect.letter;
      if (to === MACROS && delayMs === undefined) this.hear(said, MACROS);
    }
    return seq;
  }

  get names(): readonly string[] {
    return this.#state.book.map(({ name }) => name);
  }

  get open(): number {
    return Object.keys(this.#state.runs).length;
  }
}

interface Set {
  readonly kept: number;
  readonly stepsMax: number;
}

const keeperUnder = (set: Set) => {
  const { macros } = valuesOf({ skills: skillsLeaves }, { "skills.macros.mined": "goal" }).skills;
  return serviceBehaviour(
    macroKeeperService({
      ...{ ...macros, ...set, support: 2, waitMs: seconds(100), ghostRules: "off" },
    }),
  );
};

type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** One thing after the other; `each` looks at the keeper in between. Gives the questions of its calls. */
function done(keeper: Alone, acts: readonly Act[], each: () => void): readonly number[] {
  const questions: number[] = [];
  acts.forEach((one, n) => {
    const agent = `agent-${n}`;
    if (one.does === "goal") goalDone(keeper, agent, one.tools, one.isDone);
    else if (one.does === "call") {
      const { names } = keeper;
      const capability = names[one.at % Math.max(1, names.length)] ?? "none";
      const call = { agent, cycle: 1, capability, intent: "run it", params: {} };
      questions.push(keeper.hear({ type: "capability.called", ...call }, "engine"));
    } else {
      const run = questions[one.at] ?? 0;
      if (one.does === "late") keeper.hear({ type: "macro.overdue", run }, MACROS);
      else keeper.hear(finished(one.ok), "engine", `run:${run}`);
    }
    each();
  });
  return questions;
}

const finished = (ok: boolean): MailEvent => ({
  ...{ type: "call.finished", ok, capability: "fs_read", result: null, nothing: false },
});

function goalDone(keeper: Alone, agent: string, tools: readonly string[], isDone: boolean): void {
  const goal = { agent, n: 1 };
  for (const capability of tools) {
    keeper.hear(
      {
        ...{ type: "step.reported", ...goal, cycle: 1, goal: "g", intent: capability, params: {} },
        ...{ capability, ok: true, result: 1, error: null, nothing: false, wrote: [] },
      },
      `agent/${agent}`,
    );
  }
  keeper.hear(
    {
      ...{ type: "goal.reported", ...goal, status: isDone ? "completed" : "abandoned" },
      ...{ text: "g", artifact: "/a", misses: 0, failedSteps: 0, reason: null, notes: [] },
    },
    `goal/${agent}/1`,
  );
}

const macroActs = fc.record({
  acts: fc.array(act, { maxLength: 40 }),
  kept: fc.integer({ min: 1, max: 4 }),
  stepsMax: fc.integer({ min: 1, max: 3 }),
  given: fc.nat(4),
});

export const macroProperties = unitPromises({
  "macros-are-bounded": {
    says: "There are never more macros than are kept, and no run has more steps than it may.",
    source: "seed 001, Composed skills; SPEC SK83, SK94",
    draw: () =>
      fc.property(macroActs, ({ acts, kept, stepsMax, given: count }) => {
        const keeper = new Alone(firstMacros(Math.min(count, kept)), { kept, stepsMax });
        const questions = done(keeper, acts, () => {
          const { length } = keeper.names;
          demand(length <= kept, `there are ${length} macros where ${kept} are kept`);
        });
        // Whatever is still open goes well from now on, to its end.
        for (const run of questions) {
          for (let step = 0; step < STEPS_MOST; step += 1) {
            keeper.hear(finished(true), "engine", `run:${run}`);
          }
        }
        for (const event of keeper.heard) {
          if (event.type !== "macro.ended") continue;
          demand(event.ran <= stepsMax, `a run of ${event.name} has ${event.ran} steps`);
        }
      }),
  },
  "macros-answer-once": {
    says: "Every call of a macro is answered once, when its run is over, and a run says so once.",
    source: "seed 001, Composed skills; SPEC SK80, SK85",
    draw: () =>
      fc.property(macroActs, ({ acts, kept, stepsMax, given: count }) => {
        const keeper = new Alone(firstMacros(Math.min(count, kept)), { kept, stepsMax });
        const questions = done(keeper, acts, () => undefined);
        const answers = keeper.sent.filter(({ event }) => event.type === "capability.answered");
        const twice = answers.length - new Set(answers.map(({ re }) => re)).size;
        demand(twice === 0, `${twice} calls are answered twice`);
        const closed = questions.length - keeper.open;
        demand(
          answers.length === closed,
          `${answers.length} calls are answered, and ${closed} are over`,
        );
      }),
  },
});
