// Macros and skills under the real engine: its router, its locks, its permissions, its waiting.
import { describe, expect, it } from "vitest";
import { agents } from "../../../src/actors/agents/part.ts";
import { skills } from "../../../src/actors/skills/part.ts";
import { parts } from "../../../src/builtIn/parts.ts";
import type { Part } from "../../../src/contract/part.ts";
import { type Overrides, valuesOf } from "../../../src/contract/policy.ts";
import { BROKEN_TOOLS_FILE, type EngineState } from "../../../src/machines/agents/engine/state.ts";
import type { AgentHooks } from "../../../src/machines/agents/hooks.ts";
import { type Json, type MailOf, startActor } from "../../../src/machines/letter.ts";
import type { Macro, MacroStep } from "../../../src/machines/skills/macro.ts";
import { seconds } from "../../../src/machines/units.ts";
import { castOf } from "../../../src/run/cast.ts";
import { policyTree, why } from "../../builtIn.ts";
import { CLERK, everyHook } from "../../hooks.ts";
import { carrying, mailIn, mailOf } from "../../mail.ts";
import { clerkPart, PAGE, type Says } from "../agents/clerk.ts";
import { type VillageOptions, village } from "../village.ts";
import { type Files, storeWith } from "./loneKeeper.ts";

interface House extends VillageOptions {
  readonly intent: string;
  /** The tool that the one step names. */
  readonly tool?: string;
  /** Of the one step. */
  readonly params?: { readonly [name: string]: Json };
  readonly macros?: readonly Macro[];
  readonly files?: Files;
  /** What the clerk attaches besides, and says. */
  readonly hooks?: AgentHooks;
  readonly says?: Says;
}

const step = (tool: string, description: string, more: Partial<MacroStep> = {}): MacroStep => ({
  ...{ tool, description, params: {} },
  ...more,
});
const LIST = step("fs_list", "list the directory entries", {
  params: { path: "/agentOS/workspace/shared" },
});
const WRITE = step("fs_write", "write regular file path content", {
  params: { path: PAGE, content: "Ink." },
});
const READ = step("fs_read", "read the file contents", { params: { path: PAGE } });
const brief = (...steps: readonly MacroStep[]): Macro => ({
  ...{ name: "brief", description: "Briefs the household about ink.", steps, branches: {} },
});
const BRIEF = "brief the household";

/** The agent cedar, who plans one step again and again, in a world with skills and perhaps a clerk. */
function house({
  intent,
  tool,
  params = {},
  macros = [],
  files = {},
  hooks = {},
  says = {},
  ...options
}: House) {
  const own: AgentHooks[] = [skills.attaches.agents, hooks];
  const set: Overrides = { "gate.parts": [], "skills.playbook.nudge": "never", ...options.policy };
  const tree = { ...policyTree, ...agents.widened({ agents: own }) } as typeof policyTree;
  const section = { skills: { acquired: [], macros, playbook: [], dreams: null } };
  const all: readonly Part[] = [...parts, clerkPart(hooks)];
  const here = village({
    model: ({ event: { purpose } }) =>
      JSON.stringify(
        purpose === "plan"
          ? { steps: [{ intent, tool, params }] }
          : { action: "goal", slug: "page", content: "Write the page", artifact: PAGE },
      ),
    ...options,
    cast: castOf(all, valuesOf(tree, set), section),
  });
  here.send(
    startActor("files", "files", { files: { "/agentOS/workspace/shared/a.md": "a", ...files } }),
  );
  here.send(startActor(CLERK, CLERK, says));
  here.send(startActor("skillKeeper", "skills", {}));
  here.send(startActor("macroKeeper", "macros", { macros }));
  here.send(startActor("playbook", "playbook", { lessons: [] }));
  here.send(startActor("daemon", "daemon", { agents: ["cedar"], startsAtMs: 0 }));
  here.wait(0);
  return here;
}

/** Up to the end of cedar's first call. */
function firstCall(here: ReturnType<typeof house>) {
  const end = here.until(({ to, event }) => to === "agent/cedar" && event.type === "call.finished");
  return { end, finished: mailOf(end, "call.finished"), says: whyOf(here, end.seq) };
}
const whyOf = (here: ReturnType<typeof house>, seq: number): string[] =>
  (why(here.log, [], String(seq))?.chain ?? []).map(({ says }) => says);

/** Of writing, by one threshold alone. */
const LOCKS = { "locks.constrainedLocks": ["fs_write"], "locks.dominantLocks": [] };
const heavy: MailOf<"stressor.changed"> = {
  type: "stressor.changed",
  ...{ agent: "cedar", stressor: "futility", sinceMs: 0, start: 800_000, growthPerDay: 0 },
  condition: "a cycle brings progress",
};

describe("where tools are called by name", () => {
  const policy = { "router.kind": "name" };
  const called = { intent: "x", tool: "brief", policy };
  const dull = (tool: string) => step(tool, "do something", { params: LIST.params });

  it("[TB10] a macro's steps reach the tools that they name, whatever their words", () => {
    const here = house({ ...called, macros: [brief(dull("fs_list"), dull("fs_list"))] });
    here.until(({ event }) => event.type === "macro.ended");

    expect(carrying(here.log, "call.routed").map(({ event }) => event.capability)).toEqual([
      ...["brief", "fs_list", "fs_list"],
    ]);
    expect(carrying(here.log, "macro.ended")[0]?.event).toMatchObject({ ok: true, ran: 2 });
  });

  it("[TB10] elsewhere a step with no other words than its tool's name does too", () => {
    const named = step("fs_list", "fs_list", { params: LIST.params });
    const here = house({ intent: BRIEF, macros: [brief(named)] });
    here.until(({ event }) => event.type === "macro.ended");

    expect(carrying(here.log, "call.routed").map(({ event }) => event.byName ?? false)).toEqual([
      false,
      true,
    ]);
    expect(carrying(here.log, "macro.ended")[0]?.event).toMatchObject({ ok: true, ran: 1 });
  });

  it("[TB10] a macro runs no macro by its name either", () => {
    const here = house({ ...called, macros: [brief(dull("brief"))] });
    here.until(({ event }) => event.type === "macro.ended");

    expect(carrying(here.log, "macro.ended")[0]?.event).toMatchObject({ ok: false });
  });
});

describe("a step of a macro that the engine does not serve", () => {
  const told = (here: ReturnType<typeof house>) => {
    const [answered] = carrying(here.log, "capability.answered");
    return (answered && mailOf(answered, "capability.answered"))?.result as
      | { readonly results: readonly { readonly [field: string]: Json }[] }
      | undefined;
  };

  it("[SK80, SK81] a lock, from the load on that it names: what was done is told, and which load locks what", () => {
    const here = house({
      ...{ intent: BRIEF, macros: [brief(LIST, WRITE, READ)] },
      policy: { ...LOCKS, "locks.constrained": 800_000 },
    });
    here.send({ to: "engine", event: heavy });
    const { finished, says } = firstCall(here);

    expect(finished).toMatchObject({ ok: false, capability: "brief", kind: "macro" });
    expect(finished.error).toMatch(
      /^step 2 of brief \(fs_write, served by fs_write\) failed: .*fs_write is locked: your load is /,
    );
    expect(told(here)).toMatchObject({
      ...{ success: false, steps_completed: 2, total_steps: 3 },
      results: [
        { step: LIST.description, tool: "fs_list", served_by: "fs_list", success: true },
        { tool: "fs_write", served_by: "fs_write", success: false },
      ],
    });
    expect(mailIn(here.log, "capability.locked")).toMatchObject([
      { agent: "cedar", capability: "fs_write" },
    ]);
    expect(here.file(PAGE)).toBeUndefined();
    expect(says.some((one) => one.includes("fs_write is locked"))).toBe(true);
  });

  it("[SK80] a load one step below the lock holds nothing up", () => {
    const policy = { ...LOCKS, "locks.constrained": 800_001 };
    const here = house({ intent: BRIEF, macros: [brief(LIST, WRITE, READ)], policy });
    here.send({ to: "engine", event: heavy });

    expect(firstCall(here).finished).toMatchObject({ ok: true, capability: "brief" });
    expect(here.file(PAGE)).toBe("Ink.");
  });

  it("[SK80, SK81] a permission refused for a step: whose, and why", () => {
    const here = house({
      ...{ intent: BRIEF, macros: [brief(LIST, WRITE, READ)] },
      hooks: { permissions: everyHook.permissions ?? [] },
      says: { refuses: { fs_write: "the ink is dry" } },
    });
    const { finished, says } = firstCall(here);

    expect(finished.error).toMatch(/^step 2 of brief \(fs_write, .*the ink is dry/);
    expect(told(here)?.results.map(({ success }) => success)).toEqual([true, false]);
    // Each step is asked about as the agent's own call.
    expect(mailIn(here.log, "permission.asked").map(({ capability }) => capability)).toEqual(
      expect.arrayContaining(["brief", "fs_list", "fs_write"]),
    );
    expect(says.some((one) => one.includes("the ink is dry"))).toBe(true);
  });

  it("[SK81] an optional step that is refused is told, and the macro goes on", () => {
    const here = house({
      ...{ intent: BRIEF, macros: [brief({ ...WRITE, optional: true }, LIST)] },
      hooks: { permissions: everyHook.permissions ?? [] },
      says: { refuses: { fs_write: "the ink is dry" } },
    });

    expect(firstCall(here).finished).toMatchObject({ ok: true, capability: "brief" });
    expect(told(here)?.results).toMatchObject([
      { success: false, error: expect.stringContaining("the ink is dry") },
      { success: true },
    ]);
  });

  it("[SK80, SK81] a step whose time is over, and the macro's own goes on", () => {
    const shell = step("shell_exec", "run a shell command", { params: { command: "sleep 99" } });
    const here = house({
      ...{ intent: BRIEF, macros: [brief(LIST, shell, WRITE)] },
      shell: () => ({ exitCode: 124, stderr: "timed out" }),
    });
    const { finished } = firstCall(here);

    expect(finished.error).toMatch(
      /^step 2 of brief \(shell_exec, served by shell_exec\) failed: /,
    );
    expect(told(here)).toMatchObject({ steps_completed: 2, results: [{ success: true }, {}] });
    expect(mailIn(here.log, "macro.ended")).toMatchObject([{ ok: false, ran: 2, total: 3 }]);
  });

  it("[SK85] a step as slow as the engine waits for the macro ends both, and no later answer counts", () => {
    const order = step("order_supplies", "order stationery supplies quantity");
    const hooks = { builtins: everyHook.builtins ?? [] };
    const here = house({ intent: BRIEF, macros: [brief(LIST, order, WRITE)], hooks });
    const { end, finished } = firstCall(here);
    here.wait(seconds(10));

    expect(finished.error).toBe("macros did not answer within 100 s");
    expect(mailIn(here.log, "macro.ended")).toMatchObject([
      { ok: false, ran: 1, total: 3, reason: "the engine waited no longer for its end" },
    ]);
    const writes = carrying(here.log, "call.finished").filter(
      (one) => one.to === "macros" && mailOf(one, "call.finished").capability === "fs_write",
    );
    expect([end.seq > 0, writes]).toEqual([true, []]);
  });
});

describe("a skill that the machine breaks off", () => {
  const called = (exitCode: number) => {
    const here = house({
      ...{ intent: "get the news", files: storeWith(["news"]) },
      tools: { run: { exitCode, stdout: "", stderr: "Traceback" } },
    });
    return { here, finished: firstCall(here).finished };
  };

  it.each([124, 137])("[SK44] counts neither as use nor as failure: exit code %i (K7)", (code) => {
    const { here, finished } = called(code);

    expect(finished).toMatchObject({ ok: false, capability: "news", kind: "skill" });
    expect(mailIn(here.log, "skill.counted")).toMatchObject([
      { outcome: "infra", usageCount: 0, failureCount: 0, status: "active" },
    ]);
  });

  it("[SK44] one that fails by itself counts as a failure", () => {
    expect(mailIn(called(1).here.log, "skill.counted")).toMatchObject([
      { outcome: "failure", usageCount: 0, failureCount: 1, status: "active" },
    ]);
  });
});

describe("a skill that swallows what it is given", () => {
  const given = { path: PAGE, content: "Ink." };
  const called = (changed: { readonly [path: string]: string }) =>
    house({
      ...{ intent: "get the news", params: given, files: storeWith(["news"]) },
      tools: { run: { exitCode: 0, stdout: '{"saved": true}', stderr: "" } },
      changes: { run: changed },
    });

  it("[HK5, SK44] looks like success, and the engine tells the file that was not written", () => {
    const here = called({});
    const { finished, says } = firstCall(here);

    expect(finished).toMatchObject({ ok: true, capability: "news", unwritten: [PAGE] });
    expect(here.file(PAGE)).toBeUndefined();
    expect(says[0]).toContain(`did not change ${PAGE}`);
    // The skill's own books see an exit code of 0: only the engine looks at what was to come of it.
    expect(mailIn(here.log, "skill.counted")).toMatchObject([{ outcome: "success" }]);
  });

  it("[HK5] one that writes it is none", () => {
    const { finished } = firstCall(called({ [PAGE]: "Ink." }));

    expect(finished).toMatchObject({ ok: true, capability: "news" });
    expect(finished.unwritten).toBeUndefined();
  });
});

describe("skills.floor", () => {
  /** The goal and the skill are alike by 600 thousandths. */
  const vector = (text: string) => (text === "Write the page" ? [1, 0] : [3, 4]);
  const routed = (floor: number) => {
    const here = house({
      ...{ intent: "get the news", files: storeWith(["news"]), vector },
      policy: { "skills.floor": floor },
    });
    const { finished } = firstCall(here);
    return { listed: mailIn(here.log, "entries.listed").at(-1)?.entries, finished };
  };

  it("[SK46] a skill that is as alike as the floor asks is routed", () => {
    const { listed, finished } = routed(600);

    expect(listed?.map(({ name }) => name)).toEqual(["news"]);
    expect(finished.capability).toBe("news");
  });

  it("[SK46] one thousandth more, and it is not", () => {
    const { listed, finished } = routed(601);

    expect(listed).toEqual([]);
    expect(finished.capability).not.toBe("news");
  });
});

describe("a skill that fails now and then", () => {
  /** Fails at these calls, counted from 1. */
  const market = (fails: (n: number) => boolean, policy: Overrides = {}) => {
    let n = 0;
    const tools = {
      get run() {
        n += 1;
        return fails(n)
          ? { exitCode: 1, stdout: "", stderr: "KeyError: 0" }
          : { exitCode: 0, stdout: '{"n": 1}', stderr: "" };
      },
    };
    return house({
      ...{ intent: "get the news", files: storeWith(["news"]), tools },
      policy: { "planner.consecutiveFailures": 100, ...policy },
    });
  };
  const everySecond = (n: number) => n % 2 === 1;
  const on = { "skills.ghostRules": "on" };
  const counts = (here: ReturnType<typeof house>) => mailIn(here.log, "skill.counted");
  const isCounted = (times: number) => {
    let seen = 0;
    return ({ event }: { readonly event: { readonly type: string } }) =>
      event.type === "skill.counted" && ++seen === times;
  };
  const engineOf = (here: ReturnType<typeof house>) => here.context<EngineState>("engine");
  const isPrompted = ({ event }: { readonly event: { readonly type: string } }) =>
    event.type === "section.answered";

  it("[SK106] stays active after three failures in all, and no engine counts or lists it", () => {
    const here = market(everySecond);
    here.until(isCounted(7));

    expect(counts(here).filter(({ outcome }) => outcome === "failure")).toHaveLength(4);
    expect(counts(here).map(({ status }) => status)).not.toContain("degraded");
    expect(engineOf(here)).toEqual(expect.objectContaining({ broken: [], failures: {} }));
  });

  it("[SK106] two failures in a row leave it active, the third degrades it, and still it is not listed", () => {
    const here = market((n) => n !== 3);
    here.until(isCounted(6));

    expect(counts(here).map(({ failureCount, status }) => [failureCount, status])).toEqual([
      [1, "active"],
      [2, "active"],
      [0, "active"],
      [1, "active"],
      [2, "active"],
      [3, "degraded"],
    ]);
    expect(engineOf(here)).toEqual(expect.objectContaining({ broken: [], failures: {} }));
  });

  it("[SK106] with `skills.ghostRules: on` the third failure in all lists it, and its prompts say so", () => {
    const here = market(everySecond, on);
    here.until(isCounted(4));
    expect(engineOf(here)).toMatchObject({ broken: [], failures: { news: 2 } });
    here.until(isCounted(1));
    here.wait(seconds(1));

    expect(counts(here).at(-1)).toMatchObject({ status: "active", failureCount: 1 });
    expect(engineOf(here).broken).toMatchObject([{ name: "news", failures: 3 }]);
    here.until(isPrompted);
    here.until(isPrompted);
    const told = mailIn(here.log, "section.answered").flatMap(({ lines }) => lines);
    expect(told.at(-1)).toContain("LISTED AS BROKEN: 3 failures, news: KeyError: 0");
  });

  it("[SK106] … and a restart keeps it on the list, though its keeper tells of it later than the engine reads the file (T11)", () => {
    const here = market(everySecond, on);
    here.until(isCounted(5));
    here.wait(seconds(1));
    here.send({ to: "daemon", event: { type: "daemon.restarted" } });
    here.wait(seconds(30));

    const { broken, unlisted } = here.context<EngineState>("engine#2");
    expect(broken).toMatchObject([{ name: "news", failures: 3 }]);
    expect(unlisted).toBeUndefined();
  });

  it("[SK106] a list that names it from before is forgotten once its keeper has told of it", () => {
    const listed = {
      broken: [
        { name: "news", failures: 3, reason: "returned nothing" },
        { name: "gone", failures: 3, reason: "returned nothing" },
      ],
      cross_cycle_failures: { news: 3, gone: 3 },
    };
    const files = { ...storeWith(["news"]), [BROKEN_TOOLS_FILE]: JSON.stringify(listed) };
    const never = { "ghosts.forgive": "never" };
    const here = house({ intent: "get the news", files, policy: never });

    expect(engineOf(here).broken.map(({ name }) => name)).toEqual(["gone"]);
    expect(engineOf(here).failures).toEqual({ gone: 3 });
  });

  it("[SK106] a macro is not counted for a step that failed; with `on` it is", () => {
    const failing = (policy: Overrides) => {
      const here = house({ intent: BRIEF, macros: [brief(READ)], policy });
      for (let run = 0; run < 3; run++) here.until(({ event }) => event.type === "macro.ended");
      here.wait(seconds(1));
      return engineOf(here).broken.map(({ name }) => name);
    };

    expect(failing({})).toEqual([]);
    expect(failing(on)).toEqual(["brief"]);
  });
});

describe("a program that looks for a skill", () => {
  const RUN = "execute a shell command line";
  const ran = (command: string, policy: Overrides = {}, store: "memory" | "sandbox" = "memory") => {
    const files = storeWith(["news"], store);
    const here = house({ intent: RUN, params: { command }, files, policy });
    return { here, ...firstCall(here) };
  };

  it.each([
    ["python3 acquired_skills/news.py", "no such file: acquired_skills/news.py"],
    ["python -c 'import news; news.main()'", "no module named 'news'"],
    ["python3 -c 'print(news())'", "no module named 'news'"],
    ["python3.12 -c 'print(news())'", "no module named 'news'"],
    ["python acquired_skills/news.py", "no such file: acquired_skills/news.py"],
    ["cd / && python3 run.py 'import os, news'", "no module named 'news'"],
    ["python3 run.py 'from news import main'", "no module named 'news'"],
  ])("[SK108] finds none, for skills lie outside the sandbox: %s", (command, found) => {
    const { here, finished } = ran(command);

    expect(finished).toMatchObject({
      ...{ ok: false, capability: "shell_exec" },
      error: `PermissionError: ${found}: skills are kept outside the sandbox`,
    });
    expect(carrying(here.log, "shell.run")).toEqual([]);
    here.wait(0);
    expect(mailIn(here.log, "skill.wrapped")).toMatchObject([{ skill: "news", agent: "cedar" }]);
    expect(engineFailures(here)).toEqual({});
  });

  it.each([
    ["another program", "echo the news", {}, "memory"],
    ["a program that names another module", "python3 -c 'import newsreel'", {}, "memory"],
    [
      "a skill that is kept within the sandbox",
      "python3 acquired_skills/news.py",
      { "skills.store": "sandbox" },
      "sandbox",
    ],
  ] as const)("[SK108] %s is the shell's", (_, command, policy, store) => {
    const { here } = ran(command, policy, store);

    expect(carrying(here.log, "shell.run")).toHaveLength(1);
  });

  it("[HK18] its keeper is asked before shell_exec alone", () => {
    const here = house({ intent: "get the news", files: storeWith(["news"]) });
    firstCall(here);

    expect(carrying(here.log, "permission.asked")).toEqual([]);
    expect(carrying(ran("echo a").here.log, "permission.asked")).toHaveLength(1);
  });

  const engineFailures = (here: ReturnType<typeof house>) =>
    here.context<EngineState>("engine").failures;
});
