// Calls that name their tool. SPEC, "Tools by name (TB)".
import { describe, expect, it } from "vitest";
import { taken } from "../../../../src/machines/agents/engine/registry.ts";
import type { Json } from "../../../../src/machines/letter.ts";
import { carrying, mailOf } from "../../../mail.ts";
import {
  BROKEN,
  GHOST,
  ghostSpec,
  PAGE,
  specPath,
  tool,
  type WorkshopOptions,
  workshop,
} from "./workshop.ts";

const policy = { "router.kind": "name" };
const off = { ...policy, "ghosts.preExecutionCheck": false, "ghosts.nullIsFailure": false };
const rotate = tool("rotate", "Rotates thermal calibration matrices.");

function shop(options: WorkshopOptions = {}) {
  const here = workshop({ policy, ...options });
  const by = (name: string, params: { readonly [name: string]: Json } = {}, cycle = 1) => {
    const event = { intent: name, tool: name, params, agent: "cedar", cycle } as const;
    return mailOf(here.ask("engine", { type: "call.requested", ...event }), "call.finished");
  };
  return { ...here, by };
}

describe("a call by name", () => {
  it.each(["name", "lexical", "embedding"])(
    "[TB1] reaches that tool under router.kind %s",
    (kind) => {
      const files = { ...rotate, ...tool("turn", "rotate, exactly what is called for: rotate") };
      const one = shop({ files, tools: { rotate: 1, turn: 2 }, policy: { "router.kind": kind } });

      expect(one.by("rotate")).toMatchObject({ ok: true, capability: "rotate", result: 1 });
      expect(one.embedded).toEqual([]);
    },
  );

  it("[TB1] is refused by a lock as any call is", () => {
    const lockedAt = (start: number) => {
      const one = shop();
      const felt = { agent: "cedar", stressor: "futility", sinceMs: 0, start } as const;
      const event = { type: "stressor.changed", ...felt, growthPerDay: 0, condition: "-" } as const;
      one.send({ to: "engine", event });
      return one.by("fs_write", { path: PAGE, content: "x" }).locked;
    };

    expect([lockedAt(749_999), lockedAt(750_000)]).toEqual([undefined, true]);
  });

  it("[TB2] is on record as one: nothing was compared", () => {
    const one = shop({ files: rotate, tools: { rotate: 1 } });
    one.by("rotate");
    const [routed] = carrying(one.log, "call.routed");

    expect(routed?.event).toMatchObject({
      ...{ capability: "rotate", byName: true, score: 0, runnerUp: null, runnerUpScore: 0 },
    });
    expect(routed?.because).toEqual([routed?.event.call, one.state().entries.at(-1)?.madeBy]);
  });

  it("[TB2] a call by words is not", () => {
    const one = workshop();
    one.write();

    expect(carrying(one.log, "call.routed")[0]?.event).not.toHaveProperty("byName");
    expect(carrying(one.log, "call.requested")[0]?.event).not.toHaveProperty("tool");
  });

  it("[TB3] an unknown name is a failed step of no tool, and the nearest one is named", () => {
    const one = shop();

    expect(one.by("fs_wrte", { path: PAGE, content: "x" })).toMatchObject({
      ...{ ok: false, capability: null },
      error: 'there is no tool called "fs_wrte"; did you mean fs_write?',
    });
    expect(one.by("zzzzzz").error).toBe('there is no tool called "zzzzzz"');
    expect(one.file(PAGE)).toBeUndefined();
    expect(one.state().calls).toEqual({});
  });

  it("[TB4] under name, a step in words alone is a failed step that says so", () => {
    const one = shop();

    expect(one.write()).toMatchObject({ ok: false, capability: null });
    expect(one.write().error).toBe(
      'the step "file write" names no tool, and here tools are called by name',
    );
  });

  it("[TB5] a listed tool is not reached, unless router.skipBroken is off", () => {
    const broken = { broken: [{ name: "rotate", failures: 3, reason: "x" }] };
    const files = { ...rotate, [BROKEN]: JSON.stringify(broken) };
    const tools = { rotate: 1 };

    expect(shop({ files, tools }).by("rotate")).toMatchObject({
      ...{ ok: false, capability: null, error: "the tool rotate is broken or blacklisted" },
    });
    const open = shop({ files, tools, policy: { ...policy, "router.skipBroken": false } });
    expect(open.by("rotate")).toMatchObject({ ok: true, capability: "rotate" });
  });

  it("[TB1, TB5] a ghost is refused, and passed over for the rest of the cycle", () => {
    const one = shop({ files: { [specPath(GHOST)]: ghostSpec } });

    expect(one.by(GHOST).error).toBe(`${GHOST}: ghost: no .py found`);
    expect(one.by(GHOST).error).toBe(`the tool ${GHOST} is broken or blacklisted`);
    expect(one.by(GHOST, {}, 2).error).toBe(`${GHOST}: ghost: no .py found`);
  });

  it("[TB5] without detections a ghost that is called by name looks like success", () => {
    const one = shop({ files: { [specPath(GHOST)]: ghostSpec }, policy: off });

    expect(one.by(GHOST, { path: PAGE, content: "x" })).toMatchObject({ ok: true, nothing: true });
    expect(one.file(PAGE)).toBeUndefined();
  });
});

describe("what prompts are told", () => {
  const schema = {
    type: "object",
    properties: { angle: { type: "number" }, axis: { enum: ["x", "y"] }, of: {} },
    required: ["angle"],
  };
  const files = {
    ...rotate,
    [specPath("rotate")]: JSON.stringify({ description: "Rotates.", inputSchema: schema }),
  };
  const told = (kind: string) => {
    const one = shop({ files, policy: { "router.kind": kind } });
    return mailOf(one.ask("engine", { type: "tools.asked" }), "tools.answered").capabilities;
  };

  it("[TB6] under name: what each takes, of its schema or of the builtin", () => {
    const capabilities = told("name");

    expect(capabilities.find(({ name }) => name === "rotate")?.takes).toBe(
      'angle: number, axis?: "x" | "y", of?',
    );
    expect(capabilities.find(({ name }) => name === "fs_write")?.takes).toBe(
      "path: string, content: string",
    );
  });

  it("[TB6] where a schema demands nothing, all of it may be missing", () => {
    expect(taken({ properties: { angle: { type: "number" }, of: {} } })).toBe(
      "angle?: number, of?",
    );
  });

  it("[TB6] else nothing of it, and the registry keeps nothing", () => {
    expect(told("lexical").some((one) => "takes" in one)).toBe(false);
    const one = shop({ files, policy: { "router.kind": "lexical" } });
    expect(one.state().entries.some((entry) => "takes" in entry)).toBe(false);
  });

  it("[TB6] a spec that changes only what it takes is read again", () => {
    const one = shop({ files });
    one.put(
      specPath("rotate"),
      JSON.stringify({
        description: "Rotates.",
        inputSchema: { properties: {}, additionalProperties: false },
      }),
    );

    expect(one.state().entries.at(-1)).toMatchObject({ name: "rotate", takes: "" });
  });
});
