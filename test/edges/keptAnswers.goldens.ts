// Answers that are kept: when they are used, and what their files can do.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OutputRefused } from "../../src/edges/errors.ts";
import { cacheFolder, KeptAnswers, type Question } from "../../src/edges/play/keptAnswers.ts";
import { type CallResult, readAnswer, timedOut } from "../../src/edges/python/answer.ts";
import { isSure, lazySandbox, type SandboxOptions } from "../../src/edges/python/sandboxPort.ts";
import { check, loadScenario, play, record } from "../../src/index.ts";
import { readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";

const limits = { wallMs: 1_000 };
const answer: CallResult = { ...timedOut(limits, false), timedOut: false, ok: true, error: null };

/** Puts one question; `calls` says how often it went further than the cache. */
async function asked(kept: KeptAnswers, more: Partial<Question<CallResult>> = {}) {
  let calls = 0;
  const got = await kept.answer<CallResult>({
    engine: "one",
    asked: { code: "def tool(): pass" },
    isSure,
    read: readAnswer,
    ...more,
    ask: async () => {
      calls++;
      return more.ask?.() ?? answer;
    },
  });
  return { got, calls };
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());

describe("kept answers", () => {
  it("[SB18] what was answered is not asked again, in this process or in a later one", async () => {
    const folder = newFolder();
    const kept = new KeptAnswers(folder);

    expect(await asked(kept)).toEqual({ got: answer, calls: 1 });
    expect(await asked(kept)).toEqual({ got: answer, calls: 0 });
    expect(await asked(new KeptAnswers(folder))).toEqual({ got: answer, calls: 0 });
    expect((await asked(new KeptAnswers())).calls).toBe(1);
  });

  it("[SB18] everything that an answer depends on makes another question, the order of members too", async () => {
    const kept = new KeptAnswers(newFolder());
    const questions = [
      { asked: { code: "1", files: { "/a": "", "/b": "" } } },
      { asked: { code: "1", files: { "/b": "", "/a": "" } } },
      { asked: { code: "2", files: { "/a": "", "/b": "" } } },
      { asked: { code: "2", files: { "/a": "", "/b": "" } }, engine: "another" },
    ];

    for (const calls of [1, 0]) {
      for (const question of questions) expect((await asked(kept, question)).calls).toBe(calls);
    }
  });

  it("[SB18] an answer in which the machine had a part is asked again", async () => {
    const folder = newFolder();
    const kept = new KeptAnswers(folder);
    for (const part of ["timedOut", "killed", "outOfMemory"] as const) {
      const unsure: CallResult = { ...answer, [part]: true };
      for (let time = 0; time < 2; time++) {
        expect(await asked(kept, { ask: async () => unsure })).toEqual({ got: unsure, calls: 1 });
      }
    }
    expect(filesIn(folder)).toEqual([]);
  });

  it("[SB19] a file that is torn, damaged or another question's is asked and written again", async () => {
    const folder = newFolder();
    await asked(new KeptAnswers(folder));
    const [file = ""] = filesIn(folder);
    const whole = readFileSync(file, "utf8");
    await asked(new KeptAnswers(folder), { engine: "another" });
    const other = readFileSync(filesIn(folder).find((one) => one !== file) ?? "", "utf8");

    const forged = whole.replace('"ok":true', '"ok":false');
    for (const text of ["", whole.slice(0, -1), whole.slice(0, 64), forged, `${whole}\n`, other]) {
      writeFileSync(file, text);

      expect(await asked(new KeptAnswers(folder))).toEqual({ got: answer, calls: 1 });
      expect(readFileSync(file, "utf8")).toBe(whole);
    }
    expect(filesIn(folder)).toHaveLength(2);
  });

  it("[SB19] what cannot be read or written is done without", async () => {
    const folder = newFolder();
    await asked(new KeptAnswers(folder));
    const [file = ""] = filesIn(folder);
    const gone = join(folder, "gone");
    const blocked = newFolder();
    writeFileSync(join(blocked, file.slice(folder.length + 1).split("/")[0] ?? ""), "");

    for (const one of [gone, blocked]) {
      const kept = new KeptAnswers(one);

      expect((await asked(kept)).calls).toBe(1);
      expect((await asked(kept)).calls).toBe(0);
    }
    expect(filesIn(blocked)).toHaveLength(1);
    // A link to itself: to look at it fails, whoever looks.
    rmSync(file);
    symlinkSync(file, file);
    expect(await asked(new KeptAnswers(folder))).toEqual({ got: answer, calls: 1 });
  });

  it("[SB19] what a file says is rebuilt field by field, as the answer of a process that ran Python", async () => {
    const folder = newFolder();
    const odd = { ...answer, result: { a: 1 }, toString: 5, files: [{ path: "up" }], events: -1 };
    await asked(new KeptAnswers(folder), { ask: async () => odd as unknown as CallResult });

    const { got } = await asked(new KeptAnswers(folder));

    expect(got).toEqual({ ...answer, result: { a: 1 }, files: [], events: 0 });
    expect(Object.keys(got)).not.toContain("toString");
  });
});

describe("the folder of kept answers", () => {
  const ofEnvironment = newFolder();
  const within = (environment: string, given: string | undefined): string | null => {
    const { GHOSTLIGHT_CACHE: before } = process.env;
    process.env["GHOSTLIGHT_CACHE"] = environment;
    try {
      return cacheFolder(given);
    } finally {
      process.env["GHOSTLIGHT_CACHE"] = before;
    }
  };

  it("[CL33] [ST99] is the option's, or none", () => {
    const named = newFolder();

    expect(within(ofEnvironment, named)).toBe(named);
    expect(within(ofEnvironment, "none")).toBeNull();
  });

  it("[CL33] is the environment's without it, else none", () => {
    expect(within(ofEnvironment, undefined)).toBe(ofEnvironment);
    expect(within("", undefined)).toBeNull();
  });

  it("[CL33] is made, and refused where that cannot be", () => {
    const folder = newFolder();
    const file = join(folder, "file");
    writeFileSync(file, "");
    mkdirSync(join(folder, "there"));

    expect(cacheFolder(join(folder, "a", "b"))).toBe(join(folder, "a", "b"));
    expect(existsSync(join(folder, "a", "b"))).toBe(true);
    expect(cacheFolder(join(folder, "there"))).toBe(join(folder, "there"));
    // Below /proc, Node's own recursive way of making a folder never returns.
    for (const bad of [file, join(file, "below"), "/proc/nowhere", ""]) {
      expect(() => cacheFolder(bad)).toThrow(OutputRefused);
      expect(() => cacheFolder(bad)).toThrow(/--cache: found .*a folder that can be made/s);
    }
    expect(() => within(file, undefined)).toThrow(/^GHOSTLIGHT_CACHE: found a file, not a folder/);
  });
});

/** Inside walls that this machine does not have while `work` lasts: nothing can be started. */
async function unstartable<T>(work: () => Promise<T>): Promise<T> {
  const { PATH } = process.env;
  process.env["PATH"] = "";
  return work().finally(() => {
    process.env["PATH"] = PATH;
  });
}

it("[SB18, SB20] an answer holds clock and entropy of its request; Python starts with the first that is not kept", async () => {
  const folder = newFolder();
  const code = "import time, random\ndef tool(n):\n    return [n, time.time(), random.random()]\n";
  const filesOf = (files: { readonly [path: string]: string }) => files;
  const asked = { seed: 7, nowMs: 5, wallMs: 10_000, n: 1, files: filesOf({ "/a": "x" }) };
  const ask = (options: SandboxOptions, more: Partial<typeof asked> = {}) => {
    const sandbox = lazySandbox({ spare: false, ...options });
    const { n, wallMs, ...setting } = { ...asked, ...more };
    const told = sandbox.call({ code, functionName: "tool", kwargs: { n } }, { wallMs }, setting);
    return told.finally(sandbox.close);
  };
  const kept = { kind: "bwrap", answers: new KeptAnswers(folder) } as const;

  let isSure: Question<CallResult>["isSure"] = () => true;
  class Heard extends KeptAnswers {
    override answer<T>(question: Question<T>): Promise<T> {
      isSure = question.isSure as typeof isSure;
      return super.answer(question);
    }
  }

  const cold = await ask({ kind: "pyodide", answers: new Heard(folder) });

  // Where the machine had a part, it is none to keep.
  const parts = [{}, { timedOut: true }, { killed: true }, { outOfMemory: true }];
  expect(parts.map((more) => isSure({ ...cold, ...more }))).toEqual([true, false, false, false]);
  expect(cold.result).toEqual([1, expect.any(Number), expect.any(Number)]);
  expect(await unstartable(() => ask(kept))).toEqual(cold);
  for (const more of [
    ...[{ nowMs: 6 }, { seed: 8 }, { wallMs: 9_999 }, { n: 2 }],
    ...[{ files: filesOf({ "/a": "y" }) }, { files: filesOf({ "/b": "x" }) }],
  ]) {
    await expect(
      unstartable(() => ask(kept, more)),
      JSON.stringify(more),
    ).rejects.toThrow(/bwrap/);
  }
  expect(await ask({ kind: "pyodide" })).toEqual(cold);
});

it.each(["parameter-gap", "crisis-and-locks"])(
  "[SB2, SB18, SB20, LB14] %s is the run that was recorded, with a cold cache and with a warm one, and then starts nothing",
  async (name) => {
    const cache = newFolder();
    const { scenario, manifest } = readBundle(`recordings/${name}`);

    const cold = await play(scenario, { cache, sandbox: "pyodide", level: "recorded" });
    const files = filesIn(cache);
    const warm = await unstartable(() =>
      play(scenario, { cache, sandbox: "bwrap", level: "recorded" }),
    );

    // Reading Python takes no virtual time.
    const waits = cold.inputs.flatMap((one) =>
      one.kind === "reply" && one.port === "port/python.parse" ? [one.latencyMs] : [],
    );
    expect(waits).toEqual(waits.map(() => 0));
    if (name === "parameter-gap") expect(waits.length).toBeGreaterThan(0);
    expect(cold.result.digest).toBe(manifest.final?.digest);
    expect(warm.result.digest).toBe(manifest.final?.digest);
    expect(files.length).toBeGreaterThan(0);
    if (name === "parameter-gap") {
      const own = loadScenario(name).scenario;
      const { result } = await unstartable(() =>
        record(own, join(newFolder(), "run"), { cache, sandbox: "bwrap" }),
      );
      expect(result.digest).toBe(manifest.final?.digest);
    }
    expect(filesIn(cache)).toEqual(files);
  },
);

it("[LB14] check keeps its answers in the cache, and asks for none of them again", async () => {
  const cache = newFolder();
  const { scenario } = readBundle("recordings/parameter-gap");
  const options = { cache, properties: ["T7-window"], runs: 3 };

  const cold = await check(scenario, options);
  const files = filesIn(cache);
  const warm = await unstartable(() => check(scenario, options));

  expect(files.length).toBeGreaterThan(0);
  expect(filesIn(cache)).toEqual(files);
  expect(warm).toEqual(cold);
});
