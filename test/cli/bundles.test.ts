import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { quotedBlock } from "../../src/edges/escapedText.ts";
import { RULES_VERSION } from "../../src/run/bundle.ts";
import { newFolder } from "../folders.ts";
import { forge } from "../recordedRun.ts";
import { ghostlight, type Json, json } from "./ghostlight.ts";

const cwd = newFolder();
const play = ["run", "incident", "--until", "9m"];
// The ghost comes after five minutes in place of thirty, so that its run is short.
const incident = readFileSync("scenarios/safe-file-executor.yaml", "utf8");
writeFileSync(join(cwd, "incident.yaml"), incident.replace("at: 30m", "at: 5m"));

beforeAll(async () => {
  await Promise.all([
    ghostlight([...play, "--out", "ghost"], { cwd }),
    ghostlight([...play, "--out", "quiet", "--no-log", "--variant", "no-ghost"], { cwd }),
  ]);
}, 120_000);

describe.concurrent("replay", () => {
  it("[CL12] says in words and as JSON that a bundle replays", async () => {
    const [words, said] = await Promise.all([
      ghostlight(["replay", "ghost"], { cwd }),
      json(["replay", "ghost"], { cwd }),
    ]);

    expect(words).toMatchObject({ code: 0, stderr: "" });
    expect(words.stdout).toContain(`ghost replays exactly: ${said.envelopes} deliveries`);
    expect(said).toMatchObject({ matches: true, partial: false, difference: null });
    const manifest = JSON.parse(readFileSync(join(cwd, "ghost/manifest.json"), "utf8"));
    expect([said.digest, said.envelopes]).toEqual([
      manifest.final.digest,
      manifest.final.envelopes,
    ]);
    expect(said.portCalls).toBeGreaterThan(80);
  });

  it("[CL14] a log that was changed exits 3 with place, expected, actual and a command", async () => {
    cpSync(join(cwd, "ghost"), join(cwd, "changed"), { recursive: true });
    const log = join(cwd, "changed/events.jsonl");
    writeFileSync(log, readFileSync(log, "utf8").replace("write file", "write fire"));

    const [words, said] = await Promise.all([
      ghostlight(["replay", "changed"], { cwd }),
      json(["replay", "changed"], { cwd }),
    ]);

    expect(words.code).toBe(3);
    expect(words.stdout).toMatch(
      /First difference at 0:\d\d:\d\d[.\d]* \(\d+ ms\), delivery \d+, actor /,
    );
    expect(words.stdout).toMatch(/expected .*write fire.*\n {2}actual .*write file/);
    expect(words.stdout).toContain("Reproduce: npx ghostlight replay changed");
    expect(said).toMatchObject({ matches: false, difference: { kind: "divergence" } });
  });

  it("[CL14] of a call that the recording lacks, the command has the variant and what was set", async () => {
    const changed = ["--set", "planner.stepsPerCycle=1", "--variant", "no-ghost"];
    const { code, stderr } = await ghostlight(["replay", "ghost", "--strict", ...changed], { cwd });

    expect(code).toBe(4);
    expect(stderr).toContain(
      `Reproduce: npx ghostlight replay ghost --strict ${changed.join(" ")}\n`,
    );
  });

  it("[CL14] a recording that was changed exits 3 and names file and line", async () => {
    cpSync(join(cwd, "quiet"), join(cwd, "broken"), { recursive: true });
    const inputs = join(cwd, "broken/inputs.jsonl");
    const lines = readFileSync(inputs, "utf8").split("\n");
    lines[9] = (lines[9] ?? "").replace('"latencyMs":', '"latencyMs":1');
    writeFileSync(inputs, lines.join("\n"));

    const said = await Promise.all(
      ["replay", "events", "why"].map((command) => ghostlight([command, "broken"], { cwd })),
    );

    for (const { code, stderr, stdout } of said) {
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
      expect(stderr).toContain("broken/inputs.jsonl:10: found its hash does not match");
    }
  });
});

it("[VB10] of a run that newer rules recorded each reader says so before all else", async () => {
  cpSync(join(cwd, "quiet"), join(cwd, "newer"), { recursive: true });
  forge(join(cwd, "newer"), () => ({ product: "ghostlight 9", rulesVersion: RULES_VERSION + 1 }));
  const said =
    `It was recorded by ghostlight 9 under rules ${RULES_VERSION + 1}, and this version has rules ` +
    `${RULES_VERSION}: what is told of it may differ from what happened.\n`;
  const [replay, ...others] = await Promise.all(
    [["replay"], ["events"], ["why"], ["diff", "quiet"], ["check"]].map((command) =>
      ghostlight([...command, "newer"], { cwd }),
    ),
  );

  expect(replay).toMatchObject({ code: 0, stderr: said });
  for (const other of others.slice(0, -1)) expect(other.stderr).toContain(said);
  expect(others.at(-1)?.stdout).toContain("newer rules");
});

describe.concurrent("events", () => {
  it("[CL12] filters by actor, type and time", async () => {
    const args = ["events", "ghost", "--actor", "cedar", "--type", "llm.replied"];

    const { events, matching } = await json([...args, "--from", "2m", "--to", "6m"], { cwd });

    expect(events).toHaveLength(matching);
    expect(matching).toBeGreaterThan(5);
    for (const { dueMs, to, event } of events) {
      expect([to, event.type]).toEqual(["agent/cedar", "llm.replied"]);
      expect(dueMs).toBeGreaterThanOrEqual(120_000);
      expect(dueMs).toBeLessThanOrEqual(360_000);
    }
  });

  it("[CL15] --full shows all that an event carries, prompts as the model read them, and as JSON", async () => {
    const asked = [
      "events",
      "ghost",
      "--full",
      "--actor",
      "cedar",
      "--from",
      "5m",
      "--limit",
      "60",
    ];

    const [words, { events }] = await Promise.all([
      ghostlight(asked, { cwd }),
      json(asked, { cwd }),
    ]);

    const call = events.find(({ event }: Json) => event.type === "llm.asked")?.call;
    expect(call).toMatchObject({ from: "agent/cedar", answer: expect.stringContaining("{") });
    expect(call.prompt).toContain("Please make file writing safer for everybody.");
    for (const line of call.prompt.split("\n")) {
      expect(words.stdout).toContain(line === "" ? "\n    |\n" : `    | ${line}\n`);
    }
    for (const { event, seq } of events) {
      const at = words.stdout.indexOf(` #${seq} `);
      for (const name of Object.keys(event).filter((one) => one !== "type")) {
        expect(words.stdout.indexOf(`\n    ${name}:`, at), `${name} of #${seq}`).toBeGreaterThan(
          at,
        );
      }
    }
    // Every text of several lines is set off, line by line.
    const texts = events.flatMap(({ event }: Json) =>
      Object.values(event).filter((one) => typeof one === "string" && one.includes("\n")),
    );
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(words.stdout).toContain(`:\n${quotedBlock(text, "    ")}\n`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
    expect(words.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    const plain = await json(
      asked.filter((one) => one !== "--full"),
      { cwd },
    );
    expect(plain.events.some((one: Json) => one.call !== undefined)).toBe(false);
  });

  it("[CL2] names what there is when a filter fits nothing", async () => {
    const said = await Promise.all([
      ghostlight(["events", "ghost", "--actor", "agent/vaul"], { cwd }),
      ghostlight(["events", "ghost", "--type", "call.route"], { cwd }),
      ghostlight(["events", "ghost", "--from", "20m", "--to", "10m"], { cwd }),
    ]);

    expect(said.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(said[0].stderr).toContain('Did you mean "agent/vault"?');
    expect(said[1].stderr).toContain('Did you mean "call.routed"?');
    expect(said[2].stderr).toContain("--to: found 10 min, which is before --from 20 min");
  });

  it("[VB9] a bundle without a log tells the same events as with one", async () => {
    cpSync(join(cwd, "ghost"), join(cwd, "bare"), { recursive: true });
    rmSync(join(cwd, "bare/events.jsonl"));

    const [bare, whole] = await Promise.all(
      ["bare", "ghost"].map((bundle) =>
        ghostlight(["events", bundle, "--from", "5m", "--to", "6m"], { cwd }),
      ),
    );

    expect(bare?.stdout).toBe(whole?.stdout);
    expect(bare?.stdout.split("\n").length).toBeGreaterThan(100);
  });
});

describe.concurrent("why", () => {
  it("[CL12, VB12] goes back from a failed goal to the ghost and to what it came from", async () => {
    const { questions } = await json(["why", "ghost", "--list"], { cwd });
    const question = questions.find((one: string) => one.startsWith("goal:cipher/"));

    const [words, { explanation }] = await Promise.all([
      ghostlight(["why", "ghost", question], { cwd }),
      json(["why", "ghost", question], { cwd }),
    ]);

    expect(words.stdout).toContain(`Why ${question}?`);
    expect(words.stdout).toContain("safe_file_executor.json appeared in the tools folder");
    expect(words.stdout).toContain("It goes back to:");
    expect(explanation.question).toBe(question);
    expect(explanation.origins.map(({ kind, id }: Record<string, string>) => [kind, id])).toEqual([
      ["choice", "plan:safer-writes/spec-past-the-pipeline"],
      ["choice", "goal:safer-writes"],
      ["outside", "ask-for-safer-writes"],
    ]);
  });

  it("[VB43] --prompt shows, for the models on the way, what was asked and answered, once each", async () => {
    const { questions } = await json(["why", "ghost", "--list"], { cwd });
    const question = questions.find((one: string) => one.startsWith("goal:cipher/"));
    const [words, { explanation }] = await Promise.all([
      ghostlight(["why", "ghost", question, "--prompt"], { cwd }),
      json(["why", "ghost", question, "--prompt"], { cwd }),
    ]);

    const calls = explanation.chain.flatMap(({ call }: Json) => call ?? []);
    expect(calls.map(({ purpose }: Json) => purpose)).toEqual(["plan", "goal.choose"]);
    expect(calls[1].prompt).toContain("Please make file writing safer for everybody.");
    for (const { seq, answerSeq, prompt, answer } of calls) {
      expect(
        words.stdout.match(new RegExp(`asked by agent/cedar \\(.*, #${seq}\\):`, "g")),
      ).toHaveLength(1);
      expect(words.stdout).toContain(`    | ${prompt.split("\n")[0]}\n`);
      expect(words.stdout).toContain(`    answered (#${answerSeq}):\n    | ${answer}\n`);
    }
    const none = await ghostlight(["why", "ghost", "3", "--prompt"], { cwd });
    expect(none.stdout).toContain("(No model was asked on the way.)");
  });

  it("[CL2] a question that fits nothing names the nearest one", async () => {
    const { code, stderr } = await ghostlight(["why", "ghost", "goal:cedar/999"], { cwd });

    expect(code).toBe(2);
    expect(stderr).toMatch(/"goal:cedar\/999".*Did you mean "goal:cedar\/\d+"\?/);
    expect(stderr).toContain("why ghost --list");
  });

  it("[CL12] a run whose trouble has no name says how to ask for it", async () => {
    const { stdout } = await ghostlight(["why", "recordings/weather-fetcher", "--list"]);

    expect(stdout).toBe(
      "What went wrong has no name to ask for: npx ghostlight why recordings/weather-fetcher\n",
    );
  });

  it("[CL12] a run in which nothing failed says so", async () => {
    const [words, list, { explanation }] = await Promise.all([
      ghostlight(["why", "quiet"], { cwd }),
      ghostlight(["why", "quiet", "--list"], { cwd }),
      json(["why", "quiet"], { cwd }),
    ]);

    expect(words).toMatchObject({ code: 0, stdout: expect.stringContaining("No goal failed") });
    expect(list.stdout).toMatch(/^No goal failed, .*, and nothing was asked of synt\.\n$/);
    expect(explanation).toBeNull();
  });
});

describe.concurrent("diff", () => {
  it("[CL12, VB15] shows settings, figures, the first divergence and where it comes from", async () => {
    const [words, said] = await Promise.all([
      ghostlight(["diff", "ghost", "quiet"], { cwd }),
      json(["diff", "ghost", "quiet"], { cwd }),
    ]);

    expect(words.code).toBe(1);
    expect(words.stdout).toContain("| variant ");
    expect(words.stdout).toMatch(/ghost: #\d+ cedar's model chose a goal \[goal:safer-writes\]/);
    expect(words.stdout).toContain("It goes back to the model's choice goal:safer-writes");
    expect(said).toMatchObject({
      a: "ghost",
      b: "quiet",
      same: false,
      settings: [["variant", null, "no-ghost"]],
    });
    expect(said.first.a.says).toContain("goal:safer-writes");
  });

  it("[CL12] of a bundle with itself exits 0", async () => {
    const { code, stdout } = await ghostlight(["diff", "ghost", "ghost"], { cwd });

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "ghost and ghost went the same way, delivery by delivery.\n",
    });
  });
});
