// Each test has a real server: what a queue promises is what PostgreSQL does.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { queueAddress, withoutPassword } from "../../../../src/edges/studies/queue/queueAddress.ts";
import { QueueDatabase } from "../../../../src/edges/studies/queue/queueDatabase.ts";
import { keptIn, studyFile } from "../sweptStudy.ts";
import { isPostgresThere, PASSWORD, Postgres } from "./postgres.ts";
import { sweptBy, workerOf } from "./queuedStudy.ts";

describe("a queue", () => {
  it("[ST110] takes its password from the address or PGPASSWORD, and shows it nowhere", () => {
    const own = queueAddress("postgres://me:p%40ss@host/runs?sslmode=require", { PGPASSWORD: "x" });
    expect(own).toMatchObject({ url: "postgres://me@host/runs?sslmode=require", password: "p@ss" });
    const asked = queueAddress("postgres://me@host/runs?password=p%40ss&sslmode=require", {});
    expect(asked).toEqual(own);
    expect(own.warning).toMatch(/lists processes.*PGPASSWORD/);
    expect(own.warning).not.toContain("p@ss");
    expect(queueAddress("postgres://me@host/runs", { PGPASSWORD: "x" }).warning).toBeUndefined();
    expect(queueAddress("postgres://me@host/runs", { PGPASSWORD: "x" }).password).toBe("x");
    expect(withoutPassword("no p@ss, no p%40ss", own)).toBe("no ***, no ***");
    expect(() => queueAddress("mysql://me:secret@host")).toThrow(/^(?!.*secret).*PGPASSWORD/s);
  });
});

describe.skipIf(!isPostgresThere)("(skipped where PostgreSQL's server is absent) a queue", () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await Postgres.start();
  });
  afterAll(() => server.down());
  const env = { PGPASSWORD: PASSWORD };

  it("[ST112, ST274] gives the same results as one machine, a job for the points of a seed, and a worker that is told to stop ends", async () => {
    const file = studyFile(10);
    const worker = workerOf(server.secretUrl);
    const queued = await sweptBy(server.secretUrl, file);
    const local = await sweptBy(undefined, file);
    worker.stop();

    expect(queued.found?.runs.length).toBe(40);
    expect(queued.found).toEqual(local.found);
    expect(keptIn(queued.folder)).toEqual(keptIn(local.folder));
    expect(await worker.played).toBe(40);
    // Forty runs are two for each of 32 jobs at most.
    expect(server.query("SELECT count(*) FROM ghostlight_queue")).toBe("20");
    const all = server.query("SELECT string_agg(element, '') FROM ghostlight_queue");
    expect(`${worker.said}${all}`).not.toContain(PASSWORD);
  });

  it("[ST113] keeps the first result, drops an equal one and says a differing one", async () => {
    const database = await QueueDatabase.open(queueAddress(server.url, env), () => {});
    try {
      const bytes = new Uint8Array([1, 2]);
      expect(await database.keep("one", bytes, "a")).toBeUndefined();
      expect(await database.keep("one", bytes, "a")).toBeUndefined();
      expect(await database.differing()).toEqual([]);
      const found = await database.keep("one", new Uint8Array([3]), "b");
      expect(found).toMatchObject({ key: "one", sha256: "a", differing: "b" });
      expect(found?.differing_by).toContain(`process ${process.pid}, Node ${process.version}`);
      expect(await database.differing()).toEqual([found]);
      expect([...((await database.results(["one"], 9))[0]?.result ?? [])]).toEqual([1, 2]);
    } finally {
      await database.close();
    }
  });

  it("[ST114] outlives the connection: what was begun is tried again", async () => {
    const said: string[] = [];
    const address = queueAddress(server.url, env);
    const database = await QueueDatabase.open(address, (text) => said.push(text));
    try {
      await server.down();
      const asked = database.keep("later", new Uint8Array([1]), "a");
      await server.up();
      expect(await asked).toBeUndefined();
      expect(said.join()).toMatch(/^trying again: /);
    } finally {
      await database.close();
    }
  });

  it("[ST110] refuses a wrong password without saying it", async () => {
    const address = queueAddress(server.url, { PGPASSWORD: "wrong secret" });
    await expect(QueueDatabase.open(address, () => {})).rejects.toThrow(
      /^(?!.*wrong secret)--queue: .*PGPASSWORD/s,
    );
  });
});
