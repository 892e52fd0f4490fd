// A world made of a recording: whether its agents still make the recorded calls, and what is said where they do not.
import { describe, expect, it } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import type { Scenario } from "../../../src/contract/scenario.ts";
import { unknownNotes as notesOf } from "../../../src/edges/report/unknownNotes.ts";
import { variantsOf } from "../../../src/edges/report/variantsTable.ts";
import { parseScenario } from "../../../src/edges/scenario/scenarioFile.ts";
import { figuresOf } from "../../../src/run/compare.ts";
import { leftRecording } from "../../../src/run/leftRecording.ts";
import { unknownNotes } from "../../../src/studies/found.ts";
import { outcomesOf } from "../../../src/studies/outcomes/outcomesOf.ts";
import type { RunFacts, Study } from "../../../src/studies/study.ts";
import type { SweepRun } from "../../../src/studies/sweepSummary.ts";
import { observe } from "../../builtIn.ts";
import { answered, called, made, said } from "./worlds.ts";

const paying = [
  said("Pay 42 to A-17."),
  ...called("look", { at: "A-17" }, "open"),
  ...called("pay", { amount: 42 }, "Error: too late"),
  ...called("pay", { amount: 42 }, '{"paid":42}'),
  answered("Done."),
];

const left = (scenario: Scenario, variant: string | null = null) =>
  leftRecording(builtIn.parts, observe(scenario, { variant }).meter);
/** The scenario of the log, with its text changed. */
async function changed(change: (text: string) => string) {
  const { text } = await made(paying);
  const other = change(text);
  expect(other).not.toBe(text);
  return parseScenario(builtIn, other, "world.yaml");
}

describe("a world of a recording", () => {
  it("[IM110] as it was made nobody leaves it: errors, lists and repeated calls are the recorded ones", async () => {
    const { scenario } = await made(paying);

    expect(scenario.model.recorded?.["assistant"]).toMatch(/^(?:[0-9a-f]{8} ?){3}$/);
    expect(left(scenario)).toBeNull();
  });

  it("[IM110] an agent leaves it with the first call that comes to something else, or is another", async () => {
    const { scenario } = await made(paying);
    const faults = [
      ...[{ id: "f", does: "nothing", tool: "look", perMille: 1_000, fromMs: 0, toMs: null }],
    ].map((one) => ({ ...one, times: null })) as unknown as NonNullable<Scenario["faults"]>;
    const other = await changed((text) => text.replaceAll("amount: 42", "amount: 43"));
    const stopped = left(scenario, "errors-stop");

    expect(left({ ...scenario, faults })?.agents).toEqual(["assistant"]);
    expect(left(other)?.agents).toEqual(["assistant"]);
    // The turn ended there, and no call was made that is another one.
    expect(stopped).toBeNull();
  });
});

describe("an agent that stops before its recording does", () => {
  it("[IM110] has not left it: no call was another one, and none is missing an answer", async () => {
    const { scenario } = await made(paying);
    const unasked = { ...scenario, events: [] };

    expect(left(scenario, "errors-stop")).toBeNull();
    // Nobody spoke to it.
    expect(left(unasked)).toBeNull();
    expect(observe(unasked).meter.finals()["recording.left"]).toEqual({ world: 0, assistant: 0 });
  });

  it("[IM110] has left it with its next call, which another one stood before", async () => {
    const { scenario } = await made([
      ...paying,
      said("Pay 7, too."),
      ...called("pay", { amount: 7 }, '{"paid":7}'),
    ]);

    expect(left(scenario)).toBeNull();
    expect(left(scenario, "errors-stop")?.agents).toEqual(["assistant"]);
  });

  it("[IM110] waits at the end for an answer that has not come, which is no other one", async () => {
    const { scenario } = await made(paying);
    const never = { id: "f", does: "never" as const, tool: "look", perMille: 1_000, fromMs: 0 };
    const faults = [{ ...never, toMs: null, times: null, byMs: null }];

    expect(left({ ...scenario, faults })).toBeNull();
    expect(observe({ ...scenario, faults }).meter.finals()["calls.finished"]).toMatchObject({
      world: 0,
    });
  });
});

it("[IM110, IM112] of several recordings it goes on with those alone in which all was the same before", async () => {
  const { scenario } = await made(paying);
  const [a, b, c] = String(scenario.model.recorded?.["assistant"]).split(" ");
  const leftOf = (...assistant: readonly string[]) =>
    left({ ...scenario, model: { ...scenario.model, recorded: { assistant } } });

  expect(leftOf("0 0 0", `${a} ${b} ${c}`)).toBeNull();
  expect(leftOf(`${a} 0 0`, `0 ${b} ${c}`)?.agents).toEqual(["assistant"]);
});

it("[IM111] it is said before all else of a run, and not of one that a live model goes on with", async () => {
  const { scenario } = await made(paying);
  const other = { ...scenario, model: { ...scenario.model, recorded: { assistant: "0" } } };
  const observed = observe(other);
  const said = (providers: { readonly [port: string]: string }) =>
    notesOf(builtIn.parts, { observed, providers });

  expect(said({})).toEqual([expect.stringContaining("assistant left its recording at ")]);
  expect(said({ "port/llm.chat": "live:ollama tiny" })).toEqual([]);
  const counterfactuals = [
    { variant: "x", figures: figuresOf(observed), verdicts: [], isUnknown: false },
  ];
  const compared = variantsOf(builtIn, { scenario: other, observed, counterfactuals });
  expect(compared?.rows[0]?.cells).toContainEqual(expect.stringMatching(/^unknown \(as played, /));
});

describe("a study of such worlds", () => {
  const study = {
    ...{ name: "s", factors: [], scenario: { name: "w", text: "" } },
    outcomes: [{ kind: "promise", name: "a", property: "p" }],
  } as unknown as Study;
  const facts = {
    ...{ outcome: "ended", virtualMs: 1, finals: {}, series: {}, tooLong: {} },
    promises: { p: null },
  } satisfies RunFacts;
  const run = (unknown?: string): SweepRun => ({
    ...{ point: 0, replicate: 0, seed: 1, variant: null, outcome: "ended" },
    ...outcomesOf(study, unknown === undefined ? facts : { ...facts, unknown }, {
      ...{ variant: null, set: {} },
    }),
  });

  it("[IM111] a run that left its recording has no value, and its share is told first, with the number of recordings", () => {
    const runs = [run(), run("assistant left the recording"), run(), run()];

    expect(runs.map(({ values }) => values["a"])).toEqual([1, null, 1, 1]);
    expect(runs[1]?.faults).toEqual(["Unknown: assistant left the recording."]);
    expect(unknownNotes(study, runs)).toEqual([
      expect.stringMatching(/^In 1 of 4 plays \(25 %\) an agent left its recording/),
      expect.stringMatching(/^n = 1 recording:/),
    ]);
    expect(unknownNotes({ ...study, recordings: 12 }, runs)[1]).toMatch(/^n = 12 recordings:/);
    expect(unknownNotes(study, [run()])).toEqual([]);
  });
});
