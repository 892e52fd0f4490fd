// What becomes of files and of Python, in words. What went as it should, and is told elsewhere, has none.
import { expect, it } from "vitest";
import { words } from "../../../src/actors/world/words.ts";

type Told = "files.move" | "files.write" | "sandbox.replied";
const says = (type: Told, event: object, from: string, changes: readonly object[] = []) =>
  words[type]?.({ type, ...event } as never, { from, to: "files", changes } as never, {} as never);

it("[VB12] says that a file was moved, or could not be", () => {
  const move = { path: "/agentOS/a", to: "/agentOS/b" };

  expect(says("files.move", move, "agent/cedar", [{ path: ["/agentOS/b"], to: "" }])).toMatch(
    /moved \/agentOS\/a to \/agentOS\/b\.$/,
  );
  expect(says("files.move", move, "agent/cedar")).toMatch(
    /could not move \/agentOS\/a: nothing was changed\.$/,
  );
});

it("[VB12] tells of a write from outside, and not of an agent's, which its call tells", () => {
  const write = { path: "/agentOS/a", content: "x" };

  expect(says("files.write", write, "outside/stage")).toBe("The outside wrote /agentOS/a.");
  expect(says("files.write", write, "engine")).toBe(null);
});

it("[VB12] tells why Python failed, and not that it did as it was told", () => {
  const said = (event: object) => says("sandbox.replied", event, "port/sandbox.run");

  expect(said({ ok: false, error: "ValueError: no" })).toBe("The sandbox says: ValueError: no.");
  expect(said({ ok: false })).toBe("The sandbox says: no reason given.");
  expect(said({ ok: true, error: "a warning" })).toBe(null);
});
