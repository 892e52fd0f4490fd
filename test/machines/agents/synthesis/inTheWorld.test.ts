// The nine steps among their neighbours: engine, files, parser and a sandbox that the test writes.
import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/machines/letter.ts";
import { codePath, specPath, type WorkshopOptions, workshop } from "../engine/workshop.ts";

const CODE = "def tally(**kwargs):\n    return 1\n";
const DESCRIPTION = "Tallies the vocabulary of a manuscript.";
const INTENT = "tally the vocabulary";

function world(options: WorkshopOptions = {}) {
  const one = workshop({ tools: { tally: 3 }, ...options });
  const make = (params: { readonly [name: string]: Json } = {}) =>
    one.call("synthesize a capability from a Python implementation", {
      name: "tally",
      description: DESCRIPTION,
      implementation: CODE,
      ...params,
    });
  const failedStep = () =>
    one.log.findLast(({ event }) => event.type === "synthesis.stepped")?.event;
  return { ...one, make, failedStep };
}

describe("synthesize_capability", () => {
  it("[EN13] deploys a tool that the next step can call", () => {
    const one = world();

    expect(one.make()).toMatchObject({
      ok: true,
      capability: "synthesize_capability",
      result: {
        ok: true,
        capability: "tally",
        path: "/agentOS/tools/dynamic/tally.py",
        status: "deployed",
      },
    });
    expect(one.call(INTENT)).toMatchObject({ ok: true, capability: "tally", result: 3 });
  });

  it("[EN13] a refusal is a failed step in the source's words", () => {
    const one = world();

    expect(one.make({ implementation: "raise NotImplementedError" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("rejected: "),
    });
    expect(one.file(specPath("tally"))).toBeUndefined();
    expect([one.make().ok, one.make()]).toMatchObject([
      true,
      { ok: false, error: expect.stringContaining("is live: call it instead") },
    ]);
  });

  it("[EN13] without code it gets the stub, or a refusal under another policy", () => {
    const given = { implementation: null, code: null };
    expect(world().make(given)).toMatchObject({ ok: true });
    expect(
      world({ policy: { "tools.missingImplementation": "refuse" } }).make(given),
    ).toMatchObject({ ok: false, error: "name and code are required" });
    expect(world().make({ implementation: null, code: CODE }).ok).toBe(true);
  });

  it.each([[7], [["def tally(): pass"]], [{ text: "tally" }], [true]])(
    "[EN13] what is no text among the parameters is missing: %j",
    (value) => {
      const error = "name and code are required";
      const refuse = { policy: { "tools.missingImplementation": "refuse" } };

      expect(world().make({ name: value })).toMatchObject({ ok: false, error });
      expect(world(refuse).make({ implementation: value })).toMatchObject({ ok: false, error });
      expect(world().make({ description: value }).ok).toBe(true);
    },
  );

  it.each([
    [89_999, false],
    [90_000, true],
  ])("[SY7] a second deployment after %i ms", (afterMs, isDeployed) => {
    const one = world({ policy: { "engine.callMs": 0 } });
    one.make();
    const writtenMs = one.log.findLast(
      ({ event }) => event.type === "files.write" && event.path === codePath("tally"),
    )?.dueMs;

    one.wait((writtenMs ?? 0) + afterMs - one.kernel.nowMs);
    const again = one.make();

    expect(again.ok).toBe(isDeployed);
    if (!isDeployed) {
      expect(again.result).toMatchObject({ ok: false, status: "already_deployed" });
    }
  });

  it("[SY10] a null stub leaves no file, but its code is live until the next reload", () => {
    const one = world({ tools: { tally: null } });

    expect(one.make()).toMatchObject({
      ok: false,
      error: "null stub detected — function returned None",
    });
    one.wait(0);

    expect([one.file(codePath("tally")), one.file(specPath("tally"))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(one.names()).toEqual([]);
    expect(one.state().implementations["tally"]?.code).toBe(CODE);
    one.send({ to: "engine", event: { type: "tools.reloaded" } });
    one.wait(0);
    expect(one.state().implementations["tally"]).toBeUndefined();
  });

  it.each([
    ["reload-then-test", true],
    ["test-then-reload", false],
  ])("[SY8] with %s a call that comes meanwhile meets the code: %s", (order, meetsCode) => {
    const policy = { "tools.order": order, "ghosts.preExecutionCheck": false };
    const one = world({ policy: { ...policy, "ghosts.nullIsFailure": false } });
    const params = { name: "tally", description: DESCRIPTION, implementation: CODE };
    const making = { intent: "synthesize a capability from a Python implementation", params };
    one.send({
      to: "engine",
      event: { type: "call.requested", agent: "vault", cycle: 1, ...making },
    });
    one.until(({ event }) => event.type === "sandbox.run" && event.purpose === "exec");

    const call = one.call(INTENT);

    expect(call).toMatchObject({ capability: "tally", ok: true, nothing: !meetsCode });
  });

  it("[SY8] a daemon that stops ends the open syntheses", () => {
    const one = world();
    const params = { name: "tally", description: DESCRIPTION, implementation: CODE };
    const making = { intent: "synthesize a capability from a Python implementation", params };
    one.send({
      to: "engine",
      event: { type: "call.requested", agent: "vault", cycle: 1, ...making },
    });
    one.until(({ event }) => event.type === "sandbox.run" && event.purpose === "exec");

    one.send({ to: "engine", event: { type: "daemon.stopped" } });
    one.wait(0);

    expect(Object.keys(one.kernel.contexts())).toEqual(["files"]);
  });
});
