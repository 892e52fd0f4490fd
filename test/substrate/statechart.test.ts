import { describe, expect, it } from "vitest";
import { assign, cancel, emit, log, raise, sendTo, setup } from "xstate";
import { statechartBehaviour } from "../../src/substrate/statechart.ts";
import { letter, office } from "./office.ts";

/** A machine that does `action` when poked. */
const doing = (action: unknown) =>
  setup({ types: { context: {} as { count: number } } }).createMachine({
    id: "doer",
    context: { count: 0 },
    initial: "on",
    states: { on: { on: { "test.poked": { actions: action as never } } } },
  });

function poked(action: unknown) {
  const world = office({ charts: { doer: doing(action) } });
  world.kernel.postFromOutside("x", letter("doer", "test.poked"));
  world.run();
  return world.at("doer")[0];
}

describe("statechartBehaviour", () => {
  it.each([
    ["a log", log("hello")],
    ["a letter past the outbox", sendTo("someone", { type: "pinged" })],
    ["another emitted event", emit({ type: "shouted" })],
    ["a raised event that waits and has no id", raise({ type: "test.poked" }, { delay: 5 })],
    ["an action of its own", () => {}],
    [
      "a reach for its own actor",
      ({ self }: { self: { send: (event: object) => void } }) => self.send({ type: "test.poked" }),
    ],
  ])("[KN21] refuses %s", (_name, action) => {
    expect(() => poked(action)).toThrow(
      /outside the subset|Unable to send|may only post letters|through its outbox only|an event and an id/,
    );
  });

  it.each([
    ["assign", assign({ count: 1 })],
    ["raise", raise({ type: "echoed" })],
    ["cancel", cancel("nothing")],
  ])("[KN21] takes %s", (_name, action) => {
    expect(() => poked(action)).not.toThrow();
  });

  it("[KN22] logs an event without a transition as ignored", () => {
    const world = office({ charts: { doer: doing([]) } });
    world.kernel.postFromOutside("x", letter("doer", "test.stroked"));

    world.run();

    expect(world.at("doer")).toEqual(["test.stroked ignored"]);
  });

  it("[KN15] refuses to save a context that JSON cannot hold", () => {
    const behaviour = statechartBehaviour(
      setup({ types: { context: {} as { when: Date } } }).createMachine({
        id: "dated",
        context: { when: new Date(0) },
      }),
    );
    const { state } = behaviour.start("dated", {}, { nowMs: 0, seq: 1, from: "kernel" });

    expect(() => behaviour.persist(state)).toThrow("dated: context.when: a Date is not JSON");
  });

  it("[KN19] a saved state remembers which sub-state it left", () => {
    const behaviour = statechartBehaviour(
      setup({}).createMachine({
        id: "player",
        initial: "on",
        states: {
          on: {
            initial: "soft",
            on: { "test.stopped": "off" },
            states: {
              soft: { on: { "test.turned": "loud" } },
              loud: {},
              last: { type: "history" },
            },
          },
          off: { on: { "test.resumed": "on.last" } },
        },
      }),
    );
    const at = { nowMs: 0, seq: 1, from: "x" };
    const loud = behaviour.receive("p", behaviour.start("p", {}, at).state, {
      type: "test.turned",
      at,
    });
    const off = behaviour.receive("p", loud.state, { type: "test.stopped", at });

    const restored = behaviour.restore(
      "p",
      JSON.parse(JSON.stringify(behaviour.persist(off.state))),
    );

    const again = behaviour.receive("p", restored, { type: "test.resumed", at });
    expect(behaviour.value(again.state)).toEqual({ on: "loud" });
  });
});
