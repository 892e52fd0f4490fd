// Three workers, one killed whenever another run was played, the database restarted once.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { ghostlight, saidBy, started } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";
import { isPostgresThere, PASSWORD, Postgres } from "./postgres.ts";
import { smallStudy } from "./smallStudy.ts";

/** Each that is killed is replaced: on a busy machine none would ever come to its end. */
const KILLS_MAX = 3;

describe.skipIf(!isPostgresThere)("(skipped where PostgreSQL's server is absent) a queue", () => {
  it("[ST112, ST114] gives the same bytes although workers are killed and its server restarts", async () => {
    const server = await Postgres.start();
    const folder = newFolder();
    const where = { cwd: folder, env: { PGPASSWORD: PASSWORD } };
    writeFileSync(join(folder, "study.yaml"), smallStudy.replace("replicates: 2", "replicates: 5"));
    const sweep = ["sweep", "study.yaml", "--out"];
    const local = await ghostlight([...sweep, "local", "--cache", "l"], { cwd: folder });
    const work = ["work", "--queue", server.url, "--workers", "1", "--cache", "w"];
    const workers = [1, 2, 3].map(() => started(work, where));
    let isOver = false;
    const queued = saidBy([...sweep, "queued", "--queue", server.url, "--cache", "q"], where);
    void queued.then(() => {
      isOver = true;
    });
    // On a busy machine a worker takes longer to start: then one is killed once another run was played.
    const played = () => Number(server.query("SELECT count(*) FROM ghostlight_results"));
    await expect.poll(() => server.query("SELECT to_regclass('ghostlight_results')")).not.toBe("");
    let kills = 0;
    for (let seen = 0; !isOver; ) {
      await sleep(200);
      const now = played();
      if (now === seen || kills === KILLS_MAX) continue;
      seen = now;
      workers.shift()?.kill("SIGKILL");
      workers.push(started(work, where));
      kills += 1;
      if (kills !== 2) continue;
      await server.down();
      await sleep(1_500);
      await server.up();
    }
    for (const worker of workers) worker.kill("SIGKILL");
    const { code, stderr } = await queued;

    expect(kills).toBeGreaterThanOrEqual(2);
    expect(code, stderr).toBe(local.code);
    for (const file of ["study.json", "runs.csv", "points.csv"]) {
      expect(readFileSync(join(folder, "queued", file), "utf8")).toBe(
        readFileSync(join(folder, "local", file), "utf8"),
      );
    }
    expect(server.query("SELECT count(*) FROM ghostlight_results")).toBe("15");
    expect(
      server.query("SELECT count(*) FROM ghostlight_results WHERE differing IS NOT NULL"),
    ).toBe("0");
    await server.down();
  });
});
