import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import { goalMachine } from "../../../../src/machines/agents/goal/goal.ts";
import {
  type GoalInput,
  goalRegistryPath,
  readGoalRegistry,
  type SavedGoal,
  savedGoal,
} from "../../../../src/machines/agents/goal/goalContext.ts";
import type { Letter, Mail, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import { MILLION } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying, mailIn } from "../../../mail.ts";
import { Premise } from "../../../premise.ts";
import { driven, lettersTo } from "../../driven.ts";

const PAGE = "/agentOS/workspace/cedar/1-page.md";
const DRAFT = "/agentOS/workspace/cedar/1-draft.md";
const REGISTRY = "/agentOS/memory/goals/cedar/registry.jsonl";
const input: GoalInput = {
  agent: "cedar",
  n: 1,
  ledger: "goalLedger",
  slug: "page",
  text: "Write a page",
  artifact: PAGE,
  evidence: null,
};

/** Without judge and fact check, whose tests are in goalGate.test.ts. */
const OWN = { "gate.parts": ["output", "mechanical"] };

type Context = SavedGoal;

const goalOf = (
  changes: Partial<GoalInput> = {},
  overrides: { readonly [path: string]: PolicyValue } = {},
) => driven<Context>(goalMachine(policyWith({ ...OWN, ...overrides })), { ...input, ...changes });
type Goal = ReturnType<typeof goalOf>;

const standingOf = ({ context }: Goal) => {
  const { progress, outputs, lastCapability, misses, failedSteps, wrote, notes } = context;
  return { progress, outputs, lastCapability, misses, failedSteps, wrote, notes };
};

const step = (
  capability: string | null,
  more: Partial<Mail["step.ended"]> = {},
): MailOf<"step.ended"> => ({
  type: "step.ended",
  ok: true,
  capability,
  wrote: [],
  nothing: false,
  fact: 100,
  error: null,
  ...more,
});
const wrote = (path: string) => step("fs_write", { wrote: [path] });
const file = (text: string | null): MailOf<"files.replied"> =>
  text === null
    ? { type: "files.replied", ok: false, error: "FileNotFoundError" }
    : { type: "files.replied", ok: true, text };
const whole = file("x".repeat(200));

const verdict = (letters: readonly Letter[]) =>
  mailIn(lettersTo(letters, "peer"), "goal.judged")[0];
const line = (letters: readonly Letter[]): { readonly [field: string]: unknown } => {
  const [line] = mailIn(lettersTo(letters, "files"), "files.append");
  return JSON.parse(String(line?.text));
};
const endings = (letters: readonly Letter[]) => carrying(letters, "goal.ended");

/** Five output steps: full. The last letters ask for the artifact. */
function fill(goal: Goal, ...paths: string[]): readonly Letter[] {
  for (const path of paths) goal.send(wrote(path));
  while (goal.value === "active") goal.send(step("memory_set"));
  return goal.letters;
}

describe("a step", () => {
  it("[GO1] brings the goal further and is answered with where it stands", () => {
    const goal = goalOf();

    expect(verdict(goal.send(step("fs_write")))).toEqual({
      type: "goal.judged",
      status: "active",
      progress: 200_000,
      misses: 0,
      reason: null,
    });
    expect(verdict(goal.send(step("fs_read")))).toMatchObject({ progress: 300_000 });
  });

  it("[GO1] that failed, or that no capability served, moves nothing and is answered too", () => {
    const goal = goalOf();

    expect(verdict(goal.send(step("fs_write", { ok: false })))).toMatchObject({ progress: 0 });
    expect(verdict(goal.send(step(null)))).toMatchObject({ progress: 0 });
    expect(goal.context).toMatchObject({ outputs: 0, wrote: [] });
  });

  it("[GO1, T13] one that returned nothing and looks like success counts like any other", () => {
    expect(verdict(goalOf().send(step("safe_file_executor", { nothing: true })))).toMatchObject({
      progress: 100_000,
    });
  });
});

describe("the registry", () => {
  it("[GO2] the first line says what the goal is, every verdict adds where it stands", () => {
    const goal = goalOf();
    const [begun] = lettersTo(goal.letters, "files");

    expect(goalRegistryPath("cedar")).toBe(REGISTRY);
    expect(begun?.event).toMatchObject({ type: "files.append", path: REGISTRY });
    expect(line(goal.letters)).toEqual({
      n: 1,
      status: "active",
      progress: 0,
      outputs: 0,
      lastCapability: null,
      misses: 0,
      failedSteps: 0,
      wrote: [],
      slug: "page",
      text: "Write a page",
      artifact: PAGE,
      evidence: null,
    });
    expect(line(goal.send(wrote(PAGE), 5_000))).toEqual({
      n: 1,
      status: "active",
      progress: 200_000,
      outputs: 1,
      lastCapability: "fs_write",
      misses: 0,
      failedSteps: 0,
      wrote: [PAGE],
      atMs: 5_000,
    });
  });

  it("[GO2] a goal resumed from its lines goes on exactly there, without a first line", () => {
    const before = goalOf();
    const lines: string[] = [];
    const keep = (letters: readonly Letter[]) => {
      const own = mailIn(lettersTo(letters, "files"), "files.append");
      lines.push(...own.map(({ text }) => text));
    };
    const resumed = () => {
      const [saved] = readGoalRegistry(lines.join(""));
      if (saved === undefined) throw new Error("nothing was saved");
      return goalOf({ resumed: savedGoal(saved) });
    };
    keep(before.letters);
    const full = Array.from({ length: 4 }, () => step("memory_set"));
    for (const event of [wrote(PAGE), step(null), ...full, file(null), step("fs_read")]) {
      keep(before.send(event));
      if (before.value !== "active") continue;
      const { notes, ...standing } = standingOf(before);

      expect(resumed().letters).toEqual([]);
      expect(standingOf(resumed())).toMatchObject(standing);
      // What went wrong stands on the line of a miss.
      if (before.context.misses > 0) expect(resumed().context).toMatchObject({ notes });
    }
    const after = resumed();
    expect(after.context).toMatchObject({ progress: 950_000, misses: 1, wrote: [PAGE] });
    keep(before.send(step("fs_list")));
    expect(verdict(after.send(step("fs_list")))).toEqual(verdict(before.letters));
    before.send(step("memory_set"));
    keep(before.send(whole));
    expect(readGoalRegistry(lines.join(""))).toMatchObject([{ status: "completed" }]);
  });
});

describe("the gate", () => {
  it("[U7] is asked at one, not a step before", () => {
    const goal = goalOf();
    for (let times = 0; times < 4; times++) goal.send(step("fs_write"));
    expect(goal.value).toBe("active");

    const letters = goal.send(step("fs_write"));

    expect(goal.value).toEqual({ gate: { mechanical: "reading" } });
    expect(
      letters.filter(({ ask }) => ask !== undefined).map(({ to, event }) => ({ to, event })),
    ).toEqual([{ to: "files", event: { type: "files.read", path: PAGE } }]);
  });

  it("[U7] output first: without an output step no file is looked at", () => {
    const goal = goalOf();
    for (let times = 0; times < 9; times++) goal.send(step("fs_read"));

    const letters = goal.send(step("fs_read"));

    expect(verdict(letters)).toEqual({
      type: "goal.judged",
      status: "missed",
      progress: 850_000,
      misses: 1,
      reason: "no step used an output capability",
    });
    expect(letters.some(({ event }) => event.type === "files.read")).toBe(false);
  });

  it("[U7] then the file: the declared artifact alone completes the goal", () => {
    const goal = goalOf();
    fill(goal, DRAFT);

    const letters = goal.send(whole);

    expect(goal.value).toBe("completed");
    expect(verdict(letters)).toMatchObject({
      status: "completed",
      progress: MILLION,
      reason: null,
    });
    expect(line(letters)).toMatchObject({ status: "completed", progress: MILLION });
  });

  it("[U7, GA1] a miss sets progress to .85, asks for new output, and says why", () => {
    const goal = goalOf();
    fill(goal);

    const letters = goal.send(file(null));

    expect(verdict(letters)).toMatchObject({
      status: "missed",
      progress: 850_000,
      misses: 1,
      reason: `${PAGE} does not exist`,
    });
    expect(line(letters)).toMatchObject({
      status: "active",
      progress: 850_000,
      outputs: 0,
      misses: 1,
    });
    goal.send(step("fs_read"));
    expect(verdict(goal.send(step("fs_read")))).toMatchObject({
      misses: 2,
      reason: "no step used an output capability",
    });
  });

  it("[U7] one output step after a miss knocks again", () => {
    const goal = goalOf();
    fill(goal);
    goal.send(file(null));

    goal.send(wrote(PAGE));

    expect(goal.value).toEqual({ gate: { mechanical: "reading" } });
    goal.send(whole);
    expect(goal.value).toBe("completed");
  });

  it("[U7] the fourth miss leaves the goal alive, the fifth abandons it", () => {
    const goal = goalOf();
    for (let times = 0; times < 4; times++) {
      fill(goal);
      goal.send(file(null));
      expect(goal.value).toBe("active");
    }
    fill(goal);

    const letters = goal.send(file(null));

    expect(goal.value).toBe("abandoned");
    expect(verdict(letters)).toMatchObject({ status: "abandoned", misses: 5, progress: 850_000 });
    expect(line(letters)).toMatchObject({ status: "abandoned", misses: 5 });
  });

  it("[U7] the number of misses is the policy's", () => {
    const goal = goalOf({}, { "gate.missesMax": 1 });
    fill(goal);

    goal.send(file(null));

    expect(goal.value).toBe("abandoned");
  });

  it("[U7] abandoning deletes the files it wrote, and only those", () => {
    const goal = goalOf({}, { "gate.missesMax": 1 });
    goal.send(step("fs_edit"));
    goal.send(step("fs_write", { ok: false, wrote: ["/agentOS/other.md"] }));
    const notes = "/agentOS/notes.md";
    fill(goal, notes, DRAFT, notes);

    // Its artifact is there, from before.
    const letters = goal.send(file("short"));

    expect(mailIn(letters, "files.delete").map(({ paths }) => paths)).toEqual([[notes, DRAFT]]);
  });

  it("[U7] completing deletes nothing", () => {
    const goal = goalOf();
    fill(goal, PAGE);

    expect(goal.send(whole).some(({ event }) => event.type === "files.delete")).toBe(false);
  });

  it("[GO4] the evidence must stand in the file", () => {
    const evidence = "Reviewed-by: vault, goal 1";
    const goal = goalOf({ evidence });
    fill(goal);
    expect(verdict(goal.send(whole))).toMatchObject({
      status: "missed",
      reason: `${PAGE} does not hold "${evidence}"`,
    });
    fill(goal);

    goal.send(file(`${"x".repeat(200)}\n${evidence}\n`));

    expect(goal.value).toBe("completed");
  });

  it("[GO4] files that do not answer are a miss with that reason", () => {
    const goal = goalOf();
    fill(goal);

    expect(verdict(goal.fire("filesTimeout"))).toMatchObject({
      status: "missed",
      reason: "the files did not answer",
    });
  });

  it("[GO5] a missed gate rests on the steps that returned nothing and on what the files said", () => {
    const goal = goalOf();
    goal.send(step("safe_file_executor", { nothing: true, fact: 71 }));
    goal.send(step("safe_file_executor", { nothing: true, fact: 72 }));
    fill(goal);

    const letters = goal.send(file(null));

    expect(lettersTo(letters, "peer")[0]?.because).toEqual([71, 72, goal.seq]);
  });

  it("[GO5] it names the latest eight facts", () => {
    const goal = goalOf();
    for (let fact = 1; fact <= 9; fact++)
      goal.send(step("safe_file_executor", { nothing: true, fact }));
    goal.send(step("fs_write"));

    const letters = goal.send(file(null));

    expect(lettersTo(letters, "peer")[0]?.because).toEqual([3, 4, 5, 6, 7, 8, 9, goal.seq]);
  });
});

describe("the end", () => {
  it("[GO6] is told to the ledger once: who, which, how, and why not", () => {
    const goal = goalOf();
    fill(goal);

    expect(endings(goal.send(whole))).toEqual([
      {
        to: "goalLedger",
        event: {
          type: "goal.ended",
          agent: "cedar",
          n: 1,
          status: "completed",
          text: "Write a page",
          artifact: PAGE,
          misses: 0,
          failedSteps: 0,
          reason: null,
          notes: [],
          facts: [],
        },
      },
    ]);
    expect(goal.ended).toBe(true);
  });

  it("[GO6] a goal that missed its gate and passes it later ends without a reason", () => {
    const goal = goalOf();
    fill(goal);
    goal.send(file(null));
    goal.send(step("fs_write"));

    expect(endings(goal.send(whole))).toMatchObject([
      { event: { status: "completed", misses: 1, reason: null } },
    ]);
  });

  it("[GO6] so is the keeper of lessons where there is one, in the same words", () => {
    const goal = goalOf({ lessons: "lessons/cedar" });
    fill(goal);

    const letters = goal.send(whole).filter(({ event }) => event.type === "goal.ended");

    expect(letters.map(({ to }) => to)).toEqual(["goalLedger", "lessons/cedar"]);
    expect(letters[1]?.event).toEqual(letters[0]?.event);
  });

  it("[GO6] a goal that its agent gives up is abandoned with the agent's reason and facts", () => {
    const goal = goalOf();
    goal.send(wrote(PAGE));

    const letters = goal.send({
      type: "goal.givenUp",
      reason: "4 steps failed in a row",
      facts: [7, 8],
    });

    expect(goal.value).toBe("abandoned");
    expect(verdict(letters)).toMatchObject({
      status: "abandoned",
      reason: "4 steps failed in a row",
    });
    const reason = "4 steps failed in a row";
    expect(endings(letters)).toMatchObject([
      { event: { status: "abandoned", reason, notes: [reason] }, because: [7, 8] },
    ]);
    expect(lettersTo(letters, "files").map(({ event }) => event.type)).toEqual([
      "files.delete",
      "files.append",
    ]);
  });

  it("[GO6] a goal that stops with its daemon is not over: no word to the ledger, no file deleted", () => {
    const goal = goalOf();
    fill(goal, PAGE);

    expect(goal.send({ type: "daemon.stopped" }).filter(({ to }) => to !== "kernel")).toEqual([]);
    expect(goal.value).toBe("stopped");
  });

  it("[GO6, U6] whatever happens: progress stays within one, and every end is told exactly once", () => {
    const event = fc.oneof(
      {
        weight: 20,
        arbitrary: fc
          .record({
            capability: fc.constantFrom("fs_write", "fs_read", "memory_set", null),
            ok: fc.constantFrom(true, true, true, false),
            nothing: fc.boolean(),
            path: fc.constantFrom(PAGE, DRAFT, null),
          })
          .map(({ capability, ok, nothing, path }) =>
            step(capability, { ok, nothing, wrote: path === null ? [] : [path] }),
          ),
      },
      { weight: 4, arbitrary: fc.constantFrom(whole, file(null), file("TODO")) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<MailEvent>(
          { type: "goal.givenUp", reason: "", facts: [] },
          { type: "daemon.stopped" },
          { type: "ask.bounced", address: "files" },
        ),
      },
    );

    const isCompleted = new Premise();
    fc.assert(
      fc.property(fc.array(event, { minLength: 20, maxLength: 40, size: "max" }), (events) => {
        const goal = goalOf();
        const told: ReturnType<typeof endings> = [];
        const statuses: unknown[] = [];
        for (const each of events) {
          if (goal.ended) break;
          const letters = goal.send(each);
          told.push(...endings(letters));
          const judged = mailIn(lettersTo(letters, "peer"), "goal.judged");
          statuses.push(...judged.map(({ status }) => status));
          expect(goal.context.progress).toBeLessThanOrEqual(MILLION);
          expect(goal.context.misses).toBeLessThanOrEqual(5);
        }
        const over = goal.value === "completed" || goal.value === "abandoned";
        isCompleted.holds(goal.value === "completed");
        expect(told).toHaveLength(over ? 1 : 0);
        expect(told[0]?.event.status).toBe(over ? goal.value : undefined);
        expect(
          statuses.filter((status) => status === "completed" || status === "abandoned"),
        ).toHaveLength(over ? 1 : 0);
        expect(goal.ended).toBe(over || goal.value === "stopped");
      }),
      { numRuns: 30 },
    );
    isCompleted.expectAtLeast(0.01);
  });
});
