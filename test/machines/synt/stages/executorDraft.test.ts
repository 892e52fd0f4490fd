// The making of one executor: the order of its stages, their slices, retries and birth tests.

import { expect, it } from "vitest";
import type { Json, Letter, MailOf } from "../../../../src/machines/letter.ts";
import { profileOf } from "../../../../src/machines/synt/stages/executorProfile.ts";
import type { PaidCallInput } from "../../../../src/machines/synt/stages/paidCall.ts";
import type { SyntView } from "../../../../src/machines/synt/stages/stagePrompts.ts";
import { policyWith } from "../../../builtIn.ts";
import { statecharts } from "../../../cast.ts";
import { mailIn, mailOf } from "../../../mail.ts";
import { driven, lettersTo } from "../../driven.ts";

const { executorDraft } = statecharts(policyWith({}));
const input = {
  request: "req-0001",
  self: "synt/req-0001/draft-1",
  replyTo: "synt/req-0001",
  kind: "multistage",
  strategy: "generate",
  need: { intent: "sort my files", name: "sort_stuff", from: null, hints: [] },
  material: { members: [], chain: [], hot: null, vetoes: [], covers: [] },
  members: [],
  pool: ["read_files"],
  feedback: null,
  coder: { provider: "llamacpp", model: "Qwen3.6-35B" },
};

const named = { name: "sort_files", revertible: false, critical: false, target_kind: "none" };
const signed = {
  args_schema: { type: "object", properties: { items: { type: "array" } } },
  capabilities: [],
  reverse_pattern: null,
};
const test = (name: string, items: unknown, ok = true) => ({
  ...{ name, input: { items }, expect: { ok } },
});
const tested = {
  tests: [
    ...[test("happy", [2, 1]), test("empty", []), test("edge", [1])],
    test("invalid", 7, false),
  ],
};
const described = {
  description:
    "SCOPO: sorts what it is given. PATTERN: sort_files(items). NON: it moves nothing. OUT: entries.",
  affinity: ["sort", "files", "order", "by", "date", "name"],
};
const code = "def invoke(args):\n    return {'ok': True}\n";

const said = (answer: object | string): MailOf<"paid.ended"> => ({
  type: "paid.ended",
  call: "synt/req-0001/draft-1/call-1",
  text: typeof answer === "string" ? answer : JSON.stringify(answer),
  why: null,
  error: null,
  cost: 0,
});
const parsed: MailOf<"python.parsed"> = {
  type: "python.parsed",
  ok: true,
  functions: [{ name: "invoke", inClass: false, firstArgument: "args", body: "code" }],
  module: "code",
  imports: ["json"],
  calls: [],
};
const ran = (result: Json): MailOf<"sandbox.replied"> => ({
  ...{ type: "sandbox.replied", ok: true, result },
});

const begun = () => {
  const draft = driven(executorDraft, input);
  draft.send({ type: "files.replied", ok: false });
  return draft;
};
const viewIn = (letters: readonly Letter[]) =>
  (mailIn(letters, "actor.start")[0]?.input as PaidCallInput | undefined)?.view;
const hintIn = (view: SyntView | undefined) => view && "hint" in view && view.hint;

it("[SN57] asks five stages one after another, each for its slice", () => {
  const draft = begun();
  const views = [viewIn(draft.letters)];
  for (const answer of [named, signed, tested, described])
    views.push(viewIn(draft.send(said(answer))));

  expect(views.map((view) => view?.purpose)).toEqual([
    ...["synt.naming", "synt.signature", "synt.tests", "synt.description", "synt.code"],
  ]);
  expect(views.filter((view) => view !== undefined && "vocabulary" in view)).toHaveLength(1);
  expect(views[0]).toHaveProperty("vocabulary");
  expect(views[4]).not.toHaveProperty("tests");
  expect(views[3]).toMatchObject({ tests: 4 });
  expect(views[1]).not.toHaveProperty("argsSchema");
});

it("[SN57] asks a stage three times more with what was wrong, then gives up", () => {
  const draft = begun();
  const wrong = said({ ...named, name: "sort_stuff" });
  for (const times of [1, 2, 3]) {
    const faults = Array(times).fill(expect.stringContaining("sort_stuff"));
    expect(viewIn(draft.send(wrong))).toMatchObject({ purpose: "synt.naming", faults });
    expect(draft.context).toMatchObject({ retries: [times, 0, 0, 0, 0] });
  }
  const letters = draft.send(wrong);

  expect(draft.value).toBe("failed");
  expect(letters[0]?.event).toMatchObject({ ok: false, error: "StrategyExhausted" });
  expect(mailOf(letters[0], "draft.ended").why).toContain("stuff");
});

it("[SN57] what was wrong in one stage is not shown to the next", () => {
  const draft = begun();
  draft.send(said({ ...named, name: "sort_stuff" }));

  expect(viewIn(draft.send(said(named)))).toMatchObject({ purpose: "synt.signature", faults: [] });
});

it("[SN57] a name that nobody has ends it with the reason", () => {
  const draft = begun();
  const letters = draft.send(said({ name: null, reason: "no such verb" }));

  expect(draft.value).toBe("failed");
  expect(mailOf(letters[0], "draft.ended").why).toContain("no such verb");
});

const coded = () => {
  const draft = begun();
  for (const answer of [named, signed, tested, described, code]) draft.send(said(answer));
  return draft;
};

it("[SN58] is finished when all birth tests pass, one after another", () => {
  const draft = coded();
  draft.send(parsed);
  for (const _ of [1, 2, 3])
    expect(draft.send(ran({ ok: true })).at(-1)?.to).toBe("port/sandbox.run");
  const letters = draft.send(ran({ ok: false }));

  expect(draft.value).toBe("finished");
  expect(letters.at(-1)?.event).toMatchObject({ ok: true, passed: 4, run: 4 });
});

it("[SN58] asks for other code with the test that failed", () => {
  const draft = coded();
  draft.send(parsed);
  draft.send(ran({ ok: true }));
  const view = viewIn(draft.send(ran({ ok: false })));

  expect(view).toMatchObject({ purpose: "synt.code" });
  expect(view).toHaveProperty("faults", [expect.stringContaining("empty")]);
});

it("[SN59] code that is no Python has no profile, and none that harms nobody", () => {
  const nothing = { imports: [], calls: [] };

  expect(profileOf({ ok: false, ...nothing })).toEqual({
    fault: "it is no Python, so that nobody can say what it reaches",
  });
  expect(profileOf({ ok: true, ...nothing })).toEqual({ profile: {} });
});

it("[SN59] turns code down that imports what is on no whitelist", () => {
  const draft = coded();
  const view = viewIn(draft.send({ ...parsed, imports: ["json", "requests"] }));

  expect(view).toHaveProperty("faults", [expect.stringContaining("requests")]);
});

it.each(["constructor", "toString", "__proto__", "hasOwnProperty"])(
  "[SN59] `import %s` is on no whitelist, whatever every object has",
  (name) => {
    expect(profileOf({ imports: [name], calls: [] })).toEqual({
      fault: `import ${name} is not on the whitelist`,
    });
  },
);

it("[SO3] a prompt repertoire out of order is said to the desk; the bundled entries serve", () => {
  const draft = driven(executorDraft, input);
  const letters = draft.send({ type: "files.replied", ok: true, text: "[[hint]]\nprovider = 3" });

  expect(lettersTo(letters, "synt").map(({ event }) => event)).toEqual([
    {
      type: "hints.faulty",
      path: "/agentOS/config/metnos/prompts.toml",
      fault: "hint 1: provider is no text",
    },
  ]);
  expect(draft.value).toEqual({ naming: "calling" });
  for (const answer of [named, signed, tested]) draft.send(said(answer));
  expect(hintIn(viewIn(draft.send(said(described))))).toContain("raw strings");
});

it("[SO3] one in order is said nothing of, and its entry is shown to who writes the code", () => {
  const draft = driven(executorDraft, input);
  const entry = "provider = 'llamacpp'\nuse_case = 'code_gen'\ntext = 'Mine.'";
  const letters = draft.send({ type: "files.replied", ok: true, text: `[[hint]]\n${entry}` });

  expect(lettersTo(letters, "synt")).toEqual([]);
  for (const answer of [named, signed, tested]) draft.send(said(answer));
  expect(hintIn(viewIn(draft.send(said(described))))).toBe("Mine.");
});
