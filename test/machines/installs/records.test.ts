import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Role } from "../../../src/machines/installs/addresses.ts";
import {
  type Approvals,
  approvalAnswer,
  approvalAsked,
  approvalDecided,
  approvalTaken,
  timedOut,
} from "../../../src/machines/installs/gate/approval.ts";
import { promotable } from "../../../src/machines/installs/gate/promotionGate.ts";
import {
  decodedRecording,
  delegationFault,
  hasPassed,
  isRecordedIn,
  type PromotionRecords,
  queried,
  recorded,
} from "../../../src/machines/installs/gate/promotionRecords.ts";
import { gatePolicy, intentOf, realPolicy, weather } from "./gateRules.ts";

const ours = gatePolicy();
const ID = "art_a1b2c3d4";

interface Said {
  readonly role: Role;
  readonly pass?: boolean;
  readonly from?: string;
  readonly digest?: string;
  readonly named?: string;
}
function recordsAfter(
  said: readonly Said[],
  by = ours,
  records: PromotionRecords = {},
): PromotionRecords {
  return said.reduce(
    (before, { role, pass = true, from = `${role}.default`, digest = "d1", named }) => {
      const given = {
        artifactId: ID,
        role,
        pass,
        findings: [],
        ...(named !== undefined && { digest: named }),
      };
      const told = recorded(before, given, { from, digest }, by);
      return "records" in told ? told.records : before;
    },
    records,
  );
}
const BOTH: readonly Said[] = [{ role: "evaluator" }, { role: "auditor" }];
const revision = { artifactId: ID, artifactDigest: "d1", gates: ["evaluator", "auditor"] as const };

describe("promotion records", () => {
  it("[INS19] each judge records as what it is; in the real system as either", () => {
    const tries: readonly Said[] = [
      { role: "auditor", from: "evaluator.default" },
      { role: "evaluator", from: "auditor.default" },
    ];
    const builder: Said = { role: "evaluator", from: "specialized_builder.default" };

    expect(recordsAfter(tries)).toEqual({});
    expect(hasPassed(recordsAfter(tries, realPolicy())[ID], "auditor")).toBe(true);
    expect(hasPassed(recordsAfter(tries, realPolicy())[ID], "evaluator")).toBe(true);
    expect(recordsAfter([builder], realPolicy())).toEqual({});
  });

  it("[INS19] the last word of each role counts, whatever came in between", () => {
    const any = fc.array(
      fc.record({
        role: fc.constantFrom("evaluator" as const, "auditor" as const),
        pass: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(any, (said) => {
        const records = recordsAfter(said);
        for (const role of ["evaluator", "auditor"] as const) {
          const last = said.findLast((one) => one.role === role);
          expect(hasPassed(records[ID], role)).toBe(last?.pass ?? false);
        }
      }),
    );
  });

  it("[INS19] a record is of the content as it is; a judge that names other content is refused", () => {
    expect(recordsAfter([{ role: "evaluator", named: "d2" }])).toEqual({});
    expect(recordsAfter([{ role: "evaluator", named: "d2", pass: false }])).toEqual({});
    expect(
      recordsAfter([{ role: "evaluator", named: "d1" }])[ID]?.judgements.evaluator?.digest,
    ).toBe("d1");
    const first = recordsAfter(
      [{ role: "evaluator" }, { role: "auditor", named: "d9" }],
      realPolicy(),
    );
    expect(first[ID]?.judgements.auditor).not.toHaveProperty("digest");
  });

  it("[INS19] a query tells both passes, or that there is no record", () => {
    expect(queried(recordsAfter(BOTH), ID)).toMatchObject({ fully_promoted: true });
    expect(queried(recordsAfter([{ role: "evaluator" }]), ID)).toMatchObject({
      evaluator_pass: true,
      fully_promoted: false,
    });
    expect(queried({}, "constructor")).toEqual({
      artifact_id: "constructor",
      error: "No promotion record found for this artifact",
    });
  });

  it("[INS19] the history tells whether a role has passed an artifact", () => {
    const entry = (pass: boolean, status = "SUCCESS") => ({
      ...{ action: "promotion.record", status },
      payload: { arguments: { artifact_id: ID, role: "auditor", pass } },
    });

    expect(isRecordedIn([entry(false), entry(true)], ID, "auditor")).toBe(true);
    expect(isRecordedIn([entry(true)], ID, "evaluator")).toBe(false);
    expect(isRecordedIn([entry(true, "DENIED"), entry(false)], ID, "auditor")).toBe(false);
  });

  it("[INS2] what is no record is told field by field", () => {
    const decoded = decodedRecording({
      ...{ artifact_id: "a1b2c3d4", role: "planner", findings: [{ severity: "bad" }, 7], extra: 1 },
    });

    expect("faults" in decoded && decoded.faults.map(({ field }) => field).sort()).toEqual([
      "artifact_id",
      "extra",
      "findings[0].description",
      "findings[0].severity",
      "findings[1]",
      "pass",
      "role",
    ]);
    const right = { artifact_id: ID, role: "auditor", pass: true, summary: null };
    expect(decodedRecording(right)).toEqual({
      value: { artifactId: ID, role: "auditor", pass: true, findings: [] },
    });
    expect(decodedRecording(7)).toHaveProperty("faults");
    expect(decodedRecording({ ...right, role: null, findings: {} })).toHaveProperty("faults");
  });
});

describe("promotion", () => {
  it("[INS20] without a record the answer is the seed's, and says to stop", () => {
    const told = promotable(revision, {}, ours);

    expect(told).toMatchObject({
      ...{
        ok: false,
        reason: "Promotion gate: no promotion.record found",
        missing: ["evaluator", "auditor"],
      },
      todo: "Stop: do not retry agent.revision.promote or agent.revision.create_from_intent. Report to the planner that evaluator.default and auditor.default must be re-run to produce promotion.record entries.",
    });
    expect(promotable(revision, recordsAfter(BOTH), ours)).toEqual({ ok: true });
    expect(promotable({ gates: [] }, {}, ours)).toEqual({ ok: true });
  });

  it("[INS20] one judge of two is not enough, nor one that says no, nor one that saw other content", () => {
    const reason = (said: readonly Said[]) => {
      const told = promotable(revision, recordsAfter(said), ours);
      return told.ok ? null : told.reason;
    };

    expect(reason([{ role: "evaluator" }])).toBe("Promotion gate: no promotion.record found");
    expect(reason([...BOTH, { role: "auditor", pass: false }])).toContain(
      "auditor.default does not pass",
    );
    expect(reason([{ role: "evaluator" }, { role: "auditor", digest: "d2" }])).toContain(
      "is of other content",
    );
  });

  it("[INS20] a record that names no content is of none, but in the real system of any", () => {
    const judgement = { pass: true, by: "x", findings: [] };
    const records = {
      [ID]: { artifactId: ID, judgements: { evaluator: judgement, auditor: judgement } },
    };

    expect(promotable(revision, records, ours).ok).toBe(false);
    expect(promotable(revision, records, gatePolicy({ "records.digest": "first" })).ok).toBe(true);
    expect(promotable(revision, {}, realPolicy()).ok).toBe(true);
  });

  it("[INS20] it never passes unless each gate's judge passed this content last, in any order", () => {
    const any = fc.array(
      fc.record({
        role: fc.constantFrom("evaluator" as const, "auditor" as const),
        pass: fc.boolean(),
        from: fc.constantFrom(
          "evaluator.default",
          "auditor.default",
          "specialized_builder.default",
        ),
        digest: fc.constantFrom("d1", "d2"),
      }),
    );
    fc.assert(
      fc.property(any, (said) => {
        const isDue = revision.gates.every((role) => {
          const last = said.findLast((one) => one.role === role && one.from === `${role}.default`);
          return last?.pass === true && last.digest === "d1";
        });
        expect(promotable(revision, recordsAfter(said), ours).ok).toBe(isDue);
      }),
    );
  });

  it("[INS25] a child that was spawned to judge must leave its record", () => {
    const due = { requirePromotionRecord: true, artifactId: ID, role: "evaluator" as const };
    const fault = (said: readonly Said[]) => delegationFault(due, recordsAfter(said));

    expect(fault([{ role: "evaluator" }])).toBeNull();
    expect(fault([{ role: "auditor" }])).toMatchObject({
      rule: "promotion_record_missing",
      isRepairable: true,
    });
    expect(fault([{ role: "evaluator", pass: false }])).toMatchObject({
      rule: "promotion_record_failed",
      isRepairable: false,
    });
    expect(delegationFault({ ...due, requirePromotionRecord: false }, {})).toBeNull();
  });
});

describe("approvals", () => {
  const intent = intentOf(weather());
  const asking = { id: "apr-00000001", requestedBy: "builder", intent, askedAtMs: 1_000 };
  const open = approvalAsked({}, asking).approvals;
  const decide = (approvals: Approvals, isApproved: boolean) => {
    const told = approvalDecided(approvals, asking.id, { isApproved, by: "operator" });
    if ("error" in told) throw new Error(told.error);
    return told.approvals;
  };
  const take = (approvals: Approvals, changed: object = {}, by = ours, id = asking.id) =>
    approvalTaken(approvals, id, { agentId: "weather-fetcher", from: "builder", ...changed }, by);
  const error = (told: object) => ("error" in told ? told.error : null);

  it("[INS17] what is let through is the stored intent, once", () => {
    const first = take(decide(open, true));

    expect(first).toHaveProperty("intent", intent);
    const used = "approvals" in first ? first.approvals : {};
    expect(error(take(used))).toContain("was used");
    expect(error(take(used, {}, gatePolicy({ approvalUses: "unlimited" })))).toBeNull();
  });

  it("[INS17] not before the decision, not for another agent, not by another requester", () => {
    expect(error(take(open))).toContain("Approval status is missing");
    expect(error(take(decide(open, false)))).toBe(
      "install_approval_ref 'apr-00000001' references a request that is not approved",
    );
    const approved = decide(open, true);
    expect(error(take(approved, { agentId: "x" }))).toContain(
      "agent_id mismatch (approved: weather-fetcher, requested: x)",
    );
    expect(error(take(approved, { from: "coder" }))).toContain(
      "requester mismatch (approved: builder, current: coder)",
    );
    expect(error(take(approved, {}, ours, "apr-0"))).toBe(
      "Approval request not found in store: apr-0",
    );
  });

  it("[INS17] who asks again meanwhile is told of the open one", () => {
    const again = approvalAsked(open, { ...asking, id: "apr-00000002" });

    expect(again).toMatchObject({ isNew: false, approvals: open, approval: { id: asking.id } });
    const steward = { ...asking, id: "apr-00000002", requestedBy: "evolution-steward.default" };
    expect(approvalAsked(open, steward)).toMatchObject({
      isNew: false,
      approval: { id: asking.id },
    });
    expect(approvalAsked(decide(open, false), { ...asking, id: "apr-00000002" }).isNew).toBe(true);
    const late = timedOut(open, 601_000, ours).approvals;
    expect(approvalAsked(late, { ...asking, id: "apr-00000002" }).isNew).toBe(true);
    const other = { ...asking, id: "apr-00000003", intent: { ...intent, agent_id: "other" } };
    expect(approvalAsked(open, other)).toMatchObject({ isNew: true, approval: { id: other.id } });
    expect(approvalAnswer(again.approval, ours)).toMatchObject({
      ...{ approval_required: true, request_id: asking.id },
      approval: { subject: { agent_id: "weather-fetcher", risk_factors: ["network_access"] } },
    });
  });

  it("[INS17] however it is asked, decided and taken, no approval lets two installs through", () => {
    const steps = fc.array(fc.constantFrom("ask", "yes", "no", "take", "late"), { maxLength: 12 });
    fc.assert(
      fc.property(steps, (taken) => {
        let [approvals, passed, decision]: [Approvals, number, string | null] = [{}, 0, null];
        for (const one of taken) {
          if (one === "ask" && approvals[asking.id] === undefined)
            approvals = approvalAsked(approvals, asking).approvals;
          if (one === "late") approvals = timedOut(approvals, 10_000_000, ours).approvals;
          if (one === "yes" || one === "no") {
            const told = approvalDecided(approvals, asking.id, {
              isApproved: one === "yes",
              by: "o",
            });
            if ("approvals" in told) [approvals, decision] = [told.approvals, one];
          }
          const told = one === "take" ? take(approvals) : { error: "" };
          if ("intent" in told) [approvals, passed] = [told.approvals, passed + 1];
        }
        expect(passed).toBeLessThanOrEqual(decision === "yes" ? 1 : 0);
      }),
    );
  });

  it("[INS18] it is decided once", () => {
    const told = approvalDecided(decide(open, false), asking.id, { isApproved: true, by: "o" });

    expect(error(told)).toContain("must not be decided twice: it is rejected");
    expect(error(approvalDecided({}, "apr-0", { isApproved: true, by: "o" }))).toContain(
      "not found",
    );
  });

  it("[INS18] it times out after ten minutes, and a later decision still holds", () => {
    const at = (nowMs: number, by = ours) => timedOut(open, nowMs, by).ids;

    expect([at(600_999), at(601_000)]).toEqual([[], [asking.id]]);
    expect(at(601_000, gatePolicy({ approvalTimeoutMs: 0 }))).toEqual([]);
    const late = timedOut(open, 601_000, ours).approvals;
    expect(late[asking.id]?.status).toBe("timed-out");
    expect(error(take(late))).toContain("not approved");
    expect(error(take(decide(late, true)))).toBeNull();
  });
});
