// Agents that are born, and end, at the request of an actor of another part.
import { describe, expect, it } from "vitest";
import { startOf } from "../../../src/contract/startOf.ts";
import type { AgentContext } from "../../../src/machines/agents/agent/agentTurn.ts";
import type { EngineState } from "../../../src/machines/agents/engine/state.ts";
import type { LedgerState } from "../../../src/machines/agents/suffering/goalLedger.ts";
import { ask, type Letter, type Mail } from "../../../src/machines/letter.ts";
import { seconds } from "../../../src/machines/units.ts";
import { Meter, narrate, Story, why } from "../../builtIn.ts";
import { CLERK, everyHook } from "../../hooks.ts";
import { carrying, mailIn } from "../../mail.ts";
import { type OfficeOptions, OTHER, office } from "./clerk.ts";

const PAGE = "/agentOS/workspace/scout/page.md";
const WRITE = {
  intent: "write regular file path content",
  params: { path: PAGE, content: "Ink." },
};
const GOAL = { slug: "page", text: "Scout the north", artifact: PAGE, evidence: null };

const PROFILE = { traits: ["curious"], opinions: [], questions: [] };

const birth = (asked: Mail["birth.asked"]): Letter =>
  ask({ to: "daemon", key: `birth ${asked.name}`, event: { type: "birth.asked", ...asked } });
const end = (name: string): Letter =>
  ask({ to: "daemon", key: `end ${name}`, event: { type: "end.asked", name, reason: "done" } });

const births = { births: everyHook.births ?? [] };
const world = (options: OfficeOptions = {}) =>
  office({ hooks: births, steps: [WRITE], ...options });
const mind = (here: ReturnType<typeof world>, address: string) =>
  here.context<AgentContext>(address);

describe("a birth", () => {
  it("[HK12] an agent is born with its profile, its goal and what it hears first", () => {
    const here = world();
    const message = { from: "planner", text: "Look north." };
    here.tell(birth({ name: "scout", profile: PROFILE, goal: GOAL, message }));

    expect(mailIn(here.log, "birth.answered")).toEqual([
      { type: "birth.answered", name: "scout", address: "agent/scout", reason: null },
    ]);
    const { profile, goal, heard } = mind(here, "agent/scout");
    expect(profile.traits).toEqual(["curious"]);
    expect(goal).toMatchObject({ n: 1, text: GOAL.text });
    expect(heard).toMatchObject([{ kind: "peer", ...message }]);
  });

  it("[HK12] lives as the others do: it works on its goal, and completes it", () => {
    const here = world();
    here.tell(birth({ name: "scout", goal: GOAL }));
    const { event } = here.until(
      (one) => one.event.type === "goal.ended" && one.event.agent === "scout",
    );

    expect(event).toMatchObject({ n: 1, status: "completed", artifact: PAGE });
    expect(here.file(PAGE)).toBe("Ink.");
  });

  it("[HK12] engine, ledger and peers know it, and messages reach it", () => {
    const tell = { intent: "message inbox another agent recipient text" };
    const here = world({ steps: [{ ...tell, params: { to: "scout", text: "Hello." } }] });
    here.tell(birth({ name: "scout" }));

    expect(here.context<EngineState>("engine").agents).toEqual(["cedar", "scout"]);
    const { stressors } = here.context<LedgerState>("goalLedger");
    const its = stressors.filter(({ agent }) => agent === "scout").map(({ address }) => address);
    expect(its.length).toBeGreaterThan(0);
    expect(Object.keys(here.kernel.contexts())).toEqual(expect.arrayContaining(its));
    expect(mind(here, "agent/cedar").input.peers).toEqual(["scout"]);
    expect(mind(here, "agent/scout").input.peers).toEqual(["cedar"]);
    here.until(({ to, event }) => to === "agent/scout" && event.type === "peer.message");
    here.send({ to: "daemon", event: { type: "host.message", agent: "scout", text: "Hi." } });
    here.until(({ to, event }) => to === "agent/scout" && event.type === "host.message");
  });

  it("[HK12] after a restart it is there again, with its goal", () => {
    const here = world();
    here.tell(birth({ name: "scout", profile: PROFILE, goal: GOAL }));
    here.send({ to: "daemon", event: { type: "daemon.restarted" } });
    here.wait(seconds(21));

    const { profile, goal } = mind(here, "agent/scout#2");
    expect(profile.traits).toEqual(["curious"]);
    expect(goal).toMatchObject({ n: 1, text: GOAL.text });
    expect(here.kernel.contexts()).toHaveProperty("agent/cedar#2");
    expect(here.context<EngineState>("engine#2").born).toEqual({
      scout: { by: CLERK, address: "agent/scout#2" },
    });
  });

  it("[HK12] one that is asked for while the daemon is down is born when it runs", () => {
    const here = world();
    here.send({ to: "daemon", event: { type: "daemon.restarted" } });
    const looks = () => carrying(here.log, "files.snapshot").length;
    const before = looks();
    here.tell(birth({ name: "scout" }));
    expect(carrying(here.log, "birth.answered")).toEqual([]);
    expect(looks()).toBe(before);
    here.wait(seconds(21));

    expect(mailIn(here.log, "birth.answered")[0]?.address).toBe("agent/scout#2");
  });

  it.each([
    ["No name", {}, '"No name" is no name: '],
    ["2scout", {}, '"2scout" is no name: '],
    ["-scout", {}, '"-scout" is no name: '],
    ["cedar", {}, "an agent called cedar lives already"],
    ["x".repeat(32), {}, " is no name: "],
    ["Constructor", {}, '"Constructor" is no name: '],
    ["world", {}, '"world" is no name for an agent'],
    ["host", {}, '"host" is no name for an agent'],
    ["daemon", {}, '"daemon" is no name for an agent'],
    ["constructor", {}, '"constructor" is no name for an agent'],
    ["__proto__", {}, '"__proto__" is no name for an agent'],
    ["scout", { "hooks.bornMax": 0 }, "0 agents live that were born at request, and hooks.bornMax"],
  ])("[HK12] the daemon refuses %s", (name, policy, reason) => {
    const here = world({ policy });
    here.tell(birth({ name }));

    const [answered] = mailIn(here.log, "birth.answered");
    expect(answered?.address).toBeNull();
    expect(answered?.reason).toContain(reason);
  });

  it("[HK12] births that wait count among those that hooks.bornMax allows", () => {
    const here = world({ policy: { "hooks.bornMax": 1 } });
    here.tell(birth({ name: "scout" }), { ...birth({ name: "guide" }), ask: "2" });

    const answers = mailIn(here.log, "birth.answered").map(({ address }) => address);
    expect(new Set(answers)).toEqual(new Set(["agent/scout", null]));
    here.tell(birth({ name: "third" }));
    expect(mailIn(here.log, "birth.answered").at(-1)?.address).toBeNull();
    const two = world({ policy: { "hooks.bornMax": 2 } });
    for (const name of ["scout", "guide", "third"]) two.tell(birth({ name }));
    expect(mailIn(two.log, "birth.answered").map(({ address }) => address)).toEqual([
      ...["agent/scout", "agent/guide", null],
    ]);
    expect(here.kernel.contexts()).not.toHaveProperty("agent/guide");
  });

  it("[HK12] a name of 31 characters is one, and is given once, also while its agent is awaited", () => {
    const here = world();
    const name = `x-2${"x".repeat(28)}`;
    here.tell(birth({ name }), { ...birth({ name }), ask: "2" });

    const reasons = mailIn(here.log, "birth.answered").map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set([null, `an agent called ${name} lives already`]));
  });

  it("[HK12] an actor that is not listed has no agents born", () => {
    const here = world({ hooks: {} });
    here.tell(birth({ name: "scout" }));

    expect(mailIn(here.log, "birth.answered")[0]?.reason).toBe("clerk may not have agents born");
    expect(here.kernel.contexts()).not.toHaveProperty("agent/scout");
    const beside = world({ otherSays: {} });
    beside.otherTells(birth({ name: "scout" }));
    expect(mailIn(beside.log, "birth.answered")[0]?.reason).toBe("porter may not have agents born");
  });
});

describe("an end", () => {
  it("[HK13] ends the agent, its goal, its keeper and its stressors, and all hear of it", () => {
    const here = world();
    here.tell(birth({ name: "scout", goal: GOAL }));
    here.tell(end("scout"));

    const left = Object.keys(here.kernel.contexts()).filter((one) => one.includes("scout"));
    expect(left).toEqual([]);
    expect(here.context<{ children: string[] }>("daemon").children.join()).not.toContain("scout");
    expect(here.context<EngineState>("engine").agents).toEqual(["cedar"]);
    expect(mind(here, "agent/cedar").input.peers).toEqual([]);
    here.tell(end("scout"));
    expect(mailIn(here.log, "end.answered")).toMatchObject([{ ok: true }, { ok: false }]);
  });

  it("[HK13] only the actor that asked for an agent ends it, and no agent of the scenario", () => {
    const here = world();
    here.tell(birth({ name: "scout" }));
    here.tell(end("cedar"));
    const stranger = here.ask("daemon", { type: "end.asked", name: "scout", reason: "no" });

    expect(stranger.event).toMatchObject({ ok: false });
    expect(mailIn(here.log, "end.answered")[0]).toMatchObject({
      ok: false,
      reason: "no agent called cedar lives at the request of clerk",
    });
    expect(here.kernel.contexts()).toHaveProperty("agent/scout");
    const two = world({ hooks: { births: [CLERK, OTHER] }, otherSays: {} });
    two.tell(birth({ name: "scout" }));
    two.otherTells(birth({ name: "guide" }), end("scout"));
    two.tell(end("guide"));
    expect(mailIn(two.log, "end.answered").map(({ reason }) => reason)).toEqual([
      "no agent called scout lives at the request of porter",
      "no agent called guide lives at the request of clerk",
    ]);
    expect(two.context<EngineState>("engine").agents).toEqual(["cedar", "scout", "guide"]);
  });

  it("[HK13] a name may be given again: the new agent is what the files of the old one say", () => {
    const here = world();
    here.tell(birth({ name: "scout", profile: PROFILE, goal: GOAL }));
    here.tell(end("scout"));
    here.tell(birth({ name: "scout" }));

    const { profile, goal, input } = mind(here, "agent/scout#1.2");
    expect(profile.traits).toEqual(["curious"]);
    expect(goal).toMatchObject({ n: 1, address: "goal/scout/1#1.2" });
    expect(input.engine).toBe("engine");
    here.send({ to: "daemon", event: { type: "host.message", agent: "scout", text: "Hi." } });
    here.until(({ to, event }) => to === "agent/scout#1.2" && event.type === "host.message");
  });

  it("[HK12] [HK13] a birth whose end is asked for before it came about is answered too", () => {
    const here = world();
    const asked = (key: string) => ({ ...birth({ name: "scout" }), ask: key });
    here.tell(asked("1"), asked("2"), end("scout"), asked("3"));

    const answers = carrying(here.log, "birth.answered").map(({ event }) => event);
    expect(answers.map(({ address, reason }) => address ?? reason)).toEqual([
      "an agent called scout lives already",
      "clerk ended it before its birth",
      "agent/scout",
    ]);
    expect(mailIn(here.log, "end.answered")).toMatchObject([{ ok: true }]);
  });

  it("[HK13] an ended agent stays away after a restart", () => {
    const here = world();
    here.tell(birth({ name: "scout" }));
    here.tell(end("scout"));
    here.send({ to: "daemon", event: { type: "daemon.restarted" } });
    here.wait(seconds(21));

    expect(here.kernel.contexts()).not.toHaveProperty("agent/scout#2");
    const down = world();
    down.tell(birth({ name: "scout" }));
    down.send({ to: "daemon", event: { type: "daemon.restarted" } });
    down.wait(0);
    down.tell(end("scout"));
    down.wait(seconds(21));

    expect(mailIn(down.log, "end.answered")).toMatchObject([{ ok: true }]);
    expect(down.kernel.contexts()).not.toHaveProperty("agent/scout#2");
  });
});

describe("what is told of it", () => {
  it("[HK12] metrics have a series of its own, and the log says in words who asked for it", () => {
    const here = world();
    here.tell(birth({ name: "scout", goal: GOAL }));
    here.until(({ event }) => event.type === "goal.ended" && event.agent === "scout");
    here.tell(end("scout"));
    const meter = new Meter(["cedar"]);
    for (const delivery of here.log) meter.observe(delivery);

    expect(meter.finals()["goals.completed"]).toMatchObject({ scout: 1 });
    const told = here.log.map((delivery) => narrate(delivery));
    expect(told).toContain("clerk asked for an agent called scout.");
    expect(told).toContain("scout was born at the request of clerk.");
    expect(told).toContain("scout was ended: done.");
  });

  it("[HK12] the story tells of it, and `why` finds the actor behind the goals of a born agent", () => {
    const here = world();
    here.tell(birth({ name: "scout", goal: GOAL }));
    here.until(({ event }) => event.type === "goal.ended" && event.agent === "scout");
    here.tell(end("scout"));
    const story = new Story();
    for (const delivery of here.log) story.observe(delivery);

    expect(story.born).toEqual(["scout"]);
    expect(story.goals.some(({ agent }) => agent === "scout")).toBe(true);
    const births = story.moments.filter(({ kind }) => kind === "birth");
    expect(births.map(({ who, label }) => `${who} ${label}`)).toEqual([
      "scout is born",
      "scout is ended",
    ]);
    const began = here.log.find(({ event }) => startOf(event, "goal")?.agent === "scout");
    const chain = why(here.log, [], String(began?.seq))?.chain ?? [];
    expect(chain.map(({ type }) => type)).toContain("birth.asked");
  });

  it("[HK6] a permission may be asked for the calls of one's own agents only", () => {
    const permissions = [CLERK, OTHER].map((from) => ({ from, of: "own" }) as const);
    const here = world({
      hooks: { births: [CLERK, OTHER], permissions },
      ...{ says: { refuses: {} }, otherSays: { refuses: {} } },
    });
    here.tell(birth({ name: "scout", goal: GOAL }));
    here.otherTells(birth({ name: "guide", goal: GOAL }));
    for (const name of ["scout", "guide", "cedar"]) {
      here.until(({ event }) => event.type === "goal.ended" && event.agent === name);
    }

    const asked = carrying(here.log, "permission.asked").map(
      ({ to, event }) => `${to}: ${event.agent}`,
    );
    expect(new Set(asked)).toEqual(new Set([`${CLERK}: scout`, `${OTHER}: guide`]));
  });
});
