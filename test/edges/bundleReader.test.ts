// Every file of a bundle is checked before it is believed, and whatever is wrong is a sentence.

import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundleWriter } from "../../src/edges/bundle/bundleWriter.ts";
import { type EdgeError, isEdgeError } from "../../src/edges/errors.ts";
import { FORMAT_VERSION, RULES_VERSION, sealed } from "../../src/run/bundle.ts";
import { sha256Hex } from "../../src/substrate/digest.ts";
import type { Input } from "../../src/substrate/port.ts";
import { readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { forge, rechain } from "../recordedRun.ts";

const text = `why: w
source: s
startsAt: 2026-01-01T00:00:00Z
seed: 1
runsFor: 1m
agents: [cedar]
model: { goals: [{ slug: g, text: c, artifact: /agentOS/workspace/a.md, weight: 1, plans: [{ id: p, weight: 1, steps: [{ intent: i }] }] }] }
`;
const opening = {
  format: FORMAT_VERSION,
  product: "ghostlight 0",
  rulesVersion: RULES_VERSION,
  scenario: { name: "x", text, sha256: sha256Hex(text) },
  variant: null,
  seed: 1,
  policy: { "engine.callMs": 1_000 },
  untilMs: null,
  origin: "scripted",
  providers: { "port/llm.chat": "scripted" },
  startsAt: "2026-01-01T00:00:00Z",
} as const;
const ended = {
  outcome: "ended",
  error: null,
  digest: "d".repeat(64),
  envelopes: 0,
  virtualMs: 60_000,
  checkpoints: [],
} as const;
const said = (seq: number, word: string): Input => ({
  ...{ kind: "outside", seq, id: "ask", to: "daemon", deliveredAt: 0 },
  event: { type: "host.message", text: word },
});

/** A bundle whose manifest has few bytes, with two inputs. */
function small(): string {
  const folder = newFolder();
  const writer = bundleWriter(folder, opening, true);
  writer.input(said(1, "one"));
  writer.input(said(2, "two"));
  writer.finish(ended, {});
  return folder;
}

/** What reading says, or the error with which it was refused. */
function refused(folder: string): EdgeError | undefined {
  try {
    readBundle(folder);
    return undefined;
  } catch (error) {
    if (isEdgeError(error)) return error;
    throw error;
  }
}

describe("a manifest", () => {
  it("[VB5] is read as it was written", () => {
    expect(refused(small())).toBeUndefined();
  });

  it("[VB5] with any one of its bytes changed, taken out or doubled is refused: 2 or 3, never read", () => {
    const folder = small();
    const file = join(folder, "manifest.json");
    const bytes = readFileSync(file);
    let bySeal = 0;
    for (const place of bytes.keys()) {
      const [before, after] = [bytes.subarray(0, place), bytes.subarray(place + 1)];
      const flipped = Buffer.of((bytes[place] as number) ^ (1 << (place % 7)));
      const doubled = Buffer.of(bytes[place] as number, bytes[place] as number);
      // Each byte in one of the ways, and each way at every third byte.
      const other = [flipped, Buffer.of(), doubled][place % 3] ?? flipped;
      writeFileSync(file, Buffer.concat([before, other, after]));
      const error = refused(folder);
      expect([2, 3], `byte ${place}: ${bytes.subarray(place - 9, place + 9)}`).toContain(
        error?.exitCode,
      );
      if (error?.found.includes("its seal")) bySeal += 1;
    }
    // Much of what is changed is still a manifest: the seal alone tells.
    expect(bySeal).toBeGreaterThan(bytes.length / 3);
  });

  it("[VB5] with a byte order mark before it is refused, and so is a recording with one", () => {
    for (const name of ["manifest.json", "inputs.jsonl"]) {
      const folder = small();
      const file = join(folder, name);
      writeFileSync(file, Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), readFileSync(file)]));

      expect([2, 3], name).toContain(refused(folder)?.exitCode);
    }
  });

  it.each([
    ["seed", { seed: -1 }, "-1"],
    ["policy.engine.callMs", { policy: { "engine.callMs": "soon" } }, '"soon"'],
    ["policy.no.such", { policy: { "no.such": 1 } }, "1"],
    ["providers", { providers: undefined }, "required"],
    ["providers.port/llm.chat", { providers: { "port/llm.chat": 7 } }, "7"],
    ["live.models", { live: { server: "s", models: 3, embed: null } }, "3"],
    ["resumed.digest", { resumed: { envelopes: 1, digest: null } }, "nothing"],
    [
      "final.checkpoints",
      { final: { ...ended, inputs: { lines: 0, head: ended.digest }, checkpoints: 1 } },
      "1",
    ],
    ["final.inputs", { final: ended }, "required"],
    ["variant", { variant: "none-such" }, "none-such"],
  ])(
    "[VB7] sealed with a wrong %s names the field, what stands there and what to do",
    (path, other, found) => {
      const folder = small();
      forge(folder, () => other);

      const error = refused(folder);

      expect(error).toMatchObject({
        exitCode: 2,
        where: { file: join(folder, "manifest.json"), path },
      });
      expect(error?.found).toContain(found);
      expect(error?.message).toMatch(/allowed: .+\n.+\.$/);
    },
  );

  it.each([0, -1, 1.5, null, "1"])("[VB7] of format %j is none", (format) => {
    const folder = small();
    const { seal: _, ...rest } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
    writeFileSync(join(folder, "manifest.json"), JSON.stringify(sealed({ ...rest, format })));

    const error = refused(folder);

    expect(error).toMatchObject({ exitCode: 2, where: { path: "format" } });
    expect(error?.found).toContain(`${JSON.stringify(format)} as its format`);
  });

  it("[VB7] whose scenario this version does not take names the place in it, and who takes it", () => {
    const folder = small();
    const other = text.replace("agents:", "agent:");
    forge(folder, () => ({ scenario: { name: "x", text: other, sha256: sha256Hex(other) } }));

    const error = refused(folder);

    expect(error).toMatchObject({ exitCode: 2, where: { path: "scenario.text" } });
    expect(error?.message).toMatch(
      /at 6:1:agent: the key "agent".*\n.*ghostlight 0, which recorded it/,
    );
  });
});

describe("a recording", () => {
  it("[VB5] [RC4] of as many lines, each chained, is refused when the head is not the manifest's", () => {
    const folder = small();
    const other = small();
    rechain(other, [said(1, "one"), said(2, "three")]);
    copyFileSync(join(other, "inputs.jsonl"), join(folder, "inputs.jsonl"));

    const error = refused(folder);

    expect(error).toMatchObject({ exitCode: 3, where: { file: join(folder, "inputs.jsonl") } });
    expect(error?.found).toContain("the manifest says 2 lines ending in");
  });

  it.each([
    ["latencyMs", { latencyMs: "soon" }],
    ["choice", { choice: 7 }],
    ["usage", { usage: { model: "m" } }],
    ["attempts", { attempts: [null] }],
    ["event", { event: { type: 7 } }],
  ])(
    "[RC5] [RC10] with a reply of another shape in its %s is a fault, however well chained",
    (_, other) => {
      const folder = small();
      const reply = {
        ...{ kind: "reply", seq: 3, port: "port/llm.chat", from: "agent/cedar", purpose: "plan" },
        ...{ nth: 1, request: "r", latencyMs: 1, deliveredAt: 1, event: { type: "llm.replied" } },
        ...other,
      };
      rechain(folder, [said(1, "one"), JSON.parse(JSON.stringify(reply))]);

      expect(refused(folder)).toMatchObject({ exitCode: 3, where: { line: 2 } });
    },
  );
});

describe("what is no bundle", () => {
  it.each([
    ["a folder that is not there", (at: string) => join(at, "nowhere"), "no such folder"],
    ["a file", (at: string) => join(at, "manifest.json"), "a file where a folder should be"],
    ["a place below a file", (at: string) => join(at, "manifest.json", "x"), "no such folder"],
    ["a path with a null", () => "a\0b", "no such folder"],
  ])("[VB7] %s", (_, place, found) => {
    const at = place(small());

    expect(refused(at)).toMatchObject({ exitCode: 2, where: { file: at }, found });
  });

  it.each(["manifest.json", "inputs.jsonl", "events.jsonl"])(
    "[VB7] a folder in place of %s",
    (name) => {
      const folder = newFolder();
      const whole = small();
      for (const file of ["manifest.json", "inputs.jsonl", "events.jsonl"]) {
        if (file !== name) copyFileSync(join(whole, file), join(folder, file));
      }
      mkdirSync(join(folder, name));

      expect(refused(folder)).toMatchObject({
        exitCode: 2,
        where: { file: join(folder, name) },
        found: "a folder where a file should be",
      });
    },
  );

  it.each([
    ["inputs.jsonl", 400_000_000],
    // It stays in its file.
    ["events.jsonl", 10_000_000_000],
  ])("[VB7] %s, larger than any bundle's, says how large it may be", (name, most) => {
    const folder = small();
    truncateSync(join(folder, name), most + 1);

    expect(refused(folder)).toMatchObject({
      exitCode: 2,
      found: `${most + 1} bytes`,
      allowed: `up to ${most} bytes`,
    });
  });

  it.each([
    ["not JSON", "{ format: 1 }", "text that is not JSON"],
    ["a list", "[]", "nothing as its format"],
    ["nothing", "null", "nothing as its format"],
    ["empty", "", "text that is not JSON"],
  ])("[VB7] a manifest that is %s", (_, manifest, found) => {
    const folder = small();
    writeFileSync(join(folder, "manifest.json"), manifest);

    const error = refused(folder);

    expect(error?.exitCode).toBe(2);
    expect(error?.message).toContain(`${join(folder, "manifest.json")}`);
    expect(error?.found).toContain(found);
  });
});

it("[VB51] the log of a run that still goes on may grow while it is read, that of a run that ended may not", () => {
  const grown = (isOver: boolean) => {
    const folder = newFolder();
    const writer = bundleWriter(folder, opening, true);
    if (isOver) writer.finish(ended, {});
    const file = join(folder, "events.jsonl");
    writeFileSync(file, "one\n");
    const { log } = readBundle(folder, { keptBytesMax: 0 });
    appendFileSync(file, "two\n");
    return () => log?.at(0);
  };

  expect(grown(false)()).toBe("one");
  expect(grown(true)).toThrow("a file that was changed while it was read");
});
