import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";

const cwd = newFolder();
const play = ["run", "safe-file-executor"];
mkdirSync(join(cwd, "full"));
writeFileSync(join(cwd, "full", "mine.txt"), "mine");
writeFileSync(join(cwd, "file"), "mine");

describe.concurrent("help", () => {
  it("[CL1] lists the commands that exist, and nothing else", async () => {
    const { code, stdout } = await ghostlight(["--help"]);

    const commands = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name ?? "");
    expect(code).toBe(0);
    const known = [
      ...[
        "run",
        "replay",
        "resume",
        "fork",
        "why",
        "blame",
        "prevent",
        "events",
        "prompts",
        "diff",
      ],
      ...["view", "export", "check", "studies", "sweep", "sense", "discover", "tune", "work"],
      ...[
        "scenarios",
        "metrics",
        "policy",
        "machines",
        "import",
        "record",
        "mcp",
        "rerun",
        "trial",
      ],
      ...["new", "tool", "skill", "synt", "install", "help"],
    ];
    expect(commands.sort()).toEqual(known.sort());
    const others = commands.filter((name) => name !== "help");
    const helps = await Promise.all(others.map((name) => ghostlight(["help", name])));
    for (const [index, help] of helps.entries()) {
      expect(help).toMatchObject({ code: 0, stderr: "" });
      expect(help.stdout).toContain(`Usage: ghostlight ${others[index]} `);
    }
  });

  it("[CL1] without a command says in five lines how to begin, and is bad usage", async () => {
    const { code, stdout, stderr } = await ghostlight([]);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    const lines = stderr.split("\n").filter((line) => line.startsWith("  ghostlight "));
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toContain("--help");
  });

  it("[CL1] each command stands in one group of the help, and none without a group", async () => {
    const { stdout } = await ghostlight(["--help"]);

    const titles = [...stdout.matchAll(/^(\w[\w ]*):$/gm)].map(([, title]) => title);
    expect(titles).toEqual([
      ...["Options", "Play", "Change", "Ask", "Show", "Promise", "Study", "Look up"],
      "Bring your own",
      "Commands",
    ]);
    const [, ungrouped = ""] = stdout.split("\nCommands:\n");
    expect([...ungrouped.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name)).toEqual(["help"]);
  });

  it("[CL1] a command lists its options", async () => {
    const { code, stdout } = await ghostlight(["run", "--help"]);

    expect(code).toBe(0);
    expect([...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name)).toEqual([
      ...[
        "--variant",
        "--compare",
        "--seed",
        "--seeds",
        "--set",
        "--profile",
        "--until",
        "--limit",
      ],
      ...[
        "--out",
        "--sandbox",
        "--cache",
        "--interpreter",
        "--model",
        "--tier",
        "--embed",
        "--host",
      ],
      ...["--ask", "--gate", "--no-log", "--assert", "--dry-run", "--part", "--json", "--wide"],
      "--help",
    ]);
  });

  it.each(["sweep", "sense", "tune", "work", "studies"])(
    "[CL1] %s shows how it is called, with options that there are, in 80 columns",
    async (command) => {
      const { stdout } = await ghostlight([command, "--help"]);

      const [, shown = ""] = stdout.split("\nExamples:\n");
      const own = [...shown.matchAll(/^ {2}ghostlight ([a-z]+)/gm)].map(([, name]) => name);
      const options = shown.match(/--[a-z-]+/g) ?? [];
      const helps = await Promise.all(own.map((name = "") => ghostlight([name, "--help"])));
      const known = [...helps.map((help) => help.stdout), "--decisions"].join("\n");
      expect(own).toContain(command);
      expect(options.filter((option) => !known.includes(option))).toEqual([]);
      expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it("[CL33] what runs Python of its own takes a folder of kept answers, what decides at a gate does not", async () => {
    const { stdout } = await ghostlight(["--help"]);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name]) => name ?? "");
    const all = [...commands.filter((name) => name !== "help"), "tool check", "skill check"];
    const helps = await Promise.all(
      [...all, "synt approve"].map(async (name) => {
        const help = await ghostlight([...name.split(" "), "--help"]);
        return help.stdout.includes("--cache <folder>") ? [name] : [];
      }),
    );

    expect(helps.flat().sort()).toEqual(
      [
        ...["run", "replay", "resume", "fork", "blame", "prevent", "check"],
        ...["sweep", "sense", "tune", "work", "tool check", "skill check"],
      ].sort(),
    );
  });

  it("[ST115] work refuses an address that is none before it waits for runs", async () => {
    const { code, stderr } = await ghostlight(["work", "--queue", "foo"]);

    expect(code).toBe(2);
    expect(stderr).toContain("postgres://USER@HOST:PORT/DATABASE");
    expect(stderr).not.toContain("waiting");
  });

  it("[CL1] the launcher starts the same program", async () => {
    const file = resolve("bin/ghostlight.js");

    const { code, stdout } = await ghostlight(["--version"], { file });

    expect({ code, stdout: stdout.trim() }).toEqual({
      code: 0,
      stdout: (await ghostlight(["--version"])).stdout.trim(),
    });
  });
});

/** Bad usage: arguments, and what the message must say. */
const refused: readonly (readonly [args: readonly string[], says: readonly string[]])[] = [
  [["rnu"], ["unknown command 'rnu'", "Did you mean run?"]],
  [["fork", "x"], ["required option '--at <moment>'"]],
  [["run"], ["missing required argument 'scenario'"]],
  [["run", "safe-file-executor", "other"], ["too many arguments"]],
  [
    ["run", "safe-file-exector"],
    ['"safe-file-exector"', 'Did you mean "safe-file-executor"?'],
  ],
  [
    ["run", "./missing.yaml"],
    ['"./missing.yaml"', "a path to a YAML file"],
  ],
  [
    [...play, "--varient", "x"],
    ["unknown option '--varient'", "Did you mean --variant?"],
  ],
  [
    [...play, "--variant", "no-gost"],
    ["--variant", '"no-gost"', 'Did you mean "no-ghost"?'],
  ],
  [[...play, "--set", "gosts.nullIsFailure=true"], ['Did you mean "ghosts.nullIsFailure"?']],
  [
    [...play, "--set", "ghosts.nullIsFailure=maybe"],
    ['"maybe"', "allowed: true | false"],
  ],
  [
    [...play, "--set", "model.parallel=20000"],
    ["found 20000", "a whole number 1 … 10000 (calls)"],
  ],
  [
    [...play, "--set", "model.parallel"],
    ['"model.parallel"', "path=value"],
  ],
  [[...play, "--set"], ["option '--set <path=value>' argument missing"]],
  [
    [...play, "--seed", "-1"],
    ['--seed: found "-1"', "0 … 4294967295"],
  ],
  [[...play, "--seed", "4294967296"], ["0 … 4294967295"]],
  [[...play, "--seed", "1e3"], ['"1e3"']],
  [
    [...play, "--seeds", "5..1"],
    ["--seeds", '"5..1"', "1..100"],
  ],
  [
    [...play, "--seeds", "1..2", "--until", "1h"],
    ["--seeds", "cannot be used with", "--until"],
  ],
  [
    [...play, "--until", "1x"],
    ['--until: found "1x"', "30m"],
  ],
  [
    [...play, "--until", "3h"],
    ["--until: found 3 h", "up to 2 h"],
  ],
  [
    [...play, "--profile", "sed"],
    ["--profile", 'Did you mean "seed"?'],
  ],
  [[...play, "--dry-run", "--seeds", "x"], ["--seeds"]],
  [
    [...play, "--out", "full"],
    ["full --out: found a folder that holds 1 file", "or empty folder"],
  ],
  [[...play, "--out", "file"], ["file --out: found a file, not a folder"]],
  [
    [...play, "--out", "file/below"],
    ["file/below --out", "can be written"],
  ],
  [
    ["replay", "nothing"],
    ["nothing: found no such folder", "manifest.json and inputs.jsonl"],
  ],
  [
    ["blame", "nothing.json"],
    ["nothing.json: found nothing", "allowed: a bundle, a log, or a scenario by its name or path"],
  ],
  [
    ["blame", "nul-stub"],
    ["| a path to a YAML file | the folder of a run", 'Did you mean "null-stub"?'],
  ],
  [["replay", "full"], ["full: found a folder without manifest.json"]],
  [
    ["events", "nothing", "--limit", "0"],
    ['--limit: found "0"', "1 or more"],
  ],
  [["diff", "nothing"], ["missing required argument 'b'"]],
  [
    ["policy", "gosts"],
    ['"gosts"', 'Did you mean "ghosts"?'],
  ],
  [
    ["metrics", "call.lost"],
    ["no metric with", '"call.lost"', 'Did you mean "calls.lost"?'],
  ],
  [
    ["scenarios", "--copy", "nul-stub", "copy.yaml"],
    ['"nul-stub"', 'Did you mean "null-stub"?'],
  ],
  [
    ["check", "nul-stub"],
    ['"nul-stub"', 'Did you mean "null-stub"?'],
  ],
  [
    ["check", "--property", "T7-windw"],
    ['"T7-windw"', 'Did you mean "T7-window"?'],
  ],
  [["check", "--set", "gosts.nullIsFailure=true"], ['Did you mean "ghosts.nullIsFailure"?']],
  [["tool", "check", "file", "--set", "tools.ordr=x"], ['Did you mean "tools.order"?']],
  [
    ["run", "safe-file-executor", "--interpreter", "tabels"],
    ["--interpreter", '"tabels"', "tables | xstate", 'Did you mean "tables"?'],
  ],
  [
    ["machines", "agnt"],
    ['"agnt"', 'Did you mean "agent"?', "goalLedger"],
  ],
  [
    ["machines", "engine", "--mermaid"],
    ['the service "engine"', "nothing to draw"],
  ],
  [
    ["scenarios", "--copy", "safe-file-executor"],
    ["--copy: found 1 name", "mine.yaml"],
  ],
  [["scenarios", "--copy", "safe-file-executor", "file"], ["a file that is there already"]],
];

describe.concurrent("bad usage", () => {
  it.each(refused)(
    "[CL2] %j exits 2, says why on stderr and writes nothing",
    async (args, says) => {
      const before = readdirSync(cwd, { recursive: true }).length;

      const { code, stdout, stderr } = await ghostlight(args, { cwd });

      expect({ code, stdout, stderr }).toMatchObject({ code: 2, stdout: "" });
      for (const words of says) expect(stderr).toContain(words);
      expect(stderr).not.toMatch(/\n {4}at /); // No stack.
      expect(readdirSync(cwd, { recursive: true }).length).toBe(before);
    },
  );

  it("[CL3] an error is one JSON object on stdout with --json", async () => {
    const [wrong, unknown, missing] = await Promise.all([
      json([...play, "--variant", "no-gost"], { cwd }),
      json(["rnu"], { cwd }),
      json(["replay", "nothing"], { cwd }),
    ]);

    expect(wrong.error).toMatchObject({
      kind: "BadInput",
      where: { path: "--variant" },
      found: '"no-gost"',
      allowed: expect.stringContaining("no-ghost | "),
      hint: 'Did you mean "no-ghost"?',
      todo: expect.any(String),
      message: expect.any(String),
    });
    expect(unknown.error).toMatchObject({ kind: "Usage", message: expect.any(String) });
    expect(missing.error).toMatchObject({ where: { file: "nothing" }, found: "no such folder" });
  });

  it.runIf(process.platform === "linux")(
    "[CL2] a folder that nobody can make is refused",
    async () => {
      const { code, stderr } = await ghostlight([...play, "--out", "/proc/ghostlight"], { cwd });

      expect(code).toBe(2);
      expect(stderr).toContain("/proc/ghostlight --out");
    },
  );
});
