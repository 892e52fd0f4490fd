// The nine steps without a world: the test answers what the machine asks.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AnyStateMachine } from "xstate";
import { anyText } from "../../../../src/contract/anyText.ts";
import type { PolicyValue } from "../../../../src/contract/policyTree.ts";
import type {
  SynthesisContext,
  SynthesisInput,
  SynthesisOutcome,
} from "../../../../src/machines/agents/synthesis/capabilitySynthesis.ts";
import { capabilitySynthesisMachine } from "../../../../src/machines/agents/synthesis/capabilitySynthesis.ts";
import type { Json, Letter, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import type { FunctionSyntax } from "../../../../src/machines/pythonSyntax.ts";
import { statechartBehaviour } from "../../../../src/substrate/statechart.ts";
import { policyWith } from "../../../builtIn.ts";
import { mailIn, mailOf } from "../../../mail.ts";
import { Premise } from "../../../premise.ts";
import { driven, lettersTo } from "../../driven.ts";

const code = "def t(**kwargs):\n    return 1\n";

const input: SynthesisInput = {
  agent: "cedar",
  name: "T",
  description: "counts",
  implementation: code,
  caller: "agent/cedar",
  engine: "engine",
  startsAtMs: 0,
};

function synthesis(
  given: Partial<SynthesisInput> = {},
  overrides: { readonly [path: string]: PolicyValue } = {},
) {
  const machine = capabilitySynthesisMachine(policyWith(overrides)) as AnyStateMachine;
  return driven<SynthesisContext>(machine, { ...input, ...given });
}

type Synthesis = ReturnType<typeof synthesis>;

const parsed: MailOf<"python.parsed"> = {
  type: "python.parsed",
  ok: true,
  functions: [],
  module: "code",
};
const missing: MailOf<"files.replied"> = {
  type: "files.replied",
  ok: false,
  error: "FileNotFoundError",
};
const written: MailOf<"files.replied"> = { type: "files.replied", ok: true };
const ran: MailOf<"sandbox.replied"> = { type: "sandbox.replied", ok: true };
const returned: MailOf<"sandbox.replied"> = {
  type: "sandbox.replied",
  ok: true,
  functionName: "t",
  isNone: false,
};
const raised: MailOf<"sandbox.replied"> = {
  type: "sandbox.replied",
  ok: false,
  functionName: "t",
  error: "ValueError: no",
};
const needy: MailOf<"sandbox.replied"> = {
  ...raised,
  error: "TypeError: missing a",
  needsArguments: true,
};

/** Up to the question of step 8. */
function upToExec(run: Synthesis): readonly Letter[] {
  for (const event of [parsed, missing, written]) run.send(event);
  return run.send(written);
}

const outcome = (run: Synthesis): SynthesisOutcome =>
  mailOf(lettersTo(run.letters, "agent/cedar").at(-1), "synthesis.finished");

const deleted = (run: Synthesis): unknown => mailIn(run.letters, "files.delete")[0]?.paths;

const [py, json] = ["/agentOS/tools/dynamic/t.py", "/agentOS/tools/dynamic/t.json"];

describe("capabilitySynthesis", () => {
  it("[SY11] takes nine steps and tells its caller of each", () => {
    const run = synthesis();
    const told = [...run.letters];
    for (const event of [parsed, missing, written, written, ran, returned]) {
      told.push(...run.send(event));
    }

    const steps = mailIn(told, "synthesis.stepped").map((one) => [one.step, one.outcome]);
    expect(steps).toEqual([
      [1, "done"],
      [2, "done"],
      [3, "skipped"],
      [4, "skipped"],
      [5, "done"],
      [6, "done"],
      [7, "done"],
      [8, "done"],
      [9, "done"],
    ]);
    expect(run.value).toBe("deployed");
    expect(run.ended).toBe(true);
    expect(outcome(run).return).toEqual({
      ok: true,
      capability: "t",
      path: py,
      status: "deployed",
    });
  });

  const alone: MailOf<"sandbox.replied"> = { type: "sandbox.replied", ok: true, functionName: "u" };
  it.each<[rule: string, step: number, ...events: MailEvent[]]>([
    ["no answer", 2, { type: "ask.bounced", address: "port/python.parse" }],
    ["SyntaxError", 2, { ...parsed, ok: false, error: "invalid syntax" }],
    ["dedup", 5, parsed, { ...written, mtimeMs: 0 }],
    ["file write", 6, parsed, missing, { type: "files.replied", ok: false, error: "disk full" }],
    ["time-out", 8, parsed, missing, written, written, { ...ran, ok: false, timedOut: true }],
    ["exec check", 8, parsed, missing, written, written, { ...ran, ok: false, error: "no" }],
    ["call raised", 9, parsed, missing, written, written, ran, raised],
    ["null return", 9, parsed, missing, written, written, ran, { ...returned, isNone: true }],
    ["no function of its name", 9, parsed, missing, written, written, ran, alone],
    ["time-out", 9, parsed, missing, written, written, ran, { ...raised, timedOut: true }],
  ])("[SY11] a step that failed names its rule: %s, step %i", (rule, step, ...events) => {
    const run = synthesis();
    const told = mailIn(
      [...run.letters, ...events.flatMap((event) => run.send(event))],
      "synthesis.stepped",
    );

    expect(told.at(-1)).toMatchObject({ step, outcome: "failed", rule });
    expect(told.slice(0, -1).map((one) => one.rule)).toEqual(told.slice(1).map(() => null));
    expect(outcome(run).steps.at(-1)).toMatchObject({ step, outcome: "failed", rule });
  });

  it("[SY8] writes the code, then the spec as the source lists it", () => {
    const run = synthesis();
    run.send(parsed);

    const [code_] = lettersTo(run.send(missing, 1_500), "files");
    const [spec] = mailIn(lettersTo(run.send(written), "files"), "files.write");

    expect(code_?.event).toEqual({ type: "files.write", path: py, text: code });
    expect(spec?.path).toBe(json);
    expect(JSON.parse(String(spec?.text))).toEqual({
      name: "t",
      description: "counts",
      inputSchema: { type: "object", properties: {}, additionalProperties: true },
      activated_at: "1970-01-01T00:00:01.500Z",
      proposed_by: "agent",
    });
  });

  it("[SY8] a failed write ends it", () => {
    const run = synthesis();
    for (const event of [parsed, missing]) run.send(event);

    run.send({ type: "files.replied", ok: false, error: "disk full" });

    expect(outcome(run).return).toEqual({ ok: false, error: "disk full" });
  });

  it("[SY8] reloads before the tests, or after them and only then", () => {
    const first = upToExec(synthesis());
    const later = synthesis({}, { "tools.order": "test-then-reload" });
    const before = upToExec(later);
    later.send(ran);
    const after = later.send(returned);

    expect(lettersTo(first, "engine")).toEqual([
      { to: "engine", event: { type: "tools.reloaded" } },
    ]);
    expect(lettersTo(before, "engine")).toEqual([]);
    expect(lettersTo(after, "engine")).toHaveLength(1);
    expect(later.value).toBe("deployed");
    expect(outcome(later).steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 7]);
  });

  it("[SY8, SY14] step 7 says that the engine loads the code, and is left out where there is no engine", () => {
    const seventh = (engine: string | null) => {
      const run = synthesis({ engine });
      return mailIn(
        [...upToExec(run), ...run.send(ran), ...run.send(returned)],
        "synthesis.stepped",
      )
        .concat(mailIn(run.letters, "synthesis.stepped"))
        .find(({ step }) => step === 7);
    };

    expect(seventh("engine")).toMatchObject({
      outcome: "done",
      detail: "the engine loads the code",
    });
    expect(seventh(null)).toMatchObject({ outcome: "skipped", detail: "nothing to do" });
  });

  it("[SY8] tested first, a tool that fails is never loaded", () => {
    const run = synthesis({}, { "tools.order": "test-then-reload" });
    upToExec(run);

    const letters = run.send(raised);

    expect(run.value).toBe("rejected");
    expect(lettersTo(letters, "engine")).toEqual([]);
  });

  it("[SY1] [SY11] refuses a name that is none", () => {
    const run = synthesis({ name: "!!" });

    expect(run.value).toBe("rejected");
    expect(outcome(run).return).toEqual({ ok: false, error: "name and code are required" });
  });

  it("[SY2] [SY4] the gate's reasons reach the caller word for word", () => {
    const stub = synthesis({ implementation: "..." });
    const wrong = synthesis();
    wrong.send({ ...parsed, ok: false, error: "invalid syntax (line 2)" });
    const method = synthesis();
    const self: FunctionSyntax = { name: "t", firstArgument: "self", inClass: false, body: "code" };
    method.send({ ...parsed, functions: [self] });

    expect(outcome(stub).return).toEqual({ ok: false, error: "rejected: Ellipsis stub" });
    expect(outcome(wrong).return).toEqual({
      ok: false,
      error: "SyntaxError: invalid syntax (line 2)",
    });
    expect(outcome(method).return).toEqual({
      ok: false,
      error: "rejected: class method (function t takes self)",
    });
    expect(outcome(stub).steps.at(-1)).toMatchObject({ step: 2, rule: "pattern ..." });
  });

  it("[SY5] stubs what has no code, past the gate, or refuses it", () => {
    const stubbed = synthesis({ implementation: null });
    stubbed.send(missing);
    const refused = synthesis({ implementation: "" }, { "tools.missingImplementation": "refuse" });

    expect(stubbed.context.module).toContain('"capability": "t"');
    expect(stubbed.context.steps.map(({ outcome: how }) => how).slice(1, 3)).toEqual([
      "skipped",
      "done",
    ]);
    expect(outcome(refused).return).toEqual({ ok: false, error: "name and code are required" });
  });

  it("[SY5] reads code as an alias of implementation", () => {
    const run = synthesis({ implementation: null, code });
    run.send(parsed);

    expect(run.context.module).toBe(code);
  });

  it("[SY6] wraps what does not start with def", () => {
    const run = synthesis({ implementation: "return 1" });
    run.send(parsed);

    expect(run.context.module).toBe("def t(**kwargs):\n    return 1\n");
  });

  it.each([
    [89_999, "alreadyDeployed"],
    [90_000, { writing: "code" }],
    [0, "alreadyDeployed"],
  ])("[SY7] a .py of an age of %i ms", (ageMs, value) => {
    const run = synthesis();
    run.send(parsed);

    run.send({ type: "files.replied", ok: true, text: code, mtimeMs: 0 }, ageMs);

    expect(run.value).toEqual(value);
  });

  it("[SY7] a .py from the future is fresh; one that is gone, or of unknown age, is not", () => {
    const value = (reply: MailEvent): Json => {
      const run = synthesis();
      run.send(parsed);
      run.send(reply);
      return run.value;
    };

    expect(value({ ...written, mtimeMs: 500_000 })).toBe("alreadyDeployed");
    expect(value(missing)).toEqual({ writing: "code" });
    expect(value(written)).toEqual({ writing: "code" });
  });

  it("[SY7] [SY11] says already_deployed without writing anything", () => {
    const run = synthesis();
    run.send(parsed);
    const letters = run.send({ ...written, mtimeMs: 0 }, 12_000);

    expect(outcome(run)).toMatchObject({
      verdict: "already_deployed",
      return: {
        ok: false,
        status: "already_deployed",
        message: "t was deployed 12 s ago and is live: call it instead",
      },
    });
    expect(lettersTo(letters, "files")).toEqual([]);
    expect(outcome(run).steps.at(-1)).toMatchObject({ step: 5, outcome: "failed", rule: "dedup" });
  });

  it("[SY9] a failed exec check takes the spec away, or both files", () => {
    const faithful = synthesis();
    upToExec(faithful);
    faithful.send(raised);
    const both = synthesis({}, { "tools.cleanup": "both" });
    upToExec(both);
    both.send(raised);

    expect(outcome(faithful).return).toEqual({
      ok: false,
      error: "auto-test failed: ValueError: no",
    });
    expect([deleted(faithful), deleted(both)]).toEqual([[json], [py, json]]);
  });

  it("[SY9] [SY10] the checks wait 8 and 12 seconds", () => {
    const exec = synthesis();
    upToExec(exec);
    const execLimit = exec.timers().map(({ delayMs }) => delayMs);
    exec.fire("execTimeout");
    const call = synthesis();
    const asked = [...upToExec(call), ...call.send(ran)];
    const callLimit = call.timers().map(({ delayMs }) => delayMs);
    call.fire("nullCheckTimeout");

    expect([execLimit, callLimit]).toEqual([[8_000], [12_000]]);
    expect(mailIn(asked, "sandbox.run")).toMatchObject([
      { purpose: "exec", limitMs: 8_000 },
      { purpose: "null-check", limitMs: 12_000 },
    ]);
    expect(outcome(exec).return).toEqual({
      ok: false,
      error: "auto-test failed: timed out after 8 s",
    });
    expect(outcome(call).return).toEqual({
      ok: false,
      error: "auto-test failed: timed out after 12 s",
    });
    expect([deleted(exec), deleted(call)]).toEqual([[json], [py, json]]);
  });

  it("[SY10] what returns None, or has no function of its name, is a null stub", () => {
    for (const reply of [
      { ...returned, isNone: true },
      { ...returned, functionName: "other" },
    ]) {
      const run = synthesis();
      upToExec(run);
      run.send(ran);
      run.send(reply);

      expect(outcome(run).return).toEqual({
        ok: false,
        error: "null stub detected — function returned None",
      });
      expect(deleted(run)).toEqual([py, json]);
    }
  });

  it.each([
    ["untested", needy, "untested"],
    ["untested", raised, "rejected"],
    ["deploy", needy, "deployed"],
    ["deploy", raised, "deployed"],
    ["deploy", { ...raised, timedOut: true }, "rejected"],
    ["reject", needy, "rejected"],
    ["reject", raised, "rejected"],
  ])("[SY10, SY11] raisingCall: %s takes %j for %s", (raisingCall, reply, verdict) => {
    const run = synthesis({}, { "tools.raisingCall": raisingCall });
    upToExec(run);
    run.send(ran);
    run.send(reply);

    expect(outcome(run).verdict).toBe(verdict);
    if (verdict === "untested") {
      expect(outcome(run).return).toEqual({
        ...{ ok: true, capability: "t", path: py, status: "deployed", tested: false },
      });
    }
  });

  it("[SY12] waits 60 s for its first answer", () => {
    expect(synthesis().timers()).toMatchObject([{ delayMs: 60_000 }]);
  });

  it("[SY12] ends when nobody answers, or the question comes back", () => {
    const upTo = (count: number, overrides = {}): Synthesis => {
      const run = synthesis({}, overrides);
      for (const event of [parsed, missing, written, written, ran].slice(0, count)) run.send(event);
      return run;
    };
    const order = { "tools.order": "test-then-reload" };
    const late = [0, 1, 2, 3].map((count) => upTo(count));
    for (const run of late) run.fire("answerTimeout");
    const bounced = [...[0, 1, 2, 3, 4, 5].map((count) => upTo(count)), upTo(4, order)];
    for (const run of bounced) run.send({ type: "ask.bounced", address: "files" });

    const failed = (run: Synthesis) => run.context.steps.at(-1)?.step;
    expect(late.map(failed)).toEqual([2, 5, 6, 6]);
    expect(bounced.map(failed)).toEqual([2, 5, 6, 6, 8, 9, 8]);
    expect([...late, ...bounced].every(({ value }) => value === "rejected")).toBe(true);
  });
});

const anyEvent = fc.constantFrom<MailEvent>(
  parsed,
  { ...parsed, ok: false, error: "no" },
  missing,
  written,
  ran,
  returned,
  needy,
  raised,
  { ...returned, isNone: true },
  { ...ran, timedOut: true },
  { type: "ask.bounced", address: "files" },
);
const anyPolicy = fc.record({
  "tools.order": fc.constantFrom("reload-then-test", "test-then-reload"),
  "tools.cleanup": fc.constantFrom("spec-only", "both"),
  "tools.raisingCall": fc.constantFrom("untested", "deploy", "reject"),
  "tools.missingImplementation": fc.constantFrom("stub", "refuse"),
});

it("[SY11] any text and any answers end in one verdict, and nothing rejected keeps its spec", () => {
  const text = anyText({ maxLength: 80 });
  const onDisk = fc
    .array(anyEvent, { maxLength: 8 })
    .map((more) => [parsed, missing, written, written, ...more]);
  const any = fc.array(anyEvent, { maxLength: 12 });
  const [names, codes] = [fc.oneof(text, fc.constant("t")), fc.oneof(text, fc.constant(code))];
  const isTakenBack = new Premise();
  fc.assert(
    fc.property(names, codes, anyPolicy, fc.oneof(any, onDisk), (...given) => {
      const [name, implementation, overrides, events] = given;
      const run = synthesis({ name, implementation }, overrides);
      const posted = [...run.letters];
      for (const event of events) if (!run.ended) posted.push(...run.send(event, 30_000));

      const ends = posted.filter(({ event }) => event.type === "synthesis.finished");
      expect(ends).toHaveLength(run.ended ? 1 : 0);
      const told = posted.filter(({ event }) => event.type === "synthesis.stepped");
      expect(told).toHaveLength(run.context.steps.length);
      const failed = run.context.steps.filter(({ outcome: how }) => how === "failed");
      expect(failed.every(({ rule }) => rule !== null && rule !== "")).toBe(true);
      if (isTakenBack.holds(run.value === "rejected" && Number(failed[0]?.step) >= 8)) {
        expect(deleted(run)).toContain(`/agentOS/tools/dynamic/${run.context.name}.json`);
      }
    }),
    { numRuns: 150 },
  );
  isTakenBack.expectAtLeast(0.05);
});

it("[KN19, KN21] stays within what machines may use, and restores from strict JSON", () => {
  const machine = capabilitySynthesisMachine(policyWith({})) as AnyStateMachine;
  const { actions, guards, delays, actors } = machine.implementations;
  const types = new Set(
    Object.values(actions).map((action) => (action as unknown as { type: string }).type),
  );
  const text = JSON.stringify(machine.config, (_, value) => value);
  const behaviour = statechartBehaviour(machine);
  const started = behaviour.start("self", input, { nowMs: 0, seq: 1, from: "peer" });
  const saved = behaviour.persist(started.state);

  expect([...types].sort()).toEqual(["xstate.assign", "xstate.emit"]);
  expect(actors).toEqual({});
  for (const name of [...Object.keys(guards), ...Object.keys(actions), ...Object.keys(delays)]) {
    expect(text).toContain(`"${name}"`);
  }
  expect(behaviour.persist(behaviour.restore("self", saved))).toEqual(saved);
});
