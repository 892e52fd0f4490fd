// The scripted models of those who install: what they are shown moves what they answer, and the seed blurs it.
import { expect, it } from "vitest";
import { scriptedModel } from "../../../src/actors/installs/scriptedCrew.ts";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import type { Scenario } from "../../../src/contract/scenario.ts";
import type { CrewView } from "../../../src/machines/installs/crew/crewModel.ts";
import { namedRandom } from "../../../src/substrate/random.ts";
import { policyWith } from "../../builtIn.ts";

/** How many of a thousand answers to this view were such. */
function share(
  view: CrewView,
  policy: { readonly [path: string]: PolicyValue },
  isSuch: (answer: { readonly [member: string]: unknown }, choice: string) => boolean,
  without: readonly string[] = [],
): number {
  const model = scriptedModel({
    // The model reads nothing else of a scenario.
    scenario: {} as unknown as Scenario,
    policy: policyWith(policy),
    random: namedRandom(7),
    without: new Set(without),
  });
  return Array.from({ length: 1_000 }, (_, nth) =>
    model.answer({
      ...{ port: "port/llm.chat", from: "auditor.default", purpose: view.purpose, nth, seq: nth },
      ...{ nowMs: 0, request: null },
      event: { type: "llm.asked", purpose: view.purpose, view },
    }),
  ).filter(({ event, choice = "" }) =>
    isSuch(event.type === "llm.replied" ? JSON.parse(event.text) : {}, choice),
  ).length;
}

const auditing = (text: string): CrewView => ({
  ...{ purpose: "install.audit", wish: "weather", goal: "Fetch the weather.", unread: 0 },
  ...{ artifact: "art_a1b2c3d4", declared: ["NetworkAccess"] },
  files: [{ name: "main.py", text }],
});
const turning = (phase: "created" | "gated"): CrewView => ({
  ...{ purpose: "install.turn", wish: "weather", intent: {}, loose: [], phase, hint: null },
  did: [],
});

const FETCHES = "import urllib.request\n";
const THREAT = `${FETCHES}subprocess.run("sudo reboot")\n`;

it("[INS100] an auditor sees a threat that it is shown, but for those it misses", () => {
  const passes = (text: string, misses: number, without: readonly string[] = []) =>
    share(
      auditing(text),
      { "installs.crew.slips.misses": misses },
      ({ threats_detected: threats }) => Array.isArray(threats) && threats.length === 0,
      without,
    );

  expect(passes(FETCHES, 0)).toBe(1_000);
  expect(passes(THREAT, 0)).toBe(0);
  expect(Math.abs(passes(THREAT, 300) - 300)).toBeLessThan(50);
  expect(passes(THREAT, 300, ["audit:misses"])).toBe(0);
});

it("[INS100] a builder tries again what failed as often as its habit says, and never where it went well", () => {
  const retries = (phase: "created" | "gated") =>
    share(
      turning(phase),
      { "installs.crew.slips.retries": 400 },
      (_, choice) => choice === "turn:retries",
    );

  expect(Math.abs(retries("gated") - 400)).toBeLessThan(50);
  expect(retries("created")).toBe(0);
});

const SLIPS = Object.keys(policyWith({}).installs.crew.slips);

/** Nobody slips, but for those who always do. */
function thought(view: CrewView, always: readonly string[] = [], without: readonly string[] = []) {
  const rate = (slip: string) => [`installs.crew.slips.${slip}`, always.includes(slip) ? 1_000 : 0];
  const model = scriptedModel({
    scenario: {} as unknown as Scenario,
    policy: policyWith(Object.fromEntries(SLIPS.map(rate))),
    random: namedRandom(7),
    without: new Set(without),
  });
  const { event, choice } = model.answer({
    ...{ port: "port/llm.chat", from: "x.default", purpose: view.purpose, nth: 1, seq: 1 },
    ...{ nowMs: 0, request: null, event: { type: "llm.asked", purpose: view.purpose, view } },
  });
  return { ...(event.type === "llm.replied" ? JSON.parse(event.text) : {}), choice };
}

type Plans = Extract<CrewView, { readonly purpose: "install.plan" }>;
const planning = (given: Partial<Plans> = {}): Plans => ({
  ...{ purpose: "install.plan", wish: "w", goal: "g", intent: {}, needsCode: true, loose: [] },
  ...{ artifact: "art_1", matrix: ["evaluator", "auditor"], gating: null, flaws: [] },
  ...{ judges: { evaluator: "passed", auditor: "passed" }, report: null, isChanged: false },
  ...{ decisionsLeft: 7, ...given },
});
const judges = (evaluator: "open" | "passed" | "failed" | "unrecorded", auditor = evaluator) => ({
  judges: { evaluator, auditor },
});
const reported = (outcome: string, reason: string | null = null) => ({
  report: { outcome, reason },
});

it.each<[Partial<Plans>, string, string]>([
  [{ artifact: null }, "build", "there is no artifact yet"],
  [{ artifact: null, needsCode: false }, "install", "all that it needs is there"],
  [judges("open"), "evaluate", "evaluator has not recorded yet"],
  [judges("unrecorded"), "evaluate", "evaluator has not recorded yet"],
  [judges("passed", "open"), "audit", "auditor has not recorded yet"],
  [judges("failed", "open"), "audit", "auditor has not recorded yet"],
  [judges("passed", "failed"), "build", "auditor did not pass it"],
  [{ ...judges("failed"), needsCode: false }, "stop", "evaluator did not pass it"],
  [{ ...judges("open"), gating: "none" }, "install", "all that it needs is there"],
  [{ ...judges("open"), matrix: [] }, "install", "all that it needs is there"],
  [
    { ...judges("open"), matrix: [], gating: "required" },
    "evaluate",
    "evaluator has not recorded yet",
  ],
  [
    { ...judges("passed", "open"), matrix: ["evaluator"], gating: "required" },
    "install",
    "all that it needs is there",
  ],
  [{ ...reported("refused", "no host"), isChanged: true }, "install", "all that it needs is there"],
  [reported("broken"), "install", "the install broke off"],
  [reported("unapproved", "no"), "stop", "no"],
  [reported("refused", "no host"), "build", "no host"],
  [{ ...reported("refused"), needsCode: false }, "stop", "the builder reported: refused"],
])("[INS100] a planner who overlooks nothing, shown %j, says to %s: %s", (given, next, why) => {
  expect(thought(planning(given))).toEqual({ next, why, choice: `plan:${next}` });
});

it.each<[string, Partial<Plans>, object | null]>([
  [
    "saysNone",
    judges("open"),
    { next: "install", why: "it is simple enough", gating: "none", choice: "plan:says-none" },
  ],
  [
    "saysNone",
    judges("passed", "open"),
    { next: "install", why: "it is simple enough", gating: "none", choice: "plan:says-none" },
  ],
  ["saysNone", { ...judges("open"), gating: "required" }, null],
  ["saysNone", {}, null],
  [
    "skipsJudges",
    judges("open"),
    { next: "install", why: "it looks good", choice: "plan:skips-judges" },
  ],
  ["skipsJudges", {}, null],
  [
    "installsLoose",
    { artifact: null },
    { next: "install", why: "the files are known", choice: "plan:installs-loose" },
  ],
  ["installsLoose", judges("failed"), null],
  [
    "givesUp",
    reported("refused"),
    { next: "stop", why: "it has failed once", choice: "plan:gives-up" },
  ],
  ["givesUp", reported("unapproved"), null],
  ["givesUp", {}, null],
])("[INS100] the slip %s of a planner, shown %j: %j", (slip, given, slipped) => {
  const view = planning(given);
  const usual = thought(view);

  expect(thought(view, [slip])).toEqual(slipped ?? usual);
  const names = ["plan:says-none", "plan:skips-judges", "plan:installs-loose", "plan:gives-up"];
  expect(thought(view, [slip], names)).toEqual(usual);
});

it("[INS100] a builder does in each phase what is sensible, or its slip", () => {
  const CREATE = "agent.revision.create_from_intent";
  const PROMOTE = "agent.revision.promote";
  const phases = [
    ...(["loose", "given", "inspected", "approval-pending", "approved", "created"] as const),
    ...(["refused", "gated", "done"] as const),
  ];
  const tools = (...always: readonly string[]) =>
    phases.map((phase) => thought({ ...turning("created"), phase } as CrewView, always));
  const usual = [
    ...["report", "artifact.inspect", CREATE, "end_turn", CREATE, PROMOTE],
    ...["report", "report", "report"],
  ];
  const slips = (slip: string) =>
    Object.fromEntries(
      tools(slip).flatMap(({ tool, choice }, at) =>
        choice === `turn:${slip}` ? [[phases[at], tool]] : [],
      ),
    );

  expect(tools().map(({ tool }) => tool)).toEqual(usual);
  expect(tools().map(({ choice }) => choice)).toEqual(usual.map((tool) => `turn:${tool}`));
  expect(slips("retries")).toEqual({ refused: CREATE, gated: PROMOTE, "approval-pending": CREATE });
  expect(slips("records")).toEqual({ gated: "promotion.record" });
  expect(slips("mends")).toEqual({ loose: "artifact.build", refused: "artifact.build" });
  expect(slips("ends")).toEqual({ approved: "end_turn", created: "end_turn" });
  expect(slips("invents")).toEqual({ inspected: CREATE, approved: CREATE });
  expect(slips("looks")).toEqual({
    ...{ given: "workflow.state", inspected: "workflow.state", created: "workflow.state" },
  });
  expect(thought({ ...turning("created"), phase: "approved" } as CrewView, ["invents"])).toEqual({
    ...{ tool: CREATE, why: "the description can be better", choice: "turn:invents" },
    changes: { description: "A helpful agent" },
  });
  // Of several the first counts.
  expect(tools("looks", "retries", "records")[7]?.choice).toBe("turn:retries");
});

const evaluating = (...texts: readonly (string | null)[]): CrewView =>
  ({
    ...auditing(""),
    purpose: "install.evaluate",
    files: texts.map((text, at) => ({ name: `f${at}.py`, text })),
  }) as CrewView;
const error = (description: string) => ({ severity: "error", description });

it("[INS100] an evaluator names what is not finished or cannot be read, and passes the rest", () => {
  const found = (...texts: readonly (string | null)[]) => thought(evaluating(...texts));

  expect(found("x = 1")).toEqual({
    pass: true,
    record: true,
    findings: [],
    choice: "evaluate:passes",
  });
  expect(
    found(null, " \n", "# TODO", "raise NotImplementedError", "def f():\n  pass # so\n", "bypass"),
  ).toEqual({
    ...{ pass: false, record: true, choice: "evaluate:fails" },
    findings: [
      error("f0.py cannot be read"),
      error("f1.py is empty"),
      error("f2.py: something is left to do"),
      error("f3.py: a part is not written"),
      error("f4.py: a function does nothing"),
    ],
  });
});

it("[INS100] an evaluator's slips are to miss, to be strict and to forget the record", () => {
  const done = evaluating("x = 1");
  const open = evaluating("# TODO");
  const strict = [error("it could be done more simply")];

  expect(thought(open, ["misses"])).toEqual({
    ...{ pass: true, record: true, findings: [], choice: "evaluate:passes evaluate:misses" },
  });
  expect(thought(done, ["strict"])).toEqual({
    ...{ pass: false, record: true, findings: strict, choice: "evaluate:fails evaluate:strict" },
  });
  expect(thought(open, ["strict"]).choice).toBe("evaluate:fails");
  expect(thought(done, ["forgets"])).toMatchObject({
    ...{ pass: true, record: false, choice: "evaluate:passes evaluate:forgets" },
  });
  expect(thought(open, [], ["evaluate:fails"])).toMatchObject({
    pass: true,
    choice: "evaluate:passes",
  });
});

it("[INS100] an auditor names threats with their place, what is not declared, and what cannot be read", () => {
  const view = (files: readonly { name: string; text: string | null }[], declared: string[] = []) =>
    ({ ...auditing(""), files, declared }) as CrewView;
  const threat = { name: "main.py", text: THREAT };
  const safe = thought(view([{ name: "main.py", text: FETCHES }], ["NetworkAccess"]));
  const bad = thought(view([threat, { name: "b.bin", text: null }], ["NetworkAccess"]));
  const bare = thought(view([{ name: "main.py", text: FETCHES }]));

  expect(safe).toEqual({
    ...{ pass: true, record: true, findings: [], threats_detected: [], choice: "audit:passes" },
    ...{ remote_access_detected: true, inferred_capabilities: ["NetworkAccess"] },
  });
  expect(bad).toMatchObject({ pass: false, choice: "audit:fails" });
  expect(bad.findings).toContainEqual(error("b.bin cannot be read"));
  expect(bad.findings[0].description).toMatch(/^main\.py:2: /);
  expect(bare).toMatchObject({
    ...{ pass: false, findings: [error("it needs NetworkAccess, which is not declared")] },
  });
  const slip = (...always: readonly string[]) =>
    thought(view([{ name: "main.py", text: FETCHES }], ["NetworkAccess"]), always);
  expect(slip("deniesRemote")).toMatchObject({
    ...{ remote_access_detected: false, choice: "audit:passes audit:denies-remote" },
  });
  expect(slip("misreads")).toMatchObject({
    ...{ remote_access_detected: false, inferred_capabilities: [] },
    choice: "audit:passes audit:misreads",
  });
  expect(slip("forgets")).toMatchObject({ record: false, choice: "audit:passes audit:forgets" });
  expect(slip("misreads", "deniesRemote").choice).toBe("audit:passes audit:misreads");
  expect(thought(view([threat]), [], ["audit:fails"])).toMatchObject({ pass: true });
});

it("[INS100] a coder without an idea writes nothing; ideas of the scenario come first, of this wish and what it shows", () => {
  const build: CrewView = { ...planning(), purpose: "install.build" } as unknown as CrewView;
  const idea = (id: string, given: object = {}) => ({
    ...{ id, to: "build", wish: null, match: null, weight: 1, answer: { files: { id } } },
    ...given,
  });
  const choice = (...crew: readonly object[]) => {
    const model = scriptedModel({
      scenario: { installs: { crew } } as unknown as Scenario,
      policy: policyWith({}),
      random: namedRandom(7),
      without: new Set(["crew:gone"]),
    });
    return model.answer({
      from: "coder.default",
      purpose: "install.build",
      nth: 1,
      event: { view: build },
    } as never).choice;
  };

  expect(choice()).toBe("build:nothing");
  expect(
    choice(
      idea("gone"),
      idea("other", { wish: "x" }),
      idea("plan", { to: "plan" }),
      idea("far", { match: "y" }),
    ),
  ).toBe("build:nothing");
  expect(choice(idea("own", { wish: "w", match: '"goal":"g"' }))).toBe("crew:own");
});

it("[INS100] each kind of answer takes its own time, within the jitter", () => {
  const took = (purpose: string, key: string, jitter: number) => {
    const model = scriptedModel({
      scenario: {} as unknown as Scenario,
      policy: policyWith({ [`installs.crew.latency.${key}`]: 10_000, "model.jitter": jitter }),
      random: namedRandom(7),
      without: new Set(),
    });
    const view = { ...auditing("x"), ...planning(), ...turning("created"), purpose };
    return Array.from(
      { length: 30 },
      (_, nth) => model.answer({ from: "a", purpose, nth, event: { view } } as never).latencyMs,
    );
  };

  for (const kind of ["plan", "build", "turn", "evaluate", "audit"]) {
    expect(new Set(took(`install.${kind}`, `${kind}Ms`, 0))).toEqual(new Set([10_000]));
  }
  const some = took("install.plan", "planMs", 100);
  expect(Math.min(...some)).toBeGreaterThanOrEqual(9_000);
  expect(Math.max(...some)).toBeLessThanOrEqual(11_000);
  expect(new Set(some).size).toBeGreaterThan(20);
});
