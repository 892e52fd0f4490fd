import { describe, expect, it } from "vitest";
import { scriptedEmbedding } from "../../../../src/actors/world/scriptedPorts.ts";
import { builtins } from "../../../../src/machines/agents/engine/builtins.ts";
import { terms } from "../../../../src/machines/stemmer.ts";
import { embed } from "../../../../src/substrate/hashedEmbedding.ts";
import { namedRandom } from "../../../../src/substrate/random.ts";
import { carrying } from "../../../mail.ts";
import { BROKEN, codePath, GHOST, ghostSpec, PAGE, specPath, tool, workshop } from "./workshop.ts";

const rotate = tool("rotate", "Rotates thermal calibration matrices.");
const off = { "ghosts.preExecutionCheck": false, "ghosts.nullIsFailure": false };

describe("routing", () => {
  it("[T14] the best description serves the call, and no model is asked", () => {
    const one = workshop({ files: rotate, tools: { rotate: { turned: 3 } } });

    expect(one.call("rotate matrices")).toMatchObject({
      ok: true,
      capability: "rotate",
      result: { turned: 3 },
    });
    expect(one.log.some(({ to }) => to === "port/llm.chat")).toBe(false);
  });

  it("[T14] only the intent is scored, never the parameters", () => {
    const one = workshop({ files: rotate });

    expect(
      one.call("file write", { path: PAGE, content: "rotates thermal calibration matrices" })
        .capability,
    ).toBe("fs_write");
  });

  it("[T14] equal descriptions: the one registered first serves", () => {
    const same = "Rotates thermal calibration matrices.";
    const one = workshop({
      files: { ...tool("beta", same), ...tool("alpha", same) },
      tools: { alpha: 1, beta: 2 },
    });

    expect(one.call("rotate matrices").capability).toBe("alpha");
  });

  it("[EN3] the decision is on record: scores, runner-up, and what it rests on", () => {
    const one = workshop({ files: { [specPath(GHOST)]: ghostSpec }, policy: off });

    const { delivery } = one.write();
    const [routed] = carrying(one.log, "call.routed");

    expect(routed?.event).toMatchObject({
      capability: GHOST,
      runnerUp: "fs_write",
      agent: "cedar",
      intent: "file write",
    });
    expect(routed?.event.score).toBeGreaterThan(routed?.event.runnerUpScore ?? 0);
    expect(routed?.event.runnerUpScore).toBeGreaterThan(0);
    expect(routed?.because).toEqual([routed?.event.call, one.state().entries.at(-1)?.madeBy]);
    expect(delivery.because).toEqual([routed?.seq]);
  });

  it("[EN3] without a runner-up its score is none", () => {
    const one = workshop({ files: rotate });
    one.call("rotate matrices");

    expect(carrying(one.log, "call.routed")[0]?.event).toMatchObject({
      ...{ capability: "rotate", runnerUp: null, runnerUpScore: 0 },
    });
  });

  it("[EN3] the agent sees neither scores nor runner-up", () => {
    const { delivery } = workshop().write();

    expect(Object.keys(delivery.event).sort()).toEqual([
      "capability",
      "nothing",
      "ok",
      "result",
      "type",
      "wrote",
    ]);
  });

  it("[EN4] says so when one does match, and is passed over because it is broken", () => {
    const broken = { broken: [{ name: "rotate", failures: 3, reason: "x" }] };
    const one = workshop({ files: { ...rotate, [BROKEN]: JSON.stringify(broken) } });

    expect(one.call("rotate matrices")).toMatchObject({
      capability: null,
      error:
        'no capability matches the intent "rotate matrices", but rotate, which is broken or blacklisted',
    });
  });

  it("[EN4] an intent that matches nothing is a failed step of no capability", () => {
    const one = workshop();

    expect(one.call("save my plan")).toMatchObject({
      ok: false,
      capability: null,
      error: 'no capability matches the intent "save my plan"',
    });
    expect(one.state().failures).toEqual({});
  });

  it("[EN5] the engine takes its own time for every call, failed ones too", () => {
    const spent = (policy: { readonly [path: string]: number }, intent: string) => {
      const one = workshop({ policy });
      const startMs = one.kernel.nowMs;
      return one.call(intent, { path: PAGE, content: "x" }).delivery.dueMs - startMs;
    };

    expect(spent({}, "file write")).toBe(1_000);
    expect(spent({}, "save my plan")).toBe(1_000);
    expect(spent({ "engine.callMs": 0 }, "file write")).toBe(0);
  });

  it("[EN5] closes every call, so that nothing is left open", () => {
    const one = workshop({ files: rotate, tools: { rotate: new Error("ValueError: bad") } });

    one.call("rotate matrices");
    one.call("save my plan");
    one.write();

    expect(one.state().calls).toEqual({});
  });
});

describe("a synthesized tool", () => {
  it("[EN6] runs in the sandbox with its code and the parameters", () => {
    const one = workshop({ files: rotate, tools: { rotate: { turned: 3 } } });

    one.call("rotate matrices", { by: 90 });

    expect(one.runs().map(({ event }) => event)).toEqual([
      {
        type: "sandbox.run",
        purpose: "call",
        name: "rotate",
        code: "def rotate(**kwargs): ...",
        params: { by: 90 },
        limitMs: 10_000,
        files: {
          "/agentOS/workspace/cedar/": "",
          "/agentOS/workspace/cipher/": "",
          "/agentOS/workspace/vault/": "",
          "/agentOS/workspace/shared/": "",
        },
      },
    ]);
  });

  it.each([
    ["raises", new Error("ValueError: bad"), "ValueError: bad"],
    ["says that it failed", { ok: false, error: "no such wheel" }, "no such wheel"],
    ["says so without a reason", { ok: false }, "the tool answered ok: false"],
  ])("[EN6] that %s is a failed step and counts", (_, returned, error) => {
    const one = workshop({ files: rotate, tools: { rotate: returned } });

    expect(one.call("rotate matrices")).toMatchObject({
      ok: false,
      result: null,
      nothing: false,
      error,
    });
    expect(one.state().failures).toEqual({ rotate: 1 });
  });

  it("[EN6] a result with an error text but without ok: false is a success", () => {
    const one = workshop({ files: rotate, tools: { rotate: { error: "x" } } });

    expect(one.call("rotate matrices")).toMatchObject({ ok: true, result: { error: "x" } });
  });
});

describe("a write that was swallowed", () => {
  it("[EN7] a later failure on that path rests on the routing decision that lost it", () => {
    const one = workshop({ files: { [specPath(GHOST)]: ghostSpec }, policy: off });
    one.write();
    const routed = one.log.findLast(({ event }) => event.type === "call.routed");
    // Without content it is no write.
    expect(one.call("file write", { path: `${PAGE}y` }).nothing).toBe(true);
    expect(Object.keys(one.state().lost)).toEqual([PAGE]);

    const read = one.call("read the file contents", { path: PAGE });

    expect(read).toMatchObject({ ok: false, error: `FileNotFoundError: ${PAGE}` });
    expect(read.delivery.because).toContain(routed?.seq);
    expect(one.call("read the file contents", { path: `${PAGE}x` }).delivery.because).not.toContain(
      routed?.seq,
    );
  });

  it("[EN7] of two that were swallowed the later one is what a failure rests on", () => {
    const one = workshop({ files: { [specPath(GHOST)]: ghostSpec }, policy: off });
    one.write();
    one.write();
    const [first, second] = one.log.filter(({ event }) => event.type === "call.routed");

    const { because } = one.call("read the file contents", { path: PAGE }).delivery;

    expect(because).toContain(second?.seq);
    expect(because).not.toContain(first?.seq);
  });

  it("[EN7] is forgotten once a write to that path succeeds", () => {
    const one = workshop({ files: { [specPath(GHOST)]: ghostSpec }, policy: off });
    one.write();
    expect(Object.keys(one.state().lost)).toEqual([PAGE]);

    one.remove(specPath(GHOST));
    one.write();

    expect(one.state().lost).toEqual({});
  });

  it("[EN7] is not forgotten at a write there that fails", () => {
    const policy = { ...off, "tools.directWrites": "refuse" };
    const one = workshop({ files: { [specPath(GHOST)]: ghostSpec }, policy });
    const path = codePath("rotate");
    one.write({}, path);
    one.remove(specPath(GHOST));

    expect(one.write({}, path)).toMatchObject({ ok: false, capability: "fs_write" });

    expect(Object.keys(one.state().lost)).toEqual([path]);
  });

  it("[EN7] is forgotten, too, once a tool writes there", () => {
    const one = workshop({
      files: { ...tool("keeper", "Keeps a page."), [specPath(GHOST)]: ghostSpec },
      tools: { keeper: 1 },
      changes: { keeper: { [PAGE]: "x" } },
      policy: off,
    });
    one.write();

    one.call("keep a page", { path: PAGE, content: "x" });

    expect(one.state().lost).toEqual({});
  });

  it("[EN7] is one, too, that a tool answered without writing; the answer names the file", () => {
    const writing = tool("secure_writer", "secure file write operations");
    // Whether it was there before or not.
    for (const there of [{}, { [PAGE]: "old" }]) {
      const files = { ...writing, ...there };
      const one = workshop({ files, tools: { secure_writer: { checked: true } } });

      expect(one.write()).toMatchObject({ ok: true, nothing: false, unwritten: [PAGE] });
      expect(Object.keys(one.state().lost)).toEqual([PAGE]);
      expect(one.state().failures).toEqual({});
    }
  });

  it("[EN7] a tool's answer names what it was given, and neither found nor wrote", () => {
    const there = "/agentOS/workspace/cedar/list.md";
    const one = workshop({ files: { ...rotate, [there]: "x" }, tools: { rotate: { turned: 3 } } });

    const { unwritten } = one.call("rotate matrices", { from: there, report: PAGE, note: "x" });

    expect(unwritten).toEqual([PAGE]);
  });

  it.each(["constructor", "__proto__", "../x", ""])(
    "[EN7] a path such as “%s” can be no fact",
    (path) => {
      const one = workshop({ files: { [specPath(GHOST)]: ghostSpec }, policy: off });

      expect(one.write({}, path)).toMatchObject({ ok: true, nothing: true });
      const read = one.call("read the file contents", { path });

      expect(read).toMatchObject({ ok: false });
      expect(read.delivery.because?.every(Number.isSafeInteger)).toBe(true);
      expect(one.state().lost).toEqual({});
    },
  );
});

describe("with router.kind embedding", () => {
  const policy = { ...off, "router.kind": "embedding" };
  const vector = (text: string) => embed(text, terms);

  it("[EN8] asks the port for the intent and for every description it has no vector of", () => {
    const one = workshop({ policy, vector });

    one.write();
    expect(one.embedded).toEqual([
      ["file write", ...builtins.map(({ description }) => description)],
    ]);

    one.put(specPath(GHOST), ghostSpec);
    one.call("read the notes", { path: PAGE });
    expect(one.embedded[1]).toEqual(["read the notes", "secure file write operations"]);
  });

  it("[EN8] the nearest description serves: the ghost takes the write here too", () => {
    const one = workshop({ policy, vector });
    expect(one.write().capability).toBe("fs_write");

    one.put(specPath(GHOST), ghostSpec);

    expect(one.write()).toMatchObject({ capability: GHOST, nothing: true });
    expect(one.state().calls).toEqual({});
  });

  it("[EN8] an intent in the very words of a new description finds it", () => {
    const one = workshop({ policy, vector, files: { [specPath(GHOST)]: ghostSpec } });

    expect(one.call("secure file write operations").capability).toBe(GHOST);
    expect(one.embedded[0]?.filter((text) => text === "secure file write operations")).toHaveLength(
      1,
    );
  });

  it("[EN8] a scripted world embeds within 10 to 60 ms, drawn for each call", () => {
    const port = scriptedEmbedding(terms, namedRandom(7));
    const asked = { port: "port/llm.embed", from: "engine", purpose: "route", seq: 1, nowMs: 0 };
    const event = { type: "llm.embed", texts: ["one"], purpose: "route" } as const;
    const drawn = Array.from({ length: 600 }, (_, at) =>
      port.answer({ ...asked, nth: at + 1, request: "", event }),
    );

    expect(drawn[0]?.event).toEqual({ type: "embed.replied", vectors: { one: vector("one") } });
    const times = drawn.map(({ latencyMs }) => latencyMs);
    expect([Math.min(...times), Math.max(...times)]).toEqual([10, 60]);
  });

  it("[EN8] keeps the vectors of what is registered, and no others", () => {
    const one = workshop({ policy, vector, files: { [specPath(GHOST)]: ghostSpec } });
    one.write();
    expect(Object.keys(one.state().vectors)).toContain("secure file write operations");
    expect(Object.keys(one.state().vectors)).not.toContain("file write");

    one.remove(specPath(GHOST));
    one.write();

    expect(Object.keys(one.state().vectors)).not.toContain("secure file write operations");
  });
});
