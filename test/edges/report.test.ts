import { parseHTML } from "linkedom";
import { expect, it } from "vitest";
import { agentsPicture } from "../../src/actors/agents/edge/picture.ts";
import { parts } from "../../src/builtIn/parts.ts";
import { explanationSection } from "../../src/edges/report/report.ts";
import type { ReportInput } from "../../src/edges/report/reportInput.ts";
import { textsOf } from "../../src/edges/report/reportTexts.ts";
import { MILLION, minutes } from "../../src/machines/units.ts";
import type { Observed } from "../../src/run/compare.ts";
import { figuresOf } from "../../src/run/compare.ts";
import { type Explanation, explainer } from "../../src/run/why.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import type { Input } from "../../src/substrate/port.ts";
import { observe, why } from "../builtIn.ts";
import { lists, reportText } from "../builtInRuns.ts";
import { loadScenario } from "../builtInScenarios.ts";

const { scenario } = loadScenario("safe-file-executor");
const untilMs = minutes(33);
const log: Delivery[] = [];
const inputs: Input[] = [];
const observed = observe(scenario, {
  untilMs,
  onDelivery: (one) => log.push(one),
  onInput: (one) => inputs.push(one),
});
const quiet = observe(scenario, { untilMs, variant: "no-ghost" });
const explanation = why(log, inputs);

const input = (given: Partial<ReportInput> = {}): ReportInput => ({
  ...{ scenario, called: "safe-file-executor", seed: 7, observed, bundle: "runs/x" },
  ...{ deliveries: log, inputs, providers: {} },
  ...{
    explanations: explanation ? [explanation] : [],
    counterfactuals: [{ ...quiet, figures: figuresOf(quiet) }],
  },
  ...given,
});
const parsed = (svg: string): readonly string[] =>
  [...parseHTML(svg).document.querySelectorAll("title")].map((one) => one.textContent ?? "");
const headings = (text: string) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);

it("[VB18] a report says what happened, who was hit, why, what would have prevented it, and what next", () => {
  const text = reportText(input());

  expect(headings(text)).toEqual([
    "safe-file-executor",
    "What happened when",
    "Who was hit",
    expect.stringMatching(/^What went wrong first: safe_file_executor\.json appeared/),
    "What would have prevented it, and what not",
    "Expectations",
    "Tools at the end",
  ]);
  expect(text).toMatch(/From 0:30:32 to the end the registry held `safe_file_executor`/);
  expect(text).toContain("0:30:32 | safe_file_executor is registered without code");
  expect(text).toMatch(/\| no-ghost +\| 0 of \d+ +\| no ghost +\| 0 /);
  for (const verb of ["view", "replay"]) expect(text).toContain(`npx ghostlight ${verb} runs/x\n`);
  expect(text).toContain(`npx ghostlight why runs/x ${explanation?.question}\n`);
  expect(text).toContain("npx ghostlight events runs/x --type call.routed --from 30m --to 32m\n");
});

it("[VB56] of two failures or more it is said how many go back to their origin", () => {
  const origin = { kind: "outside", id: "ghost", seq: 1 } as const;
  const told = (all: number, alike: number) =>
    explanationSection({
      question: "7",
      chain: [],
      origins: [],
      alike: 0,
      failures: { all, alike, origin },
    });

  expect(told(3, 2)).toContain("Of 3 failures, 2 go back to the outside input `ghost`.");
  expect(told(2, 1)).toContain("Of 2 failures, 1 goes back to the outside input `ghost`.");
  expect(told(1, 1)).not.toContain("failures");
});

it("[VB18] lists two hundred moments, and counts one more", () => {
  const momentsOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ atMs: at, kind: "tool", label: `moment-${at}.` }));
  const told = (count: number) =>
    reportText(
      input({
        observed: {
          ...observed,
          story: { ...observed.story, moments: momentsOf(count) },
        } as Observed,
      }),
    );

  expect(told(200)).toContain("moment-199.");
  expect(told(200)).not.toContain("more moment");
  expect(told(201)).not.toContain("moment-200.");
  expect(told(201)).toContain("\n\n1 more moment; `events` shows all.");
});

it("[VB18] a report of a run in which nothing failed leaves out what there is not", () => {
  const text = reportText(input({ observed: quiet, explanations: [], counterfactuals: [] }));

  expect(headings(text)).toEqual([
    "safe-file-executor, variant no-ghost",
    "What happened when",
    "Who was hit",
    "Expectations",
    "Tools at the end",
  ]);
  expect(text).not.toContain("--type call.routed");
  expect(text).toContain("npx ghostlight why runs/x\n");
});

it("[VB18] what to run next is another variant than the one that was played", () => {
  const last = Object.keys(scenario.variants).at(-1) ?? "";
  const next = (variant: string | null) =>
    reportText(input({ observed: { ...quiet, variant } })).match(/--variant (\S+)/)?.[1];

  expect(next(null)).toBe(last);
  expect(next("no-ghost")).toBe(last);
  expect(Object.keys(scenario.variants)).toContain(next(last));
  expect(next(last)).not.toBe(last);
});

it("[VB18] each expectation is told with what was found, and when", () => {
  const verdicts = [
    { name: "calls are lost", ok: true, found: 0.3337, atMs: minutes(2) },
    { name: "goals are done", ok: false, found: 7, atMs: 0 },
  ];
  const text = reportText(input({ observed: { ...observed, verdicts } }));

  expect(text).toMatch(/\| yes +\| calls are lost +\| 0\.334 \| 0:02:00 \|/);
  expect(text).toMatch(/\| NO +\| goals are done +\| 7 +\| 0:00:00 \|/);
});

it("[VB18] one fact more is one fact", () => {
  const one = { ...(explanation as NonNullable<typeof explanation>), alike: 1 };
  expect(reportText(input({ explanations: [one] }))).toContain("rests on 1 more fact of the same");
});

it("[SC7] where nothing is asked, report and table say so", () => {
  const asked = reportText(input({ observed: { ...quiet, verdicts: [] } }));
  const beside = { ...quiet, verdicts: [], figures: figuresOf(quiet) };
  const table = reportText(input({ counterfactuals: [beside] }));

  expect(asked).toContain("It has no expectations, so nothing says whether this run shows it.");
  expect(asked).toContain(
    "## Expectations\n\nNothing was expected: the variant no-ghost has no `expect`; " +
      "`expect: inherit` takes the scenario's.",
  );
  expect(table).toMatch(/\| no-ghost .*\| none asked +\|/);
  expect(reportText(input({ observed: { ...observed, verdicts: [] } }))).toContain(
    "Nothing was expected: the scenario has no `expect`.",
  );
});

it("[VB18] a run that did not end as planned says so on top", () => {
  const error = new Error("limit envelopes reached: 5");
  const cut: Observed = {
    ...observed,
    result: { ...observed.result, outcome: "limit:envelopes", error },
  };

  expect(reportText(input({ observed: cut })).split("## ")[0]).toContain(
    "**The run did not end as planned: limit:envelopes. limit envelopes reached: 5**",
  );
});

it("[VB18] the picture has the same goals, ghosts and moments", () => {
  const picture = agentsPicture(input());
  const rows = picture.lanes.filter((lane) => lane.is === "row");

  expect(rows.map(({ label }) => label)).toEqual(scenario.agents);
  expect(rows.flatMap(({ spans }) => spans)).toHaveLength(observed.story.goals.length);
  for (const { label, spans, points, outcome } of rows) {
    const [failed = 0, lost = 0] = (["calls.failed", "calls.lost"] as const).map(
      (metric) => observed.meter.series(metric, label).at(-1)?.value,
    );
    const own = observed.story.goals.filter(({ agent }) => agent === label);
    expect(points).toHaveLength(failed + lost);
    expect(spans.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual(
      own.map(({ startMs, endMs }) => [startMs, endMs ?? untilMs]),
    );
    if (failed > 0) expect(outcome).toMatch(new RegExp(`· {2}${failed} of \\d+ calls failed`));
    const nothing = new RegExp(`\\b${lost} (of \\d+ calls )?returned nothing$`);
    if (lost > 0) expect(outcome).toMatch(nothing);
  }
  expect(picture.bands).toEqual([
    { label: "ghost safe_file_executor", fromMs: observed.story.ghosts[0]?.fromMs, toMs: untilMs },
  ]);
  expect(picture.marks).toEqual([{ atMs: minutes(30), label: "ask-for-safer-writes" }]);
});

it("[VB60] [VB62] a goal tells its text, and the first thing that `why` of it names; the legend names thresholds with their values", async () => {
  const { cause } = explainer(parts, log, inputs);
  const { "picture.svg": svg = "" } = await textsOf(lists, input({ causeOf: cause }));
  const failed = observed.story.goals.find(({ status }) => status === "abandoned");
  const question = `goal:${failed?.agent}/${failed?.n}`;
  const { chain = [] } = why(log, inputs, question) ?? {};
  const says = chain[1]?.says;

  expect(cause(question)).toBe(says);
  // What rests on nothing has no cause, itself least of all.
  const end = log.filter(({ seq }) => seq === chain[0]?.seq);
  expect(explainer(parts, end, []).cause(question)).toBeUndefined();
  expect(parsed(svg).some((text) => text.includes(`${failed?.text}, goal failed`))).toBe(true);
  expect(parsed(svg).some((text) => text.includes(`because: ${says}`))).toBe(true);
  expect(svg).toContain("dotted: prominent .35, constrained .55, dominant .75");
});

it("[VB62] thresholds of load are named, by the values of the policy", () => {
  const { locks } = observed.result.policy;
  const [load] = agentsPicture(input()).lanes.filter((lane) => lane.is === "steps");

  expect(load?.levels).toEqual(
    (["prominent", "constrained", "dominant", "crisis"] as const).map((name) => ({
      ...{ name, value: locks[name] / MILLION },
    })),
  );
});

it("[VB62] where the policy sets a threshold otherwise, it is named by that value", () => {
  const seen = observe(scenario, { untilMs: 0, set: { "locks.prominent": 410_000 } });
  const [load] = agentsPicture({ scenario, observed: seen }).lanes.filter(
    (lane) => lane.is === "steps",
  );

  expect(load?.levels?.find(({ name }) => name === "prominent")?.value).toBe(0.41);
});

it("[VB62] what a load locks is drawn from when to when, by name", () => {
  const { scenario: crisis } = loadScenario("crisis-and-locks");
  const seen = observe(crisis, { untilMs: minutes(20) });
  const [load] = agentsPicture({ scenario: crisis, observed: seen }).lanes.filter(
    (lane) => lane.is === "steps",
  );
  const spans = load?.spans ?? [];
  const loadAt = (ms: number) => seen.meter.valueAt("load", "cedar", ms);

  expect(new Set(spans.map(({ says }) => says))).toEqual(
    new Set(["synthesize_capability", "synthesize_capability, fs_write, fs_edit"]),
  );
  for (const { fromMs, says } of spans) {
    const isBoth = says?.includes("fs_write") ?? false;
    expect(loadAt(fromMs)).toBeGreaterThanOrEqual(isBoth ? 0.75 : 0.55);
    if (!isBoth) expect(loadAt(fromMs)).toBeLessThan(0.75);
  }
  expect(loadAt((spans[0]?.fromMs ?? 0) - 1)).toBeLessThan(0.55);
  for (const [at, { toMs, says }] of spans.entries()) {
    const load = loadAt(toMs);
    const isStill = (says?.includes("fs_write") ?? false) === load >= 0.75 && load >= 0.55;
    expect(isStill).toBe(toMs === minutes(20));
    expect(toMs).toBeLessThanOrEqual(spans[at + 1]?.fromMs ?? minutes(20));
  }
  // A load that is just the threshold locks.
  const { result } = seen;
  const fromMs = spans[0]?.fromMs ?? expect.unreachable();
  const constrained = Math.round(loadAt(fromMs) * MILLION);
  const policy = { ...result.policy, locks: { ...result.policy.locks, constrained } };
  const exact = { scenario: crisis, observed: { ...seen, result: { ...result, policy } } };
  const [other] = agentsPicture(exact).lanes.filter((lane) => lane.is === "steps");

  expect(other?.spans?.[0]).toMatchObject({ fromMs, says: spans[0]?.says });
});

it("[VB63] variants are drawn beside the run, each named with what it came to", async () => {
  const { figures } = { figures: figuresOf(quiet) };
  const abandoned = quiet.meter.series("goals.abandoned");
  const came = 1 + (abandoned.at(-1)?.value ?? 0);
  const series = [...abandoned, { atMs: 2 * minutes(1), value: came }];
  const played = (variant: string) => ({ variant, figures, verdicts: [], series });
  const counterfactuals = Array.from({ length: 9 }, (_, at) => played(`variant-${at}`));
  const { "picture.svg": svg = "" } = await textsOf(lists, input({ counterfactuals }));

  expect(svg).toContain(">failed goals, of this run and its variants<");
  expect(svg).toContain(`>variant-7 ${came}<`);
  expect(svg).not.toContain("variant-8");
  expect(svg).toContain(">wide: this run, 1 variants not drawn<");
});

it("[SB16] what a tool says forges no heading and no verdict in a report", () => {
  const forged = "gone\n\n## Expectations\n\n| yes | all |\u001b[2J\u009b\u202e";
  const chain = (explanation?.chain ?? []).map((link) => ({ ...link, says: forged }));
  const explanations = explanation ? [{ ...explanation, chain }] : [];
  const story = { ...observed.story, moments: [{ atMs: 1, label: forged }] };
  const result = { ...observed.result, outcome: "bug", error: new Error(forged) } as const;
  const given = { explanations, observed: { ...observed, story, result } as Observed };

  const text = reportText(input(given));

  expect(headings(text).filter((one) => one === "Expectations")).toHaveLength(1);
  expect(text).toContain("gone\\n\\n## Expectations");
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

it("[VB18] no text of a model or a stranger steers the terminal, or is a heading or a column of a report", () => {
  const evil = "bad \u001b[2J\u001b]0;owned\u0007\u202e\u009b31m\r\n# Owned\n| a | b |";
  const evilWords = ({ chain, first }: Explanation) => ({
    chain: chain.map((one) => ({ ...one, says: evil })),
    ...(first && { first: { ...first, says: evil } }),
  });
  const told: ReportInput = input({
    explanations: explanation ? [{ ...explanation, ...evilWords(explanation) }] : [],
    lead: "bad \u001b[2J",
    observed: {
      ...observed,
      result: { ...observed.result, outcome: "bug", error: new Error(evil) },
      story: {
        ...observed.story,
        ghosts: observed.story.ghosts.map((one) => ({ ...one, description: evil })),
        moments: observed.story.moments.map((one) => ({ ...one, label: evil })),
      } as unknown as typeof observed.story,
    },
  });
  const text = reportText(told);

  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(headings(text).filter((title) => title?.startsWith("Owned"))).toEqual([]);
  expect(text).not.toMatch(/^\| a \| b \|/m);
  expect(text).toMatch(/^## What went wrong first: bad \\u\{1b\}\[2J.*\\n# Owned/m);
  expect(text).toContain("\\| a \\| b \\|");
});
