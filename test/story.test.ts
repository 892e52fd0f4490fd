import { describe, expect, it } from "vitest";
import { agentBooks, agentFacts, agentNews } from "../src/actors/agents/book/agentsBook.ts";
import type { AgentFacts, AgentNews } from "../src/actors/agents/book/facts.ts";
import { parts } from "../src/builtIn/parts.ts";
import { factsOf, newsOf } from "../src/contract/book.ts";
import type { Part } from "../src/contract/part.ts";
import type { Scenario } from "../src/contract/scenario.ts";
import type { NoteOutcome } from "../src/machines/agents/lessons/lessonKeeper.ts";
import type { SynthesisVerdict } from "../src/machines/agents/synthesis/capabilitySynthesis.ts";
import type { MailOf } from "../src/machines/letter.ts";
import { Story as WholeStory } from "../src/run/story.ts";
import type { Delivery, SeenDelivery } from "../src/substrate/envelope.ts";
import { replay, Story } from "./builtIn.ts";
import { readBundle } from "./builtInScenarios.ts";
import { delivery, engineBorn, felt, goalEnded, goalStarted, routed } from "./handLog.ts";

const told = (log: readonly Delivery[]): Story => {
  const story = new Story();
  for (const one of log) story.observe(one);
  return story;
};
const started = goalStarted(1, { agent: "cedar", n: 1, text: "Write" });

it("[VB18] has every goal from its start to its end", () => {
  expect(told([started]).goals).toMatchObject([{ status: "active", startMs: 1_000, endMs: null }]);
  expect(told([started, goalEnded(4, "abandoned")]).goals).toEqual([
    { agent: "cedar", n: 1, text: "Write", startMs: 1_000, endMs: 4_000, status: "abandoned" },
  ]);
});

it("[VB18] has every ghost with its calls, until its entry leaves", () => {
  const gone = delivery({
    ...{ seq: 4, to: "engine" },
    event: { type: "folder.changed", path: "/agentOS/tools/dynamic/ghost.json", text: null },
    changes: [{ path: ["entries"], to: [] }],
  });

  const { ghosts, moments } = told([
    engineBorn(1, [{ name: "ghost", hasCode: false }]),
    routed(2, "ghost"),
    routed(3, "ghost"),
    gone,
  ]);

  expect(ghosts).toEqual([
    {
      ...{ name: "ghost", description: "does ghost", fromMs: 1_000, toMs: 4_000 },
      ...{ lastCallMs: 3_000, callsByAgent: { cedar: 2 } },
    },
  ]);
  expect(moments.map(({ label }) => label)).toEqual([
    "ghost is registered without code",
    "ghost leaves the registry",
  ]);
});

it("[VB18] has the first deployment of a tool, and whether it was tested", () => {
  const ended = (seq: number, capability: string, verdict: SynthesisVerdict) =>
    delivery({
      ...{ seq, to: "engine" },
      event: {
        ...{ type: "synthesis.finished", agent: "cedar", capability, verdict },
        ...{ return: { ok: false, error: "" }, steps: [] },
      },
    });

  const { moments } = told([
    ended(1, "one", "rejected"),
    ended(2, "one", "deployed"),
    ended(3, "one", "deployed"),
    ended(4, "two", "untested"),
    ended(5, "two", "already_deployed"),
  ]);

  expect(moments).toEqual([
    { atMs: 2_000, kind: "tool", label: "one is deployed", who: "cedar" },
    { atMs: 4_000, kind: "tool", label: "two is deployed, untested", who: "cedar" },
  ]);
});

it("[VB18] takes no tool for a ghost that gets its code at the instant of its spec", () => {
  const reloaded = (seq: number, dueMs: number) =>
    delivery({
      ...{ seq, dueMs, to: "engine", event: { type: "tools.reloaded" } },
      changes: [{ path: ["implementations", "tool"], to: { code: "def tool", madeBy: seq } }],
    });
  const born = engineBorn(1, [{ name: "tool", hasCode: false }]);

  const at = told([born, reloaded(2, 1_000)]);
  const later = told([born, reloaded(2, 3_000)]);

  expect([at.ghosts, at.moments]).toEqual([[], []]);
  const two = engineBorn(
    1,
    ["tool", "other"].map((name) => ({ name, hasCode: false })),
  );
  expect(told([two, reloaded(2, 1_000)]).moments.map(({ label }) => label)).toEqual([
    "other is registered without code",
  ]);
  expect(later.ghosts).toHaveLength(1);
  expect(later.moments.map(({ label }) => label)).toEqual([
    "tool is registered without code",
    "tool has code now",
  ]);
});

it("[VB18] has what came from outside and what the agents felt", () => {
  const outside = delivery({
    ...{ seq: 1, from: "outside/ask", cause: null },
    event: { type: "host.message", agent: "cedar", text: "Write." },
  });

  expect(told([outside, felt(2, 2_000), felt(3, null)]).moments).toEqual([
    { atMs: 1_000, kind: "outside", label: "ask" },
    { atMs: 2_000, kind: "stressor", label: "repeated_failure begins", who: "cedar" },
    { atMs: 3_000, kind: "stressor", label: "repeated_failure ends", who: "cedar" },
  ]);
});

it("[VB18] has a moment for each stressor of any type, once, and for one that was dropped", () => {
  const dropped = (seq: number, granted: boolean) =>
    delivery({ seq, to: "stressor/cedar/futility#2", event: { type: "place.answered", granted } });

  const { moments } = told([
    felt(2, 2_000, { event: { stressor: "stagnation" } }),
    felt(3, 2_000, { to: "engine" }),
    felt(4, 2_000, { to: "goalLedger#2" }),
    dropped(5, true),
    dropped(6, false),
  ]);

  expect(moments.map(({ label, who }) => [label, who])).toEqual([
    ["stagnation begins", "cedar"],
    ["futility is dropped", "cedar"],
  ]);
});

it("[VB18, LE4] a lesson is a moment when it becomes a rule, not before", () => {
  const noted = (seq: number, outcome: NoteOutcome) =>
    delivery({
      ...{ seq, to: "goalLedger", fate: "ignored" as const },
      event: {
        ...{ type: "lesson.noted", agent: "cedar", n: seq, outcome, lesson: "Rest at night" },
        ...{ category: "tools", candidates: 0, promoted: 0 },
      },
    });

  expect(told([noted(1, "candidate"), noted(2, "promoted"), noted(3, "known")]).moments).toEqual([
    { atMs: 2_000, kind: "lesson", label: "learns: Rest at night", who: "cedar" },
  ]);
});

/** A story that is saved at five deliveries of a log, and gone on with from each. */
function expectSavedAlike(log: readonly Delivery[], scenario?: Scenario): void {
  const whole = new Story(scenario);
  const saves = log.map((one, at) => {
    whole.observe(one);
    return at % Math.ceil(log.length / 5) === 0 ? ([at, whole.save()] as const) : null;
  });

  for (const [at, saved] of saves.filter((one) => one !== null)) {
    const other = new Story(scenario, saved);
    for (const one of log.slice(at + 1)) other.observe(one);
    expect(other).toEqual(whole);
    expect(other.save()).toBe(whole.save());
  }
}

describe("the books of the parts", () => {
  it.each(["lock-feedback", "install-rollback", "skill-degrades", "synt-chain-choice"])(
    "[PT18] of %s, saved in the middle and gone on with, tell the same",
    (name) => {
      const bundle = readBundle(`recordings/${name}`);
      const log: Delivery[] = [];
      replay(bundle, (one) => log.push(one));

      expectSavedAlike(log, bundle.scenario);
    },
  );

  it("[PT18] of an imported log, saved in the middle and gone on with, tell the same, points too", () => {
    const base = { step: null, timeMs: null, file: "a.json", line: 1, id: null, parent: null };
    const of = { ...base, links: [], latencyMs: null };
    const said: MailOf<"log.said"> = {
      ...{ type: "log.said", speaker: "ada", role: "agent", to: null, text: "Now.", ...of },
      ...{ model: null, promptTokens: 3, answerTokens: 1 },
    };
    const called: MailOf<"log.called"> = {
      ...{ type: "log.called", agent: "ada", tool: "look", call: null, args: {}, raw: null, ...of },
    };
    const returned = (call: number): MailOf<"log.returned"> => ({
      ...{ type: "log.returned", caller: "ada", tool: "look", call: null, of: call, ...of },
      ...{ result: null, ok: true, error: null },
    });
    const turn = (seq: number) => [said, called, returned(seq + 1)];
    const log = [1, 4, 7, 10].flatMap((first) =>
      turn(first).map((event, nth) => delivery({ seq: first + nth, event })),
    );

    expectSavedAlike(log);
  });

  it("[PT18] hold strict JSON: nothing of them is lost on the way", () => {
    const bundle = readBundle("recordings/safe-file-executor");
    const whole = new Story(bundle.scenario);
    replay(bundle, (one) => whole.observe(one));

    expect(new Story(bundle.scenario, whole.save())).toEqual(whole);
  });

  it.each(["lock-feedback", "hardware-synthesis", "install-rollback", "skill-degrades"])(
    "[PT20] that name the events which they read tell the same of %s as if they read all",
    (name) => {
      const { scenario, ...bundle } = readBundle(`recordings/${name}`);
      const readingAll = parts.map(({ book, ...part }): Part => {
        if (book === undefined) return part;
        const { reads: _, ...all } = book;
        return { ...part, book: all };
      });
      const subBooks = Object.entries(agentBooks).map(([key, { reads: _, ...all }]) => [key, all]);
      const newsOfAll = newsOf<AgentFacts, AgentNews>(Object.fromEntries(subBooks));
      const names = Object.keys(agentBooks) as (keyof AgentFacts)[];
      const [facts, factsOfAll] = [agentFacts(...names), agentFacts(...names)];
      const stories = [new WholeStory(parts, scenario), new WholeStory(readingAll, scenario)];

      replay({ scenario, ...bundle }, (one) => {
        for (const story of stories) story.observe(one);
        expect(agentNews(facts, one)).toEqual(newsOfAll(factsOfAll, one));
      });

      expect(stories[0]?.save()).toBe(stories[1]?.save());
      expect(stories[0]?.moments.length).toBeGreaterThan(0);
      expect(facts).toEqual(factsOfAll);
      expect(subBooks.length).toBeGreaterThan(5);
    },
  );

  it("[PT20] a book, and one within it, is told of the events that it reads, and of no others", () => {
    const read: string[] = [];
    const noting =
      (name: string) =>
      (_: unknown, { event }: SeenDelivery): void => {
        read.push(`${name} ${event.type}`);
      };
    const book = (name: string, types?: readonly string[]): Part =>
      ({
        name,
        book: { start: () => ({ told: {} }), step: noting(name), ...(types && { reads: types }) },
      }) as unknown as Part;
    const story = new WholeStory([book("some", ["goal.ended"]), book("all")]);
    const within = newsOf<{ some: object; all: object }, never>({
      some: { start: () => ({}), step: noting("within"), reads: ["goal.ended"] },
      all: { start: () => ({}), step: noting("within all") },
    });
    const facts = { some: {}, all: {} };
    for (const one of [started, goalEnded(4, "abandoned")]) {
      story.observe(one);
      within(facts, one);
    }

    // One that reads nothing of an event is asked only about what another found new in it.
    const heard = (finds: readonly string[]) => {
      const asked: string[] = [];
      const news = newsOf<{ one: object; other: object }, string>({
        one: {
          start: () => ({}),
          step: (_own, _one, found) => found.push(...finds),
          reads: ["goal.ended"],
        },
        other: {
          start: () => ({}),
          step: (_own, _one, found) => asked.push(`asked of ${found}`),
          reads: [],
        },
      });
      news({ one: {}, other: {} }, goalEnded(4, "abandoned"));
      return asked;
    };
    expect([heard([]), heard(["ended"])]).toEqual([[], ["asked of ended"]]);
    expect(read).toEqual([
      ...["all actor.start", "within all actor.start"],
      ...["some goal.ended", "all goal.ended", "within goal.ended", "within all goal.ended"],
    ]);
  });

  it("[PT19] of agents, each sub-book alone tells what it tells in the whole book", () => {
    const log: Delivery[] = [];
    replay(readBundle("recordings/hardware-synthesis"), (one) => log.push(one));
    const folded = (...names: (keyof AgentFacts)[]): AgentFacts => {
      const facts = agentFacts(...names);
      for (const one of log) agentNews(facts, one);
      return facts;
    };

    const whole = folded("broken", "born", "feelings", "ghosts", "goals", "tools");

    expect(whole.goals.length).toBeGreaterThan(0);
    expect(whole.tools.lives.length).toBeGreaterThan(0);
    for (const name of Object.keys(whole) as (keyof AgentFacts)[]) {
      expect(folded(name)[name], name).toEqual(whole[name]);
    }
    expect(Object.keys(folded("ghosts"))).toEqual(["registry", "calls", "ghosts"]);
  });

  it("[PT19] what a sub-book needs is folded with what that needs, each before its reader", () => {
    const book = (...needs: ("a" | "b" | "c" | "d")[]) => ({
      ...{ needs, start: () => 0, step: () => {} },
    });
    const books = { a: book(), b: book("a"), c: book("b"), d: book("a") };

    expect(Object.keys(factsOf(books, ["c"]))).toEqual(["a", "b", "c"]);
  });
});
