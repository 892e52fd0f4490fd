// Whoever tells of a bundle has verified it first: a changed line, a missing bundle, a late word.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { span } from "../../src/edges/duration.ts";
import { loadScenario, readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { rechain } from "../recordedRun.ts";
import { ghostlight, json, started } from "./ghostlight.ts";

/** Waits for a person's word about a chain, so that every command has something to tell of it. */
const SCENARIO = "synt-audit-example";
const cwd = newFolder();

/** In which an executor's name was replaced by another. */
let line = 0;

beforeAll(async () => {
  const until = ["--until", "20m"];
  await ghostlight(["run", SCENARIO, "--gate", "later", "--out", "whole", ...until], { cwd });
  cpSync(join(cwd, "whole"), join(cwd, "edited"), { recursive: true });
  const lines = readFileSync(join(cwd, "whole/events.jsonl"), "utf8").split("\n");
  line = lines.findIndex((one) => one.includes("read_files")) + 1;
  const edited = lines.with(line - 1, (lines[line - 1] ?? "").replace("read_files", "made_files"));
  writeFileSync(join(cwd, "edited/events.jsonl"), edited.join("\n"));
});

const readers: readonly (readonly string[])[] = [
  ["why", "BUNDLE"],
  ["why", "BUNDLE", "request:req-0001"],
  ["why", "BUNDLE", "--list"],
  ["events", "BUNDLE"],
  ["events", "BUNDLE", "--full", "--limit", "1"],
  ["diff", "BUNDLE", "whole"],
  ["diff", "whole", "BUNDLE"],
  ["synt", "audit", "BUNDLE"],
  ["synt", "pending", "BUNDLE"],
  ["synt", "approve", "req-0001", "--bundle", "BUNDLE"],
  ["synt", "reject", "req-0001", "--bundle", "BUNDLE"],
  ["synt", "amend", "req-0001", "--feedback", "other words", "--bundle", "BUNDLE"],
  ["resume", "BUNDLE"],
];
const of = (bundle: string, args: readonly string[]): string[] =>
  args.map((arg) => (arg === "BUNDLE" ? bundle : arg));

describe("a log of which one line was changed", () => {
  it.each(readers)(
    "[VB40] %s %s %s tells nothing: exit 3, the line, what to do",
    async (...args) => {
      const { code, stdout, stderr } = await ghostlight(of("edited", args), { cwd });

      expect([code, stdout]).toEqual([3, ""]);
      expect(stderr).toContain(`edited/events.jsonl:${line}: found `);
      expect(stderr).toMatch(/made_files.*allowed: .*read_files/);
      expect(stderr).toContain("Take the original, or delete events.jsonl");
    },
  );

  it("[VB40] replay shows the same line, and that it is the log which is another", async () => {
    const { code, stdout } = await ghostlight(["replay", "edited"], { cwd });

    expect(code).toBe(3);
    expect(stdout).toContain("its events.jsonl is not the one that was sealed");
    expect(stdout).toContain(`delivery ${line},`);
  });

  it("[VB7] [VB40] of several, pending names those that cannot be read and tells of the others", async () => {
    const folder = newFolder();
    for (const name of ["whole", "edited"]) {
      cpSync(join(cwd, name), join(folder, name), { recursive: true });
    }
    mkdirSync(join(folder, "damaged"));
    writeFileSync(join(folder, "damaged/manifest.json"), "{");

    const { waits, unreadable } = await json(["synt", "pending", folder], { cwd });

    expect(waits.map(({ bundle }: { bundle: string }) => bundle)).toEqual([join(folder, "whole")]);
    expect(unreadable.sort()).toEqual([
      expect.stringContaining("damaged/manifest.json: found text that is not JSON"),
      expect.stringContaining(`edited/events.jsonl:${line}: found`),
    ]);
  });
});

describe("what is no bundle", () => {
  it.each([...readers, ["replay", "BUNDLE"], ["replay", "BUNDLE", "--set", "engine.callMs=1001"]])(
    "[VB7] %s %s %s says so in a sentence, exit 2",
    async (...args) => {
      const { code, stdout, stderr } = await ghostlight(of("nowhere", args), { cwd });

      expect([code, stdout]).toEqual([2, ""]);
      expect(stderr).toMatch(
        /^nowhere: found no such folder; allowed: a (folder|bundle).*\nName the /,
      );
    },
  );
});

describe("a word that comes after the end", () => {
  it("[CL16] is too late: exit 2, how long there is, and nothing is written", async () => {
    const late = ["synt", "approve", "req-0001", "--bundle", "whole", "--out", "late", "--after"];

    const { code, stdout, stderr } = await ghostlight([...late, "30d"], { cwd });

    expect([code, stdout]).toEqual([2, ""]);
    const [, leftMs = ""] = /--after: found .*too late.*; allowed: up to (.+)\n/.exec(stderr) ?? [];
    expect(leftMs).not.toBe("");
    expect(() => readBundle(join(cwd, "late"))).toThrow("no such folder");
    // Sooner than its scenario would end.
    const { untilMs, final } = readBundle(join(cwd, "whole")).manifest;
    const left = (untilMs ?? 0) - (final?.virtualMs ?? 0);
    expect(leftMs).toBe(span(left));
    const tooLate = await ghostlight([...late, `${left + 1}ms`], { cwd });
    expect(tooLate.code).toBe(2);
    const justInTime = await ghostlight([...late, `${left}ms`], { cwd });
    expect(justInTime.code).toBe(0);
  });
});

describe("exit codes", () => {
  it("[CL17] replay of a recording that lacks a call exits 3, and 4 with --strict", async () => {
    cpSync(join(cwd, "whole"), join(cwd, "lacking"), { recursive: true });
    const { inputs } = readBundle(join(cwd, "whole"));
    const first = inputs.findIndex(({ kind }) => kind === "reply");
    rechain(join(cwd, "lacking"), inputs.toSpliced(first, 1));
    rmSync(join(cwd, "lacking/events.jsonl"));

    const plain = await ghostlight(["replay", "lacking"], { cwd });
    const strict = await ghostlight(["replay", "lacking", "--strict"], { cwd });

    expect([plain.code, strict.code]).toEqual([3, 4]);
    expect(strict.stdout).toContain("something the recording does not hold");
    expect((await ghostlight(["replay", "edited", "--strict"], { cwd })).code).toBe(3);
  });

  it("[CL17] a run that goes on into a limit exits 5, and its bundle is kept", async () => {
    const { text } = loadScenario(SCENARIO);
    writeFileSync(join(cwd, "bound.yaml"), `${text}\nlimits: { envelopes: 60 }\n`);
    await ghostlight(["run", "./bound.yaml", "--gate", "later", "--out", "bound"], { cwd });

    const args = ["synt", "approve", "req-0001", "--bundle", "bound", "--out", "over"];
    const { code, stderr } = await ghostlight(args, { cwd });

    expect(code).toBe(5);
    expect(stderr).toContain("The run ended with limit:envelopes; the bundle is kept: over");
    expect(readBundle(join(cwd, "over")).manifest.final?.outcome).toBe("limit:envelopes");
  });

  it("[CL17] resume that is interrupted exits 130 and can be resumed again", async () => {
    await interrupted(["run", SCENARIO, "--gate", "terminal", "--out", "stopped"]);

    const code = await interrupted(["resume", "stopped", "--out", "again"]);

    expect(code).toBe(130);
    expect(readBundle(join(cwd, "again")).manifest.final?.outcome).toBe("interrupted");
  });

  /** Exit code of a command that gets Ctrl-C while it asks on the terminal. */
  async function interrupted(args: readonly string[]): Promise<number | null> {
    const child = started(args, { cwd });
    const end = new Promise<number | null>((done) => child.on("close", done));
    let shown = "";
    child.stderr.on("data", (text) => {
      shown += text;
    });
    await expect.poll(() => shown.includes("OK?")).toBe(true);
    child.kill("SIGINT");
    return end;
  }
});
