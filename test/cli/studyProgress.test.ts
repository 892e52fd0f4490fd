// What is told while runs are played, in one round and in several.
import { afterEach, expect, it, vi } from "vitest";
import { studyProgress } from "../../src/cli/study/studyProgress.ts";

const lines: string[] = [];
vi.mock("../../src/cli/output.ts", () => ({
  note: (line: string) => lines.push(line),
  progress: () => undefined,
}));
afterEach(() => {
  lines.length = 0;
});

it("[ST184] counts on over the rounds of a study, and says of which round the time left is", () => {
  let now = 0;
  const tell = studyProgress("s", () => now);
  // A round in which nothing is left to play is none.
  for (const total of [10, 0, 5]) {
    tell(0, total);
    for (let done = 1; done <= total; done += 1) {
      now += 1_000;
      tell(done, total);
    }
  }

  expect(lines[0]).toBe("s: 1 of 10 runs");
  expect(lines[9]).toMatch(/^s: 10 of 10 runs · 1\.00 runs\/s · 0 s left$/);
  expect(lines[10]).toMatch(/^s: 11 of 15 runs · 1\.00 runs\/s · 4 s left of round 2$/);
  expect(lines.at(-1)).toMatch(/^s: 15 of 15 runs · 1\.00 runs\/s · 0 s left of round 2$/);
});
