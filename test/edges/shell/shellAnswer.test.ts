// What the process of a shell answers is read as if the command line had written it.

import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { linesOf } from "../../../src/edges/shell/shellLines.ts";
import { readAnswer } from "../../../src/edges/shell/shellProcess.ts";
import type { ShellRun } from "../../../src/edges/shell/shellProtocol.ts";
import { policyWith } from "../../builtIn.ts";
import { CWD } from "./shellRuns.ts";

const PAGE = `${CWD}/a.md`;
const run: ShellRun = {
  ...{ command: "x", agent: "cedar", cwd: CWD, files: { [PAGE]: "a" }, mtimesMs: {} },
  ...{ seed: 1, nowMs: 0 },
  bounds: { ...policyWith({}).shell, outputChars: 10, changedFiles: 1, changedChars: 100 },
};
const ran = {
  ...{ exitCode: 0, stdout: "o", stderr: "", changed: { [PAGE]: null }, reads: [PAGE] },
  elapsedMs: 1,
};

describe("an answer", () => {
  const line = (more: object) => JSON.stringify({ id: "i", ran: { ...ran, ...more } });

  it("[SH17] is rebuilt field by field: nothing else comes in with it", () => {
    expect(readAnswer(line({ more: 1, stopped: "time", fault: "f" }), "i", run)).toEqual({
      id: "i",
      ran: { ...ran, stopped: "time", fault: "f" },
    });
  });

  it("[SH17] at exactly the bounds of its run is one", () => {
    const most = { stdout: "o".repeat(10), stderr: "e".repeat(10), elapsedMs: 0 };
    const changed = { [PAGE]: "x".repeat(100 - PAGE.length) };

    expect(readAnswer(line({ ...most, changed }), "i", run)?.ran).toMatchObject({ changed });
  });

  it.each([
    ["no JSON", "{"],
    ["of another id", line({}).replace('"i"', '"j"')],
    ["without a run", '{"id":"i"}'],
    ["with an exit code that is none", line({ exitCode: "0" })],
    ["with a time before its start", line({ elapsedMs: -1 })],
    ["with more output than its bound", line({ stdout: "x".repeat(11) })],
    ["with more on standard error than its bound", line({ stderr: "x".repeat(11) })],
    ["with a change that is no text", line({ changed: { [PAGE]: 1 } })],
    ["with more files than its bound", line({ changed: { a: "", b: "" } })],
    ["with more text than its bound", line({ changed: { a: "x".repeat(100) } })],
    [
      "with a path that makes it more",
      line({ changed: { [PAGE]: "x".repeat(101 - PAGE.length) } }),
    ],
    ["that read what was not there", line({ reads: ["/etc/passwd"] })],
    ["stopped by what stops nothing", line({ stopped: "whim" })],
    ["with a fault that is no text", line({ fault: {} })],
  ])("[SH17] %s is none", (_, text) => {
    expect(readAnswer(text, "i", run)).toBeUndefined();
  });
});

describe("lines", () => {
  const told = async (parts: readonly string[], bytesMax = 100) => {
    const lines = [];
    const stream = Readable.from(parts.map((part) => Buffer.from(part)));
    for await (const line of linesOf(stream, bytesMax)) lines.push(line);
    return lines;
  };

  it("[SH16] end at a line feed and nowhere else, in whatever parts they come", async () => {
    expect(await told(["a\u2028", "b\r\u2029", "c\nd", "e\n\nf"])).toEqual([
      "a\u2028b\r\u2029c",
      "de",
      "",
    ]);
  });

  it("[SH17] that never end are no lines", async () => {
    await expect(told(["x".repeat(60), "x".repeat(60)])).rejects.toThrow("more than 100 bytes");
  });
});
