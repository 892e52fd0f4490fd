// What is kept of runs across studies.
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { buildOf, codeHash } from "../../../src/edges/studies/codeHash.ts";
import { ReplicateCache } from "../../../src/edges/studies/replicateCache.ts";
import { runKey } from "../../../src/edges/studies/runKey.ts";
import { RULES_VERSION } from "../../../src/run/bundle.ts";
import { newFolder } from "../../folders.ts";

const world = {
  scenario: { name: "a", text: "why: x" },
  limits: {},
  untilMs: null,
  watched: ["one", "two"],
};
const run = { point: 0, replicate: 0, seed: 1, variant: null, set: { "a.b": 1, "a.c": true } };

describe("the key of a run", () => {
  const key = runKey(world, "code", run);

  it("[ST65] is of nothing but what a run rests on", () => {
    const alike = [
      runKey({ ...world, scenario: { name: "b", text: "why: x" } }, "code", run),
      runKey({ ...world, watched: ["two", "one"] }, "code", run),
      runKey(world, "code", { ...run, point: 3, replicate: 9 }),
      runKey(world, "code", { ...run, set: { "a.c": true, "a.b": 1 } }),
    ];

    expect(new Set([key, ...alike]).size).toBe(1);
  });

  it("[ST65] is SHA-256, of the level too, and of each promise once", () => {
    const text = '{"code":"code","level":"bare","limits":{},"promises":["one","two"],"seed":1,';
    const rest = '"set":{"a.b":1,"a.c":true},"text":"why: x","untilMs":null,"variant":null}';

    expect(key).toBe(
      createHash("sha256")
        .update(text + rest)
        .digest("hex"),
    );
    expect(runKey({ ...world, watched: ["two", "one", "two"] }, "code", run)).toBe(key);
  });

  it("[ST65] is of all that a run rests on", () => {
    const others = [
      runKey({ ...world, scenario: { name: "a", text: "why: y" } }, "code", run),
      runKey({ ...world, scenarios: { b: "why: z" } }, "code", { ...run, scenario: "b" }),
      runKey({ ...world, limits: { envelopes: 5 } }, "code", run),
      runKey({ ...world, untilMs: 5 }, "code", run),
      runKey({ ...world, watched: ["one"] }, "code", run),
      runKey(world, "other code", run),
      runKey(world, "code", { ...run, seed: 2 }),
      runKey(world, "code", { ...run, variant: "v" }),
      runKey(world, "code", { ...run, set: { "a.b": 2, "a.c": true } }),
    ];

    expect(new Set([key, ...others]).size).toBe(others.length + 1);
  });
});

describe("the cache of runs", () => {
  const opened = (folder: string) => {
    const said: string[] = [];
    return { said, cache: new ReplicateCache(folder, (why) => said.push(why)) };
  };

  it("[ST66] gives what was put into it, to another process too", () => {
    const folder = newFolder();
    const one = opened(folder);
    const other = opened(folder);
    one.cache.put("k", '{"x":"ä"}');

    expect(other.cache.get("k")).toBe('{"x":"ä"}');
    expect(other.cache.get("another")).toBeUndefined();
    one.cache.close();
    other.cache.close();
  });

  it("[ST66] a row that is damaged, or is another run's, is as if it were not there", () => {
    const folder = newFolder();
    const { cache } = opened(folder);
    cache.put("k", "1");
    cache.put("l", "2");
    const db = new DatabaseSync(join(folder, "replicates.sqlite"));
    db.exec("UPDATE runs SET result = x'00' WHERE key = 'k'");
    db.exec("UPDATE runs SET key = 'm' WHERE key = 'l'");
    db.close();

    expect([cache.get("k"), cache.get("m")]).toEqual([undefined, undefined]);
    cache.close();
  });

  it("[ST66] a file that cannot be used is said once and done without", () => {
    const folder = newFolder();
    writeFileSync(join(folder, "replicates.sqlite"), "no database at all, ".repeat(100));
    const { cache, said } = opened(folder);
    cache.put("k", "1");

    expect(cache.get("k")).toBeUndefined();
    expect(said).toEqual([expect.stringContaining("no SQLite database")]);
  });
});

describe("the hash of the code", () => {
  const checkout = (change: (folder: string) => void = () => {}): string => {
    const folder = newFolder();
    mkdirSync(join(folder, "src/cli"), { recursive: true });
    writeFileSync(join(folder, "src/a.ts"), "one\ntwo\n");
    writeFileSync(join(folder, "src/z.ts"), "last\n");
    writeFileSync(join(folder, "src/cli/b.ts"), "command\n");
    cpSync("package-lock.json", join(folder, "package-lock.json"));
    change(folder);
    return buildOf(pathToFileURL(`${folder}/`));
  };
  const lockedWith = (name: string) => (folder: string) => {
    const file = join(folder, "package-lock.json");
    const lock = JSON.parse(readFileSync(file, "utf8"));
    lock.packages[`node_modules/${name}`].version = "0.0.1";
    writeFileSync(file, JSON.stringify(lock));
  };

  it("[ST67] is of the source that plays and of what it is locked to", () => {
    const build = checkout();
    const written = (file: string, text: string) =>
      checkout((folder) => writeFileSync(join(folder, file), text));

    expect(written("src/a.ts", "one\r\ntwo\r\n")).toBe(build);
    expect(written("src/cli/b.ts", "another\n")).toBe(build);
    expect(checkout(lockedWith("vitest"))).toBe(build);
    expect(written("src/a.ts", "one\n2\n")).not.toBe(build);
    expect(written("src/z.ts", "another\n")).not.toBe(build);
    const moved = (folder: string) =>
      renameSync(join(folder, "src/z.ts"), join(folder, "src/y.ts"));
    expect(checkout(moved)).not.toBe(build);
    expect(checkout(lockedWith("xstate"))).not.toBe(build);
    expect(checkout(lockedWith("just-bash"))).not.toBe(build);
  });

  it("[ST67] is the same each time, and another with a part of one's own", () => {
    const file = join(newFolder(), "part.ts");
    writeFileSync(file, "export default 1;");

    expect(codeHash()).toBe(codeHash());
    expect(codeHash()).toMatch(/^[0-9a-f]{64}$/);
    const hash = codeHash([file]);
    expect(hash).not.toBe(codeHash());
    const other = join(newFolder(), "other.ts");
    writeFileSync(other, "export default 1;");
    expect(codeHash([file, other])).not.toBe(hash);
    writeFileSync(file, "export default 2;");
    expect(codeHash([file])).not.toBe(hash);
  });

  it("[ST67] is of the rules' version, this checkout, Node's major version and Pyodide's", () => {
    const build = buildOf(pathToFileURL(`${process.cwd()}/`));
    const [node] = process.versions.node.split(".");
    const { version } = JSON.parse(readFileSync("node_modules/pyodide/package.json", "utf8"));
    const all = JSON.stringify([RULES_VERSION, build, node, version]);

    expect(codeHash()).toBe(createHash("sha256").update(all).digest("hex"));
  });
});
