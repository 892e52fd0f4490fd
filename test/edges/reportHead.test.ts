import { describe, expect, it } from "vitest";
import type { ReportInput } from "../../src/edges/report/reportInput.ts";
import type { SimulateOptions } from "../../src/run/simulate.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import type { Input, Provider } from "../../src/substrate/port.ts";
import { observe } from "../builtIn.ts";
import { reportHead, reportJson } from "../builtInRuns.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { syntScenario } from "../syntWorld.ts";

/** A run of this scenario, as its report is told of it. */
function played(scenario: ReportInput["scenario"], options: SimulateOptions = {}): ReportInput {
  const deliveries: Delivery[] = [];
  const inputs: Input[] = [];
  const observed = observe(scenario, {
    ...options,
    onDelivery: (one) => deliveries.push(one),
    onInput: (one) => inputs.push(one),
  });
  return {
    ...{ scenario, called: scenario.name, seed: options.seed ?? scenario.seed, observed },
    ...{ deliveries, inputs, providers: {}, explanations: [], counterfactuals: [], bundle: null },
  };
}

const small = (...changes: readonly [string, string][]) =>
  parseScenario(
    changes.reduce((text, [from, to]) => text.replaceAll(from, to), smallScenario),
    "small.yaml",
  );

describe("what a scenario is for", () => {
  const WHY = "> Somebody writes a page every now and then.";

  it("[VB27] is marked as what it sets out to show, and the run says whether it did", () => {
    const head = reportHead(played(small()));

    expect(head).toContain(`What this scenario sets out to show:\n\n${WHY}\n\n`);
    expect(head).toContain("In this run its one expectation was met.");
    expect(head).not.toContain("This run was changed");
  });

  it("[VB27] a run under another seed, policy, end or model says that it was changed", () => {
    const head = (given: Partial<ReportInput>, options: SimulateOptions = {}) =>
      reportHead({ ...played(small(), options), ...given });

    expect(head({}, { seed: 5 })).toContain("own values in brackets: seed 5 (1).");
    expect(head({}, { set: { "planner.heartbeatMs": 7_000 } })).toContain(
      "own values in brackets: planner.heartbeatMs=7000 (6000).",
    );
    expect(head({}, { untilMs: 540_000 })).toContain("own values in brackets: an earlier end.");
    expect(head({ providers: { "port/llm.chat": "live: tiny of Ollama" } })).toContain(
      "own values in brackets: at port/llm.chat: live: tiny of Ollama.",
    );
    expect(
      head({ providers: { a: "a recording; what it lacks: scripted", b: "a recording" } }),
    ).toContain("own values in brackets: a recording answered.");
  });

  it("[VB27] a run that went otherwise says so, and names what was not met", () => {
    const head = reportHead(played(small(["value: 1, at: end", "value: 999, at: end"])));

    expect(head).toContain(
      "This run went otherwise. Expectations not met, 1 of 1: something was done.",
    );
  });

  it("[VB27] a variant has an intention of its own; a run cut short shows a part at most", () => {
    const variant = played(small(), { variant: "silent" });

    expect(reportHead(variant)).toContain(
      "What this variant sets out to show:\n\n> Nobody thinks of anything.",
    );
    for (const outcome of ["interrupted", "limit:envelopes", "waiting"] as const) {
      const result = { ...variant.observed.result, outcome };
      expect(reportHead({ ...variant, observed: { ...variant.observed, result } })).toContain(
        "did not come to its end, so it shows a part of that at most",
      );
    }
  });
});

describe("a world of which nothing came", () => {
  const first = (input: ReportInput) => reportHead(input).split("\n# ")[0];

  it("[VB30] says nothing of the kind when a goal was completed", () => {
    expect(reportHead(played(small()))).toMatch(/^# small/);
    expect(reportJson(played(small()))).toMatchObject({ nothingCameOf: [] });
  });

  it("[VB30] says first that an artifact lies where agents may not write", () => {
    const input = played(small(["/agentOS/workspace/{n}.md", "/agentOS/agents/{n}.md"]));

    expect(first(input)).toMatch(
      /^\*\*Nothing came of what the agents did: none of \d+ goals was completed\.\*\*\n/,
    );
    expect(first(input)).toContain("steps failed: PermissionError: /agentOS/agents/ is read-only.");
    expect(reportJson(input)).toMatchObject({
      nothingCameOf: [{ what: expect.stringContaining("Nothing came") }],
    });
  });

  it("[VB30] says that nothing fills a place, and that no tool serves a step", () => {
    const place = played(small(['path: "{artifact}"', 'path: "/agentOS/workspace/{topic}.md"']));
    const step = played(small(["write file", "paint fresco"], ["read the file contents", "hum"]));

    expect(first(place)).toMatch(/- \{topic\} stands in \d+ paths and nothing fills it\./);
    expect(first(step)).toMatch(/- (\d+) steps, none served\./);
    expect(first(step)).toContain('failed: no capability matches the intent "…"');
  });

  it("[VB30] says that no answer of the model was usable, how many there were, and why", () => {
    const mute: Provider = {
      answer: () => ({ event: { type: "llm.replied", text: "Hello!" }, latencyMs: 1_000 }),
    };
    const input = played(small(), { ports: { "port/llm.chat": mute }, untilMs: 60_000 });

    expect(first(input)).toMatch(
      /- \d+ answers, 0 usable: no JSON object for goal\.choose \(\d+\), /,
    );
  });

  it("[VB30] says of synt that no turn was answered and no request granted, with the reasons", () => {
    const text = first(played(syntScenario("synt-day-lock")));

    expect(text).toContain(
      "**Nothing came of what the user wanted: none of 4 turns was answered.**",
    );
    expect(text).toContain("- 2 requests, abandoned: locked until 2026-06-06T08:00:15.000Z");
    expect(text).toContain(
      "**Nothing came of what synt was asked: none of 4 requests was granted.**",
    );
  });
});

describe("the model of a run", () => {
  it("[VB32] a scripted one is named so, with its calls and how many were usable", () => {
    expect(reportHead(played(small()))).toMatch(
      /The scripted model was asked \d+ times: (\d+) answers, \1 usable \(100 %\)/,
    );
  });

  it("[VB32] a live one is named, with tokens as its server counted them and what was not usable", () => {
    let count = 0;
    const half: Provider = {
      answer: () => ({
        event: { type: "llm.replied", text: count++ % 2 === 0 ? '{"action":"rest"}' : "Hm." },
        latencyMs: 1_000,
        usage: { model: "tiny:1b", promptTokens: 100, answerTokens: 7, wallMs: 5, stop: "stop" },
      }),
    };
    const ports = { "port/llm.chat": half };
    const input = played(small(), {
      ...{ ports, untilMs: 90_000 },
      set: { "planner.fallback": false },
    });

    const [, asked, answered, usable] =
      /tiny:1b was asked (\d+) times: (\d+) answers, (\d+) usable/
        .exec(reportHead(input))
        ?.map(Number) ?? [];
    expect(asked).toBeGreaterThan(5);
    expect(usable).toBe(Math.ceil((answered ?? 0) / 2));
    expect(reportHead(input)).toContain(
      `Its server counted ${(answered ?? 0) * 100} tokens of prompts and ${(answered ?? 0) * 7} of answers.`,
    );
    expect(reportHead(input)).toMatch(/Not usable: \d+ to goal\.choose \(no JSON object\)\./);
    expect(reportJson(input)).toMatchObject({ model: { answered, by: { "tiny:1b": answered } } });
  });
});

it("[VB32] failures are counted, and so is what is still open", () => {
  let count = 0;
  const gone: Provider = {
    answer: () =>
      count++ < 2
        ? { event: { type: "llm.failed", error: "gone" }, latencyMs: 1_000 }
        : { event: { type: "llm.replied", text: "Hm." }, latencyMs: 3_600_000 },
  };

  expect(
    reportHead(played(small(), { ports: { "port/llm.chat": gone }, untilMs: 30_000 })),
  ).toMatch(
    /The scripted model was asked (\d+) times: 0 answers, 0 usable, 2 failed \(gone: 2\), \d+ still open/,
  );
});

it("[VB33] what goes before everything else is the first line of a report", () => {
  const lead = "**This replay was changed.**";
  const head = reportHead({ ...played(small()), lead });

  expect(head.split("\n")[0]).toBe(lead);
});
