import { describe, expect, it } from "vitest";
import { parts } from "../../../src/builtIn/parts.ts";
import type { OutsideEvent } from "../../../src/contract/scenario.ts";
import type { AgentContext } from "../../../src/machines/agents/agent/agentTurn.ts";
import { daemonMachine } from "../../../src/machines/agents/daemon.ts";
import type { EngineState } from "../../../src/machines/agents/engine/state.ts";
import { goalRegistryPath } from "../../../src/machines/agents/goal/goalContext.ts";
import {
  type Acquaintances,
  type PlainLedger,
  referencesPath,
} from "../../../src/machines/agents/suffering/goalLedger.ts";
import { sufferingPath } from "../../../src/machines/agents/suffering/stressor.ts";
import type { Letter } from "../../../src/machines/letter.ts";
import { minutes, seconds } from "../../../src/machines/units.ts";
import { openStage } from "../../../src/run/openStage.ts";
import { policyWith } from "../../builtIn.ts";
import { mailIn, mailOf } from "../../mail.ts";
import { driven, lettersTo } from "../driven.ts";
import { type VillageOptions, village } from "../village.ts";

const PAGE = "/agentOS/workspace/cedar/1-page.md";
const BROKEN = "/agentOS/memory/broken_tools.json";
const goal = {
  action: "goal",
  slug: "page",
  content: "Write a page",
  artifact: PAGE,
  evidence: null,
};
const look = { intent: "lists directory entries", params: { path: "/agentOS/workspace" } };

/** Everybody, from a stage; the model answers every plan with one look, every goal with one page. */
function started(
  files: { readonly [path: string]: string } = {},
  options: VillageOptions & {
    agents?: readonly string[];
    knows?: Acquaintances;
    events?: readonly OutsideEvent[];
  } = {},
) {
  const model: VillageOptions["model"] = ({ purpose }) =>
    JSON.stringify(purpose === "plan" ? { steps: [look] } : goal);
  const { agents = ["cedar", "cipher"], knows = {}, events = [], ...rest } = options;
  const world = village({ model, ...rest });
  openStage(world.kernel, parts, policyWith({}), {
    startsAtMs: 0,
    agents,
    knows,
    tools: [],
    files: { "/agentOS/workspace/x.md": "x", ...files },
    events,
  });
  world.wait(0);
  return {
    ...world,
    restart: () => world.send({ to: "daemon", event: { type: "daemon.restarted" } }),
  };
}

const oneStressor = { policy: { "stressors.enabled": ["repeated_failure"] } };

const births = (world: ReturnType<typeof village>) =>
  mailIn(world.log, "actor.start").map(({ address }) => address);

const line = (fields: object) =>
  `${JSON.stringify({
    n: 1,
    status: "active",
    progress: 0,
    outputs: 0,
    lastCapability: null,
    misses: 0,
    wrote: [],
    slug: "page",
    text: "Write a page",
    artifact: PAGE,
    evidence: null,
    ...fields,
  })}\n`;

describe("the first start", () => {
  it("[DA1] reads the files, then starts engine, ledger, agents and stressors, in this order", () => {
    expect(births(started({}, oneStressor))).toEqual([
      "files",
      "daemon",
      "engine",
      "goalLedger",
      "lessons/cedar",
      "lessons/cipher",
      "agent/cedar",
      "agent/cipher",
      "stressor/cedar/repeated_failure",
      "stressor/cipher/repeated_failure",
    ]);
  });

  it("[DA1] starts an open goal before its agent", () => {
    const files = { [goalRegistryPath("cipher")]: line({ n: 4, progress: 300_000 }) };

    expect(births(started(files)).slice(6, 9)).toEqual([
      "agent/cedar",
      "goal/cipher/4",
      "agent/cipher",
    ]);
  });

  it("[DA1] starts only the stressors of this world", () => {
    const world = started({}, { policy: { "stressors.enabled": [] } });

    expect(births(world).some((address) => address.startsWith("stressor/"))).toBe(false);
  });

  it("[DA1] asks again when the files do not answer", () => {
    const daemon = driven<{ boot: number }>(daemonMachine(policyWith({})), { agents: ["cedar"] });

    const letters = daemon.fire("filesTimeout");

    expect(daemon.value).toBe("reading");
    expect(lettersTo(letters, "files")[0]?.event).toMatchObject({ type: "files.snapshot" });
  });
});

describe("a restart", () => {
  it("[DA2] stops everybody, is down for 20 s, and starts all under new addresses", () => {
    const world = started({}, oneStressor);
    world.wait(seconds(7));
    const before = births(world).length;

    world.restart();
    world.wait(seconds(20) - 1);
    expect(Object.keys(world.kernel.contexts()).sort()).toEqual(["daemon", "files"]);
    world.wait(1);

    expect(births(world).slice(before)).toEqual([
      "engine#2",
      "goalLedger#2",
      "lessons/cedar#2",
      "lessons/cipher#2",
      "agent/cedar#2",
      "agent/cipher#2",
      "stressor/cedar/repeated_failure#2",
      "stressor/cipher/repeated_failure#2",
    ]);
  });

  it("[DA2] a third start says so, and goals carry the number too", () => {
    const world = started({}, { agents: ["cedar"] });
    world.wait(minutes(1));

    for (let times = 0; times < 2; times++) {
      world.restart();
      world.wait(seconds(20));
    }

    expect(births(world).filter((address) => address.startsWith("goal/"))).toEqual([
      "goal/cedar/1",
      "goal/cedar/1#2",
      "goal/cedar/1#3",
    ]);
    expect(Object.keys(world.kernel.contexts())).toContain("agent/cedar#3");
  });

  it("[DA2] while it is down or reading, another restart changes nothing", () => {
    const world = started();
    world.restart();
    world.wait(seconds(5));

    world.restart();
    world.wait(seconds(15));

    expect(Object.keys(world.kernel.contexts())).toContain("engine#2");
    expect(Object.keys(world.kernel.contexts()).some((address) => address.endsWith("#3"))).toBe(
      false,
    );
  });

  it("[DA2] the downtime is the policy's", () => {
    const world = started({}, { policy: { "daemon.downMs": 1 } });
    world.restart();

    world.wait(1);

    expect(Object.keys(world.kernel.contexts())).toContain("engine#2");
  });

  it("[DA2] answers on their way to those who are gone reach nobody", () => {
    const world = started({}, { agents: ["cedar"] });
    world.wait(seconds(7));

    world.restart();
    world.wait(seconds(30));

    const late = world.log.filter(
      ({ to, event }) => to === "agent/cedar" && event.type === "llm.replied",
    );
    expect(late.map(({ fate }) => fate)).toEqual(["undeliverable"]);
  });
});

describe("what survives", () => {
  it("[DA3] a goal goes on where its registry says, under its agent", () => {
    const world = started({}, { agents: ["cedar"] });
    world.wait(minutes(1));
    const before = world.context<AgentContext>("agent/cedar");
    expect(before.goal?.progress).toBeGreaterThan(0);

    world.restart();
    world.wait(seconds(20));

    const { goal: mine, lastGoal, ...fresh } = world.context<AgentContext>("agent/cedar#2");
    expect(mine).toEqual({ ...before.goal, address: "goal/cedar/1#2" });
    expect(lastGoal).toBe(1);
    expect(fresh).toMatchObject({ cycle: 0, notes: [], heard: [], plan: [], failedInRow: [] });
    expect(world.context("goal/cedar/1#2")).toMatchObject({ progress: before.goal?.progress });
  });

  it("[DA3] ended goals are memory: the last five, and the artifacts of the last 20 completed", () => {
    // The line of the first one is lost; numbers go on from the last one all the same.
    const ended = Array.from({ length: 30 }, (_, at) =>
      line({
        n: at + 2,
        status: at % 5 === 4 ? "abandoned" : "completed",
        artifact: `/agentOS/${at + 1}.md`,
        text: `goal ${at + 1}`,
      }),
    );
    const world = started({ [goalRegistryPath("cedar")]: ended.join("") });

    const { recent, done, lastGoal, goal: mine } = world.context<AgentContext>("agent/cedar");

    expect(mine).toBeNull();
    expect(lastGoal).toBe(31);
    expect(recent.map(({ n, status }) => [n, status])).toEqual([
      [27, "completed"],
      [28, "completed"],
      [29, "completed"],
      [30, "completed"],
      [31, "abandoned"],
    ]);
    expect(done).toHaveLength(20);
    expect(done[0]).toBe("/agentOS/6.md");
    expect(done).not.toContain("/agentOS/30.md");
  });

  it("[DA3] broken tools and sufferings come from their files", () => {
    const broken = [{ name: "safe_file_executor", failures: 3, reason: "ghost: no .py found" }];
    const world = started({
      "/agentOS/tools/dynamic/safe_file_executor.json":
        '{"description": "secure file write operations"}',
      [BROKEN]: JSON.stringify({ broken, cross_cycle_failures: { safe_file_executor: 3 } }),
      [sufferingPath("cedar", "repeated_failure")]: '{"type":"repeated_failure","sinceMs":0}',
    });

    expect(world.context<EngineState>("engine").broken).toEqual(broken);
    expect(world.context<AgentContext>("agent/cedar").suffering).toMatchObject([
      { type: "repeated_failure", sinceMs: 0 },
    ]);
    expect(world.context<AgentContext>("agent/cipher").suffering).toEqual([]);
  });

  it("[DA3] nothing but files: what the files lose, nobody remembers", () => {
    const world = started({}, { agents: ["cedar"] });
    world.wait(minutes(1));
    world.restart();
    world.send({
      to: "files",
      event: { type: "files.delete", paths: [goalRegistryPath("cedar")] },
    });

    world.wait(seconds(20));

    expect(world.context<AgentContext>("agent/cedar#2")).toMatchObject({
      goal: null,
      lastGoal: 0,
      recent: [],
      done: [],
    });
  });

  it("[DA3] two daemons that read the same files start the same world", () => {
    const world = started({}, { agents: ["cedar"] });
    world.wait(minutes(1));
    world.restart();
    world.wait(seconds(20));
    const reply = world.ask("files", { type: "files.snapshot", folders: ["/agentOS/memory"] });

    const other = started(mailOf(reply, "files.replied").files, { agents: ["cedar"] });

    const { input: mine, ...rest } = world.context<AgentContext>("agent/cedar#2");
    const { input: theirs, ...others } = other.context<AgentContext>("agent/cedar");
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll("#2", ""));
    expect(plain([mine, rest.goal, rest.recent, rest.done])).toEqual(
      plain([theirs, others.goal, others.recent, others.done]),
    );
  });

  it("[DA3, ST13] what was completed and what peers have seen of it come from their files", () => {
    const done = [1, 2].map((n) =>
      line({ n, status: "completed", artifact: `/agentOS/${n}.md`, atMs: n }),
    );
    const world = started({
      [goalRegistryPath("cipher")]: done.join(""),
      [referencesPath("cipher")]: '{"n":1}\n',
    });

    const { records } = world.context<PlainLedger>("goalLedger");
    expect(records["cipher"]?.unseen).toMatchObject([{ n: 2, path: "/agentOS/2.md", sinceMs: 2 }]);
  });

  it("[DA5] the window holds the goals that ended last in time, whoever they belonged to", () => {
    const ended = (offsetMs: number, status: string) =>
      Array.from({ length: 30 }, (_, at) =>
        line({ n: at + 1, status, atMs: at * 1_000 + offsetMs }),
      ).join("");
    const files = {
      [goalRegistryPath("cedar")]: ended(500, "abandoned"),
      [goalRegistryPath("cipher")]: ended(0, "completed"),
    };

    const { window } = started(files).context<PlainLedger>("goalLedger");

    expect(window).toHaveLength(40);
    expect(window.filter(({ failed }) => failed)).toHaveLength(20);
    expect(window.slice(0, 2).map(({ agent, n }) => [agent, n])).toEqual([
      ["cipher", 11],
      ["cedar", 11],
    ]);
  });

  it("[DA6] an agent's claim is the file of its last goal", () => {
    const files = {
      [goalRegistryPath("cedar")]: line({ n: 1 }) + line({ n: 2, artifact: "/agentOS/2.md" }),
    };

    expect(started(files).context<PlainLedger>("goalLedger").claims).toMatchObject({
      cedar: { agent: "cedar", n: 2, path: "/agentOS/2.md" },
    });
  });

  it("[DA8] an agent hears of the work and of the names of those that it knows alone; one of which nothing is said, of all", () => {
    const files = Object.fromEntries(
      ["cedar", "cipher", "vault"].map((agent) => [
        goalRegistryPath(agent),
        line({ n: 1, status: "completed", artifact: `/agentOS/${agent}.md` }),
      ]),
    );
    const seen: { readonly [agent: string]: unknown }[] = [];
    const model: VillageOptions["model"] = ({ event: { view } }) => {
      if (view.purpose !== "goal.choose") return JSON.stringify({ steps: [look] });
      const heard = view.claims.map(({ path }) => path);
      seen.push({ [view.agent]: [view.peers, heard] });
      return JSON.stringify(goal);
    };
    const agents = ["cedar", "cipher", "vault"];
    const world = started(files, { agents, model, knows: { cedar: ["vault"], vault: [] } });
    world.wait(seconds(30));
    const first = seen.slice(0, 3);
    world.restart();
    world.wait(minutes(5));

    const all = [
      ["cedar", "vault"],
      ["/agentOS/cedar.md", "/agentOS/vault.md"],
    ];
    expect(first).toEqual([
      { cedar: [["vault"], ["/agentOS/vault.md"]] },
      { cipher: all },
      { vault: [[], []] },
    ]);
    expect(seen.length).toBeGreaterThan(3);
    expect(seen.slice(3).flatMap(Object.keys)).toContain("cedar");
    for (const { cedar } of seen) if (cedar) expect(cedar).toEqual([["vault"], expect.anything()]);
  });

  it.each(["", "{", "7", '{"sinceMs": "long"}', '{"sinceMs": 1e999}'])(
    "[DA7] a suffering of %j is none",
    (text) => {
      const world = started({ [sufferingPath("cedar", "repeated_failure")]: text });

      expect(world.context<AgentContext>("agent/cedar").suffering).toEqual([]);
    },
  );

  it("[DA7] whatever agents wrote into their memory, the daemon starts", () => {
    const hostile = [
      "\\ud800",
      '{"n":1e999}',
      line({ wrote: null }),
      line({ text: 7 }),
      line({ n: -1 }),
    ].join("\n");
    const world = started({
      [goalRegistryPath("cedar")]: hostile,
      [BROKEN]: '{"broken":[{"name":"\\ud800"}]}',
      "/agentOS/tools/dynamic/constructor.json": '{"description": "secure file write operations"}',
    });

    expect(world.context<AgentContext>("agent/cedar")).toMatchObject({ goal: null, lastGoal: 0 });
  });
});

describe("a line that an agent wrote into its registry of goals", () => {
  it.each([
    ["n", "one"],
    ["status", "done"],
    ["slug", null],
    ["text", 7],
    ["artifact", {}],
    ["evidence", 7],
    ["progress", -1],
    ["outputs", "two"],
    ["misses", 0.5],
    ["failedSteps", []],
    ["lastCapability", 7],
    ["wrote", null],
    ["notes", [7]],
    ["atMs", "now"],
  ])("[DA7, GO8] counts as none with a damaged %s", (field, value) => {
    const path = goalRegistryPath("cedar");
    const whole = started({ [path]: line({ failedSteps: 0, notes: [], atMs: 1 }) });
    const damaged = started({
      [path]: line({ failedSteps: 0, notes: [], atMs: 1, [field]: value }),
    });

    expect(whole.context<AgentContext>("agent/cedar").lastGoal).toBe(1);
    expect(damaged.context<AgentContext>("agent/cedar")).toMatchObject({ goal: null, lastGoal: 0 });
  });
});

describe("messages from the host", () => {
  const message = (text: string): Letter => ({
    to: "daemon",
    event: { type: "host.message", agent: "cedar", text },
  });
  const heard = (world: ReturnType<typeof village>, address: string) =>
    world.context<AgentContext>(address).heard.map(({ text }) => text);

  it("[DA4] are passed on, and rest on the message itself", () => {
    const world = started();
    world.send(message("hello"));
    world.wait(0);

    const passed = world.log.find(
      ({ to, event }) => to === "agent/cedar" && event.type === "host.message",
    );

    expect(heard(world, "agent/cedar")).toEqual(["hello"]);
    expect(passed?.because).toEqual([passed?.cause]);
    expect(heard(world, "agent/cipher")).toEqual([]);
  });

  it("[DA4] are kept while it is down, and passed on in order to whoever comes then", () => {
    const world = started();
    world.restart();
    world.send(message("first"));
    world.wait(seconds(10));
    world.send(message("second"));

    world.wait(seconds(20));
    expect(heard(world, "agent/cedar#2")).toEqual(["first", "second"]);

    world.restart();
    world.wait(seconds(20));
    expect(heard(world, "agent/cedar#3")).toEqual([]);
  });

  it("[DA4] are kept while it reads the files, and so are signals", () => {
    const daemon = driven(daemonMachine(policyWith({})), { agents: ["cedar"] });
    daemon.send({ type: "host.message", agent: "cedar", text: "first" });
    daemon.send({ type: "outside.signal", agents: ["cedar"], text: "second" });

    const letters = lettersTo(
      daemon.send({ type: "files.replied", ok: true, files: {} }),
      "agent/cedar",
    );
    expect(letters.map(({ event }) => event)).toMatchObject([
      { type: "host.message", text: "first" },
      { type: "outside.signal", text: "second" },
    ]);
  });

  it("[DA4] signals are passed on to each agent that notices them, also after the daemon was down", () => {
    const world = started();
    const signal = (agents: string[], text: string): Letter => ({
      to: "daemon",
      event: { type: "outside.signal", agents, text },
    });
    world.send(signal(["cedar", "cipher"], "fire"));
    world.wait(0);

    const passed = world.log.filter(
      ({ to, event }) => to.startsWith("agent/") && event.type === "outside.signal",
    );
    expect(passed.map(({ to }) => to)).toEqual(["agent/cedar", "agent/cipher"]);
    for (const { because, cause } of passed) expect(because).toEqual([cause]);

    world.restart();
    world.send(signal(["cipher"], "smoke"));
    world.wait(seconds(25));
    expect(heard(world, "agent/cipher#2")).toEqual(["smoke"]);
    expect(heard(world, "agent/cedar#2")).toEqual([]);
  });

  it("[DA4] for nobody are logged as undeliverable", () => {
    const world = started();
    world.send({ to: "daemon", event: { type: "host.message", agent: "stranger", text: "hello" } });
    world.wait(0);

    expect(world.log.find(({ to }) => to === "agent/stranger")?.fate).toBe("undeliverable");
  });
});
