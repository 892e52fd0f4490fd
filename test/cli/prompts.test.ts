import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nothingText } from "../../src/cli/prompts.ts";
import { liveText } from "../edges/live/liveSession.ts";
import { type FaultName, type Loopback, loopback } from "../edges/ollama/loopbackServer.ts";
import { newFolder } from "../folders.ts";
import { forge } from "../recordedRun.ts";
import { ghostlight, type Json, json, started } from "./ghostlight.ts";
import { smallScenario } from "./smallScenario.ts";

const cwd = newFolder();
writeFileSync(join(cwd, "village.yaml"), liveText(["cedar", "birch"]));
writeFileSync(join(cwd, "small.yaml"), smallScenario);

/** Tries by their number: one that fails once, one answer of nothing, one call that fails for good. */
const faults: { readonly [nth: number]: FaultName } = {
  ...{ 0: "server", 2: "nonsense", 4: "server", 5: "busy", 6: "memory" },
};

let server: Loopback;
beforeAll(async () => {
  server = await loopback({ script: (nth) => faults[nth] });
  const live = ["run", "village", "--model", "ollama:tiny", "--host", server.host];
  const quick = ["--set", "live.backoffMs=1", "--until", "20s", "--out", "live"];
  await Promise.all([
    ghostlight([...live, ...quick], { cwd }),
    ghostlight(["run", "small", "--until", "2m", "--out", "scripted"], { cwd }),
    ghostlight(["run", "small", "--until", "1s", "--out", "silent"], { cwd }),
    ghostlight(["run", "small", "--until", "6s", "--out", "asking"], { cwd }),
  ]);
  const changed = ["--set", "planner.stepsPerCycle=1", "--out", "changed"];
  await ghostlight(["replay", "live", ...changed], { cwd });
}, 120_000);
afterAll(async () => server.close());

const prompts = (...args: readonly string[]) => ghostlight(["prompts", ...args], { cwd });
const questionsOf = async (...args: readonly string[]): Promise<Json[]> =>
  (await json(["prompts", ...args], { cwd })).questions;

describe("the questions of a live run", () => {
  it("[PQ1] each has its model, tokens, latency and tries, whether it was usable, and why not", async () => {
    const [questions, { stdout, code }] = await Promise.all([questionsOf("live"), prompts("live")]);

    expect(code).toBe(0);
    const [first, second, third, fourth] = questions;
    expect(first).toMatchObject({
      ...{ from: "agent/cedar", purpose: "goal.choose", nth: 1, model: "tiny", tier: "middle" },
      ...{ promptTokens: 200, came: "usable", why: null, choice: null, isLate: false },
      attempts: [{ kind: "server", error: expect.stringContaining("llama-server") }],
    });
    expect(second).toMatchObject({ came: "unusable", why: "it is no JSON object", attempts: [] });
    expect(third.came).toBe("usable");
    expect(fourth).toMatchObject({
      ...{ came: "failed", why: expect.stringContaining("memory: 500"), model: "tiny" },
      ...{ promptTokens: null, answerTokens: null, answer: null },
    });
    expect(fourth.attempts.map(({ kind }: Json) => kind)).toEqual(["server", "busy", "memory"]);
    for (const { prompt } of questions) expect(server.chats.map(contentOf)).toContain(prompt);

    const heads = stdout.split("\n").filter((line) => /^\d/.test(line));
    expect(heads).toHaveLength(questions.length);
    expect(heads[0]).toMatch(
      /^0:00:06 #\d+ agent\/cedar goal\.choose, call 1 · tiny \(middle\) · 200 tokens in, \d+ out · latency \d+ ms · tries that failed: server after \d+ ms \(500: llama-server [^)]*\) · usable$/,
    );
    expect(heads[1]).toMatch(/ · unusable: it is no JSON object$/);
    expect(heads[3]).toMatch(/ · failed: memory: 500: model requires more system memory/);
    expect(stdout).toContain(`    | ${first.prompt.split("\n")[0]}\n`);
    expect(stdout).toContain(`    answer:\n    | ${first.answer}\n`);
    expect(questions.map(({ seq }: Json) => seq)).toEqual(
      questions.map(({ seq }: Json) => seq).sort((a: number, b: number) => a - b),
    );
  });

  it("[PQ2] --unusable shows what brought no usable answer", async () => {
    const [all, without, asking] = await Promise.all([
      questionsOf("live"),
      questionsOf("live", "--unusable"),
      questionsOf("asking", "--unusable"),
    ]);

    expect(without).toEqual(all.filter(({ came }) => came !== "usable"));
    expect(new Set(without.map(({ came }) => came)).size).toBeGreaterThan(1);
    expect(asking).toMatchObject([{ came: "open" }]);
  });

  it("[PQ2] [PQ4] --actor shows the questions of one, and changes are against the last of the same actor and purpose", async () => {
    const [all, own, brief] = await Promise.all([
      questionsOf("live"),
      questionsOf("live", "--actor", "birch"),
      questionsOf("live", "--changes"),
    ]);

    expect(own).toEqual(all.filter(({ from }) => from === "agent/birch"));
    expect([own.length > 0, own.length < all.length]).toEqual([true, true]);
    const since = brief.map(({ changes }) => changes?.since);
    expect(since).toEqual(
      all.map((one, at) => {
        const before = all.slice(0, at).filter(({ from, purpose }) => {
          return from === one.from && purpose === one.purpose;
        });
        return before.at(-1)?.seq;
      }),
    );
    expect(since.some((seq) => seq !== undefined)).toBe(true);
  });

  it("[PQ5] the figures are those of the report, in a line and by purpose", async () => {
    const [{ summary, purposes }, { stdout }, { stderr }] = await Promise.all([
      json(["prompts", "live", "--summary"], { cwd }),
      prompts("live", "--summary"),
      prompts("live", "--limit", "1"),
    ]);

    const report = readFileSync(join(cwd, "live/report.md"), "utf8");
    const { asked, answered, usable, promptTokens, answerTokens } = summary;
    expect(report).toMatch(
      new RegExp(`asked ${asked} times: ${answered} answers, ${usable} usable`),
    );
    expect(report).toContain(`${promptTokens} tokens of prompts and ${answerTokens} of answers`);
    const sum = (of: string) => purposes.reduce((all: number, one: Json) => all + one[of], 0);
    for (const field of ["asked", "answered", "usable", "failed", "open", "promptTokens"]) {
      expect([field, sum(field)]).toEqual([field, summary[field]]);
    }
    expect(stdout).toMatch(/^\| Purpose +\| Asked \|/);
    expect(stdout).toMatch(new RegExp(`\\n\\| in all +\\| +${asked} \\| +${answered} \\|`));
    expect(stderr).toContain(`1 of ${asked} questions shown; of all that fit: ${asked} questions`);
    expect(stderr).toContain(`usable ${usable} of ${answered} (`);
    expect(stderr).toMatch(
      new RegExp(`tokens ${promptTokens} in, ${answerTokens} out · latency [\\d.]+ m?s median\n$`),
    );
  });

  it("[PQ1] of a changed run, each says who answered: the recorded model or a script", async () => {
    const changed = await questionsOf("changed");

    // Of a call that failed, or is open, a changed run does not know whom it asked.
    const answered = changed.filter(({ answer }) => answer !== null);
    expect(new Set(answered.map(({ model }) => model))).toEqual(new Set(["tiny", "scripted"]));
    for (const { model, choice, promptTokens } of answered) {
      const isScripted = model === "scripted";
      expect([choice !== null, promptTokens === null]).toEqual([isScripted, isScripted]);
    }
  });

  it("[PQ1] a torn recording is told as far as it goes, a changed one or a changed log not at all", async () => {
    for (const name of ["torn", "other", "retold"])
      cpSync(join(cwd, "live"), join(cwd, name), { recursive: true });
    const inputs = readFileSync(join(cwd, "live/inputs.jsonl"), "utf8");
    rmSync(join(cwd, "torn/events.jsonl"));
    writeFileSync(join(cwd, "torn/inputs.jsonl"), inputs.slice(0, -20));
    forge(join(cwd, "torn"), () => ({ final: undefined }));
    writeFileSync(join(cwd, "other/inputs.jsonl"), inputs.replace('"latencyMs":', '"latencyMs":1'));

    const log = readFileSync(join(cwd, "live/events.jsonl"), "utf8");
    writeFileSync(join(cwd, "retold/events.jsonl"), log.replace("llm.asked", "llm.bored"));

    const [whole, torn, other, retold] = await Promise.all([
      questionsOf("live"),
      questionsOf("torn"),
      prompts("other"),
      prompts("retold"),
    ]);

    expect(torn.length).toBeGreaterThanOrEqual(whole.length - 2);
    expect(torn.slice(0, -2)).toEqual(whole.slice(0, torn.length - 2));
    expect([other.code, other.stdout]).toEqual([3, ""]);
    expect([retold.code, retold.stdout]).toEqual([3, ""]);
  });
});

const contentOf = ({ messages }: Loopback["chats"][number]) => messages[0]?.content;

describe("the questions of a scripted run", () => {
  it("[PQ1] name what the scripted model chose", async () => {
    const { stdout } = await prompts("scripted", "--limit", "1");

    expect(stdout.split("\n")[0]).toMatch(
      /^0:00:06 #\d+ agent\/cedar goal\.choose, call 1 · the scripted model chose goal:note · latency [\d.]+ m?s · usable$/,
    );
  });

  it("[PQ2] filters by actor, purpose and time, and counts", async () => {
    const all = await questionsOf("scripted");
    const plans = [
      "scripted",
      "--actor",
      "cedar",
      "--purpose",
      "plan",
      "--from",
      "20s",
      "--to",
      "90s",
    ];
    const some = await questionsOf(...plans);
    const two = await json(["prompts", ...plans, "--limit", "2"], { cwd });

    expect(some).toEqual(
      all.filter(({ purpose, atMs }) => purpose === "plan" && atMs >= 20_000 && atMs <= 90_000),
    );
    expect(some.length).toBeGreaterThan(2);
    expect(two).toMatchObject({ asked: all.length, matching: some.length });
    expect(two.questions).toEqual(some.slice(0, 2));
    const none = await prompts("scripted", "--from", "110s", "--to", "110s");
    expect([none.code, none.stdout]).toEqual([0, ""]);
    expect(none.stderr).toContain(
      `0 of ${all.length} questions shown; of all that fit: 0 questions`,
    );
  });

  it("[PQ2] [CL2] names what there is, and the nearest, where a filter fits nothing", async () => {
    const said = await Promise.all([
      prompts("scripted", "--actor", "ceder"),
      prompts("scripted", "--purpose", "plam"),
      prompts("scripted", "--from", "20m", "--to", "10m"),
      prompts("scripted", "--summary", "--limit", "3"),
      prompts("scripted", "--limit", "0"),
      prompts("nowhere"),
    ]);

    expect(said.map(({ code, stdout }) => [code, stdout])).toEqual(said.map(() => [2, ""]));
    expect(said[0].stderr).toMatch(/"ceder".*agent\/cedar.*Did you mean "cedar"\?/);
    expect(said[1].stderr).toMatch(/"plam".*goal\.choose \| .*plan\. Did you mean "plan"\?/);
    expect(said[2].stderr).toContain("which is before --from 20 min");
    expect(said[3].stderr).toContain("--limit");
    expect(said[4].stderr).toContain("1 or more");
    expect(said[5].stderr).toContain("no such folder");
  });

  it("[PQ4] --changes shows of a prompt what is new since the last one shown", async () => {
    const args = ["scripted", "--purpose", "plan", "--limit", "3"];
    const [whole, brief, { stdout }] = await Promise.all([
      questionsOf(...args),
      questionsOf(...args, "--changes"),
      prompts(...args, "--changes"),
    ]);

    expect(brief[0].changes).toBeUndefined();
    expect(brief[1].changes.since).toBe(whole[0].seq);
    expect(brief[2].changes.since).toBe(whole[1].seq);
    for (const [index, { changes, prompt }] of brief.entries()) {
      if (index > 0) expect(patched(whole[index - 1].prompt, changes.lines)).toBe(prompt);
    }
    expect(stdout).toContain(
      `    prompt, against that of #${whole[0].seq}:\n    |   (2 lines as before)\n`,
    );
    expect(stdout).toMatch(/\| {3}\(\d+ lines as before\)\n/);
  });

  it("[PQ3] texts are whole where nobody looks", async () => {
    const [{ stdout }, [question]] = await Promise.all([
      prompts("scripted", "--limit", "1"),
      questionsOf("scripted", "--limit", "1"),
    ]);

    for (const line of question.prompt.split("\n")) {
      expect(stdout).toContain(line === "" ? "\n    |\n" : `    | ${line}\n`);
    }
  });

  it("[PQ7] a run that asked no model says so, and so does an imported log", async () => {
    const [words, said] = await Promise.all([
      prompts("silent", "--actor", "cedar"),
      json(["prompts", "silent"], { cwd }),
    ]);

    expect(words).toMatchObject({ code: 0, stdout: "No model was asked anything in this run.\n" });
    expect(said).toMatchObject({ asked: 0, questions: [], says: words.stdout.trim() });
    expect(nothingText("imported:otel", "my log")).toBe(
      "This log was imported, so it holds no question to a model of ours. " +
        "What was said in it: npx ghostlight events 'my log' --full",
    );
  });

  it("[CL7] a reader that leaves early is no error", async () => {
    const child = started(["prompts", "recordings/safe-file-executor"]);
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    child.stdout.once("data", () => child.stdout.destroy());

    expect(await new Promise((done) => child.on("close", done))).toBe(0);
    expect(stderr).toMatch(/^\d+ questions · usable /);
  });
});

/** The text that these changes make of another. */
function patched(before: string, changes: readonly string[]): string {
  const old = before.split("\n");
  const now: string[] = [];
  for (const line of changes) {
    const same = /^ {2}\((\d+) lines? as before\)$/.exec(line);
    if (same) now.push(...old.splice(0, Number(same[1])));
    else if (line.startsWith("- ")) expect(old.shift()).toBe(line.slice(2));
    else now.push(line.slice(2));
  }
  return now.join("\n");
}
