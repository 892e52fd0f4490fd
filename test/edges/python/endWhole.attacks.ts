// A process that is ended in the middle of its start leaves none behind, and keeps nobody waiting.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { findWalls } from "../../../src/edges/processes/bwrap.ts";
import { pyodideFile, startChild } from "../../../src/edges/python/childProcess.ts";

const walls = findWalls();

const withText = (text: string): readonly string[] =>
  readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });

it.skipIf(walls === null)(
  "[SB12] inside bubblewrap a process that is ended while it starts leaves no other",
  async () => {
    const mark = randomUUID();
    const setup = {
      ...{ mode: "serve" as const, pyodide: pyodideFile(), memoryMb: 256, residentMb: 768 },
      snapshot: { bytes: 10, sha256: mark },
    };
    for (let n = 0; n < 150; n++) {
      const child = startChild(setup, walls ?? undefined);
      // Where it goes wrong is a matter of fractions of a millisecond.
      await pause((n % 30) / 2);
      child.kill();
      await child.ended;
    }
    await pause(200);

    expect(withText(mark)).toEqual([]);
  },
);
