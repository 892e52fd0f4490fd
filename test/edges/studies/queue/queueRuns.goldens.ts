// Runs that a queue hands to threads: what goes wrong while they play.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packed } from "../../../../src/edges/studies/keptFacts.ts";
import { sha256 } from "../../../../src/edges/studies/runKey.ts";
import { saidBy, started } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";
import { leftIn, studyFile } from "../sweptStudy.ts";
import { isPostgresThere, PASSWORD, Postgres } from "./postgres.ts";
import { deadlyPart, gatePart, sweptBy, workerOf } from "./queuedStudy.ts";

describe.skipIf(!isPostgresThere)("(skipped where PostgreSQL's server is absent) a queue", () => {
  let server: Postgres;
  beforeAll(async () => {
    server = await Postgres.start();
  });
  afterAll(() => server.down());

  it("[ST113] ends worker and study with exit 3 where two results of a run differ", async () => {
    const gate = gatePart();
    const where = { cwd: newFolder(), env: { PGPASSWORD: PASSWORD } };
    const options = ["--queue", server.url, "--part", gate.file, "--workers", "1", "--cache", "c"];
    const work = saidBy(["work", "--idle", "60s", ...options], where);
    const study = saidBy(["sweep", studyFile(1), "--out", "left", ...options], where);
    await expect.poll(gate.isWaiting).toBe(true);
    // As if another machine had kept it meanwhile.
    const other =
      '{"outcome":"ended","virtualMs":1,"finals":{},"series":{},"tooLong":{},"promises":{}}';
    const bytes = Buffer.from(packed(other)).toString("hex");
    const doctored = server.query(
      `INSERT INTO ghostlight_results (key, result, sha256, made_by)
        SELECT split_part(id, '/', 1), '\\x${bytes}', '${sha256(other)}', 'elsewhere, process 1'
        FROM ghostlight_queue WHERE acquired_by IS NOT NULL
        RETURNING made_by`,
    );
    gate.open();
    const ended = await Promise.all([work, study]);

    expect(doctored).toContain("elsewhere");
    for (const { code, stderr } of ended) {
      expect(code, stderr).toBe(3);
      expect(stderr).toMatch(/two results of the run of point \d, replicate 0, seed \d+:/);
      expect(stderr).toContain(`${sha256(other)} by elsewhere, process 1; `);
      expect(stderr).toMatch(/; [0-9a-f]{64} by .*Node v/);
      expect(stderr).toMatch(/both of code [0-9a-f]{64}/);
      expect(stderr).not.toContain(PASSWORD);
    }
  });

  it("[ST63] names and gives up a run that ends its thread again and again, and plays the others", async () => {
    const part = deadlyPart(50_000);
    const worker = workerOf(server.secretUrl, { partFiles: [part] });
    const options = { partFiles: [part] };
    const { found } = await sweptBy(server.secretUrl, studyFile(1), options);
    worker.stop();

    const outcomes = found?.runs.map(({ outcome }) => outcome) ?? [];
    expect(outcomes.filter((one) => one === "died").length).toBe(2);
    expect(outcomes.filter((one) => one === "ended").length).toBe(outcomes.length - 2);
    const givenUp = worker.said.filter((text) => /^given up: the run of point .*code 7/.test(text));
    expect(givenUp.length).toBe(2);
    expect(await worker.played).toBe(outcomes.length - 2);
  });

  it("[ST112] a worker that is told to stop while it plays ends after its run, with exit 0", async () => {
    const gate = gatePart();
    const folder = newFolder();
    const file = studyFile(1);
    const worker = started(
      ["work", "--queue", server.url, "--part", gate.file, "--workers", "1", "--cache", "w"],
      { cwd: folder, env: { PGPASSWORD: PASSWORD } },
    );
    let printed = "";
    worker.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
    const ended = new Promise((resolve) => worker.on("exit", resolve));
    const over = new AbortController();
    const interrupted = sweptBy(server.secretUrl, file, {
      ...{ partFiles: [gate.file], signal: over.signal, folder },
    });
    await expect.poll(gate.isWaiting).toBe(true);
    worker.kill("SIGTERM");
    gate.open();

    expect(await ended).toBe(0);
    expect(printed).toBe("1 runs played\n");
    over.abort();
    expect((await interrupted).found).toBeUndefined();

    const next = workerOf(server.secretUrl, { partFiles: [gate.file] });
    const { found, counts } = await sweptBy(server.secretUrl, file, {
      ...{ partFiles: [gate.file], folder },
    });
    next.stop();
    expect(found?.runs.length).toBe(counts.kept + counts.played);
    expect(await next.played).toBe((found?.runs.length ?? 0) - 1);
  });

  it("[ST115] speaks TLS where it is asked to, with a server whose certificate somebody vouches for", async () => {
    const secure = await Postgres.start({ tls: true });
    const work = ["work", "--queue", `${secure.url}?sslmode=require`, "--idle", "1s"];
    const own = { PGPASSWORD: PASSWORD };
    const unknown = await saidBy(work, { cwd: newFolder(), env: own });
    const known = await saidBy(work, {
      cwd: newFolder(),
      env: { ...own, NODE_EXTRA_CA_CERTS: secure.certificate },
    });
    await secure.down();

    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toMatch(/self-signed certificate.*NODE_EXTRA_CA_CERTS/s);
    expect(known, known.stderr).toMatchObject({ code: 0, stdout: "0 runs played\n" });
  });

  it("[ST110] keeps no password in the folder of a study", async () => {
    const folder = newFolder();
    const worker = workerOf(server.secretUrl);
    const where = { cwd: folder, env: { PGPASSWORD: PASSWORD } };
    const sweep = ["sweep", studyFile(1), "--queue", server.url, "--out", "left", "--cache", "c"];
    const { code, stdout, stderr } = await saidBy(sweep, where);
    worker.stop();
    await worker.played;

    expect(code, stderr).toBe(0);
    expect(`${stdout}${stderr}${leftIn(`${folder}/left`)}`).not.toContain(PASSWORD);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile())) {
      expect(readFileSync(join(file.parentPath, file.name), "latin1")).not.toContain(PASSWORD);
    }
  });
});
