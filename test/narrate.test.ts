import { expect, it } from "vitest";
import { MEASURED } from "../src/machines/suffering/stressorRules.ts";
import { narrate } from "../src/narrate.ts";
import { delivery, felt } from "./handLog.ts";

const to = "stressor/cedar/futility";
const said = (event: { readonly type: string; readonly [field: string]: unknown }, whom = to) =>
  narrate(delivery({ seq: 2, to: whom, event }));

it("[VB12] has words for every value a stressor is told, whichever way it goes", () => {
  for (const type of Object.keys(MEASURED)) {
    const none = said({ type, stuckCycles: 0, idleCycles: 0, barrenCycles: 0, along: 0, calm: 0 });
    const some = said({ type, stuckCycles: 3, idleCycles: 3, barrenCycles: 5, along: 3, calm: 1 });

    expect(none).toMatch(/\.$/);
    expect(some).toMatch(/\.$/);
  }
});

it("[VB12] says a change of a stressor once, to the one who feels it", () => {
  expect(narrate(felt(2, 1_000))).toBe("cedar felt repeated_failure.");
  expect(narrate(felt(2, null))).toBe("cedar was relieved of repeated_failure.");
  expect(narrate(felt(2, 1_000, { to: "engine" }))).toBeNull();
});

it("[VB12] says what was dropped, locked, judged and reset", () => {
  expect(said({ type: "place.answered", granted: true })).toBeNull();
  expect(said({ type: "place.answered", granted: false })).toContain("no room");
  const locked = { type: "capability.locked", agent: "vault", capability: "fs_write" };
  expect(said({ ...locked, load: 760_000 })).toBe(
    "vault wanted fs_write, and its load of 0.76 refused it.",
  );
  const judged = { type: "plan.judged", agent: "vault", opinion: "Tools lie" };
  expect(said({ ...judged, contradicts: true })).toContain('"Tools lie"');
  expect(said({ ...judged, contradicts: false })).toBeNull();
  expect(said({ type: "crisis.reset", agent: "vault" }, "agent/vault")).toContain("vault");
  expect(said({ type: "crisis.reset", agent: "vault" })).toBeNull();
});

it("[VB12] says under what load a goal was looked for, once a prompt speaks of it", () => {
  const stressors = [{ type: "stagnation" }, { type: "futility" }];
  const view = { purpose: "goal.choose", agent: "vault", load: 400_000, stressors };

  expect(said({ type: "llm.asked", view: { ...view, level: "prominent" } })).toBe(
    "vault looked for a goal under a load of 0.40: stagnation, futility.",
  );
  expect(said({ type: "llm.asked", view: { ...view, level: "calm" } })).toBeNull();
  expect(said({ type: "llm.asked" })).toBeNull();
});

it("[VB12] says what the model saw in a message and in a plan, and what it told a tool", () => {
  const replied = (answer: object) => ({ type: "llm.replied", text: JSON.stringify(answer) });
  const agent = "agent/vault";

  expect(said(replied({ threat: true }), agent)).toContain("a threat in what it heard");
  expect(said(replied({ threat: false }), agent)).toContain("no threat");
  expect(said(replied({ contradicts: "Tools lie" }), agent)).toContain("against one of its own");
  expect(said(replied({ contradicts: null }), agent)).toContain("along with its opinions");
  expect(said({ type: "llm.replied", text: "Ask a person." }, "engine")).toBe(
    'The model said: "Ask a person."',
  );
});
