// What the capabilities that reach beyond one file do: each through the engine, with real neighbours.
import { describe, expect, it } from "vitest";
import { builtins } from "../../../../src/machines/agents/engine/builtins.ts";
import type { EventType, Letter, Mail, MailOf } from "../../../../src/machines/letter.ts";
import { carrying } from "../../../mail.ts";
import { codePath, PAGE, spec, specPath, tool, workshop } from "./workshop.ts";

const PEER = "/agentOS/workspace/vault/page.md";
const PLAN = "/agentOS/workspace/cedar/plan.md";
const rotate = tool("rotate", "Rotates thermal calibration matrices.");

const sent = <K extends EventType>(one: ReturnType<typeof workshop>, type: K) =>
  carrying(one.log, type).map(({ to, event }) => ({ to, event }));

describe("shell_exec", () => {
  const run = (one: ReturnType<typeof workshop>, command: string) =>
    one.call("execute a shell command line", { command });

  it("[EN14] works on the virtual files, in the agent's own folder", () => {
    const one = workshop({ files: { [PEER]: "one\ntwo\n" } });

    expect(run(one, "echo 2 > count.txt")).toMatchObject({
      ok: true,
      capability: "shell_exec",
      result: { exit_code: 0, stdout: "", stderr: "" },
      wrote: ["/agentOS/workspace/cedar/count.txt"],
    });
    expect(one.file("/agentOS/workspace/cedar/count.txt")).toBe("2\n");
    const [asked] = one.log.filter(({ to }) => to === "port/shell.run");
    expect(asked?.event).toMatchObject({
      ...{ agent: "cedar", command: "echo 2 > count.txt", cwd: "/agentOS/workspace/cedar" },
      ...{ files: { [PEER]: "one\ntwo\n" }, mtimesMs: { [PEER]: 0 }, limitMs: 30_000 },
    });
  });

  it("[EN14] sees every virtual file, of the memory and the tools too", () => {
    const memory = "/agentOS/memory/plan.json";
    const one = workshop({ files: { ...rotate, [memory]: "7" } });

    run(one, "echo 1");

    const [asked] = carrying(one.log, "shell.run");
    expect(asked?.event.files).toEqual({ ...rotate, [memory]: "7" });
  });

  it.each([-1, 1, 2])("[EN14] an exit code of %i fails the step", (exitCode) => {
    expect(
      run(workshop({ shell: () => ({ exitCode, stdout: "done" }) }), "anything"),
    ).toMatchObject({
      ok: false,
      error: `exit code ${exitCode}`,
    });
  });

  it("[EN14] an exit code other than 0 is a failure that says what the shell said", () => {
    expect(run(workshop(), "cat none.txt")).toMatchObject({
      ok: false,
      result: { exit_code: 1 },
      error: "cat: none.txt: No such file or directory",
    });
  });

  it("[SH8] a bound that ended it, or what cannot be kept, fails the step and changes nothing", () => {
    const shell = () => ({ fault: "ShellStopped: why", changed: { [PAGE]: "x" }, created: [PAGE] });
    const one = workshop({ shell });

    expect(run(one, "anything")).toMatchObject({
      ok: false,
      result: null,
      error: "ShellStopped: why",
    });
    expect(one.file(PAGE)).toBeUndefined();
  });

  describe("when somebody else was faster", () => {
    const other = "/agentOS/workspace/cedar/other.md";
    const shell = () => ({ changed: { [PAGE]: "mine", [other]: "made" }, created: [other] });
    const during = (meanwhile: (one: ReturnType<typeof workshop>) => void) => {
      const one = workshop({ shell, files: { [PAGE]: "before", [PEER]: "theirs" } });
      const params = { command: "anything" };
      const intent = "execute a shell command line";
      const event: MailOf<"call.requested"> = {
        type: "call.requested",
        agent: "cedar",
        cycle: 1,
        intent,
        params,
      };
      const asker = one.send({ to: "engine", event, ask: "question" });
      one.until(({ to }) => to === "port/shell.run");
      meanwhile(one);
      const { event: finished } = one.until(({ to }) => to === asker);
      return { one, finished };
    };
    const conflict = (path: string) => ({
      ...{ ok: false, result: null },
      error: `ConflictError: ${path} was changed by another agent or tool meanwhile`,
    });

    it("[SH9] a file that was written meanwhile refuses all that the command changed", () => {
      const { one, finished } = during(({ put }) => put(PAGE, "theirs"));

      expect(finished).toMatchObject(conflict(PAGE));
      expect([one.file(PAGE), one.file(other)]).toEqual(["theirs", undefined]);
    });

    it("[SH9] so does the same text written again, a file made, and one removed", () => {
      expect(during(({ put }) => put(PAGE, "before")).finished).toMatchObject(conflict(PAGE));
      expect(during(({ put }) => put(other, "theirs")).finished).toMatchObject(conflict(other));
      const { one, finished } = during(({ remove }) => remove(PAGE));
      expect(finished).toMatchObject(conflict(PAGE));
      expect(one.file(PAGE)).toBeUndefined();
    });

    it("[SH9] what others changed elsewhere is no conflict", () => {
      const { one, finished } = during(({ put }) => put(PEER, "theirs again"));

      expect(finished).toMatchObject({ ok: true, wrote: [other] });
      expect([one.file(PAGE), one.file(other)]).toEqual(["mine", "made"]);
    });
  });

  it("[SH18] files beyond what a letter may hold fail the step, and not the run", () => {
    const much = { [PAGE]: "\u0001".repeat(300_000), [PEER]: "\u0001".repeat(300_000) };
    const one = workshop({ files: much });

    expect(run(one, "echo 1")).toMatchObject({
      ok: false,
      error: "MemoryError: the files hold more than the 3000000 characters of a view",
    });
    one.remove(PEER);
    expect(run(one, "echo 1")).toMatchObject({ ok: true });
  });

  it("[EN14] refuses what is no command", () => {
    const one = workshop();

    expect(one.call("execute a shell command line", {})).toMatchObject({
      ok: false,
      error: "TypeError: expects command",
    });
  });
});

describe("paths that are closed", () => {
  const agents = "/agentOS/agents/daemon.py";

  it.each([
    ["fs_write", "file write", { path: agents, content: "x" }],
    ["fs_edit", "in-place edit of a file", { path: agents, old_text: "x", new_text: "y" }],
  ])("[EN15] %s does not touch /agentOS/agents/", (capability, intent, params) => {
    const one = workshop({ files: { [agents]: "x" } });

    expect(one.call(intent, params)).toMatchObject({
      ok: false,
      capability,
      error: "PermissionError: /agentOS/agents/ is read-only",
    });
    expect(one.file(agents)).toBe("x");
  });

  it("[EN15] nor does the shell, nor a tool", () => {
    const one = workshop({
      files: { [agents]: "x", ...rotate },
      tools: { rotate: { turned: 1 } },
      changes: { rotate: { "/agentOS/a.md": "x", [agents]: "y", [PAGE]: "z" } },
    });

    expect(
      one.call("execute a shell command line", { command: `echo y > ${agents}` }),
    ).toMatchObject({ ok: false, error: "PermissionError: /agentOS/agents/ is read-only" });
    expect(
      one.call("execute a shell command line", { command: "echo y > /etc/passwd" }).error,
    ).toBe("PermissionError: /etc/passwd is not below /agentOS");
    expect(one.call("rotate matrices")).toMatchObject({
      ok: false,
      error: "PermissionError: /agentOS/agents/ is read-only",
    });
    expect([one.file(agents), one.file(PAGE)]).toEqual(["x", undefined]);
    const changed = { "/agentOS/a.md": "x", [agents]: "y", [PAGE]: "z" };
    const shell = () => ({ changed, created: ["/agentOS/a.md", PAGE] });
    const other = workshop({ files: { [agents]: "x" }, shell });
    expect(other.call("execute a shell command line", { command: "x" }).ok).toBe(false);
    expect([other.file(agents), other.file(PAGE)]).toEqual(["x", undefined]);
  });

  it("[EN15] a tool that reaches beyond /agentOS has failed, and changed nothing", () => {
    const one = workshop({
      files: rotate,
      tools: { rotate: 1 },
      changes: { rotate: { "/etc/passwd": "y", [PAGE]: "z" } },
    });

    expect(one.call("rotate matrices").error).toBe(
      "PermissionError: /etc/passwd is not below /agentOS",
    );
    expect(one.file(PAGE)).toBeUndefined();
  });
});

describe("a tool and the virtual files", () => {
  it("[EN16] sees the files that its parameters name, and what it changes is changed", () => {
    const one = workshop({
      files: { ...rotate, [PEER]: "text of vault", [PLAN]: "by half" },
      tools: { rotate: { turned: 1 } },
      changes: { rotate: { [PAGE]: "turned", [PEER]: null } },
    });

    const done = one.call("rotate matrices", { of: `the file ${PEER}, please`, by: PLAN });

    expect(one.runs()[0]?.event).toMatchObject({
      files: { [PEER]: "text of vault", [PLAN]: "by half" },
    });
    expect(done).toMatchObject({ ok: true, wrote: [PAGE] });
    expect([one.file(PAGE), one.file(PEER)]).toEqual(["turned", undefined]);
  });

  it("[EN16] sees no other file than those", () => {
    const one = workshop({
      files: {
        ...rotate,
        [PEER]: "named",
        [`${PEER}.bak`]: "beside it",
        [PAGE]: "the agent's own",
      },
      tools: { rotate: { turned: 1 } },
    });

    one.call("rotate matrices", { of: PEER });

    const [asked] = carrying(one.log, "sandbox.run");
    const seen = Object.keys(asked?.event.files ?? {}).filter((path) => !path.endsWith("/"));
    expect(seen).toEqual([PEER]);
  });

  it("[AG6] what a call wrote or made is told, and of what it changed, edited or took away nothing", () => {
    const before = { ...rotate, [PAGE]: "before", [PEER]: "before" };
    const one = workshop({
      files: before,
      tools: { rotate: 1 },
      changes: { rotate: { [PAGE]: "changed", [PEER]: null } },
      shell: () => ({ changed: { [PAGE]: "a leaf", [PLAN]: "new" }, created: [PLAN] }),
    });
    const wrote = (intent: string, params: Mail["call.requested"]["params"]) => {
      const { ok, wrote: paths = [], capability } = one.call(intent, params);
      return [capability, ok, paths];
    };
    const content = "a page";

    expect(wrote("rotate matrices", { of: `${PAGE} ${PEER}` })).toEqual(["rotate", true, []]);
    expect(wrote("write a file", { path: PAGE, content })).toEqual(["fs_write", true, [PAGE]]);
    const edit = { path: PAGE, old_text: "page", new_text: "leaf" };
    expect(wrote("edit the file in place", edit)).toEqual(["fs_edit", true, []]);
    expect(one.file(PAGE)).toBe("a leaf");
    const shell = wrote("execute a shell command line", { command: "x" });
    expect(shell).toEqual(["shell_exec", true, [PLAN]]);
  });

  it("[EN16] what a failed call changed is not kept", () => {
    const one = workshop({
      files: rotate,
      tools: { rotate: { ok: false, error: "jammed" } },
      changes: { rotate: { [PAGE]: "turned" } },
    });

    expect(one.call("rotate matrices")).toMatchObject({ ok: false, error: "jammed" });
    expect(one.file(PAGE)).toBeUndefined();
  });
});

describe("the world outside", () => {
  it.each([
    ["propose_change", "submit a proposal for a change to the system"],
    ["invoke_claude", "invoke the external assistant Claude"],
    ["research_topic", "research a topic on the external web"],
  ])("[EN17] %s asks outside, and what comes back is returned", (capability, intent) => {
    const one = workshop({
      policy: { "locks.enabled": false },
      outside: ({ event }) => ({ ok: true, result: { heard: event.params } }),
    });

    expect(one.call(intent, { text: "more memory" })).toMatchObject({
      ok: true,
      capability,
      result: { heard: { text: "more memory" } },
    });
    expect(sent(one, "tool.called").map(({ event }) => event)).toMatchObject([
      { purpose: capability, agent: "cedar" },
    ]);
  });

  it("[EN17] whoever answers may change any virtual file; a refusal is a failed step", () => {
    const agents = "/agentOS/agents/daemon.py";
    const answers: Mail["tool.replied"][] = [
      { ok: true, result: { status: "accepted" }, changed: { [agents]: "new" } },
      { ok: false, error: "not today" },
    ];
    const one = workshop({
      files: { [agents]: "old" },
      outside: () => answers.shift() ?? { ok: false },
    });
    const propose = () => one.call("submit a proposal for a change to the system", {});

    expect(propose()).toMatchObject({ ok: true });
    expect(one.file(agents)).toBe("new");
    expect(propose()).toMatchObject({ ok: false, error: "not today" });
  });

  it("[EN17] of what is no virtual file nothing is changed, and the rest is", () => {
    const changed = { "/etc/passwd": "y", [PAGE]: "z" };
    const one = workshop({ outside: () => ({ ok: true, result: 1, changed }) });

    expect(one.call("submit a proposal for a change to the system", {})).toMatchObject({
      ok: true,
    });
    expect([one.file("/etc/passwd"), one.file(PAGE)]).toEqual([undefined, "z"]);
  });

  it("[EN18] ollama_chat asks the model, and a model that fails is a failed step", () => {
    const one = workshop({ model: ({ event }) => JSON.stringify(event.view) });

    expect(one.call("chat completion by the local model", { prompt: "why?" })).toMatchObject({
      ok: true,
      capability: "ollama_chat",
      result: { response: '{"purpose":"tool.chat","agent":"cedar","prompt":"why?"}' },
    });

    const mute = workshop({
      model: () => ({ event: { type: "llm.failed", error: "out of memory" }, latencyMs: 5 }),
    });
    expect(mute.call("chat completion by the local model", { prompt: "why?" })).toMatchObject({
      ok: false,
      error: "out of memory",
    });
  });
});

describe("peers", () => {
  const send = (one: ReturnType<typeof workshop>, agent: string, to: string) =>
    one.call("send a message to another agent", { to, text: "hello" }, { agent });

  it("[EN19] a message reaches the peer, and one that answers another is an interaction", () => {
    const one = workshop();

    expect(send(one, "cedar", "vault")).toMatchObject({ ok: true, result: { to: "vault" } });
    send(one, "vault", "cedar");
    expect(Object.keys(one.state().interactions)).toEqual(["vault"]);
    // An answer may be answered, once.
    send(one, "cedar", "vault");
    send(one, "cedar", "vault");

    expect(sent(one, "peer.message")).toMatchObject([
      { to: "agent/vault", event: { from: "cedar", text: "hello" } },
      { to: "agent/cedar", event: { from: "vault" } },
      { to: "agent/vault", event: { from: "cedar" } },
      { to: "agent/vault", event: { from: "cedar" } },
    ]);
    expect(sent(one, "peer.messaged").map(({ event }) => event.isAnswer)).toEqual([
      ...[false, true, true, false],
    ]);
    expect(Object.keys(one.state().interactions)).toEqual(["vault", "cedar"]);
  });

  it.each(["nobody", "cedar", ""])("[EN19] nobody is written to at %j", (to) => {
    const one = workshop();

    expect(send(one, "cedar", to).ok).toBe(false);
    expect(sent(one, "peer.message")).toEqual([]);
  });

  it("[EN20] reading a peer's file refers to it and is an interaction; naming it only refers", () => {
    const one = workshop({ files: { [PEER]: "text" } });

    one.call("read a regular file", { path: PEER });
    const other = "/agentOS/workspace/cipher/2.md";
    one.call("file write", { path: PAGE, content: `${PAGE} says as ${PEER}, and ${other}.` });
    one.call("read a regular file", { path: "/agentOS/workspace/vault/none.md" });

    expect(sent(one, "peer.referenced").map(({ event }) => event)).toEqual([
      { type: "peer.referenced", agent: "cedar", peer: "vault", path: PEER, how: "read" },
      { type: "peer.referenced", agent: "cedar", peer: "vault", path: PEER, how: "mention" },
      { type: "peer.referenced", agent: "cedar", peer: "cipher", path: other, how: "mention" },
    ]);
    expect(one.state().interactions["cedar"]).toHaveLength(1);
  });

  it("[EN20] an interaction has the time at which the call was made", () => {
    const one = workshop({ files: { [PEER]: "text" } });
    const read = () => one.call("read a regular file", { path: PEER });

    one.wait(500);
    read();
    send(one, "vault", "cedar");
    send(one, "cedar", "vault");

    const { cedar = [] } = one.state().interactions;
    expect(cedar.map(({ atMs }) => atMs)).toEqual([500, 2_500]);
  });

  it("[EN20] no file of its own or of nobody's refers to a peer, nor does a file that it writes for one", () => {
    const shared = "/agentOS/workspace/shared/a.md";
    const one = workshop({ files: { [PAGE]: "text", [PEER]: "text", [shared]: "text" } });

    one.call("read a regular file", { path: shared });
    one.call("file write", { path: `${PEER}.new`, content: "x" });

    one.call("read a regular file", { path: PAGE });
    one.call("file write", { path: `${PAGE}.more`, content: `as ${PAGE} says` });
    one.call("execute a shell command line", { command: `cat ${PAGE}` });

    expect(sent(one, "peer.referenced")).toEqual([]);
    expect(one.state().interactions).toEqual({});
  });

  it("[EN20] the shell's reading counts too", () => {
    const one = workshop({ files: { [PEER]: "text" } });

    one.call("execute a shell command line", { command: `cat ${PEER}` });

    expect(sent(one, "peer.referenced")).toHaveLength(1);
  });

  it("[EN20] naming a peer's file in a text refers to it where a tool writes, and nowhere else", () => {
    const files = { ...rotate, ...tool("keeper", "Keeps a page.") };
    const changes = { keeper: { [PAGE]: "x" } };
    const one = workshop({ files, tools: { keeper: 1, rotate: 1 }, changes });

    one.call("rotate matrices", { note: `as ${PEER} says` });
    expect(sent(one, "peer.referenced")).toEqual([]);
    one.call("keep a page", { content: `as ${PEER} says` });

    const named = { type: "peer.referenced", agent: "cedar", peer: "vault", path: PEER };
    expect(sent(one, "peer.referenced").map(({ event }) => event)).toEqual([
      { ...named, how: "mention" },
    ]);
  });
});

describe("retire_capability", () => {
  const retire = (one: ReturnType<typeof workshop>, name: string) =>
    one.call("retire a capability, unregister the tool", { name });

  it("[EN21] archives both files, so that nothing is routed to it any more", () => {
    const one = workshop({ files: rotate, tools: { rotate: 1 } });

    expect(retire(one, "rotate")).toMatchObject({
      ok: true,
      result: { capability: "rotate", status: "retired" },
    });
    one.wait(0);

    expect(one.names()).toEqual([]);
    expect([one.file(specPath("rotate")), one.file(codePath("rotate"))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(one.file("/agentOS/tools/archive/rotate.py")).toBe(rotate[codePath("rotate")]);
    expect(one.file("/agentOS/tools/archive/rotate.json")).toBe(rotate[specPath("rotate")]);
  });

  it.each(["fs_write", "none", "../x"])("[EN21] there is no synthesized %s to retire", (name) => {
    expect(retire(workshop(), name).ok).toBe(false);
  });
});

describe("locks", () => {
  const suffering = (
    load: number,
    sinceMs: number | null = 0,
    stressor: MailOf<"stressor.changed">["stressor"] = "futility",
  ): Letter => ({
    to: "engine",
    event: {
      type: "stressor.changed",
      agent: "cedar",
      stressor,
      sinceMs,
      start: load,
      growthPerDay: 0,
      condition: "a cycle with progress",
    },
  });

  it.each([
    [549_999, true, true],
    [550_000, false, true],
    [749_999, false, true],
    [750_000, false, false],
  ])("[EN22] at a load of %i", (load, maySynthesize, mayWrite) => {
    const one = workshop({ tools: { t: 1 } });
    one.send(suffering(load));

    const made = one.call("synthesize a capability from a Python implementation", {
      name: "t",
      description: "counts",
      implementation: "def t():\n    return 1\n",
    });
    const wrote = one.write();

    expect([made.capability, made.ok]).toEqual(["synthesize_capability", maySynthesize]);
    expect([wrote.capability, wrote.ok]).toEqual(["fs_write", mayWrite]);
    expect(made.locked).toBe(maySynthesize ? undefined : true);
    expect(one.call("execute a shell command line", { command: "echo 1" }).ok).toBe(true);
  });

  it("[EN22] a refusal says why, rests on the stressors, and the ledger hears of it", () => {
    const one = workshop();
    one.send(suffering(500_000));
    one.send(suffering(300_000, 0, "stagnation"));
    const felt = carrying(one.log, "stressor.changed").map(({ seq }) => seq);

    const { error, delivery } = one.write();

    expect(error).toBe("fs_write is locked: your load is 0.8, and 0.75 locks it");
    expect(felt).toHaveLength(2);
    expect(delivery.because).toEqual(expect.arrayContaining(felt));
    expect(sent(one, "capability.locked")).toEqual([
      {
        to: "goalLedger",
        event: { type: "capability.locked", agent: "cedar", capability: "fs_write", load: 800_000 },
      },
    ]);
    expect(one.state().failures).toEqual({});
  });

  it("[EN22] a lock is asked before anything else: what it refuses is no ghost found", () => {
    const others = builtins.map(({ name }) => name).filter((one) => one !== "fs_write");
    const one = workshop({
      files: { [specPath("fs_write")]: spec("file write operations") },
      policy: { "engine.builtins": others },
    });
    one.send(suffering(800_000));

    expect(one.write()).toMatchObject({ ok: false, capability: "fs_write", locked: true });
    expect(one.state().failures).toEqual({});
    expect(one.state().blacklists).toEqual({});
  });

  it("[EN22] other agents are free, and so is the agent once it is over", () => {
    const one = workshop();
    one.send(suffering(900_000));

    expect(one.write({ agent: "vault" }).ok).toBe(true);
    one.send(suffering(0, null));
    expect(one.write().ok).toBe(true);
  });
});

describe("code and its reload", () => {
  const reload = (one: ReturnType<typeof workshop>): void => {
    one.send({ to: "engine", event: { type: "tools.reloaded" } });
    one.wait(0);
  };

  it("[EN23] a .py becomes code at a reload, and goes at the reload after it left", () => {
    const one = workshop({ files: { [specPath("rotate")]: spec("Rotates matrices.") } });
    one.put(codePath("rotate"), "def rotate(): ...");
    expect(one.state().implementations["rotate"]).toBeUndefined();

    reload(one);
    expect(one.state().implementations["rotate"]?.code).toBe("def rotate(): ...");
    one.put(codePath("rotate"), "def rotate(by): ...");
    expect(one.state().implementations["rotate"]?.code).toBe("def rotate(): ...");
    reload(one);
    expect(one.state().implementations["rotate"]?.code).toBe("def rotate(by): ...");
    const [, writer] = carrying(one.log, "files.write");
    expect(one.state().implementations["rotate"]?.madeBy).toBe(writer?.seq);

    one.remove(codePath("rotate"));
    expect(one.state().implementations["rotate"]).toBeDefined();
    reload(one);
    expect(one.state().implementations["rotate"]).toBeUndefined();
  });

  it("[EN23] code of a builtin's name shadows it until its file is gone and the folder read again", () => {
    const one = workshop({ tools: { fs_write: null } });
    one.put(codePath("fs_write"), "def fs_write(**kwargs): pass");
    reload(one);

    expect(one.write()).toMatchObject({ ok: false, capability: "fs_write", nothing: true });

    one.remove(codePath("fs_write"));
    reload(one);
    expect(one.write()).toMatchObject({ ok: true, capability: "fs_write" });
  });

  it("[EN23] a spec of a builtin's name changes what is routed to it, until it goes", () => {
    const one = workshop();
    const before = one.state().entries;

    one.put(specPath("fs_write"), spec("Paints the fence."));
    expect(one.call("paint the fence", { path: PAGE, content: "x" }).capability).toBe("fs_write");

    one.remove(specPath("fs_write"));
    const described = (entries: typeof before) =>
      entries.map(({ name, description, builtin }) => ({ name, description, builtin }));
    expect(described(one.state().entries)).toEqual(described(before));
  });
});
