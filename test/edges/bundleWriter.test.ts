import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  bundleWriter,
  claimFolder,
  claimNumbered,
  FILES,
} from "../../src/edges/bundle/bundleWriter.ts";
import { OutputRefused } from "../../src/edges/errors.ts";
import { isIntact, type Manifest } from "../../src/run/bundle.ts";
import { newFolder } from "../folders.ts";
import { delivery, startOf } from "../handLog.ts";
import { opening } from "./opening.ts";

const final = { outcome: "ended", error: null, digest: "d", envelopes: 1, virtualMs: 1 } as const;
const outside = {
  kind: "outside",
  seq: 1,
  id: "ask",
  to: "daemon",
  deliveredAt: 0,
  event: { type: "host.message", agent: "cedar", text: "Write." },
} as const;
const asked = delivery({ seq: 1, event: { type: "tools.asked" } });
const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, FILES.manifest), "utf8")) as Manifest;

it("[VB2] the manifest stands from the start, without an end, and is replaced at once when the run is over", () => {
  const folder = newFolder();

  const writer = bundleWriter(folder, opening, true);
  const before = manifestIn(folder);
  const open = openSync(join(folder, FILES.manifest), "r");
  writer.input(outside);
  writer.delivery(asked, startOf(asked));
  const after = writer.finish({ ...final, checkpoints: [] }, { "report.md": "words" });
  const read: unknown = JSON.parse(readFileSync(open, "utf8"));
  closeSync(open);

  expect(before.final).toBeUndefined();
  // Whoever reads meanwhile sees the one or the other, whole.
  expect(read).toEqual(before);
  expect(after.final?.inputs).toEqual({ lines: 1, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(manifestIn(folder)).toEqual(after);
  expect([before, after].map(isIntact)).toEqual([true, true]);
  expect(readdirSync(folder).sort()).toEqual([
    ...["events.jsonl", "inputs.jsonl", "manifest.json", "report.md"],
  ]);
});

it("[VB2] the seal vouches for every field", () => {
  const folder = newFolder();
  bundleWriter(folder, opening, false).finish({ ...final, checkpoints: [] }, {});
  const manifest = manifestIn(folder);

  for (const field of Object.keys(manifest)) {
    expect(isIntact({ ...manifest, [field]: "another" } as Manifest)).toBe(false);
  }
  expect(isIntact({ ...manifest, more: undefined } as Manifest)).toBe(false);
});

it("[VB8] what was flushed is on disk while the run goes on", () => {
  const folder = newFolder();
  const writer = bundleWriter(folder, opening, true);

  writer.input(outside);
  writer.delivery(asked, startOf(asked));
  writer.flush();

  for (const file of [FILES.inputs, FILES.events]) {
    expect(readFileSync(join(folder, file), "utf8")).toMatch(/^\{.*\}\n$/);
  }
});

it("[CL4] a folder is claimed when it is new or empty, with the folders above it", () => {
  const folder = newFolder();

  claimFolder(folder);
  claimFolder(join(folder, "a/b/c"));

  expect(existsSync(join(folder, "a/b/c"))).toBe(true);
});

it("[CL4] a folder with something in it, a file, and a place below a file are refused", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "file"), "");

  for (const taken of [folder, join(folder, "file"), join(folder, "file/below")]) {
    expect(() => claimFolder(taken)).toThrow(OutputRefused);
  }
  expect(readdirSync(folder)).toEqual(["file"]);
});

it("[CL4] numbered folders take the first free number", () => {
  const parent = join(newFolder(), "runs");
  mkdirSync(join(parent, "x-2"), { recursive: true });

  const names = [1, 2, 3].map(() => claimNumbered(parent, "x"));

  expect(names).toEqual(["x-1", "x-3", "x-4"].map((name) => join(parent, name)));
});

it("[CL4] where no folder can be made, the way out is named", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "runs"), "a file in the way");

  expect(() => claimNumbered(join(folder, "runs"), "x")).toThrow(/--out/);
});
