// Installs by live models: a whole one, and one broken answer of each. What else: installsLive.goldens.ts.

import { describe, expect, it } from "vitest";
import { ghostlight } from "../../cli/ghostlight.ts";
import { CODED, faithful, GATED, unrecorded } from "./installsPlayed.ts";

const PROMOTE = "agent.revision.promote";

describe("a live builder", () => {
  it("[INS90] [INS93] installs moltbook-ops by its answers, once a person has approved", async () => {
    const run = await faithful([{ agent: "moltbook-ops" }]);

    expect(run.outcomes).toEqual(["active"]);
    expect(run.of("install.held")).toEqual([]);
    expect(run.chats.map(({ name }) => name)).toEqual(["plan", ...Array(5).fill("turn")]);
    expect(run.of("approval.used")).toMatchObject([{ agent: "moltbook-ops" }]);
    expect(run.of("installed.born")).toMatchObject([{ agent: "moltbook-ops", fault: null }]);
    const [active] = run.of("revision.activated");

    // In another process, where no server is.
    const [replayed, why] = await Promise.all([
      ghostlight(["replay", run.folder]),
      ghostlight(["why", run.folder, `revision:${active?.revision}`]),
    ]);
    expect(replayed.stdout).toContain("replays exactly");
    expect(why.stdout).toMatch(/live:install\.turn\/\d/);
  });

  it("[INS92] does not promote again at a shut gate, and makes no record itself", async () => {
    const again = { tool: PROMOTE, why: "it may pass now" };
    const records = { tool: "promotion.record", why: "it is all that is missing" };
    const { outcomes, told, of } = await faithful([
      { ...CODED, agent: "retried", says: { ...unrecorded, turn: [...GATED, again] } },
      { ...CODED, agent: "recorded", says: { ...unrecorded, turn: [...GATED, records] } },
    ]);

    expect(outcomes).toEqual(["not", "not"]);
    expect(told[0]).toContain("Promotion gate: no promotion.record found");
    expect(of("install.held")).toMatchObject([
      { wish: "retried", rule: "stop-at-gate", wanted: PROMOTE, does: "report" },
      { wish: "recorded", rule: "judges-record", wanted: "promotion.record", does: "report" },
    ]);
    expect(of("promotion.recorded")).toEqual([]);
    expect(of("gateway.asked").filter(({ tool }) => tool === PROMOTE)).toHaveLength(2);
  });
});

describe("a broken answer", () => {
  it("[INS95] of each of the five is told with what was found and allowed, and the install goes on", async () => {
    const broken = (name: string) => ({
      ...{ ...CODED, agent: `broken-${name}` },
      says: { [name]: ["I think so."] },
    });
    const names = ["plan", "build", "turn", "evaluate", "audit"];
    const { outcomes, told } = await faithful(names.map(broken));

    expect(outcomes).toEqual(names.map(() => "active"));
    for (const one of told) {
      expect(one).toMatch(/answer: found "I think so."; allowed: one JSON object with /);
    }
  });

  it("[INS96] that would make it another agent, or another artifact, changes neither", async () => {
    const amend = { agent_id: "evil", artifact_id: "art_deadbeef" };
    const { outcomes, of } = await faithful([
      { ...CODED, agent: "same", says: { plan: [{ next: "build", why: "so", amend }] } },
    ]);

    expect(outcomes).toEqual(["active"]);
    expect(of("install.held")).toMatchObject([
      { rule: "same-agent", wanted: "amend agent_id, artifact_id", does: "build" },
    ]);
    expect(of("revision.created")).toMatchObject([{ agent: "same" }]);
  });

  it("[INS99] of a judge is no judgement: it is asked again, and nothing is built anew", async () => {
    const { outcomes, of } = await faithful([
      { ...CODED, agent: "weather", says: { audit: [{ fault: "hang" }] } },
    ]);

    expect(outcomes).toEqual(["active"]);
    expect(of("judging.given").map(({ role, isOpen }) => [role, isOpen ?? false])).toEqual([
      ...[["evaluator", false] as const, ["auditor", true] as const],
      ["auditor", false],
    ]);
    expect(of("build.delivered")).toHaveLength(1);
  });

  it("[INS95] that never comes is not waited for", async () => {
    const hang = { fault: "hang" } as const;
    const set = { "installs.crew.modelTimeoutMs": 60, "live.timeoutMs": 300 };
    const { outcomes, told } = await faithful(
      [{ agent: "silent", says: { plan: [hang], turn: [hang, hang, hang, hang, hang] } }],
      set,
    );

    expect(outcomes).toEqual(["active"]);
    expect(told[0]).toContain("the model did not answer in time");
  });
});
