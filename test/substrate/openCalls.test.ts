// Ports that answer later: what the kernel does meanwhile, and why a replay cannot tell.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Checkpoint, ownState } from "../../src/substrate/checkpoint.ts";
import { digestOf } from "../../src/substrate/digest.ts";
import type { Envelope } from "../../src/substrate/envelope.ts";
import { Kernel } from "../../src/substrate/kernel.ts";
import type { PortReply, PortRequest } from "../../src/substrate/port.ts";
import { recordedPorts } from "../../src/substrate/recordedPort.ts";
import { caller, needed, office } from "./office.ts";

const PORT = "port/llm.chat";

const said = ({ purpose, nth }: PortRequest, latencyMs = 30): PortReply => ({
  event: { type: "test.replied", purpose, nth },
  latencyMs,
});

/** Two callers and a port that keeps its questions until the test answers them. */
function desk(options: { horizonMs?: () => number; endMs?: number } = {}) {
  const asked: PortRequest[] = [];
  const later = {
    answer: (request: PortRequest) => {
      asked.push(request);
      return null;
    },
  };
  const world = office({
    actors: { ann: caller, bob: caller },
    ports: { [PORT]: later },
    ...options,
  });
  const need = (who: string, what: string, delayMs = 0): void =>
    world.kernel.postFromOutside("x", needed(who, what, { delayMs }));
  return { ...world, asked, need };
}

describe("open calls", () => {
  it("[KN23] while a call is open nothing moves, not even at the same instant", () => {
    const world = desk();
    world.need("ann", "plan");
    world.need("bob", "plan", 5);

    world.run();

    expect(world.kernel.step()).toBe("waiting");
    expect([world.kernel.nowMs, world.asked.length]).toEqual([0, 1]);
  });

  it("[KN23] the reply comes after its latency, under the number that was kept for it", () => {
    const world = desk();
    world.need("ann", "plan");
    world.run();
    const { nextSeq } = world.kernel.checkpoint();

    world.kernel.reply(world.asked[0]?.seq ?? 0, said(world.asked[0] as PortRequest, 70));
    world.run();

    expect(world.log.at(-1)).toMatchObject({ to: "ann", dueMs: 70, seq: nextSeq - 1 });
    expect(world.kernel.step()).toBe("ended");
  });

  it("[KN23, KN24] its latency counts from the question, however far time has gone on meanwhile", () => {
    const world = desk({ horizonMs: () => 20, endMs: 100 });
    world.need("ann", "plan");
    world.need("bob", "goal", 20);
    world.run();
    expect(world.kernel.nowMs).toBe(20);

    for (const request of world.asked) world.kernel.reply(request.seq, said(request, 30));
    world.run();

    const replies = world.log.filter(({ event }) => event.type === "test.replied");
    expect(replies.map(({ to, dueMs }) => [to, dueMs])).toEqual([
      ["ann", 30],
      ["bob", 50],
    ]);
  });

  it("[KN23] a reply that nobody waits for changes nothing", () => {
    const world = desk();
    world.need("ann", "plan");
    world.run();
    const [request] = world.asked as [PortRequest];
    world.kernel.reply(request.seq, said(request));
    const before = world.kernel.checkpoint();

    world.kernel.reply(request.seq, said(request));
    world.kernel.reply(12_345, said(request));

    expect(world.kernel.checkpoint()).toEqual(before);
  });

  it("[KN24] with a horizon time goes on up to it, and the run ends when it is past the end", () => {
    let horizonMs = 4;
    const world = desk({ horizonMs: () => horizonMs, endMs: 100 });
    world.need("ann", "plan");
    world.need("bob", "goal", 5);
    world.need("bob", "late", 101);

    world.run();
    expect([world.kernel.step(), world.kernel.nowMs]).toEqual(["waiting", 0]);

    horizonMs = 5;
    world.run();
    expect([world.kernel.step(), world.kernel.nowMs]).toEqual(["waiting", 5]);

    horizonMs = 99;
    expect(world.kernel.step()).toBe("waiting");
    horizonMs = 100;
    expect(world.kernel.step()).toBe("ended");
    horizonMs = 500;
    expect([world.kernel.step(), world.kernel.nowMs]).toEqual(["ended", 5]);
  });

  it("[KN19, KN25] a restored kernel asks again everything that was open", () => {
    const world = desk({ horizonMs: () => 5, endMs: 100 });
    world.need("ann", "plan");
    world.need("bob", "goal", 5);
    world.run();
    const open = [...world.asked];
    const saved = JSON.parse(JSON.stringify(world.kernel.checkpoint())) as Checkpoint;

    const again = Kernel.restore(saved, world.options);

    expect(open.map(({ from }) => from)).toEqual(["ann", "bob"]);
    expect(world.asked).toEqual([...open, ...open]);
    expect(again.step()).toBe("waiting");
  });

  it("[RC9] a call that got no answer is recorded as one, and stays without in a replay", () => {
    const world = desk({ horizonMs: () => Number.MAX_SAFE_INTEGER, endMs: 50 });
    world.need("ann", "plan");
    world.need("bob", "goal", 5);
    world.run();
    world.kernel.recordUnanswered();

    const { ports, served } = recordedPorts(world.inputs, { [PORT]: { answer: () => null } });
    const replayed = office({
      actors: { ann: caller, bob: caller },
      ports,
      endMs: 50,
      horizonMs: () => Number.MAX_SAFE_INTEGER,
    });
    replayed.kernel.postFromOutside("x", needed("ann", "plan"));
    replayed.kernel.postFromOutside("x", needed("bob", "goal", { delayMs: 5 }));
    replayed.run();

    expect(world.inputs.filter(({ kind }) => kind === "unanswered")).toHaveLength(2);
    expect(served()).toBe(2);
    expect(replayed.kernel.digest).toBe(world.kernel.digest);
  });
});

it("[RC8] the digest of a checkpoint covers all but what providers keep, open calls and replies on their way", () => {
  const world = desk();
  world.need("ann", "plan");
  world.need("bob", "plan", 5);
  world.run();
  const saved = world.kernel.checkpoint();
  const digest = (one: object): string => digestOf(ownState({ ...saved, ...one }));
  const letter = saved.queue.find(({ from }) => !from.startsWith("port/")) as Envelope;
  const left = Object.keys(saved).filter(
    (name) => name !== "queue" && digest({ [name]: "another" }) === digest({}),
  );
  const withLetter = (from: string): string =>
    digest({ queue: [...saved.queue, { ...letter, from }] });

  expect(Object.keys(saved)).toHaveLength(11);
  expect(left).toEqual(["open", "providers"]);
  expect(withLetter("port/llm.chat")).toBe(digest({}));
  expect(withLetter("ann")).not.toBe(digest({}));
});

it("[KN23] [RC8] an answer that comes later leaves the same run and the same checkpoints", () => {
  const needs = fc.array(
    fc.record({
      who: fc.constantFrom("ann", "bob"),
      what: fc.constantFrom("plan", "goal"),
      delayMs: fc.nat(50),
      latencyMs: fc.nat(40),
    }),
    { minLength: 1, maxLength: 20 },
  );
  fc.assert(
    fc.property(needs, (all) => {
      const latencyOf = ({ nth }: PortRequest) => all[nth % all.length]?.latencyMs ?? 0;
      const play = (isLate: boolean) => {
        const asked: PortRequest[] = [];
        const checkpoints: string[] = [];
        const answer = (request: PortRequest) => {
          if (!isLate) return said(request, latencyOf(request));
          asked.push(request);
          return null;
        };
        const world = office({
          actors: { ann: caller, bob: caller },
          ports: { [PORT]: { answer } },
          checkpointEvery: 3,
          onCheckpoint: (seq, digest) => checkpoints.push(`${seq} ${digest}`),
        });
        for (const { who, what, delayMs } of all) {
          world.kernel.postFromOutside("x", needed(who, what, { delayMs }));
        }
        for (world.run(); world.kernel.step() === "waiting"; world.run()) {
          const request = asked.shift() as PortRequest;
          world.kernel.reply(request.seq, said(request, latencyOf(request)));
        }
        return { digest: world.kernel.digest, checkpoints };
      };

      expect(play(true)).toEqual(play(false));
    }),
    { numRuns: 100 },
  );
});
