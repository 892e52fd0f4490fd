// Inputs and events of synt's statecharts, for tests that drive them at random.
import fc from "fast-check";
import type { EventType, Json, Mail, MailOf } from "../../../src/machines/letter.ts";
import type { Draft, Need, Revision } from "../../../src/machines/synt/contract.ts";
import type {
  RequestEvent,
  RequestInput,
} from "../../../src/machines/synt/request/requestContext.ts";
import type { DraftEvent, DraftInput } from "../../../src/machines/synt/stages/executorDraft.ts";
import type { PaidCallEvent, PaidCallInput } from "../../../src/machines/synt/stages/paidCall.ts";
import type { PlannerEvent, PlannerInput } from "../../../src/machines/synt/turn/turnPlanner.ts";
import type { TurnEvent, TurnInput } from "../../../src/machines/synt/turn/userTurn.ts";

type Payloads<K extends EventType> = { [T in K]: fc.Arbitrary<Mail[T]> };

/** Any event of a machine, each type as often as the others. */
const anyOf = <E extends { readonly type: EventType }>(payloads: Payloads<E["type"]>) =>
  fc.oneof(
    ...Object.entries<fc.Arbitrary<object>>(payloads).map(([type, payload]) =>
      // What belongs to which type is checked above.
      payload.map((fields) => ({ type, ...fields }) as MailOf<E["type"]>),
    ),
  );

export const need: Need = {
  intent: "sort it",
  name: "sort_files",
  from: "read_files",
  hints: ["move"],
};
export const material = { members: ["read_files"], chain: [], hot: null, vetoes: [], covers: [] };
const nothingOr = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
const mostly = <T>(often: T, ...seldom: readonly T[]) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(often) },
    ...seldom.map((one) => ({ weight: 1, arbitrary: fc.constant(one) })),
  );
const words = fc.constantFrom("no price", "no answer");
const failing = nothingOr(words);
const cost = fc.nat(5_000_000);
const bounced = fc.constant({ address: "nobody" });
const call = fc.constant("synt/req-0001/call-1");

export const paidInput: fc.Arbitrary<PaidCallInput> = fc.constant({
  request: "req-0001",
  call: "synt/req-0001/call-1",
  served: 1,
  view: {
    ...{ purpose: "synt.naming", request: "sort it", faults: [], feedback: null },
    ...{ wanted: "sort_files", vocabulary: { actions: [], objects: [], exceptions: [] } },
  },
  maxTokens: 100,
  replyTo: "synt/req-0001",
});

export const paidEvents = anyOf<PaidCallEvent>({
  "money.answered": fc.record({
    outcome: fc.constantFrom("reserved", "ask", "denied"),
    why: failing,
    price: nothingOr(fc.record({ asked: fc.nat(500), answered: fc.nat(2_500) })),
    tier: fc.constantFrom("middle", "wise", null),
    amount: nothingOr(cost),
    model: fc.constant("Qwen3.6-35B"),
    isExternal: fc.constant(false),
  }),
  "person.decided": fc.record({ decision: fc.constantFrom("approve", "discard") }),
  "llm.replied": fc.record({ text: fc.constantFrom("{}", "no") }),
  "llm.failed": fc.record({ error: words }),
  "ask.bounced": bounced,
});

const test = (name: string, items: unknown, expect: object) => ({
  ...{ name, setup: {}, input: { items }, expect, teardown: [] },
});
const ok = { ok: true };
const tests = [
  ...[test("happy", [2, 1], ok), test("empty", [], ok), test("edge", [1], ok)],
  test("invalid", 7, { error_class: "invalid_args" }),
] as unknown as Draft["tests"];
/** An answer of the sandbox that all of them take. */
export const passing = { ok: true, error_class: "invalid_args" };
export const code = "def invoke(args):\n    return {'ok': True}\n";
const description =
  "SCOPO: sorts what it is given. PATTERN: sort_files(items). NON: it moves nothing. OUT: ok, entries.";
const signature = {
  args_schema: { type: "object", properties: {} },
  capabilities: [],
  reverse_pattern: null,
};
const affinity = ["a", "b", "c", "d", "e", "f"];
/** One answer that every stage but the code takes. */
export const wholeAnswer = JSON.stringify({
  ...signature,
  ...{ name: "sort_files", revertible: false, critical: false, target_kind: "none" },
  ...{ tests, description, affinity, code },
});

export const draftInput: fc.Arbitrary<DraftInput> = fc
  .constantFrom("multistage" as const, "poc" as const, "transform" as const)
  .map((kind) => ({
    request: "req-0001",
    self: "synt/req-0001/draft-1",
    replyTo: "synt/req-0001",
    kind,
    strategy: "generate" as const,
    need,
    material,
    members: [],
    pool: ["read_files"],
    feedback: null,
    coder: { provider: "llamacpp", model: "Qwen3.6-35B" },
  }));

export const invoke = {
  name: "invoke",
  inClass: false,
  firstArgument: "args",
  body: "code",
} as const;

export const draftEvents = anyOf<DraftEvent>({
  "files.replied": fc.record({ ok: fc.constant(true), text: fc.constantFrom("", "[[hint]]") }),
  "paid.ended": fc.record({
    call,
    text: mostly<string | null>(`${wholeAnswer} `, code, '{"name":null}', null),
    why: failing,
    error: mostly<"BudgetExceeded" | null>(null, "BudgetExceeded"),
    cost,
  }),
  "python.parsed": fc.record({
    ok: mostly(true, false),
    functions: fc.constant([invoke]),
    imports: mostly<readonly string[]>(["json"], ["requests"]),
    calls: fc.constant([]),
    module: fc.constant("code"),
  }),
  "sandbox.replied": fc.record({
    ok: mostly(true, false),
    result: mostly<Json>(passing, { ok: false }),
  }),
  "ask.bounced": bounced,
});

export const draft: Draft = {
  ...{
    name: "sort_files",
    version: "1",
    description,
    takes: [],
    gives: [],
    profile: {},
    shape: {},
  },
  ...{ revertible: false, critical: false, targetKind: "none", argsSchema: {}, capabilities: [] },
  ...{ reversePattern: null, tests, affinity, code },
};

const STRATEGIES = ["generate", "merge", "generalise", "specialise"] as const;

export const requestInput: fc.Arbitrary<RequestInput> = fc.record({
  request: fc.constant("req-0001"),
  mode: fc.constantFrom("reactive", "introspective"),
  proto: fc.constant(null),
  need: fc.constant(need),
  budgetCents: fc.constant(500),
  strategy: fc.constantFrom(...STRATEGIES),
  material: fc.record({
    members: fc.constant(["read_files"]),
    chain: fc.constant([]),
    hot: mostly(null, { value: "csv", uses: 38, of: 40 }),
    vetoes: mostly<readonly string[]>([], ["fs:write differs"]),
    covers: fc.constant([]),
  }),
  revision: mostly<Revision | null>(
    null,
    { request: "req-0000", feedback: "shorter", target: "generate" },
    { request: "req-0000", feedback: null, target: null },
  ),
  coder: fc.constant({ provider: "llamacpp", model: "Qwen3.6-35B" }),
});

export const shown = (name: string, takes: string, gives: string) => ({
  ...{ name, version: "1", description: name, takes: [takes], gives: [gives] },
  ...{ profile: {}, shape: {}, meanMs: 400, meanCost: 0 },
});

export const requestEvents = anyOf<RequestEvent>({
  "pool.answered": fc.record({
    executors: mostly(
      [shown("read_files", "path", "files")],
      [shown("read_files", "path", "files"), shown("move_files", "files", "moved")],
      [shown("sort_files", "files", "files")],
    ),
    edges: fc.constant([
      { from: "read_files", to: "move_files", weight: 900_000_000, seen: { ok: 9, runs: 9 } },
    ]),
    uncovered: fc.constant(["sort_files"]),
    cleanRuns: fc.constantFrom({}, { "read_files → move_files": 7 }),
  }),
  "draft.ended": fc
    .record({ ok: mostly(true, false), meanMs: fc.constantFrom(3, 900), why: failing, cost })
    .map(({ ok, ...rest }) => ({
      ...rest,
      ...{ ok, draft: ok ? draft : null, passed: 4, run: 4, error: null },
    })),
  "paid.ended": fc.record({
    call,
    text: mostly<string | null>(
      '{"score":1,"reasoning":"fine"}',
      '{"score":0}',
      '{"violates":"x"}',
    ),
    why: failing,
    error: mostly<"BudgetExceeded" | null>(null, "BudgetExceeded"),
    cost: fc.constant(0),
  }),
  "embed.replied": fc.constant({ vectors: { [description]: [1, 0], read_files: [0, 1] } }),
  "person.decided": fc.record({
    decision: mostly("approve", "amend", "discard"),
    feedback: words,
    target: fc.constantFrom("compose", "generate"),
  }),
  "synth.revised": fc.record({
    feedback: nothingOr(words),
    target: fc.constantFrom("compose", "generate", null),
  }),
  "sign.signed": fc.constant({ signature: "ab", key: "cd" }),
  "pool.admitted": fc
    .record({ ok: mostly(true, false), why: failing })
    .map(({ ok, why }) => (ok ? { ok, why: null } : { ok, why: why ?? "no price" })),
  "ask.bounced": bounced,
});

export const plannerInput: fc.Arbitrary<PlannerInput> = fc.constant({
  turn: "t1",
  says: "sort my files",
  replyTo: "gateway/t1",
});

export const plannerEvents = anyOf<PlannerEvent>({
  "catalogue.answered": fc.record({
    executors: fc.constant([{ name: "read_files", head: "reads" }]),
    replay: nothingOr(fc.constant(["read_files", "move_files"])),
  }),
  "llm.replied": fc.record({
    text: fc.constantFrom('{"steps":["read_files"]}', '{"missing":"sort_files"}', "{"),
  }),
  "llm.failed": fc.record({ error: words }),
  "ask.bounced": bounced,
});

export const turnInput: fc.Arbitrary<TurnInput> = fc.constant({
  ...{ turn: "t1", says: "sort my files", args: {}, case: null, budgetCents: null },
});

const request = fc.constant("req-0001");
const artefact = {
  ...{ name: "sort_files", description, capabilities: [], profile: {}, tests: 4 },
};

const STATES = ["delivered", "born", "abandoned"] as const;

export const turnEvents = anyOf<TurnEvent>({
  "plan.made": fc.record({
    steps: fc.constantFrom(["read_files"], ["read_files", "sort_files"], []),
    towards: fc.constant(["move_files"]),
    known: fc.constant(["read_files", "move_files"]),
    isReplayed: fc.boolean(),
    why: fc.constantFrom(null, "the planner did not answer"),
  }),
  "synth.progressed": fc.record({ request, state: fc.constant("generating") }),
  "synth.ended": fc.record({
    request,
    state: fc.constantFrom(...STATES),
    rationale: words,
    artefact: fc.constantFrom(["read_files", "move_files"], artefact),
  }),
  "executor.found": fc.record({
    name: fc.constantFrom("read_files", "sort_files"),
    isLoaded: mostly(true, false),
    code: nothingOr(fc.constant(code)),
  }),
  "executor.ended": fc.record({ ok: mostly(true, false) }),
  "sandbox.replied": fc.record({ ok: mostly(true, false), result: fc.constant({ ok: true }) }),
  "ask.bounced": bounced,
});
