import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withHelp } from "../../../src/machines/installs/gate/capability.ts";
import {
  agentIdFault,
  backgroundWork,
  intervalSecs,
  relativePathFault,
  workFault,
} from "../../../src/machines/installs/gate/intent.ts";
import { isRecoverable, toolError } from "../../../src/machines/installs/gateway/books.ts";
import { Premise } from "../../premise.ts";
import { gatePolicy, realPolicy } from "./gateRules.ts";

it("[INS3] an agent_id, and one step before it is none", () => {
  const fault = (id: string, by = gatePolicy()) => agentIdFault(id, by);

  for (const id of ["a", "7", "weather-fetcher", "a-b-c", "x".repeat(64)])
    expect(fault(id)).toBeNull();
  for (const id of [
    "x".repeat(65),
    "A",
    "a_b",
    "a.b",
    "-a",
    "a-",
    "a--b",
    "é",
    "a b",
    "../a",
    "",
  ]) {
    expect(fault(id)).not.toBeNull();
  }
  for (const id of ["A", "a_b", "a.b", "-", "_"]) expect(fault(id, realPolicy())).toBeNull();
  for (const id of ["a..b", ".a", "a.", "a/b", " "]) expect(fault(id, realPolicy())).not.toBeNull();
});

it("[INS3] what is an id here is one in the real system", () => {
  const isId = new Premise();
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z0-9-]{1,9}$/)), (id) => {
      if (isId.holds(agentIdFault(id, gatePolicy()) === null))
        expect(agentIdFault(id, realPolicy())).toBeNull();
    }),
  );
  isId.expectAtLeast(0.2);
});

it("[INS6] a path stays within the folder", () => {
  for (const path of ["main.py", "a/b.py", "a b.py", "a\\b", "...", "a/.b"]) {
    expect(relativePathFault(path)).toBeNull();
  }
  for (const path of ["", " ", "/a", "a//b", "a/", "./a", "a/.", "../a", "a/../b"]) {
    expect(relativePathFault(path)).not.toBeNull();
  }
});

it("[INS25] the first ending counts", () => {
  expect(["20", "20s", "20 Seconds", "5m", "30min", "2h", " 1 hr "].map(intervalSecs)).toEqual([
    ...[20, 20, 20, 300, 1_800, 7_200, 3_600],
  ]);
  for (const text of [
    "5 minutes",
    "5m ago",
    "5h2",
    "3hrs",
    "2 hours",
    "abc",
    "0",
    "-5",
    "",
    "s",
    "1.5h",
    "9".repeat(20),
  ]) {
    expect(intervalSecs(text)).toBeNull();
  }
  expect([20, 1, 0, 0.5, -1, null, true].map(intervalSecs)).toEqual([
    20,
    1,
    null,
    null,
    null,
    null,
    null,
  ]);
});

it("[INS25] every number of seconds, minutes and hours is read as what it is", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (count) => {
      expect(intervalSecs(`${count}s`)).toBe(count);
      expect(intervalSecs(`${count}m`)).toBe(count * 60);
      expect(intervalSecs(`${count}h`)).toBe(count * 3_600);
    }),
  );
});

describe("errors of tools", () => {
  it("[INS23] by their words, in order", () => {
    const type = (text: string) => toolError(text).error_type;

    expect(type("memory read denied by policy")).toBe("permission");
    expect(type("id must not be empty")).toBe("validation");
    expect(type("a required thing was denied")).toBe("permission");
    expect(type("artifact not found")).toBe("resource");
    expect(type("a file that must be there was not found")).toBe("validation");
    expect(type("corrupted state")).toBe("fatal");
    expect(type("corrupted: the artifact was not found")).toBe("resource");
    expect(type("odd")).toBe("execution");
    expect(toolError("fatal: not found")).toEqual({
      ok: false,
      error_type: "fatal",
      message: "not found",
    });
  });

  it("[INS23] all but a fatal one may be mended, and most say how", () => {
    expect(
      ["x", "denied", "must", "not found"].map((text) => isRecoverable(toolError(text))),
    ).toEqual([...[true, true, true, true]]);
    expect(isRecoverable(toolError("Unknown tool 'x'"))).toBe(false);
    expect(toolError("denied").repair_hint).toContain("adjust the scope");
    expect(toolError("not found").repair_hint).toContain("Verify");
    expect(toolError("Invalid JSON").repair_hint).toContain("JSON is valid");
    expect(toolError("Invalid: missing field `type`").repair_hint).toContain("ensure all required");
    expect(toolError("odd").repair_hint).toBeUndefined();
  });

  it("[INS7] the real system's help goes by the first word that it finds", () => {
    expect(withHelp("missing field `scopes`")).toContain("requires 'scopes'");
    expect(withHelp("unknown field `x`, expected `hosts`")).toContain("requires 'hosts'");
    expect(withHelp("unknown field `x`, expected `patterns`")).toContain(
      "Unexpected field detected",
    );
    expect(withHelp("missing field `patterns`")).toBe("missing field `patterns`");
  });
});

it("[INS25] the real system's work in the background takes its interval from its action", () => {
  const on = { enabled: true, interval_secs: 20 };

  expect(backgroundWork(on, { command: "x" })).toEqual({
    background: on,
    scheduledAction: "sandbox_exec",
    error: null,
  });
  expect(backgroundWork(null, { script: "x", cadence: "20s" }).background).toEqual(on);
  expect(
    backgroundWork(
      { enabled: true, interval_secs: 5 },
      { path: "a", content: "b", interval_secs: 20 },
    ),
  ).toEqual({
    ...{
      background: { enabled: true, interval_secs: 5 },
      scheduledAction: "write_file",
      error: null,
    },
  });
  expect(workFault({ enabled: false, interval_secs: 5 }, "sandbox_exec")).toContain(
    "background.enabled = true",
  );
  for (const enabled of [true, false]) {
    expect(workFault({ enabled, interval_secs: 0 }, undefined)).toBe(
      "background.interval_secs must be > 0",
    );
  }
  expect(
    backgroundWork(on, {
      tool_use: { name: "memory.write", arguments: { path: "a", content: "b" } },
    }).scheduledAction,
  ).toBe("write_file");
  expect(
    backgroundWork(on, { tool_use: { name: "web.fetch", arguments: { command: "a" } } }).error,
  ).toContain("scheduled_action must include");
  expect(backgroundWork(on, 7).error).not.toBeNull();
  expect(backgroundWork(null, null)).toEqual({
    background: null,
    scheduledAction: null,
    error: null,
  });
});
