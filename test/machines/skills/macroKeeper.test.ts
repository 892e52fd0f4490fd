// The keeper of macros alone: the engine and agents are letters written by hand.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type {
  Delivered,
  Json,
  Letter,
  Mail,
  MailEvent,
  MailOf,
} from "../../../src/machines/letter.ts";
import type { Macro, MacroStep } from "../../../src/machines/skills/macro.ts";
import {
  MACROS,
  type MacrosState,
  macroKeeperService,
} from "../../../src/machines/skills/macroKeeper.ts";
import { seconds } from "../../../src/machines/units.ts";
import { policyWith } from "../../builtIn.ts";

const defaults = policyWith({}).skills.macros;
const ENGINE = "engine";

const step = (tool: string, more: Partial<MacroStep> = {}): MacroStep => ({
  ...{ tool, description: `please ${tool}`, params: {} },
  ...more,
});
const macro = (name: string, ...steps: readonly MacroStep[]): Macro => ({
  ...{ name, description: `does ${name}`, steps, branches: {} },
});

/** The service on its own, letters to itself delivered at once. */
function keeper(macros: readonly Macro[] = [], set: Partial<typeof defaults> = {}) {
  const service = macroKeeperService({
    ...{ ...defaults, waitMs: seconds(100), ghostRules: "off", ...set },
  });
  let seq = 1;
  let nowMs = 0;
  const first = service.init({ macros }, { nowMs, seq, from: "kernel" });
  let { state } = first;
  const sent: Letter[] = [...first.letters];
  const heard: MailEvent[] = [];
  const deliver = (event: MailEvent, from: string, key?: string): readonly Letter[] => {
    seq += 1;
    heard.push(event);
    const at = { nowMs, seq, from, ...(key !== undefined && { key }) };
    // A table of handlers by type, each with its own event.
    const handlers = service.on as {
      [type: string]: (
        s: MacrosState,
        e: object,
      ) => { state: MacrosState; letters: readonly Letter[] };
    };
    const done = handlers[event.type]?.(state, { ...event, at });
    if (done === undefined) throw new Error(`it does not know ${event.type}`);
    state = done.state;
    sent.push(...done.letters);
    for (const letter of done.letters) {
      if (letter.to === MACROS && letter.delayMs === undefined) deliver(letter.event, MACROS);
    }
    return done.letters;
  };
  /** The last that it sent of a type. */
  const sentOf = <K extends MailEvent["type"]>(type: K) => {
    const event = sent.findLast((one) => one.event.type === type)?.event;
    if (event === undefined) throw new Error(`it sent no ${type}`);
    return event as MailOf<K>; // By its type.
  };
  const last = <K extends MailEvent["type"]>(type: K) =>
    sent.findLast(({ event }) => event.type === type);
  return {
    deliver,
    sent,
    heard,
    names: () => state.book.map(({ name }) => name),
    state: () => state,
    last,
    sentOf,
    starts: (from = ENGINE) => deliver({ type: "entries.asked", kind: "macro" }, from),
    /** Gives the number of the question. */
    call: (capability: string, params: { readonly [name: string]: Json } = {}, agent = "cedar") => {
      deliver(
        { type: "capability.called", agent, cycle: 1, capability, intent: "x", params },
        ENGINE,
      );
      return seq;
    },
    finish: (question: number, more: Partial<Mail["call.finished"]> = {}) => {
      const fine = { ok: true, capability: "fs_read", result: "fine", nothing: false };
      const key = `run:${question}`;
      return deliver({ type: "call.finished", ...fine, ...more }, ENGINE, key);
    },
    step: (
      n: number,
      tool: string,
      params: Mail["step.reported"]["params"] = {},
      more: Partial<Mail["step.reported"]> = {},
    ) =>
      deliver(
        {
          ...{
            type: "step.reported",
            agent: "cedar",
            cycle: n,
            n,
            goal: "g",
            intent: `please ${tool}`,
            params,
          },
          ...{ capability: tool, ok: true, result: 1, error: null, nothing: false, wrote: [] },
          ...more,
        },
        "agent/cedar",
      ),
    end: (n: number, status: "completed" | "abandoned" = "completed") => {
      nowMs += 1;
      return deliver(
        {
          ...{ type: "goal.reported", agent: "cedar", n, status, text: "g", artifact: "/a" },
          ...{ misses: 0, failedSteps: 0, reason: null, notes: [] },
        },
        "goal/cedar/1",
      );
    },
  };
}

const goalsOf = (
  keep: ReturnType<typeof keeper>,
  count: number,
  tools: readonly string[],
  first = 1,
) => {
  for (let n = first; n < first + count; n += 1) {
    for (const tool of tools) keep.step(n, tool);
    keep.end(n);
  }
};

const answerIn = ({ sent }: ReturnType<typeof keeper>) =>
  sent.findLast(({ event }) => event.type === "capability.answered")?.event as
    | Delivered<"capability.answered">
    | undefined;

it("[SK105] a book that begins with more macros than are kept lets go of the first", () => {
  const three = ["one", "two", "three"].map((name) => macro(name, step("fs_read")));

  const keep = keeper(three, { kept: 2 });

  expect(keep.names()).toEqual(["two", "three"]);
  expect(keep.sent.map(({ event }) => event)).toEqual([
    { type: "macro.evicted", name: "one", uses: 0, by: "three" },
  ]);
  expect(keeper(three, { kept: 3 }).sent).toEqual([]);
});

describe("a run", () => {
  it("[SK80] asks the engine for one step after the other, in the agent's name", () => {
    const keep = keeper([
      macro("brief", step("fs_read", { params: { path: "$file" } }), step("fs_write")),
    ]);
    const question = keep.call("brief", { file: "/a" });
    const first = keep.last("call.requested");
    keep.finish(question);
    const second = keep.last("call.requested");
    keep.finish(question, { capability: "write_safely" });

    expect(first).toMatchObject({
      to: ENGINE,
      event: { agent: "cedar", cycle: 1, intent: "please fs_read", params: { path: "/a" } },
    });
    expect(second?.event).toMatchObject({ intent: "please fs_write" });
    expect(answerIn(keep)).toMatchObject({
      ok: true,
      result: {
        success: true,
        steps_completed: 2,
        total_steps: 2,
        results: [
          { step: "please fs_read", tool: "fs_read", served_by: "fs_read", result: "fine" },
          { step: "please fs_write", tool: "fs_write", served_by: "write_safely" },
        ],
      },
    });
  });

  it("[SK80, SK81] ends with a step that fails, and says which; it goes on after an optional one", () => {
    const strict = keeper([macro("brief", step("fs_read"), step("fs_write"))]);
    strict.finish(strict.call("brief"), { ok: false, error: "no such file" });
    const lenient = keeper([macro("brief", step("fs_read", { optional: true }), step("fs_write"))]);
    const question = lenient.call("brief");
    lenient.finish(question, { ok: false, error: "no such file" });
    lenient.finish(question);
    const last = keeper([macro("brief", step("fs_write", { optional: true }))]);
    last.finish(last.call("brief"), { ok: false, error: "no such file" });

    expect(answerIn(last)).toMatchObject({ ok: true });
    expect(answerIn(strict)).toMatchObject({
      ok: false,
      error: "step 1 of brief (fs_read, served by fs_read) failed: no such file",
    });
    expect(answerIn(lenient)).toMatchObject({
      ok: true,
      result: {
        success: true,
        results: [{ success: false, error: "no such file" }, { success: true }],
      },
    });
  });

  it("[SK82] a branch replaces what is left when its condition stands in the result, in any letter case", () => {
    const branching: Macro = {
      ...macro(
        "brief",
        step("fs_list", { branchCondition: "Empty", branchTarget: "none" }),
        step("fs_read"),
      ),
      branches: { none: [step("fs_write")] },
    };
    const lenient = {
      ...branching,
      steps: branching.steps.map((one) => ({ ...one, optional: true })),
    };
    const [taken, passed, failed] = [keeper([branching]), keeper([branching]), keeper([lenient])];
    const question = taken.call("brief");
    taken.finish(question, { result: "the folder is EMPTY" });
    passed.finish(passed.call("brief"), { result: "two files" });
    failed.finish(failed.call("brief"), { ok: false, error: "the folder is empty" });

    expect(taken.last("call.requested")?.event).toMatchObject({ intent: "please fs_write" });
    for (const { last } of [passed, failed]) {
      expect(last("call.requested")?.event).toMatchObject({ intent: "please fs_read" });
    }
    taken.finish(question);
    expect(answerIn(taken)).toMatchObject({ ok: true, result: { steps_completed: 2 } });
  });

  it.each([
    [{ result: "ink" }, "cedar: ink"],
    [{ ok: false, error: "no ink" }, "cedar: no ink"],
  ])(
    "[SK82] a name is a parameter of the call, or what a step saved: after %j",
    (ended, content) => {
      const keep = keeper([
        macro(
          "brief",
          step("fs_read", { saveAs: "body", optional: true }),
          step("fs_write", { params: { content: "$who: $body" } }),
        ),
      ]);
      keep.finish(keep.call("brief", { who: "cedar" }), ended);

      expect(keep.last("call.requested")?.event).toMatchObject({ params: { content } });
    },
  );

  it.each([
    ["steps", []],
    [
      "steps, those of a branch too",
      [step("fs_list", { branchCondition: "f", branchTarget: "b" })],
    ],
  ])("[SK83] runs 64 %s, and not the 65th", (_, first) => {
    const ranOf = (count: number) => {
      const optional = step("fs_read", { optional: true });
      const more = Array.from({ length: count - first.length }, () => optional);
      const long = macro("long", ...(first.length === 0 ? more : first));
      const keep = keeper([{ ...long, branches: { b: more } }]);
      const question = keep.call("long");
      // One that failed was run, too.
      for (let run = 0; run < 64; run += 1) keep.finish(question, { ok: run % 2 === 0 });
      return {
        asked: keep.sent.filter(({ event }) => event.type === "call.requested").length,
        end: answerIn(keep),
      };
    };

    expect(ranOf(64)).toMatchObject({ asked: 64, end: { ok: true } });
    expect(ranOf(65)).toMatchObject({
      asked: 64,
      end: { ok: false, error: "long wants more than 64 steps" },
    });
  });

  it("[SK84] a step that is given to a macro fails: a macro runs no macro", () => {
    const keep = keeper([macro("brief", step("fs_read")), macro("other", step("fs_list"))]);
    keep.call("brief");
    const { params, intent } = keep.sentOf("call.requested");
    const called = { agent: "cedar", cycle: 1, capability: "other", intent, params };
    keep.deliver({ type: "capability.called", ...called }, ENGINE);

    expect(answerIn(keep)).toMatchObject({
      ok: false,
      error: "other is a macro, and a macro runs no macro",
    });
    // What an agent calls of its own accord is another run, and what another calls in the same words.
    keep.deliver({ type: "capability.called", ...called, agent: "birch" }, ENGINE);
    expect(keep.sentOf("call.requested")).toMatchObject({ agent: "birch" });
    keep.call("other");
    expect(keep.sentOf("call.requested")).toMatchObject({ intent: "please fs_list" });
  });

  it("[SK85] is over when the engine waits no longer, or is not there any more", () => {
    const late = keeper([macro("brief", step("fs_read"))]);
    const question = late.call("brief");
    expect(late.last("macro.overdue")).toMatchObject({ to: MACROS, delayMs: seconds(100) });
    late.deliver({ type: "macro.overdue", run: question }, MACROS);
    late.finish(question);
    const gone = keeper([macro("brief", step("fs_read"))]);
    gone.starts("engine");
    gone.call("brief");
    gone.starts("engine");
    const asked = Object.keys(gone.state().runs);
    gone.starts("engine#2");
    const dead = keeper([macro("brief", step("fs_read"))]);
    const key = `run:${dead.call("brief")}`;
    dead.deliver({ type: "ask.bounced", address: ENGINE }, "kernel", key);

    expect(late.heard.filter(({ type }) => type === "macro.ended")).toMatchObject([
      { ok: false, ran: 0, reason: "the engine waited no longer for its end" },
    ]);
    // The same engine may ask again.
    expect([asked.length, gone.state().runs]).toEqual([1, {}]);
    expect(dead.heard.at(-1)).toMatchObject({
      ...{ type: "macro.ended", ok: false, reason: "no actor lives at engine" },
    });
  });
});

describe("learning", () => {
  it("[SK90] a sequence that recurs in three completed goals becomes a macro, in two it does not", () => {
    const keep = keeper([], { mined: "goal" });
    goalsOf(keep, 2, ["fs_read", "fs_write"]);
    const before = keep.names();
    goalsOf(keep, 1, ["fs_read", "fs_write"], 3);

    expect(before).toEqual([]);
    expect(keep.names()).toEqual(["auto_fs_read_fs_write"]);
    expect(keep.last("macro.learned")?.event).toMatchObject({
      goals: ["cedar/1", "cedar/2", "cedar/3"],
    });
  });

  it("[SK90] at most four calls in a row, at least two, in a dream and not before", () => {
    const keep = keeper();
    goalsOf(keep, 3, ["fs_read", "fs_write", "fs_list", "fs_edit", "memory_get"]);
    const before = keep.names();
    keep.deliver({ type: "dream.began", dream: 1 }, "dreamer");
    const lone = keeper();
    goalsOf(lone, 3, ["fs_read"]);
    lone.deliver({ type: "dream.began", dream: 1 }, "dreamer");

    expect(before).toEqual([]);
    expect(keep.names()).toEqual([
      "auto_fs_read_fs_write_fs_list_fs_edit",
      "auto_fs_write_fs_list_fs_edit_memory_get",
    ]);
    expect(lone.names()).toEqual([]);
  });

  it.each([
    [3, []],
    [4, ["auto_fs_read_fs_write"]],
  ])("[SK91] of the goals the %i that ended last count", (goalsMax, names) => {
    const keep = keeper([], { mined: "goal", goalsMax });
    goalsOf(keep, 2, ["fs_read", "fs_write"]);
    goalsOf(keep, 1, ["fs_list"], 3);
    goalsOf(keep, 1, ["fs_read", "fs_write"], 4);

    expect(keep.names()).toEqual(names);
    goalsOf(keep, 3, ["fs_edit", "fs_list"], 5);
    expect(keep.names()).toEqual([...names, "auto_fs_edit_fs_list"]);
  });

  it("[SK91] abandoned goals, and steps that failed or returned nothing, teach nothing", () => {
    const keep = keeper([], { mined: "goal" });
    for (const n of [1, 2, 3]) {
      keep.step(n, "fs_read");
      keep.step(n, "fs_write");
      keep.end(n, "abandoned");
    }
    keep.deliver({ type: "dream.began", dream: 1 }, "dreamer");
    expect(keep.names()).toEqual([]);
    for (const n of [4, 5, 6]) {
      keep.step(n, "fs_read");
      keep.step(n, "fs_list", {}, { ok: false });
      keep.step(n, "memory_get", {}, { nothing: true });
      keep.step(n, "fs_write");
      keep.end(n);
    }

    expect(keep.names()).toEqual(["auto_fs_read_fs_write"]);
  });

  const learned = (intents: readonly string[] = ["x", "x", "x"]) => {
    const keep = keeper([], { mined: "goal" });
    for (const [index, intent] of intents.entries()) {
      const n = index + 1;
      keep.step(n, "fs_read", { path: "/notes", from: `/${n}`, home: "$HOME" }, { intent });
      keep.step(n, "fs_write", { path: `/${n}`, content: `text ${n}`, from: `/old/${n}` });
      keep.end(n);
    }
    return keep.state().book[0]?.steps ?? [];
  };

  it("[SK92] what was the same each time stands in the step", () => {
    expect(learned()[0]?.params).toMatchObject({ path: "/notes" });
  });

  it("[SK92] what was not, or holds a $, is asked of the caller, what is alike under one name", () => {
    expect(learned().map(({ params }) => params)).toEqual([
      { path: "/notes", from: "$from", home: "$home" },
      { path: "$from", content: "$content", from: "$from_2" },
    ]);
  });

  it("[SK92] a step's words are those that were used most", () => {
    for (const words of [
      ["look", "read it", "read it"],
      ["read it", "look", "read it"],
      ["read it", "read it", "look"],
    ])
      expect(learned(words)[0]?.description).toBe("read it");
  });

  it.each([
    ["one tool again and again is no sequence", ["fs_read", "fs_read"], [], []],
    [
      "a part of a longer sequence that recurs as often becomes none",
      ["fs_read", "fs_list", "fs_write"],
      [],
      ["auto_fs_read_fs_list_fs_write"],
    ],
    [
      "one that recurs more often does",
      ["fs_read", "fs_list", "fs_write"],
      ["fs_list", "fs_write"],
      ["auto_fs_list_fs_write", "auto_fs_read_fs_list_fs_write"],
    ],
  ])("[SK34] %s", (_, tools, more, names) => {
    const keep = keeper();
    goalsOf(keep, 3, tools);
    goalsOf(keep, 1, more, 4);
    keep.deliver({ type: "dream.began", dream: 1 }, "dreamer");

    expect(keep.names()).toEqual(names);
  });

  it("[SK34] a sequence with a macro in it becomes none", () => {
    const keep = keeper([], { mined: "goal" });
    for (const n of [1, 2, 3]) {
      keep.step(n, "fs_read");
      keep.step(n, "brief", {}, { kind: "macro" });
      keep.end(n);
    }

    expect(keep.names()).toEqual([]);
  });
});

describe("the book", () => {
  const fifty = Array.from({ length: 50 }, (_, index) => macro(`m${index}`, step("fs_list")));

  it("[SK94] holds fifty, and the newcomer pushes out the one that was used least, the oldest of equals", () => {
    const keep = keeper(fifty, { mined: "goal" });
    // A run that failed is one, too.
    keep.finish(keep.call("m0"), { ok: false, error: "no such file" });
    goalsOf(keep, 3, ["fs_read", "fs_write"]);

    expect(keep.names()).toHaveLength(50);
    expect(keep.names()).not.toContain("m1");
    expect(keep.names()).toEqual(expect.arrayContaining(["m0", "m2", "auto_fs_read_fs_write"]));
    expect(keep.last("macro.evicted")?.event).toMatchObject({
      name: "m1",
      uses: 0,
      by: "auto_fs_read_fs_write",
    });
  });

  it("[SK94] with forty-nine nobody has to go", () => {
    const keep = keeper(fifty.slice(1), { mined: "goal" });
    goalsOf(keep, 3, ["fs_read", "fs_write"]);

    expect(keep.names()).toHaveLength(50);
    expect(keep.last("macro.evicted")).toBeUndefined();
  });

  it("[SK95] a sequence that had to go comes back when it recurs in three goals more", () => {
    const keep = keeper([], { mined: "goal", kept: 1 });
    goalsOf(keep, 3, ["fs_read", "fs_write"]);
    goalsOf(keep, 3, ["fs_list", "fs_edit"], 4);
    const between = keep.names();
    goalsOf(keep, 2, ["fs_read", "fs_write"], 7);
    const before = keep.names();
    goalsOf(keep, 1, ["fs_read", "fs_write"], 9);

    const learned = keep.heard.filter(({ type }) => type === "macro.learned");
    expect(learned).toHaveLength(3);
    expect(between).toEqual(["auto_fs_list_fs_edit"]);
    expect(before).toEqual(["auto_fs_list_fs_edit"]);
    expect(keep.names()).toEqual(["auto_fs_read_fs_write"]);
  });

  it("[SK95] a sequence whose macro an agent retired counts anew from then on, too", () => {
    const keep = keeper([], { mined: "goal" });
    goalsOf(keep, 3, ["fs_read", "fs_write"]);
    keep.call("retire_capability", { name: "auto_fs_read_fs_write" });
    goalsOf(keep, 2, ["fs_read", "fs_write"], 4);
    const before = keep.names();
    goalsOf(keep, 1, ["fs_read", "fs_write"], 6);

    expect(before).toEqual([]);
    expect(keep.names()).toEqual(["auto_fs_read_fs_write"]);
  });

  it("[SK94] of macros that were used equally often the oldest goes, however often that was", () => {
    const keep = keeper([macro("a", step("fs_list")), macro("b", step("fs_list"))], {
      ...{ mined: "goal", kept: 2 },
    });
    for (const name of ["b", "a"]) keep.finish(keep.call(name));
    goalsOf(keep, 3, ["fs_read", "fs_write"]);

    expect(keep.names()).toEqual(["b", "auto_fs_read_fs_write"]);
    expect(keep.last("macro.evicted")?.event).toMatchObject({ name: "a", uses: 1 });
  });

  it("[SK94] the newcomer never goes, though all others were used more", () => {
    const keep = keeper([macro("a", step("fs_list"))], { mined: "goal", kept: 1 });
    keep.finish(keep.call("a"));
    goalsOf(keep, 3, ["fs_read", "fs_write"]);

    expect(keep.names()).toEqual(["auto_fs_read_fs_write"]);
  });

  it("[SK96] is listed for the engine at its start and whenever it changes, with what came of runs", () => {
    const keep = keeper([macro("brief", step("fs_read"))]);
    keep.starts();
    for (const ok of [true, false, true]) keep.finish(keep.call("brief"), { ok });
    const [told] = keep.sentOf("entries.listed").entries;

    expect(told).toMatchObject({ name: "brief", description: "does brief" });
    expect(told?.reads).toContain("(1 steps; used 3x with 67% success)");
  });

  it("[SK96] what was learnt is listed at once, too", () => {
    const keep = keeper([], { mined: "goal" });
    keep.starts();
    goalsOf(keep, 3, ["fs_read", "fs_write"]);

    const listed = keep.sentOf("entries.listed").entries.map(({ name }) => name);
    expect(listed).toEqual(["auto_fs_read_fs_write"]);
  });

  it("[SK97] an agent retires a macro with retire_capability", () => {
    const keep = keeper([macro("brief", step("fs_read"))]);
    keep.call("retire_capability", { name: "brief" });

    expect(keep.names()).toEqual([]);
    expect(answerIn(keep)).toMatchObject({ ok: true });
  });

  it("[SK97] [SK96] when an agent retires a macro, the log and the engine are told at once", () => {
    const keep = keeper([macro("brief", step("fs_read")), macro("other", step("fs_list"))]);
    keep.starts();
    const question = keep.call("retire_capability", { name: "brief" });

    expect(keep.last("macro.retired")?.event).toEqual({
      ...{ type: "macro.retired", name: "brief", by: "cedar" },
    });
    // The keeper's own word is the delivery behind the call.
    expect(keep.last("entries.listed")).toMatchObject({ to: ENGINE, because: [question - 1] });
    expect(keep.sentOf("entries.listed").entries.map(({ name }) => name)).toEqual(["other"]);
  });

  it("[SK97] a macro that there is not cannot be retired", () => {
    const keep = keeper([macro("brief", step("fs_read"))]);
    keep.call("retire_capability", { name: "constructor" });

    expect(keep.names()).toEqual(["brief"]);
    expect(answerIn(keep)).toMatchObject({ ok: false });
  });

  it("[SK80] [SK83] [SK94] whatever comes: at most as many as are kept, 64 steps a run, one answer a call", () => {
    const tools = ["fs_read", "fs_write", "fs_list"];
    const act = fc.oneof(
      fc.record({
        does: fc.constant("goal" as const),
        tools: fc.array(fc.constantFrom(...tools), { maxLength: 5 }),
        ok: fc.boolean(),
      }),
      fc.record({ does: fc.constant("call" as const), at: fc.nat(9) }),
      fc.record({ does: fc.constant("finish" as const), ok: fc.boolean(), at: fc.nat(9) }),
      fc.record({ does: fc.constant("late" as const), at: fc.nat(9) }),
    );
    fc.assert(
      fc.property(
        fc.array(act, { maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        (acts, kept) => {
          const keep = keeper([macro("m", step("fs_read"), step("fs_list"))], {
            mined: "goal",
            kept,
            stepsMax: 2,
          });
          const questions: number[] = [];
          acts.forEach((one, index) => {
            if (one.does === "goal") {
              for (const tool of one.tools) keep.step(index, tool);
              keep.end(index, one.ok ? "completed" : "abandoned");
            } else if (one.does === "call") {
              const name = keep.names()[one.at % Math.max(1, keep.names().length)] ?? "none";
              questions.push(keep.call(name, {}, `agent-${index}`));
            } else {
              const question = questions[one.at] ?? 0;
              if (one.does === "late")
                keep.deliver({ type: "macro.overdue", run: question }, MACROS);
              else keep.finish(question, { ok: one.ok });
            }
            expect(keep.names().length).toBeLessThanOrEqual(kept);
          });
          const ends = keep.heard.filter(
            ({ type }) => type === "macro.ended",
          ) as Mail["macro.ended"][];
          const answers = keep.sent.filter(({ event }) => event.type === "capability.answered");
          expect(ends.every(({ ran }) => ran <= 2)).toBe(true);
          expect(new Set(answers.map(({ re }) => re)).size).toBe(answers.length);
          expect(answers.length + Object.keys(keep.state().runs).length).toBe(questions.length);
        },
      ),
    );
  });
});
