import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  approvalsDecided,
  installDecidedBy,
  installDossierText,
  installsGate,
  reachText,
  readInstallWord,
} from "../../src/actors/installs/edge/gate.ts";
import { nobodyDecides } from "../../src/contract/nobodyDecides.ts";
import type { Gate, OpenQuestion } from "../../src/edges/play/gate.ts";
import { Inbox } from "../../src/edges/play/inbox.ts";
import { personAt } from "../../src/edges/play/personPort.ts";
import { redactor } from "../../src/edges/redaction.ts";
import type { Capability } from "../../src/machines/installs/gate/capability.ts";
import type { InstallDossier } from "../../src/machines/installs/mail.ts";
import type { PortRequest } from "../../src/substrate/port.ts";
import { policyWith } from "../builtIn.ts";

const dossier: InstallDossier = {
  ...{ agentId: "weather-fetcher", description: "Fetches\u001b[2J", requestedBy: "builder" },
  capabilities: [{ type: "NetworkAccess", hosts: ["api.example.com"] }, { type: "CodeExecution" }],
  ...{ factors: ["code_execution", "network_access"], artifactId: "art_a1b2c3d4" },
  artifactDigest: "sha256:12",
  evidence: [{ capability: "NetworkAccess", file: "main.py", line: 3, pattern: "requests.get" }],
  threats: [{ pattern: "while true", severity: "low", file: "main.py", line: 9 }],
  unfamiliar: [{ module: "mcp", file: "main.py", line: 1 }],
  runs: {
    ...{ mode: "script", entry: "main.py", model: null, instructions: "# Weather\nAsk for it." },
    ...{ cut: 12, files: ["main.py", "data.json"] },
  },
  gates: ["evaluator", "auditor"],
  judged: [
    {
      ...{ role: "evaluator", pass: false, by: "evaluator.default" },
      findings: [{ severity: "error", description: "It fetches too much." }],
    },
  ],
  notes: ["the matrix asks for evaluator, but nobody did"],
  before: "rev-00000001",
  widens: [{ type: "CodeExecution" }],
};
const event = {
  type: "approval.asked",
  purpose: "install",
  request: "apr-0123abcd",
  dossier,
} as const;
const request: PortRequest<"approval.asked"> = {
  ...{ port: "port/person.decide", from: "approval/apr-0123abcd", purpose: "install", nth: 1 },
  ...{ seq: 7, nowMs: 0, event, request: "r" },
};

const served = (gate: Gate) => {
  const inbox = new Inbox();
  const redacts = redactor({});
  return {
    inbox,
    ...installsGate.serve(gate, { inbox, redactor: redacts, policy: policyWith({}) }),
  };
};

/** A terminal at which these lines are typed. */
async function typed(lines: readonly string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let shown = "";
  output.on("data", (text) => {
    shown += text;
  });
  const { inbox, provider } = served({ kind: "terminal", person: personAt(input, output) });
  expect(provider.answer(request)).toBeNull();
  input.end(lines.map((line) => `${line}\n`).join(""));
  await inbox.arrival(5_000);
  return { reply: inbox.take()[0]?.reply, shown };
}

describe("what a person may say of an install", () => {
  it.each([
    ["a", { decision: "approve" }],
    [" Approve ", { decision: "approve" }],
    ["r", { decision: "reject" }],
    ["reject: too wide", { decision: "reject", feedback: "too wide" }],
  ])("[INS141] %j is a decision", (line, word) => {
    expect(readInstallWord(line)).toEqual(word);
  });

  it.each(["", "y", "yes", "approve it", "a bit", "m less", "rr", "d"])(
    "[INS141] %j decides nothing",
    (line) => {
      expect(readInstallWord(line)).toBeUndefined();
    },
  );
});

describe("the gate of installs", () => {
  it("[INS141] shows all that the approval rests on, and nothing of it steers a terminal", async () => {
    const { shown } = await typed(["a"]);

    for (const fact of [
      ...["apr-0123abcd: May weather-fetcher be installed?", "Fetches\\u{1b}[2J", "builder"],
      ...['NetworkAccess hosts ["api.example.com"]', "CodeExecution\n"],
      ...["code_execution, network_access", "art_a1b2c3d4, sha256:12", "up to 10 m"],
      ...["main.py:3: requests.get (NetworkAccess)", "main.py:9: while true (low)"],
    ]) {
      expect(shown).toContain(fact);
    }
    expect(shown).not.toContain("\u001b");
  });

  it("[INS141] says how much evidence there is beyond what it shows", () => {
    const [one] = dossier.evidence;
    const evidence = Array.from({ length: 21 }, () => one as (typeof dossier.evidence)[number]);

    expect(installDossierText({ ...dossier, evidence })).toMatch(/… and 1 more\n/);
  });

  it("[INS155] shows what would run, what widens, which judges are asked, and what no table knows", () => {
    const text = installDossierText(dossier);

    for (const line of [
      "  runs             script, main.py",
      "  instructions     # Weather",
      "                   … and 12 more characters",
      "  file             main.py",
      "  active           rev-00000001",
      "  beyond it        CodeExecution",
      "  may              reach api.example.com alone",
      "  may              run any command",
      "  judges           evaluator and auditor, since it declares NetworkAccess, CodeExecution",
      "  evaluator        evaluator.default recorded no pass",
      "                   error: It fetches too much.",
      "  note             the matrix asks for evaluator, but nobody did",
      "  unknown import   main.py:1: mcp",
    ]) {
      expect(text.split("\n")).toContain(line);
    }
    // What the active revision declares already is not beyond it.
    expect(text).toMatch(/active {11}rev-00000001\n {2}beyond it {8}CodeExecution\n {2}judges /);
    expect(installDossierText({ ...dossier, before: null })).toContain("this would be its first");
  });

  it("[INS141] asks again until there is a decision, and hears words without secrets", async () => {
    const { reply, shown } = await typed(["perhaps", "r it holds sk-abcdefghijklmnop1234"]);

    expect(reply).toMatchObject({
      event: { type: "person.decided", decision: "reject", feedback: "it holds [key 1 removed]" },
      choice: "person:install/1",
    });
    expect(shown).toContain("That is no decision.");
  });

  it("[INS140] decides nothing where the person has gone, or nobody is", async () => {
    expect((await typed([])).reply).toEqual(nobodyDecides);
    expect(served({ kind: "nobody" }).provider.answer(request)).toEqual(nobodyDecides);
  });

  it("[INS142] leaves a question for later, and hears the word that was given on it", () => {
    const open = served({ kind: "later" });
    expect([open.provider.answer(request), open.isLeft()]).toEqual([null, true]);

    const decided = installDecidedBy({ decision: "approve" }, { seq: 7, afterMs: 5_000 });
    const { provider, isLeft } = served({ kind: "later", decided });
    expect(provider.answer(request)).toEqual({
      event: { type: "person.decided", decision: "approve" },
      ...{ latencyMs: 5_000, choice: "person:install/1" },
    });
    expect(isLeft()).toBe(false);
    expect(provider.answer({ ...request, seq: 8 })).toBeNull();
  });

  it("[INS155] who decides by name is who decided", () => {
    const word = { decision: "approve", by: "ada" } as const;
    const decided = installDecidedBy(word, { seq: 7, afterMs: 0 });

    expect(served({ kind: "later", decided }).provider.answer(request)).toMatchObject({
      event: { type: "person.decided", decision: "approve", by: "ada" },
    });
  });

  it("[INS142] shows what waits with the commands that decide it", () => {
    const open: OpenQuestion = { seq: 7, purpose: "install", event, gate: installsGate, atMs: 0 };
    const { about, text, json } = installsGate.shown(open, "runs/a b");

    expect(about).toEqual(["apr-0123abcd"]);
    expect(text).toContain("the install of weather-fetcher (code_execution, network_access)");
    expect(text).toContain("npx ghostlight install approve apr-0123abcd --bundle 'runs/a b'");
    expect(text).toContain("npx ghostlight install reject apr-0123abcd --bundle 'runs/a b'");
    expect(json).toMatchObject({ approval: "apr-0123abcd", dossier });
  });

  it("[INS142] knows what was decided, and that silence is no decision", () => {
    const answered = (decision: string) =>
      approvalsDecided([
        {
          question: request,
          reply: { deliveredAt: 9, event: { type: "person.decided", decision } } as never,
        },
      ]);

    expect(answered("reject").get("apr-0123abcd")).toEqual({ decision: "reject", atMs: 9 });
    expect(answered("none").size).toBe(0);
  });
});

it.each([
  [{ type: "ReadAccess", scopes: ["self.*"] }, "read its own folder"],
  [
    { type: "WriteAccess", scopes: ["*", "/agentOS/tools/"] },
    "write every file and /agentOS/tools/ and what lies below",
  ],
  [{ type: "WriteAccess", scopes: ["/agentOS/work*"] }, "write whatever begins with /agentOS/work"],
  [{ type: "NetworkAccess", hosts: ["a.org", "b.org"] }, "reach a.org and b.org alone"],
  [{ type: "NetworkAccess", hosts: ["*"] }, "reach any host"],
  [{ type: "NetworkAccess", hosts: [] }, "reach no host"],
  [{ type: "CodeExecution", patterns: ["git *"] }, "run `git` and what it is given"],
  [{ type: "SandboxFunctions" }, "call any function of the sandbox"],
  [{ type: "AgentSpawn", max_children: 3 }, "start up to 3 agents of its own"],
  [{ type: "AgentMessage", patterns: ["planner."] }, "write to whoever is called planner.…"],
  [
    { type: "BackgroundReevaluation", min_interval_secs: 300, allow_reasoning: true },
    "wake up by itself every 300 s, and ask its model",
  ],
  [{ type: "CredentialAccess", services: ["moltbook"] }, "use the credentials of moltbook"],
  [
    { type: "MemoryAccess", scopes: ["self.*"] },
    "read and write its own keys of the shared memory",
  ],
  [{ type: "SchedulerAccess" }, "have work done at times that it names"],
  [{ type: "EmergencyStop" }, "stop everything"],
] satisfies readonly (readonly [Capability, string])[])(
  "[INS155] %j is told in words",
  (capability, says) => {
    expect(reachText(capability)).toBe(says);
  },
);
