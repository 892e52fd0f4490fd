import { describe, expect, it } from "vitest";
import { builtins } from "../../../../src/machines/agents/engine/builtins.ts";
import { minutes, seconds } from "../../../../src/machines/units.ts";
import { codePath, GHOST, ghostSpec, PAGE, spec, specPath, tool, workshop } from "./workshop.ts";

const ARCHIVE = "/agentOS/tools/archive/x.json";
const off = { "ghosts.preExecutionCheck": false, "ghosts.nullIsFailure": false };

describe("at the start", () => {
  it("[EN1] the builtins are registered, then every spec of the folder by name", () => {
    const one = workshop({
      files: { ...tool("zeta", "Rotates logs."), ...tool("alpha", "Rotates keys.") },
    });

    expect(one.state().entries.map(({ name }) => name)).toEqual([
      ...builtins.map(({ name }) => name),
      "alpha",
      "zeta",
    ]);
    expect(Object.keys(one.state().implementations)).toContain("zeta");
  });

  it("[EN1] a spec without code is an entry, code without a spec is none", () => {
    const one = workshop({
      files: { [specPath(GHOST)]: ghostSpec, [codePath("lonely")]: "def lonely(): ..." },
    });

    expect(one.names()).toEqual([GHOST]);
    expect(one.state().implementations[GHOST]).toBeUndefined();
    expect(one.state().implementations["lonely"]).toBeDefined();
  });
});

describe("what a spec is", () => {
  it.each([
    ["no JSON", specPath("x"), "{"],
    ["no object", specPath("x"), '["secure"]'],
    ["without a description", specPath("x"), '{"name": "x"}'],
    ["with a description that is no text", specPath("x"), '{"description": 7}'],
    ["with a lone surrogate", specPath("x"), '{"description": "\\ud800"}'],
    ["in a folder below", "/agentOS/tools/dynamic/deep/x.json", ghostSpec],
    ["beside the folder", "/agentOS/tools/x.json", ghostSpec],
    ["with another ending", "/agentOS/tools/dynamic/x.yaml", ghostSpec],
    ["with a name that no tool can have", specPath("My_tool"), ghostSpec],
    ["with a hyphen in its name", specPath("my-tool"), ghostSpec],
    ["without a name", specPath(""), ghostSpec],
    ["with 61 letters", specPath("x".repeat(61)), ghostSpec],
  ])("[EN2] a file %s is none", (_, path, text) => {
    const one = workshop();

    one.put(path, text);

    expect(one.names()).toEqual([]);
  });

  it.each(["x", "x".repeat(60), "constructor", "2_fast"])(
    "[EN2] a tool may be called %s",
    (name) => {
      const one = workshop({ policy: off });

      one.put(specPath(name), ghostSpec);

      expect(one.names()).toEqual([name]);
      expect(one.write()).toMatchObject({ ok: true, capability: name, nothing: true });
    },
  );

  it("[EN2] text that is no spec any more leaves the entry as it was", () => {
    const one = workshop({ files: { [specPath(GHOST)]: ghostSpec } });

    one.put(specPath(GHOST), "{");

    expect(one.state().entries.at(-1)).toMatchObject({
      name: GHOST,
      description: "secure file write operations",
    });
  });

  it("[EN2] a spec may describe a builtin anew; removing it leaves the builtin there", () => {
    const one = workshop();

    one.put(specPath("fs_read"), spec("secure file write operations"));
    expect(one.write().capability).toBe("fs_read");
    one.remove(specPath("fs_read"));

    expect(one.state().entries.map(({ name }) => name)).toContain("fs_read");
    expect(one.state().entries.map(({ description }) => description)).not.toContain(
      "secure file write operations",
    );
  });
});

describe("a change of the folder", () => {
  it("[WO5] a world has the builtins that its policy names, in the catalogue's order", () => {
    const one = workshop({ policy: { "engine.builtins": ["memory_get", "fs_read"] } });

    expect(one.state().entries.map(({ name }) => name)).toEqual(["fs_read", "memory_get"]);
    expect(
      one.call("write the plan to a file", { path: "/agentOS/a", content: "x" }),
    ).toMatchObject({
      capability: "fs_read",
    });
    expect(one.call("send cedar a message").capability).toBeNull();
  });

  it("[T15] a bare JSON takes calls at once, and no more at once when archived", () => {
    const one = workshop({ policy: off });
    expect(one.write().capability).toBe("fs_write");

    one.put(specPath(GHOST), ghostSpec);
    expect(one.write()).toMatchObject({ capability: GHOST, ok: true, result: null, nothing: true });

    one.move(specPath(GHOST), ARCHIVE);
    expect(one.write()).toMatchObject({ capability: "fs_write", ok: true, nothing: false });
    expect(one.state().archived).toEqual([
      { name: GHOST, hadCode: false, atMs: one.kernel.nowMs - 1_000 },
    ]);
  });

  it("[T15] a .py is no implementation until code is loaded", () => {
    const one = workshop({
      policy: off,
      files: { [specPath(GHOST)]: ghostSpec },
      tools: { [GHOST]: { saved: 1 } },
    });

    one.put(codePath(GHOST), "def safe_file_executor(**kwargs): ...");
    one.wait(minutes(10));
    expect(one.write()).toMatchObject({ capability: GHOST, nothing: true });
    expect(one.runs()).toHaveLength(0);

    one.restart();
    expect(one.write()).toMatchObject({ capability: GHOST, result: { saved: 1 }, nothing: false });
    expect(one.runs()).toHaveLength(1);
  });

  it("[T15] a .py that is removed stays loaded until the next start", () => {
    const one = workshop({
      policy: off,
      files: tool(GHOST, "secure file write operations"),
      tools: { [GHOST]: { saved: 1 } },
    });

    one.remove(codePath(GHOST));
    expect(one.write()).toMatchObject({ result: { saved: 1 } });

    one.restart();
    expect(one.write()).toMatchObject({ capability: GHOST, nothing: true });
  });

  it("[T14] registering a name again updates its description and keeps its place", () => {
    const one = workshop({
      files: { ...tool("alpha", "Rotates logs."), ...tool("zeta", "Rotates keys.") },
    });

    one.put(specPath("alpha"), spec("secure file write operations"));

    expect(one.names()).toEqual(["alpha", "zeta"]);
    expect(one.write().capability).toBe("alpha");
    const routed = one.log.findLast(({ event }) => event.type === "call.routed");
    expect(routed?.because).toContain(
      one.state().entries.find(({ name }) => name === "alpha")?.madeBy,
    );
  });

  it("[T15] the same description again is no new fact", () => {
    const one = workshop({ files: { [specPath(GHOST)]: ghostSpec } });
    const before = one.state().entries;

    one.put(
      specPath(GHOST),
      JSON.stringify({ description: "secure file write operations", more: 1 }),
    );

    expect(one.state().entries).toBe(before);
  });
});

describe("with registry.rescan 300s", () => {
  const policy = { ...off, "registry.rescan": "300s" };

  it("[T15] a spec is seen at the next look, not before", () => {
    const one = workshop({ policy });
    one.put(specPath(GHOST), ghostSpec);

    one.wait(seconds(300) - 1 - one.kernel.nowMs);
    expect(one.names()).toEqual([]);
    one.wait(1);
    expect(one.names()).toEqual([GHOST]);

    one.remove(specPath(GHOST));
    one.wait(seconds(600) - 1 - one.kernel.nowMs);
    expect(one.names()).toEqual([GHOST]);
    one.wait(1);
    expect(one.names()).toEqual([]);
  });

  it("[T15] a look finds new, changed and vanished specs at once", () => {
    const one = workshop({
      policy,
      files: { ...tool("alpha", "Rotates logs."), ...tool("gone", "Rotates keys.") },
    });
    one.put(specPath("alpha"), spec("Rotates wheels."));
    one.put(specPath("omega"), spec("Rotates shifts."));
    one.remove(specPath("gone"));

    one.wait(seconds(300));

    expect(
      one
        .state()
        .entries.slice(-2)
        .map(({ description }) => description),
    ).toEqual(["Rotates wheels.", "Rotates shifts."]);
  });
});

describe("the end of the engine", () => {
  it("[DA2] it stops looking at the folder", () => {
    const one = workshop();

    one.restart();
    one.put(PAGE, "x");
    one.put(specPath(GHOST), ghostSpec);

    expect(
      one.log.filter(({ event }) => event.type === "folder.changed").map(({ to }) => to),
    ).toEqual(["engine#2"]);
  });
});
