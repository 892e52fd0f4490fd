import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isNull, readBrokenTools } from "../../../../src/machines/agents/engine/ghosts.ts";
import { afterStep, startOfProgress } from "../../../../src/machines/agents/goal/progress.ts";
import type { Json } from "../../../../src/machines/letter.ts";
import { canonicalJson } from "../../../../src/substrate/canonicalJson.ts";
import { policyWith, profiles } from "../../../builtIn.ts";
import { Premise } from "../../../premise.ts";
import { BROKEN, codePath, GHOST, ghostSpec, specPath, tool, workshop } from "./workshop.ts";

const REASON = "ghost: no .py found";
const haunted = { [specPath(GHOST)]: ghostSpec };
const stub = tool(GHOST, "secure file write operations");
const off = { "ghosts.preExecutionCheck": false, "ghosts.nullIsFailure": false };

describe("what counts as nothing", () => {
  const seed = { okAloneIsNull: false, emptyIsNull: false };
  const quirk = { okAloneIsNull: true, emptyIsNull: false };

  it.each([[null], [{}], [{ output: null }]])("[T10] %j does", (result) => {
    expect(isNull(result, seed)).toBe(true);
    expect(isNull(result, quirk)).toBe(true);
  });

  it.each([
    [""],
    [0],
    [false],
    [[]],
    [[null]],
    [{ result: null }],
    [{ output: "" }],
    [{ output: 0 }],
    [{ output: {} }],
    [{ ok: true, path: "/p" }],
    [{ ok: false, error: "x" }],
    [{ ok: false }],
    [{ output: null, error: "x" }],
  ])("[T10] %j does not", (result) => {
    expect(isNull(result as Json, seed)).toBe(false);
    expect(isNull(result as Json, quirk)).toBe(false);
  });

  it.each([[{ ok: true }], [{ ok: null }], [{ ok: true, output: null }]])(
    "[T10] %j does only with okAloneIsNull, the real system's quirk",
    (result) => {
      expect(isNull(result, seed)).toBe(false);
      expect(isNull(result, quirk)).toBe(true);
    },
  );

  it.each(["", "  ", "[]", "[ ]", "{}", "{ }", "null", '""', []])(
    "[IM95] %j does only with emptyIsNull",
    (result) => {
      expect(isNull(result, seed)).toBe(false);
      expect(isNull(result, { ...seed, emptyIsNull: true })).toBe(true);
    },
  );

  it.each(["0", "[0]", "[[]]", "none", 0, false, [null], { output: "" }])(
    "[IM95] %j does not, not even with it",
    (result) => {
      expect(isNull(result, { ...seed, emptyIsNull: true })).toBe(false);
    },
  );

  it("[T10] any value can be judged", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.boolean(),
        fc.boolean(),
        (value, okAloneIsNull, emptyIsNull) => {
          expect(typeof isNull(value as Json, { okAloneIsNull, emptyIsNull })).toBe("boolean");
        },
      ),
    );
  });

  it.each([[null], [{}], [{ output: null }]])(
    "[T10] a tool that returns %j fails the step",
    (returned) => {
      const one = workshop({ files: stub, tools: { [GHOST]: returned } });

      expect(one.write()).toMatchObject({
        ok: false,
        nothing: true,
        error: `${GHOST} returned nothing`,
      });
      expect(one.state().failures).toEqual({ [GHOST]: 1 });
    },
  );

  it("[T10] a bare ok: true is a success, or with the quirk a failure", () => {
    const options = { files: stub, tools: { [GHOST]: { ok: true } } };

    expect(workshop(options).write().ok).toBe(true);
    expect(workshop({ ...options, policy: { "ghosts.okAloneIsNull": true } }).write().ok).toBe(
      false,
    );
  });
});

describe("with both detections off", () => {
  it.each([[null], [{}], [{ output: null }]])(
    "[T13] %j looks like success and is counted by nobody",
    (returned) => {
      const one = workshop({ files: stub, tools: { [GHOST]: returned }, policy: off });

      for (let times = 0; times < 5; times++) {
        expect(one.write()).toMatchObject({ ok: true, nothing: true });
      }
      expect(one.state()).toEqual(expect.objectContaining({ failures: {}, broken: [] }));
      expect(one.file(BROKEN)).toBeUndefined();
    },
  );

  it("[T13] so does a call that reaches no code at all", () => {
    const one = workshop({ files: haunted, policy: off });

    expect(one.write()).toMatchObject({ ok: true, result: null, nothing: true, capability: GHOST });
    expect(one.file("/agentOS/workspace/cedar/1.md")).toBeUndefined();
  });

  it("[T13] null detection alone finds the ghost by what it returns", () => {
    const one = workshop({ files: haunted, policy: { "ghosts.preExecutionCheck": false } });

    expect(one.write()).toMatchObject({
      ok: false,
      nothing: true,
      error: `${GHOST} returned nothing`,
    });
    expect(one.state().blacklists).toEqual({});
  });

  it("[T13] the check alone lets a null stub with code through", () => {
    const policy = { "ghosts.nullIsFailure": false };

    expect(workshop({ files: stub, tools: { [GHOST]: null }, policy }).write().ok).toBe(true);
    expect(workshop({ files: haunted, policy }).write().ok).toBe(false);
  });
});

describe("a ghost found before execution", () => {
  it("[T11] is not tried, fails the step, and is blacklisted for the rest of this agent's cycle", () => {
    const one = workshop({ files: haunted });

    expect(one.write()).toMatchObject({
      ok: false,
      capability: GHOST,
      nothing: false,
      error: `${GHOST}: ${REASON}`,
    });
    expect(one.runs()).toEqual([]);
    expect(one.write()).toMatchObject({ ok: true, capability: "fs_write" });
  });

  it("[T11] is met again by the same agent in its next cycle, and by another agent in its own", () => {
    const one = workshop({ files: haunted });
    one.write({ agent: "cedar", cycle: 1 });

    expect(one.write({ agent: "cipher", cycle: 1 }).capability).toBe(GHOST);
    expect(one.state().blacklists).toEqual({
      cedar: { cycle: 1, names: [GHOST] },
      cipher: { cycle: 1, names: [GHOST] },
    });
    expect(one.state().failures).toEqual({ [GHOST]: 2 });
    expect(one.write({ agent: "cedar", cycle: 2 }).capability).toBe(GHOST);
  });

  it("[T11] is listed at the third failure in the world, not at the second", () => {
    const one = workshop({ files: haunted });

    one.write({ agent: "cedar" });
    one.write({ agent: "cipher" });
    expect(one.broken()).toEqual({ broken: [], cross_cycle_failures: { [GHOST]: 2 } });
    expect(one.ask("engine", { type: "tools.asked" }).event).toMatchObject({ broken: [] });

    one.write({ agent: "vault" });
    const listed = [{ name: GHOST, failures: 3, reason: REASON }];
    expect(one.broken()).toEqual({ broken: listed, cross_cycle_failures: { [GHOST]: 3 } });
    expect(one.ask("engine", { type: "tools.asked" }).event).toMatchObject({ broken: listed });
    expect(one.write({ agent: "cedar", cycle: 2 })).toMatchObject({
      ok: true,
      capability: "fs_write",
    });
  });

  it("[T11] five failures in the real system's profile", () => {
    const one = workshop({ files: haunted, policy: profiles["real"] ?? {} });

    for (const cycle of [1, 2, 3, 4]) one.write({ cycle });
    expect(one.state().broken).toEqual([]);
    one.write({ cycle: 5 });
    expect(one.state().broken).toHaveLength(1);
  });

  it("[T14] with skipBroken off it is called again in the same cycle, and even when listed", () => {
    const one = workshop({ files: haunted, policy: { "router.skipBroken": false } });

    for (let times = 0; times < 5; times++) expect(one.write().capability).toBe(GHOST);

    expect(one.state().failures).toEqual({ [GHOST]: 5 });
    expect(one.broken()).toMatchObject({ broken: [{ name: GHOST, failures: 3, reason: REASON }] });
  });
});

describe("failures of tools that run", () => {
  it("[T11] nothing, exceptions and refusals add up over agents and cycles", () => {
    const returns: Record<string, Json | Error> = { [GHOST]: null };
    const one = workshop({ files: stub, tools: returns });

    one.write({ agent: "cedar" });
    returns[GHOST] = new Error("ValueError: bad");
    one.write({ agent: "cipher", cycle: 4 });
    expect(one.state().broken).toEqual([]);
    returns[GHOST] = { ok: false, error: "no disk" };
    one.write({ agent: "cedar", cycle: 9 });

    expect(one.state().broken).toEqual([{ name: GHOST, failures: 3, reason: "no disk" }]);
  });

  it("[T11] a success in between takes nothing back", () => {
    const returns: Record<string, Json> = { [GHOST]: null };
    const one = workshop({ files: stub, tools: returns });

    one.write();
    one.write();
    returns[GHOST] = { saved: 1 };
    one.write();
    expect(one.state().failures).toEqual({ [GHOST]: 2 });

    returns[GHOST] = null;
    one.write();
    expect(one.state().broken).toEqual([{ name: GHOST, failures: 3, reason: "returned nothing" }]);
  });

  it("[EN9] a builtin that refuses fails the step and never counts", () => {
    const one = workshop();

    for (let times = 0; times < 5; times++) {
      expect(one.call("read a file", { path: "/agentOS/none" }).ok).toBe(false);
      expect(one.call("read a file", {}).ok).toBe(false);
    }

    expect(one.state()).toEqual(expect.objectContaining({ failures: {}, broken: [] }));
  });
});

describe("after a restart", () => {
  it("[T11] what was learnt is read back from broken_tools.json", () => {
    const one = workshop({ files: haunted });
    for (const agent of ["cedar", "cipher", "vault"]) one.write({ agent });
    const { broken, failures } = one.state();

    one.restart();

    const clean = { broken, failures, blacklists: {}, calls: {} };
    expect(one.state()).toEqual(expect.objectContaining(clean));
    expect(one.write().capability).toBe("fs_write");
  });

  it("[T11] a count below the threshold goes on from where it was", () => {
    const one = workshop({ files: haunted });
    for (const agent of ["cedar", "cipher"]) one.write({ agent });

    one.restart();
    one.write({ agent: "cedar" });

    expect(one.state().broken).toHaveLength(1);
  });

  it.each([
    ["", "damaged"],
    ["null", "no object"],
    ['{"broken": "all", "cross_cycle_failures": 7}', "of the wrong kind"],
    [
      '{"broken": [null, {"name": 7}], "cross_cycle_failures": {"x": "many", "y": -1}}',
      "of wrong entries",
    ],
    ['{"broken": [{"name": "x", "failures": 3, "reason": "\\ud800"}]}', "with a lone surrogate"],
    ['{"broken": [{"name": "x", "failures": 3, "reason": 7}]}', "of an entry with a wrong reason"],
    [
      '{"broken": [{"name": "x", "failures": "3", "reason": ""}]}',
      "of an entry with a wrong count",
    ],
  ])("[EN10] %j is an empty list, for it is %s", (text) => {
    expect(readBrokenTools(text)).toEqual({ broken: [], failures: {} });
  });

  it("[EN10] beside entries of the wrong kind the others stay, with a count of 0 too", () => {
    const listed = { name: "x", failures: 0, reason: "" };
    const text = JSON.stringify({
      broken: [null, listed, { ...listed, failures: -1 }, { ...listed, failures: 0.5 }],
      cross_cycle_failures: { a: 0, b: -1, c: "1", d: 1 },
    });

    expect(readBrokenTools(text)).toEqual({ broken: [listed], failures: { a: 0, d: 1 } });
  });

  it("[EN10] no text makes the reading throw, and what is read is strict JSON", () => {
    const entry = fc.record({
      name: fc.oneof(fc.string(), fc.jsonValue()),
      failures: fc.oneof(fc.nat(), fc.jsonValue()),
      reason: fc.oneof(fc.string(), fc.jsonValue()),
    });
    const file = fc
      .record({
        broken: fc.oneof(fc.array(entry, { minLength: 1 }), fc.jsonValue()),
        cross_cycle_failures: fc.jsonValue(),
      })
      .map((value) => JSON.stringify(value));

    const hasEntries = new Premise();
    fc.assert(
      fc.property(fc.oneof(file, fc.json(), fc.string()), (text) => {
        const read = readBrokenTools(text);
        hasEntries.holds(read.broken.length > 0);
        expect(JSON.parse(canonicalJson(read))).toEqual(read);
        expect(read.broken.map(({ name }) => typeof name)).toEqual(read.broken.map(() => "string"));
      }),
    );
    hasEntries.expectAtLeast(0.05);
  });
});

describe("forgiveness", () => {
  const listed = (): { readonly [path: string]: string } => ({
    ...haunted,
    [BROKEN]: JSON.stringify({
      broken: [{ name: GHOST, failures: 3, reason: REASON }],
      cross_cycle_failures: { [GHOST]: 3 },
    }),
  });
  const forgotten = { broken: [], cross_cycle_failures: {} };
  const ARCHIVE = "/agentOS/tools/archive/x.json";

  it("[T12] an archived tool leaves the list and starts again from nothing when it comes back", () => {
    const one = workshop({ files: listed() });
    expect(one.state().broken).toHaveLength(1);

    one.move(specPath(GHOST), ARCHIVE);
    expect(one.broken()).toEqual(forgotten);

    one.move(ARCHIVE, specPath(GHOST));
    expect(one.write().capability).toBe(GHOST);
    expect(one.state().failures).toEqual({ [GHOST]: 1 });
  });

  it("[T12] with forgive never it stays for good", () => {
    const one = workshop({ files: listed(), policy: { "ghosts.forgive": "never" } });

    one.move(specPath(GHOST), ARCHIVE);

    expect(one.broken()).toMatchObject({ broken: [{ name: GHOST }] });
    one.restart();
    expect(one.state().broken).toHaveLength(1);
  });

  it("[T12] the same when the archive is noticed by a look at the folder", () => {
    const one = workshop({ files: listed(), policy: { "registry.rescan": "300s" } });

    one.move(specPath(GHOST), ARCHIVE);
    expect(one.state().broken).toHaveLength(1);
    one.wait(300_000);

    expect(one.broken()).toEqual(forgotten);
  });

  it("[T12] the same when it was archived while the engine was down", () => {
    const { [specPath(GHOST)]: _, ...archived } = listed();

    expect(workshop({ files: archived }).broken()).toEqual(forgotten);
  });

  it("[T12] another tool's archive forgives nobody else", () => {
    const one = workshop({ files: { ...listed(), ...tool("rotate", "Rotates logs.") } });

    one.remove(specPath("rotate"));

    expect(one.state().broken).toHaveLength(1);
  });

  it("[T12] a repaired tool, which has its code and returns something, leaves the list", () => {
    const files = { ...listed(), [codePath(GHOST)]: "def safe_file_executor(**kwargs): ..." };
    const policy = { "router.skipBroken": false };
    const returns: Record<string, Json> = { [GHOST]: null };
    const one = workshop({ files, policy, tools: returns });

    one.write();
    expect(one.broken()).toMatchObject({
      broken: [{ name: GHOST }],
      cross_cycle_failures: { [GHOST]: 4 },
    });
    returns[GHOST] = { saved: 1 };
    one.write();

    expect(one.broken()).toEqual(forgotten);
    const never = workshop({
      files,
      policy: { ...policy, "ghosts.forgive": "never" },
      tools: { [GHOST]: 1 },
    });
    never.write();
    expect(never.state().broken).toHaveLength(1);
  });
});

const ORACLE = new URL("../../../../../shared/oracles/hollow.json", import.meta.url);

interface RuntimeResult {
  readonly returned: string;
  readonly engine_status: string;
  readonly null_stub: boolean;
  readonly step_success: boolean;
  readonly progress_after: number;
}

/** The Python expression in JSON; undefined for what is no value. */
function jsonOf(returned: string): Json | undefined {
  const text = returned
    .replaceAll(/\bNone\b/g, "null")
    .replaceAll(/\bTrue\b/g, "true")
    .replaceAll(/\bFalse\b/g, "false");
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

describe.skipIf(!existsSync(ORACLE))(
  "the real system's return values (skipped where shared/oracles/hollow.json is absent)",
  () => {
    const read = (): readonly RuntimeResult[] =>
      (JSON.parse(readFileSync(ORACLE, "utf8")) as { runtime_results: RuntimeResult[] })
        .runtime_results;
    const real = policyWith(profiles["real"] ?? {});

    it("[T10] each is judged as there: nothing, failed, or a step's progress", () => {
      const seen = read().flatMap((row) => {
        const raised = row.returned.startsWith("raise ");
        const value = raised ? new Error(row.returned) : jsonOf(row.returned);
        if (value === undefined) return [];
        const one = workshop({
          files: stub,
          tools: { [GHOST]: value },
          policy: profiles["real"] ?? {},
        });
        const { ok, nothing, capability } = one.write();
        const progress = ok
          ? afterStep(startOfProgress, capability ?? "", real.progress).progress
          : 0;
        expect({ returned: row.returned, nothing, ok, progress: progress / 1e6 }).toEqual({
          returned: row.returned,
          nothing: row.null_stub,
          ok: row.step_success,
          progress: row.progress_after,
        });
        return [row.returned];
      });

      expect(seen.length).toBeGreaterThanOrEqual(17);
    });

    it("[EN4] what the engine does not know is a failed step there as here", () => {
      const [unknown] = read().filter(({ engine_status }) => engine_status === "not_found");

      expect(unknown).toMatchObject({ step_success: false, null_stub: false, progress_after: 0 });
      expect(workshop().call("save my plan")).toMatchObject({ ok: false, nothing: false });
    });
  },
);
