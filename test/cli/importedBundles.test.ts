// What other commands make of the bundles that `ghostlight import` leaves, whole, changed, cut off or hostile.
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { manifestText } from "../../src/edges/bundle/bundleWriter.ts";
import { sealed } from "../../src/run/bundle.ts";
import { newFolder } from "../folders.ts";
import { ghostlight } from "./ghostlight.ts";

const call = (id: string) => ({
  id,
  type: "function",
  function: { name: "find", arguments: "{}" },
});
const talk = (id: string, end: string) => ({
  messages: [
    { role: "user", content: "Find it." },
    { role: "assistant", content: null, tool_calls: [call(id)] },
    { role: "tool", tool_call_id: id, content: "nothing" },
    { role: "assistant", content: end },
  ],
});

/** A folder with `logs`, which holds one bundle for each value. */
async function imported(...values: readonly object[]): Promise<string> {
  const cwd = newFolder();
  writeFileSync(join(cwd, "talk.jsonl"), values.map((one) => JSON.stringify(one)).join("\n"));
  await ghostlight(["import", "talk.jsonl", "--out", "logs"], { cwd });
  return cwd;
}

it("[IM55] it cannot be forked, and what to do is said", async () => {
  const cwd = await imported(talk("a", "Done."));
  const { code, stderr } = await ghostlight(["fork", "logs", "--at", "2"], { cwd });

  expect(code).toBe(2);
  expect(stderr).toContain("import talk.jsonl --scenario FILE.yaml");
});

it("[BL27] nobody can leave anything out of it: blame says how to make a world of it, and shows the suspects", async () => {
  const cwd = await imported(talk("a", "Done."));
  const { code, stdout, stderr } = await ghostlight(["blame", "logs"], { cwd });

  expect(code).toBe(2);
  expect(stderr).toContain("import talk.jsonl --scenario FILE.yaml");
  expect(stdout).toContain("Suspects, the likeliest first");
});

it("[IM52] a folder of several logs is no bundle, and names them", async () => {
  const cwd = await imported(talk("a", "Done."), talk("b", "Lost."));
  const { code, stderr } = await ghostlight(["why", "logs"], { cwd });

  expect(code).toBe(2);
  expect(stderr).toContain("holds 2 bundles");
  expect(stderr).toContain('"logs/talk.1"');
});

it("[IM61] two logs that differ in their names, places and ids alone went the same way", async () => {
  const cwd = await imported(talk("a", "Done."), talk("b", "Done."), talk("c", "Lost."));
  const same = await ghostlight(["diff", "logs/talk.1", "logs/talk.2"], { cwd });
  const other = await ghostlight(["diff", "logs/talk.1", "logs/talk.3"], { cwd });

  expect(same.code).toBe(0);
  expect(same.stdout).toContain("went the same way");
  expect(other.code).toBe(1);
  expect(other.stdout).toContain('logs/talk.1: #4 assistant said: "Done."');
});

it("[IM53] of a log that was cut off or a manifest that was changed, the source is what helps", async () => {
  const cwd = await imported(talk("a", "Done."));
  const log = join(cwd, "logs/events.jsonl");
  truncateSync(log, readFileSync(log, "utf8").trimEnd().lastIndexOf("\n"));
  const torn = await ghostlight(["why", "logs"], { cwd });
  const manifest = join(cwd, "logs/manifest.json");
  writeFileSync(
    manifest,
    readFileSync(manifest, "utf8").replace("imported:openai", "imported:ollama"),
  );
  const changed = await ghostlight(["why", "logs"], { cwd });

  for (const { code, stderr } of [torn, changed]) {
    expect(code).toBe(3);
    expect(stderr).toContain("Import it again from its source");
  }
});

it.each([
  ["line 3 is taken out", 3, (lines: string[]) => lines.toSpliced(2, 1)],
  ["line 3 is doubled", 4, (lines: string[]) => lines.toSpliced(2, 0, lines[2] ?? "")],
  ["the last line is taken out", 6, (lines: string[]) => lines.slice(0, -1)],
])("[IM53] [VB6] where %s, that line is named", async (_, line, edit) => {
  const cwd = await imported(talk("a", "Done."));
  const log = join(cwd, "logs/events.jsonl");
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  expect(lines).toHaveLength(6);
  writeFileSync(log, `${edit(lines).join("\n")}\n`);
  const { code, stderr } = await ghostlight(["why", "logs"], { cwd });

  expect(code).toBe(3);
  expect(stderr).toContain(`logs/events.jsonl:${line}: found a log that is not the one`);
});

it("[IM54] `check` says which logs lack their end", async () => {
  const cwd = await imported(talk("a", "Done."));
  const path = join(cwd, "logs/manifest.json");
  const { final: _, seal: _seal, ...manifest } = JSON.parse(readFileSync(path, "utf8"));
  writeFileSync(path, manifestText(sealed(manifest)));
  const { stdout } = await ghostlight(["check", "logs"], { cwd });

  expect(stdout).toContain("logs: 1 log read, 1 without its end: 1 call");
});

it("[IM58] the report of a log makes no link and no picture of what strangers wrote", async () => {
  const evil = "[a bank](http://evil.example/a) ![](http://evil.example/b) <http://evil.example/c>";
  const cwd = await imported({ messages: [{ role: "user", content: evil }] });
  const html = readFileSync(join(cwd, "logs/report.html"), "utf8");

  expect(html).toContain("[a bank](http://evil.example/a)");
  expect(html).not.toContain('href="http');
  expect(readFileSync(join(cwd, "logs/report.md"), "utf8")).not.toContain("](http");
});

it("[IM41] the picture of a log without times names no date", async () => {
  const cwd = await imported(talk("a", "Done."));
  const picture = readFileSync(join(cwd, "logs/picture.svg"), "utf8");

  expect(picture).toContain("no times: a second for each record");
  expect(picture).not.toContain("1970");
});

it("[IM49] a tool fails for its caller", async () => {
  const cwd = newFolder();
  const result = { type: "tool_result", tool_use_id: "u", is_error: true, content: "no such file" };
  const lines = [
    { role: "assistant", content: [{ type: "tool_use", id: "u", name: "look", input: {} }] },
    { role: "user", content: [result, { type: "text", text: "Go on." }] },
  ];
  writeFileSync(join(cwd, "talk.jsonl"), lines.map((one) => JSON.stringify(one)).join("\n"));
  await ghostlight(["import", "talk.jsonl", "--out", "logs"], { cwd });
  const { stdout } = await ghostlight(["why", "logs"], { cwd });

  expect(stdout).toContain('look failed for assistant: "no such file"');
});
