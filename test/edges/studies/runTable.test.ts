// The table of a study's runs: who plays what, and what is kept whatever happens.
import { openSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Divergence } from "../../../src/edges/errors.ts";
import { type Lane, playClaimed } from "../../../src/edges/studies/playClaimed.ts";
import { RunTable, TABLE_FILE } from "../../../src/edges/studies/runTable.ts";
import { sqliteError } from "../../../src/edges/studies/sqliteFile.ts";
import { newFolder } from "../../folders.ts";

const OF = { study: "a study", code: "a code" };
const LEASE_MS = 60_000;

const job = (key: string, replicate = 0) => ({
  key,
  run: { point: 0, replicate, seed: 7 + replicate, variant: null, set: {} },
});

function tableIn(folder = newFolder(), nowMs: () => number = () => 0) {
  const table = new RunTable(folder, OF, nowMs);
  table.offer([job("a"), job("b", 1)]);
  return { table, folder };
}

const claimed = (table: RunTable, key: string) => {
  const claim = table.claim(key);
  if (claim === undefined) throw new Error(`${key} was not to be had`);
  return claim;
};

function edited(folder: string, sql: string): void {
  const db = new DatabaseSync(join(folder, TABLE_FILE));
  db.exec(sql);
  db.close();
}

/** As if its process had ended without a word. */
function orphaned(folder: string, key: string, owner: string): void {
  const db = new DatabaseSync(join(folder, TABLE_FILE));
  db.prepare("UPDATE jobs SET owner = ? WHERE key = ?").run(owner, key);
  db.close();
}

afterEach(() => void vi.useRealTimers());

/** By one thread, to its end. */
const playedAlone = (table: RunTable, { key, run }: ReturnType<typeof job>, play: Lane["play"]) =>
  playClaimed(
    {
      ...{ table, missing: new Map([[key, run]]), families: [[key]] },
      ...{ isEnded: () => false, onLook: () => {} },
    },
    [{ play }],
  );

describe("the run table", () => {
  it("[ST60] gives a run to one at a time, and keeps what came of it", () => {
    const { table, folder } = tableIn();
    const claim = claimed(table, "a");

    expect(table.claim("a")).toBeUndefined();
    expect(table.kept("a")).toBeUndefined();
    table.complete(claim, '{"x":1}');

    expect(table.kept("a")).toEqual({ result: '{"x":1}' });
    expect(table.claim("a")).toBeUndefined();
    expect(table.isOver("b")).toBe(false);
    expect(readdirSync(folder)).toContain("study.sqlite");
    table.close();
  });

  it("[ST74] what was kept stays when the same command comes again, and what was begun is kept of the later one", () => {
    const { table, folder } = tableIn();
    table.complete(claimed(table, "a"), '{"x":1}');
    const begun = claimed(table, "b");
    // Its process is no more: no number is so large.
    orphaned(folder, "b", `${hostname()} 2147483647 gone`);
    const { table: again } = tableIn(folder);
    const later = claimed(again, "b");
    table.complete(begun, '{"x":2}');

    expect(again.kept("a")).toEqual({ result: '{"x":1}' });
    expect(again.claim("a")).toBeUndefined();
    expect(again.kept("b")).toBeUndefined();
    again.complete(later, '{"x":3}');
    expect(again.kept("b")).toEqual({ result: '{"x":3}' });
    for (const one of [table, again]) one.close();
  });

  it("[ST60] gives a run to another once its lease is over, and no moment before", () => {
    let now = 0;
    const { table, folder } = tableIn(newFolder(), () => now);
    const other = new RunTable(folder, OF, () => now);
    const late = claimed(table, "a");

    now = LEASE_MS;
    expect(other.claim("a")).toBeUndefined();
    now = LEASE_MS + 1;
    const claim = claimed(other, "a");
    table.complete(late, '{"of":"late"}');
    expect(other.kept("a")).toBeUndefined();
    other.complete(claim, '{"of":"other"}');

    expect(table.kept("a")).toEqual({ result: '{"of":"other"}' });
    table.close();
    other.close();
  });

  it("[ST60] keeps a lease that is renewed", () => {
    let now = 0;
    const { table, folder } = tableIn(newFolder(), () => now);
    const other = new RunTable(folder, OF, () => now);
    claimed(table, "a");
    now = LEASE_MS;
    table.renew();
    now = LEASE_MS + 1;

    expect(other.claim("a")).toBeUndefined();
    table.close();
    other.close();
  });

  it("[ST60] a lease is renewed as long as its run is played", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    let now = 0;
    const { table, folder } = tableIn(newFolder(), () => now);
    const other = new RunTable(folder, OF, () => now);
    const { key, run } = job("a");
    const play = async ([one]: Parameters<Lane["play"]>[0]) => {
      now = LEASE_MS;
      vi.advanceTimersByTime(LEASE_MS);
      now += LEASE_MS;

      expect(other.claim(key)).toBeUndefined();
      if (one !== undefined) table.complete(one.claim, "1");
    };

    await playedAlone(table, { key, run }, play);

    expect(table.kept(key)).toEqual({ result: "1" });
    table.close();
    other.close();
  });

  it("[ST61] drops an equal result of a run that another kept, and refuses a differing one", () => {
    let now = 0;
    const { table, folder } = tableIn(newFolder(), () => now);
    const late = claimed(table, "a");
    const other = new RunTable(folder, OF, () => now);
    now = LEASE_MS + 1;
    other.complete(claimed(other, "a"), "1");

    table.complete(late, "1");
    expect(() => table.complete(late, "2")).toThrow(/two results of one run, of seed 7/);
    expect(() => table.complete(late, "2")).toThrow(Divergence);
    expect(new Divergence({ where: {}, found: "", allowed: "", todo: "" }).exitCode).toBe(3);
    expect(table.kept("a")).toEqual({ result: "1" });
    table.close();
    other.close();
  });

  it("[ST62] takes over at once what a process had begun that is no more", () => {
    const { table, folder } = tableIn();
    claimed(table, "a");
    claimed(table, "b");
    table.close();

    const next = new RunTable(folder, OF, () => 0);
    expect(next.claim("a")).toMatchObject({ key: "a", token: 2 });
    expect(next.claim("b")).toMatchObject({ key: "b" });
    next.close();
  });

  it("[ST62] takes over what a process leaves that ends while others play", async () => {
    const { table, folder } = tableIn();
    const { key, run } = job("a");
    // Its process lives when the table is opened, and is no more at the first look.
    claimed(table, key);
    orphaned(folder, key, `${hostname()} 2147483647 gone`);
    const play = async ([one]: Parameters<Lane["play"]>[0]) => {
      if (one !== undefined) table.complete(one.claim, "1");
    };

    await playedAlone(table, { key, run }, play);

    expect(table.kept(key)).toEqual({ result: "1" });
    table.close();
  });

  it("[ST62] waits for the lease of a process on another machine, and of one that lives", () => {
    const { table, folder } = tableIn();
    claimed(table, "a");
    // No process here has that number: nothing is known of those there.
    orphaned(folder, "a", "elsewhere 2147483647 x");
    const next = new RunTable(folder, OF, () => 0);
    claimed(next, "b");
    table.takeOver();

    expect([table.claim("a"), table.claim("b")]).toEqual([undefined, undefined]);
    table.close();
    next.close();
  });

  it("[ST63] gives a run up that ended its worker thrice, and says what ended it", () => {
    const { table, folder } = tableIn();
    // A process that vanished is no thread that the run ended.
    claimed(table, "a");
    orphaned(folder, "a", `${hostname()} 2147483647 gone`);
    table.takeOver();
    // Nor is one that is given back.
    table.release(claimed(table, "a"));
    for (const why of ["one", "two"]) {
      table.died(claimed(table, "a"), why);
      expect(table.isOver("a")).toBe(false);
    }
    table.died(claimed(table, "a"), "out of memory");

    expect(table.kept("a")).toEqual({ died: "out of memory" });
    expect(table.claim("a")).toBeUndefined();
    table.close();
  });

  it("[ST63] gives a run up whose process vanished twenty times, and not at the nineteenth", () => {
    const folder = newFolder();
    for (let times = 1; times <= 20; times++) {
      const { table } = tableIn(folder);
      expect(table.isOver("a")).toBe(false);
      // Nor is a thread that it ended a process that vanished.
      if (times < 3) table.died(claimed(table, "a"), "one");
      claimed(table, "a");
      table.close();
    }
    const next = new RunTable(folder, OF, () => 0);

    expect(next.kept("a")).toEqual({ died: "the process that played it vanished each time" });
    expect(next.isOver("a")).toBe(true);
    expect(next.claim("a")).toBeUndefined();
    expect(next.claim("b")).toBeDefined();
    next.close();
  });

  it("[ST63] claims nothing for a thread that is not ready to play", async () => {
    const { table } = tableIn();
    const { key, run } = job("a");
    const work = {
      ...{ table, missing: new Map([[key, run]]), families: [[key]] },
      ...{ isEnded: () => false, onLook: () => {} },
    };

    await playClaimed(work, [{ play: async () => {}, isReady: async () => false }]);

    expect(claimed(table, key).token).toBe(1);
    table.close();
  });

  it("[ST272] claims those runs of a family that nobody else plays", async () => {
    const { table, folder } = tableIn();
    const other = new RunTable(folder, OF, () => 0);
    const theirs = claimed(other, "a");
    const missing = new Map(["a", "b"].map((key) => [key, job(key).run]));
    const played: string[][] = [];
    const play = async (own: Parameters<Lane["play"]>[0]) => {
      played.push(own.map(({ claim }) => claim.key));
      for (const { claim } of own) table.complete(claim, "1");
    };

    await playClaimed(
      {
        ...{ table, missing, families: [["a", "b"]] },
        isEnded: () => played.length > 0,
        onLook: () => {},
      },
      [{ play }],
    );

    expect(played).toEqual([["b"]]);
    other.complete(theirs, "2");
    expect(table.kept("a")).toEqual({ result: "2" });
    table.close();
    other.close();
  });

  it("[ST74] what another machine made of a run is kept once, and another result is no second one", () => {
    const { table } = tableIn();
    for (let more = 0; more < 2; more++) table.keep("a", { result: "1" });

    expect(() => table.keep("a", { result: "2" })).toThrow(/two results of one run/);
    table.keep("a", { died: "out of memory" });
    expect(table.kept("a")).toEqual({ result: "1" });
    table.close();
  });

  it("[ST63] a run that was given back has not died", () => {
    const { table } = tableIn();
    for (let more = 0; more < 20; more++) table.release(claimed(table, "a"));

    expect(table.claim("a")).toBeDefined();
    table.close();
  });
});

describe("a file that is no run table", () => {
  const opened = (folder: string, of = OF) => {
    const open = () => new RunTable(folder, of, () => 0).close();
    return expect(open);
  };

  it("[ST64] is refused where it is torn, another program's, or no database", () => {
    const torn = tableIn();
    torn.table.offer(Array.from({ length: 500 }, (_, at) => job(`more ${at}`, at)));
    torn.table.close();
    writeSync(
      openSync(join(torn.folder, TABLE_FILE), "r+"),
      Buffer.alloc(8_192, 7),
      0,
      8_192,
      8_192,
    );
    opened(torn.folder).toThrow(/damage.*remove this file/s);

    for (const more of ["", "; CREATE TABLE others (x)"]) {
      const foreign = newFolder();
      const db = new DatabaseSync(join(foreign, TABLE_FILE));
      db.exec(`CREATE TABLE theirs (x)${more}`);
      db.close();
      opened(foreign).toThrow(/a SQLite database of another program.*remove this file/s);
    }

    const text = newFolder();
    writeFileSync(join(text, TABLE_FILE), "no database at all, ".repeat(100));
    opened(text).toThrow(/no SQLite database.*remove this file/s);
  });

  it("[ST64] is refused where it is older or newer, another study's, or of other code", () => {
    const { table, folder } = tableIn();
    table.close();
    opened(folder, { ...OF, study: "another" }).toThrow(/the runs of another study.*remove this/s);
    opened(folder, { ...OF, code: "another" }).toThrow(/another version of the code.*remove this/s);
    for (const format of [0, 2]) {
      const db = new DatabaseSync(join(folder, TABLE_FILE));
      db.exec(`PRAGMA user_version = ${format}`);
      db.close();
      opened(folder).toThrow(new RegExp(`of format ${format}.*format 1.*remove this file`, "s"));
    }
  });

  it("[ST64] is made anew where its maker was killed before anything stood in it", () => {
    const folder = newFolder();
    writeFileSync(join(folder, TABLE_FILE), "");

    opened(folder).not.toThrow();
  });

  it("[ST64] a result that its hash does not vouch for is refused", () => {
    const { table, folder } = tableIn();
    table.complete(claimed(table, "a"), "1");
    edited(folder, "UPDATE jobs SET sha256 = 'another' WHERE key = 'a'");

    expect(() => table.kept("a")).toThrow(/not the one that was kept.*remove this file/s);
    table.close();
  });

  it.each(["NULL", "'a text'"])(
    "[ST64] a run that is over with %s for a result is refused",
    (value) => {
      const { table, folder } = tableIn();
      table.complete(claimed(table, "a"), "1");
      edited(folder, `UPDATE jobs SET result = ${value} WHERE key = 'a'`);

      expect(() => table.kept("a")).toThrow(/not the one that was kept.*remove this file/s);
      table.close();
    },
  );

  it("[ST64] is refused where a table of it is missing", () => {
    const { table, folder } = tableIn();
    edited(folder, "DROP TABLE jobs");

    expect(() => table.claim("a")).toThrow(/damage: no such table: jobs.*remove this file/s);
    table.close();
    opened(folder).toThrow(/damage: no such table: jobs/);
  });

  it.each(["NULL", "'no owner'", "'some host one 1'"])(
    "[ST62, ST64] a run that %s plays is taken over",
    (owner) => {
      const { table, folder } = tableIn();
      claimed(table, "a");
      edited(folder, `UPDATE jobs SET owner = ${owner} WHERE key = 'a'`);

      table.takeOver();

      expect(table.claim("a")).toBeDefined();
      table.close();
    },
  );

  it.each([
    ["is on a full disk", 13, "Make room"],
    ["is on a disk that fails", 10, "Make room"],
    ["is read alone", 8, "let yourself write"],
    ["cannot be opened", 14, "let yourself write"],
  ])("[ST73] that %s exits with 2, and says what to do", (_, errcode, todo) => {
    const kind = { applicationId: 1, format: 1, schema: "", called: "a table", todo: "" };
    const error = Object.assign(new Error("no"), { errcode: errcode + 256 });

    expect(sqliteError(error, "study.sqlite", kind)).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(todo),
    });
  });

  it("[ST64] a folder that is gone is said", () => {
    const folder = newFolder();
    rmSync(folder, { recursive: true });

    opened(folder).toThrow(/a folder that can be made, read and written/);
  });
});
