import { expect, it } from "vitest";
import {
  executorsTable,
  requestsTable,
  syntSummary,
  turnsTable,
} from "../../src/actors/synt/edge/report.ts";
import type { SyntFigures } from "../../src/actors/synt/figures.ts";
import type { RequestStory, TurnStory } from "../../src/actors/synt/requestStory.ts";
import { book } from "../../src/actors/synt/story.ts";
import type { ReportInput } from "../../src/edges/report/reportInput.ts";
import type { MailEvent } from "../../src/machines/letter.ts";
import { figuresOf } from "../../src/run/compare.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import type { Input } from "../../src/substrate/port.ts";
import { observe, policyWith, why } from "../builtIn.ts";
import { reportText } from "../builtInRuns.ts";
import { delivery } from "../handLog.ts";
import { pythonPorts, syntScenario } from "../syntWorld.ts";

function report(name: string, variants: readonly string[] = []): string {
  const scenario = syntScenario(name);
  const log: Delivery[] = [];
  const inputs: Input[] = [];
  const ports = pythonPorts;
  const observed = observe(scenario, {
    ports,
    onDelivery: (one) => log.push(one),
    onInput: (one) => inputs.push(one),
  });
  const counterfactuals = variants.map((variant) => {
    const other = observe(scenario, { variant, ports });
    return { variant, figures: figuresOf(other), verdicts: other.verdicts };
  });
  const explanation = why(log, inputs);
  const input: ReportInput = {
    ...{ scenario, called: name, seed: 5, observed, counterfactuals, bundle: "runs/x" },
    ...{ deliveries: log, inputs, providers: {} },
    explanations: explanation === undefined ? [] : [explanation],
  };
  return reportText(input);
}
const headings = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);

it("[VB22] [VB28] a world with synt and without agents is told in its own words", () => {
  const text = report("synt-day-lock", ["no-lock"]);

  expect(headings(text)).toEqual([
    "synt-day-lock",
    "What happened when",
    "Turns",
    "Requests",
    expect.stringMatching(/^Why: req-0001 is abandoned/),
    "What else could have happened",
    "Expectations",
    "Executors at the end",
  ]);
  expect(text).toContain(
    "26:00:00 of virtual time, seed 5: 4 turns of the user: 4 declined; 1 night. " +
      "4 requests to synt: 4 abandoned; 2 of them were refused at once. No money was spent. " +
      "The person was asked nothing. At the end planners see 1 executor and 1 can be called.",
  );
  expect(text).not.toMatch(/agent|goals? |no ghost|Minutes a ghost got calls|Who was hit/);
  expect(text).toMatch(/\| no-lock +\| 4 +\| 4 +\| 0 /);
  expect(text).toContain("npx ghostlight why runs/x request:req-0001\n");
});

it("[VB22] money is told against its caps, decisions by what was decided", () => {
  const text = report("synt-day-cap");

  // What a call costs follows from the length of its prompt, which may be put otherwise.
  expect(text).toMatch(/at most 1[0-7]\.\d\d ct of a day's 17 ct were spent or set aside/);
  expect(text).toContain("The person was asked 2 times: 2 approved.");
  expect(text).toMatch(
    /req-0001 +\| turn in-the-evening .* 0\.748 \| [23]\.\d\d of 500 ct \| 2 min 53 s/,
  );
});

it("[VB22] refusals by one lock share a row", () => {
  const rows = report("synt-month-lock").match(/^\| req-.*$/gm);

  expect(rows?.map((row) => row.split("|")[1]?.trim())).toEqual([
    "req-0001",
    "req-0002 to req-0031",
    "req-0032",
    "req-0033",
  ]);
});

const request: RequestStory = {
  ...{ request: "req-0001", asker: "turn a|b", intent: "x\n| y", strategy: "generate" },
  ...{
    states: [{ state: "composing" as const, atMs: 0 }],
    reward: null,
    terms: null,
    spent: 0,
    cap: 500,
  },
  ...{ isRefused: false, rationale: `${"😀".repeat(300)} no | name`, made: null, endMs: null },
  weighed: [],
};

it("[VB22] what people and models wrote stays in its cell, and is cut between characters", () => {
  const story = book.start({}).told.synt;
  story.requests.push(request);

  const [, , row = ""] = requestsTable(story, 5_000).split("\n\n")[1]?.split("\n") ?? [];

  expect(row.replaceAll("\\|", "").split("|")).toHaveLength(11);
  expect(row).toContain("still open");
  expect(row.isWellFormed()).toBe(true);
  expect([...row].filter((character) => character === "😀").length).toBeLessThan(150);
  expect(row).toContain("no \\| name");
});

const cellsOf = (row = "") => row.split(" | ").map((cell) => cell.replaceAll("|", "").trim());
const lastRow = (text: string) => cellsOf(text.trim().split("\n").at(-1));

it("[VB22] a request is told by whom it was asked, its states, each R, cost, duration and reason", () => {
  const states = (["composing", "generating", "proposed", "rejected"] as const).map(
    (state, at) => ({ state, atMs: at * 1_000 }),
  );
  const one: RequestStory = {
    ...{ ...request, asker: "agent/cedar", intent: "sort", states, spent: 2.5, endMs: 3_000 },
    weighed: [
      { strategy: "compose", reward: 0.4129, passes: false },
      { strategy: "generate", reward: 0.71, passes: true },
    ],
    rationale: "too like another",
  };
  const rowOf = (given: Partial<RequestStory>) => {
    const story = book.start({}).told.synt;
    story.requests.push({ ...one, ...given });
    return lastRow(requestsTable(story, 9_000));
  };

  expect(rowOf({})).toEqual([
    ...["req-0001", "agent/cedar", "sort", "generate"],
    "composing → generating → proposed → rejected",
    ...["0.412 ✗, 0.710", "2.50 of 500 ct", "3 s", "too like another"],
  ]);
  const refused = rowOf({
    isRefused: true,
    states: [{ state: "abandoned", atMs: 0 }],
    endMs: null,
  });
  expect([refused[4], refused[7]]).toEqual(["abandoned, at once", "9 s, still open"]);
});

it("[VB22] executors are told with who made them, their state, and the runs that went well", () => {
  const story = book.start({}).told.synt;
  const executor = {
    name: "sort",
    origin: "synt",
    state: "live",
    sinceMs: 1_000,
    runs: 3,
    wellRuns: 2,
  };
  story.executors.push(executor as never);

  expect(lastRow(executorsTable(story))).toEqual(["sort", "synt", "live", "0:00:01", "2 of 3"]);
});

it("[VB22] turns are told by how they ended, open ones too", () => {
  const story = book.start({}).told.synt;
  const turn = { turn: "t", says: "x", atMs: 0, endMs: null, ok: null } as unknown as TurnStory;
  story.turns.push(turn, turn, turn, turn, turn, turn);
  const figures = { turnsDone: 1, turnsDeclined: 2, cents: 0, visible: 0, loaded: 0 };

  expect(syntSummary(story, figures as SyntFigures, policyWith({}))).toContain(
    "6 turns of the user: 1 done, 2 declined, 3 open; no nights.",
  );
});

it("[VB22] turns that ended alike are counted, and of many rows the rest is told", () => {
  const turn = (n: number): TurnStory => ({
    ...{ turn: `t${n}`, says: n < 200 ? `wish ${n}` : "again", atMs: n, endMs: n + 1_000 + n },
    ...{ ok: true, isReplayed: n >= 200, unasked: null, told: "Done with a." },
  });
  const story = book.start({}).told.synt;
  story.turns.push(...Array.from({ length: 203 }, (_, n) => turn(n)));

  const text = turnsTable(story);

  expect(text).toContain("101 more rows.");
  const few = book.start({}).told.synt;
  few.turns.push(...[200, 201, 202].map(turn));
  expect(turnsTable(few)).toMatch(/again \(3 times\) +\| Done with a\. \(replayed\) +\| 1 s /);
});

it("[SN101, SN102, SN103, SN108] findings of money and locks, and due weights, are told in the summary", () => {
  const facts = book.start({});
  const story = facts.told.synt;
  const told = (event: MailEvent) =>
    book.step(
      facts,
      delivery({ ...{ seq: 1, to: "synt", from: "synt", dueMs: 0, fate: "served" }, event }),
      [],
    );
  story.isThere = true;
  told({ type: "money.ran", turn: "t", executor: "sort_files", cents: 3 });
  told({
    type: "money.exceeded",
    request: "req-0001",
    call: "call-1",
    setAside: 1_000_000,
    cost: 3_500_000,
  });
  told({ type: "money.dayPassed", day: "2026-06-05", spent: 3, cap: 2 });
  told({
    ...{ type: "night.locked", by: "req-0002", intent: "sort", hits: "req-0001" },
    ...{ how: "served before", until: "2026-06-06" },
  });
  story.money.push({ atMs: 0, day: 0, cents: 6.5 });
  const request = { request: "r", reward: 0.7, endMs: 1, isRefused: false, states: [] };
  for (let nth = 0; nth < 30; nth += 1) story.requests.push(request as unknown as RequestStory);
  const figures = { turnsDone: 0, turnsDeclined: 0, cents: 3.5, visible: 0, loaded: 0 };

  const text = syntSummary(story, figures as SyntFigures, policyWith({}));

  expect(text).toContain("3.50 ct were spent, and 3.00 ct for runs of executors; at most 6.50 ct");
  expect(text).toContain("A finding: calls cost 2.50 ct more than was set aside for them.");
  expect(text).toContain("After 30 syntheses the weights of R are due for a look");
  expect(story.moments.map(({ label }) => label)).toEqual([
    "req-0001 paid 2.50 ct more than was set aside",
    "the money of 2026-06-05 is over: no call begins any more",
    "req-0002 failed, and locks what req-0001 was served before",
  ]);
  story.requests.pop();
  expect(syntSummary(story, figures as SyntFigures, policyWith({}))).not.toContain("due for");
});
