// What two declarations grant both, and what texts of one cover.
import { expect, it } from "vitest";
import {
  areasOf,
  coversAll,
  emptyTexts,
  type Grant,
  grantsSome,
  hostOf,
  intersected,
  isWithin,
  pathArea,
  resolvedPath,
} from "../../../src/machines/installs/warden/grant.ts";

const both = (one: Grant, other: Grant, reading: "boundary" | "prefix" = "boundary") =>
  intersected([[one], [other]], "ink", reading);
const reads = (...scopes: readonly string[]): Grant => ({ type: "ReadAccess", scopes });
const OWN = "/agentOS/workspace/ink/";

it.each<[readonly string[], readonly string[], readonly string[] | null]>([
  [["/data/*"], ["/data/a/*"], ["/data/a/*"]],
  [["/data/a"], ["/data/*"], ["/data/a"]],
  [["/data/*"], ["/data/*", "/data/b"], ["/data/*", "/data/b"]],
  [["/data"], ["/data/*"], ["/data/*"]],
  [["/data"], ["/data"], ["/data"]],
  [["/data"], ["/database"], null],
  [["/a/*"], ["/b/*"], null],
  [["*"], ["self.*"], [`${OWN}*`]],
  [["self.*"], ["self.notes"], [`${OWN}notes`]],
  [["self.*"], ["self.../secret"], null],
  [[], ["*"], null],
  [["/b", "/a"], ["*"], ["/a", "/b"]],
])("[INS65] reading %j and reading %j grant both: %j", (one, other, met) => {
  const granted = met === null ? [] : [reads(...met)];

  expect(both(reads(...one), reads(...other))).toEqual(granted);
  expect(both(reads(...other), reads(...one))).toEqual(granted);
});

it("[INS65] of two kinds nothing is granted, of numbers the narrower, of reasoning what both allow", () => {
  const spawn = (max_children?: number): Grant => ({
    ...{ type: "AgentSpawn", ...(max_children !== undefined && { max_children }) },
  });
  const wake = (min_interval_secs: number, allow_reasoning?: boolean): Grant => ({
    ...{ type: "BackgroundReevaluation", min_interval_secs },
    ...(allow_reasoning !== undefined && { allow_reasoning }),
  });

  expect(both(reads("*"), { type: "WriteAccess", scopes: ["*"] })).toEqual([]);
  expect(both(spawn(2), spawn(3))).toEqual([spawn(2)]);
  expect(both(spawn(2), spawn())).toEqual([spawn()]);
  expect(both(wake(60, true), wake(90, true))).toEqual([wake(90, true)]);
  expect(both(wake(60, true), wake(60))).toEqual([wake(60, false)]);
  expect(both(wake(60, false), wake(60, true))).toEqual([wake(60, false)]);
  expect(both(wake(60), wake(60, true))).toEqual([wake(60)]);
});

it("[INS65] a list that may be left out grants all of its kind, and another kind's list is its own", () => {
  const code = (...patterns: readonly string[]): Grant => ({ type: "CodeExecution", patterns });

  expect(both({ type: "CodeExecution" }, code("git *"))).toEqual([code("git *")]);
  expect(both({ type: "CodeExecution" }, { type: "CodeExecution" })).toEqual([code("*")]);
  expect(both(code("git"), code("git log"))).toEqual([code("git log")]);
  expect(both(code("git"), code("gitk"))).toEqual([]);
  expect(both({ type: "MessageSend" } as Grant, { type: "MessageSend" } as Grant)).toEqual([
    { type: "MessageSend" },
  ]);
  expect(
    intersected([[reads("*")], [reads("/a/*"), reads("/b/*")], [reads("/b/c")]], "ink", "boundary"),
  ).toEqual([reads("/b/c")]);
});

it.each<[string, string, boolean]>([
  ["/data", "/data/a", true],
  ["/data", "/database", false],
  ["/data/", "/data", false],
  ["/data/", "/data/a", true],
  ["/data*", "/database", true],
  ["/data/../etc", "/etc/a", true],
  ["self.", `${OWN}a`, true],
  ["self.a", `${OWN}a/b`, true],
  ["notes", `${OWN}notes`, true],
  ["*", "/", true],
])("[INS64] the scope %j covers %j: %j", (scope, path, covers) => {
  const area = pathArea(scope, "ink", "boundary");

  expect(area !== null && isWithin(path, area)).toBe(covers);
});

it("[INS64] a scope that leads out of self., and one without a letter, covers nothing", () => {
  expect(pathArea("self.../other/a", "ink", "boundary")).toBeNull();
  expect(pathArea("self./../ink2", "ink", "boundary")).toBeNull();
  expect(pathArea("", "ink", "boundary")).toBeNull();
  expect(emptyTexts(reads("self.../a", "", "/a", "self.b"), "ink", "boundary")).toEqual([
    "self.../a",
    "",
  ]);
  expect(resolvedPath("../../..", "ink")).toBe("/");
  expect(resolvedPath("./a//b/../c", "ink")).toBe(`${OWN}a/c`);
});

it("[INS64] a host is itself in any letters, or all; other texts are none that a URL has", () => {
  const hosts = (...all: readonly string[]): Grant => ({ type: "NetworkAccess", hosts: all });
  const covers = (one: string, host: string) =>
    areasOf(hosts(one), "ink", "boundary").some((area) => isWithin(host, area));

  expect([
    covers("API.x.org", "api.x.org"),
    covers("x.org", "x.org.evil"),
    covers("*", "a"),
  ]).toEqual([true, false, true]);
  expect(
    emptyTexts(hosts("*", "a.org", "A.org", "*.org", "a.org/b", "a.org:80", ""), "ink", "boundary"),
  ).toEqual(["*.org", "a.org/b", "a.org:80", ""]);
  expect(["http://a b/", "mailto:a", "http://", "http://u@h.org:80/x"].map(hostOf)).toEqual([
    ...[null, null, null, "h.org"],
  ]);
});

it("[INS63] an empty list grants nothing but in the real system, and a kind without lists grants itself", () => {
  expect([grantsSome(reads(), "ink", "boundary"), grantsSome(reads(), "ink", "prefix")]).toEqual([
    false,
    true,
  ]);
  expect(grantsSome({ type: "AgentSpawn" }, "ink", "boundary")).toBe(true);
  expect(grantsSome({ type: "CodeExecution" }, "ink", "boundary")).toBe(true);
  expect(grantsSome(reads("self.../a"), "ink", "boundary")).toBe(false);
  expect(coversAll(areasOf(reads("/a", "*"), "ink", "boundary"))).toBe(true);
  expect(coversAll(areasOf(reads("/*"), "ink", "boundary"))).toBe(false);
  expect(coversAll(areasOf(reads(), "ink", "boundary"))).toBe(false);
});

it("[INS64] memory is all that begins so, its own by its name; names and commands go on at their marks", () => {
  const area = (type: string, field: string, text: string) =>
    areasOf({ type, [field]: [text] } as Grant, "ink", "boundary")[0];

  expect(area("MemoryAccess", "scopes", "self.*")).toEqual({ prefix: "ink_" });
  expect(area("MemoryAccess", "scopes", "notes")).toEqual({ at: "notes", marks: [] });
  expect(area("CodeExecution", "patterns", "git")).toEqual({ at: "git", marks: [" ", "\t"] });
  expect(area("CodeExecution", "patterns", "git ")).toEqual({ prefix: "git " });
  expect(area("CredentialAccess", "services", "mail")).toEqual({ at: "mail", marks: [] });
  expect(area("SandboxFunctions", "allowed", "web")).toEqual({ at: "web", marks: [".", "/", ":"] });
});
