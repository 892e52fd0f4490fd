// What an installed agent may do. SPEC: "Installing agents (seed 003)".
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Grant,
  hostOf,
  intersected,
  resolvedPath,
} from "../../../src/machines/installs/warden/grant.ts";
import {
  allowed,
  type ReachCall,
  type ReachPolicy,
} from "../../../src/machines/installs/warden/reach.ts";
import { gatePolicy } from "./gateRules.ts";

const { reach: seed } = gatePolicy();
const real: ReachPolicy = { scopes: "prefix", segments: "any" };
const ME = "weather";
const HOME = `/agentOS/workspace/${ME}`;

const call = (tool: string, params: ReachCall["params"] = {}, children = 0): ReachCall => ({
  ...{ tool, params, children },
});

const may = (one: ReachCall, grants: readonly Grant[], policy = seed) =>
  allowed(one, grants, ME, policy) === null;

const reads = (path: string, scopes: readonly string[], policy = seed) =>
  may(call("fs_read", { path }), [{ type: "ReadAccess", scopes }], policy);

describe("each tool", () => {
  it.each<[string, ReachCall["params"], Grant]>([
    ["fs_read", { path: `${HOME}/a` }, { type: "ReadAccess", scopes: ["self.*"] }],
    ["fs_list", { path: HOME }, { type: "ReadAccess", scopes: ["*"] }],
    ["fs_write", { path: `${HOME}/a` }, { type: "WriteAccess", scopes: ["self.*"] }],
    ["fs_edit", { path: `${HOME}/a` }, { type: "WriteAccess", scopes: ["self.*"] }],
    ["memory_get", { key: "weather_a" }, { type: "MemoryAccess", scopes: ["self.*"] }],
    ["memory.store", { key: "k" }, { type: "MemoryAccess", scopes: ["*"] }],
    ["shell_exec", { command: "ls" }, { type: "CodeExecution" }],
    ["sandbox.exec", { command: "python3 a.py" }, { type: "CodeExecution", patterns: ["python3"] }],
    ["synthesize_capability", {}, { type: "CodeExecution" }],
    ["web.fetch", { url: "https://api.x.org/a" }, { type: "NetworkAccess", hosts: ["api.x.org"] }],
    ["web.search", {}, { type: "NetworkAccess", hosts: ["*"] }],
    ["research_topic", {}, { type: "NetworkAccess", hosts: ["*"] }],
    ["message_send", { to: "planner.default" }, { type: "AgentMessage", patterns: ["planner."] }],
    ["agent.spawn", {}, { type: "AgentSpawn", max_children: 1 }],
    [
      "credential.request",
      { service: "moltbook" },
      { type: "CredentialAccess", services: ["moltbook"] },
    ],
    ["memory_set", { key: "k" }, { type: "MemoryAccess", scopes: ["*"] }],
    ["retire_capability", {}, { type: "CodeExecution" }],
    ["invoke_claude", {}, { type: "NetworkAccess", hosts: ["*"] }],
    ["agent.message", { to: "cedar" }, { type: "AgentMessage", patterns: ["cedar"] }],
    ["content.write", {}, { type: "WriteAccess", scopes: ["self.*"] }],
    ["artifact.inspect", {}, { type: "ReadAccess", scopes: ["self.*"] }],
    ["promotion.query", {}, { type: "ReadAccess", scopes: ["self.*"] }],
    ["scheduler.cron.add", {}, { type: "SchedulerAccess" }],
    ["emergency.stop", {}, { type: "EmergencyStop" }],
    ["content.read", {}, { type: "ReadAccess", scopes: ["self.*"] }],
    ["artifact.build", {}, { type: "WriteAccess", scopes: ["self.*"] }],
    [
      "background.schedule",
      { interval_secs: 300, reasoning: true },
      { type: "BackgroundReevaluation", min_interval_secs: 300, allow_reasoning: true },
    ],
    ["a_tool_of_theirs", { n: 1 }, { type: "SandboxFunctions" }],
  ])("[INS63] %s needs its capability, and no other helps", (tool, params, grant) => {
    const others: readonly Grant[] = [
      { type: "ReadAccess", scopes: ["*"] },
      { type: "WriteAccess", scopes: ["*"] },
      { type: "NetworkAccess", hosts: ["*"] },
      { type: "AgentMessage", patterns: ["*"] },
      { type: "AgentSpawn", max_children: 9 },
      { type: "CodeExecution" },
      { type: "SandboxFunctions" },
      { type: "MemoryAccess", scopes: ["*"] },
      { type: "CredentialAccess", services: ["*"] },
      { type: "EmergencyStop" },
      { type: "SchedulerAccess" },
      { type: "BackgroundReevaluation", min_interval_secs: 1, allow_reasoning: true },
    ];

    expect(may(call(tool, params), [grant])).toBe(true);
    expect(
      may(
        call(tool, params),
        others.filter(({ type }) => type !== grant.type),
      ),
    ).toBe(false);
    expect(allowed(call(tool, params), [], ME, seed)).toMatchObject({
      missing: grant.type,
      why: expect.stringContaining("none is declared"),
      todo: expect.stringContaining(grant.type),
    });
  });

  it("[INS63] that asks a model or people needs none; those of installing are granted by none", () => {
    for (const tool of ["ollama_chat", "propose_change", "workflow.state"]) {
      expect(may(call(tool), [])).toBe(true);
    }
    for (const tool of [
      "agent.revision.promote",
      "agent.install",
      "promotion.record",
      "approval.decide",
    ]) {
      expect(allowed(call(tool), [{ type: "SandboxFunctions" }], ME, seed)?.missing).toBe(
        "ownership",
      );
    }
    expect(may(call("promotion.recorder"), [{ type: "SandboxFunctions" }])).toBe(true);
    expect(may(call("constructor"), [])).toBe(false);
  });

  it("[INS63] an empty list is declared and grants nothing", () => {
    expect(reads(`${HOME}/a`, [])).toBe(false);
    expect(may(call("content.read"), [{ type: "ReadAccess", scopes: [] }])).toBe(false);
    expect(may(call("content.read"), [{ type: "ReadAccess", scopes: [] }], real)).toBe(true);
    expect(
      may(call("shell_exec", { command: "ls" }), [{ type: "CodeExecution", patterns: [] }]),
    ).toBe(false);
  });

  it("[INS63] a parameter that is missing or no text is not covered", () => {
    for (const path of [undefined, null, 1, ["a"]]) {
      const params = path === undefined ? {} : { path };
      expect(may(call("fs_read", params), [{ type: "ReadAccess", scopes: ["*"] }])).toBe(false);
    }
  });

  it("[INS63] two children are spawned where two may be, and no third; an interval is as long as declared", () => {
    const spawn: Grant = { type: "AgentSpawn", max_children: 2 };
    const wake: Grant = {
      type: "BackgroundReevaluation",
      min_interval_secs: 300,
      allow_reasoning: false,
    };
    const woken = (interval_secs: number, reasoning: boolean) =>
      may(call("background.schedule", { interval_secs, reasoning }), [wake]);

    expect([0, 1, 2].map((n) => may(call("agent.spawn", {}, n), [spawn]))).toEqual([
      true,
      true,
      false,
    ]);
    expect([woken(300, false), woken(299, false), woken(300, true)]).toEqual([true, false, false]);
  });
});

describe("scopes of paths", () => {
  it("[INS64] self.* is the agent's own folder; a path leads where it leads after all of its ..", () => {
    expect(reads(`${HOME}/a/b`, ["self.*"])).toBe(true);
    expect(reads("a/b", ["self.*"])).toBe(true);
    expect(reads(`${HOME}/../${ME}/a`, ["self.*"])).toBe(true);
    for (const path of [
      `${HOME}/../other/a`,
      `${HOME}2/a`,
      "../other",
      "/agentOS/agents/weather/x",
      "/",
    ]) {
      expect(reads(path, ["self.*"])).toBe(false);
    }
    expect(reads(`${HOME}/state/a`, ["self.state/*"])).toBe(true);
    expect(reads(`${HOME}/states`, ["self.state/*"])).toBe(false);
    for (const scope of ["self.../other/*", "self.../*", ""]) {
      expect(reads("/agentOS/workspace/other/a", [scope])).toBe(false);
    }
  });

  it("[INS64] a scope without * covers itself and what is below, not what only begins so", () => {
    expect(reads("/agentOS/data", ["/agentOS/data"])).toBe(true);
    expect(reads("/agentOS/data/a", ["/agentOS/data"])).toBe(true);
    expect(reads("/agentOS/database", ["/agentOS/data"])).toBe(false);
    expect(reads("/agentOS/database", ["/agentOS/data*"])).toBe(true);
    expect(reads("/agentOS/database", ["/agentOS/data/*"])).toBe(false);
    expect(reads("docs/a", ["docs/*"])).toBe(true);
    expect(resolvedPath("/a/./b//../../../c/", ME)).toBe("/c");
  });

  it("[INS69] in the real system a scope is what a path begins with, whatever else it says", () => {
    expect(reads("/agentOS/database", ["/agentOS/data"], real)).toBe(true);
    expect(reads("/agentOS/data/../secret", ["/agentOS/data/*"], real)).toBe(true);
    expect(reads("/agentOS/data/../secret", ["/agentOS/data/*"])).toBe(false);
    expect(reads(`${HOME}/a`, ["self.*"], real)).toBe(false);
    expect(reads("self.notes", ["self.*"], real)).toBe(true);
    expect(reads("anything", [""], real)).toBe(true);
  });

  it("[INS64] what is named to a function or a shell must be declared for reading and for writing", () => {
    const own: readonly Grant[] = [
      { type: "SandboxFunctions" },
      { type: "CodeExecution" },
      { type: "ReadAccess", scopes: ["*"] },
      { type: "WriteAccess", scopes: ["self.*"] },
    ];
    const other = "/agentOS/workspace/other/a";

    expect(may(call("tool", { file: `${HOME}/a` }), own)).toBe(true);
    expect(may(call("tool", { file: `${HOME}/a` }), own.slice(0, 3))).toBe(false);
    const unread = own.filter(({ type }) => type !== "ReadAccess");
    expect(allowed(call("tool", { file: `${HOME}/a` }), unread, ME, seed)).toMatchObject({
      missing: "ReadAccess",
    });
    expect(may(call("shell_exec", { command: `cat ${HOME}/a` }), own)).toBe(true);
    expect(may(call("shell_exec", { command: `cat ${HOME}/a` }), unread)).toBe(false);
    for (const params of [
      { file: other },
      { files: [{ at: `see file://${other}!` }] },
      { text: `x${other}` },
      { [other]: 1 },
      { file: `${HOME}/../other/a` },
      { file: "/agentOS" },
    ]) {
      expect(allowed(call("tool", params), own, ME, seed)).toMatchObject({
        missing: "WriteAccess",
      });
    }
    expect(may(call("shell_exec", { command: `cat ${other}` }), own)).toBe(false);
    expect(may(call("shell_exec", { command: "cat ../other/a" }), own)).toBe(false);
    expect(may(call("shell_exec", { command: `ls>${other}` }), own)).toBe(false);
    expect(may(call("shell_exec", { command: "cat a..b a/b" }), own)).toBe(true);
  });
});

describe("hosts", () => {
  it.each<[string, string | null]>([
    ["https://api.x.org/a", "api.x.org"],
    ["HTTPS://API.X.ORG.:443", "api.x.org"],
    ["https://good.org@evil.org/", "evil.org"],
    ["https://good.org:x@evil.org:1/", "evil.org"],
    ["https://good.org@x@evil.org/", "evil.org"],
    ["https://evil.org\\@good.org/", "evil.org"],
    ["https://evil.org#@good.org", "evil.org"],
    ["https://evil.org?@good.org", "evil.org"],
    ["https:\\\\evil.org", "evil.org"],
    ["http://[::1]:80/", "[::1]"],
    ["https://", null],
    ["api.x.org", null],
    ["javascript:alert(1)", null],
    ["https://a:b:c/", null],
  ])("[INS64] %s leads to %s", (url, host) => {
    expect(hostOf(url)).toBe(host);
  });

  it("[INS64] are exact or all; a tool that names none needs all, which one host is not", () => {
    const fetches = (url: string, hosts: readonly string[]) =>
      may(call("web.fetch", { url }), [{ type: "NetworkAccess", hosts }]);

    expect(fetches("https://api.x.org/", ["API.x.org"])).toBe(true);
    expect(fetches("https://sub.api.x.org/", ["api.x.org"])).toBe(false);
    expect(fetches("https://api.x.org/", ["*.x.org"])).toBe(false);
    expect(fetches("https://other.org/?q=api.x.org", ["api.x.org"])).toBe(false);
    expect(fetches("https://any.org/", ["a", "*"])).toBe(true);
    expect(may(call("web.search"), [{ type: "NetworkAccess", hosts: ["api.x.org"] }])).toBe(false);
    expect(may(call("web.search"), [{ type: "NetworkAccess", hosts: ["api.x.org"] }], real)).toBe(
      true,
    );
  });
});

describe("patterns", () => {
  it.each([
    "cat /agent?S/workspace/other/a",
    "cat notes/*/../a",
    "cat /'agentOS'/workspace/other/a",
    "cat /agent\\OS/workspace/other/a",
    "cat /agentO''S/workspace/other/a",
    "cd / && cat agentOS/workspace/other/a",
    "cd /; ls",
    "ls //",
    "ls /./agentOS",
    "cat .[.]/other/a",
    "cat .?/other/a",
    "cat ./.*/other/a",
    "a=/agent; cat $" + "{a}OS/workspace/other/a",
    "cat $OLDPWD/a",
    "cat $'/agentOS/workspace/other/a'",
    "set -- /agent; cat $1OS/workspace/other/a",
    "cat /{agentOS,x}/workspace/other/a",
    "cat /agentOS/workspace/*/a",
    "cat ~/../other/a",
    "cat x=~+/../other/a",
    "ls ~root",
    "cat a/*/../../../other/a",
    "cat .{.,}/other/a",
    "cat {-../}{-../}/other/a",
    "cat {~,a}/../other/a",
    "echo {a,b,c,d,e}{a,b,c,d,e}{a,b,c,d,e}",
  ])("[INS64] a command line names what the shell takes it for: %s", (command) => {
    const reads: Grant[] = [
      { type: "CodeExecution" },
      { type: "ReadAccess", scopes: ["self.*"] },
      { type: "WriteAccess", scopes: ["self.*"] },
    ];
    const all = reads.map((one) => (one.scopes === undefined ? one : { ...one, scopes: ["*"] }));

    expect(may(call("shell_exec", { command }), reads)).toBe(false);
    expect(may(call("shell_exec", { command }), all)).toBe(true);
  });

  it.each([
    "cat *.txt",
    "cat notes/*.md ./a",
    "ls -l | awk '{print $1}'",
    `cat ${HOME}/*.txt`,
    "sed -n 's/a/b/p' a.txt",
    "/bin/cat a",
    "cd notes && ls",
    "cd && ls ~/notes",
    "cat ~/notes/../a ~/*.md",
    "echo ~5",
    "cp {a,b}.txt c.{txt,md}",
    "cat a{1..3}.txt",
  ])("[INS64] its own folder stays its own: %s", (command) => {
    const reads: Grant[] = [
      { type: "CodeExecution" },
      { type: "ReadAccess", scopes: ["self.*"] },
      { type: "WriteAccess", scopes: ["self.*"] },
    ];

    expect(may(call("shell_exec", { command }), reads)).toBe(true);
  });

  const runs = (command: string, patterns: readonly string[], policy = seed) =>
    may(call("sandbox.exec", { command }), [{ type: "CodeExecution", patterns }], policy);

  it("[INS64] every command of a line must be within them, and none may be substituted into it", () => {
    expect(runs("python3 a.py", ["python3"])).toBe(true);
    expect(runs("python3 a.py | wc -l", ["python3", "wc"])).toBe(true);
    for (const line of [
      ...[
        "python3 a.py; rm b",
        "rm b | python3",
        "python3 & rm b",
        "python3\nrm b",
        "python3 a\rrm b",
        "python3 a\nrm b",
      ],
      ...[
        "python3x",
        "python3 $(rm b)",
        "python3 `rm b`",
        "python3 <(rm b)",
        "X=1 python3",
        "",
        " ; ",
      ],
    ]) {
      expect(runs(line, ["python3"])).toBe(false);
    }
    expect(runs("python3x", ["python3*"])).toBe(true);
    expect(runs("python3 $(ls)", ["*"])).toBe(true);
  });

  it("[INS69] in the real system any one of them is enough", () => {
    expect(runs("rm b; python3 a.py", ["python3 "], real)).toBe(true);
    expect(runs("rm b; python3 a.py", ["python3 "])).toBe(false);
    expect(runs("rm b", ["python3 "], real)).toBe(false);
    expect(runs("python3x", ["python3"], real)).toBe(true);
  });

  it("[INS64] of names end at a dot", () => {
    const sends = (to: string, pattern: string) =>
      may(call("message_send", { to }), [{ type: "AgentMessage", patterns: [pattern] }]);

    expect(sends("planner.default", "planner")).toBe(true);
    expect(sends("planner2.default", "planner")).toBe(false);
    expect(sends("planner2.default", "plan*")).toBe(true);
    expect(sends("planner", "planner.")).toBe(false);
  });

  it("[INS64] of functions name them", () => {
    const grants: readonly Grant[] = [{ type: "SandboxFunctions", allowed: ["mcp.*", "sum"] }];

    expect(["mcp.read", "sum", "sums"].map((tool) => may(call(tool), grants))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("an agent's reach", () => {
  const texts = (...of: string[]) => fc.subarray(of, { minLength: 0 });
  const grant: fc.Arbitrary<Grant> = fc.oneof(
    fc.record({
      type: fc.constantFrom("ReadAccess", "WriteAccess"),
      scopes: texts(
        "*",
        "self.*",
        "self.a",
        "self.a/*",
        "/agentOS/d",
        "/agentOS/d*",
        "/agentOS/d/x",
        "/agentOS/",
        "a/",
      ),
    }),
    fc.record({ type: fc.constant("NetworkAccess"), hosts: texts("*", "a.org", "A.org", "b.org") }),
    fc.record({
      type: fc.constant("CodeExecution"),
      patterns: texts("*", "ls", "ls -l", "l*", "cat "),
    }),
    fc.constant({ type: "CodeExecution" }),
    fc.record({
      type: fc.constant("SandboxFunctions"),
      allowed: texts("*", "f", "f*", "f.g", "f."),
    }),
    fc.constant({ type: "SandboxFunctions" }),
    fc.record({ type: fc.constant("AgentMessage"), patterns: texts("*", "p", "p.", "p.d", "p*") }),
    fc.record({
      type: fc.constant("MemoryAccess"),
      scopes: texts("*", "self.*", "weather_a", "k", "w*"),
    }),
    fc.record({ type: fc.constant("AgentSpawn"), max_children: fc.integer({ min: 0, max: 3 }) }),
    fc.record({
      type: fc.constant("BackgroundReevaluation"),
      min_interval_secs: fc.constantFrom(1, 60, 300),
      allow_reasoning: fc.boolean(),
    }),
    fc.constant({ type: "EmergencyStop" }),
  );
  const path = fc.constantFrom(
    "a",
    "a/b",
    "ab",
    "/agentOS/d",
    "/agentOS/d/x",
    "/agentOS/dd",
    "../weather/a",
    "/x",
  );
  const calls: fc.Arbitrary<ReachCall> = fc
    .oneof(
      fc.tuple(fc.constantFrom("fs_read", "fs_write", "f", "f.g"), fc.record({ path })),
      fc.tuple(
        fc.constantFrom("shell_exec"),
        fc.record({ command: fc.constantFrom("ls", "ls -l", "ls; cat a", "lsof", "cat $(ls)") }),
      ),
      fc.tuple(
        fc.constantFrom("web.fetch", "web.search"),
        fc.record({ url: fc.constantFrom("https://a.org", "https://b.org/x", "https://c.org") }),
      ),
      fc.tuple(
        fc.constantFrom("message_send"),
        fc.record({ to: fc.constantFrom("p", "p.d", "pp", "q") }),
      ),
      fc.tuple(
        fc.constantFrom("memory_set"),
        fc.record({ key: fc.constantFrom("weather_a", "weather_b", "k", "w") }),
      ),
      fc.tuple(fc.constantFrom("agent.spawn", "emergency.stop"), fc.constant({})),
      fc.tuple(
        fc.constantFrom("background.schedule"),
        fc.record({ interval_secs: fc.constantFrom(1, 60, 300), reasoning: fc.boolean() }),
      ),
    )
    .chain(([tool, params]) =>
      fc.nat(3).map((children): ReachCall => ({ tool, params, children })),
    );
  const lists = fc.array(grant, { maxLength: 4 });

  it.each([seed, real])(
    "[INS65] is what intent, declaration and approval allow each, no more and no less (%o)",
    (policy) => {
      fc.assert(
        fc.property(lists, lists, lists, calls, (intent, declared, approved, one) => {
          const reach = intersected([intent, declared, approved], ME, policy.scopes);
          // The real system asks for any segment, so that two lists may allow one line for different commands of it.
          if (policy === real && one.tool === "shell_exec") return;
          const each = [intent, declared, approved].every((list) => may(one, list, policy));
          expect(may(one, reach, policy)).toBe(each);
        }),
        { numRuns: 1_000 },
      );
    },
  );

  it("[INS65] of one text with and without * takes that without; thinks only where all let it", () => {
    const wake = (min_interval_secs: number, allow_reasoning: boolean): Grant => ({
      ...{ type: "BackgroundReevaluation", min_interval_secs, allow_reasoning },
    });
    const met = (one: Grant, other: Grant) => [
      intersected([[one], [other]], ME, "boundary"),
      intersected([[other], [one]], ME, "boundary"),
    ];
    const narrow: Grant = { type: "AgentMessage", patterns: ["p"] };

    expect(met({ type: "AgentMessage", patterns: ["p*"] }, narrow)).toEqual([[narrow], [narrow]]);
    expect(met(wake(60, true), wake(300, false))).toEqual(Array(2).fill([wake(300, false)]));
    expect(met(wake(60, true), wake(300, true))).toEqual(Array(2).fill([wake(300, true)]));
  });

  it("[INS65] takes the smaller of two numbers, the deeper of two scopes, and nothing of what only one names", () => {
    const reach = intersected(
      [
        [
          { type: "AgentSpawn", max_children: 3 },
          { type: "ReadAccess", scopes: ["self.*", "/agentOS/d"] },
          { type: "CodeExecution" },
        ],
        [
          { type: "AgentSpawn", max_children: 1 },
          { type: "ReadAccess", scopes: ["self.a/*"] },
          { type: "NetworkAccess", hosts: ["*"] },
          { type: "CodeExecution", patterns: ["ls"] },
        ],
      ],
      ME,
      "boundary",
    );

    expect(reach).toEqual([
      { type: "AgentSpawn", max_children: 1 },
      { type: "ReadAccess", scopes: [`${HOME}/a/*`] },
      { type: "CodeExecution", patterns: ["ls"] },
    ]);
  });
});
