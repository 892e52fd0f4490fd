// Turns: their guard, their continuation, and what one learns on waking up. SPEC: "Installing agents (seed 003)".
import { describe, expect, it } from "vitest";
import {
  callFailed,
  decidedTask,
  type LoopGuard,
  NO_LOOP,
  progressed,
  resumed,
  suspended,
  type TurnCall,
  turnBegun,
} from "../../../src/machines/installs/gateway/turns.ts";
import {
  type WorkflowFacts,
  workflowState,
} from "../../../src/machines/installs/gateway/workflows.ts";
import type { WorkflowTask } from "../../../src/machines/installs/mail.ts";
import { gatePolicy } from "./gateRules.ts";

const policy = { ...gatePolicy().loops, idleTurns: 3 };

function begun(guard: LoopGuard): LoopGuard {
  const turn = turnBegun(guard, policy);
  if ("tripped" in turn) throw new Error(turn.tripped);
  return turn.guard;
}

describe("the guard against loops", () => {
  it("[INS69] lets three turns without progress pass, and not the fourth; progress counts anew", () => {
    const third = begun(begun(begun(NO_LOOP)));

    expect(turnBegun(third, policy)).toEqual({
      tripped: "3 turns without progress: report to the planner and end the turn",
    });
    expect(begun(progressed(third)).turns).toBe(1);
  });

  it("[INS69] ends the turns after three failures in a row of the same call, not after two", () => {
    const twice = callFailed(callFailed(NO_LOOP, "promote", { a: 1, b: 2 }), "promote", {
      b: 2,
      a: 1,
    });

    expect(twice.failures).toBe(2);
    begun(twice);
    expect(turnBegun(callFailed(twice, "promote", { a: 1, b: 2 }), policy)).toMatchObject({
      tripped: expect.stringContaining("the same call failed 3 times in a row"),
    });
    begun(callFailed(twice, "promote", { a: 1 }));
    begun(callFailed(twice, "list", { a: 1, b: 2 }));
  });

  it("[INS69] progress elsewhere does not forget that the call fails", () => {
    const guard = progressed(callFailed(callFailed(NO_LOOP, "x", null), "x", null));

    expect(turnBegun(callFailed(guard, "x", null), policy)).toHaveProperty("tripped");
  });
});

describe("a turn that waits for an approval", () => {
  const call = (id: string): TurnCall => ({ id, tool: "t", args: { id } });
  const turn = {
    task: "t1",
    history: ["said"],
    done: [{ id: "1", result: "one" }],
    guard: NO_LOOP,
  };

  it("[INS69] stops at the call, and goes on with its real result and the calls behind it", () => {
    const waiting = suspended(turn, ["1", "2", "3"].map(call), {
      id: "2",
      request: "apr-00000001",
    });

    expect(waiting).toMatchObject({ approval: "apr-00000001", pending: { id: "2" } });
    expect(waiting === null ? null : resumed(waiting, { ok: true })).toEqual({
      results: [
        { id: "1", result: "one" },
        { id: "2", result: { ok: true } },
      ],
      next: [call("3")],
      history: ["said"],
      guard: NO_LOOP,
    });
    expect(suspended(turn, [call("1")], { id: "2", request: "apr-00000001" })).toBeNull();
  });

  it("[INS69] runs on when approved, fails when rejected, and fails when nobody decides in time, but may be approved late", () => {
    expect(decidedTask("approved")).toMatchObject({
      status: "runnable",
      event: "task.approved",
      isOver: false,
    });
    expect(decidedTask("rejected")).toMatchObject({
      ...{
        status: "failed",
        event: "task.rejected",
        checkpoint: "approval_resolved",
        isKept: false,
      },
    });
    expect(decidedTask("late")).toMatchObject({ status: "failed", isOver: true, isKept: true });
  });
});

describe("workflow.state", () => {
  const task = (
    agent_id: string,
    status: WorkflowTask["status"],
    artifact_id?: string,
  ): WorkflowTask => ({
    ...{ task_id: agent_id, agent_id, status },
    ...(artifact_id === undefined ? {} : { artifact_id }),
  });
  const facts = (changed: Partial<WorkflowFacts> = {}): WorkflowFacts => ({
    ...{ workflow_id: "w", tasks: [], pending_approvals: [], approved: [], install: null },
    ...changed,
  });
  const hint = (changed: Partial<WorkflowFacts>) =>
    workflowState(facts(changed)).resume_hint.split(":")[0];

  it("[INS68] tells what is done, what is open, and the newest artifact of each role", () => {
    const tasks = [
      task("coder.default", "succeeded", "art_00000001"),
      task("coder.default", "succeeded", "art_00000002"),
      task("coder.default", "failed", "art_00000003"),
      task("evaluator.default", "succeeded"),
      task("auditor.default", "running"),
    ];

    expect(workflowState(facts({ tasks }))).toMatchObject({
      workflow_status: "waiting_children",
      completed_tasks: tasks.slice(0, 4),
      active_tasks: tasks.slice(4),
      latest_artifact_by_role: { coder: "art_00000002" },
      reuse_guards: {
        ...{ has_coder_artifact: true, has_evaluator_result: true, has_auditor_result: false },
        ...{ pending_approvals: false, active_tasks_running: true },
      },
    });
  });

  it("[INS68] a task is open until it ended, and a judge that failed has no result", () => {
    const open = ["pending", "runnable", "running", "awaiting_approval", "paused", "aborting"];
    for (const status of open as WorkflowTask["status"][]) {
      expect(workflowState(facts({ tasks: [task("x", status)] })).active_tasks).toHaveLength(1);
    }
    const tasks = [task("evaluator.default", "failed"), task("auditor.default", "succeeded")];
    expect(workflowState(facts({ tasks }))).toMatchObject({
      ...{ active_tasks: [], completed_tasks: tasks },
      reuse_guards: { has_evaluator_result: false, has_auditor_result: true },
    });
  });

  it("[INS68] an approval is never the end: who wakes up waits for it, then goes on with the install", () => {
    const install = { agent_id: "a", revision_id: "rev-00000001", step: "created" as const };

    expect(hint({ pending_approvals: ["apr-1"], approved: ["apr-0"] })).toBe("approval_pending");
    expect(workflowState(facts({ pending_approvals: ["apr-1"] })).workflow_status).toBe(
      "blocked_approval",
    );
    expect(hint({ approved: ["apr-1"], install })).toBe("approval_granted");
    expect(hint({ install })).toBe("revision_created");
    expect(hint({ install: { ...install, step: "gated" } })).toBe("promotion_gated");
    expect(hint({ install: { ...install, step: "approved" } })).toBe("revision_approved");
    for (const step of ["active", "refused"] as const) {
      expect(workflowState(facts({ install: { ...install, step } })).workflow_status).toBe(
        "completed",
      );
    }
  });

  it("[INS68] the first hint that fits is given", () => {
    const coder = task("coder.default", "succeeded", "art_00000001");
    const both = [task("evaluator.default", "succeeded"), task("auditor.default", "succeeded")];

    expect(hint({})).toBe("nothing_done");
    expect(hint({ tasks: [coder] })).toBe("artifact_built");
    expect(hint({ tasks: [coder, ...both.slice(1)] })).toBe("artifact_built");
    expect(hint({ tasks: [coder, ...both] })).toBe("evaluation_complete");
    expect(hint({ tasks: [coder, ...both, task("x", "paused")] })).toBe("tasks_running");
  });
});
