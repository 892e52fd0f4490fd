import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { expect, it } from "vitest";
import { resumeCommand } from "../../src/cli/resume.ts";
import {
  figuresOf,
  isEdgeError,
  loadScenario,
  type PlayedRun,
  type PlayOptions,
  type PortName,
  type Ports,
  parseScenario,
  play,
  type RunResult,
  readBundle,
  record,
  replay,
  report,
  simulate,
} from "../../src/index.ts";
import { seconds } from "../../src/machines/units.ts";
import { prepare } from "../builtIn.ts";
import { portNames } from "../builtInRuns.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { newFolder } from "../folders.ts";
import { mailIn } from "../mail.ts";
import { spokenFor } from "./spokenFor.ts";

const scenario = parseScenario(smallScenario, "small.yaml");
const untilMs = seconds(40);
const PAGE =
  "A page that says what was found, what follows from it and what others may rely on. ".repeat(4);

/** A small mind: a goal, a plan for it, yes. */
function thought({
  purpose,
  prompt,
}: {
  readonly purpose: string;
  readonly prompt: string;
}): string {
  if (purpose === "goal.choose") {
    const artifact = "/agentOS/workspace/cedar/page.md";
    return JSON.stringify({ action: "goal", content: "Write a page", slug: "page", artifact });
  }
  const [, path = ""] = /done when (\S+) stands/.exec(prompt) ?? [];
  const step = { intent: "write file", params: { path, content: PAGE } };
  return purpose === "plan" ? JSON.stringify({ steps: [step] }) : "{}";
}

const repliesOf = ({ inputs }: PlayedRun, port: PortName) =>
  inputs.flatMap((one) => (one.kind === "reply" && one.port === port ? [one] : []));

async function failure(options: PlayOptions, folder?: string): Promise<string> {
  const run = folder === undefined ? play(scenario, options) : record(scenario, folder, options);
  const thrown: unknown = await run.catch((error: unknown) => error);
  if (!isEdgeError(thrown)) throw thrown;
  return `${thrown._tag} ${thrown.message}`;
}

it("[LB3] play runs real Python where simulate cannot, and leaves nothing open: the process ends by itself", () => {
  const library = pathToFileURL("src/index.ts").href;
  const script = `
    import { loadScenario, play } from "${library}";
    const { scenario } = loadScenario("redeploy-loop");
    const { result, inputs } = await play(scenario, { untilMs: 30_000 });
    const ran = inputs.filter((one) => one.kind === "reply" && one.port === "port/sandbox.run");
    const isOpen = () => process.getActiveResourcesInfo().includes("ProcessWrap");
    // One that was told to end takes a moment to do so.
    for (let tries = 0; isOpen() && tries < 100; tries++) await new Promise((done) => setTimeout(done, 50));
    const open = isOpen();
    console.log(result.outcome, ran.length > 0, open);
    // Else whoever waits for its end would wait for ever.
    if (open) process.exit();`;
  const args = ["--input-type=module", "--eval", script];

  // With answers that were kept no Python would run.
  const env = { ...process.env, GHOSTLIGHT_CACHE: "" };
  const said = execFileSync(process.execPath, args, { encoding: "utf8", env });

  expect(said.trim()).toBe("ended true false");
});

it("[LB3] where nothing is needed it is the run that simulate plays", async () => {
  const { result, verdicts, bundle } = await play(scenario);

  expect(result).toEqual(simulate(scenario));
  expect(verdicts.every(({ ok }) => ok)).toBe(true);
  expect(bundle).toBeNull();
});

it("[LB4] every port can be served by a program, and no other name is one", () => {
  const { kernelOptions } = prepare(scenario, {});

  expect([...portNames].sort()).toEqual(Object.keys(kernelOptions.ports).sort());
});

it.each<[string, readonly PortName[]]>([
  ["synt-audit-example", ["port/llm.chat", "port/person.decide", "port/executor.run"]],
  [
    "synt-format-json",
    ["port/llm.chat", "port/sandbox.run", "port/python.parse", "port/person.decide", "port/sign"],
  ],
  ["earned-research", ["port/llm.chat", "port/tool.call"]],
])(
  "[LB4, LB7] %s: a program that says at its ports what the script says is the same run",
  async (name, ports) => {
    const { scenario: shipped } = loadScenario(name);
    const scripted = await play(shipped);
    const spoken = spokenFor(scripted, ports);

    const { result } = await play(shipped, { ports: spoken.ports });

    expect(result).toMatchObject({ outcome: "ended", digest: scripted.result.digest });
    expect(Object.keys(spoken.asked).sort()).toEqual([...ports].sort());
  },
);

it("[LB4] a question holds what a model reads, the schema of its answer, who asks and when", async () => {
  const asked: unknown[] = [];
  const ask: NonNullable<Ports["port/llm.chat"]> = {
    answer: (request) => {
      asked.push({ ...request });
      return thought(request);
    },
    latencyMs: 300,
  };

  const run = await play(scenario, { untilMs, ports: { "port/llm.chat": ask } });

  expect(asked[0]).toMatchObject({
    ...{ port: "port/llm.chat", from: "agent/cedar", purpose: "goal.choose", nth: 1 },
    prompt: expect.stringContaining("You are cedar."),
    schema: expect.objectContaining({ required: ["action"] }),
    ...{ maxTokens: null, tier: null, signal: expect.any(AbortSignal) },
  });
  const answered = repliesOf(run, "port/llm.chat").map(({ deliveredAt }) => deliveredAt - 300);
  expect(asked.map((one) => (one as { nowMs: number }).nowMs).slice(0, answered.length)).toEqual(
    answered,
  );
  expect(repliesOf(run, "port/llm.chat")[0]).toMatchObject({
    latencyMs: 300,
    choice: "live:goal.choose/1",
  });
  expect(run.meter.valueAt("calls.finished", "world", untilMs)).toBeGreaterThan(0);
});

it("[LB4] a program's vectors serve the router, as whole millionths, and replay", async () => {
  const out = join(newFolder(), "run");
  const vectorOf = (text: string) => [text.length, /write/.test(text) ? 100 : 0, 1 / 3];
  const run = await record(scenario, out, {
    ...{ untilMs, set: { "router.kind": "embedding" } },
    ports: {
      "port/llm.embed": {
        answer: ({ texts }) => ({ vectors: texts.map(vectorOf) }),
        latencyMs: 20,
      },
    },
  });

  const [reply] = mailIn(repliesOf(run, "port/llm.embed"), "embed.replied");
  const vectors = Object.values(reply?.vectors ?? {});
  expect(vectors.length).toBeGreaterThan(1);
  expect(vectors.flat().every(Number.isSafeInteger)).toBe(true);
  expect(replay(readBundle(out)).matches).toBe(true);
});

it.each<[Ports, RegExp]>([
  [
    { "port/llm.chat": () => 5 as never },
    /port\/llm.chat: found 5; allowed: a text \| a map with text/,
  ],
  [
    { "port/llm.chat": () => ({ txt: "" }) as never },
    /port\/llm.chat txt: found the key "txt"; .*Did you mean "text"/,
  ],
  [
    { "port/llm.chat": () => ({ text: 5 }) as never },
    /port\/llm.chat text: found 5; allowed: a text/,
  ],
  [
    { "port/llm.chat": () => undefined as never },
    /port\/llm.chat: found undefined; allowed: strict JSON/,
  ],
  [
    {
      "port/llm.chat": () => ({
        text: "",
        usage: { model: "m", promptTokens: -1, answerTokens: 0 },
      }),
    },
    /port\/llm.chat usage.promptTokens: found -1; allowed: a whole number 0/,
  ],
  [
    { "port/llm.chat": () => "\ud800" },
    /port\/llm.chat: found a string with a lone surrogate; allowed: strict JSON/,
  ],
  [
    { "port/llm.chat": { answer: () => "", latencyMs: () => 1.5 } },
    /port\/llm.chat latencyMs: found 1.5; allowed: a whole number of virtual ms/,
  ],
])(
  "[LB5] an answer of the wrong shape names port, path, what was found and what is allowed",
  async (ports, message) => {
    const said = await failure({ untilMs, ports });

    expect(said).toMatch(/^PortFailed /);
    expect(said.replace("virtual milliseconds", "virtual ms")).toMatch(message);
    expect(said).toMatch(
      /\n(Correct the answer to question 1 of agent\/cedar for goal.choose|Give `latencyMs`)/,
    );
  },
);

it("[LB5] vectors must be one for each text, all of one length", async () => {
  const set = { "router.kind": "embedding" };
  const said = (vectorsOf: (texts: readonly string[]) => number[][]) => {
    const embed = ({ texts }: { texts: readonly string[] }) => ({ vectors: vectorsOf(texts) });
    return failure({ untilMs, set, ports: { "port/llm.embed": embed } });
  };

  expect(await said(() => [[1]])).toMatch(
    /port\/llm.embed vectors: found 1 vectors; allowed: \d+ vectors of one length/,
  );
  expect(await said((texts) => texts.map((_, index) => (index === 0 ? [1] : [1, 2])))).toMatch(
    /found vectors of 1 and 2 numbers/,
  );
});

it("[LB5] a run that ends so keeps what it recorded, and replays up to there", async () => {
  const out = join(newFolder(), "run");
  let count = 0;
  const answer = (request: { purpose: string; prompt: string }) =>
    ++count > 3 ? (7 as never) : thought(request);

  expect(await failure({ ports: { "port/llm.chat": { answer, latencyMs: 100 } } }, out)).toMatch(
    /found 7/,
  );

  const bundle = readBundle(out);
  expect(bundle.manifest.final).toBeUndefined();
  expect(bundle.inputs.filter(({ kind }) => kind === "reply")).toHaveLength(3);
  expect(replay(bundle)).toMatchObject({ matches: true, partial: true });
});

it("[LB5] what a program changes after it has answered changes nothing of the run", async () => {
  const kept: { text: string }[] = [];
  const answer = (request: { purpose: string; prompt: string }) => {
    for (const one of kept) one.text = "changed";
    const said = { text: thought(request) };
    kept.push(said);
    return said;
  };

  const run = await play(scenario, {
    untilMs,
    ports: { "port/llm.chat": { answer, latencyMs: 9 } },
  });

  const texts = mailIn(repliesOf(run, "port/llm.chat"), "llm.replied").map(({ text }) => text);
  expect(texts.length).toBeGreaterThan(2);
  expect(texts).not.toContain("changed");
});

it("[LB6] what a function throws is recorded as the failure of its port, and the world lives with it", async () => {
  const out = join(newFolder(), "run");
  const chat = () => Promise.reject(new Error("500 from http://10.0.0.1:8080/v1"));
  const run = await record(scenario, out, { untilMs, ports: { "port/llm.chat": chat } });

  const replies = repliesOf(run, "port/llm.chat");
  expect(run.result.outcome).toBe("ended");
  expect(replies.length).toBeGreaterThan(0);
  for (const { event, attempts } of replies) {
    expect(event).toEqual({ type: "llm.failed", error: "thrown: 500 from <address>" });
    expect(attempts).toMatchObject([{ kind: "thrown", error: "500 from <address>" }]);
  }
  expect(replay(readBundle(out)).matches).toBe(true);
});

it.each<[string, Ports, object]>([
  [
    "throws at once",
    {
      "port/llm.chat": {
        answer: () => {
          throw "no";
        },
        latencyMs: 5,
      },
    },
    { kind: "thrown", error: "no" },
  ],
  [
    "never answers",
    { "port/llm.chat": { answer: () => new Promise(() => {}), latencyMs: 5 } },
    { kind: "timeout", error: "no answer within 50 ms" },
  ],
  [
    "answers a little later",
    { "port/llm.chat": { answer: () => wait(60).then(() => "{}"), latencyMs: 5 } },
    { kind: "timeout", error: "no answer within 50 ms" },
  ],
])("[LB6] a function that %s is a failure too", async (_, ports, attempt) => {
  const run = await play(scenario, { untilMs: seconds(20), set: { "live.timeoutMs": 50 }, ports });

  expect(run.result.outcome).toBe("ended");
  expect(repliesOf(run, "port/llm.chat")[0]).toMatchObject({ latencyMs: 5, attempts: [attempt] });
});

it("[LB6] where a port knows no failure the run ends, and says so", async () => {
  const { scenario: gated } = loadScenario("synt-audit-example");
  const ports = { "port/person.decide": () => Promise.reject(new Error("gone")) };
  const thrown: unknown = await play(gated, { ports }).catch((error: unknown) => error);

  expect(isEdgeError(thrown) && thrown.message).toMatch(
    /^port\/person.decide: found no answer to question 1 of .* \(thrown: gone\); allowed: an answer: this port knows no failure/,
  );
});

it("[LB6] a person who says none leaves the question to its time-out", async () => {
  const { scenario: gated } = loadScenario("synt-audit-example");
  const none = () => ({ decision: "none" }) as const;
  const nobody = await play(gated, {
    ports: { "port/person.decide": { answer: none, latencyMs: 1 } },
  });
  const live = await play(gated, { ports: { "port/person.decide": none } });

  for (const { result, meter, story } of [nobody, live]) {
    expect(result.outcome).toBe("ended");
    expect(figuresOf({ meter, story }).synt).toMatchObject({ requests: { composed: 1 }, asked: 1 });
  }
});

it("[LB7] with a latency of its own, the run is the same however long the functions really take", async () => {
  const digests = new Set<string | null>();
  // No time at all is one of its own, too.
  for (const [pauseMs, latencyMs] of [0, 3, 11].flatMap((ms) => [
    [ms, 700] as const,
    [ms, 0] as const,
  ])) {
    const answer = async (request: { purpose: string; prompt: string }) => {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      return thought(request);
    };
    const { result } = await play(scenario, {
      untilMs,
      ports: { "port/llm.chat": { answer, latencyMs } },
    });
    digests.add(result.digest);
  }

  expect(digests.size).toBe(2);
});

it("[LB7] beside a live function one with a latency of its own still makes the world stand still", async () => {
  const chat = async (request: { purpose: string; prompt: string }) => {
    await wait(10);
    return thought(request);
  };
  const vectors = async ({ texts }: { texts: readonly string[] }) => {
    await wait(30);
    return { vectors: texts.map(({ length }) => [length, 1]) };
  };

  const run = await play(scenario, {
    ...{ untilMs: seconds(30), set: { "router.kind": "embedding" } },
    ports: { "port/llm.chat": chat, "port/llm.embed": { answer: vectors, latencyMs: 4_321 } },
  });

  const replies = repliesOf(run, "port/llm.embed");
  expect(replies.length).toBeGreaterThan(0);
  expect(new Set(replies.map(({ latencyMs }) => latencyMs))).toEqual(new Set([4_321]));
});

it("[LB7] a function alone is live: virtual time follows the wall clock, and its latency is recorded", async () => {
  const out = join(newFolder(), "run");
  const chat = async (request: { purpose: string; prompt: string }) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { text: thought(request), usage: { model: "mine", promptTokens: 10, answerTokens: 5 } };
  };

  const run = await record(scenario, out, {
    untilMs: seconds(20),
    ports: { "port/llm.chat": chat },
  });

  const [reply] = repliesOf(run, "port/llm.chat");
  expect(reply?.latencyMs).toBeGreaterThanOrEqual(19);
  expect(reply?.usage).toMatchObject({
    model: "mine",
    promptTokens: 10,
    answerTokens: 5,
    stop: "unknown",
  });
  expect(reply?.usage?.wallMs).toBeGreaterThanOrEqual(19);
  const { manifest } = readBundle(out);
  expect(manifest.origin).toBe("live:program");
  expect(manifest.providers["port/llm.chat"]).toBe("live: a program");
  expect(replay(readBundle(out))).toMatchObject({ matches: true, digest: run.result.digest });
});

it("[LB8] a bundle holds report and recording, and replays exactly without the program", async () => {
  const out = join(newFolder(), "run");
  const ports: Ports = { "port/llm.chat": { answer: thought, latencyMs: 250 } };

  const run = await record(scenario, out, { untilMs, ports, seed: 5 });

  const bundle = readBundle(out);
  expect(bundle.manifest).toMatchObject({ seed: 5, untilMs, final: { digest: run.result.digest } });
  expect(bundle.manifest.providers["port/llm.chat"]).toMatch(/^a program, /);
  expect(replay(bundle)).toMatchObject({ matches: true, digest: run.result.digest });
  expect(readFileSync(join(out, "report.md"), "utf8")).toBe(report(run));
  expect(run.bundle).toBe(out);
  const bare = join(newFolder(), "bare");
  await record(scenario, bare, { untilMs, ports, seed: 5, log: false });
  expect(existsSync(join(bare, "events.jsonl"))).toBe(false);
  expect(readBundle(bare).manifest.final?.digest).toBe(run.result.digest);
});

it("[LB8] a folder that holds something is refused before anything is asked", async () => {
  const out = newFolder();
  cpSync("LICENSE", join(out, "LICENSE"));
  let asked = 0;
  const chat = () => String(++asked);

  expect(await failure({ ports: { "port/llm.chat": chat } }, out)).toMatch(
    /^OutputRefused .* folder: found a folder that holds 1 file; .*\nName another folder, or `play` it without a bundle/,
  );
  expect(asked).toBe(0);
  rmSync(join(out, "LICENSE"));
});

it("[LB8] only the program can go on: resume says so", async () => {
  const out = join(newFolder(), "run");
  const ports: Ports = { "port/llm.chat": thought };
  await record(scenario, out, { untilMs: seconds(20), ports });

  await expect(resumeCommand(out, {})).rejects.toThrow(
    /found a run in which functions of a program answered; .*\nLet that program play it again, with `play`/,
  );
});

it("[LB8] an abort ends the run as interrupted, with a whole bundle", async () => {
  const out = join(newFolder(), "run");
  const stop = new AbortController();
  const answer = (request: { purpose: string; prompt: string; nth: number }) => {
    if (request.nth === 3) stop.abort();
    return thought(request);
  };

  const { result } = await record(scenario, out, {
    signal: stop.signal,
    ports: { "port/llm.chat": { answer, latencyMs: 50 } },
  });

  expect(result.outcome).toBe("interrupted" satisfies RunResult["outcome"]);
  expect(replay(readBundle(out)).matches).toBe(true);
});

it("[LB5, LB6] whatever a model's function answers, a run ends or says which answer cannot be taken", async () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.string(),
    fc.json(),
    fc.record({ text: fc.string(), usage: fc.anything() }, { requiredKeys: ["text"] }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anything, { minLength: 1, maxLength: 4 }), async (answers) => {
      const answer = ({ nth }: { nth: number }) => answers[nth % answers.length] as never;
      const run = await play(scenario, {
        untilMs: seconds(15),
        ports: { "port/llm.chat": { answer, latencyMs: 100 } },
      }).catch((thrown: unknown) => thrown);
      if (!isEdgeError(run)) expect((run as PlayedRun).result.outcome).toBe("ended");
    }),
    { numRuns: 60 },
  );
});
