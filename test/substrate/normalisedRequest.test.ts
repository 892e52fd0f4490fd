import { expect, it } from "vitest";
import { normalised } from "../../src/run/changedRun.ts";

it.each([
  ["at 2026-05-02T09:00:00Z", "at 2026-05-02T11:30:00.250Z"],
  ["cedar wrote /agentOS/workspace/page-7.md", "cedar wrote /agentOS/workspace/page-12.md"],
  ["run 01234567-89ab-cdef-0123-456789abcdef", "run 11234567-99ac-cdef-0123-456789abcdef"],
  ["commit 8c79d0fcc46e", "commit 91abc0fcc46e"],
  ["it is 1:32:05", "it is 0:01:00"],
  ["goal/cedar/7, call #12 and proposal-cedar-3", "goal/cedar/8, call #99 and proposal-cedar-44"],
])("[LV17] times and ids play no role: %s", (one, other) => {
  expect(normalised(one)).toBe(normalised(other));
});

it.each([
  ["Load: 0.30/1.0", "Load: 0.60/1.0"],
  ["cedar wrote a page", "cipher wrote a page"],
  ["[COMPLETED] Write", "[ABANDONED] Write"],
  ["deadbeef", "decadefa"],
  ["at most 6 steps", "at most 1 steps"],
  ["fs_write  (3 failures, exception)", "fs_write  (4 failures, exception)"],
])("[LV17] facts do: %s", (one, other) => {
  expect(normalised(one)).not.toBe(normalised(other));
});
