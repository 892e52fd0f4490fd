// `record` and `rerun`: a real program in front of a scripted model, recorded, and run again without one.
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Reply } from "../../../../src/actors/imported/edge/wire/gateway.ts";
import { Replayer } from "../../../../src/actors/imported/edge/wire/replayer.ts";
import { ghostlight, type Json, type Said } from "../../../cli/ghostlight.ts";
import { newFolder } from "../../../folders.ts";
import { type ScriptedModel, scriptedModel } from "./scriptedModel.ts";

const agent = resolve("test/actors/imported/wire/agent.mjs");
const cwd = newFolder();
let model: ScriptedModel;
let told: Said;

const recorded = (out: string, ...words: readonly string[]) => {
  const at = words.indexOf("--");
  const [options, modes] = at < 0 ? [[], words] : [words.slice(0, at), words.slice(at + 1)];
  return ghostlight(
    [
      "record",
      "--out",
      out,
      "--openai",
      model.base,
      ...options,
      "--",
      process.execPath,
      agent,
      ...modes,
    ],
    { cwd },
  );
};
const rerun = (folder: string, options: readonly string[], ...modes: readonly string[]) =>
  ghostlight(["rerun", folder, ...options, "--", process.execPath, agent, ...modes], { cwd });
const KEPT = [
  ...["api", "path", "timestamp", "latency_ms", "request", "status", "response", "type"],
  ...["pieces", "redacted", "shared", "before"],
];
const jsonIn = ({ stdout }: Said): Json => JSON.parse(stdout.slice(stdout.indexOf("{\n")));

/** Begun early, since it waits, while other tests are played; without a check it would end by itself, later. */
let unasked: Promise<Said> | undefined;
const asksNothing = () => {
  const program =
    'setTimeout(() => console.log("still here"), 2_000); setTimeout(() => {}, 19_000)';
  const words = ["record", "--check", "--out", "unasked", "--", process.execPath, "-e", program];
  unasked ??= ghostlight(words, { cwd, env: {} });
  return unasked;
};

let secrets: Promise<Said> | undefined;
const streamed = () => {
  secrets ??= recorded("secrets", "--", "stream");
  return secrets;
};

beforeAll(async () => {
  model = await scriptedModel(10);
  told = await recorded("whole");
});
afterAll(() => model.close());

describe("record", () => {
  it("[WR1] keeps each call of a model, and makes a bundle of them that import's readers made", async () => {
    const lines = readFileSync(join(cwd, "whole/exchanges.jsonl"), "utf8").trim().split("\n");
    const { code, stdout } = await ghostlight(["events", "whole"], { cwd });

    expect(told).toMatchObject({ code: 0 });
    expect(told.stdout).toContain("agent: Done.");
    expect(told.stdout).toContain(
      "model     11 calls (openai 11), 0 streamed, 0 answered with an error",
    );
    expect(told.stdout).toContain("results told to the model: pay 10");
    expect(told.stderr).toContain("runs with your rights");
    expect(lines).toHaveLength(11);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      api: "openai",
      path: "/chat/completions",
      status: 200,
    });
    expect(code).toBe(0);
    expect(stdout.match(/called pay/g)).toHaveLength(10);
  });

  it("[WR2] keeps no secret of header, query, cookie or answer", async () => {
    await streamed();

    for (const folder of ["whole", "secrets"]) {
      for (const name of readdirSync(join(cwd, folder))) {
        const text = readFileSync(join(cwd, folder, name), "utf8");
        expect(text).not.toMatch(/sk-(?:header|query|cookie|answer)/);
      }
      // Nor a place where one could stand.
      const lines = readFileSync(join(cwd, folder, "exchanges.jsonl"), "utf8")
        .trim()
        .split("\n");
      for (const line of lines)
        expect(Object.keys(JSON.parse(line)).filter((name) => !KEPT.includes(name))).toEqual([]);
    }
  });

  it("[WR2] keeps no secret of a word, a result, what a fault put away or brought, an error or the command's words", async () => {
    const server = createServer((asked, reply) => {
      asked.resume();
      reply.writeHead(401, { "content-type": "application/json" });
      reply.end('{"error":{"message":"no such key: sk-errorerrorerrorerr1"}}');
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address() as AddressInfo;
    const messages = [
      { role: "user", content: "My key is sk-wordswordswordswo1." },
      {
        ...{ role: "assistant", content: null },
        tool_calls: [
          {
            id: "c1",
            type: "function",
            function: { name: "pay", arguments: '{"key":"sk-argumentargument1"}' },
          },
          { id: "c2", type: "function", function: { name: "look", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "paid with sk-resultresultresult1" },
      { role: "tool", tool_call_id: "c2", content: "seen" },
    ];
    const asks = `const body = ${JSON.stringify(JSON.stringify({ model: "m", messages }))};
      fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body }).then((one) => one.text())`;
    const words = [process.execPath, "-e", asks, "sk-argvargvargvargv1"];
    const at = [
      "--openai",
      `http://127.0.0.1:${port}/v1`,
      "--fault",
      "nothing@pay",
      "--fault",
      "another@look",
    ];
    const out = ["--out", "planted", "--scenario", "planted.yaml"];
    const { stdout } = await ghostlight(["record", ...out, ...at, "--", ...words], { cwd });
    server.close();

    expect(stdout).toContain("faults    2 put on the wire");
    const files = ["planted", "planted-played"].flatMap((folder) =>
      readdirSync(join(cwd, folder)).map((name) => join(folder, name)),
    );
    for (const name of [...files, "planted.yaml"]) {
      const text = readFileSync(join(cwd, name), "utf8");
      expect([name, text.match(/sk-(?:words|argument|result|error|argv)\w*/)]).toEqual([
        name,
        null,
      ]);
    }
  });

  it("[WR2] lets its owner alone read the exchanges", () => {
    expect(statSync(join(cwd, "whole/exchanges.jsonl")).mode & 0o777).toBe(0o600);
  });

  it("[WR2] of a secret over several pieces of a stream, the clean body is the stream", async () => {
    await streamed();
    const again = await rerun("secrets", [], "stream");
    expect(again.code).toBe(0);
    expect(again.stdout).toContain("agent: Done. The key is [key 1 removed]");
  });

  it("[WR11, WR20] --keep-bodies keeps bodies whole, says so, and no header or address; the bundle has no secret", async () => {
    const said = await recorded("bodies", "--keep-bodies", "--", "stream");
    const again = await rerun("bodies", [], "stream");
    const whole = readFileSync(join(cwd, "bodies/exchanges.jsonl"), "utf8");

    expect(said.stderr).toContain("Bodies are kept whole in exchanges.jsonl, secrets included");
    expect(whole).toContain("sk-answer");
    // What its pieces amount to stands beside them.
    const { pieces, response } = JSON.parse(whole.trimEnd().split("\n").at(-1) ?? "");
    expect(pieces.length).toBeGreaterThan(0);
    expect(response).toMatchObject({
      choices: [{ message: { content: expect.stringContaining("sk-answer") } }],
    });
    expect(whole).not.toMatch(/sk-(?:header|query|cookie)/);
    expect(again.stdout).toContain("agent: Done. The key is sk-answeransweranswer1");
    for (const name of readdirSync(join(cwd, "bodies")).filter(
      (one) => one !== "exchanges.jsonl",
    )) {
      expect(readFileSync(join(cwd, "bodies", name), "utf8")).not.toContain("sk-answer");
    }
  });

  it("[WR3] a program whose calls do not come through is never taken for recorded", async () => {
    void asksNothing();
    const { code, stdout } = await ghostlight(
      ["record", "--out", "nothing", "--", process.execPath, "-e", "0"],
      { cwd },
    );

    expect(code).toBe(1);
    expect(stdout.split("\n")[0]).toBe(
      "No call of a model came through the gateway: nothing was recorded.",
    );
    expect(stdout).toMatch(/OPENAI_BASE_URL[\s\S]*What to set:\n.*OpenAI\(base_url=/);
  });

  it("[WR3] of a program that failed before it asked, that is told first", async () => {
    const { code, stdout } = await ghostlight(
      ["record", "--out", "failed", "--", process.execPath, "-e", "process.exit(9)"],
      { cwd },
    );

    expect(code).toBe(1);
    expect(stdout.split("\n")[1]).toContain("The program failed, perhaps before");
  });

  it.skipIf(process.platform !== "linux")(
    "[WR40] tells what the program connected to by itself, past the gateway",
    async () => {
      const { port } = new URL(model.base);
      const past = `const { connect } = require("node:net"); const open = connect(${port}, "127.0.0.1"); setTimeout(() => open.destroy(), 1000)`;
      const args = ["record", "--out", "past", "--json", "--", process.execPath, "-e", past];
      const { code, stdout } = await ghostlight(args, { cwd });
      const whole = await ghostlight(
        args.filter((one) => one !== "--json" && one !== "--out" && one !== "past"),
        { cwd },
      );

      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ ended: { past: [`127.0.0.1:${port}`] } });
      expect(whole.stdout).toContain(
        `past it   the program itself connected to 127.0.0.1:${port}: not recorded`,
      );
      expect(told.stdout).not.toContain("past it");
    },
  );

  it.skipIf(process.platform !== "linux")(
    "[WR40] tells of a connection that is opened after others, which stay",
    async () => {
      const later = createServer();
      await once(later.listen(0, "127.0.0.1"), "listening");
      const ports = [new URL(model.base).port, (later.address() as AddressInfo).port].map(Number);
      const past = `const { connect } = require("node:net"); ${JSON.stringify(ports)}.forEach((port, at) => setTimeout(() => connect(port, "127.0.0.1"), 700 * at)); setTimeout(() => process.exit(), 1700)`;
      const args = ["record", "--out", "later", "--json", "--", process.execPath, "-e", past];
      const { stdout } = await ghostlight(args, { cwd });
      later.close();

      const seen = ports.map((port) => `127.0.0.1:${port}`);
      expect(JSON.parse(stdout)).toMatchObject({ ended: { past: seen } });
    },
  );

  it.skipIf(process.platform !== "linux")(
    "[WR40, WR49] that only some calls came through is told before all else, with what to set, and exits 1",
    async () => {
      const { port } = new URL(model.base);
      const asks = `fetch(process.env.OPENAI_BASE_URL + "/chat/completions", { method: "POST", body: '{"model":"m","messages":[]}' })`;
      // Where no model is asked, a connection is told of and nothing more.
      const elsewhere = createServer();
      await once(elsewhere.listen(0, "127.0.0.1"), "listening");
      const ports = [port, (elsewhere.address() as AddressInfo).port].map(Number);
      const own = `const own = createServer().listen(0, "127.0.0.1", () => connect(own.address().port, "127.0.0.1"));`;
      const past = `const { connect, createServer } = require("node:net"); ${own} ${JSON.stringify(ports)}.map((port) => connect(port, "127.0.0.1")); ${asks}.then((one) => one.text()).then(() => setTimeout(() => process.exit(), 1000))`;
      const words = ["record", "--out", "some", "--openai", model.base, "--"];
      const { code, stdout } = await ghostlight([...words, process.execPath, "-e", past], { cwd });
      elsewhere.close();

      expect(code).toBe(1);
      expect(stdout).toMatch(/^Only some calls of models came through the gateway/);
      expect(stdout).toContain(
        `connected to 127.0.0.1:${port}, where those went, too. What to set:\n  `,
      );
      // What it serves itself is not past it.
      expect(stdout).toMatch(
        /^past it .*connected to 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+: not recorded$/m,
      );
      expect(stdout).toContain("model     1 call (openai 1)");
    },
  );

  it.skipIf(process.platform !== "linux")(
    "[WR40] a process whose parent is gone belongs to the program",
    async () => {
      const { port } = new URL(model.base);
      const past = `require("node:net").connect(${port}, "127.0.0.1").unref(); setTimeout(() => {}, 1500)`;
      const orphan = `"${process.execPath}" -e '${past}' & exit 0`;
      const { stdout } = await ghostlight(
        ["record", "--out", "orphan", "--json", "--", "sh", "-c", `sh -c "$0"; sleep 1.5`, orphan],
        { cwd },
      );

      expect(JSON.parse(stdout)).toMatchObject({ ended: { past: [`127.0.0.1:${port}`] } });
    },
  );

  it("[WR41] --scenario makes a world of the recording, plays it, and refuses a file that is there", async () => {
    const made = await recorded("staged", "--scenario", "staged.yaml", "--");
    const again = await recorded("staged2", "--scenario", "staged.yaml", "--");
    const run = await ghostlight(["run", "./staged.yaml", "--out", "staged-run"], { cwd });

    expect(made).toMatchObject({ code: 0 });
    expect(made.stdout).toContain("10 of 10 results were the same");
    expect([again.code, again.stdout]).toEqual([2, ""]);
    expect(run.code).toBe(0);
  });

  it("[WR3] --check ends a program that asks nothing after ten seconds", async () => {
    const { code, stdout } = await asksNothing();

    expect(code).toBe(1);
    expect(stdout).toMatch(/^still here\n[\s\S]*was ended by SIGTERM/);
  });

  it("[WR3] --check ends the program at its first call", async () => {
    const { code, stdout } = await recorded("checked", "--check", "--");
    const lines = readFileSync(join(cwd, "checked/exchanges.jsonl"), "utf8").trim().split("\n");

    expect([code, lines.length]).toEqual([0, 1]);
    expect(stdout).not.toContain("agent: Done.");
  });

  it.each([
    [["record"], "no command"],
    [["record", "--", "no-such-program"], "no such program"],
    [["record", "--fault", "nothng", "--", "true"], 'Did you mean "nothing"?'],
    [["record", "--fault", "nothing:2", "--", "true"], "a number 0 … 1"],
    [["record", "--listen", "0"], "a port, 1 … 65535"],
    [["record", "--listen", "65536"], "a port, 1 … 65535"],
    [["record", "--openai", "http://[", "--", "true"], "an address"],
    [["record", "--openai", "file:///etc/hosts", "--", "true"], "an address"],
    [["rerun", "whole"], "no command"],
    [["rerun", "nowhere", "--", "true"], "no such file"],
    [["rerun", "whole", "--then", "dead", "--", "true"], "allowed: live"],
    [["rerun", "whole", "--out", "x", "--", "true"], "--out beside --then live"],
  ])("[WR4] %j is bad usage, and leaves nothing", async (words, says) => {
    const out = join(newFolder(), "out");
    const [verb = "", ...rest] = words;
    const given = verb === "record" ? [verb, "--out", out, ...rest] : words;
    const { code, stdout, stderr } = await ghostlight(given, { cwd });

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
    // A folder that was made for it goes with the process, where nothing lies in it.
    expect(existsSync(out) ? readdirSync(out) : []).toEqual([]);
  });
});

describe("rerun", () => {
  it("[WR5] calls that were recorded and not asked for are exit 3", async () => {
    const said = await rerun("whole", ["--json"], "once");

    expect(said.code).toBe(3);
    expect(jsonIn(said)).toMatchObject({ answered: 1, left: 10, parted: null });
  });

  it("[WR5] answers from the recording, though a clock stands in the system's words", async () => {
    const { code, stdout } = await rerun("whole", []);

    expect(code).toBe(0);
    expect(stdout).toContain("answered  11 of 11 recorded calls");
  });

  it("[WR52] says before all else of which replies secrets were taken out", async () => {
    const { stderr } = await rerun("whole", []);

    expect(stderr).toContain(
      "Secrets were taken out of 1 recorded call (of models: 11): the agent gets marks in their place.\n",
    );
  });

  it("[WR5] tells how often each rule hid a difference", async () => {
    const said = await rerun("whole", ["--json"]);

    // 11 requests with the system's words, and 10 results of which the first comes again ten times.
    expect(jsonIn(said)).toMatchObject({
      answered: 11,
      left: 0,
      parted: null,
      hidden: { time: 66, id: 11 },
    });
  });

  it.each([
    ["amount", "messages[1].content", "Pay [-42-]{+43+} to A-17"],
    ["day", "messages[1].content", "2026-01-[-01-]{+02+}"],
    ["less", "messages[2]", "recorded"],
  ])(
    "[WR6] another %s of a user's words ends it with 3, and says where",
    async (mode, place, words) => {
      const { code, stdout, stderr } = await rerun("whole", [], mode);

      expect(code).toBe(3);
      // The one that asks for less would go on by itself.
      expect(stdout).not.toContain("agent: Went on.");
      expect(stderr).toContain("Request 1 (/chat/completions) is not in the recording.");
      expect(stderr).toContain(place);
      expect(stderr).toContain(words);
    },
  );

  it("[WR6] --strict lets no rule hide a difference", async () => {
    const { code, stderr } = await rerun("whole", ["--strict"]);

    expect(code).toBe(3);
    expect(stderr).toContain("messages[0].content");
  });

  it("[WR19] two recordings propose a rule, which hides nothing before it is accepted by name", async () => {
    await recorded("t1", "--", "turns", "17");
    await recorded("t2", "--", "turns", "18");
    const proposed = await ghostlight(["rerun", "t1", "--learn", "t2"], { cwd });
    const before = await rerun("t1", [], "turns", "19");
    const after = await rerun("t1", ["--accept", "after-turn"], "turns", "19");

    expect(proposed.stdout).toContain('proposed  after-turn  at messages[0].content: "17" or "18"');
    expect([before.code, after.code]).toEqual([3, 0]);
    expect(before.stderr).toContain("Turn [-17-]{+19+} of many.");
    expect(after.stdout).toContain("after-turn 11");
  });

  it("[WR19] a rule is refused that nobody proposed, and a file that holds none", async () => {
    const unknown = await rerun("whole", ["--accept", "after-turn"]);
    writeFileSync(
      join(cwd, "t2/rules.json"),
      '[{"name": "x", "at": [], "pattern": "(", "accepted": true}]',
    );
    const broken = await rerun("t2", [], "turns", "18");

    expect([unknown.code, broken.code]).toEqual([2, 2]);
    expect(unknown.stderr).toContain("a rule that --learn proposed");
    expect(broken.stderr).toContain("found no list of rules");
  });

  it("[WR7] --then live asks the model from the first difference on, and records the whole run", async () => {
    const said = await rerun(
      "whole",
      ["--then", "live", "--out", "fork", "--openai", model.base],
      "unpaid",
    );
    const again = await rerun("fork", [], "unpaid");

    expect([said.code, again.code]).toEqual([0, 0]);
    expect(said.stdout).toContain("answered  6 of 11 recorded calls");
    expect(again.stdout).toContain("answered  11 of 11 recorded calls");
  });

  it("[WR7] --then live passes on from the first difference on what is no call of a model, too", async () => {
    const passed: string[] = [];
    const replayer = new Replayer({
      ...{ exchanges: [], messages: [], isStrict: false, isPaced: false, onParted: () => {} },
      onward: async ({ path }) => void passed.push(path),
    });
    const reply: Reply = { head: () => {}, piece: () => {}, end: () => {} };
    for (const [method, path] of [
      ["GET", "/models"],
      ["POST", "/chat/completions"],
      ["GET", "/models"],
    ] as const) {
      const asked = { api: "openai", query: "", headers: {}, body: Buffer.from("{}") } as const;
      const { signal } = new AbortController();
      await replayer.answering({ ...asked, method, path, signal }, reply);
    }

    expect([passed, replayer.asked]).toEqual([["/chat/completions", "/models"], 1]);
  });

  const rerunOf = (change: (text: string) => string) => {
    const folder = newFolder();
    const text = readFileSync(join(cwd, "whole/exchanges.jsonl"), "utf8");
    writeFileSync(join(folder, "exchanges.jsonl"), change(text));
    return rerun(folder, []);
  };

  it("[WR8] a changed line is found by the one after it", async () => {
    const changed = await rerunOf((text) => text.replace('"status":200', '"status":201'));

    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain(
      "exchanges.jsonl:2: found a line that does not follow the one before it",
    );
  });

  it("[WR8] what breaks off is read up to its last whole line", async () => {
    const cut = await rerunOf((text) => text + text.slice(0, 100));

    expect(cut.code).toBe(0);
    expect(cut.stderr).toContain("breaks off in its last line");
  });
});

describe("faults", () => {
  it("[WR9] a result becomes nothing on its way to the model, and stays so: the log says what the model got", async () => {
    const said = await recorded("lost", "--fault", "nothing@pay", "--");
    const { stdout } = await ghostlight(["events", "lost"], { cwd });
    const again = await rerun("lost", []);

    expect(said.stdout).toContain("faults    10 put on the wire");
    expect(model.results()).toEqual(Array(10).fill("null"));
    expect(stdout.match(/pay returned nothing/g)).toHaveLength(10);
    // The agent's own requests are matched, which know of no fault.
    expect(again.code).toBe(0);
  });

  it.each([
    ["nothing@pay", "nothing was put at pay call_0, in place of "],
    ["refusal", "refusal was put at answer 1, in place of "],
    ["server-error", "server-error was put at answer 1."],
  ])("[WR46] why goes back to the fault %s, and names it", async (fault, named) => {
    const out = fault.replace("@", "-");
    await recorded(out, "--fault", fault, "--");
    const { stdout: events } = await ghostlight(["events", out], { cwd });
    const [at = ""] = /(?<=#)\d+(?= outside\/fault)/.exec(events) ?? [];
    const { stdout } = await ghostlight(["why", out, String(Number(at) + 1)], { cwd });

    expect(stdout).toContain(`because the fault ${named}`);
    expect(stdout).toContain(`It goes back to:\n  the outside input fault (#${at})`);
  });

  it("[WR10] the same seed puts the same faults at the same calls, another one others", async () => {
    const met = async (out: string, seed: string): Promise<readonly string[]> => {
      await recorded(out, "--fault", "nothing:0.5", "--seed", seed, "--");
      return model.results().map((one) => (one === "null" ? "x" : "."));
    };
    const [one, same, other] = [await met("s1", "1"), await met("s1b", "1"), await met("s3", "3")];

    expect(same).toEqual(one);
    expect(other).not.toEqual(one);
    expect(one).toContain("x");
    expect(one).toContain(".");
  });

  it("[WR13] a changed stream comes as a stream, and the log has what stood there", async () => {
    const { code, stdout } = await recorded("refused", "--fault", "refusal", "--", "stream");
    const again = await rerun("refused", [], "stream");
    const [line = ""] = readFileSync(join(cwd, "refused/exchanges.jsonl"), "utf8").split("\n");

    expect([code, again.code]).toEqual([0, 0]);
    expect(stdout).toContain("agent: I'm sorry, but I can't help with that.");
    expect(again.stdout).toContain("agent: I'm sorry, but I can't help with that.");
    expect(JSON.parse(line)).toMatchObject({
      faults: [{ fault: "refusal", instead: { choices: [{ message: { tool_calls: [{}] } }] } }],
    });
  });

  it("[WR13] an answer that fails is recorded as the agent saw it", async () => {
    const { code, stdout } = await recorded("busy", "--fault", "overloaded", "--");

    expect(code).toBe(1);
    expect(stdout).toContain("1 answered with an error");
  });
});
