import { expect, it } from "vitest";
import { LiveClock } from "../../../src/edges/live/liveClock.ts";
import type { PortReply, PortRequest } from "../../../src/substrate/port.ts";

const reply: PortReply = { event: { type: "llm.replied", text: "" }, latencyMs: 0 };
const asked = (seq: number, nowMs: number) => ({ seq, nowMs });

function clockAt(startMs: number, afterMs = 0) {
  const wall = { ms: startMs };
  return { wall, clock: new LiveClock(() => wall.ms, afterMs) };
}

it("[LV1] without an open call time may jump; with one it follows the wall clock", () => {
  const { clock, wall } = clockAt(5_000);
  expect(clock.horizonMs()).toBe(Number.MAX_SAFE_INTEGER);

  clock.asked(asked(1, 100));
  wall.ms += 250;
  clock.asked(asked(2, 300));
  expect(clock.horizonMs()).toBe(350);
  expect([clock.untilDueMs(400), clock.untilDueMs(350), clock.untilDueMs(0)]).toEqual([50, 1, 1]);

  wall.ms += 50;
  clock.stamped(1, reply, 300);
  expect(clock.horizonMs()).toBe(400);
  clock.stamped(2, reply, 300);
  expect(clock.horizonMs()).toBe(Number.MAX_SAFE_INTEGER);

  wall.ms += 1_000;
  clock.asked(asked(3, 90_000));
  expect(clock.horizonMs()).toBe(90_000);
});

it("[LV1] while a call with a virtual latency is open, nothing moves", () => {
  const { clock, wall } = clockAt(0);
  clock.asked(asked(1, 100));
  const held = clock.holding({ answer: ({ nth }) => (nth === 1 ? null : reply) });

  expect(held.answer({ seq: 2, nth: 2 } as PortRequest)).toBe(reply);
  expect(clock.hasHeld).toBe(false);
  held.answer({ seq: 3, nth: 1 } as PortRequest);
  wall.ms += 500;

  expect([clock.hasHeld, clock.horizonMs()]).toEqual([true, -1]);
  expect(clock.stamped(3, { ...reply, latencyMs: 40 }, 100).latencyMs).toBe(40);
  expect(clock.horizonMs()).toBe(600);
});

it("[LV2] a reply is due when it comes, after what was delivered and after earlier replies", () => {
  const { clock, wall } = clockAt(0);
  for (const seq of [1, 2, 3, 4]) clock.asked(asked(seq, 100));
  const dueMs = (seq: number, deliveredMs: number): number =>
    100 + clock.stamped(seq, reply, deliveredMs).latencyMs;

  wall.ms += 30;
  expect(dueMs(1, 100)).toBe(130);
  expect(dueMs(2, 100)).toBe(131);
  expect(dueMs(3, 140)).toBe(141);
  wall.ms += 100;
  expect(dueMs(4, 141)).toBe(230);
});

it("[LV16] a run that goes on counts from there, also for calls that were asked before", () => {
  const { clock, wall } = clockAt(0, 7_000);
  clock.goesOnAt(6_000);
  clock.asked(asked(1, 5_000));
  wall.ms += 200;

  expect(clock.horizonMs()).toBe(6_200);
  expect(clock.stamped(1, reply, 6_100).latencyMs).toBe(2_001);
  expect(clock.stamped(9, reply, 6_100)).toBe(reply);
});
