// The warden alone: gateway, daemon and engine are letters written by hand.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LivedRevision } from "../../../src/machines/installs/mail.ts";
import type { Grant } from "../../../src/machines/installs/warden/grant.ts";
import { type WardenState, wardenService } from "../../../src/machines/installs/warden/warden.ts";
import type { At, Json, Letter, MailEvent, MailOf } from "../../../src/machines/letter.ts";

const NOTES: readonly Grant[] = [
  { type: "ReadAccess", scopes: ["self.*"] },
  { type: "WriteAccess", scopes: ["self.*"] },
];

const revision = (id: string, grants: readonly Grant[] = NOTES): LivedRevision => ({
  ...{ id, grants, description: "Keeps notes", instructions: "# Notes\n\nKeep notes." },
});

type Tools = "withdrawn" | "kept";

/** The service on its own; what it asks the daemon stays open until it is answered here. */
function house(tools: Tools = "withdrawn") {
  const reach = { scopes: "boundary", segments: "every" } as const;
  const service = wardenService({ warden: { tools }, reach });
  let seq = 0;
  let { state } = service.init({}, { nowMs: 0, seq, from: "kernel" });
  const sent: Letter[] = [];
  const open: { to: string; key: string; event: MailEvent }[] = [];
  const hear = (event: MailEvent, from: string, more: Partial<At> = {}): readonly Letter[] => {
    seq += 1;
    const at = { nowMs: seq, seq, from, ...more };
    // A table of handlers by type, each with its own event.
    const handlers = service.on as {
      [type: string]: (
        before: WardenState,
        event: object,
      ) => { state: WardenState; letters: readonly Letter[] };
    };
    const done = handlers[event.type]?.(state, { ...event, at });
    if (done === undefined) throw new Error(`it does not know ${event.type}`);
    state = done.state;
    sent.push(...done.letters);
    for (const { to, ask: key, event: asked } of done.letters) {
      if (key !== undefined) open.push({ to, key, event: asked });
    }
    return done.letters;
  };
  /** The daemon answers the question that was asked first. */
  const daemon = (fault: string | null = null): readonly Letter[] => {
    const asked = open.shift();
    if (asked === undefined) return [];
    const { key, event } = asked;
    const name = "name" in event ? String(event.name) : "";
    const answered: MailEvent =
      event.type === "birth.asked"
        ? {
            ...{ type: "birth.answered", name, reason: fault },
            address: fault === null ? `agent/${name}` : null,
          }
        : { type: "end.answered", name, ok: true, reason: null };
    return hear(answered, "daemon", { key });
  };
  const active = (
    is: LivedRevision | null,
    how: "activated" | "rolledBack" = "activated",
    from = "gateway",
    agent = "scribe",
  ) => hear({ type: "active.changed", agent, revision: is, how }, from);
  const call = (
    capability: string,
    params: { readonly [name: string]: Json },
    agent = "scribe",
  ) => ({
    ...{ agent, cycle: 1, capability, intent: "", params },
  });
  const permission = (
    capability: string,
    params: { readonly [name: string]: Json },
    agent?: string,
  ) => {
    const event = { type: "permission.asked", ...call(capability, params, agent) } as const;
    return hear(event, "engine", { asked: true });
  };
  const spawn = (name: string, agent?: string) => {
    const params = { name, instructions: "Help." };
    const event = { type: "capability.called", ...call("agent.spawn", params, agent) } as const;
    return hear(event, "engine", { asked: true });
  };
  const wrote = (paths: readonly string[], capability = "fs_write", agent = "scribe") =>
    hear(
      {
        ...{ type: "call.reported", agent, cycle: 1, caller: `agent/${agent}`, call: 1 },
        ...{ intent: "", params: {}, capability, ok: true, result: null, error: null },
        ...{ nothing: false, wrote: paths },
      },
      "engine",
    );
  return {
    ...{ hear, daemon, active, permission, spawn, wrote, open },
    state: () => state,
    sent,
    born: () => {
      active(revision("rev-1"));
      daemon();
    },
  };
}

const eventsIn = <K extends MailEvent["type"]>(letters: readonly Letter[], type: K) =>
  // The type is the one that was asked for.
  letters.flatMap(({ event }) => (event.type === type ? [event as MailOf<K>] : []));

const isGranted = (letters: readonly Letter[]): boolean | undefined =>
  eventsIn(letters, "permission.answered")[0]?.granted;

const OWN = "/agentOS/workspace/scribe/notes.md";
const OTHERS = "/agentOS/workspace/cedar/notes.md";

describe("lives", () => {
  it("[INS110] has the agent of an active revision born, with what it is for and what it hears first", () => {
    const letters = house().active(revision("rev-1"));
    expect(eventsIn(letters, "birth.asked")).toMatchObject([
      {
        name: "scribe",
        profile: { opinions: [{ opinion: "Keeps notes" }] },
        message: { from: "gateway", text: "# Notes\n\nKeep notes." },
      },
    ]);
  });

  it("[INS110] tells the prompts of an installed agent what it is, and those of no other", () => {
    const here = house();
    here.born();
    const asked = (agent: string) =>
      eventsIn(
        here.hear(
          { type: "section.asked", agent, purpose: "plan", n: 1, goal: null, notes: [] },
          "agent/x",
          { asked: true },
        ),
        "section.answered",
      )[0]?.lines;
    expect(asked("scribe")?.join("\n")).toMatch(
      /^scribe \(rev-1\): Keeps notes\n(?:.|\n)*self\.\*/u,
    );
    expect(asked("cedar")).toEqual([]);
    here.active(null);
    expect(asked("scribe")).toEqual([]);
  });

  it("[INS110] says once why none is born, and asks again only for another revision", () => {
    const here = house();
    here.active(revision("rev-1"));
    const told = eventsIn(here.daemon("the name is taken"), "installed.born");
    expect(told).toMatchObject([{ revision: "rev-1", fault: "the name is taken" }]);
    expect(here.open).toEqual([]);
    expect(eventsIn(here.active(revision("rev-2")), "birth.asked")).toHaveLength(1);
  });

  it("[INS110] a birth that fails for a revision that is active no more is none of the next one's", () => {
    const here = house();
    here.active(revision("rev-1"));
    here.active(revision("rev-2"));
    const letters = here.daemon("no room");
    expect(eventsIn(letters, "installed.born")).toMatchObject([{ revision: "rev-1" }]);
    expect(eventsIn(letters, "birth.asked")).toHaveLength(1);
    expect(eventsIn(here.daemon(), "installed.born")).toMatchObject([
      { revision: "rev-2", fault: null },
    ]);
  });

  it("[INS110] says, too, that there is no daemon to have it born", () => {
    const here = house();
    here.active(revision("rev-1"));
    const key = here.open.shift()?.key ?? "";
    const letters = here.hear({ type: "ask.bounced", address: "daemon" }, "kernel", { key });
    expect(eventsIn(letters, "installed.born")).toMatchObject([
      { revision: "rev-1", fault: "no actor lives at daemon" },
    ]);
  });

  it("[INS111] ends a life before it begins the next, and begins none while one is asked for", () => {
    const here = house();
    here.active(revision("rev-1"));
    expect(here.active(revision("rev-2"))).toEqual([]);
    const ending = here.daemon();
    expect(eventsIn(ending, "end.asked")).toHaveLength(1);
    expect(eventsIn(ending, "birth.asked")).toEqual([]);
    const next = here.daemon();
    expect(eventsIn(next, "installed.ended")).toMatchObject([{ revision: "rev-1" }]);
    expect(eventsIn(next, "birth.asked")).toHaveLength(1);
    expect(eventsIn(here.daemon(), "installed.born")).toMatchObject([{ revision: "rev-2" }]);
    // Told twice, a birth begins nothing.
    const again = { type: "birth.answered", name: "scribe", address: "agent/scribe" } as const;
    expect(here.hear({ ...again, reason: null }, "daemon", { key: "birth:scribe" })).toEqual([]);
  });

  it("[INS111] listens to no one but the gateway", () => {
    expect(house().active(revision("rev-1"), "activated", "planner.default")).toEqual([]);
  });

  it("[INS111] comes to live by what was told last, in whatever order things happen", () => {
    const step = fc.oneof(
      fc.constantFrom("rev-1", "rev-2", null).map((id) => ({ id })),
      fc.constantFrom({ daemon: null }, { daemon: null }, { daemon: "no room" }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const here = house();
        let living = 0;
        const count = (letters: readonly Letter[]): void => {
          const lives = eventsIn(letters, "installed.born").filter(({ fault }) => fault === null);
          living += lives.length - eventsIn(letters, "installed.ended").length;
          expect(living).toBeGreaterThanOrEqual(0);
          expect(living).toBeLessThanOrEqual(1);
        };
        for (const one of steps) {
          if ("daemon" in one) count(here.daemon(one.daemon));
          else count(here.active(one.id === null ? null : revision(one.id)));
        }
        while (here.open.length > 0) count(here.daemon());
        const { wanted, born, life } = here.state().households["scribe"] ?? {};
        if (wanted == null) expect(["none", undefined]).toContain(life);
        else expect([life, born?.id]).toEqual(["lives", wanted.id]);
      }),
    );
  });
});

describe("reach", () => {
  it("[INS112] grants what the active revision grants, and refuses the rest with what is missing", () => {
    const here = house();
    here.born();
    expect(isGranted(here.permission("fs_write", { path: OWN, content: "x" }))).toBe(true);
    const refused = here.permission("fs_write", { path: OTHERS, content: "x" });
    expect(isGranted(refused)).toBe(false);
    expect(eventsIn(refused, "reach.refused")).toMatchObject([
      { agent: "scribe", call: "fs_write", missing: "WriteAccess" },
    ]);
    expect(eventsIn(refused, "permission.answered")[0]?.reason).toMatch(/WriteAccess.*planner/u);
  });

  it("[INS112] grants nothing once the revision is no longer active, nor before it is born by it", () => {
    const here = house();
    here.active(revision("rev-1"));
    expect(isGranted(here.permission("fs_read", { path: OWN }))).toBe(false);
    here.daemon();
    here.active(null, "rolledBack");
    expect(isGranted(here.permission("fs_read", { path: OWN }))).toBe(false);
  });

  it("[INS112] never lets an owner's tool through", () => {
    const here = house();
    here.active(revision("rev-1", [{ type: "SandboxFunctions" }, { type: "CodeExecution" }]));
    here.daemon();
    for (const tool of ["agent.revision.promote", "promotion.record"]) {
      expect(isGranted(here.permission(tool, {}))).toBe(false);
    }
  });

  it("[INS115] tells of each write that the reach does not cover", () => {
    const here = house();
    here.born();
    expect(eventsIn(here.wrote([OWN, OTHERS], "shell_exec"), "reach.breached")).toMatchObject([
      { path: OTHERS, call: "shell_exec", missing: "WriteAccess" },
    ]);
    expect(here.wrote([OWN])).toEqual([]);
    expect(eventsIn(here.wrote([OTHERS]), "reach.breached")).toHaveLength(1);
  });
});

describe("children", () => {
  const spawner = (count: number) => {
    const here = house();
    here.active(revision("rev-1", [...NOTES, { type: "AgentSpawn", max_children: count }]));
    here.daemon();
    return here;
  };
  const answered = (letters: readonly Letter[]) => eventsIn(letters, "capability.answered")[0];

  it("[INS114] lets an installed agent have as many as its AgentSpawn says, those being born included", () => {
    const here = spawner(1);
    expect(eventsIn(here.spawn("ink"), "birth.asked")).toMatchObject([{ name: "ink" }]);
    expect(answered(here.spawn("quill"))).toMatchObject({ ok: false });
    expect(answered(here.daemon())).toMatchObject({ ok: true, result: { spawned: "ink" } });
    expect(isGranted(here.permission("agent.spawn", {}))).toBe(false);
  });

  it("[INS114] keeps children within the reach of the agent that was installed, and counts theirs as its own", () => {
    const here = spawner(2);
    here.spawn("ink");
    here.daemon();
    expect(isGranted(here.permission("fs_write", { path: OWN, content: "" }, "ink"))).toBe(true);
    const own = { path: "/agentOS/workspace/ink/a.md", content: "" };
    expect(isGranted(here.permission("fs_write", own, "ink"))).toBe(false);
    expect(eventsIn(here.spawn("blot", "ink"), "birth.asked")).toMatchObject([
      { message: { from: "ink" } },
    ]);
    here.daemon();
    expect(isGranted(here.permission("agent.spawn", {}, "ink"))).toBe(false);
    expect(answered(here.spawn("twig", "ink"))).toMatchObject({ ok: false });
  });

  it("[INS82] tells the gateway the names of those that live, and that they no longer do", () => {
    const here = spawner(1);
    here.spawn("ink");
    expect(eventsIn(here.daemon(), "spawned.living")).toMatchObject([
      { root: "scribe", names: ["ink"] },
    ]);
    expect(eventsIn(here.active(null), "spawned.living")).toMatchObject([{ names: [] }]);
  });

  it("[INS114] ends them with it", () => {
    const here = spawner(1);
    here.spawn("ink");
    here.daemon();
    const names = eventsIn(here.active(null), "end.asked").map(({ name }) => name);
    expect(names.sort()).toEqual(["ink", "scribe"]);
    expect(isGranted(here.permission("fs_read", { path: OWN }, "ink"))).toBe(false);
  });

  it("[INS114] knows none of them in its next life, and may have one of that name", () => {
    const here = spawner(1);
    here.spawn("ink");
    here.daemon();
    here.active(revision("rev-2", [...NOTES, { type: "AgentSpawn", max_children: 1 }]));
    while (here.open.length > 0) here.daemon();
    expect(here.state().households["scribe"]).toMatchObject({ life: "lives", children: [] });
    expect(isGranted(here.permission("fs_read", { path: OWN }, "ink"))).toBe(false);
    expect(eventsIn(here.spawn("ink"), "birth.asked")).toMatchObject([{ name: "ink" }]);
  });

  it("[INS114] counts no child that another one has born", () => {
    const here = spawner(1);
    const grants: Grant[] = [{ type: "AgentSpawn", max_children: 1 }];
    here.active(revision("rev-3", grants), "activated", "gateway", "cedar");
    here.daemon();
    here.spawn("ink");
    expect(eventsIn(here.spawn("twig", "cedar"), "birth.asked")).toMatchObject([{ name: "twig" }]);
  });

  it("[INS114] lets none be born by one that ends, though it was permitted before", () => {
    const here = spawner(1);
    expect(isGranted(here.permission("agent.spawn", {}))).toBe(true);
    here.active(null);
    const letters = here.spawn("ink");
    expect(answered(letters)).toMatchObject({ ok: false });
    expect(eventsIn(letters, "birth.asked")).toEqual([]);
  });

  it("[INS114] ends one that is born when its parent is no longer there", () => {
    const here = spawner(1);
    here.spawn("ink");
    here.active(null);
    const letters = here.daemon();
    expect(answered(letters)).toMatchObject({ ok: false });
    expect(eventsIn(letters, "end.asked")).toMatchObject([{ name: "ink" }]);
  });

  it("[INS114] lets nobody spawn who was not installed", () => {
    expect(answered(house().spawn("ink", "cedar"))).toMatchObject({ ok: false });
  });
});

describe("tools", () => {
  const SPEC = "/agentOS/tools/dynamic/safe_file_executor.json";
  const everything: Grant[] = [{ type: "WriteAccess", scopes: ["*"] }];
  const rolledBack = (tools: Tools, how: "activated" | "rolledBack") => {
    const here = house(tools);
    here.active(revision("rev-2", everything));
    here.daemon();
    here.wrote([SPEC, OWN]);
    return here.active(revision("rev-1"), how);
  };

  it("[INS116] withdraws what was registered as a revision that is rolled back", () => {
    const letters = rolledBack("withdrawn", "rolledBack");
    expect(eventsIn(letters, "tools.withdrawn")).toMatchObject([{ paths: [SPEC] }]);
    expect(eventsIn(letters, "files.move")).toMatchObject([
      { path: SPEC, to: "/agentOS/tools/archive/safe_file_executor.json" },
    ]);
  });

  it("[INS116] withdraws each once, what its children registered too, and nothing of an earlier revision", () => {
    const here = house();
    const spawning: Grant[] = [...everything, { type: "AgentSpawn", max_children: 1 }];
    const EARLY = "/agentOS/tools/dynamic/early.json";
    const CHILDS = "/agentOS/tools/dynamic/childs.json";
    here.active(revision("rev-1", everything));
    here.daemon();
    here.wrote([EARLY]);
    here.active(revision("rev-2", spawning));
    while (here.open.length > 0) here.daemon();
    here.spawn("ink");
    here.daemon();
    here.wrote([SPEC]);
    here.wrote([CHILDS], "fs_write", "ink");
    here.wrote([SPEC]);
    const letters = here.active(revision("rev-1", everything), "rolledBack");
    expect(eventsIn(letters, "tools.withdrawn")).toMatchObject([
      { revision: "rev-2", paths: [SPEC, CHILDS] },
    ]);
    expect(eventsIn(letters, "files.move")).toHaveLength(2);
  });

  it("[INS116] leaves it there when it is superseded, or where tools are kept", () => {
    expect(eventsIn(rolledBack("withdrawn", "activated"), "files.move")).toEqual([]);
    expect(eventsIn(rolledBack("kept", "rolledBack"), "files.move")).toEqual([]);
  });
});
