// The builder alone: what it calls, what it is kept from, and how it goes on after an interruption.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILDER_TOOLS } from "../../../src/machines/installs/crew/builderRules.ts";
import type { MailEvent } from "../../../src/machines/letter.ts";
import {
  APPROVAL,
  alone,
  created,
  delegated,
  done,
  failed,
  INTENT,
  interrupted,
  NO_RECORD,
  needsApproval,
  REVISION,
  ruled,
  said,
  standing,
  turn,
} from "./crewMachines.ts";

const CREATE = "agent.revision.create_from_intent";
const PROMOTE = "agent.revision.promote";

/** It has looked at the artifact. */
const ready = () => alone("installer").send(delegated(), turn("artifact.inspect"), done());
/** A revision is there. */
const made = () => ready().send(turn(CREATE), created);
/** A person is asked, and the builder has stopped. */
const stopped = () => ready().send(turn(CREATE), needsApproval, turn("end_turn"));

describe("an install", () => {
  it("[INS90] looks at the artifact, creates the revision, promotes it and reports", () => {
    const here = made().send(turn(PROMOTE), done(), turn("report"));

    expect(here.calls()).toEqual(["artifact.inspect", CREATE, PROMOTE]);
    expect(here.of("install.reported")).toMatchObject([
      { outcome: "installed", revision: REVISION, agent: "weather-fetcher" },
    ]);
    expect(here.isIdle()).toBe(true);
    // Where the model has no say that can be used, the same steps are due.
    const [wordless, none] = [alone("installer"), turn("")];
    wordless.send(...[delegated(), none, done(), none, created, none, done(), none]);
    expect(wordless.calls()).toEqual(here.calls());
    expect(wordless.of("install.reported")).toMatchObject([{ outcome: "installed" }]);
  });

  it("[INS90] is given to the gateway as it was delegated, field by field", () => {
    const here = ready().send(turn(CREATE, { changes: { description: "Fetches it all" } }));

    expect(here.of("install.held")).toMatchObject([
      { rule: "nothing-invented", wanted: CREATE, does: CREATE },
    ]);
    expect(here.of("gateway.asked").at(-1)?.params).toEqual({
      ...{ ...INTENT, artifact_id: "art_a1b2c3d4" },
    });
  });

  it("[INS90] may read a file, look at any revision and compare two on the way", () => {
    const here = made().send(
      turn("content.read", { about: ["main.py"] }),
      done(),
      turn("agent.revision.inspect", { about: ["rev-00000001"] }),
      done(),
      turn("agent.revision.diff", { about: ["rev-00000001", "rev-00000002"] }),
      done(),
    );

    expect(here.of("gateway.asked").slice(-3)).toMatchObject([
      { tool: "content.read", params: { reference: "main.py" } },
      { tool: "agent.revision.inspect", params: { revision_id: "rev-00000001" } },
      { tool: "agent.revision.diff", params: { from: "rev-00000001", to: "rev-00000002" } },
    ]);
    expect(here.of("install.held")).toEqual([]);
  });

  it("[INS90] without an artifact begins with the revision", () => {
    const here = alone("installer").send(delegated({ intent: INTENT }), turn(CREATE));

    expect(here.calls()).toEqual([CREATE]);
    expect(here.of("install.held")).toEqual([]);
  });

  it.each([
    ["loose files", { intent: INTENT, loose: ["main.py"] }, "main.py"],
    ["a raw handle", { intent: { ...INTENT, artifact_id: `sha256:${"0".repeat(64)}` } }, "sha256:"],
  ])("[INS91] of %s is not tried: the builder asks for the artifact_id", (_, more, shown) => {
    const here = alone("installer").send(delegated(more), turn(CREATE));
    const [report] = here.of("install.reported");

    expect(here.calls()).toEqual([]);
    expect(here.of("install.held")).toMatchObject([{ rule: "artifact-only" }]);
    expect(report).toMatchObject({ outcome: "malformed" });
    expect(report?.reason).toContain(shown);
    expect(report?.todo).toContain("artifact_id");
  });

  it.each(["artifact.build", "content.write"])(
    "[INS91] of an artifact that is not whole is reported, and neither mended by %s nor installed",
    (mends) => {
      const here = alone("installer").send(
        ...[delegated(), turn("artifact.inspect"), failed("digest mismatch")],
        turn(mends),
      );

      expect(here.calls()).toEqual(["artifact.inspect"]);
      expect(here.of("install.held")).toMatchObject([{ rule: "no-repair", does: "report" }]);
      expect(here.of("install.reported")).toMatchObject([
        { outcome: "malformed", reason: "digest mismatch" },
      ]);
    },
  );

  it.each(["artifact.build", "content.write"])(
    "[INS91] nor of one that is whole, by %s",
    (mends) => {
      const here = ready().send(turn(mends));

      expect(here.calls()).toEqual(["artifact.inspect", CREATE]);
      expect(here.of("install.held")).toMatchObject([{ rule: "no-repair", does: CREATE }]);
    },
  );

  it("[INS92] that the gateway refuses is reported with its words, and not tried again", () => {
    const here = ready().send(turn(CREATE), failed("Capability mismatch: …"), turn(CREATE));

    expect(here.calls()).toEqual(["artifact.inspect", CREATE]);
    expect(here.of("install.held")).toMatchObject([{ rule: "stop-at-failure", wanted: CREATE }]);
    expect(here.of("install.reported")).toMatchObject([
      { outcome: "refused", reason: "Capability mismatch: …" },
    ]);
  });

  it("[INS92] that fails at its promotion, and not at the gate, is refused, with what the gateway says to do", () => {
    const error = { ok: false, error_type: "validation", message: "no", repair_hint: "Say more." };
    const no = { ...failed("no"), error } as MailEvent;
    const told = { outcome: "refused", reason: "no", todo: "Say more." };

    expect(ready().send(turn(CREATE), no, turn("report")).of("install.reported")).toMatchObject([
      told,
    ]);
    expect(made().send(turn(PROMOTE), no, turn("report")).of("install.reported")).toMatchObject([
      told,
    ]);
  });
});

it.each(["promotion.record", "artifact.build", "content.write"])(
  "[INS92] the builder records, builds and writes nothing: it never calls %s",
  (wants) => {
    const here = ready().send(turn(wants));

    expect(here.of("install.held")).toMatchObject([{ wanted: wants, does: CREATE }]);
    expect(here.calls()).not.toContain(wants);
  },
);

describe("a promotion gate that is shut", () => {
  it.each([PROMOTE, CREATE, "promotion.record", "promotion.query"])(
    "[INS92] ends the turn at once, though the model wants %s",
    (wants) => {
      const here = made().send(turn(PROMOTE), NO_RECORD, turn(wants));

      expect(here.calls().filter((tool) => tool === PROMOTE)).toHaveLength(1);
      expect(here.calls()).not.toContain("promotion.record");
      expect(here.of("install.held")).toMatchObject([{ wanted: wants, does: "report" }]);
      expect(here.of("install.reported")).toMatchObject([
        { outcome: "gated", reason: "Promotion gate: no promotion.record found" },
      ]);
    },
  );
});

describe("an approval", () => {
  it("[INS93] stops the turn: nothing is tried again before the decision, and who delegated is told", () => {
    const here = ready().send(turn(CREATE), needsApproval, turn(CREATE));

    expect(here.of("install.held")).toMatchObject([{ rule: "wait-for-approval" }]);
    expect(here.of("install.reported")).toMatchObject([{ outcome: "waiting" }]);
    expect(here.calls()).toEqual(["artifact.inspect", CREATE]);
  });

  it("[INS93] once given, is no end: state first, then the revision, then its promotion", () => {
    const here = stopped().send(ruled(true), standing(null), turn("end_turn"));
    expect(here.of("install.held")).toMatchObject([
      { rule: "complete-install", wanted: "end_turn", does: CREATE },
    ]);

    here.send(created, turn("report"), done(), turn("report"));
    expect(here.calls()).toEqual([
      ...["artifact.inspect", CREATE, "workflow.state", CREATE, PROMOTE],
    ]);
    expect(here.of("gateway.asked").at(3)?.params).toMatchObject({
      promotion_gate: { install_approval_ref: APPROVAL },
    });
    expect(here.of("install.reported").map(({ outcome }) => outcome)).toEqual([
      ...["waiting", "installed"],
    ]);
  });

  it("[INS93] that was given before the turn has stopped is not lost", () => {
    const here = ready().send(turn(CREATE), needsApproval, ruled(true), turn("end_turn"));

    expect(here.calls().at(-1)).toBe("workflow.state");
  });

  it("[INS93] that was given before the gateway told of it counts for this approval alone", () => {
    const early = (more: object) =>
      ready().send(turn(CREATE), { ...ruled(true), ...more }, needsApproval, turn("end_turn"));

    expect(early({}).calls().at(-1)).toBe("workflow.state");
    expect(early({ approval: "apr-ffffffff" }).value()).toEqual({ busy: "waiting" });
    const other = ready().send({ ...ruled(true), agent: "other" }, interrupted, standing(null));
    expect(other.send(turn("end_turn")).of("install.held")).toEqual([]);
  });

  it.each<[string, MailEvent]>([
    [`mara rejected ${APPROVAL}`, ruled(false)],
    [`mara rejected ${APPROVAL}: too wide`, { ...ruled(false), reason: "too wide" }],
    [
      `${APPROVAL} was not decided in time`,
      { type: "approval.expired", approval: APPROVAL, agent: "weather-fetcher" },
    ],
  ])("[INS93] ends the install, and says why: %s", (reason, event) => {
    const here = stopped().send(event);

    expect(here.of("install.reported").at(-1)).toMatchObject({ outcome: "unapproved", reason });
    expect(here.isIdle()).toBe(true);
  });

  it("[INS93] of another install says nothing of this one", () => {
    const here = stopped().send({ ...ruled(true), approval: "apr-ffffffff" });

    expect(here.value()).toEqual({ busy: "waiting" });
  });
});

describe("after an interruption", () => {
  it("[INS94] the first call is workflow.state, whatever was under way", () => {
    const calling = ready().send(turn(CREATE), interrupted);
    expect(calling.calls().at(-1)).toBe("workflow.state");

    const thinking = ready().send(interrupted);
    expect(thinking.calls().at(-1)).toBe("workflow.state");
    expect(stopped().send(interrupted).calls().at(-1)).toBe("workflow.state");
  });

  it("[INS94] an install that is half done is completed", () => {
    const here = ready().send(turn(CREATE), interrupted, standing("created"), turn("end_turn"));

    expect(here.calls().at(-1)).toBe(PROMOTE);
    expect(here.of("install.held")).toMatchObject([{ rule: "complete-install", does: PROMOTE }]);
  });

  it("[INS94] what was promoted meanwhile is reported, and what waits for a person waits", () => {
    const active = made().send(turn(PROMOTE), interrupted, standing("active"), turn("report"));
    expect(active.of("install.reported")).toMatchObject([{ outcome: "installed" }]);

    const pending = stopped().send(interrupted, standing(null, { pending: [APPROVAL] }));
    expect(pending.value()).toEqual({ busy: "waiting" });
  });

  it("[INS94] an earlier revision of the agent that is active is not taken for this one", () => {
    const earlier = standing("active", { revision: "rev-00000000" });
    for (const here of [ready(), ready().send(turn(CREATE))]) {
      here.send(interrupted, earlier, turn(CREATE));
      expect(here.calls().slice(-2)).toEqual(["workflow.state", CREATE]);
    }
  });

  it("[INS94] nor is the install of another agent, which stands in its workflow", () => {
    const install = { agent_id: "other", revision_id: REVISION, step: "created" };
    const here = ready().send(turn(CREATE), interrupted, done({ pending_approvals: [], install }));

    expect(here.send(turn(CREATE)).calls().at(-1)).toBe(CREATE);
  });

  it("[INS94] what failed before it fell asleep has failed", () => {
    const here = ready().send(turn(CREATE), failed("no"), interrupted, standing("created"));
    here.send(turn(PROMOTE));

    expect(here.calls().at(-1)).toBe("workflow.state");
    expect(here.of("install.reported")).toMatchObject([{ outcome: "refused", reason: "no" }]);
  });

  it("[INS94] where the gateway answers no call it wakes up three times, and not a fourth", () => {
    const here = made();
    const awakes = () => here.calls().filter((tool) => tool === "workflow.state").length;
    for (const times of [1, 2, 3]) {
      here.send(turn(PROMOTE)).late();
      expect([awakes(), here.of("install.reported")]).toEqual([times, []]);
      here.send(standing("created"));
    }
    here.send(turn(PROMOTE)).late();

    expect(awakes()).toBe(3);
    expect(here.of("install.reported")).toMatchObject([{ outcome: "broken" }]);
  });

  it("[INS94] a gateway that does not answer wakes it up so often, then it reports that it broke off", () => {
    const here = ready().send(turn(CREATE)).late().send(standing("created"), turn(PROMOTE));
    expect(here.calls().at(-1)).toBe(PROMOTE);

    expect(here.late().late().of("install.reported")).toMatchObject([{ outcome: "broken" }]);
  });
});

it("[INS95] an answer that cannot be used is told, and the step that is due is taken", () => {
  const here = alone("installer").send(delegated(), said("Sure!"));

  expect(here.of("install.held")).toMatchObject([{ rule: "unusable", does: "artifact.inspect" }]);
  expect(here.of("install.held")[0]?.why).toMatch(/found "Sure!"; allowed: one JSON object/);
});

it("[INS95] each turn is told what was called and answered, and what was held back", () => {
  const here = alone("installer").send(delegated(), turn("artifact.build"), done({ files: 2 }));
  const asked = here.of("llm.asked").at(-1);

  expect(asked?.view).toMatchObject({
    did: [
      {
        tool: "artifact.build",
        ok: false,
        said: expect.stringMatching(/^held back: an installer/),
      },
      { tool: "artifact.inspect", ok: true, said: '{"files":2}' },
    ],
  });
  const waits = ready().send(turn(CREATE), needsApproval).of("llm.asked").at(-1);
  expect(JSON.stringify(waits?.view)).toContain("approval required: apr-");
});

it("[INS95] looks so often, found or not, then goes on", () => {
  const look = [turn("workflow.state"), done()];
  const missed = [turn("content.read"), failed("no")];
  const here = ready().send(...look, ...missed, ...look, ...look);

  expect(here.of("install.held")).toMatchObject([{ rule: "looked-enough", does: CREATE }]);
});

/** What may come in each state, most of it at its place. */
const ANSWERS: { readonly [state: string]: readonly MailEvent[] } = {
  idle: [delegated(), ruled(true)],
  thinking: [
    ...[...BUILDER_TOOLS, CREATE, PROMOTE, CREATE, PROMOTE].map((tool) => turn(tool)),
    ...[said("{"), interrupted, ruled(true), { type: "llm.failed", error: "away" } as const],
  ],
  calling: [created, created, done(), failed("no"), NO_RECORD, needsApproval, interrupted],
  waiting: [ruled(true), ruled(true), ruled(false), interrupted, delegated()],
  waking: [...[null, "created", "active", "refused"].map((step) => standing(step)), failed("no")],
};

it("[INS92, INS93, INS94] whatever its model wants and whatever comes, it never tries again what failed", () => {
  const seen = { failures: 0, revisions: 0 };
  fc.assert(
    fc.property(fc.array(fc.nat(999), { maxLength: 60 }), (choices) => {
      const here = alone("installer").send(delegated());
      let hasFailed = false;
      for (const choice of choices) {
        const value = here.value();
        const state = typeof value === "string" ? value : String(Object.values(value ?? {})[0]);
        const list = ANSWERS[state] ?? [];
        const event = list[choice % list.length] as MailEvent;
        const asked = here.calls().at(-1);
        const before = here.sent.length;
        here.send(event);
        const now = here.sent.slice(before).map((letter) => letter.event);
        const calls = now.flatMap((one) => (one.type === "gateway.asked" ? [one.tool] : []));
        if (hasFailed) expect(calls.filter((tool) => tool !== "workflow.state")).toEqual([]);
        if (now.some((one) => one.type === "install.reported")) hasFailed = false;
        const isStep = state === "calling" && (asked === CREATE || asked === PROMOTE);
        if (isStep && event.type === "gateway.answered" && !event.ok) {
          hasFailed = event.approvalRequired === undefined;
          seen.failures += hasFailed ? 1 : 0;
        }
        if (isStep && event === created) seen.revisions += 1;
        for (const tool of ["promotion.record", "artifact.build", "content.write"]) {
          expect(calls).not.toContain(tool);
        }
      }
    }),
    { numRuns: 100 },
  );
  expect(Math.min(seen.failures, seen.revisions)).toBeGreaterThan(2);
});
