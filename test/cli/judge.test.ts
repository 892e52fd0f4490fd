// `blame --judge`, against the small servers on loopback. SPEC, "Blame and prevent (BL)".
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Loopback, loopback } from "../edges/ollama/loopbackServer.ts";
import { type OpenAiLoopback, openaiLoopback } from "../edges/openai/loopbackServer.ts";
import { newFolder } from "../folders.ts";
import { ghostlight, json, started } from "./ghostlight.ts";
import { smallScenario } from "./smallScenario.ts";

const cwd = newFolder();
const words = ["I load the list.", "I count the odd ones: 7.", "Then the answer is 7."];
writeFileSync(
  join(cwd, "log.json"),
  JSON.stringify({
    ...{ question: "How many are even?", ground_truth: "8 of them", is_correct: false },
    ...{ mistake_agent: "counter", mistake_step: "2", mistake_reason: "It took the odd ones." },
    history: [
      { role: "user", name: "manager", content: "How many are even?" },
      ...["loader", "counter", "loader"].map((name, at) => ({
        role: "assistant",
        name,
        content: words[at],
      })),
    ],
  }),
);
const ghost = `policy: { ghosts.preExecutionCheck: false, ghosts.nullIsFailure: false }
events:
  - id: ghost
    at: 1m
    does: files.write
    path: /agentOS/tools/dynamic/ghost_writer.json
    text: '{"name": "ghost_writer", "description": "write file, secure file write"}'
`;
writeFileSync(join(cwd, "ghost.yaml"), `${smallScenario}${ghost}`);

/** What both servers say, whatever they are asked. */
let answer: (prompt: string) => string = () => "";
let server: Loopback;
let open: OpenAiLoopback;

beforeAll(async () => {
  server = await loopback({ answer: (prompt) => answer(prompt) });
  open = await openaiLoopback({ answer: (prompt) => answer(prompt) });
  await ghostlight(["import", "log.json", "--out", "log"], { cwd });
});
afterAll(() => Promise.all([server.close(), open.close()]));

const NOBODY = "http://127.0.0.1:9";
const judge = (out: string, ...more: string[]) => [
  ...["blame", "log", "--judge", "ollama:tiny", "--host", server.host, "--out", out, ...more],
];
/** The number of the entry with these words in the prompt. */
const seqOf = (prompt: string, text: string): number =>
  Number(new RegExp(`^\\[#(\\d+)\\] \\w+: ${text}`, "m").exec(prompt)?.[1]);
const counted = (prompt: string): string =>
  JSON.stringify({
    reason: "It took\nthe \u001b[31modd\u001b[0m ones.",
    step: seqOf(prompt, "I count"),
  });

it("[BL40] it names agent and step with the model's reason, labelled as what it is, and escapes it", async () => {
  answer = counted;
  const { code, stdout, stderr } = await ghostlight(judge("words"), { cwd });

  expect([code, stdout.includes("\u001b")]).toEqual([0, false]);
  expect(stdout).toMatch(/^A judgement by ollama:tiny \(all-at-once\), not an intervention: /);
  expect(stdout).toMatch(
    /\n(step 2 )?\(?#\d+\)?, counter\. Its reason:\n {4}\| It took\n {4}\| the \\u\{1b\}\[31modd/,
  );
  const [, why = ""] = /\nnpx ghostlight (why log \d+)\n/.exec(stdout) ?? [];
  const asked = await ghostlight(why.split(" "), { cwd });
  expect(asked.stdout).toContain("I count the odd ones");
  expect(stderr).not.toContain("bug");
});

it("[BL42] temperature is 0 with a seed, and neither people's marks nor their solution are in a question", async () => {
  answer = counted;
  const before = server.chats.length;
  await ghostlight(judge("marks"), { cwd });
  await ghostlight(judge("warm", "--set", "live.temperature=500"), { cwd });

  const [cold, warm] = server.chats.slice(before);
  expect(cold?.options).toMatchObject({ temperature: 0, seed: 1 });
  expect(warm?.options).toMatchObject({ temperature: 0.5, seed: 1 });
  expect(cold?.messages[0]?.content).toContain("How many are even?");
  expect(cold?.messages[0]?.content).not.toMatch(/8 of them|took the odd|mistake_/);
});

it("[BL40] a run that was played is judged, too, of what its report tells first", async () => {
  answer = (prompt) => JSON.stringify({ step: Number(/^\[#(\d+)\] cedar/m.exec(prompt)?.[1]) });
  await ghostlight(["run", "ghost", "--out", "played"], { cwd });
  const args = ["--judge", "openai:tiny", "--host", open.host];
  const told = await json(["blame", "played", "it came late", ...args], { cwd });
  const [why, plain] = await Promise.all([
    ghostlight(["why", "played"], { cwd }),
    json(["blame", "played", ...args, "--out", "plain"], { cwd }),
  ]);

  expect(told).toMatchObject({
    ...{ is: "a judgement, not an intervention", by: "openai:tiny", how: "all-at-once" },
    ...{ about: "it came late", mistake: { agent: "cedar", reason: "" }, questions: 1 },
    ...{ live: 1, recorded: 0, promptTokens: 200, answerTokens: 9 },
  });
  expect(plain.about).toMatch(/./);
  expect(why.stdout).toContain(plain.about);
  expect(existsSync(join(cwd, "played.all-at-once.jsonl"))).toBe(true);
});

it("[BL43] what was asked is answered by the recording, without a server, byte for byte", async () => {
  answer = counted;
  await ghostlight(judge("kept"), { cwd });
  const [first, again] = [
    await ghostlight([...judge("kept"), "--host", NOBODY], { cwd }),
    await ghostlight([...judge("kept"), "--host", NOBODY, "--json"], { cwd }),
  ];

  expect(first.code).toBe(0);
  expect(first.stdout).toContain("1 question, 1 answered by the recording");
  expect(JSON.parse(again.stdout)).toMatchObject({ live: 0, recorded: 1 });
  const [asked = "", replied = ""] = readFileSync(join(cwd, "kept"), "utf8").split("\n");
  expect(JSON.parse(asked).input.event.text).toContain("I count the odd ones: 7.");
  expect(JSON.parse(replied).input.event.text).toContain('"reason"');
  // Another way is another question.
  expect(
    (await ghostlight([...judge("kept"), "--host", NOBODY, "--how", "binary-search"], { cwd }))
      .code,
  ).toBe(2);
});

it("[BL43] a last line that is torn is dropped and said, and asked anew; one that was changed ends it", async () => {
  answer = counted;
  await ghostlight(judge("torn"), { cwd });
  const file = join(cwd, "torn");
  const whole = readFileSync(file, "utf8");
  truncateSync(file, whole.length - 20);
  const mended = await ghostlight(judge("torn"), { cwd });
  writeFileSync(file, readFileSync(file, "utf8").replace("odd", "add"));
  const changed = await ghostlight(judge("torn"), { cwd });

  expect(mended.stderr).toContain("ended within a line, which was dropped");
  expect(mended.stdout).toContain("1 question, 0 answered by the recording");
  expect(changed.code).toBe(3);
  expect(changed.stderr).toContain("torn:1");
});

it("[BL40, BL44] an answer that cannot be used is told with its question, and exits 1", async () => {
  answer = () => "ann\u009b2J did it";
  const { code, stdout } = await ghostlight(judge("useless"), { cwd });

  expect(code).toBe(1);
  expect(stdout).toContain("It named no step of an agent.");
  expect(stdout).toContain(
    'What it said could not be used, question 1: it is no JSON object: "ann\\u{9b}2J did it".',
  );
  // One that is of no use among others that name a step is told, and no failure.
  answer = (prompt) =>
    prompt.includes("the odd ones") ? '{"mistake": true, "reason": "It is 6."}' : "no";
  const named = await ghostlight(judge("some", "--how", "step-by-step"), { cwd });
  expect(named.stdout).toContain("It is 6.");
  expect(named.stdout).toContain("What it said could not be used, question 1:");
  expect(named.code).toBe(0);
});

it("[BL45] it is told what was cut", async () => {
  answer = counted;
  const room = ["--set", "live.contextTokens=800", "--set", "live.answerTokens=600"];
  const { stdout } = await ghostlight(judge("narrow", ...room), { cwd });

  expect(stdout).toMatch(
    /\n1 of them held less than all, within 600 characters: entries were cut,/,
  );
});

it("[BL42, BL46] every question has one seed; Ctrl-C says what is known by then, and the same command goes on from there", async () => {
  const slow = await loopback({
    answer: () => '{"mistake": false}',
    script: (nth) => (nth === 2 ? "hang" : undefined),
  });
  const args = ["blame", "log", "--judge", "ollama:tiny", "--out", "slow", "--how", "step-by-step"];
  const child = started([...args, "--host", slow.host], { cwd });
  let told = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => {
    told += more;
  });
  const end = once(child, "close");
  while (slow.chats.length < 3) await new Promise((done) => setTimeout(done, 10));
  child.kill("SIGINT");
  const [code] = await end;
  const after = await json([...args, "--host", slow.host], { cwd });
  await slow.close();

  expect(code).toBe(130);
  expect(new Set(slow.chats.map(({ options }) => options?.["seed"]))).toEqual(new Set([1]));
  expect(told).toMatch(
    /^Of ollama:tiny, as a judgement, not an intervention: it had named none up to /,
  );
  expect(after).toMatchObject({ mistake: null, questions: 4, live: 2, recorded: 2 });
});

it("[BL47] a server that is not there, and one that fails on the way, are told with what to do", async () => {
  const failing = await loopback({ script: () => "server" });
  const quick = ["--set", "live.backoffMs=1"];
  const said = await Promise.all([
    ghostlight([...judge("none"), "--host", NOBODY, ...quick], { cwd }),
    ghostlight(["blame", "log", "--judge", "ollama:none", "--host", server.host], { cwd }),
    ghostlight([...judge("fails"), "--host", failing.host, ...quick], { cwd }),
    ghostlight(["blame", "log", "--judge", "openai:none", "--host", open.host], { cwd }),
  ]);
  await failing.close();

  expect(said.map(({ code, stdout }) => [code, stdout])).toEqual(said.map(() => [2, ""]));
  expect(said[0]?.stderr).toContain("ollama serve");
  expect(said[1]?.stderr).toContain("--judge: found no model none on that server");
  expect(said[3]?.stderr).toContain("Name one of those: --judge openai:NAME.");
  expect(said[2]?.stderr).toContain("--judge: found a question that no try answered: server: 500");
  expect(existsSync(join(cwd, "none"))).toBe(false);
});

it.each<[readonly string[], string]>([
  [["--judge", "tiny"], '--judge: found "tiny"; allowed: ollama:NAME or openai:NAME'],
  [["--judge", "ollama:tiny", "--how", "all"], 'Did you mean "all-at-once"?'],
  [["--judge", "ollama:tiny", "--set", "live.contextTokns=1"], "live.contextTokens"],
  [["--judge", "ollama:tiny", "--when"], "cannot be used with option '--when'"],
  ...[
    ["--how", "step-by-step"],
    ["--host", "localhost"],
    ["--out", "other"],
  ].map((flags): [readonly string[], string] => [flags, "--how, --host or --out without it"]),
])("[BL47] %j is bad usage", async (flags, says) => {
  const { code, stdout, stderr } = await ghostlight(["blame", "log", ...flags], { cwd });

  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(says);
});

it("[BL43] another file is not taken for a recording, and stays as it is", async () => {
  writeFileSync(join(cwd, "notes.txt"), "To do: everything");
  const { code, stderr } = await ghostlight(judge("notes.txt"), { cwd });

  expect(code).toBe(3);
  expect(stderr).toContain("notes.txt:1");
  expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("To do: everything");
});

it("[BL40] of a log without an agent's step nobody is asked", async () => {
  const mute = { messages: [{ role: "user", content: "Hello?" }] };
  writeFileSync(join(cwd, "mute.json"), JSON.stringify(mute));
  await ghostlight(["import", "mute.json", "--out", "mute"], { cwd });
  const { code, stdout } = await ghostlight(["blame", "mute", "--judge", "ollama:tiny"], { cwd });

  expect(code).toBe(0);
  expect(stdout).toContain("It named no step of an agent.");
  expect(stdout).toContain("0 questions");
});

it("[BL61] a log that nobody imported is judged as it lies there; its recording lies beside it", async () => {
  answer = counted;
  const args = ["blame", "log.json", "--judge", "ollama:tiny"];
  const { code, stdout } = await ghostlight([...args, "--host", server.host], { cwd });
  const told = await json([...args, "--host", NOBODY], { cwd });

  expect(code).toBe(0);
  expect(stdout).toContain("counter. Its reason:");
  expect(stdout).toContain("\nnpx ghostlight view log.json\n");
  expect(told).toMatchObject({ bundle: "log.json", recorded: 1, mistake: { agent: "counter" } });
  expect(existsSync(join(cwd, "log.json.all-at-once.jsonl"))).toBe(true);
});

it("[BL61] without a model it is said that nothing can be left out of it, and where to look", async () => {
  const env = { TMPDIR: newFolder() };
  const { code, stdout, stderr } = await ghostlight(["blame", "log.json"], { cwd, env });

  expect([code, readdirSync(env.TMPDIR)]).toEqual([2, []]);
  expect(stdout).toContain("Suspects, the likeliest first: where to look, and no verdict.");
  expect(stdout).toContain("\nnpx ghostlight view log.json\n");
  expect(stderr).toContain("log.json: found an imported log (");
  expect(stderr).toContain("look for causes by intervention");
});

it("[BL61] of several logs one has to be named, and of what is none it is said", async () => {
  const logs = join(cwd, "logs");
  mkdirSync(logs);
  for (const name of ["a.json", "b.json"]) cpSync(join(cwd, "log.json"), join(logs, name));
  const several = await ghostlight(["blame", "logs"], { cwd });
  const none = await ghostlight(["blame", "notes.txt"], { cwd });

  expect([several.code, none.code]).toEqual([2, 2]);
  expect(several.stderr).toContain("logs: found 2 runs or logs; allowed: one of them");
  expect(several.stderr).toContain("ghostlight import logs");
  expect(none.stderr).toContain("a log of agents in a format that `import` reads");
});
