import fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { BadInput } from "../../src/edges/errors.ts";
import type { CheckOptions } from "../../src/edges/scenario/scenarioChecks.ts";
import { parseScenario } from "../builtInScenarios.ts";

/** UTF-16 units of every kind, half pairs and control characters too. */
const anyText = fc
  .array(fc.oneof(fc.nat(0x7f), fc.nat(0xffff)), { maxLength: 20 })
  .map((units) => String.fromCharCode(...units));

/** A scenario in which every field is used once. Line 1 is `why`. */
const whole = `why: w
source: s
startsAt: 2026-05-02T09:00:00Z
seed: 1
runsFor: 1h
agents: [cedar, cipher]
policy:
  router.kind: lexical
events:
  - { id: ask, at: 30m, does: host.message, agent: cedar, text: t }
  - { id: put, at: 1h, does: files.write, path: /agentOS/a, text: "" }
  - { id: move, at: 1m, does: files.move, path: /agentOS/a, to: /agentOS/b }
tools:
  - { name: one, description: d, returns: null }
files:
  /agentOS/workspace/notes.md: text
model:
  malformedPerMille: 5
  goals:
    - slug: note
      agents: [cedar]
      weight: 3
      claimBelow: /agentOS/workspace
      text: t
      artifact: /agentOS/{n}.md
      plans:
        - { id: straight, weight: 1, steps: [{ intent: [a, b], params: { x: 1 } }] }
limits: { envelopes: 1000 }
expect:
  - { name: n, metric: calls.lost, actor: cedar, op: "=", value: 0, at: 30m }
variants:
  other:
    why: w
    policy: { router.b: 1 }
    events: [{ id: restart, at: 5m, does: daemon.restart }]
    without: { events: [ask], choices: ["goal:note", "plan:note/straight"] }
    expect: [{ name: n, metric: calls.lost, op: ">=", value: 0.5 }]
`;

function problemsOf(text: string, options: CheckOptions = {}): string[] {
  try {
    parseScenario(text, "x.yaml", options);
    return [];
  } catch (thrown) {
    if (!(thrown instanceof BadInput)) throw thrown;
    return [thrown, ...(thrown.more ?? [])].map(({ where, found, allowed, hint }) =>
      [`${where.line}:${where.column} ${where.path}: ${found}; ${allowed}`, hint]
        .filter((part) => part !== undefined)
        .join(". "),
    );
  }
}

/** The problems after one replacement in the whole scenario. */
function problemsAfter(from: string, to: string, options?: CheckOptions): string[] {
  if (!whole.includes(from)) throw new Error(`${from} is not in the scenario`);
  return problemsOf(
    whole.replace(from, () => to),
    options,
  );
}

test("the whole scenario has no problem", () => {
  expect(problemsOf(whole)).toEqual([]);
});

const DURATION = "a duration such as 250ms, 90s, 30m, 1h30m or 30d, up to 3650d";
const PATH = "an absolute path below /agentOS/";
const PLAIN = "a path below /agentOS/ without empty, . or .. segments";

test.each([
  // Single fields.
  ["seed: 1", "seed: 4294967296", "4:7 seed: 4294967296; a whole number 0 … 4294967295"],
  ["seed: 1", "seed: -1", "4:7 seed: -1; a whole number 0 … 4294967295"],
  ["seed: 1", "seed: 1.5", "4:7 seed: 1.5; a whole number 0 … 4294967295"],
  ["seed: 1", 'seed: "1"', '4:7 seed: "1"; a whole number 0 … 4294967295'],
  ["runsFor: 1h", "runsFor: 90", `5:10 runsFor: 90; ${DURATION}`],
  ["runsFor: 1h", "runsFor: 9999d", `5:10 runsFor: "9999d"; ${DURATION}`],
  [
    "startsAt: 2026-05-02T09:00:00Z",
    "startsAt: 2026-05-02",
    '3:11 startsAt: "2026-05-02"; an instant such as 2026-05-02T09:00:00Z',
  ],
  [
    "startsAt: 2026-05-02T",
    "startsAt: 2026-02-30T",
    '3:11 startsAt: "2026-02-30T09:00:00Z"; an instant that exists, in UTC',
  ],
  ["[cedar, cipher]", "[]", "6:9 agents: []; at least one agent, or synt, or installs"],
  ["[cedar, cipher]", "cedar", '6:9 agents: "cedar"; a list of 0 … 10000 items'],
  [
    "[cedar, cipher]",
    "[cedar, Cipher]",
    '6:17 agents[1]: "Cipher"; an agent\'s name: 1 … 31 of a-z, 0-9 and -, starting with a letter',
  ],
  [
    "malformedPerMille: 5",
    "malformedPerMille: 1001",
    "18:22 model.malformedPerMille: 1001; a whole number 0 … 1000",
  ],
  ["weight: 3", "weight: 0", "22:15 model.goals[0].weight: 0; a whole number 1 … 1000000"],
  [
    "intent: [a, b]",
    "intent: []",
    "27:56 model.goals[0].plans[0].steps[0].intent: an empty list; a list of 1 … 100 items",
  ],
  [
    "intent: [a, b]",
    "intent: 3",
    "27:56 model.goals[0].plans[0].steps[0].intent: 3; a text, or a list of 1 … 100 texts, with no place but {agent} {n} {slug} {goal} {artifact} {evidence}",
  ],
  [
    "intent: [a, b]",
    'intent: [a, ""]',
    '27:60 model.goals[0].plans[0].steps[0].intent[1]: ""; a text of 1 … 10000 characters',
  ],
  [
    "envelopes: 1000",
    "envelopes: 20000001",
    "28:22 limits.envelopes: 20000001; a whole number 1 … 20000000",
  ],
  ['op: "="', 'op: "=="', '30:54 expect[0].op: "=="; "=" | "!=" | "<" | "<=" | ">" | ">="'],
  [
    "value: 0,",
    "value: true,",
    "30:66 expect[0].value: true; a number in the metric's unit (`ghostlight metrics`), times in ms",
  ],
  ["at: 30m }", "at: start }", `30:73 expect[0].at: "start"; end | ever | ${DURATION}`],
  ["name: one", "name: One", '14:13 tools[0].name: "One"; 1 … 60 of a-z, 0-9 and _'],
  [
    "policy:\n  router.kind: lexical",
    "policy:",
    "7:8 policy: nothing; a map from paths such as router.kind to values",
  ],
  // Keys.
  [
    "seed:",
    "sead:",
    '4:1 sead: the key "sead"; why, source, startsAt, seed, runsFor, agents, policy, events, faults, tools, files, model, world, synt, skills, installs, limits, expect, variants. Did you mean "seed"?',
  ],
  ["seed: 1\n", "", "1:1 seed: nothing, but it is required; a whole number 0 … 4294967295"],
  [
    "envelopes:",
    "envelope:",
    '28:11 limits.envelope: the key "envelope"; envelopes, queueLength, lettersPerDelivery, deliveriesPerInstant, payloadChars. Did you mean "envelopes"?',
  ],
  ["  other:", "  Other:", '32:3 variants.Other: the key "Other"; names of a-z, 0-9 and -'],
  [
    "/agentOS/workspace/notes.md",
    "/tmp/notes.md",
    '16:3 files["/tmp/notes.md"]: "/tmp/notes.md"; a path below /agentOS/ without empty, . or .. segments',
  ],
  // Events.
  [
    "does: daemon.restart",
    "does: daemon.restarts",
    '35:43 variants.other.events[0].does: "daemon.restarts"; host.message | outside.signal | files.write | files.move | files.delete | daemon.restart | synt.homeostasis | synt.revise | executor.revoke | sandbox.wipe | install.want | install.attempt | install.decide | install.rollback | install.interrupt | gateway.restart. Did you mean "daemon.restart"?',
  ],
  [
    "does: daemon.restart",
    "does: synt.homeostasis",
    '35:43 variants.other.events[0].does: "synt.homeostasis"; an event of a world with `synt:`',
  ],
  [
    ", does: daemon.restart",
    "",
    "35:14 variants.other.events[0].does: nothing, but it is required; host.message | outside.signal | files.write | files.move | files.delete | daemon.restart | synt.homeostasis | synt.revise | executor.revoke | sandbox.wipe | install.want | install.attempt | install.decide | install.rollback | install.interrupt | gateway.restart",
  ],
  [
    "agent: cedar, text: t",
    "agent: cedar",
    "10:5 events[0].text: nothing, but it is required; a text of 1 … 1048576 characters",
  ],
  [
    "does: host.message, agent: cedar,",
    "does: outside.signal, agents: [cedar, cedar],",
    '10:63 events[0].agents[1]: "cedar" again; each name once',
  ],
  [
    "does: host.message, agent: cedar,",
    "does: outside.signal, agents: [cedar, ceder],",
    '10:63 events[0].agents[1]: "ceder"; the name of an agent: cedar, cipher. Did you mean "cedar"?',
  ],
  ["path: /agentOS/a, text", "path: a, text", `11:49 events[1].path: "a"; ${PATH}`],
  ["at: 30m, does", "at: soon, does", `10:20 events[0].at: "soon"; ${DURATION}`],
  [
    "{ id: ask, at: 30m, does: host.message, agent: cedar, text: t }",
    "ask",
    '10:5 events[0]: "ask"; a map with id, at and does',
  ],
  // What fields demand of one another.
  ["runsFor: 1h", "runsFor: 0s", '5:10 runsFor: "0s"; at least 1ms'],
  ["[cedar, cipher]", "[cedar, cedar]", '6:17 agents[1]: "cedar" again; each name once'],
  ["cipher]", "constructor]", '6:17 agents[1]: "constructor"; another name: this one is reserved'],
  [
    "name: one",
    "name: constructor",
    '14:13 tools[0].name: "constructor"; another name: this one is reserved',
  ],
  [
    "other:",
    "constructor:",
    '32:3 variants.constructor: "constructor"; another name: this one is reserved',
  ],
  [
    "router.kind: lexical",
    "router.kynd: lexical",
    '8:3 policy["router.kynd"]: "router.kynd"; a path of the policy tree. Did you mean "router.kind"?',
  ],
  [
    "router.kind: lexical",
    "router.kind: exact",
    '8:16 policy["router.kind"]: "exact"; lexical | embedding | name',
  ],
  [
    "router.b: 1",
    "router.b: 1.5",
    '34:25 variants.other.policy["router.b"]: 1.5; a whole number 0 … 1000 (thousandths), or with a point a share 0.0 … 1.0, at most 3 digits after it',
  ],
  [
    'expect: [{ name: n, metric: calls.lost, op: ">=", value: 0.5 }]',
    "expect: inherits",
    '37:13 variants.other.expect: "inherits"; a list, or "inherit"',
  ],
  ["id: put", "id: ask", '11:11 events[1].id: "ask" again; each name once'],
  ["id: restart", "id: ask", '35:20 variants.other.events[0].id: "ask" again; each name once'],
  ["at: 1h,", "at: 1h1ms,", '11:20 events[1].at: "1h1ms"; a time up to the end, 1h'],
  [
    "agent: cedar",
    "agent: ceder",
    '10:52 events[0].agent: "ceder"; the name of an agent: cedar, cipher. Did you mean "cedar"?',
  ],
  ["to: /agentOS/b", "to: /agentOS/../b", `12:65 events[2].to: "/agentOS/../b"; ${PLAIN}`],
  [
    "/agentOS/workspace/notes.md",
    "/agentOS//notes.md",
    `16:3 files["/agentOS//notes.md"]: "/agentOS//notes.md"; ${PLAIN}`,
  ],
  [
    "/agentOS/workspace/notes.md",
    "/agentOS/tools/dynamic/one.py",
    '16:3 files["/agentOS/tools/dynamic/one.py"]: "/agentOS/tools/dynamic/one.py"; other files: the tool one writes this one itself',
  ],
  [
    "agents: [cedar]",
    "agents: [vault]",
    '21:16 model.goals[0].agents[0]: "vault"; the name of an agent: cedar, cipher',
  ],
  [
    "claimBelow: /agentOS/workspace",
    "claimBelow: /agentOS/workspace/",
    `23:19 model.goals[0].claimBelow: "/agentOS/workspace/"; ${PLAIN}`,
  ],
  [
    "actor: cedar",
    "actor: vault",
    '30:43 expect[0].actor: "vault"; the name of an agent: cedar, cipher',
  ],
  ["at: 30m }", "at: 2h }", '30:73 expect[0].at: "2h"; a time up to the end, 1h'],
  [
    "events: [ask]",
    "events: [asks]",
    '36:25 variants.other.without.events[0]: "asks"; the name of an event: ask, put, move. Did you mean "ask"?',
  ],
  [
    '"plan:note/straight"',
    '"plan:note/strait"',
    '36:54 variants.other.without.choices[1]: "plan:note/strait"; the name of a choice: goal:note, plan:note/straight. Did you mean "plan:note/straight"?',
  ],
])("%j for %j", (from, to, problem) => {
  expect(problemsAfter(from, to)).toEqual([problem]);
});

test("slugs are unique, and plans within their goal", () => {
  const goal = whole.slice(whole.indexOf("    - slug"), whole.indexOf("limits:"));
  const plan = "        - { id: straight, weight: 1, steps: [{ intent: a }] }\n";

  expect(problemsAfter("limits:", `${goal}limits:`)).toEqual([
    '28:13 model.goals[1].slug: "note" again; each name once',
  ]);
  expect(problemsAfter("limits:", `${plan}limits:`)).toEqual([
    '28:17 model.goals[0].plans[1].id: "straight" again; each name once',
  ]);
});

test("[CL2] an unknown metric is one problem, whatever it is measured on", () => {
  const options = { metricNames: ["calls.lost", "load"], agentMetricNames: ["load"] };
  const known = { ...options, agentMetricNames: options.metricNames };

  expect(problemsAfter("metric: calls.lost, actor", "metric: calls.lots, actor", options)).toEqual([
    '30:24 expect[0].metric: "calls.lots"; the name of a metric (`ghostlight metrics` lists them): calls.lost, load. Did you mean "calls.lost"?',
  ]);
  expect(problemsAfter("actor: cedar", "actor: ceder", known)).toEqual([
    '30:43 expect[0].actor: "ceder"; the name of an agent: cedar, cipher. Did you mean "cedar"?',
  ]);
});

test("[SC7] `expect: inherit` needs something to inherit", () => {
  const asked = '[{ name: n, metric: calls.lost, op: ">=", value: 0.5 }]';
  const own = `expect:
  - { name: n, metric: calls.lost, actor: cedar, op: "=", value: 0, at: 30m }
`;
  const inheriting = whole.replace(asked, "inherit");

  expect(problemsOf(inheriting)).toEqual([]);
  expect(problemsOf(inheriting.replace(own, ""))).toEqual([
    '35:13 variants.other.expect: "inherit"; a list: the scenario has no `expect` to inherit',
  ]);
});

test("metrics are checked when the caller knows them", () => {
  const options = { metricNames: ["calls.lost", "load"], agentMetricNames: ["load"] };

  expect(problemsAfter("metric: calls.lost, op", "metric: calls.lots, op", options)).toEqual([
    '30:43 expect[0].actor: "cedar"; no actor: calls.lost is measured on the whole world',
    '37:33 variants.other.expect[0].metric: "calls.lots"; the name of a metric (`ghostlight metrics` lists them): calls.lost, load. Did you mean "calls.lost"?',
  ]);
  expect(problemsAfter("calls.lost", "anything")).toEqual([]);
});

test.each([
  ["seed: 1", "seed: 4294967295"],
  ["seed: 1", "seed: 0"],
  ["at: 1h,", "at: 60m,"],
  ["at: 1h,", "at: 0s,"],
  ["envelopes: 1000", "envelopes: 20000000"],
  ["returns: null", "returns: { a: [1, { b: null }], constructor: x }"],
  ["cipher]", `${"c".repeat(31)}]`],
  ["value: 0,", "value: -1.5,"],
  ["router.b: 1", "planner.heartbeatMs: 5s"],
])("%j may be %j", (from, to) => {
  expect(problemsAfter(from, to)).toEqual([]);
});

test("many problems come in the order of their lines, and the message shows five", () => {
  const text = whole
    .replace("value: 0,", "value: x,")
    .replaceAll("weight:", "wait:")
    .replace("seed: 1", "seed: x")
    .replace("at: 30m", "at: x")
    .replace("agents: [cedar, cipher]", "agents: 3");
  const places = problemsOf(text).map((problem) => Number.parseInt(problem, 10));

  expect(places).toEqual([4, 6, 10, 20, 22, 27, 27, 30].filter((line) => places.includes(line)));
  expect(places.length).toBeGreaterThan(5);
});

test("thousands of wrong names are refused within seconds", () => {
  const names = Array.from({ length: 4_999 }, (_, index) => `"goal:no-${index}"`);

  expect(problemsAfter('"goal:note"', names.join(", "))).toHaveLength(4_999);
});

test("any JSON in any place is a scenario or refused", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const places = [
    "why",
    "seed",
    "runsFor",
    "agents",
    "policy",
    "events",
    "tools",
    "files",
    "model",
  ];
  const field = fc.constantFrom(...places, "limits", "expect", "variants", "__proto__", "extra");
  fc.assert(
    fc.property(fc.dictionary(field, json), json, (fields, other) => {
      expect(problemsOf(stringify(fields)).length).toBeGreaterThan(0);
      expect(problemsOf(stringify(other)).length).toBeGreaterThan(0);
      expect(problemsOf(`${whole}extra: ${JSON.stringify(other)}\n`).length).toBeGreaterThan(0);
    }),
  );
});

test("a scenario with one line garbled is a scenario or refused", () => {
  const lines = whole.split("\n");
  const garbled = fc.tuple(fc.nat(lines.length - 1), fc.nat(60), anyText);
  fc.assert(
    fc.property(garbled, ([line, column, text]) => {
      const old = lines[line] ?? "";
      const changed = lines.with(line, old.slice(0, column) + text + old.slice(column + 1));

      expect(problemsOf(changed.join("\n")).every((problem) => problem.includes(";"))).toBe(true);
    }),
  );
});
