// What a world with installs makes of its scenario, and how it is told and counted.
import { describe, expect, it } from "vitest";
import { crewQuestions, foreseen } from "../../../src/actors/installs/edge/foreseen.ts";
import { installTables } from "../../../src/actors/installs/edge/report.ts";
import { type InstallLives, turned } from "../../../src/actors/installs/installLives.ts";
import { hindsight, questions, trail } from "../../../src/actors/installs/questions.ts";
import { scriptedPerson } from "../../../src/actors/installs/scriptedPerson.ts";
import type { PersonWord } from "../../../src/actors/installs/stage.ts";
import { book } from "../../../src/actors/installs/story.ts";
import type { Moment } from "../../../src/contract/book.ts";
import type { Foreseeing } from "../../../src/contract/edge/scenarioPart.ts";
import { activeLetters } from "../../../src/machines/installs/gateway/bookFacts.ts";
import { type Books, NO_BOOKS } from "../../../src/machines/installs/gateway/books.ts";
import { revisionContent } from "../../../src/machines/installs/revisions/revision.ts";
import {
  created,
  revisionOf,
  stepped,
} from "../../../src/machines/installs/revisions/revisionBook.ts";
import type { EventType, MailOf } from "../../../src/machines/letter.ts";
import { figuresOf } from "../../../src/run/compare.ts";
import type { SeenDelivery } from "../../../src/substrate/envelope.ts";
import type { PortRequest } from "../../../src/substrate/port.ts";
import { metricChecks, observe, policyWith, why } from "../../builtIn.ts";
import { loadScenario } from "../../builtInScenarios.ts";
import { choosing, delivery, finished, goalEnded } from "../../handLog.ts";
import { missedOn } from "../../scenarioSeeds.ts";

const asked = (agentId: string): PortRequest => {
  const dossier = { agentId } as MailOf<"approval.asked">["dossier"]; // All that is looked at.
  const event = { type: "approval.asked", purpose: "install", request: "apr-1", dossier } as const;
  return {
    ...{ port: "port/person.decide", from: "approval/apr-1", purpose: "install", nth: 1 },
    ...{ seq: 1, nowMs: 0, request: null, event },
  };
};
const word = (id: string, more: Partial<PersonWord> = {}): PersonWord => ({
  ...{ id, agent: null, decision: "approve", reason: null, afterMs: 1_000, times: null },
  ...more,
});

describe("the person of a scenario", () => {
  const choices = (person: readonly PersonWord[], agents: readonly string[]) => {
    const provider = scriptedPerson({ person, without: new Set(["person:gone"]) }, undefined);
    return agents.map((agent) => provider.answer(asked(agent))?.choice);
  };

  it("[INS118] says the first word that fits the agent and is not used up, else nothing", () => {
    const person = [word("gone"), word("own", { agent: "ink" }), word("once", { times: 1 })];
    expect(choices(person, ["ink", "quill", "quill"])).toEqual([
      ...["person:own", "person:once", "person:nobody"],
    ]);
  });
});

describe("what is told", () => {
  it("[INS119] counts each state of a revision once, however many hear of it", () => {
    const lives: InstallLives = { revisions: [], approvals: [] };
    const of = { revision: "rev-1", agent: "ink", by: "builder" };
    const made: MailOf<"revision.created"> = {
      ...{ type: "revision.created", ...of, artifact: null, gates: [], approval: null, notes: [] },
    };
    const active: MailOf<"revision.activated"> = {
      ...{ type: "revision.activated", ...of, reason: null, before: null },
    };
    const turns = [made, made, active, active].map(
      (event, index) => turned(lives, delivery({ seq: index + 1, from: "gateway", event }))?.phase,
    );
    expect(turns).toEqual(["draft", undefined, "active", undefined]);
    const claimed = delivery({ seq: 9, from: "agent/cedar", event: active });
    expect(turned(lives, claimed)).toBeUndefined();
  });

  it("[INS119] counts each state of an approval once, also where it is told late", () => {
    const lives: InstallLives = { revisions: [], approvals: [] };
    const is = { approval: "apr-1", agent: "ink", by: "person" };
    const asked: MailOf<"approval.requested"> = {
      ...{ type: "approval.requested", ...is, factors: [], artifactDigest: null },
    };
    const yes: MailOf<"approval.decided"> = {
      ...{ type: "approval.decided", ...is, isApproved: true, reason: null },
    };
    const used: MailOf<"approval.used"> = { type: "approval.used", ...is, revision: "rev-1" };
    const turns = [asked, asked, yes, used, yes].map(
      (event, index) => turned(lives, delivery({ seq: index + 1, from: "gateway", event }))?.phase,
    );
    expect(turns).toEqual(["open", undefined, "approved", "used", undefined]);
  });
});

describe("figures", () => {
  it.each(["install-rollback", "install-impostor", "moltbook-ops"])(
    "[INS119] of %s are a recount of its log",
    (name) => {
      const log: SeenDelivery[] = [];
      const { scenario } = loadScenario(name, metricChecks);
      const observed = observe(scenario, { onSeen: (one) => log.push(one) });
      const { installs } = figuresOf(observed);
      const heard = (type: EventType, where: string) =>
        log.filter(
          ({ event, to, fate }) =>
            event.type === type && to.startsWith(where) && fate === "handled",
        ).length;

      expect(installs).toMatchObject({
        wanted: heard("install.wanted", "planner"),
        created: heard("revision.created", "revision/"),
        activated: heard("revision.activated", "revision/"),
        rolledBack: heard("revision.rolledBack", "revision/"),
        active:
          heard("revision.activated", "revision/") -
          heard("revision.superseded", "revision/") -
          heard("revision.rolledBack", "revision/"),
        refused: heard("install.refused", "gateway"),
        asked: heard("approval.requested", "gateway"),
        reachRefused: heard("reach.refused", "gateway"),
      });
      expect((installs?.created ?? 0) + (installs?.refused ?? 0)).toBeGreaterThan(0);
    },
  );
});

describe("why", () => {
  it("[INS119] a rollback goes back to whoever wanted it, and not to what a person once approved", () => {
    const log: SeenDelivery[] = [];
    const { scenario } = loadScenario("install-rollback", metricChecks);
    observe(scenario, { onSeen: (one) => log.push(one) });
    const rolledBack = log.map(({ event }) => event).find(isRolledBack);
    for (const id of [rolledBack?.revision, rolledBack?.after]) {
      const { chain, origins } = why(log, [], `revision:${id}`) ?? { chain: [], origins: [] };
      expect(chain.map(({ type }) => type).slice(1)).toEqual(["gateway.asked", "rollback.wanted"]);
      expect(origins).toMatchObject([{ kind: "outside", id: "takes-it-back" }]);
    }
    const failed = log
      .map(({ event }) => event)
      .find((event) => event.type === "goal.ended" && event.status === "abandoned");
    expect(failed).toMatchObject({ agent: "notes-keeper" });
    const { origins } = why(log, []) ?? { origins: [] };
    expect(origins).toMatchObject([{ kind: "outside", id: "takes-it-back" }]);
  });

  it("[INS119] a person's no is trouble, a yes is none", () => {
    const decided = (seq: number, isApproved: boolean) => {
      const of = { approval: "apr-1", agent: "ink", by: "person", reason: null };
      const event: MailOf<"approval.decided"> = { type: "approval.decided", ...of, isApproved };
      return delivery({ seq, to: "gateway", event });
    };
    expect(questions.trouble([decided(1, true), decided(2, false)])?.seq).toBe(2);
    expect(questions.trouble([decided(1, true)])).toBeUndefined();
  });
});

describe("a ghost of an installed agent", () => {
  const log: SeenDelivery[] = [];
  const { scenario } = loadScenario("install-ghost-author", metricChecks);
  const { story: told } = observe(scenario, { onSeen: (one) => log.push(one) });

  it("[INS119] leads from the goal that it cost to the revision, and to who wanted and approved it", () => {
    const { chain, origins } = why(log, [], "goal:cedar/28") ?? { chain: [], origins: [] };
    const types = chain.map(({ type }) => type);

    expect(types).toContain("revision.activated");
    expect(types.indexOf("approval.decided")).toBeGreaterThan(types.indexOf("revision.activated"));
    expect(chain.at(-1)?.type).toBe("install.wanted");
    expect(origins).toContainEqual(expect.objectContaining({ id: "smith-who-writes" }));
  });

  it("[INS119] is told of the revision by which its author lived, with the goals that it cost", () => {
    const rolledBack = log.map(({ event }) => event).find(isRolledBack);
    const lost = log.flatMap(({ event, to }) =>
      event.type === "goal.ended" && event.status === "abandoned" && to === "goalLedger"
        ? [`goal:${event.agent}/${event.n}`]
        : [],
    );
    const of = (id = "") => why(log, [], `revision:${id}`)?.chain[0]?.says ?? "";

    expect(of(rolledBack?.revision)).toContain(
      `Tools of its agent cost ${lost.length} goals: ${lost.slice(0, 5).join(", ")}`,
    );
    expect(of(rolledBack?.after ?? "")).not.toContain("cost");
  });

  it("[INS124] is told with who is wanted and rolled back, and with what a rule kept the builder from", () => {
    const outside = told.moments.filter(({ kind }) => kind === "outside");

    expect(outside.map(({ label }) => label)).toEqual([
      "toolsmith is wanted (smith)",
      "toolsmith is wanted (smith-who-writes)",
      "toolsmith is to be rolled back (takes-it-back)",
    ]);
    expect(told.installs.held).toMatchObject([{ by: "specialized_builder.default" }]);
    expect(installTables(told.installs).join("\n")).toContain("## Kept from by a rule");
  });
});

describe("a child that an installed agent spawned", () => {
  const active: MailOf<"revision.activated"> = {
    ...{ type: "revision.activated", revision: "rev-1", agent: "ink", by: "builder" },
    ...{ reason: null, before: null },
  };
  const spawned = (agent: string, child: string) =>
    ({ type: "installed.spawned", agent, child }) as const;

  it("[INS119] rests with its goals on its birth, and what its tools cost is its parent's revision's", () => {
    const wrote = (seq: number, agent: string): SeenDelivery => {
      const report = { agent, wrote: ["/agentOS/tools/dynamic/shout.py"] };
      const event = { type: "call.reported", ...report } as unknown as MailOf<"call.reported">; // All that is looked at.
      return delivery({ seq, event });
    };
    const log = [
      delivery({ seq: 1, event: spawned("cedar", "stray") }),
      delivery({ seq: 2, event: active }),
      delivery({ seq: 3, event: spawned("ink", "quill") }),
      delivery({ seq: 4, from: "agent/stray", event: choosing() }),
      delivery({ seq: 5, from: "agent/quill#1", event: choosing() }),
      wrote(6, "quill"),
      finished(7, false, { capability: "shout" }),
      goalEnded(8, "abandoned", { because: [7] }),
      // What it is told to do, it does whoever made it.
      delivery({ seq: 9, event: { type: "host.message", text: "Go." } }),
      delivery({ seq: 10, from: "agent/quill#1", event: choosing(), because: [9] }),
      // From here on the tool is another's.
      wrote(11, "cedar"),
      finished(12, false, { capability: "shout" }),
      goalEnded(13, "abandoned", { event: { n: 2 }, because: [12] }),
    ];
    const rests = trail.rests?.(log);

    expect(log.map(({ seq }) => rests?.get(seq))).toEqual(
      log.map(({ seq }) => (seq === 5 ? 3 : undefined)),
    );
    expect([...hindsight(log)]).toEqual([
      [2, expect.stringMatching(/ Tools of its agent cost 1 goal: goal:cedar\/1\.$/)],
    ]);
  });

  it("[INS114] is told with the life that it belongs to, which lasts from its birth to its end", () => {
    const of = { revision: "rev-1", agent: "ink" };
    const facts = book.start({});
    const events = [
      { type: "installed.born", ...of, fault: "no place" },
      { type: "installed.ended", ...of },
      { type: "installed.born", ...of, fault: null },
      spawned("ink", "quill"),
      spawned("cedar", "stray"),
      { type: "installed.ended", ...of },
      { type: "installed.born", ...of, revision: "rev-2", fault: null },
      spawned("ink", "blot"),
    ] as const;
    for (const [index, event] of events.entries()) {
      book.step(facts, delivery({ seq: index + 1, to: "warden", event }), []);
    }

    expect(facts.told.installs.lives).toEqual([
      { ...of, fromMs: 3_000, toMs: 6_000, children: ["quill"] },
      { ...of, revision: "rev-2", fromMs: 7_000, toMs: null, children: ["blot"] },
    ]);
  });
});

describe("what a start of the gateway met with", () => {
  it("[INS124] is told in a table: what was half done, what is not its own, books that do not count", () => {
    const moments: Moment[] = [];
    const facts = book.start({});
    const of = { revision: "rev-1", agent: "ink", half: "creation", did: "dropped" } as const;
    const events = [
      { type: "gateway.found", ...of, why: "no book knows it" },
      { type: "gateway.foreign", paths: ["/agentOS/installs/forged.json"] },
      { type: "gateway.damaged", fault: "the chain is broken" },
    ] as const;
    for (const [index, event] of events.entries()) {
      const one = delivery({ seq: index + 1, to: "gateway", from: "gateway", event });
      book.step(facts, one, moments);
    }
    const [table = ""] = installTables(facts.told.installs);

    expect(table).toContain("## Found by the gateway when it began");
    for (const what of ["rev-1 of ink", "forged.json", "the chain is broken"]) {
      expect(table).toContain(what);
    }
    expect(table).toMatch(/\| rev-1 of ink.* \| dropped.* \| no book knows it/);
    expect(moments).toHaveLength(3);
  });
});

describe("a dry run", () => {
  it("[INS125] says how often those who install ask models at most, and no run asks more", () => {
    for (const name of ["install-undeclared", "install-resumed", "moltbook-ops"]) {
      const { scenario } = loadScenario(name, metricChecks);
      const asked: { [purpose: string]: number } = {};
      const { result } = observe(scenario, {
        onSeen: ({ event }) => {
          if (event.type === "llm.asked") asked[event.purpose] = (asked[event.purpose] ?? 0) + 1;
        },
      });
      const policy = policyWith(scenario.policy);
      const most = crewQuestions(scenario, { policy, virtualMs: result.virtualMs });
      const own = Object.entries(asked).filter(([purpose]) => purpose.startsWith("install."));

      expect(own.length).toBeGreaterThan(1);
      for (const [purpose, count] of own) {
        expect([name, purpose, count]).toEqual([
          ...[name, purpose, expect.toSatisfy((n) => n <= (most[purpose] ?? 0))],
        ]);
      }
    }
  });

  it("[INS125] counts by the bounds of decisions, builds, looks and wakes", () => {
    const { scenario } = loadScenario("install-undeclared", metricChecks);
    const crew = { decisions: 5, builds: 2, looks: 7, wakes: 4 };
    const set = Object.entries(crew).map(([name, value]) => [`installs.crew.${name}`, value]);
    const policy = policyWith(Object.fromEntries(set));

    expect(crewQuestions(scenario, { policy, virtualMs: 1 })).toEqual({
      ...{ "install.plan": 5, "install.build": 2, "install.turn": 5 * (6 + 7 + 4) },
      ...{ "install.evaluate": 5, "install.audit": 5 },
    });
    const more = policyWith({ "installs.crew.decisions": 5, "installs.crew.builds": 9 });
    const asked = crewQuestions(scenario, { policy: more, virtualMs: 1 });
    expect(asked["install.build"]).toBe(5);
  });

  it("[INS125] names a wish for code of which the coder will think nothing", () => {
    const { scenario } = loadScenario("install-undeclared", metricChecks);
    const { installs } = scenario;
    if (installs === undefined) throw new Error("no installs");
    const bare = { ...scenario, installs: { ...installs, crew: [] } };
    const known = { variant: null } as Foreseeing; // All that is looked at.

    expect(foreseen(scenario, known)).toEqual([]);
    expect(foreseen(bare, known)).toEqual([expect.stringContaining("counter needs code")]);
    const choices = installs.crew.map(({ id }) => `crew:${id}`);
    const without = { events: [], choices };
    const forgets = { why: "", policy: {}, events: [], expect: [], without };
    const variant = { variant: "forgets" } as Foreseeing; // As above.
    expect(foreseen({ ...scenario, variants: { forgets } }, variant)).toEqual(
      foreseen(bare, known),
    );
  });
});

const isRolledBack = (event: SeenDelivery["event"]): event is MailOf<"revision.rolledBack"> =>
  event.type === "revision.rolledBack";

describe("what a revision grants", () => {
  it("[INS65] is what its declaration and its approval grant both", () => {
    const intent = {
      ...{ agent_id: "ink", description: "d", instructions: "# I" },
      execution_mode: "reasoning",
      capabilities: [{ type: "WriteAccess", scopes: ["self.*", "/agentOS/workspace/*"] }],
    } as const;
    const policy = {
      rollback: { toNothing: "refused" },
      history: { seals: "everything" },
    } as const;
    const doing = { by: "b", session: "s", timestamp: "", reason: null };
    const content = revisionContent(intent, null, { namesArtifact: true });
    const rests = { approval: "apr-1" };
    const one = { agent: "ink", content, summary: null };
    const first = created(NO_BOOKS.revisions, one, { ...doing, rests }, policy);
    if ("fault" in first) throw new Error(first.fault.said);
    const of = { agent: "ink", id: first.revision.id };
    const next = stepped(first.book, "approved", of, doing, policy);
    const last = "fault" in next ? next : stepped(next.book, "activated", of, doing, policy);
    if ("fault" in last) throw new Error(last.fault.said);
    const approved = { ...intent, capabilities: [{ type: "WriteAccess", scopes: ["self.*"] }] };
    const approvals = { "apr-1": { intent: approved } } as unknown as Books["approvals"]; // All that is looked at.
    const after = { ...NO_BOOKS, revisions: last.book, approvals };
    const reach = { scopes: "boundary", segments: "every" } as const;
    const [told] = activeLetters(NO_BOOKS, after, { reach });
    expect(revisionOf(last.book, of.id)?.state).toBe("active");
    expect(told?.event).toMatchObject({
      revision: {
        grants: [{ type: "WriteAccess", scopes: ["/agentOS/workspace/ink/*"] }],
      },
    });
  });
});

describe("agents of the world", () => {
  it("[INS117] may not use the tools that have owners, whatever they claim", async () => {
    expect(await missedOn("install-impostor", [1, 2])).toEqual([]);
  });
});
