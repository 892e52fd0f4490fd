// `npm run soak`: a thousand live sessions, their kills and resumptions.
import { expect, it } from "vitest";
import { faultOfSession, liveSession } from "./liveSession.ts";

const SESSIONS = 1_000;

it("[LV3] a thousand random live sessions replay without one divergence", async () => {
  const faults: string[] = [];
  const counts = { sessions: 0, calls: 0, failures: 0, killed: 0, resumed: 0 };
  const seeds = Array.from({ length: SESSIONS }, (_, index) => 1_000 + index);
  const play = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const result = await liveSession(seed);
      faults.push(...faultOfSession(seed, result));
      counts.sessions += 1;
      counts.calls += result.calls;
      counts.failures += result.failures;
      counts.killed += result.killed === undefined ? 0 : 1;
      counts.resumed += result.resumed === undefined ? 0 : 1;
    }
  };
  await Promise.all([play(), play(), play(), play()]);

  process.stdout.write(`live sessions: ${JSON.stringify(counts)}\n`);
  expect(faults).toEqual([]);
});
