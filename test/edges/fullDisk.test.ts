import { readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type BundleWriter, bundleWriter, FILES } from "../../src/edges/bundle/bundleWriter.ts";
import type { Delivery } from "../../src/substrate/envelope.ts";
import { newFolder } from "../folders.ts";
import { delivery, startOf } from "../handLog.ts";
import { opening } from "./opening.ts";

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return { ...fs, writeSync: vi.fn() };
});

const { writeSync: reallyWrite } = await vi.importActual<typeof import("node:fs")>("node:fs");
const fullDisk = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });

/** From now on there is room for that many bytes more. */
function leaveRoomFor(bytes: number): void {
  let room = bytes;
  vi.mocked(writeSync).mockImplementation((file, data, at) => {
    if (room === 0) throw fullDisk;
    const from = Number(at ?? 0);
    // The log is written as bytes only.
    const part = (data as unknown as Uint8Array).subarray(from, from + room);
    room -= part.length;
    return reallyWrite(file, part);
  });
}

beforeEach(() => leaveRoomFor(Number.POSITIVE_INFINITY));

const asked = (seq: number): Delivery => delivery({ seq, event: { type: "tools.asked" } });

function writeNext(writer: BundleWriter, first: number, count: number): void {
  for (let seq = first; seq < first + count; seq++) {
    writer.delivery(asked(seq), startOf(asked(seq)));
  }
}

const logIn = (folder: string): string => readFileSync(join(folder, FILES.events), "utf8");

describe("on a full disk", () => {
  const folder = newFolder();
  const writer = bundleWriter(folder, opening, true);
  // More than is kept back.
  const MANY = 2_000;
  const ROOM = 100_000;

  it("[VB8] the log ends where the room did, and nothing follows when there is room again", () => {
    writeNext(writer, 1, 10);
    writer.flush();
    const { length } = logIn(folder);
    leaveRoomFor(ROOM);

    writeNext(writer, 11, MANY);

    expect(() => writer.flush()).toThrow("ENOSPC");
    leaveRoomFor(Number.POSITIVE_INFINITY);
    writeNext(writer, 11 + MANY, MANY);
    expect(() => writer.flush()).toThrow("ENOSPC");
    writer.abandon();
    const log = logIn(folder);
    expect(log).toHaveLength(length + ROOM);
    const whole = log.split("\n").slice(0, -1);
    expect(whole.map((line) => JSON.parse(line))).toEqual(whole.map((_, at) => asked(at + 1)));
  });

  it("[VB8] no log goes on past its inputs", () => {
    const torn = newFolder();
    const both = bundleWriter(torn, opening, true);
    both.input({
      ...{ kind: "outside", seq: 1, id: "ask", to: "daemon", deliveredAt: 0 },
      event: { type: "host.message", text: "Write." },
    });
    writeNext(both, 1, 1);
    leaveRoomFor(5);

    both.abandon();

    expect(readFileSync(join(torn, FILES.inputs), "utf8")).toHaveLength(5);
    expect(logIn(torn)).toBe("");
  });
});
