// `ghostlight import`: what it says, what it leaves, and its exit codes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newFolder } from "../folders.ts";
import { ghostlight, json } from "./ghostlight.ts";
import { smallScenario } from "./smallScenario.ts";

const talk = [
  { role: "user", content: "I am mia_li_3668." },
  {
    ...{ role: "assistant", content: null },
    tool_calls: [
      {
        id: "a",
        type: "function",
        function: { name: "find", arguments: '{"user":"mia_li_3668"}' },
      },
    ],
  },
  { role: "tool", tool_call_id: "a", content: "Error: no such user" },
  { role: "assistant", content: "All done." },
];

function home(): string {
  const cwd = newFolder();
  writeFileSync(join(cwd, "talk.json"), JSON.stringify(talk));
  return cwd;
}

it("[IM41, IM60] says what there is, leaves a bundle under runs/, and names the next command", async () => {
  const cwd = home();
  const { code, stdout } = await ghostlight(["import", "talk.json"], { cwd });

  expect(code).toBe(0);
  expect(stdout).toContain("logs      1 (openai)");
  expect(stdout).toContain("4: 2 messages of 1 agent and others, 1 call, 1 error, 0 empty results");
  expect(stdout).toContain("stated: result-of 1; inferred: last-heard 1, quotes 1");
  expect(stdout).toContain("npx ghostlight why runs/import-talk-1");
  expect(stdout).toMatch(/^suspect {3}step 1 /m);
  expect(stdout).toContain("times     none in 1 log: each record counts one second");
  expect(existsSync(join(cwd, "runs/import-talk-1/manifest.json"))).toBe(true);
});

it("[IM41, IM48] `why` explains the error, with what is inferred and by which rule", async () => {
  const cwd = home();
  await ghostlight(["import", "talk.json", "--out", "log"], { cwd });
  const { stdout, stderr } = await ghostlight(["why", "log"], { cwd });

  expect(stdout.trim().split("\n")).toEqual([
    "Why 3?",
    '0:00:02 #3 find returned what reads as an error to assistant: "Error: no such user".',
    '0:00:01 #2 because assistant called find with {"user":"mia_li_3668"} — inferred by quotes, not stated in the log: its "mia_li_3668" stands first in #1.',
    '0:00:00 #1 because user said: "I am mia_li_3668.".',
    "It goes back to:",
    "  the outside input user (#1)",
  ]);
  expect(stderr).toContain("The log has no times");
});

it("[IM49] what can be asked of a log is listed, and a stranger's question names it", async () => {
  const cwd = home();
  await ghostlight(["import", "talk.json", "--out", "log"], { cwd });
  const { stdout } = await ghostlight(["why", "log", "--list"], { cwd });
  const refused = await ghostlight(["why", "log", "goal:a/1"], { cwd });

  expect(stdout.split("\n")).toContain("call:2");
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("SEQ | call:SEQ | message:SEQ | step:N");
});

it("[IM55] it cannot be replayed, changed or resumed, and what to do is said", async () => {
  const cwd = home();
  await ghostlight(["import", "talk.json", "--out", "log"], { cwd });

  for (const args of [
    ["replay", "log"],
    ["replay", "log", "--set", "router.kind=lexical"],
    ["resume", "log"],
  ]) {
    const { code, stderr } = await ghostlight(args, { cwd });
    expect([args, code]).toEqual([args, 2]);
    expect(stderr).toContain("import talk.json --scenario FILE.yaml");
  }
});

it("[IM60] what is unread is told with its place; with --strict it is exit 1", async () => {
  const cwd = home();
  const lines = [...talk.slice(0, 1), ...talk.slice(3)].map((one) => JSON.stringify(one));
  writeFileSync(join(cwd, "torn.jsonl"), `${lines.join("\n")}\n{"role":"user","cont`);
  writeFileSync(join(cwd, "many.jsonl"), `${[...lines, ...Array(11).fill("{")].join("\n")}\n`);
  const many = await ghostlight(["import", "many.jsonl", "--out", "c"], { cwd });
  const plain = await ghostlight(["import", "torn.jsonl", "--out", "a"], { cwd });
  const strict = await ghostlight(["import", "torn.jsonl", "--out", "b", "--strict"], { cwd });

  expect([plain.code, strict.code]).toEqual([0, 1]);
  const places = [...many.stdout.matchAll(/^ +many\.jsonl:(\d+): /gm)].map(([, line]) =>
    Number(line),
  );
  expect(places).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  expect(plain.stdout).toMatch(
    /^NOT READ: 1 piece of 1 log, .*\nunread {4}1: .*\n +torn\.jsonl:3: /,
  );
  expect(readFileSync(join(cwd, "a/unread.jsonl"), "utf8")).toContain('"line":3');
});

it("[IM63] a log of which something was not read is nowhere told as one in which all is well", async () => {
  const cwd = home();
  const odd = { type: "image_generation", prompt: "a cat on a mat" };
  const messages = [talk[0], { role: "assistant", content: [odd] }];
  writeFileSync(join(cwd, "odd.json"), JSON.stringify({ messages }));
  const imported = await ghostlight(["import", "odd.json", "--out", "odd"], { cwd });
  const why = await ghostlight(["why", "odd"], { cwd });
  const checked = await ghostlight(["check", "odd", "--finding", "all"], { cwd });
  const asked = await json(["check", "odd"], { cwd });
  const report = readFileSync(join(cwd, "odd/report.md"), "utf8").split("\n");

  expect(imported.stdout).toMatch(/^NOT READ: /);
  expect(why.stdout).toMatch(/^NOT READ: .*odd\.json: .*image_generation.*\nOf what was read: no /);
  expect(why.stderr).toMatch(/^NOT READ: /);
  expect(checked.stdout).toMatch(/^NOT READ: [\s\S]*Nothing was found in what was read\./);
  expect([imported.code, why.code, checked.code]).toEqual([0, 0, 1]);
  expect(asked.logs[0].notRead).toMatchObject({ count: 1 });
  expect(report[2]).toMatch(/^\*\*NOT READ: /);
});

it("[IM63] an explanation of such a log says first what was not read, and a whole log says nothing of it", async () => {
  const cwd = home();
  const more = { role: "assistant", content: [{ type: "image_generation", prompt: "a cat" }] };
  writeFileSync(join(cwd, "part.json"), JSON.stringify([...talk, more]));
  await ghostlight(["import", "part.json", "--out", "part"], { cwd });
  await ghostlight(["import", "talk.json", "--out", "whole"], { cwd });
  const part = await ghostlight(["why", "part"], { cwd });
  const whole = await ghostlight(["why", "whole"], { cwd });
  const ranked = await ghostlight(["why", "part", "--suspects"], { cwd });

  expect(ranked.stdout).toMatch(/^NOT READ: .*\nSuspects, /);
  expect(part.stdout).toMatch(/^NOT READ: .*\nWhy 3\?\n/);
  expect(whole.stdout + whole.stderr).not.toContain("NOT READ");
});

it("[IM60, IM63] what is unread of one log of a file is told of no other, and no suspect of two", async () => {
  const cwd = home();
  const odd = { role: "assistant", content: [{ type: "image_generation", prompt: "a cat" }] };
  const logs = [{ messages: talk }, { messages: [...talk, odd] }];
  writeFileSync(join(cwd, "two.jsonl"), logs.map((one) => JSON.stringify(one)).join("\n"));
  const both = await ghostlight(["import", "two.jsonl", "--out", "two"], { cwd });
  const first = await ghostlight(["why", "two/two.1"], { cwd });
  const second = await ghostlight(["why", "two/two.2"], { cwd });

  expect(both.stdout).toContain("logs      2 (openai)");
  expect(both.stdout).toContain(" of 1 agent and others");
  expect(both.stdout).not.toMatch(/^suspect/m);
  expect(first.stdout).not.toContain("NOT READ");
  expect(second.stdout).toMatch(/^NOT READ: One piece /);
});

it("[FI43] `why --suspects` ranks, with reasons, baselines and their shares, in words and as JSON", async () => {
  const cwd = home();
  await ghostlight(["import", "talk.json", "--out", "log"], { cwd });
  const { stdout, code } = await ghostlight(["why", "log", "--suspects"], { cwd });
  const told = await json(["why", "log", "--suspects"], { cwd });

  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^Suspects, .*\n1\. step 1 \(#2\), assistant, 1\.00: its call of find failed/,
  );
  expect(stdout).toContain(
    "the longest message of an agent: step 3 (#4), assistant (the step 21.3 %",
  );
  expect(stdout).toContain("npx ghostlight why log 2");
  expect(told.suspects[0]).toMatchObject({ step: 1, seq: 2, agent: "assistant", score: 1 });
  expect(told.suspects[0].reason).toContain("Error: no such user");
  expect(told.beside.map(({ rule }: { readonly rule: string }) => rule)).toEqual([
    ...["longest", "failed-else-longest", "last", "most-frequent", "evidence"],
  ]);
});

it("[IM60] an import of nothing is an error, and a misspelt name leaves no folder", async () => {
  const cwd = home();
  mkdirSync(join(cwd, "empty"));
  writeFileSync(join(cwd, "empty/notes.txt"), "not a log");
  const empty = await ghostlight(["import", "empty", "--out", "a"], { cwd });
  const missing = await ghostlight(["import", "tlak.json"], { cwd });
  const none = await ghostlight(["import"], { cwd });

  expect([empty.code, missing.code, none.code]).toEqual([2, 2, 2]);
  expect(empty.stderr).toContain("notes.txt");
  expect(readdirSync(cwd).includes("runs")).toBe(false);
});

it("[IM60] `--explain` says how a file would be read, and imports nothing", async () => {
  const cwd = home();
  const { code, stdout } = await ghostlight(["import", "--explain", "talk.json"], { cwd });

  expect(code).toBe(0);
  expect(stdout).toContain("is read as openai: value 1 holds messages with role and content");
  expect(readdirSync(cwd)).toEqual(["talk.json"]);
});

it("[IM60] --json has counts, links and logs; an unknown format names the known ones", async () => {
  const cwd = home();
  const said = await json(["import", "talk.json", "--out", "log"], { cwd });
  const refused = await ghostlight(["import", "talk.json", "--format", "opnai"], { cwd });

  expect(said).toMatchObject({ records: 4, calls: 1, errors: 1, unread: { count: 0 } });
  expect(said.logs).toMatchObject([{ log: "talk", bundle: "log", agents: ["assistant"] }]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain('Did you mean "openai"?');
});

it("[IM61] `diff` tells an imported log from another and from a run", async () => {
  const cwd = home();
  writeFileSync(join(cwd, "other.json"), JSON.stringify(talk.toSpliced(3, 1)));
  writeFileSync(join(cwd, "small.yaml"), smallScenario);
  await ghostlight(["import", "talk.json", "--out", "a"], { cwd });
  await ghostlight(["import", "other.json", "--out", "b"], { cwd });
  await ghostlight(["run", "small", "--out", "run"], { cwd });
  const [logs, mixed] = [
    await ghostlight(["diff", "a", "b"], { cwd }),
    await ghostlight(["diff", "run", "a"], { cwd }),
  ];

  expect([logs.code, mixed.code]).toEqual([1, 1]);
  expect(logs.stdout).toContain("log.messages");
  expect(logs.stdout).toContain("First divergence");
  expect(mixed.stdout).toContain("First divergence");
  expect(mixed.stdout).toContain("a: #0 The log talk begins");
});

it("[IM53] a changed log is exit 3", async () => {
  const cwd = home();
  await ghostlight(["import", "talk.json", "--out", "log"], { cwd });
  const path = join(cwd, "log/events.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").replace("All done", "All gone"));

  expect((await ghostlight(["why", "log"], { cwd })).code).toBe(3);
  expect((await ghostlight(["events", "log"], { cwd })).code).toBe(3);
});
