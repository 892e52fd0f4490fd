import { expect, it } from "vitest";
import { faultOfSession, liveSession } from "./liveSession.ts";

/** Few in `npm test`; `npm run goldens` plays more. */
const SESSIONS = Number(process.env["GHOSTLIGHT_SESSIONS"] ?? 15);

it("[LV3] random live sessions, their killed copies and what resumed those replay exactly", async () => {
  const faults: string[] = [];
  let [calls, failures, resumed] = [0, 0, 0];
  const seeds = Array.from({ length: SESSIONS }, (_, index) => index + 1);
  const play = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const result = await liveSession(seed);
      faults.push(...faultOfSession(seed, result));
      calls += result.calls;
      failures += result.failures;
      resumed += result.resumed === undefined ? 0 : 1;
    }
  };
  // Most of a session is waiting.
  await Promise.all([play(), play(), play(), play()]);

  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(2 * SESSIONS);
  expect(failures).toBeGreaterThan(SESSIONS / 10);
  expect(resumed).toBeGreaterThan(SESSIONS / 10);
});
