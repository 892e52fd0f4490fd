// Folders beside /agentOS. SPEC, "Tools by name (TB)".
import { describe, expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { accepts } from "../../src/contract/policy.ts";
import { foreseen as foreseenBy } from "../../src/edges/scenario/foreseen.ts";
import { mentionsIn } from "../../src/machines/agents/goal/goalGateParts.ts";
import { readGoalAnswer } from "../../src/machines/agents/model/modelAnswers.ts";
import { folderLeaves, isOpen, isVirtualPath, pathsIn } from "../../src/machines/folders.ts";
import { parseScenario } from "../builtInScenarios.ts";
import { smallScenario } from "../cli/smallScenario.ts";
import { carrying } from "../mail.ts";
import { tool, workshop } from "./agents/engine/workshop.ts";

const folders = { readable: ["/srv/in", "/data/old"], writable: ["/data", "/srv/in/out"] };
const policy = { "folders.readable": folders.readable, "folders.writable": folders.writable };
const files = { "/srv/in/a.txt": "alpha", "/data/b.txt": "beta" };

describe("paths", () => {
  it.each([
    ["/agentOS/a", true, true],
    ["/data", true, true],
    ["/data/x/y", true, true],
    ["/data/old/x", true, false],
    ["/srv/in/a", true, false],
    ["/srv/in/out/a", true, true],
    ["/srv/a", false, false],
    ["/database/a", false, false],
    ["/data/../etc/passwd", false, true],
    ["/data//a", false, true],
    ["data/a", false, false],
  ])("[TB30, TB31] %s", (path, isThere, mayChange) => {
    expect(isVirtualPath(path, folders)).toBe(isThere);
    expect(isVirtualPath(path, folders) && isOpen(path, folders)).toBe(isThere && mayChange);
  });

  it("[TB31] one that stands in both lists may be changed, up to one within it that is readable alone", () => {
    const both = { readable: ["/data", "/data/old"], writable: ["/data"] };

    const paths = ["/data/x", "/data/old", "/data/old/x", "/etc/x"];

    expect(paths.map((path) => isOpen(path, both))).toEqual([true, false, false, false]);
  });

  it("[TB30] are found in texts, and are claims of an artifact", () => {
    const text = 'See "/data/b.txt", /srv/in/a.txt and /etc/passwd; also /agentOS/c.md.';
    expect(pathsIn(text, folders)).toEqual(["/data/b.txt", "/srv/in/a.txt", "/agentOS/c.md."]);
    const limits = { claimsMax: 9, quoteMinChars: 3 };
    const paths = (...more: [] | [typeof folders]) =>
      mentionsIn("/data/b.txt holds it.", "/data/x", limits, ...more).map(({ path }) => path);
    expect(paths(folders)).toEqual(["/data/b.txt"]);
    expect(paths()).toEqual([]);
  });

  it.each([
    [["/data", "/home/app"], true],
    [[], true],
    [["/data", "/data"], false],
    [["/agentOS/x"], false],
    [["/tmp"], false],
    ...["/bin", "/dev", "/lib", "/proc", "/sys", "/usr", "/work"].map(
      (own): [string[], boolean] => [[`${own}/x`], false],
    ),
    [["/agentOS"], false],
    [["/library"], true],
    [["data"], false],
    [["/data/"], false],
    [["/a/../b"], false],
    [["/__proto__"], true],
    ["/data", false],
  ])("[TB32] %j as folders: %s", (value, isTaken) => {
    expect(accepts(folderLeaves.writable, value)).toBe(isTaken);
  });
});

describe("in a world with folders of its own", () => {
  it("[TB30] builtins and the shell reach them", () => {
    const one = workshop({ files, policy });

    expect(one.call("read the file contents", { path: "/srv/in/a.txt" })).toMatchObject({
      result: { content: "alpha" },
    });
    expect(one.call("file write", { path: "/data/new.txt", content: "x" }).ok).toBe(true);
    expect(one.file("/data/new.txt")).toBe("x");
    one.call("shell command line", { command: "cat /data/b.txt" });
    expect(Object.keys(carrying(one.log, "shell.run")[0]?.event.files ?? {})).toEqual([
      "/data/b.txt",
      "/data/new.txt",
      "/srv/in/a.txt",
    ]);
  });

  it("[TB31] what is readable alone, and what is in neither, is refused with a sentence", () => {
    const one = workshop({ files, policy });
    const write = (path: string) => one.call("file write", { path, content: "x" }).error;

    expect(write("/srv/in/a.txt")).toBe("PermissionError: /srv/in/a.txt is read-only");
    expect(write("/etc/passwd")).toBe("ValueError: not a plain absolute path: /etc/passwd");
    expect(one.file("/srv/in/a.txt")).toBe("alpha");
  });

  it("[TB31] the shell and tools change nothing there, and the whole call fails", () => {
    const shell = () => ({ changed: { "/srv/in/a.txt": "x", "/data/b.txt": "y" }, created: [] });
    const one = workshop({ files, policy, shell });

    expect(one.call("shell command line", { command: "x" }).error).toBe(
      "PermissionError: /srv/in/a.txt is read-only",
    );
    expect(one.file("/data/b.txt")).toBe("beta");
    const rotate = tool("rotate", "Rotates matrices.");
    const changes = { rotate: { "/srv/in/a.txt": "x", "/data/b.txt": "y" } };
    const turned = workshop({
      files: { ...files, ...rotate },
      policy,
      tools: { rotate: 1 },
      changes,
    });
    expect(turned.call("rotate matrices", { path: "/data/b.txt" }).error).toBe(
      "PermissionError: /srv/in/a.txt is read-only",
    );
    expect(turned.file("/data/b.txt")).toBe("beta");
    const other = workshop({ files, policy, shell: () => ({ changed: { "/etc/x": "x" } }) });
    expect(other.call("shell command line", { command: "x" }).error).toBe(
      "PermissionError: /etc/x is not below /agentOS, /srv/in, /data/old, /data, /srv/in/out",
    );
  });

  it("[TB30] a tool is given the files that it is pointed at, and the folders", () => {
    const rotate = tool("rotate", "Rotates matrices.");
    const one = workshop({ files: { ...files, ...rotate }, policy, tools: { rotate: 1 } });
    one.call("rotate matrices", { path: "/data/b.txt" });

    expect(carrying(one.log, "sandbox.run")[0]?.event.files).toMatchObject({
      ...{ "/data/b.txt": "beta", "/data/": "", "/srv/in/": "" },
    });
  });

  it("[TB30] a tool that is pointed at a folder has left no file unwritten, one that is pointed at a file has", () => {
    const list = tool("lister", "Lists matrices.");
    const one = workshop({ files: { ...files, ...list }, policy, tools: { lister: ["b.txt"] } });

    expect(one.call("lists matrices", { path: "/data" })).not.toHaveProperty("unwritten");
    expect(one.call("lists matrices", { path: "/data/new.txt" })).toMatchObject({
      unwritten: ["/data/new.txt"],
    });
  });

  it("[TB30] a goal may lie there; elsewhere it is none", () => {
    const answer = JSON.stringify({ content: "Write", artifact: "/data/a.md", slug: "a" });

    expect(readGoalAnswer(answer, folders)).toMatchObject({ artifact: "/data/a.md" });
    expect(readGoalAnswer(answer)).toBeUndefined();
  });

  it("[TB30] a scenario's files, events and artifacts may lie there, and are refused elsewhere", () => {
    const moves = "{ id: moves, at: 1m, does: files.move, path: /data/a.txt, to: /data/b.txt }";
    const own = smallScenario
      .replace("model:", "policy: { folders.writable: [/data] }\nfiles: { /data/a.txt: a }\nmodel:")
      .replace("model:", `events: [${moves}]\nmodel:`)
      .replace("/agentOS/workspace/{n}.md", "/data/{n}.md");
    const given = { variant: null, set: {} };

    expect(foreseenBy(builtIn, parseScenario(own, "x.yaml"), given)).toEqual([]);
    expect(() => parseScenario(own.replace("/data/a.txt", "/home/a.txt"), "x.yaml")).toThrow(
      /allowed: a path below \/agentOS, \/data\/ without empty/,
    );
    expect(() => parseScenario(own.replace("to: /data/", "to: /home/"), "x.yaml")).toThrow(
      /allowed: a path below \/agentOS, \/data\/ without empty/,
    );
    expect(() => parseScenario(own.replace("[/data]", "[/tmp]"), "x.yaml")).toThrow(
      /folders such as/,
    );
  });
});
