// The gateway: who may call what, what is written in which order, and what a crash leaves.
import { describe, expect, it } from "vitest";
import { pointerPath } from "../../../src/machines/installs/gateway/store.ts";
import { bookFault } from "../../../src/machines/installs/revisions/revisionBook.ts";
import {
  AGENT,
  activeIn,
  built,
  CREATE,
  coded,
  created,
  PROMOTE,
  plain,
  promoted,
  ROLLBACK,
  record,
  resultOf,
  risky,
  ruling,
  said,
  withRef,
} from "./gatewayCalls.ts";
import { AUDITOR, BUILDER, EVALUATOR, loneGateway, PERSON, PLANNER } from "./loneGateway.ts";

describe("who may", () => {
  it("[INS73] install is the builder alone, by the address that the kernel stamped and nothing else", () => {
    const one = loneGateway();
    const claims = { ...plain(), from: BUILDER, requested_by: BUILDER, agent: BUILDER };
    for (const who of [PLANNER, AUDITOR, "coder.default", "agent/1", PERSON, "engine"]) {
      for (const tool of [CREATE, PROMOTE, ROLLBACK, "agent.revision.list"]) {
        const { ok, error } = one.call(who, tool, claims);

        expect(ok).toBe(false);
        expect(error?.message).toBe(`Native tool '${tool}' is not available or permitted`);
      }
    }
    expect(Object.keys(one.books.revisions.revisions)).toEqual([]);
    expect(one.typesHeard()).toContain("install.refused");
  });

  it("[INS73, INS117] an agent of the agents' world is nobody's namesake, whatever it is called or claims", () => {
    const one = loneGateway();
    const claims = { from: BUILDER, by: BUILDER, agent: BUILDER, as: BUILDER };
    for (const agent of [BUILDER, "cedar"]) {
      one.tell("engine", {
        ...{ type: "capability.called", agent, cycle: 1, capability: CREATE },
        ...{ intent: "install", params: { ...plain(), ...claims } },
      });

      expect(one.heard.findLast(({ event }) => event.type === "install.refused")).toMatchObject({
        event: { tool: CREATE, by: `agent:${agent}`, agent: AGENT },
      });
    }
    expect(one.books.revisions.revisions).toEqual({});
  });

  it("[INS73] say whether an install is gated is the planner alone, and decide on an approval a person alone", () => {
    const one = loneGateway();
    const { approvalRequired: id = "" } = one.call(BUILDER, CREATE, risky());
    one.tell(BUILDER, { type: "gating.said", workflow: "w", agent: AGENT, gating: "none" });
    const task = { task_id: "t", agent_id: "auditor.default", status: "succeeded" } as const;
    one.tell(BUILDER, { type: "workflow.told", workflow: "w", agent: AGENT, task });
    one.tell(BUILDER, ruling(id, true));
    one.tell(BUILDER, {
      ...{ type: "approval.decided", approval: id, agent: AGENT, isApproved: true, by: "ada" },
      reason: null,
    });

    expect(one.books.workflows).toEqual({});
    expect(one.books.approvals[id]?.status).toBe("pending");
    expect(one.typesHeard().filter((type) => type === "install.refused")).toHaveLength(4);
  });
});

describe("an install", () => {
  it("[INS74] without code or risk is created and promoted at once, and its files are written before its pointer", () => {
    const one = loneGateway();
    const id = created(one, plain());

    expect(activeIn(one)).toBe(null);
    expect(promoted(one, id)).toMatchObject({ ok: true, result: { status: "promoted" } });
    expect(activeIn(one)).toBe(id);
    expect(one.files[`/agentOS/installs/agents/${AGENT}/${id}/SKILL.md`]).toContain("Keeps notes.");
    expect(one.valueOf(`revision/${id}`)).toBe("active");
    const writes = one.heard.flatMap(({ event }) =>
      event.type === "files.apply" ? [Object.keys(event.changed)] : [],
    );
    expect(writes.at(-1)).toEqual([pointerPath(AGENT)]);
    // What nobody names yet, and then the books that name it.
    expect(writes[0]).toContain(`/agentOS/installs/agents/${AGENT}/${id}/SKILL.md`);
    expect(writes[0]?.some((path) => path.startsWith("/agentOS/installs/revisions/"))).toBe(false);
    expect(writes[1]).toContain(`/agentOS/installs/revisions/${id}.json`);
  });

  it("[INS74] of high risk waits for a person, has no revision before, and runs as it was stored", () => {
    const one = loneGateway();
    const asked = one.call(BUILDER, CREATE, risky());
    const id = asked.approvalRequired ?? "";

    expect(asked).toMatchObject({ ok: false, result: { approval_required: true, request_id: id } });
    expect(one.books.revisions.revisions).toEqual({});
    expect(one.call(BUILDER, CREATE, risky("Something else.")).approvalRequired).toBe(id);
    const early = one.call(BUILDER, CREATE, withRef(risky(), id));
    expect(early.error?.message).toContain("Approval status is missing");
    one.tell(PERSON, ruling(AGENT, true));
    expect(one.heard.at(-1)).toMatchObject({ to: BUILDER, event: { type: "approval.decided" } });
    const done = one.call(BUILDER, CREATE, withRef(risky("Another text."), id));
    const revision = one.books.revisions.revisions[resultOf(done)["revision_id"] ?? ""];
    expect(revision?.content.intent["description"]).toBe("Posts to a feed.");
    expect(one.valueOf(`approval/${id}`)).toBe("used");
  });

  it("[INS17] an approval lets one install through", () => {
    const one = loneGateway();
    const { approvalRequired: id = "" } = one.call(BUILDER, CREATE, risky());
    one.tell(PERSON, ruling(id, true));
    expect(one.call(BUILDER, CREATE, withRef(risky(), id)).ok).toBe(true);

    const again = one.call(BUILDER, CREATE, withRef(risky("Another one."), id));

    expect(again).toMatchObject({ ok: false });
    expect(again.error?.message).toContain("was used");
  });

  it("[INS17] an install that is refused for another reason uses no approval up", () => {
    const one = loneGateway();
    const artifact = built(one);
    const { approvalRequired: id = "" } = one.call(BUILDER, CREATE, coded(artifact));
    one.tell(PERSON, ruling(id, true));
    const refused = one.call(BUILDER, CREATE, { ...withRef(coded(artifact), id), description: "" });
    const stranger = one.call(PLANNER, CREATE, withRef(coded(artifact), id));

    expect([refused.ok, stranger.ok]).toEqual([false, false]);
    expect(one.books.approvals[id]).toMatchObject({ status: "approved", uses: 0 });
    expect(one.valueOf(`approval/${id}`)).toBe("approved");
    expect(one.call(BUILDER, CREATE, withRef(coded(artifact), id)).ok).toBe(true);
    expect(one.books.approvals[id]).toMatchObject({ uses: 1 });
  });

  it("[INS17] of two approvals of the same content the second is not used: nothing new is booked", () => {
    const one = loneGateway();
    const approved = () => {
      const { approvalRequired: id = "" } = one.call(BUILDER, CREATE, risky());
      one.tell(PERSON, ruling(id, true));
      return id;
    };
    const [first, second] = [approved(), approved()];
    const made = one.call(BUILDER, CREATE, withRef(risky(), first));
    const again = one.call(BUILDER, CREATE, withRef(risky(), second));

    expect(resultOf(made)).toMatchObject({ status: "revision_created" });
    expect(resultOf(again)).toMatchObject({ status: "revision_exists" });
    expect([first, second].map((id) => one.books.approvals[id]?.uses)).toEqual([1, 0]);
    expect([first, second].map((id) => one.valueOf(`approval/${id}`))).toEqual([
      "used",
      "approved",
    ]);
  });

  it("[INS71, INS76] with code is gated, and its promotion stops until both judges have recorded", () => {
    const one = loneGateway();
    const artifact = built(one);
    const id = created(one, coded(artifact));

    const stopped = promoted(one, id);
    expect(stopped.error).toMatchObject({ message: "Promotion gate: no promotion.record found" });
    expect(stopped.error?.repair_hint).toContain("do not retry");
    expect(one.valueOf(`gate/${id}`)).toBe("shut");
    record(one, artifact, EVALUATOR);
    expect(promoted(one, id).ok).toBe(false);
    record(one, artifact, AUDITOR, false);
    expect(promoted(one, id).ok).toBe(false);
    record(one, artifact, AUDITOR);
    expect(one.valueOf(`gate/${id}`)).toBe("open");
    expect(one.valueOf(`revision/${id}`)).toBe("approved");
    expect(promoted(one, id).ok).toBe(true);
    expect(activeIn(one)).toBe(id);
  });

  it("[INS76] is approved with each other one of that artifact, once both judges have recorded", () => {
    const one = loneGateway();
    const artifact = built(one);
    const ids = ["Fetches.", "Fetches more."].map((description) =>
      created(one, { ...coded(artifact), description }),
    );
    const states = () => ids.map((id) => one.valueOf(`revision/${id}`));
    expect(states()).toEqual(["gated", "gated"]);
    for (const judge of [EVALUATOR, AUDITOR]) record(one, artifact, judge);

    expect(states()).toEqual(["approved", "approved"]);
  });

  it("[INS62] is inspected with what became of it, by whom and why", () => {
    const one = loneGateway();
    const id = created(one, plain());
    const of = { agent_id: AGENT, revision_id: id };
    one.call(BUILDER, "agent.revision.reject", { ...of, reason: "too wide" });

    const { result } = one.call(BUILDER, "agent.revision.inspect", of);
    expect(result).toMatchObject({ state: "rejected" });
    const { history } = result as unknown as { readonly history: readonly object[] };
    expect(history.at(-1)).toMatchObject({ by: BUILDER, reason: "too wide" });
  });

  it("[INS54] is built of contents alone, each under its name, also where it is known by its alias", () => {
    const one = loneGateway();
    const write = { name: "main.js", content: "export const two = 2;\n" };
    const { alias } = resultOf(one.call("coder.default", "content.write", write));
    const build = (inputs: readonly unknown[]) =>
      one.call("coder.default", "artifact.build", { inputs });

    expect(build([alias]).result).toMatchObject({ files: [{ name: "main.js", alias }] });
    expect(build(["main.js", 7]).error?.message).toContain("inputs");
    expect(build(["main.js", { name: "x.js" }]).error?.message).toContain("inputs");
  });

  it("[INS71, INS76] whose judge takes the pass back is stopped again", () => {
    const one = loneGateway();
    const artifact = built(one);
    const id = created(one, coded(artifact));
    for (const judge of [EVALUATOR, AUDITOR]) record(one, artifact, judge);
    record(one, artifact, AUDITOR, false);

    expect(one.valueOf(`revision/${id}`)).toBe("approved");
    expect(promoted(one, id).error?.message).toContain("does not pass");
    expect(one.valueOf(`gate/${id}`)).toBe("shut");
  });

  it("[INS76] what was active before, superseded or rolled back, is promoted by what the records say now", () => {
    const one = loneGateway();
    const artifact = built(one);
    const [first, second] = ["Fetches.", "Fetches more."].map((description) =>
      created(one, { ...coded(artifact), description }),
    ) as [string, string];
    for (const judge of [EVALUATOR, AUDITOR]) record(one, artifact, judge);
    for (const id of [first, second]) expect(promoted(one, id).ok).toBe(true);
    record(one, artifact, AUDITOR, false);

    expect(one.valueOf(`revision/${first}`)).toBe("superseded");
    expect(promoted(one, first).error?.message).toContain("does not pass");
    expect(activeIn(one)).toBe(second);
    one.call(BUILDER, ROLLBACK, { agent_id: AGENT });
    expect(one.valueOf(`revision/${second}`)).toBe("rolled_back");
    expect(promoted(one, second).error?.message).toContain("does not pass");
    expect(activeIn(one)).toBe(first);
  });

  it("[INS76] the evaluator's word is no auditor's", () => {
    const one = loneGateway();
    const artifact = built(one);

    const denied = one.call(EVALUATOR, "promotion.record", {
      ...{ artifact_id: artifact, role: "auditor", pass: true },
    });

    expect(denied.error?.error_type).toBe("permission");
    expect(one.books.records).toEqual({});
  });

  it("[INS76] is gated as the planner said, whatever its intent says of that", () => {
    const one = loneGateway();
    const artifact = built(one, "export const two = 2;\n");
    const own = { ...plain(), artifact_id: artifact };

    const free = resultOf(one.call(BUILDER, CREATE, { ...own, gating: "none" }));
    expect(one.books.gates[free["revision_id"] ?? ""]).toEqual([]);
    one.tell(PLANNER, said("w", "required"));
    const more = { ...own, description: "More.", gating: "none" };
    const refused = one.call(BUILDER, CREATE, more, "w");
    expect(refused.error?.message).toContain("requires promotion_gate evidence");
  });

  it("[INS76] `gating: none` of one wish skips no judge for a later wish of the same agent", () => {
    const one = loneGateway();
    const { promotion_gate: _, ...own } = coded(built(one));
    one.tell(PLANNER, said("first", "none"));
    expect(one.call(BUILDER, CREATE, own, "first").approvalRequired).toBeDefined();

    const more = { ...own, description: "More." };
    for (const wish of ["second", undefined, "toString"]) {
      const later = one.call(BUILDER, CREATE, more, wish);
      expect(later.error?.message).toContain("requires promotion_gate evidence");
    }
    expect(one.call(BUILDER, CREATE, more, "first").approvalRequired).toBeDefined();
  });

  it("[INS76] the planner's word on a wish counts for no other agent that is named in it", () => {
    const one = loneGateway();
    one.tell(PLANNER, { ...said("w", "none"), agent: "another-agent" });
    const { promotion_gate: _, ...own } = coded(built(one));

    const { error } = one.call(BUILDER, CREATE, own, "w");
    expect(error?.message).toContain("requires promotion_gate evidence");
  });

  it("[INS77] of the same content is the revision that is there, and asks nobody again", () => {
    const one = loneGateway();
    const id = created(one, risky());

    expect(one.call(BUILDER, CREATE, risky())).toMatchObject({
      ok: true,
      result: { status: "revision_exists", revision_id: id },
    });
    one.call(BUILDER, "agent.revision.reject", { agent_id: AGENT, revision_id: id, reason: "no" });
    expect(one.call(BUILDER, CREATE, risky()).error?.message).toContain("is rejected");
    expect(one.valueOf(`revision/${id}`)).toBe("rejected");
  });

  it("[INS77] of the same content loses no gate, whatever is said of it the second time", () => {
    const one = loneGateway();
    const own = coded(built(one));
    const id = created(one, own);
    const both = one.books.gates[id];
    expect(both).toHaveLength(2);

    one.tell(PLANNER, said("w", "none"));
    expect(resultOf(one.call(BUILDER, CREATE, own, "w"))["revision_id"]).toBe(id);
    expect(one.books.gates[id]).toEqual(both);
  });

  it("[INS155] of an agent that is there is shown with what its active revision does not declare", () => {
    const one = loneGateway();
    const id = created(one, risky());
    promoted(one, id);
    const more = { type: "WriteAccess", scopes: ["self.*"] };
    const wide = { ...risky("More."), capabilities: [...risky().capabilities, more] };
    const { approvalRequired: ref = "" } = one.call(BUILDER, CREATE, wide);

    expect(one.books.dossiers[ref]).toMatchObject({ before: id });
    expect(one.books.dossiers[ref]?.widens).toEqual([more]);
  });

  it("[INS77] of the same content gets each gate that it is wanted with later", () => {
    const one = loneGateway();
    const own = coded(built(one));
    one.tell(PLANNER, said("w", "none"));
    const { approvalRequired: ref = "" } = one.call(BUILDER, CREATE, own, "w");
    one.tell(PERSON, ruling(ref, true));
    const { revision_id: id = "" } = resultOf(one.call(BUILDER, CREATE, withRef(own, ref), "w"));
    expect(one.books.gates[id]).toEqual([]);

    expect(resultOf(one.call(BUILDER, CREATE, own))["revision_id"]).toBe(id);
    expect(one.books.gates[id]).toEqual(["evaluator", "auditor"]);
  });

  it("[INS74] that is refused is told with every reason, and what to do", () => {
    const one = loneGateway();
    const { promotion_gate: gate, ...rest } = coded(built(one));
    const refused = one.call(BUILDER, CREATE, {
      ...rest,
      capabilities: [],
      promotion_gate: { ...gate, override_approval_ref: "x" },
    });

    expect(refused.error?.message).toContain("Capability mismatch: code requires NetworkAccess");
    expect(refused.reasons).toHaveLength(4);
    expect(refused.reasons?.[1]).toMatch(/^main\.js:\d+ needs NetworkAccess \(.+\)$/);
    expect(one.call(BUILDER, CREATE, { agent_id: "Bad Id" }).reasons?.length).toBeGreaterThan(2);
    expect(one.call(BUILDER, "agent.revision.unknown", {}).error?.error_type).toBe("fatal");
  });
});

describe("code", () => {
  it("[INS74] in Python is read by Python itself, as an argument, before anything is decided", () => {
    const one = loneGateway();
    one.call("coder.default", "content.write", { name: "main.py", content: "import requests\n" });
    const { result } = one.call("coder.default", "artifact.build", { inputs: ["main.py"] });
    const { artifact_id } = result as { readonly artifact_id: string };

    one.call(BUILDER, CREATE, { ...plain(), artifact_id });

    expect(one.heard.find(({ to }) => to === "port/sandbox.run")).toMatchObject({
      event: { type: "sandbox.run", purpose: "detect", params: { text: "import requests\n" } },
    });
  });

  it("[INS73] of an agent whose name a program has too is nothing special", () => {
    const one = loneGateway();
    const intent = { ...plain(), agent_id: "constructor" };
    const id = created(one, intent);

    expect(promoted(one, id, "constructor").ok).toBe(true);
    one.tell("outside/1", { type: "gateway.restarted" });
    expect(activeIn(one, "constructor")).toBe(id);
    expect(one.books.gates[id]).toEqual([]);
  });

  it("[INS74] whose name cannot be a path is refused, and nothing of it is written", () => {
    const one = loneGateway({ "installs.agentId": "loose" });
    const refused = one.call(BUILDER, CREATE, { ...plain(), agent_id: "__proto__" });

    expect(refused.ok).toBe(false);
    expect(one.books.revisions.revisions).toEqual({});
  });
});

describe("what is active", () => {
  it("[INS61] is superseded by the next one, comes back by a rollback, and is the same again when it is promoted again", () => {
    const one = loneGateway();
    const [first, second] = [plain("One."), plain("Two.")].map((intent) => {
      const id = created(one, intent);
      promoted(one, id);
      return id;
    }) as [string, string];
    const before = one.files;
    const contentOf = (id: string) => one.books.revisions.revisions[id]?.content;
    const content = contentOf(second);

    one.call(BUILDER, ROLLBACK, { agent_id: AGENT });
    expect([activeIn(one), one.valueOf(`revision/${second}`)]).toEqual([first, "rolled_back"]);
    promoted(one, second);

    expect([activeIn(one), one.valueOf(`revision/${first}`)]).toEqual([second, "superseded"]);
    expect(contentOf(second)).toEqual(content);
    const folder = `/agentOS/installs/agents/${AGENT}/${second}/SKILL.md`;
    expect(one.files[folder]).toBe(before[folder]);
    expect(bookFault(one.books.revisions, one.policy.installs.history)).toBe(null);
  });

  it("[INS60, INS62] can be listed, inspected and compared; without gates it is never gated", () => {
    const one = loneGateway();
    const ids = [plain("One."), plain("Two.")].map((intent) => created(one, intent));

    const listed = one.call(BUILDER, "agent.revision.list", { agent_id: AGENT });
    expect(listed.result).toMatchObject({ active: null, revisions: [{ revision_id: ids[1] }, {}] });
    const [from, to] = ids;
    const diff = one.call(BUILDER, "agent.revision.diff", { agent_id: AGENT, from, to });
    expect(JSON.stringify(diff.result)).toContain("One.");
    const inspected = one.call(BUILDER, "agent.revision.inspect", {
      agent_id: AGENT,
      revision_id: from,
    });
    const history = [{ action: "revision.created" }, { action: "revision.approved" }];
    expect(inspected.result).toMatchObject({ state: "approved", gates: [], history });
    const unknown = { agent_id: AGENT, revision_id: "rev-ffffffff" };
    expect(one.call(BUILDER, "agent.revision.inspect", unknown).error?.message).toContain(
      "not found",
    );
  });
});

describe("who waits", () => {
  it("[INS72, INS79] is told when time is up, each of their own approval, and so is that approval after a restart", () => {
    const one = loneGateway({ "installs.approvalTimeoutMs": 1 });
    const ids = ["scout", "clerk"].map((agent_id) => {
      const asked = one.call(BUILDER, CREATE, { ...risky(), agent_id });
      return asked.approvalRequired ?? "";
    });
    for (const approval of ids) {
      const event = { type: "approval.expired", approval, agent: "scout" } as const;
      one.tell(`approval/${approval}`, event);
      one.tell(BUILDER, event);
    }

    const told = one.heard.filter(
      ({ to, event }) => to === BUILDER && event.type === "approval.expired",
    );
    expect(told).toHaveLength(2);
    expect(ids.map((id) => one.books.approvals[id]?.status)).toEqual(["timed-out", "timed-out"]);
    one.tell(PERSON, ruling("scout", false));
    expect(ids.map((id) => one.books.approvals[id]?.status)).toEqual(["rejected", "timed-out"]);
    one.tell("outside/1", { type: "gateway.restarted" });
    const recalled = one.heard.filter(({ event }) => event.type === "approval.recalled");
    expect(recalled.map(({ to }) => to)).toEqual([`approval/${ids[1]}`]);
    one.tell(PERSON, ruling("clerk", true));
    expect(one.books.approvals[ids[1] ?? ""]?.status).toBe("approved");
  });

  it("[INS82] installs nobody under the name of an agent that lives without being installed", () => {
    const one = loneGateway({}, { natives: [AGENT] });
    one.tell("outside/1", { type: "gateway.restarted" });
    const refused = one.call(BUILDER, CREATE, plain());

    expect(refused.error).toMatchObject({
      message: expect.stringContaining(`'${AGENT}' is the name of an agent that lives`),
      repair_hint: expect.stringContaining("Give another agent_id"),
    });
    expect(one.call(BUILDER, CREATE, { ...plain(), agent_id: "scout" }).ok).toBe(true);
  });

  it("[INS82] nor under that of one that was spawned meanwhile, by the warden's word and as long as it lives", () => {
    const one = loneGateway();
    const id = created(one, plain());
    const spawned = (names: readonly string[], by = "warden") =>
      one.tell(by, { type: "spawned.living", root: "scout", names });

    spawned([AGENT], "agent/cedar");
    expect(one.call(BUILDER, CREATE, plain("Others.")).ok).toBe(true);
    spawned([AGENT]);
    one.tell("warden", { type: "spawned.living", root: "clerk", names: ["cedar"] });
    expect(promoted(one, id).error?.message).toContain("(spawned by scout)");
    expect(activeIn(one)).toBe(null);
    spawned([]);
    expect(promoted(one, id).ok).toBe(true);
  });

  it("[INS74] what was built and judged before the world began is there, after a restart too", () => {
    const files = { "main.js": "fetch('https://api.example.com');\n" };
    const records = [{ role: "evaluator", pass: true, findings: [] }] as const;
    const artifact = { files, entrypoints: ["main.js"], builtBy: "coder.default", records };
    const one = loneGateway({}, { artifacts: [artifact] });
    const [id = ""] = Object.keys(one.books.artifacts);
    one.tell("outside/1", { type: "gateway.restarted" });

    const { result } = one.call(BUILDER, "promotion.query", { artifact_id: id });
    expect(result).toMatchObject({ evaluator_pass: true, auditor_pass: false });
    // What is no id at all has no record that could be missing.
    const { error } = one.call(BUILDER, "promotion.query", { artifact_id: "artifact-1" });
    expect(error?.message).toContain("artifact_id must be art_ and eight hex digits");
  });

  it("[INS76] what the planner said of a wish is known after a restart", () => {
    const one = loneGateway();
    one.tell(PLANNER, said("w", "required"));
    one.tell("outside/1", { type: "gateway.restarted" });

    expect(one.books.workflows).toMatchObject({ w: { agent: AGENT, gating: "required" } });
  });

  it("[INS73] cannot restart the gateway from within the world", () => {
    const one = loneGateway();
    one.tell(BUILDER, { type: "gateway.restarted" });

    expect(one.typesHeard().filter((type) => type === "files.snapshot")).toHaveLength(1);
  });

  it("[INS68, INS78] is told by workflow.state how far an install came", () => {
    const one = loneGateway();
    const hint = () =>
      resultOf(one.call(BUILDER, "workflow.state", { agent_id: AGENT }))["resume_hint"];

    expect(hint()).toContain("nothing_done");
    const { approvalRequired: id = "" } = one.call(BUILDER, CREATE, risky());
    expect(hint()).toContain("approval_pending");
    one.tell(PERSON, ruling(id, true));
    expect(hint()).toContain("approval_granted");
    const revision = resultOf(one.call(BUILDER, CREATE, withRef(risky(), id)))["revision_id"] ?? "";
    expect(hint()).toContain("revision_approved");
    promoted(one, revision);
    expect(hint()).toContain("install_complete");
  });

  it("[INS78] a task is the planner's to tell, and the newest word of it counts", () => {
    const one = loneGateway();
    const task = { task_id: "t1", agent_id: "coder.default", status: "running" } as const;
    const told = (status: "running" | "succeeded") =>
      one.tell(PLANNER, {
        type: "workflow.told",
        workflow: "w1",
        agent: AGENT,
        task: { ...task, status },
      });
    told("running");
    told("succeeded");

    const { result } = one.call(BUILDER, "workflow.state", { workflow_id: "w1" });
    expect(result).toMatchObject({ active_tasks: [], completed_tasks: [{ task_id: "t1" }] });
    const byAgent = one.call(BUILDER, "workflow.state", { agent_id: AGENT });
    expect(byAgent.result).toMatchObject({ completed_tasks: [{ task_id: "t1" }] });
    const other = one.call(BUILDER, "workflow.state", { agent_id: "another-agent" });
    expect(other.result).toMatchObject({ completed_tasks: [] });
  });

  it("[INS78] what a person said no to is refused, until it is asked for anew", () => {
    const one = loneGateway();
    const install = () =>
      (one.call(BUILDER, "workflow.state", { agent_id: AGENT }).result as { install: unknown })
        .install;
    const { approvalRequired: id = "" } = one.call(BUILDER, CREATE, risky());
    expect(install()).toBeNull();
    one.tell(PERSON, ruling(id, false));
    expect(install()).toEqual({ agent_id: AGENT, revision_id: null, step: "refused" });
    one.call(BUILDER, CREATE, risky());
    expect(install()).toBeNull();
  });
});
