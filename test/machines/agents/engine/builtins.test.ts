import { describe, expect, it } from "vitest";
import { builtins } from "../../../../src/machines/agents/engine/builtins.ts";
import type { Json } from "../../../../src/machines/letter.ts";
import { codePath, GHOST, PAGE, specPath, workshop } from "./workshop.ts";

/** An intent in the manual's words, for each builtin of files and memory. */
const intents = {
  fs_read: "read contents at the path",
  fs_write: "write content to path",
  fs_edit: "in-place edit replaces text",
  fs_list: "lists directory entries",
  memory_set: "sets key to a value in memory, replacing",
  memory_get: "gets the value of key, null when unset",
} as const;

/** Intents for others. */
const BEYOND_FILES: { readonly [name: string]: string } = {
  ollama_chat: "chat completion by the local model",
  shell_exec: "execute a shell command line",
  message_send: "send a message to another agent",
};

type Builtin = keyof typeof intents;

const call = (
  one: ReturnType<typeof workshop>,
  name: Builtin,
  params: { readonly [name: string]: Json },
) => {
  const finished = one.call(intents[name], params);
  expect(finished.capability).toBe(name);
  return finished;
};

describe("what the catalogue promises", () => {
  it("[EN11] there is an intent for every builtin of files and memory here", () => {
    const names = builtins.map(({ name }) => name);

    expect(Object.keys(intents)).toEqual(names.slice(0, Object.keys(intents).length));
  });

  it("[EN11] fs_write: creates parent directories, truncates, returns bytes_written in UTF-8", () => {
    const one = workshop({ files: { [PAGE]: "long before" } });

    expect(call(one, "fs_write", { path: PAGE, content: "ü👻" }).result).toEqual({
      ok: true,
      path: PAGE,
      bytes_written: 6,
    });
    expect(one.file(PAGE)).toBe("ü👻");
    expect(call(one, "fs_write", { path: "/agentOS/a/b/c", content: "" }).result).toMatchObject({
      bytes_written: 0,
    });
  });

  it("[EN11] fs_read: returns contents and size", () => {
    const one = workshop({ files: { [PAGE]: "ü👻x" } });

    expect(call(one, "fs_read", { path: PAGE }).result).toEqual({ content: "ü👻x", size: 7 });
  });

  it("[EN11] fs_edit: replaces the first exact match, returns the number of replacements", () => {
    const one = workshop({ files: { [PAGE]: "x x" } });

    expect(call(one, "fs_edit", { path: PAGE, old_text: "x", new_text: "y" }).result).toEqual({
      ok: true,
      path: PAGE,
      replacements: 1,
    });
    expect(one.file(PAGE)).toBe("y x");
  });

  it("[EN11] fs_list: lists entries with name, type and size", () => {
    const one = workshop({ files: { [PAGE]: "ü", "/agentOS/workspace/a.md": "abc" } });

    expect(call(one, "fs_list", { path: "/agentOS/workspace" }).result).toEqual({
      entries: [
        { name: "a.md", type: "file", size: 3 },
        { name: "cedar", type: "directory", size: 0 },
      ],
    });
  });

  it("[EN11] memory_set and memory_get: any JSON value under a key, null when unset", () => {
    const one = workshop();
    const value = { deep: [1, null, "x"] };

    expect(call(one, "memory_get", { key: "plan" }).result).toEqual({ value: null });
    expect(call(one, "memory_set", { key: "plan", value }).result).toEqual({
      ok: true,
      key: "plan",
    });
    expect(call(one, "memory_get", { key: "plan" }).result).toEqual({ value });
    call(one, "memory_set", { key: "plan", value: null });
    expect(call(one, "memory_get", { key: "plan" })).toMatchObject({
      ok: true,
      nothing: false,
      result: { value: null },
    });
  });

  it.each(['{"torn": ', '"\\ud800"', "1e999", `${"[".repeat(500)}${"]".repeat(500)}`])(
    "[EN11] memory_get gives %.20s back as text, for no recording could hold its value",
    (text) => {
      const one = workshop({ files: { "/agentOS/memory/context/plan.json": text } });

      expect(call(one, "memory_get", { key: "plan" }).result).toEqual({ value: text });
    },
  );
});

describe("what a builtin refuses", () => {
  const cases: [Builtin, { readonly [name: string]: Json }, string][] = [
    ["fs_read", {}, "TypeError: expects path"],
    ["fs_read", { path: 7 }, "TypeError: expects path"],
    ["fs_read", { path: PAGE }, `FileNotFoundError: ${PAGE}`],
    ["fs_read", { path: "/etc/passwd" }, "ValueError: not a plain absolute path: /etc/passwd"],
    ["fs_list", {}, "TypeError: expects path"],
    ["fs_list", { path: "/agentOS/none" }, "FileNotFoundError: /agentOS/none"],
    ["fs_write", { path: PAGE }, "TypeError: expects path and content"],
    ["fs_write", { content: "x" }, "TypeError: expects path and content"],
    [
      "fs_write",
      { path: "/agentOS/../x", content: "x" },
      "ValueError: not a plain absolute path: /agentOS/../x",
    ],
    ["fs_edit", { path: PAGE, old_text: "x" }, "TypeError: expects path, old_text and new_text"],
    ["fs_edit", { path: PAGE, old_text: "x", new_text: "y" }, `FileNotFoundError: ${PAGE}`],
    ["memory_set", { key: "../x", value: 1 }, "TypeError: expects key and value"],
    ["memory_set", { key: "x" }, "TypeError: expects key and value"],
    ["memory_get", { key: "a/b" }, "TypeError: expects key"],
    ["memory_get", { key: "x".repeat(101) }, "TypeError: expects key"],
  ];

  it.each(cases)("[EN9] %s of %j", (name, params, error) => {
    expect(call(workshop(), name, params)).toMatchObject({
      ok: false,
      result: null,
      nothing: false,
      error,
    });
  });

  it.each([
    ["ollama_chat", {}, "prompt"],
    ["ollama_chat", { prompt: 7 }, "prompt"],
    ["shell_exec", { command: "" }, "command"],
    ["message_send", { to: "vault" }, "to and text"],
    ["message_send", { to: 7, text: "hello" }, "to and text"],
  ])("[EN9] %s of %j", (capability, params, expected) => {
    const one = workshop();

    expect(one.call(BEYOND_FILES[capability] ?? "", params)).toMatchObject({
      ...{ ok: false, capability, result: null, error: `TypeError: expects ${expected}` },
    });
    expect(one.state().failures).toEqual({});
  });

  it("[EN9] a key of 100 letters is none of it", () => {
    expect(call(workshop(), "memory_get", { key: "x".repeat(100) }).ok).toBe(true);
  });
});

describe("with tools.directWrites refuse", () => {
  const policy = { "tools.directWrites": "refuse" };
  const refused =
    "PermissionError: /agentOS/tools/dynamic is written by synthesize_capability only";

  it("[EN12] fs_write and fs_edit cannot touch the tools folder", () => {
    const one = workshop({ policy, files: { [codePath("rotate")]: "x" } });

    expect(call(one, "fs_write", { path: specPath(GHOST), content: "{}" })).toMatchObject({
      ok: false,
      error: refused,
    });
    expect(
      call(one, "fs_edit", { path: codePath("rotate"), old_text: "x", new_text: "y" }),
    ).toMatchObject({
      ok: false,
      error: refused,
    });
    expect(one.file(specPath(GHOST))).toBeUndefined();
    expect(one.file(codePath("rotate"))).toBe("x");
    expect(one.state().failures).toEqual({});
  });

  it("[EN12] everywhere else, and for reading, nothing is refused", () => {
    const one = workshop({ policy, files: { [codePath("rotate")]: "x" } });

    expect(call(one, "fs_write", { path: "/agentOS/tools/dynamic2/x", content: "x" }).ok).toBe(
      true,
    );
    expect(call(one, "fs_read", { path: codePath("rotate") }).ok).toBe(true);
  });

  it("[EN12] by default they can, which is what made the incident possible", () => {
    expect(call(workshop(), "fs_write", { path: specPath(GHOST), content: "{}" }).ok).toBe(true);
  });
});
