import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import { goalMachine } from "../../../../src/machines/agents/goal/goal.ts";
import {
  type GoalInput,
  readGoalRegistry,
  type SavedGoal,
  savedGoal,
} from "../../../../src/machines/agents/goal/goalContext.ts";
import {
  GOAL_GATE_PARTS,
  longestGoalGateMs,
  nextPart,
} from "../../../../src/machines/agents/goal/goalGateParts.ts";
import type { Letter, Mail, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import { MILLION, minutes, seconds } from "../../../../src/machines/units.ts";
import { policyWith } from "../../../builtIn.ts";
import { mailIn } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

const PAGE = "/agentOS/workspace/cedar/1-page.md";
const NOTES = "/agentOS/workspace/cedar/notes.md";
const input: GoalInput = {
  agent: "cedar",
  n: 1,
  ledger: "goalLedger",
  lessons: "lessons/cedar",
  slug: "page",
  text: "Write a page",
  artifact: PAGE,
  evidence: null,
};

interface Context extends SavedGoal {
  readonly facts: readonly number[];
}

const goalOf = (
  overrides: { readonly [path: string]: PolicyValue } = {},
  changes: Partial<GoalInput> = {},
) => driven<Context>(goalMachine(policyWith(overrides)), { ...input, ...changes });
type Goal = ReturnType<typeof goalOf>;

const step = (more: Partial<Mail["step.ended"]> = {}): MailOf<"step.ended"> => ({
  type: "step.ended",
  ok: true,
  capability: "fs_write",
  wrote: [PAGE],
  nothing: false,
  fact: 100,
  error: null,
  ...more,
});
const LONG = "x".repeat(200);
const file = (text: string): MailOf<"files.replied"> => ({ type: "files.replied", ok: true, text });
const absent: MailOf<"files.replied"> = {
  type: "files.replied",
  ok: false,
  error: "FileNotFoundError",
};
const listed: MailOf<"files.replied"> = {
  type: "files.replied",
  ok: true,
  entries: [{ name: "a.md", type: "file", size: 3 }],
};
const said = (answer: unknown): MailOf<"llm.replied"> => ({
  type: "llm.replied",
  text: typeof answer === "string" ? answer : JSON.stringify(answer),
});
const yes = said({ passes: true, reason: "it is all there" });
const no = said({ passes: false, reason: "it says nothing" });

/** Five output steps open the gate; what the last one posted. */
function open(goal: Goal): readonly Letter[] {
  while (goal.value === "active") goal.send(step());
  return goal.letters;
}

const parts = (letters: readonly Letter[]) =>
  mailIn(letters, "goalGate.judged").map(({ part, passed, verdict }) => [part, passed, verdict]);
/** What a question is about. */
function subjectOf(event: MailEvent): string | undefined {
  if (event.type === "files.read" || event.type === "files.list") return event.path;
  return event.type === "llm.asked" ? event.purpose : undefined;
}
const asked = (letters: readonly Letter[]) =>
  letters
    .filter(({ ask }) => ask !== undefined)
    .map(({ to, event }) => [to, event.type, subjectOf(event)]);
const verdict = (letters: readonly Letter[]) =>
  mailIn(lettersTo(letters, "peer"), "goal.judged")[0];
const reasonOf = (letters: readonly Letter[]) => verdict(letters)?.reason;

describe("the parts of the gate", () => {
  it("[GA1] come in the seed's order, each with a letter of its own", () => {
    const goal = goalOf();

    const opening = open(goal);
    expect(parts(opening)).toEqual([
      ["progress", true, "yes"],
      ["output", true, "yes"],
    ]);
    expect(asked(opening)).toEqual([["files", "files.read", PAGE]]);

    const mechanical = goal.send(file(LONG));
    expect(parts(mechanical)).toEqual([["mechanical", true, "yes"]]);
    expect(asked(mechanical)).toEqual([["files", "files.read", PAGE]]);

    const asking = goal.send(file(LONG));
    expect(parts(asking)).toEqual([]);
    expect(asked(asking)).toEqual([["port/llm.chat", "llm.asked", "judge.goal"]]);

    const semantic = goal.send(yes);
    expect(parts(semantic)).toEqual([["semantic", true, "yes"]]);
    expect(asked(semantic)).toEqual([["files", "files.read", PAGE]]);

    const reading = goal.send(file(`${LONG} See ${NOTES}`));
    expect(parts(reading)).toEqual([]);
    expect(asked(reading)).toEqual([["files", "files.read", NOTES]]);

    const facts = goal.send(file("notes"));
    expect(parts(facts)).toEqual([["facts", true, "yes"]]);
    expect(verdict(facts)).toMatchObject({ status: "completed", progress: MILLION, misses: 0 });
    expect(goal.value).toBe("completed");
  });

  it("[GA1] a passed or missed part says whose goal it was and why, and what it rests on", () => {
    const goal = goalOf();
    open(goal);
    goal.send(file(LONG));
    goal.send(file(LONG));

    const [letter] = goal.send(no).filter(({ event }) => event.type === "goalGate.judged");

    expect(letter).toEqual({
      to: "goalLedger",
      event: {
        type: "goalGate.judged",
        agent: "cedar",
        n: 1,
        part: "semantic",
        verdict: "no",
        passed: false,
        reason: "it says nothing",
        misses: 1,
      },
      because: [goal.seq],
    });
  });

  it.each([
    [[], "completed", []],
    [["output"], "completed", ["output"]],
    [["mechanical"], { gate: { mechanical: "reading" } }, []],
    [["semantic"], { gate: { semantic: "reading" } }, []],
    [["facts"], { gate: { facts: "reading" } }, []],
    [["facts", "output"], { gate: { facts: "reading" } }, ["output"]],
  ])("[GA1] with %j alone no other is asked", (enabled, value, passed) => {
    const goal = goalOf({ "gate.parts": enabled });

    const letters = open(goal);

    expect(goal.value).toEqual(value);
    expect(parts(letters).map(([part]) => part)).toEqual(["progress", ...passed]);
    expect(asked(letters).length).toBe(goal.value === "completed" ? 0 : 1);
  });

  it("[GA1] each of them alone completes a goal, and alone misses it", () => {
    const passing = {
      output: [],
      mechanical: [file(LONG)],
      semantic: [file("short"), yes],
      facts: [file("short")],
    };
    const failing = {
      mechanical: [file("short")],
      semantic: [file(LONG), no],
      facts: [file(`See ${NOTES}`), absent, absent],
    };
    for (const [part, events] of Object.entries(passing)) {
      const goal = goalOf({ "gate.parts": [part] });
      open(goal);
      for (const event of events) goal.send(event);
      expect([part, goal.value]).toEqual([part, "completed"]);
    }
    for (const [part, events] of Object.entries(failing)) {
      const goal = goalOf({ "gate.parts": [part] });
      open(goal);
      for (const event of events) goal.send(event);
      expect([part, goal.value, goal.context.misses]).toEqual([part, "active", 1]);
      expect(parts(goal.letters)).toEqual([[part, false, "no"]]);
    }
  });

  it("[GA1] the order is the seed's, whatever the order of the list", () => {
    const { gate } = policyWith({ "gate.parts": ["facts", "semantic", "mechanical", "output"] });
    const all = [nextPart(gate), ...GOAL_GATE_PARTS.map((part) => nextPart(gate, part))];

    expect(all).toEqual(["output", "mechanical", "semantic", "facts", undefined]);
  });

  it.each(["mechanical", "semantic", "facts"])(
    "[GO4] files that do not answer the part %s are its miss",
    (part) => {
      const goal = goalOf({ "gate.parts": [part] });
      open(goal);

      const letters = goal.fire("filesTimeout");

      expect(parts(letters)).toEqual([[part, false, "no"]]);
      expect(reasonOf(letters)).toBe("the files did not answer");
      expect(lettersTo(letters, "kernel").map(({ event }) => event)).toEqual([
        { type: "ask.cancelled", key: "file" },
      ]);
    },
  );

  it.each(["semantic", "facts"])("[GO4] a file that is gone by then is a miss of %s", (part) => {
    const goal = goalOf({ "gate.parts": [part] });
    open(goal);

    expect(reasonOf(goal.send(absent))).toBe(`${PAGE} does not exist`);
    expect(parts(goal.letters)).toEqual([[part, false, "no"]]);
  });

  it("[U7] a miss of a late part sets progress to .85, and the fifth deletes what was written", () => {
    const goal = goalOf({ "gate.parts": ["semantic"] });
    for (let misses = 1; misses < 5; misses++) {
      open(goal);
      goal.send(file(LONG));
      expect(verdict(goal.send(no))).toMatchObject({ status: "missed", progress: 850_000, misses });
    }
    open(goal);
    goal.send(file(LONG));

    const letters = goal.send(no);

    expect(verdict(letters)).toMatchObject({ status: "abandoned", progress: 850_000, misses: 5 });
    expect(mailIn(letters, "files.delete")[0]?.paths).toEqual([PAGE]);
  });
});

describe("the judge", () => {
  const judged = (overrides: { readonly [path: string]: PolicyValue } = {}, text = LONG) => {
    const goal = goalOf({ "gate.parts": ["semantic"], ...overrides });
    open(goal);
    const letters = goal.send(file(text));
    return { goal, letters };
  };

  it("[GA2] sees the goal, the path and the text, and rests on the reading", () => {
    const { goal, letters } = judged();

    expect(lettersTo(letters, "port/llm.chat")).toEqual([
      {
        to: "port/llm.chat",
        ask: "judge",
        because: [goal.seq],
        event: {
          type: "llm.asked",
          purpose: "judge.goal",
          view: {
            purpose: "judge.goal",
            agent: "cedar",
            goal: "Write a page",
            artifact: PAGE,
            text: LONG,
          },
        },
      },
    ]);
  });

  it.each([
    [3, "👻👻👻", "👻👻👻"],
    [3, "👻👻👻👻", "👻👻👻"],
  ])("[GA2] of at most %i code points", (chars, text, seen) => {
    const { letters } = judged({ "gate.judgeChars": chars }, text);
    const [asking] = lettersTo(letters, "port/llm.chat");

    expect(asking?.event).toMatchObject({ view: { text: seen } });
  });

  const outcomes = [
    ["unreadable", (goal: Goal) => goal.send(said("{")), "the judge's answer could not be read"],
    [
      "failed",
      (goal: Goal) => goal.send({ type: "llm.failed", error: "no" }),
      "the judge failed: no",
    ],
    ["late", (goal: Goal) => goal.fire("judgeTimeout"), "the judge did not answer in time"],
  ] as const;

  it.each(outcomes)("[GA3] %s is a miss by that name", (name, happens, reason) => {
    const { goal } = judged();

    const letters = happens(goal);

    expect(parts(letters)).toEqual([["semantic", false, name]]);
    expect(verdict(letters)).toMatchObject({ status: "missed", misses: 1, reason });
  });

  it.each(outcomes)("[GA3] %s is a pass where the policy says so", (name, happens, reason) => {
    const { goal } = judged({ "gate.semanticFailure": "pass" });

    const letters = happens(goal);

    expect(parts(letters)).toEqual([["semantic", true, name]]);
    expect(mailIn(letters, "goalGate.judged")[0]?.reason).toBe(reason);
    expect(goal.value).toBe("completed");
  });

  it("[GA3] a clear no is a miss under either policy", () => {
    const { goal } = judged({ "gate.semanticFailure": "pass" });

    expect(parts(goal.send(no))).toEqual([["semantic", false, "no"]]);
    expect(goal.value).toBe("active");
  });

  it("[GA3] is waited for as long as the policy says, and forgotten afterwards", () => {
    const { goal } = judged({ "gate.judgeTimeoutMs": 1_234 });
    expect(goal.timers().map(({ delayMs }) => delayMs)).toEqual([1_234]);

    goal.send(no);

    expect(goal.timers()).toEqual([]);
    expect(lettersTo(goal.letters, "kernel").map(({ event }) => event)).toEqual([
      { type: "ask.cancelled", key: "judge" },
    ]);
  });
});

describe("the facts", () => {
  const checked = (text: string, overrides: { readonly [path: string]: PolicyValue } = {}) => {
    const goal = goalOf({ "gate.parts": ["facts"], ...overrides });
    open(goal);
    goal.send(file(text));
    return goal;
  };

  it("[GA4] without a claim nothing is looked up", () => {
    expect(checked(`I am ${PAGE}.`).value).toBe("completed");
    expect(checked(`See ${NOTES}`, { "gate.claimsMax": 0 }).value).toBe("completed");
  });

  it("[GA4] a path that is neither file nor folder is named in the miss", () => {
    const goal = checked(`See ${NOTES}`);
    expect(goal.value).toEqual({ gate: { facts: "looking" } });

    expect(asked(goal.send(absent))).toEqual([["files", "files.list", NOTES]]);

    expect(reasonOf(goal.send(absent))).toBe(`${PAGE} names ${NOTES}, which does not exist`);
    expect(goal.value).toBe("active");
  });

  it("[GA4] a folder is there when something lies below it, and holds no text", () => {
    const folder = checked("All of /agentOS/workspace/cedar/ is mine");
    folder.send(absent);
    folder.send(listed);
    expect(folder.value).toBe("completed");

    const quoted = checked('In /agentOS/workspace stands "one"');
    quoted.send(absent);
    expect(reasonOf(quoted.send(listed))).toBe(
      `${PAGE} quotes "one" from /agentOS/workspace, which does not hold it`,
    );
  });

  it("[GA4] a passage that does not stand there is named in the miss", () => {
    const goal = checked(`${NOTES} says "all is well" and "done"`);

    expect(reasonOf(goal.send(file("all is\nwell")))).toBe(
      `${PAGE} quotes "done" from ${NOTES}, which does not hold it`,
    );
  });

  it("[GA4] looks up one path after the other, and the first wrong one ends it", () => {
    const goal = checked("/agentOS/a.md, /agentOS/b, /agentOS/c.md and /agentOS/d.md");

    expect(asked(goal.letters)).toEqual([["files", "files.read", "/agentOS/a.md"]]);
    expect(asked(goal.send(file("")))).toEqual([["files", "files.read", "/agentOS/b"]]);
    expect(asked(goal.send(absent))).toEqual([["files", "files.list", "/agentOS/b"]]);
    expect(asked(goal.send(listed))).toEqual([["files", "files.read", "/agentOS/c.md"]]);
    goal.send(absent);
    goal.send(absent);
    expect(goal.value).toBe("active");
    expect(goal.context.facts).toEqual([goal.seq]);
  });

  it("[GO4] files that fall silent in between are a miss", () => {
    const looking = checked(`See ${NOTES}`);
    expect(reasonOf(looking.fire("filesTimeout"))).toBe("the files did not answer");

    const listing = checked(`See ${NOTES}`);
    listing.send(absent);
    expect(reasonOf(listing.fire("filesTimeout"))).toBe("the files did not answer");
  });

  it("[GA7] never looks up more claims than the policy says", () => {
    const many = Array.from({ length: 30 }, (_, at) => `/agentOS/${at}.md`).join(" ");
    const goal = checked(many, { "gate.claimsMax": 3 });
    let lookups = 0;
    for (; goal.value !== "completed"; lookups++) goal.send(file(""));

    expect(lookups).toBe(3);
  });
});

describe("the books", () => {
  it("[GA8] a goal answers for what any capability wrote,  for plain paths only", () => {
    const goal = goalOf({ "gate.missesMax": 1, "gate.parts": ["mechanical"] });
    goal.send(step({ capability: "shell_exec", wrote: ["/agentOS/a", "/agentOS/b", "nowhere"] }));
    goal.send(step({ capability: "memory_set", wrote: ["/agentOS/a"] }));
    goal.send(step({ capability: "fs_read", wrote: [] }));
    goal.send(step({ ok: false, wrote: ["/agentOS/c"] }));
    open(goal);

    const letters = goal.send(absent);

    expect(mailIn(letters, "files.delete")[0]?.paths).toEqual(["/agentOS/a", "/agentOS/b", PAGE]);
  });

  it("[GA9] the end tells what went wrong, to the ledger and to the keeper of lessons", () => {
    const goal = goalOf({ "gate.parts": ["mechanical"], "gate.missesMax": 2 });
    goal.send(step({ ok: false, error: "no such file", capability: "fs_read" }));
    goal.send(step({ ok: true, capability: null }));
    open(goal);
    goal.send(file("short"));
    open(goal);

    const ends = goal.send(absent).filter(({ event }) => event.type === "goal.ended");

    expect(ends.map(({ to }) => to)).toEqual(["goalLedger", "lessons/cedar"]);
    expect(ends[0]?.event).toEqual(ends[1]?.event);
    expect(ends[0]?.event).toMatchObject({
      status: "abandoned",
      artifact: PAGE,
      misses: 2,
      failedSteps: 2,
      notes: [
        "fs_read failed: no such file",
        "a step failed: no capability serves it",
        `${PAGE} has less than 200 characters`,
        `${PAGE} does not exist`,
      ],
    });
  });

  it("[GA9] keeps the latest notes, each cut by code point", () => {
    const goal = goalOf({ "gate.notesMax": 2, "gate.noteChars": 20 });
    for (const error of ["one", "two", "👻".repeat(20)]) goal.send(step({ ok: false, error }));

    expect(goal.context.notes).toEqual([
      "fs_write failed: two",
      `fs_write failed: ${"👻".repeat(3)}`,
    ]);
    expect(goal.context.failedSteps).toBe(3);
  });

  it("[GA9] a goal given up notes why", () => {
    const goal = goalOf();
    const letters = goal.send({ type: "goal.givenUp", reason: "tired", facts: [] });

    expect(lettersTo(letters, "lessons/cedar")[0]?.event).toMatchObject({
      reason: "tired",
      notes: ["tired"],
      misses: 0,
      failedSteps: 0,
    });
  });

  it("[GA9] without a keeper only the ledger is told", () => {
    for (const lessons of [null, undefined]) {
      const goal = goalOf({}, lessons === undefined ? {} : { lessons });
      const letters = goal.send({ type: "goal.givenUp", reason: "tired", facts: [] });
      const told = letters.filter(({ event }) => event.type === "goal.ended").map(({ to }) => to);

      expect(told).toEqual(lessons === null ? ["goalLedger"] : ["goalLedger", "lessons/cedar"]);
    }
  });

  it("[GA10] a restart at the gate finds the goal active and full, and the next step opens it again", () => {
    const before = goalOf();
    const letters = [...before.letters];
    before.send(step({ ok: false }));
    while (before.value === "active") letters.push(...before.send(step({ wrote: [NOTES] })));
    letters.push(...before.send(file(LONG)), ...before.send(file(LONG)));
    expect(before.value).toEqual({ gate: { semantic: "asking" } });
    letters.push(...before.send({ type: "daemon.stopped" }));

    const lines = mailIn(letters, "files.append")
      .map(({ text }) => text)
      .join("");
    const [saved] = readGoalRegistry(lines);
    if (saved === undefined) throw new Error("nothing was saved");
    const after = goalOf({}, { resumed: savedGoal(saved) });

    expect(saved.status).toBe("active");
    expect(after.value).toBe("active");
    expect(after.context).toMatchObject({
      progress: MILLION,
      outputs: 5,
      misses: 0,
      failedSteps: 1,
      wrote: [NOTES],
    });
    after.send(step({ ok: false }));
    expect(after.value).toEqual({ gate: { mechanical: "reading" } });
    after.send(file(LONG));
    after.send(file(LONG));
    after.send(yes);
    after.send(file(LONG));
    expect(after.value).toBe("completed");
  });

  it("[GA10] the line of a miss holds its notes", () => {
    const goal = goalOf();
    const begun = goal.letters;
    open(goal);
    const [line] = mailIn(goal.send(absent), "files.append");
    const first = mailIn(begun, "files.append")
      .map(({ text }) => text)
      .join("");
    const [saved] = readGoalRegistry(`${first}${line?.text}`);

    expect(saved).toMatchObject({ misses: 1, notes: [`${PAGE} does not exist`] });
  });

  it("[GA10] and that of the next miss the notes of both", () => {
    const goal = goalOf();
    open(goal);
    goal.send(absent);
    open(goal);
    const [line] = mailIn(goal.send(file("short")), "files.append");

    expect(JSON.parse(line?.text ?? "")).toMatchObject({
      misses: 2,
      notes: [`${PAGE} does not exist`, `${PAGE} has less than 200 characters`],
    });
  });

  it("[GA11] no gate takes longer than it says: three waits for the files and one for the judge", () => {
    const { gate } = policyWith({});
    const goal = goalOf();
    const waits: number[] = [];
    const wait = (): unknown => waits.push(...goal.timers().map(({ delayMs }) => delayMs));
    open(goal);
    wait();
    goal.send(file(LONG));
    wait();
    goal.send(file(LONG));
    wait();
    goal.send(yes);
    wait();
    const [before] = goal.timers();
    goal.send(file(`See ${NOTES} and /agentOS/workspace`));
    goal.send(file(""));
    goal.send(absent);

    expect(goal.value).toEqual({ gate: { facts: "listing" } });
    // Still the same one: however much there is to look up, it runs once.
    expect(goal.timers()).toEqual([before]);
    expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(longestGoalGateMs(gate));
    expect([gate.filesTimeoutMs, gate.judgeTimeoutMs]).toEqual([seconds(60), minutes(10)]);
  });
});

it("[GA1, U7] whatever happens: completed only past every part, and a miss is .85 and one more", () => {
  const replies = {
    step: fc.constantFrom(true, true, true, false).map((ok) => step({ ok })),
    files: fc.constantFrom(file(LONG), file(`${LONG} ${NOTES} "x"`), file("TODO"), absent, listed),
    model: fc.constantFrom<MailEvent>(yes, yes, no, said("{"), { type: "llm.failed", error: "" }),
  };
  const other = fc.constantFrom<MailEvent>(
    { type: "ask.bounced", address: "files" },
    { type: "daemon.stopped" },
  );
  const moment = fc.record({ ...replies, other, any: fc.nat(19) });
  const enabled = fc.subarray([...GOAL_GATE_PARTS]);
  const seen = new Set<unknown>();

  fc.assert(
    fc.property(enabled, fc.array(moment, { minLength: 50, maxLength: 150 }), (wanted, moments) => {
      const goal = goalOf({ "gate.parts": wanted });
      let passed: unknown[] = [];
      let misses = 0;
      for (const { step, files, model, other, any } of moments) {
        if (goal.ended) break;
        // Mostly what is waited for, sometimes whatever comes.
        const isAsking = JSON.stringify(goal.value).includes("asking");
        const fitting = goal.value === "active" ? step : isAsking ? model : files;
        const each = [step, files, model, other][any] ?? fitting;
        for (const [part, isPassed] of parts(goal.send(each))) {
          if (part === "progress") passed = [];
          else if (isPassed) passed.push(part);
          else {
            misses += 1;
            seen.add(part);
            expect(goal.context.progress).toBe(850_000);
          }
        }
        expect(goal.context.misses).toBe(misses);
        if (goal.value === "completed") expect(passed).toEqual(wanted);
      }
      if (goal.value !== "stopped") expect(goal.value === "abandoned").toBe(misses >= 5);
      seen.add(goal.value === "completed" ? wanted.length : "");
    }),
    { numRuns: 300 },
  );
  expect([...GOAL_GATE_PARTS.slice(1), 0, 4].filter((one) => !seen.has(one))).toEqual([]);
});
