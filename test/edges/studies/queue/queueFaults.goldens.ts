// What a database, or another machine, may do to a study. Nothing is played here: results are made up.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packed } from "../../../../src/edges/studies/keptFacts.ts";
import { queueAddress } from "../../../../src/edges/studies/queue/queueAddress.ts";
import { QueueDatabase } from "../../../../src/edges/studies/queue/queueDatabase.ts";
import { type QueuedOptions, queuedRuns } from "../../../../src/edges/studies/queue/queuedRuns.ts";
import type { QueueJob } from "../../../../src/edges/studies/queue/queueJob.ts";
import { workQueue } from "../../../../src/edges/studies/queue/queueWorker.ts";
import { runKey, sha256 } from "../../../../src/edges/studies/runKey.ts";
import type { RunFacts, RunOf } from "../../../../src/studies/study.ts";
import { isPostgresThere, PASSWORD, Postgres } from "./postgres.ts";

const world = {
  ...{ scenario: { name: "one", text: "why: whole" }, limits: {} },
  ...{ untilMs: null, watched: [] },
};

function runsOf(code: string, first: number, count: number): ReadonlyMap<string, RunOf> {
  const runs = Array.from(
    { length: count },
    (_, at): RunOf => ({ point: 0, replicate: at, seed: first + at, variant: null, set: {} }),
  );
  return new Map(runs.map((run) => [runKey(world, code, run), run]));
}

const jobsOf = (runs: ReadonlyMap<string, RunOf>): readonly QueueJob[] =>
  Array.from(runs, ([key, run]) => [{ key, world, run }]);

/** Made up, and told from another's by its time. */
const resultOf = ({ seed }: RunOf): string =>
  JSON.stringify({
    ...{ outcome: "ended", virtualMs: seed },
    ...{ finals: {}, series: {}, tooLong: {}, promises: {} },
  });

describe.skipIf(!isPostgresThere)("(skipped where PostgreSQL's server is absent) a queue", () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await Postgres.start();
  });
  afterAll(() => server.down());
  const openAs = async (change: (url: URL) => void, said: string[] = []) => {
    const url = new URL(server.url);
    url.password = PASSWORD;
    change(url);
    return QueueDatabase.open({ ...queueAddress(url.href), warning: undefined }, (text) =>
      said.push(text),
    );
  };
  const asked = (code: string, runs: ReadonlyMap<string, RunOf>, signal?: AbortSignal) =>
    ({ queue: server.secretUrl, code, jobs: jobsOf(runs), signal }) satisfies QueuedOptions;

  /** Keeps a result for each job, until the signal ends it. */
  async function playing(code: string, signal: AbortSignal): Promise<void> {
    const database = await openAs(() => {});
    const work = async ({ text }: { text: string }): Promise<void> => {
      for (const { key, run } of JSON.parse(text) as { key: string; run: RunOf }[]) {
        const result = resultOf(run);
        await database.keep(key, packed(result), sha256(result));
      }
    };
    while (!signal.aborted) await database.take(code, work, signal);
    await database.close();
  }

  async function gathered(options: QueuedOptions): Promise<Map<string, unknown>> {
    const found = new Map<string, unknown>();
    for await (const [key, kept] of queuedRuns(options)) {
      found.set(key, "result" in kept ? JSON.parse(kept.result) : kept);
    }
    return found;
  }

  it("[ST115] says what the server refuses, and what to do", async () => {
    server.query("CREATE ROLE poor LOGIN PASSWORD 'poor'");
    const refusals: readonly [(url: URL) => void, RegExp][] = [
      [(url) => (url.pathname = "/absent"), /"absent" does not exist.*createdb/s],
      [(url) => (url.username = "nobody"), /authentication failed.*PGPASSWORD/s],
      [(url) => ([url.username, url.password] = ["poor", "poor"]), /denied.*GRANT CREATE/s],
      [(url) => url.searchParams.set("sslmode", "require"), /does not support TLS.*Turn TLS on/s],
      [
        (url) => url.searchParams.set("sslmode", "perhaps"),
        /sslmode: found "perhaps"; allowed: allow, prefer, require/,
      ],
    ];
    for (const [change, expected] of refusals) {
      const message = await openAs(change).then(
        async (database) => String(await database.close()),
        (error: Error) => error.message,
      );
      expect(message).toMatch(expected);
      expect(message).not.toContain(PASSWORD);
    }
  });

  it("[ST115] waits where the server takes no more connections, and says so", async () => {
    server.query("CREATE ROLE many LOGIN PASSWORD 'plenty' CONNECTION LIMIT 0");
    server.query("GRANT ALL ON SCHEMA public TO many; GRANT postgres TO many");
    const said: string[] = [];
    const opening = openAs((url) => ([url.username, url.password] = ["many", "plenty"]), said);
    await expect.poll(() => said.join()).toMatch(/trying again: too many connections/);
    server.query("ALTER ROLE many CONNECTION LIMIT -1");

    await (await opening).close();
  });

  it("[ST114] has its tables made by however many that begin at once, with times in UTC", async () => {
    server.query("CREATE DATABASE fresh");
    server.query("ALTER DATABASE fresh SET timezone TO 'Asia/Tokyo'");
    const six = await Promise.all(
      Array.from({ length: 6 }, () => openAs((url) => (url.pathname = "/fresh"))),
    );
    await six[0]?.offer("code", [{ id: "one", text: "one" }]);
    for (const one of six) await one.close();

    const age = "SELECT abs(extract(epoch FROM created_at - now() AT TIME ZONE 'UTC')) < 60";
    expect(server.query(`${age} FROM ghostlight_queue`, "fresh")).toBe("t");
  });

  it("[ST116] who asks for runs that nobody takes says so, and waits", async () => {
    const [said, over]: [string[], AbortController] = [[], new AbortController()];
    const onTrouble = (text: string) => void said.push(text);
    const study = gathered({ ...asked("nobody", runsOf("nobody", 0, 3), over.signal), onTrouble });
    const nobody = /^nobody plays these runs: waiting for `ghostlight work`/;
    await expect.poll(() => said.at(-1)).toMatch(nobody);
    over.abort();

    expect(await study).toBeDefined();
  });

  it("[ST111, ST116] says that runs wait for another version of the code, and takes none", async () => {
    const over = new AbortController();
    const study = gathered(asked("another code", runsOf("another code", 0, 3), over.signal));
    const said: string[] = [];
    const stop = new AbortController();
    const work = workQueue({
      ...{ queue: server.secretUrl, sandbox: "pyodide", cache: null, workers: 1 },
      ...{ code: "own code", signal: stop.signal, onDone: () => {} },
      onTrouble: (text) => void said.push(text),
    });
    await expect.poll(() => said.at(-1)).toMatch(/other code, runs wait there: 3 for code another/);
    stop.abort();
    over.abort();

    expect(await work).toBe(0);
    expect((await study).size).toBe(0);
    const pending =
      "SELECT count(*) FROM ghostlight_queue WHERE state = 'pending' AND attempts = 0";
    expect(server.query(`${pending} AND queue_name LIKE '%another code'`)).toBe("3");
  });

  it("[ST117] lets two studies have their turns, and mixes no results", async () => {
    const [long, short] = [runsOf("shared", 0, 200), runsOf("shared", 190, 20)];
    let gatheredOfLong = 0;
    const isLongOver = (async () => {
      for await (const [key, kept] of queuedRuns(asked("shared", long))) {
        gatheredOfLong += 1;
        expect("result" in kept && JSON.parse(kept.result).virtualMs).toBe(long.get(key)?.seed);
      }
    })();
    const jobs = "SELECT count(*) FROM ghostlight_queue WHERE queue_name LIKE '%shared'";
    await expect.poll(() => Number(server.query(jobs))).toBeGreaterThan(30);
    const ofShort = gathered(asked("shared", short));
    await expect.poll(() => Number(server.query(jobs))).toBeGreaterThan(45);
    const over = new AbortController();
    const player = playing("shared", over.signal);
    const found = await ofShort;
    const whenShortWasOver = gatheredOfLong;
    await isLongOver;
    over.abort();
    await player;

    // Ten of them are of both studies, and have one result.
    expect([...found.values()].map((kept) => (kept as RunFacts).virtualMs).sort()).toEqual(
      [...short.values()].map(({ seed }) => seed).sort(),
    );
    expect(whenShortWasOver).toBeLessThan(150);
    expect(gatheredOfLong).toBe(200);
    expect(server.query(`${jobs} AND state = 'completed'`)).toBe("210");
  });

  it("[ST64] refuses a result that no run leaves, though its hash vouches for it", async () => {
    const runs = runsOf("forged", 1, 1);
    const database = await openAs(() => {});
    for (const key of runs.keys()) await database.keep(key, packed("null"), sha256("null"));
    await database.close();

    const gathered = (async () => {
      for await (const _ of queuedRuns(asked("forged", runs)));
    })();
    await expect(gathered).rejects.toThrow(/not the one that was kept.*Delete its row/s);
  });

  it("[ST114] goes on where it was interrupted, and puts no run into the queue again", async () => {
    const runs = runsOf("gone on", 0, 20);
    const over = new AbortController();
    const first = gathered(asked("gone on", runs, over.signal));
    const jobs = "SELECT count(*) FROM ghostlight_queue WHERE queue_name LIKE '%gone on'";
    await expect.poll(() => server.query(jobs)).toBe("20");
    over.abort();
    expect((await first).size).toBe(0);
    const ended = new AbortController();
    const player = playing("gone on", ended.signal);
    const second = await gathered(asked("gone on", runs));
    ended.abort();
    await player;

    expect(new Set(second.keys())).toEqual(new Set(runs.keys()));
    expect(server.query(jobs)).toBe("20");
  });

  it("[ST63] gives up a run whose process vanished twenty times", async () => {
    const found = gathered(asked("vanishing", runsOf("vanishing", 0, 1)));
    const vanish = `UPDATE ghostlight_queue SET state = 'failed', attempts = 5
      WHERE queue_name LIKE '%vanishing' AND state = 'pending'`;
    let isOver = false;
    void found.then(() => (isOver = true));
    while (!isOver) {
      server.query(vanish);
      await sleep(100);
    }

    const [kept] = (await found).values();
    expect(kept).toEqual({ died: "the process that played it vanished 20 times" });
  });

  it("[ST170] forgets all by the statement on the page, and a study that goes on plays it anew", async () => {
    const runs = runsOf("forgotten", 0, 5);
    const page = readFileSync("docs/studies-many-machines.md", "utf8");
    for (const _ of [1, 2]) {
      const over = new AbortController();
      const player = playing("forgotten", over.signal);
      expect((await gathered(asked("forgotten", runs))).size).toBe(5);
      over.abort();
      await player;
      expect(server.query("SELECT count(*) FROM ghostlight_results")).not.toBe("0");
      server.query(/```sql\n(.*?)```/s.exec(page)?.[1] ?? "");
      expect(server.query("SELECT to_regclass('ghostlight_queue')")).toBe("");
    }
  });
});
