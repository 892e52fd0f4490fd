// How another part attaches to the agents' world, in worlds with a part of the tests' own.
import { describe, expect, it } from "vitest";
import { agents } from "../../../src/actors/agents/part.ts";
import { accepts, leavesOf } from "../../../src/contract/policy.ts";
import { withFailure } from "../../../src/machines/agents/engine/ghosts.ts";
import { bounced, entriesListed } from "../../../src/machines/agents/engine/hooked.ts";
import type { EngineState } from "../../../src/machines/agents/engine/state.ts";
import { type AgentHooks, allHooks, type ListedEntry } from "../../../src/machines/agents/hooks.ts";
import { renderPrompt, type View } from "../../../src/machines/agents/model/prompts.ts";
import { ask, type Delivered, type Letter, type MailOf } from "../../../src/machines/letter.ts";
import { seconds } from "../../../src/machines/units.ts";
import { canonicalJson } from "../../../src/substrate/canonicalJson.ts";
import { policyTree, why } from "../../builtIn.ts";
import { CLERK, everyHook } from "../../hooks.ts";
import { carrying, mailIn, mailOf } from "../../mail.ts";
import { clerkPart, type OfficeOptions, OTHER, office, PAGE, policyBeside } from "./clerk.ts";
import { tool } from "./engine/workshop.ts";

const ORDER = { intent: "order stationery supplies quantity", params: { item: "ink" } };
const WRITE = {
  intent: "write regular file path content",
  params: { path: PAGE, content: "Ink." },
};
const RECIPE = { name: "iron_gall_ink", description: "Boils gall nuts with copperas into ink." };
const BOIL = { intent: "boil gall nuts into ink" };

/** Nothing but this is attached. */
const only = (hooks: AgentHooks): AgentHooks => hooks;
const builtinsOnly = only({ builtins: everyHook.builtins ?? [] });
const kindsOnly = only({ kinds: everyHook.kinds ?? [] });
const sectionsOnly = only({ sections: everyHook.sections ?? [] });
const permissionsOnly = only({ permissions: everyHook.permissions ?? [] });
const reportsOnly = only({ reports: everyHook.reports ?? [] });

/** A load at which the lists of locks lock. */
const heavy: MailOf<"stressor.changed"> = {
  type: "stressor.changed",
  ...{ agent: "cedar", stressor: "futility", sinceMs: 0, start: 800_000, growthPerDay: 0 },
  condition: "a cycle brings progress",
};

/** Up to the end of cedar's first call. */
function firstCall(options: OfficeOptions) {
  const here = office(options);
  const end = here.until(({ to, event }) => to === "agent/cedar" && event.type === "call.finished");
  return { here, end, finished: mailOf(end, "call.finished") };
}

describe("a builtin of another part", () => {
  const receipt = { ok: true, result: { receipt: 7 } };

  it("[HK1] is listed, routed to and executed by the actor that serves it, and its result arrives", () => {
    const { here, finished } = firstCall({
      hooks: builtinsOnly,
      says: { capability: receipt },
      steps: [ORDER],
    });

    expect(finished).toMatchObject({ capability: "order_supplies", ...receipt });
    expect(mailIn(here.log, "capability.called")).toEqual([
      {
        ...{ type: "capability.called", agent: "cedar", cycle: 1, capability: "order_supplies" },
        ...ORDER,
      },
    ]);
    const [listed] = mailIn(here.log, "tools.answered");
    const names = listed?.capabilities.map(({ name }) => name) ?? [];
    // Behind the engine's own.
    expect(names.indexOf("order_supplies")).toBeGreaterThan(names.indexOf("retire_capability"));
    expect(names.at(-1)).toBe("order_supplies");
  });

  it("[HK1] changes files under the rules for agents, and only when the call went well", () => {
    const changed = { [PAGE]: "Ink." };
    const made = { ok: true, result: 1, changed, created: [PAGE] };
    const good = firstCall({
      hooks: builtinsOnly,
      says: { capability: made },
      steps: [ORDER],
    });
    const closed = { ...made, changed: { "/agentOS/agents/cedar.json": "{}" } };
    const bad = firstCall({ hooks: builtinsOnly, says: { capability: closed }, steps: [ORDER] });

    expect(good.finished.wrote).toEqual([PAGE]);
    expect(good.here.file(PAGE)).toBe("Ink.");
    expect(bad.finished.error).toContain("/agentOS/agents/ is read-only");
    expect(bad.here.file("/agentOS/agents/cedar.json")).toBeUndefined();
  });

  it("[HK1] drops what a failed call changed", () => {
    const changed = { [PAGE]: "Ink." };
    const spilt = { ok: false, error: "spilt", changed, created: [PAGE] };
    const { here, finished } = firstCall({
      hooks: builtinsOnly,
      says: { capability: spilt },
      steps: [ORDER],
    });

    expect(finished).toMatchObject({ ok: false, error: "spilt" });
    expect(finished.wrote ?? []).toEqual([]);
    expect(here.file(PAGE)).toBeUndefined();
  });

  it("[HK1] may be named by the lists of locks and of output capabilities", () => {
    const tree = agents.widened({ agents: [everyHook] });
    const leaves = new Map(leavesOf({ ...policyTree, ...tree }));
    const takes = (path: string, name: string): boolean => {
      const leaf = leaves.get(path);
      return leaf !== undefined && accepts(leaf, [name]);
    };

    expect(takes("locks.dominantLocks", "order_supplies")).toBe(true);
    expect(takes("locks.dominantLocks", "recipe")).toBe(true);
    expect(takes("progress.outputCapabilities", "order_supplies")).toBe(true);
    expect(leaves.get("engine.builtins")?.default).toContain("order_supplies");
    expect(takes("locks.dominantLocks", "unheard_of")).toBe(false);
  });

  /** The first call that ends once load has locked the tool. */
  const lockedCall = (tool: string, given: Parameters<typeof office>[0]) => {
    const here = office({ ...given, policy: { "locks.constrainedLocks": [tool] } });
    here.send({ to: "engine", event: heavy });
    return { here, end: here.until(({ event }) => event.type === "call.finished") };
  };

  it("[HK1] is locked by load like the engine's own", () => {
    const { here, end } = lockedCall("order_supplies", {
      ...{ hooks: builtinsOnly, says: { capability: receipt }, steps: [ORDER] },
    });

    expect(mailOf(end, "call.finished")).toMatchObject({ ok: false, locked: true });
    expect(carrying(here.log, "capability.called")).toEqual([]);
  });

  it("[EN22] a lock is asked before those who may permit a call", () => {
    const { here, end } = lockedCall("fs_write", { hooks: permissionsOnly, steps: [WRITE] });

    expect(mailOf(end, "call.finished")).toMatchObject({ ok: false, locked: true });
    expect(carrying(here.log, "permission.asked")).toEqual([]);
  });

  it("[HK1] a failed call is explained by the actor that served it, and by how it came to be asked", () => {
    const { here, end } = firstCall({
      hooks: builtinsOnly,
      says: { capability: { ok: false, error: "ValueError: no such ink" } },
      steps: [ORDER],
    });

    const said = (why(here.log, [], String(end.seq))?.chain ?? []).map(({ says }) => says);
    expect(said).toContain("clerk failed: ValueError: no such ink.");
    expect(said).toContain("cedar's call of order_supplies was put to clerk.");
    expect(said.some((says) => says.startsWith("The router gave cedar's"))).toBe(true);
  });

  it("[HK2] a failure is the caller's and counts against nothing", () => {
    const { here, finished } = firstCall({
      hooks: builtinsOnly,
      says: { capability: { ok: false, error: "ValueError: no such ink" } },
      steps: [ORDER],
    });

    expect(finished).toMatchObject({ ok: false, error: "ValueError: no such ink" });
    expect(here.context<EngineState>("engine").failures).toEqual({});
  });

  it("[HK3] an actor that does not answer in time has failed, and counts as a broken tool does", () => {
    const { here, end, finished } = firstCall({ hooks: builtinsOnly, steps: [ORDER] });

    const [asked] = carrying(here.log, "capability.called");
    expect(finished.error).toBe("clerk did not answer within 100 s");
    expect(end.dueMs - (asked?.dueMs ?? 0)).toBe(seconds(101));
    expect(here.context<EngineState>("engine").failures).toEqual({ order_supplies: 1 });
    const policy = { "hooks.capabilityMs": 5_000 };
    const soon = firstCall({ hooks: builtinsOnly, steps: [ORDER], policy });
    expect(soon.finished.error).toBe("clerk did not answer within 5 s");
    const [called] = carrying(soon.here.log, "capability.called");
    expect(soon.end.dueMs - (called?.dueMs ?? 0)).toBe(seconds(6));
  });

  it("[HK3] the time for a permission, which was granted, is not the time for the answer", () => {
    const { here, end } = firstCall({
      hooks: only({ ...builtinsOnly, ...permissionsOnly }),
      ...{ says: { refuses: {} }, steps: [ORDER] },
      policy: { "hooks.permissionMs": 3_000, "hooks.capabilityMs": 5_000 },
    });

    const [called] = carrying(here.log, "capability.called");
    expect(end.dueMs - (called?.dueMs ?? 0)).toBe(seconds(6));
  });

  it("[HK3] an answer that comes too late is not heard", () => {
    const { here } = firstCall({ hooks: builtinsOnly, steps: [ORDER] });
    const [asked] = carrying(here.log, "capability.called");
    here.tell({
      to: "engine",
      event: { type: "capability.answered", ok: true, result: 1 },
      ...(asked && { re: asked.seq }),
    });

    expect(carrying(here.log, "capability.answered").map(({ fate }) => fate)).toEqual(["stale"]);
  });

  it("[HK3] an actor that does not live has failed at once", () => {
    const { end, finished } = firstCall({ hooks: builtinsOnly, says: null, steps: [ORDER] });

    expect(finished.error).toBe("no actor lives at clerk");
    expect(end.dueMs).toBeLessThan(seconds(60));
  });
});

describe("a kind of registry entries", () => {
  const entries = [RECIPE];
  const boiled = { ok: true, result: "a pot of ink" };

  it("[HK4] its keeper lists the entries, and executes the calls that the router gives them", () => {
    const { here, finished } = firstCall({
      hooks: kindsOnly,
      says: { entries, capability: boiled },
      steps: [BOIL],
    });

    expect(finished).toMatchObject({ ok: true, capability: RECIPE.name, kind: "recipe" });
    expect(mailIn(here.log, "capability.called")[0]).toMatchObject({ capability: RECIPE.name });
  });

  it("[HK4] a call is of the kind that its entry had when it was made, also when the entry has left", () => {
    const here = office({ hooks: kindsOnly, says: { entries }, steps: [BOIL] });
    const called = here.until(({ event }) => event.type === "capability.called");
    here.tell({ to: "engine", event: { type: "entries.listed", kind: "recipe", entries: [] } });
    const result = { ok: false, error: "spilt" };
    here.tell({
      ...{ to: "engine", re: called.seq },
      event: { type: "capability.answered", ok: true, result },
    });
    const end = here.until(({ event }) => event.type === "call.finished");

    // As of a tool, its answer may say that it failed.
    expect(mailOf(end, "call.finished")).toMatchObject({ ...result, result: null, kind: "recipe" });
  });

  it("[HK4] lists of locks and of output capabilities may name the kind", () => {
    const says = { entries, capability: boiled };
    const outputOnly = { "progress.outputCapabilities": ["recipe"], "progress.otherStep": 0 };
    const counting = office({ hooks: kindsOnly, says, steps: [BOIL], policy: outputOnly });
    counting.until(({ event }) => event.type === "goal.ended");
    const locked = office({
      hooks: kindsOnly,
      says,
      steps: [BOIL],
      policy: { "locks.dominantLocks": ["recipe"] },
    });
    locked.send({ to: "engine", event: heavy });
    const end = locked.until(({ event }) => event.type === "call.finished");

    expect(mailOf(end, "call.finished")).toMatchObject({ locked: true, kind: "recipe" });
    expect(mailIn(locked.log, "capability.locked")).toMatchObject([{ kind: "recipe" }]);
  });

  it("[HK4] an entry reads in prompts as its keeper wants, or not at all", () => {
    const listed = [
      { ...RECIPE, reads: "CALL BY NAME: iron_gall_ink" },
      { name: "lamp_black", description: "Grinds soot into black ink.", reads: null },
    ];
    const here = office({ hooks: kindsOnly, says: { entries: listed } });
    here.until(({ event }) => event.type === "tools.answered");

    const capabilities = mailIn(here.log, "tools.answered")[0]?.capabilities ?? [];
    expect(capabilities.find(({ name }) => name === RECIPE.name)?.description).toBe(
      "CALL BY NAME: iron_gall_ink",
    );
    expect(capabilities.some(({ name }) => name === "lamp_black")).toBe(false);
    const changed = [{ ...RECIPE, reads: "CALL ANOTHER NAME" }];
    here.tell({
      to: "engine",
      event: { type: "entries.listed", kind: "recipe", entries: changed },
    });
    const { entries: now } = here.context<EngineState>("engine");
    expect(now.at(-1)?.brought?.reads).toBe("CALL ANOTHER NAME");
  });

  it("[HK4] what the keeper leaves out is retired; what others tell changes nothing", () => {
    const here = office({ hooks: kindsOnly, says: { entries } });
    const names = () =>
      here.context<EngineState>("engine").entries.flatMap(({ name, brought }) => {
        return brought === undefined ? [] : [name];
      });
    here.wait(0);
    expect(names()).toEqual([RECIPE.name]);
    here.send({ to: "engine", event: { type: "entries.listed", kind: "recipe", entries: [] } });
    expect(names()).toEqual([RECIPE.name]);
    const rust = [{ name: "rust", description: "Takes rust out." }];
    here.tell({ to: "engine", event: { type: "entries.listed", kind: "stain", entries: rust } });
    expect(names()).toEqual([RECIPE.name]);
    here.tell({ to: "engine", event: { type: "entries.listed", kind: "recipe", entries: [] } });

    expect(names()).toEqual([]);
    const { archived, implementations } = here.context<EngineState>("engine");
    expect(archived.map(({ name }) => name)).toEqual([RECIPE.name]);
    expect(implementations).not.toHaveProperty(RECIPE.name);
  });

  it("[HK4] of two keepers each has a word on its own kind alone, and a name is the first's who listed it", () => {
    const hooks = only({
      kinds: [
        { kind: "recipe", keeper: CLERK },
        { kind: "stain", keeper: OTHER },
      ],
    });
    const here = office({ hooks, says: { entries }, otherSays: { entries: [] } });
    const list = (kind: string, ...names: readonly string[]): Letter => {
      const listed = names.map((name) => ({ name, description: "Takes ink out." }));
      return { to: "engine", event: { type: "entries.listed", kind, entries: listed } };
    };
    const known = () =>
      here.context<EngineState>("engine").entries.flatMap(({ name, brought }) => {
        return brought === undefined ? [] : [[name, brought.kind, brought.by]];
      });
    const ofClerk = [RECIPE.name, "recipe", CLERK];

    here.otherTells(list("recipe"), list("recipe", "rust"), list("stain", RECIPE.name));
    expect(known()).toEqual([ofClerk]);
    here.otherTells(list("stain", RECIPE.name, "rust"));
    expect(known()).toEqual([ofClerk, ["rust", "stain", OTHER]]);
    here.tell(list("stain"), list("recipe"));
    expect(known()).toEqual([["rust", "stain", OTHER]]);
  });

  it("[T12] what was archived while the engine was down counts once the last keeper has said what there is", () => {
    const hooks = only({
      kinds: ["recipe", "stain"].map((kind) => ({ kind, keeper: CLERK })),
    });
    const policy = { ...policyBeside(hooks, {}), attached: allHooks([hooks]), self: "engine" };
    const gone = [{ name: "gone", failures: 3, reason: "spilt" }];
    const state = { ...office({ hooks }).context<EngineState>("engine"), broken: gone };
    const list = (before: EngineState, kind: string) => {
      const at = { nowMs: 0, seq: 9, from: CLERK };
      return entriesListed(before, { type: "entries.listed", kind, entries: [], at }, policy).state;
    };

    for (const [first, last] of [
      ["recipe", "stain"],
      ["stain", "recipe"],
    ] as const) {
      const one = list(state, first);
      expect(one.broken).toEqual(gone);
      expect(list(one, first).broken).toEqual(gone);
      expect(list(one, last).broken).toEqual([]);
    }
  });

  it("[HK4] ten thousand entries come, change and go", () => {
    const many = (description: string) =>
      Array.from({ length: 10_000 }, (_, n) => ({ name: `ink_${n}`, description }));
    const here = office({ hooks: kindsOnly });
    const listed = (entries: readonly ListedEntry[]) => {
      here.tell({ to: "engine", event: { type: "entries.listed", kind: "recipe", entries } });
      return here.context<EngineState>("engine");
    };
    const before = here.context<EngineState>("engine");
    const full = listed(many("Boils ink."));
    const changed = listed(many("Boils ink down."));
    const gone = listed([]);

    expect(full.entries).toHaveLength(before.entries.length + 10_000);
    expect(changed.entries.at(-1)?.description).toBe("Boils ink down.");
    expect(gone.entries).toEqual(before.entries);
    expect(gone.implementations).toEqual(before.implementations);
    expect(gone.archived).toHaveLength(10_000);
  });

  it("[HK4] a name that another capability bears, or that is none, is passed over", () => {
    const listed = [
      { name: "fs_write", description: "Boils gall nuts." },
      { name: "No name", description: "Boils gall nuts." },
      { name: "no-name", description: "Boils gall nuts." },
      { name: "nämlich", description: "Boils gall nuts." },
      { name: "x".repeat(65), description: "Boils gall nuts." },
    ];
    const here = office({ hooks: kindsOnly, says: { entries: listed } });
    here.wait(0);

    const { entries: all } = here.context<EngineState>("engine");
    expect(all.filter(({ brought }) => brought !== undefined)).toEqual([]);
  });

  it("[HK4] capitals and 64 characters are a name, as of a function", () => {
    const name = `TopNews_${"x".repeat(56)}`;
    const { finished } = firstCall({
      hooks: kindsOnly,
      says: { entries: [{ ...RECIPE, name }], capability: boiled },
      steps: [BOIL],
    });

    expect(finished).toMatchObject({ ok: true, capability: name, kind: "recipe" });
  });

  it("[HK4] the keeper retires its entries at the word of an agent", () => {
    const retire = { intent: "unregister tool by name retire", params: { name: RECIPE.name } };
    const { here, finished } = firstCall({
      hooks: kindsOnly,
      says: { entries, capability: { ok: true, result: { status: "retired" } } },
      steps: [retire],
    });

    expect(mailIn(here.log, "capability.called")[0]).toMatchObject({
      capability: "retire_capability",
      params: { name: RECIPE.name },
    });
    expect(finished).toMatchObject({ ok: true, result: { status: "retired" } });
  });

  it("[HK4] after a restart the engine asks again", () => {
    const here = office({ hooks: kindsOnly, says: { entries } });
    here.send({ to: "daemon", event: { type: "daemon.restarted" } });
    here.wait(seconds(21));

    const { entries: all } = here.context<EngineState>("engine#2");
    expect(all.map(({ name }) => name)).toContain(RECIPE.name);
  });

  it("[HK5] an entry behind which there is nothing is a ghost", () => {
    const { here, finished } = firstCall({
      hooks: kindsOnly,
      says: { entries: [{ ...RECIPE, runs: false }], capability: boiled },
      steps: [BOIL],
    });

    expect(finished.error).toContain("ghost");
    expect(carrying(here.log, "capability.called")).toEqual([]);
    expect(here.context<EngineState>("engine").failures).toEqual({ [RECIPE.name]: 1 });
  });

  it("[HK5] one that loses what is behind it is a ghost until something is there again", () => {
    const here = office({ hooks: kindsOnly });
    const isServed = (runs: boolean): boolean => {
      const entries = [{ ...RECIPE, runs }];
      here.tell({ to: "engine", event: { type: "entries.listed", kind: "recipe", entries } });
      return Object.hasOwn(here.context<EngineState>("engine").implementations, RECIPE.name);
    };

    expect([isServed(true), isServed(false), isServed(true)]).toEqual([true, false, true]);
  });

  it("[HK5] what it answers is judged as a tool's answer: failures add up, a lost write is remembered", () => {
    const failing = firstCall({
      hooks: kindsOnly,
      says: { entries, capability: { ok: true, result: { ok: false, error: "spilt" } } },
      steps: [BOIL],
    });
    const swallowing = firstCall({
      hooks: kindsOnly,
      says: { entries, capability: boiled },
      steps: [{ ...BOIL, params: { path: PAGE, content: "Ink." } }],
    });

    expect(failing.finished).toMatchObject({ ok: false, error: "spilt" });
    expect(failing.here.context<EngineState>("engine").failures).toEqual({ [RECIPE.name]: 1 });
    expect(swallowing.finished.unwritten).toEqual([PAGE]);
  });

  it.each([
    ["a failure", { ok: false, error: "spilt" }],
    ["an answer with ok: false", { ok: true, result: { ok: false } }],
    ["nothing", { ok: true, result: null }],
    ["no answer", undefined],
  ])(
    "[HK17] %s of an entry that its keeper judges counts for nothing; of another it counts",
    (_, capability) => {
      const failures = (listing: { readonly judges?: boolean }) => {
        const { here, finished } = firstCall({
          hooks: kindsOnly,
          says: { entries, ...listing, ...(capability && { capability }) },
          steps: [BOIL],
        });
        expect(finished.ok).toBe(false);
        return here.context<EngineState>("engine").failures;
      };

      expect(failures({ judges: true })).toEqual({});
      expect(failures({ judges: false })).toEqual({ [RECIPE.name]: 1 });
      expect(failures({})).toEqual({ [RECIPE.name]: 1 });
    },
  );

  it("[HK17] a ghost that its keeper judges is passed over for the cycle, and counted by nobody", () => {
    const { here, finished } = firstCall({
      hooks: kindsOnly,
      says: { entries: [{ ...RECIPE, runs: false }], judges: true },
      steps: [BOIL],
    });

    expect(finished.error).toContain("ghost");
    const { blacklists, failures } = here.context<EngineState>("engine");
    expect([blacklists["cedar"]?.names, failures]).toEqual([[RECIPE.name], {}]);
  });

  it("[HK17] code of the tools folder that serves the name counts, whoever judges the entry", () => {
    const here = office({ hooks: kindsOnly, says: { entries, judges: true } });
    const state = here.context<EngineState>("engine");
    const call = { capability: RECIPE.name, kind: "recipe" };
    const failures = (code: string) => {
      const implementations = { [RECIPE.name]: { code, madeBy: 1 } };
      const policy = { crossCycleFailures: 3 };
      return withFailure({ ...state, implementations }, call, "spilt", policy).state.failures;
    };

    expect(failures("")).toEqual({});
    expect(failures("def boil(): raise")).toEqual({ [RECIPE.name]: 1 });
  });

  it("[HK17] what was said of an entry is forgotten once its keeper judges it, unless it has code of its own", () => {
    const policy = {
      ...policyBeside(kindsOnly, {}),
      attached: allHooks([kindsOnly]),
      self: "engine",
    };
    const known = {
      ...office({ hooks: kindsOnly, says: { entries } }).context<EngineState>("engine"),
      failures: { [RECIPE.name]: 2 },
      broken: [{ name: RECIPE.name, failures: 3, reason: "spilt" }],
    };
    const listed = (state: EngineState, judges: boolean) => {
      const at = { nowMs: 0, seq: 9, from: CLERK };
      const event = { type: "entries.listed", kind: "recipe", entries, judges, at } as const;
      const { failures, broken } = entriesListed(state, event, policy).state;
      return [Object.keys(failures), broken.map(({ name }) => name)];
    };
    const implementations = { [RECIPE.name]: { code: "def boil(): ...", madeBy: 1 } };

    expect(listed(known, false)).toEqual([[RECIPE.name], [RECIPE.name]]);
    expect(listed(known, true)).toEqual([[], []]);
    expect(listed({ ...known, implementations }, true)).toEqual([[RECIPE.name], [RECIPE.name]]);
  });

  it("[HK17] what failed after its entry had left counts for nothing", () => {
    const here = office({ hooks: kindsOnly, says: { entries }, steps: [BOIL] });
    here.until(({ event }) => event.type === "capability.called");
    here.tell({ to: "engine", event: { type: "entries.listed", kind: "recipe", entries: [] } });
    here.until(({ event }) => event.type === "call.finished");

    expect(here.context<EngineState>("engine").failures).toEqual({});
    // One of another kind may bear its name by then.
    const there = office({ hooks: kindsOnly, says: { entries } }).context<EngineState>("engine");
    const failures = (kind: string) =>
      withFailure(there, { capability: RECIPE.name, kind }, "spilt", { crossCycleFailures: 3 })
        .state.failures;
    expect([failures("stain"), failures("recipe")]).toEqual([{}, { [RECIPE.name]: 1 }]);
  });

  it("[HK17] where a keeper does not live, what is archived is forgotten all the same (T12)", () => {
    const here = office({ hooks: kindsOnly, says: null });
    here.wait(seconds(1));

    const state = here.context<EngineState>("engine");
    expect(state.unlisted).toBeUndefined();
    const policy = { ...policyBeside(kindsOnly, {}), attached: allHooks([kindsOnly]) };
    const waiting = {
      ...{ ...state, unlisted: ["recipe"] },
      broken: [{ name: "gone", failures: 3, reason: "spilt" }],
    };
    const at = { nowMs: 0, seq: 9, from: "kernel", key: "entries:recipe" };
    const event = { type: "ask.bounced", address: CLERK, at } as Delivered<"ask.bounced">;
    expect(bounced(waiting, event, { ...policy, self: "engine" }).state.broken).toEqual([]);
  });
});

describe("a permission", () => {
  it.each(["lexical", "name"])(
    "[HK6, TB1] a refused call does not happen under router.kind %s; the reason is in the log, and `why` follows it",
    (kind) => {
      const { here, end, finished } = firstCall({
        hooks: permissionsOnly,
        says: { refuses: { fs_write: "cedar may not write" } },
        steps: [{ ...WRITE, tool: "fs_write" }],
        policy: { "router.kind": kind },
      });

      expect(finished).toMatchObject({ ok: false, error: "PermissionError: cedar may not write" });
      expect(here.file(PAGE)).toBeUndefined();
      const chain = why(here.log, [], String(end.seq))?.chain ?? [];
      expect(chain.map(({ type }) => type)).toContain("permission.answered");
      expect(chain.map(({ says }) => says)).toContain(
        "clerk refused the call: cedar may not write.",
      );
      expect(here.context<EngineState>("engine").failures).toEqual({});
    },
  );

  it("[HK6] the refusal stands in the next plan as any failed step does", () => {
    const here = office({
      hooks: permissionsOnly,
      says: { refuses: { fs_write: "cedar may not write" } },
      steps: [WRITE],
    });
    const isPlan = (view: { purpose: string }) => view.purpose === "plan";
    here.until(() => here.views.filter(isPlan).length === 2);

    expect(here.views.filter(isPlan)[1]).toMatchObject({
      notes: [expect.stringContaining("PermissionError: cedar may not write")],
    });
  });

  it("[HK6] a granted call goes on; each actor is asked in turn until one refuses", () => {
    const twice = [
      { from: CLERK, of: "every" },
      { from: CLERK, of: "every" },
    ] as const;
    const granted = firstCall({
      hooks: only({ permissions: twice }),
      says: { refuses: {} },
      steps: [WRITE],
    });
    const refused = firstCall({
      hooks: only({ permissions: twice }),
      says: { refuses: { fs_write: "no" } },
      steps: [WRITE],
    });

    expect(granted.finished.ok).toBe(true);
    expect(granted.here.file(PAGE)).toBe("Ink.");
    expect(carrying(granted.here.log, "permission.asked")).toHaveLength(2);
    expect(carrying(refused.here.log, "permission.asked")).toHaveLength(1);
  });

  it("[HK6] of two actors the second is asked once the first has granted, and its reason is told", () => {
    const permissions = [CLERK, OTHER].map((from) => ({ from, of: "every" }) as const);
    const asked = (clerk: string | null, other: string | null) => {
      const { here, finished } = firstCall({
        hooks: only({ permissions }),
        says: { permission: { granted: clerk === null, reason: clerk } },
        otherSays: { permission: { granted: other === null, reason: other } },
        steps: [WRITE],
      });
      return [carrying(here.log, "permission.asked").map(({ to }) => to), finished.error];
    };

    expect(asked(null, null)).toEqual([[CLERK, OTHER], undefined]);
    expect(asked(null, "not today")).toEqual([[CLERK, OTHER], "PermissionError: not today"]);
    expect(asked("not today", "never")).toEqual([[CLERK], "PermissionError: not today"]);
  });

  it("[HK6] a call that a lock refuses is asked of nobody", () => {
    const here = office({
      hooks: permissionsOnly,
      says: { refuses: {} },
      steps: [WRITE],
      policy: { "locks.constrainedLocks": ["fs_write"] },
    });
    here.send({ to: "engine", event: heavy });
    const end = here.until(({ event }) => event.type === "call.finished");

    expect(mailOf(end, "call.finished")).toMatchObject({ ok: false, locked: true });
    expect(carrying(here.log, "permission.asked")).toEqual([]);
  });

  it.each([
    [["order_supplies", "fs_write"], 1],
    [["fs_write", "order_supplies"], 1],
    [["order_supplies"], 0],
  ])("[HK18] an actor that names %j is asked before fs_write %i times", (before, times) => {
    const { here } = firstCall({
      hooks: only({ permissions: [{ from: CLERK, of: "every", before }] }),
      ...{ says: { refuses: {} }, steps: [WRITE] },
    });

    expect(carrying(here.log, "permission.asked")).toHaveLength(times);
  });

  it("[HK7] a call that was granted takes as long as it takes", () => {
    const { finished } = firstCall({
      hooks: permissionsOnly,
      says: { refuses: {} },
      steps: [{ intent: "chat completion prompt response", params: { prompt: "What is ink?" } }],
    });

    expect(finished).toMatchObject({ ok: true, result: { response: "Ink is black." } });
  });

  it("[HK7] an actor that is silent, or does not live, refuses; unless the policy allows", () => {
    const silent = firstCall({ hooks: permissionsOnly, steps: [WRITE] });
    const absent = firstCall({ hooks: permissionsOnly, says: null, steps: [WRITE] });
    const allowed = firstCall({
      hooks: permissionsOnly,
      steps: [WRITE],
      policy: { "hooks.permissionSilence": "allow" },
    });

    const twice = only({ permissions: [0, 1].map(() => ({ from: CLERK, of: "every" }) as const) });
    const policy = { "hooks.permissionSilence": "allow" };
    const both = firstCall({ hooks: twice, steps: [WRITE], policy });
    const nobody = firstCall({ hooks: permissionsOnly, says: null, steps: [WRITE], policy });

    expect(nobody.finished.ok).toBe(true);
    expect(carrying(both.here.log, "permission.asked")).toHaveLength(2);
    expect(silent.finished.error).toBe("PermissionError: clerk did not answer within 10 s");
    expect(absent.finished.error).toBe("PermissionError: no actor lives at clerk");
    expect(allowed.finished.ok).toBe(true);
    const soon = firstCall({
      hooks: permissionsOnly,
      steps: [WRITE],
      policy: { "hooks.permissionMs": 3_000 },
    });
    const [asked] = carrying(soon.here.log, "permission.asked");
    expect(soon.finished.error).toBe("PermissionError: clerk did not answer within 3 s");
    expect(soon.end.dueMs - (asked?.dueMs ?? 0)).toBe(seconds(4));
  });
});

describe("a closed folder", () => {
  const CLOSED = "/agentOS/cupboard/keys.md";
  const hooks = only({ ...builtinsOnly, closed: ["/agentOS/attic", "/agentOS/cupboard"] });
  const write = (path: string) => ({ ...WRITE, params: { path, content: "Mine." } });

  it("[HK16] takes no write of an agent, and its neighbour does", () => {
    const closed = firstCall({ hooks, steps: [write(CLOSED)] });
    const itself = firstCall({ hooks, steps: [write("/agentOS/cupboard")] });
    const beside = firstCall({ hooks, steps: [write("/agentOS/cupboards/keys.md")] });

    expect(closed.finished.ok).toBe(false);
    expect(closed.finished.error).toBe(
      "PermissionError: /agentOS/cupboard is closed to agents and their tools",
    );
    expect(closed.here.file(CLOSED)).toBeUndefined();
    expect(itself.finished.error).toBe(closed.finished.error);
    expect(beside.finished.ok).toBe(true);
  });

  it.each([
    ["fs_edit", "in-place edit of a file", { path: CLOSED, old_text: "Ours", new_text: "Mine" }],
    ["shell_exec", "execute a shell command line", { command: `echo Mine. > ${CLOSED}` }],
    ["rotate", "rotate matrices", {}],
  ])("[HK16] %s changes nothing there", (capability, intent, params) => {
    const files = {
      [CLOSED]: "Ours.",
      ...tool("rotate", "Rotates thermal calibration matrices."),
    };
    const here = office({
      ...{ hooks, files, steps: [{ intent, params }], tools: { rotate: 1 } },
      changes: { rotate: { [PAGE]: "Turned.", [CLOSED]: "Mine." } },
    });
    const end = here.until(({ event }) => event.type === "call.finished");

    expect(mailOf(end, "call.finished")).toMatchObject({
      ...{ ok: false, capability },
      error: "PermissionError: /agentOS/cupboard is closed to agents and their tools",
    });
    expect([here.file(CLOSED), here.file(PAGE)]).toEqual(["Ours.", undefined]);
  });

  it("[HK16] nothing of a call that would change it is changed, whoever executes the call", () => {
    // The closed one stands between two that are open.
    const changed = { "/agentOS/apron.md": "Blue.", [PAGE]: "Ink.", [CLOSED]: "Mine." };
    const made = { ok: true, result: 1, changed, created: Object.keys(changed) };
    const { here, finished } = firstCall({ hooks, says: { capability: made }, steps: [ORDER] });

    expect(finished.error).toContain("/agentOS/cupboard is closed");
    expect(Object.keys(changed).filter((path) => here.file(path) !== undefined)).toEqual([]);
  });
});

it("[HK16] an actor of the part writes into the folder that the part has closed", () => {
  const path = "/agentOS/cupboard/keys.md";
  const here = office({ hooks: only({ closed: ["/agentOS/cupboard"] }) });
  here.tell({ to: "files", event: { type: "files.write", path, text: "Ours." } });

  expect(here.file(path)).toBe("Ours.");
});

describe("a section and a nudge", () => {
  const section = {
    title: "### SKILL PLAYBOOK",
    lines: ["Dry the page before folding it.", "One line\nonly."],
    nudges: [{ text: "Did you order ink?", dischargedBy: ["order_supplies"] }],
  };
  const hooks = only({ ...builtinsOnly, sections: everyHook.sections ?? [] });
  const promptsOf = (views: readonly { purpose: string }[], purpose: string) =>
    views.filter((view) => view.purpose === purpose).map((view) => renderPrompt(view as View));

  it("[HK8] an actor is asked for it before each prompt of its purposes", () => {
    const here = office({ hooks: sectionsOnly, says: { section }, steps: [WRITE] });
    here.until(({ event }) => event.type === "call.finished");

    expect(mailIn(here.log, "section.asked")).toMatchObject([
      { agent: "cedar", purpose: "goal.choose", n: 1, goal: null },
      { agent: "cedar", purpose: "plan", n: 1, goal: "Write the page" },
    ]);
  });

  it("[HK8] before a prompt of a purpose that it does not name an actor is not asked", () => {
    const here = office({
      hooks: only({ sections: [{ from: CLERK, purposes: ["plan"] }] }),
      says: { section },
      steps: [WRITE],
    });
    here.until(({ event }) => event.type === "call.finished");

    expect(mailIn(here.log, "section.asked").map(({ purpose }) => purpose)).toEqual(["plan"]);
  });

  it("[HK8] it stands in the prompt line by line under its title, and the prompt rests on it", () => {
    const here = office({ hooks: sectionsOnly, says: { section }, steps: [WRITE] });
    here.until(({ event }) => event.type === "call.finished");

    const lines =
      "### SKILL PLAYBOOK:\n  - Dry the page before folding it.\n  - One line only.\n\n";
    expect(promptsOf(here.views, "goal.choose")[0]).toContain(lines);
    expect(promptsOf(here.views, "plan")[0]).toContain(lines);
    const [, answered] = carrying(here.log, "section.answered");
    const asked = carrying(here.log, "llm.asked").find(({ event }) => event.purpose === "plan");
    expect(asked?.because).toContain(answered?.seq);
  });

  it("[HK8] of two actors each has its section, and a prompt waits for both", () => {
    const sections = [CLERK, OTHER].map((from) => ({ from, purposes: ["plan"] }) as const);
    const other = { title: "### RULES OF THE HOUSE", lines: ["Wipe your feet."] };
    const here = office({
      ...{ hooks: only({ sections }), steps: [WRITE] },
      ...{ says: { section }, otherSays: { section: other } },
    });
    here.until(({ event }) => event.type === "call.finished");

    const [plan = ""] = promptsOf(here.views, "plan");
    expect(plan).toContain("### SKILL PLAYBOOK:\n  - Dry the page before folding it.");
    expect(plan).toContain("### RULES OF THE HOUSE:\n  - Wipe your feet.");
  });

  it("[HK8] without lines it is left out", () => {
    const empty = { ...section, lines: [] };
    const here = office({ hooks: sectionsOnly, says: { section: empty }, steps: [WRITE] });
    here.until(({ event }) => event.type === "call.finished");

    expect(carrying(here.log, "section.answered")).toHaveLength(2);
    expect(promptsOf(here.views, "plan").join()).not.toContain("SKILL PLAYBOOK");
    for (const view of here.views) expect(view).not.toHaveProperty("sections");
  });

  it("[HK9] a nudge stands until a call that it names has gone well, and not again for that goal", () => {
    const here = office({
      hooks,
      says: { section, capability: { ok: true, result: { receipt: 7 } } },
      steps: [ORDER],
      policy: { "progress.otherStep": 100_000 },
    });
    const nudged = () =>
      promptsOf(here.views, "plan").map((text) => text.includes("Did you order ink?"));
    here.until(() => nudged().length === 3);

    expect(nudged()).toEqual([true, false, false]);
    expect(promptsOf(here.views, "plan")[0]).toContain(
      "STILL ASKED OF YOU:\n  - Did you order ink? (done by order_supplies)",
    );
  });

  it("[HK9] a call that went well discharges what names it or its kind, and nothing else does", () => {
    const hooksOfKinds = only({ ...kindsOnly, ...sectionsOnly });
    const boiled = { ok: true, result: "a pot of ink" } as const;
    const spilt = { ok: false, error: "spilt" } as const;
    const nudged = (capability: typeof boiled | typeof spilt, named = "recipe") => {
      const nudges = [{ text: "Did you boil ink?", dischargedBy: [named] }];
      const says = { section: { ...section, nudges }, entries: [RECIPE], capability };
      const policy = { "progress.otherStep": 100_000 };
      const here = office({ hooks: hooksOfKinds, says, steps: [BOIL], policy });
      const texts = () => promptsOf(here.views, "plan");
      here.until(() => texts().length === 2);
      return texts().map((text) => text.includes("boil ink?"));
    };

    expect([nudged(boiled), nudged(boiled, RECIPE.name)]).toEqual([
      [true, false],
      [true, false],
    ]);
    expect([nudged(spilt), nudged(boiled, "fs_write")]).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it("[HK9] a nudge that a call discharged is raised anew for the next goal, and prompts rest on it", () => {
    const nudgesAlone = { ...section, lines: [] };
    const says = { section: nudgesAlone, capability: { ok: true, result: { receipt: 7 } } };
    const here = office({ hooks, says, steps: [ORDER, WRITE] });
    here.until(({ event }) => event.type === "goal.ended");
    const past = promptsOf(here.views, "plan").length;
    here.until(() => promptsOf(here.views, "plan").length > past);

    expect(promptsOf(here.views, "plan").at(-1)).toContain("Did you order ink?");
    const raised = carrying(here.log, "section.answered").at(-1);
    const asked = carrying(here.log, "llm.asked").findLast(({ event }) => event.purpose === "plan");
    const known = carrying(here.log, "section.answered").map(({ seq }) => seq);
    expect(raised && asked?.because?.some((seq) => known.includes(seq))).toBe(true);
  });

  it("[HK9] a nudge that no call discharged is over with its goal, and may be raised anew", () => {
    const here = office({ hooks, says: { section }, steps: [WRITE] });
    here.until(() => here.views.filter(({ purpose }) => purpose === "plan").length === 2);

    expect(promptsOf(here.views, "plan").every((text) => text.includes("order ink"))).toBe(true);
  });

  it("[HK10] the agent asks its model without the section of an actor that is late, or not there", () => {
    const late = office({ hooks: sectionsOnly, steps: [WRITE] });
    const asked = late.until(({ event }) => event.type === "section.asked");
    const model = late.until(({ event }) => event.type === "llm.asked");
    const absent = office({ hooks: sectionsOnly, says: null, steps: [WRITE] });
    const question = absent.until(({ event }) => event.type === "section.asked");
    const answered = absent.until(({ event }) => event.type === "llm.asked");

    expect(model.dueMs - asked.dueMs).toBe(seconds(30));
    expect(answered.dueMs).toBe(question.dueMs);
    expect(late.views[0]).not.toHaveProperty("sections");
    const soon = office({
      hooks: sectionsOnly,
      steps: [WRITE],
      policy: { "hooks.sectionMs": 4_000 },
    });
    const first = soon.until(({ event }) => event.type === "section.asked");
    expect(soon.until(({ event }) => event.type === "llm.asked").dueMs - first.dueMs).toBe(4_000);
  });
});

describe("a report", () => {
  it("[HK11] arrives once for each step, each call and each goal that is over", () => {
    const here = office({ hooks: reportsOnly, steps: [WRITE] });
    here.until(({ event }) => event.type === "goal.ended");
    here.wait(0);

    expect(mailIn(here.log, "step.reported")).toMatchObject([
      { agent: "cedar", n: 1, goal: "Write the page", capability: "fs_write", ok: true, ...WRITE },
    ]);
    const [finished] = mailIn(here.log, "call.finished");
    const cameOfIt = { ok: true, result: finished?.result, error: null, nothing: false };
    expect(finished?.result).toBeTruthy();
    expect(mailIn(here.log, "step.reported")).toMatchObject([cameOfIt]);
    expect(mailIn(here.log, "call.reported")).toMatchObject([cameOfIt]);
    expect(mailIn(here.log, "call.reported")).toMatchObject([
      { agent: "cedar", caller: "agent/cedar", capability: "fs_write", wrote: [PAGE], ...WRITE },
    ]);
    expect(mailIn(here.log, "goal.reported")).toMatchObject([
      { agent: "cedar", n: 1, status: "completed", text: "Write the page", artifact: PAGE },
    ]);
  });

  it("[HK11] tells of a goal that is abandoned, and why", () => {
    const here = office({
      hooks: reportsOnly,
      steps: [{ intent: "chat completion prompt response", params: { prompt: "What is ink?" } }],
      policy: { "gate.parts": ["output"], "gate.missesMax": 1 },
    });
    here.until(({ event }) => event.type === "goal.ended");
    here.wait(0);

    expect(mailIn(here.log, "goal.reported")).toMatchObject([
      { n: 1, status: "abandoned", misses: 1, reason: expect.any(String) },
    ]);
  });

  it("[HK11] comes to those that ask for it, to each of what it asks for", () => {
    const reports = [
      { to: CLERK, of: ["step", "goal", "call"] },
      { to: OTHER, of: ["call"] },
    ] as const;
    const here = office({ hooks: only({ reports }), otherSays: {}, steps: [WRITE] });
    here.until(({ event }) => event.type === "goal.ended");
    here.wait(0);

    const told = here.log.filter(({ event }) => /^(step|call|goal)\.reported$/.test(event.type));
    expect(told.map(({ to, event }) => `${to} ${event.type}`).toSorted()).toEqual([
      ...["call", "goal", "step"].map((one) => `${CLERK} ${one}.reported`),
      `${OTHER} call.reported`,
    ]);
  });

  it("[HK11] tells of a failed call what its error was", () => {
    const { here } = firstCall({
      hooks: only({ ...builtinsOnly, ...reportsOnly }),
      ...{ says: { capability: { ok: false, error: "spilt" } }, steps: [ORDER] },
    });
    here.wait(0);

    const failed = [{ ok: false, result: null, error: "spilt", ...ORDER }];
    expect(mailIn(here.log, "call.reported")).toMatchObject(failed);
    expect(mailIn(here.log, "step.reported")).toMatchObject(failed);
  });

  it("[HK11] tells of failed steps, and of those whose call was never answered", () => {
    const here = office({
      hooks: only({ ...builtinsOnly, ...reportsOnly }),
      steps: [ORDER],
      policy: { "hooks.capabilityMs": seconds(200) },
    });
    here.until(({ event }) => event.type === "step.reported");

    expect(mailIn(here.log, "step.reported")).toMatchObject([
      { ok: false, capability: null, error: "the call was not answered in time", ...ORDER },
    ]);
  });
});

describe("a call in an agent's name", () => {
  const inNameOf = (agent: string): Letter =>
    ask({
      to: "engine",
      key: "step",
      event: { type: "call.requested", agent, cycle: 1, ...WRITE },
    });

  it("[HK11] is routed and reported as that agent's, and its end comes to the actor that made it", () => {
    const here = office({ hooks: reportsOnly });
    here.tell(inNameOf("cedar"));
    const { event } = here.until((one) => one.to === CLERK && one.event.type === "call.finished");

    expect(event).toMatchObject({ ok: true, capability: "fs_write" });
    here.wait(0);
    expect(mailIn(here.log, "call.reported")).toMatchObject([{ agent: "cedar", caller: CLERK }]);
  });

  it("[HK1] [HK6] stands under that agent's locks and permissions", () => {
    const locked = office({ hooks: reportsOnly });
    locked.send({ to: "engine", event: heavy });
    locked.tell(inNameOf("cedar"));
    locked.wait(seconds(2));
    const refused = office({ hooks: permissionsOnly, says: { refuses: { fs_write: "no" } } });
    refused.tell(inNameOf("cedar"));
    refused.wait(seconds(2));

    expect(mailIn(locked.log, "call.finished")).toMatchObject([{ ok: false, locked: true }]);
    expect(mailIn(refused.log, "call.finished")).toMatchObject([{ error: "PermissionError: no" }]);
  });
});

describe("everything attached", () => {
  it("[KN19] is strict JSON between any two deliveries", () => {
    const section = { title: "NOTES", lines: ["Dry it."], nudges: [] };
    const says = { section, refuses: {}, entries: [RECIPE], capability: { ok: true, result: 1 } };
    const here = office({ says, steps: [BOIL, ORDER], policy: { "progress.otherStep": 400_000 } });
    for (let deliveries = 0; deliveries < 200; deliveries++) {
      here.kernel.step();
      expect(() => canonicalJson(here.kernel.checkpoint())).not.toThrow();
    }

    expect(carrying(here.log, "capability.called").length).toBeGreaterThan(1);
  });
});

describe("nothing attached", () => {
  const digestBeside = (part: ReturnType<typeof clerkPart>) => {
    const here = office({ hooks: {}, says: null, steps: [WRITE], part });
    here.wait(seconds(100));
    return here.kernel.digest;
  };

  it("[HK14] a part that attaches nothing to this world changes no digest", () => {
    const none = digestBeside({ name: CLERK });

    expect(digestBeside(clerkPart({}))).toBe(none);
    expect(digestBeside({ ...clerkPart(), attachesTo: () => false })).toBe(none);
    expect(digestBeside(clerkPart())).not.toBe(none);
  });
});
