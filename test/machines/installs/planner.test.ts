// The planner alone: what it delegates, what it is kept from, and how it ends.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PLANS } from "../../../src/machines/installs/crew/crewModel.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import {
  ARTIFACT,
  alone,
  delivered,
  INTENT,
  judgement,
  plan,
  REVISION,
  report,
  said,
  wanted,
} from "./crewMachines.ts";

const SECURITY = { passed: true, threats_detected: [], remote_access_detected: true };
const CAPABILITY = {
  ...{ inferred_capabilities: ["NetworkAccess"], missing_capabilities: [] },
  ...{ declared_capabilities: ["NetworkAccess"], analysis_passed: true },
};

const built = () => alone("planner").send(wanted(), plan("build"), delivered());
const judged = () =>
  built().send(
    ...[plan("evaluate"), judgement("evaluator"), plan("audit")],
    judgement("auditor", { security: SECURITY, capability: CAPABILITY }),
  );

describe("a wish", () => {
  it("[INS96] is built, judged by whom the matrix names, installed, and closed", () => {
    const here = judged().send(plan("install"), report("installed"));
    const workers = here.sent.flatMap(({ to, event, ask }) =>
      ask !== undefined && event.type !== "llm.asked" ? [to] : [],
    );

    expect(workers).toEqual([
      ...["coder.default", "evaluator.default", "auditor.default"],
      "specialized_builder.default",
    ]);
    expect(here.of("install.planned").at(-1)?.gates).toEqual(["evaluator", "auditor"]);
    expect(here.of("install.closed")).toMatchObject([{ isInstalled: true, revision: REVISION }]);
    expect(here.isIdle()).toBe(true);
  });

  it("[INS96] is handed over with its artifact and with what the judges reported, and nothing else", () => {
    const [delegated] = judged().send(plan("install")).of("install.delegated");

    expect(delegated?.intent).toEqual({
      ...{ ...INTENT, artifact_id: ARTIFACT },
      promotion_gate: {
        ...{ evaluator_pass: true, auditor_pass: true },
        ...{ security_analysis: SECURITY, capability_analysis: CAPABILITY },
      },
    });
    // Of a judge who reported nothing, no pass is claimed.
    const half = built().send(plan("audit"), judgement("auditor"), plan("install"));
    expect(half.of("install.delegated")[0]?.intent["promotion_gate"]).toEqual({
      ...{ evaluator_pass: false, auditor_pass: true },
    });
  });

  it("[INS96] each decision is told with why: the model's word, or the rule it was kept by", () => {
    const here = alone("planner").send(wanted(), plan("build", { why: "none is there" }));
    expect(here.of("install.planned")).toMatchObject([{ next: "build", why: "none is there" }]);

    const kept = alone("planner").send(wanted(), plan("audit"));
    expect(kept.of("install.planned")).toMatchObject([{ why: "there is no artifact" }]);
  });

  it("[INS96] of an agent without code has no judge, and of a pure transform neither", () => {
    const reasons = alone("planner").send(wanted({ needsCode: false }), plan("install"));
    expect(reasons.of("install.planned")[0]?.gates).toEqual([]);

    const intent = { ...INTENT, capabilities: [{ type: "ReadAccess", scopes: ["self.*"] }] };
    const pure = alone("planner").send(wanted({ intent }), plan("build"), delivered());
    expect(pure.of("install.planned").at(-1)?.gates).toEqual([]);
  });

  it("[INS96] for which it says gating: none is told so to the gateway, and what its matrix says otherwise", () => {
    const here = built().send(plan("install", { gating: "none" }));

    expect(here.of("gating.said")).toEqual([
      { type: "gating.said", workflow: "weather", agent: "weather-fetcher", gating: "none" },
    ]);
    expect(here.of("install.planned").at(-1)).toMatchObject({
      gates: [],
      contradiction: expect.stringContaining("the matrix asks for evaluator, auditor"),
    });
  });

  it("[INS96] that nobody has built yet is handed over as loose files", () => {
    const here = alone("planner").send(wanted(), plan("install"));

    expect(here.of("install.delegated")[0]?.loose).toEqual([
      "files that coder.default has not built",
    ]);
  });
});

it("[INS96] no plan gives a wish another artifact: that is told, and the step stands", () => {
  const amend = { amend: { artifact_id: "art_ffffffff" } };
  const here = alone("planner").send(wanted({ needsCode: false }), plan("install", amend));

  expect(here.of("install.held")).toMatchObject([
    { rule: "same-agent", wanted: "amend artifact_id", does: "install" },
  ]);
  expect(here.of("install.delegated")[0]?.intent).toEqual(INTENT);
});

it("[INS97] a coder that does not answer has built once, too", () => {
  const here = alone("planner", { "installs.crew.builds": 1 }).send(wanted(), plan("build"));
  here.late().send(plan("build"));

  expect(here.of("install.held")).toMatchObject([{ rule: "built-enough", does: "stop" }]);
});

describe("a failure", () => {
  it("[INS97] is not delegated again while nothing is new", () => {
    const here = judged().send(plan("install"), report("refused", "no"), plan("install"));

    expect(here.of("install.held")).toMatchObject([{ rule: "nothing-changed", does: "stop" }]);
    expect(here.of("install.delegated")).toHaveLength(1);
    expect(here.of("install.closed")).toMatchObject([{ isInstalled: false }]);
  });

  it("[INS97] of the gate is mended by the judges, and of the intent by amending it", () => {
    const gated = built().send(plan("install"), report("gated", "no record"), plan("evaluate"));
    gated.send(judgement("evaluator"), plan("install"));
    expect(gated.of("install.delegated")).toHaveLength(2);

    const amend = { amend: { description: "Fetches it", agent_id: "other" } };
    const amended = judged().send(plan("install"), report("refused", "no"), plan("install", amend));
    expect(amended.of("install.delegated").at(-1)?.intent).toMatchObject({
      ...{ description: "Fetches it", agent_id: "weather-fetcher" },
    });
  });

  it("[INS97] is delegated again once another artifact is there, and not for the same once more", () => {
    const again = (artifact: string) =>
      judged()
        .send(plan("install"), report("refused", "no"), plan("build"), delivered(artifact))
        .send(plan("evaluate"), judgement("evaluator", { recorded: false }), plan("install"))
        .of("install.delegated").length;

    expect([again("art_ffffffff"), again("art_a1b2c3d4")]).toEqual([2, 1]);
  });

  it("[INS97] of an install that broke off is gone on with", () => {
    const here = judged().send(plan("install"), report("broken"), plan("install"));

    expect(here.of("install.delegated")).toHaveLength(2);
  });

  it("[INS97, INS99] of a judge, who passes and does not record, is no pass", () => {
    const here = built().send(plan("evaluate"), judgement("evaluator", { recorded: false }));
    const view = here.of("llm.asked").at(-1)?.view;

    expect(view).toMatchObject({ judges: { evaluator: "unrecorded", auditor: "open" } });
  });

  it("[INS99] of a judge, who has judged nothing, is asked for again", () => {
    const nothing = judgement("evaluator", { pass: false, recorded: false, isOpen: true });
    const here = built().send(plan("evaluate"), nothing);

    expect(here.of("llm.asked").at(-1)?.view).toMatchObject({ judges: { evaluator: "open" } });
  });

  it("[INS97] of a builder that waits for a person is none: the wish stays open", () => {
    const here = judged().send(plan("install"), report("waiting"));

    expect(here.value()).toBe("installing");
    expect(here.late().value()).toBe("thinking");
  });
});

it("[INS97] judges what is built anew from the start: a judgement is of one content", () => {
  const here = judged().send(plan("build"), delivered("art_ffffffff"));

  expect(here.of("llm.asked").at(-1)?.view).toMatchObject({
    judges: { evaluator: "open", auditor: "open" },
  });
});

it("[INS95] an answer of the planner's model that cannot be used is told, and the due step is taken", () => {
  const here = alone("planner").send(wanted(), said("Sure!"));

  expect(here.of("install.held")).toMatchObject([{ rule: "unusable", does: "build" }]);
  expect(here.of("install.held")[0]?.why).toMatch(/found "Sure!"; allowed: one JSON object/);
  expect(here.value()).toBe("building");
});

/** What may come in each state, most of it at its place. */
const ANSWERS: { readonly [state: string]: readonly MailEvent[] } = {
  idle: [wanted(), wanted({ needsCode: false })],
  thinking: [
    ...[...PLANS.filter((next) => next !== "stop"), "install"].map((next) => plan(next)),
    ...[plan("stop"), said("{"), plan("install", { amend: { summary: "again" } })],
    { type: "llm.failed", error: "away" },
  ],
  building: [delivered(), delivered(null), delivered("art_ffffffff")],
  judging: [
    ...[judgement("evaluator"), judgement("auditor"), judgement("evaluator", { pass: false })],
    ...[judgement("auditor", { recorded: false }), { type: "ask.bounced", address: "x" } as const],
  ],
  installing: [report("installed"), report("gated"), report("refused"), report("waiting")],
};

it("[INS97] a wish ends with the last decision that it may take, and not before", () => {
  const here = alone("planner", { "installs.crew.decisions": 3 }).send(wanted());
  for (const decision of [1, 2]) {
    here.send(plan("build"), delivered());
    expect(here.of("install.planned")).toHaveLength(decision);
    expect(here.of("install.closed")).toEqual([]);
  }

  here.send(plan("build"));

  expect(here.of("install.planned")).toHaveLength(3);
  expect(here.of("install.closed")).toMatchObject([{ isInstalled: false }]);
  expect(here.isIdle()).toBe(true);
});

it("[INS97] whatever its model wants, it decides so often and no more, and every wish ends once", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(999), { maxLength: 60 }), (choices) => {
      const here = alone("planner", { "installs.crew.decisions": 6 });
      let wishes = 0;
      for (const choice of choices) {
        const list = ANSWERS[String(here.value())] ?? [];
        const event = list[choice % list.length] as MailEvent;
        if (event.type === "install.wanted") wishes += 1;
        here.send(event);
      }
      const closed = here.of("install.closed").length;
      const planned = here.of("install.planned");

      expect(closed).toBe(here.isIdle() ? wishes : wishes - 1);
      expect(planned.length).toBeLessThanOrEqual(6 * wishes);
      expect(here.of("install.delegated").every(({ wish }) => wish === "weather")).toBe(true);
      // It never does the work of another.
      expect(here.calls()).toEqual([]);
    }),
    { numRuns: 80 },
  );
});
