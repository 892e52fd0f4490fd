import { describe, expect, it } from "vitest";
import { assign, setup } from "xstate";
import {
  answer,
  ask,
  cancelAsk,
  type Delivered,
  type Outbox,
  post,
  startActor,
} from "../../src/machines/letter.ts";
import type { Provider } from "../../src/substrate/port.ts";
import { type Answers, caller, letter, needed, office, type Received } from "./office.ts";

const silent: Answers = () => [];

/** What an actor received and when, from its context. */
const seenBy = (world: ReturnType<typeof office>, address: string) =>
  (world.kernel.contexts()[address] as { seen: readonly Received[] }).seen;

const types = (world: ReturnType<typeof office>, address: string) =>
  seenBy(world, address).map(({ type }) => type);

describe("order and time", () => {
  it("[KN1] delivers in the order of due time, then of posting", () => {
    const world = office({ actors: { listener: silent } });
    const due = [
      ["test.third", 7],
      ["test.first", 3],
      ["test.fourth", 7],
      ["test.second", 5],
    ] as const;
    for (const [type, delayMs] of due) {
      world.kernel.postFromOutside("x", letter("listener", type, { delayMs }));
    }

    world.run();

    expect(types(world, "listener")).toEqual([
      "test.first",
      "test.second",
      "test.third",
      "test.fourth",
    ]);
  });

  it("[KN1] delivers what is posted at an instant after what already waits for it", () => {
    const world = office({
      actors: {
        speaker: ({ type }) => (type === "test.go" ? [letter("listener", "test.reaction")] : []),
        listener: silent,
      },
    });
    world.kernel.postFromOutside("x", letter("speaker", "test.go", { delayMs: 4 }));
    world.kernel.postFromOutside("x", letter("listener", "test.waiting", { delayMs: 4 }));

    world.run();

    expect(types(world, "listener")).toEqual(["test.waiting", "test.reaction"]);
  });

  it("[KN2] stops at every due time and at nothing in between", () => {
    const world = office({ actors: { listener: silent } });
    for (const delayMs of [40, 10, 40, 90_000]) {
      world.kernel.postFromOutside("x", letter("listener", "test.pinged", { delayMs }));
    }
    const stops: number[] = [];

    while (world.kernel.step() === "delivered") stops.push(world.kernel.nowMs);

    expect(stops).toEqual([0, 10, 40, 40, 90_000]);
  });

  it.each([
    { dueMs: 500, delivered: ["test.pinged"] },
    { dueMs: 501, delivered: [] },
  ])("[KN2] of a run that ends at 500 ms, what is due at $dueMs ms: $delivered", (example) => {
    const world = office({ actors: { listener: silent }, endMs: 500 });
    world.kernel.postFromOutside(
      "x",
      letter("listener", "test.pinged", { delayMs: example.dueMs }),
    );

    world.run();

    expect(types(world, "listener")).toEqual(example.delivered);
  });

  it("[KN32] what is left out does not move time, and what comes in its place is delivered", () => {
    const world = office({
      actors: { listener: silent },
      otherwise: (due) => {
        if (due.dueMs === 5) return { ...due, event: { type: "test.reaction" } };
        return due.dueMs === 9 ? null : due;
      },
    });
    for (const delayMs of [5, 9]) {
      world.kernel.postFromOutside("x", letter("listener", "test.pinged", { delayMs }));
    }

    world.run();

    expect(types(world, "listener")).toEqual(["test.reaction"]);
    expect([world.kernel.nowMs, world.kernel.delivered]).toEqual([5, 2]);
  });

  it.each([-1, 0.5, Number.NaN, 2 ** 53])("[KN2] refuses a delay of %d", (delayMs) => {
    const world = office({});

    expect(() =>
      world.kernel.postFromOutside("x", letter("a", "test.pinged", { delayMs })),
    ).toThrow("whole milliseconds");
  });

  it("[KN3] stamps every event with time, number and sender", () => {
    const world = office({
      actors: {
        listener: silent,
        ann: ({ type }) => {
          const event = { type: "test.asked", purpose: "plan" } as const;
          const asked = ask({ to: "port/llm.chat", key: "plan", event });
          return type === "test.needed" ? [asked, letter("listener", "test.pinged")] : [];
        },
      },
      ports: { "port/llm.chat": counting },
    });
    world.kernel.postFromOutside("the-mail", needed("ann", "plan", { delayMs: 12 }));

    world.run();

    const stamps = (actor: string) => seenBy(world, actor).map(({ at }) => at);
    expect(stamps("ann")).toMatchObject([
      { nowMs: 12, seq: 3, from: "outside/the-mail" },
      { nowMs: 42, seq: 6, from: "port/llm.chat" },
    ]);
    expect(stamps("listener")).toEqual([{ nowMs: 12, seq: 5, from: "ann" }]);
  });
});

/** Rings 100 ms after the last `wound`; `held` leaves the waiting state; `broken` ends it. */
const clock = setup({
  types: {
    context: {} as { rung: number[] },
    events: {} as Delivered<"test.wound" | "test.held" | "test.broken">,
    emitted: {} as Outbox,
  },
  delays: { rest: 100 },
}).createMachine({
  id: "clock",
  context: { rung: [] },
  initial: "idle",
  on: { "test.broken": ".broken" },
  states: {
    idle: { on: { "test.wound": "waiting" } },
    waiting: {
      on: { "test.wound": { target: "waiting", reenter: true }, "test.held": "idle" },
      after: {
        rest: {
          target: "idle",
          actions: assign(({ context, event }) => ({ rung: [...context.rung, event.at.nowMs] })),
        },
      },
    },
    broken: { type: "final" },
  },
});

type Moment = readonly ["test.wound" | "test.held" | "test.broken", number];

function ringing(events: readonly Moment[]) {
  const world = office({ charts: { clock } });
  for (const [type, delayMs] of events) {
    world.kernel.postFromOutside("x", letter("clock", type, { delayMs }));
  }
  world.run();
  return world;
}

const rung = (world: ReturnType<typeof office>) =>
  (world.kernel.contexts()["clock"] as { rung: number[] }).rung;

const firings = ({ log }: ReturnType<typeof office>): number =>
  log.filter(({ event }) => event.type.startsWith("xstate.after")).length;

describe("timers", () => {
  it("[KN4] fires once, at its time", () => {
    const world = ringing([["test.wound", 7]]);

    expect(rung(world)).toEqual([107]);
    expect(world.kernel.checkpoint().actors[0]?.timers).toEqual([]);
  });

  it("[KN4] once it has fired it is kept no more, even where its state goes on", () => {
    const striking = setup({
      types: { context: {} as object, emitted: {} as Outbox },
      delays: { rest: 100 },
    }).createMachine({
      id: "striking",
      context: {},
      initial: "on",
      states: { on: { after: { rest: { actions: assign({}) } } } },
    });
    const world = office({ charts: { striking } });
    const timers = () => world.kernel.checkpoint().actors[0]?.timers;
    world.run();

    expect(firings(world)).toBe(1);
    expect(timers()).toEqual([]);
  });

  it("[KN4] a timer replaces the running one of the same id", () => {
    const world = ringing([
      ["test.wound", 0],
      ["test.wound", 99],
    ]);

    expect(rung(world)).toEqual([199]);
    expect(firings(world)).toBe(1);
  });

  it.each([
    { held: 99, rings: [] },
    { held: 100, rings: [] },
    { held: 101, rings: [100] },
  ])("[KN4] a state left at $held ms of 100 rings at $rings", ({ held, rings }) => {
    // At 100 ms the letter comes first: it was posted before the timer was set.
    const world = ringing([
      ["test.wound", 0],
      ["test.held", held],
    ]);

    expect(rung(world)).toEqual(rings);
    expect(firings(world)).toBe(rings.length);
  });

  it("[KN4] a timer dies with its owner, is not logged and does not move time", () => {
    const world = ringing([
      ["test.wound", 0],
      ["test.broken", 50],
    ]);

    expect(world.kernel.nowMs).toBe(50);
    expect(world.log.map(({ event }) => event.type)).toEqual([
      "actor.start",
      "test.wound",
      "test.broken",
      "actor.stopped",
    ]);
  });
});

/** Answers `asked` after a while that the question names, with the question's word. */
const oracle: Answers = (event) =>
  event.type === "test.riddle"
    ? answer(event.at, { type: "test.answered", word: event.word }, { delayMs: event.afterMs })
    : [];

const question = (word: string, afterMs: number, to = "oracle") =>
  ask({ to, key: "riddle", event: { type: "test.riddle", word, afterMs } });

const heardWords = (world: ReturnType<typeof office>) =>
  seenBy(world, "asker").flatMap((event) => (event.type === "test.answered" ? [event.word] : []));

describe("questions", () => {
  it("[KN3, KN5] an answer carries the key of its question, and the question says it is one", () => {
    const world = office({
      actors: { asker: ({ type }) => (type === "test.go" ? [question("moon", 5)] : []), oracle },
    });
    world.kernel.postFromOutside("x", letter("asker", "test.go"));

    world.run();

    expect(seenBy(world, "oracle")[0]?.at).toMatchObject({ asked: true, from: "asker" });
    expect(seenBy(world, "asker")[1]?.at).toMatchObject({
      key: "riddle",
      from: "oracle",
      nowMs: 5,
    });
  });

  it("[KN5] a newer question of the same key makes the older answer stale", () => {
    const world = office({
      actors: {
        asker: ({ type }) => {
          if (type === "test.first") return [question("slow", 50)];
          return type === "test.second" ? [question("quick", 1)] : [];
        },
        oracle,
      },
    });
    world.kernel.postFromOutside("x", letter("asker", "test.first"));
    world.kernel.postFromOutside("x", letter("asker", "test.second", { delayMs: 10 }));

    world.run();

    expect(heardWords(world)).toEqual(["quick"]);
    expect(world.at("asker").slice(-2)).toEqual(["test.answered handled", "test.answered stale"]);
  });

  it("[KN5] takes one answer to a question: the second one is stale", () => {
    const twice: Answers = ({ at }) => [
      ...answer(at, { type: "test.answered", word: "yes" }),
      ...answer(at, { type: "test.answered", word: "no" }),
    ];
    const world = office({
      actors: {
        asker: ({ type }) => (type === "test.go" ? [question("?", 0)] : []),
        oracle: twice,
      },
    });
    world.kernel.postFromOutside("x", letter("asker", "test.go"));

    world.run();

    expect(heardWords(world)).toEqual(["yes"]);
    expect(world.at("asker").at(-1)).toBe("test.answered stale");
  });

  it("[KN5] a cancelled question is closed at once, even for an answer due at that instant", () => {
    const world = office({
      actors: {
        asker: ({ type }) => {
          if (type === "test.go") return [question("late", 10)];
          return type === "test.enough" ? [cancelAsk("riddle")] : [];
        },
        oracle,
      },
    });
    world.kernel.postFromOutside("x", letter("asker", "test.go"));
    world.kernel.postFromOutside("x", letter("asker", "test.enough", { delayMs: 10 }));

    world.run();

    expect(heardWords(world)).toEqual([]);
    expect(world.at("asker")).toEqual([
      "test.go handled",
      "test.enough handled",
      "test.answered stale",
    ]);
    expect(world.at("kernel").filter((entry) => entry.startsWith("ask.cancelled"))).toEqual([]);
  });

  it("[KN5] a question asked after its cancellation is open again", () => {
    const world = office({
      actors: {
        asker: ({ type }) =>
          type === "test.go" ? [question("old", 5), cancelAsk("riddle"), question("new", 5)] : [],
        oracle,
      },
    });
    world.kernel.postFromOutside("x", letter("asker", "test.go"));

    world.run();

    expect(heardWords(world)).toEqual(["new"]);
  });

  it("[KN6, KN12] a question to nobody comes back under its key, because of it", () => {
    const world = office({
      actors: { asker: ({ type }) => (type === "test.go" ? [question("?", 0, "nobody")] : []) },
    });
    world.kernel.postFromOutside("x", letter("asker", "test.go"));

    world.run();

    expect(world.at("nobody")).toEqual(["test.riddle undeliverable"]);
    expect(seenBy(world, "asker").at(-1)).toMatchObject({
      type: "ask.bounced",
      address: "nobody",
      at: { key: "riddle" },
    });
    const [asked, back] = world.log.slice(-2);
    expect([asked?.to, back?.to, back?.cause]).toEqual(["nobody", "asker", asked?.seq]);
  });

  it("[KN6] a letter to nobody is logged and nothing else", () => {
    const world = office({});
    world.kernel.postFromOutside("x", letter("nobody", "test.pinged"));

    world.run();

    expect(world.log).toHaveLength(1);
    expect(world.log[0]).toMatchObject({ to: "nobody", fate: "undeliverable", letters: [] });
  });
});

describe("birth and death", () => {
  const mortal: Answers = ({ type }) => (type === "test.ended" ? "done" : []);

  it("[KN7] an address is never used twice, not even after its actor ended", () => {
    const world = office({ actors: { mortal } });
    world.kernel.postFromOutside("x", letter("mortal", "test.ended"));
    world.kernel.postFromOutside("x", startActor("mortal", "mortal", {}));

    expect(world.run).toThrow("the address mortal was used before");
  });

  it("[KN12] what comes from outside has no cause, in the middle of a run either", () => {
    const world = office({ actors: { listener: silent } });
    for (const id of ["a", "b"]) {
      world.kernel.postFromOutside(id, letter("listener", "test.pinged"));
      world.run();
    }

    const came = world.log.filter(({ to }) => to === "listener");
    expect(came.map(({ from, cause }) => [from, cause])).toEqual([
      ["outside/a", null],
      ["outside/b", null],
    ]);
  });

  it("[KN7] an unknown machine is a bug", () => {
    const world = office({});
    world.kernel.postFromOutside("x", startActor("unicorn", "a", {}));

    expect(world.run).toThrow("no machine is called unicorn");
  });

  it("[KN8] an actor that ended is gone for the next letter of the same instant", () => {
    const world = office({ actors: { mortal } });
    world.kernel.postFromOutside("x", letter("mortal", "test.ended"));
    world.kernel.postFromOutside("x", letter("mortal", "test.pinged"));

    world.run();

    expect(world.at("mortal")).toEqual(["test.ended handled", "test.pinged undeliverable"]);
    expect(world.kernel.contexts()).toEqual({});
  });

  it("[KN8] a final state tells the kernel its output, after its last letters", () => {
    const counter = setup({
      types: { output: {} as { count: number }, emitted: {} as Outbox },
    }).createMachine({
      id: "counter",
      initial: "counting",
      output: { count: 3 },
      states: {
        counting: { on: { "test.ended": "over" } },
        over: { type: "final", entry: post(() => [letter("listener", "test.farewell")]) },
      },
    });
    const world = office({ charts: { counter }, actors: { listener: silent } });
    world.kernel.postFromOutside("x", letter("counter", "test.ended", { delayMs: 1 }));

    world.run();

    const last = world.log.slice(-2).map(({ to, event }) => ({ to, ...event }));
    expect(last).toEqual([
      { to: "listener", type: "test.farewell" },
      { to: "kernel", type: "actor.stopped", address: "counter", output: { count: 3 } },
    ]);
  });

  it("[KN7, KN8] a machine that ends while it starts never lives, and has used its address", () => {
    const stillborn = setup({}).createMachine({
      id: "brief",
      initial: "over",
      states: { over: { type: "final" } },
    });
    const world = office({ charts: { brief: stillborn } });

    world.run();

    expect(world.at("kernel")).toEqual(["actor.start handled", "actor.stopped handled"]);
    expect(world.kernel.contexts()).toEqual({});
    world.kernel.postFromOutside("x", startActor("brief", "brief", {}));
    expect(world.run).toThrow("the address brief was used before");
  });
});

/** Answers with the call's number, 30 ms later. */
const counting: Provider = {
  answer: ({ nth, purpose }) => ({ event: { type: "test.replied", purpose, nth }, latencyMs: 30 }),
};

describe("ports", () => {
  it("[KN9] counts calls by sender, port and purpose, and replies after the latency", () => {
    const world = office({
      actors: { ann: caller, bob: caller },
      ports: { "port/llm.chat": counting },
    });
    for (const [to, need] of [
      ["ann", "plan"],
      ["ann", "goal"],
      ["bob", "plan"],
      ["ann", "plan"],
    ] as const) {
      world.kernel.postFromOutside("x", needed(to, need));
    }

    world.run();

    const replies = world.inputs.filter((input) => input.kind === "reply");
    expect(replies.map(({ from, purpose, nth }) => `${from} ${purpose} ${nth}`)).toEqual([
      "ann plan 1",
      "ann goal 1",
      "bob plan 1",
      "ann plan 2",
    ]);
    expect(replies.map(({ deliveredAt }) => deliveredAt)).toEqual([30, 30, 30, 30]);
    const answers = world.log.filter(({ event }) => event.type === "test.replied");
    expect(answers.map(({ dueMs }) => dueMs)).toEqual([30, 30, 30, 30]);
    expect(world.log.filter(({ fate }) => fate === "served")).toHaveLength(4);
  });

  it("[KN9] counts the calls of one purpose apart, port by port", () => {
    const both: Answers = (event) =>
      event.type === "test.needed"
        ? ["port/llm.chat", "port/llm.embed"].map((to) =>
            ask({
              ...{ to, key: `${to} ${event.what}` },
              event: { type: "test.asked", purpose: event.what },
            }),
          )
        : [];
    const world = office({
      actors: { ann: both },
      ports: { "port/llm.chat": counting, "port/llm.embed": counting },
    });
    for (const delayMs of [0, 50]) {
      world.kernel.postFromOutside("x", needed("ann", "plan", { delayMs }));
    }

    world.run();

    const replies = world.inputs.filter((input) => input.kind === "reply");
    expect(replies.map(({ port, nth }) => `${port} ${nth}`)).toEqual([
      "port/llm.chat 1",
      "port/llm.embed 1",
      "port/llm.chat 2",
      "port/llm.embed 2",
    ]);
  });

  it("[KN16] a reply is delivered with its keys in the order of the recording", () => {
    const odd: Provider = {
      answer: ({ nth, purpose }) => ({
        event: { type: "test.replied", purpose, nth },
        latencyMs: 0,
      }),
    };
    const world = office({ actors: { ann: caller }, ports: { "port/llm.chat": odd } });
    world.kernel.postFromOutside("x", needed("ann", "plan"));

    world.run();

    const { at: _, ...heard } = seenBy(world, "ann")[1] ?? {};
    expect(JSON.stringify(heard)).toBe('{"nth":1,"purpose":"plan","type":"test.replied"}');
  });

  it("[KN9] a letter to a port that the actor has no use of is a bug", () => {
    const world = office({
      actors: { thief: () => [letter("port/sandbox.run", "test.pinged")] },
      ports: { "port/sandbox.run": counting },
      noPorts: ["thief"],
    });
    world.kernel.postFromOutside("x", letter("thief", "test.go"));

    expect(world.run).toThrow("thief has no use of port/sandbox.run");
  });

  it("[KN9] a letter to a port that nothing serves is a bug", () => {
    const world = office({});
    world.kernel.postFromOutside("x", letter("port/oracle", "test.pinged"));

    expect(world.run).toThrow("nothing serves port/oracle");
  });
});
