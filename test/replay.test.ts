import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BadInput, Divergence, isEdgeError, NewerFormat } from "../src/edges/errors.ts";
import { minutes } from "../src/machines/units.ts";
import { FORMAT_VERSION, RULES_VERSION } from "../src/run/bundle.ts";
import type { Input } from "../src/substrate/port.ts";
import { replay } from "./builtIn.ts";
import { deliveriesOf, readBundle } from "./builtInScenarios.ts";
import { newFolder } from "./folders.ts";
import { forge, rechain, recordedRun } from "./recordedRun.ts";

const original = await recordedRun();
const FILES = ["manifest.json", "inputs.jsonl", "events.jsonl"] as const;

function copied(): string {
  const folder = newFolder();
  cpSync(original.folder, folder, { recursive: true });
  return folder;
}

function golden(): string {
  const folder = copied();
  rmSync(join(folder, "events.jsonl"));
  return folder;
}

const replayed = (folder: string) => replay(readBundle(folder));

/** What the program would exit with, and why. */
function verdictOn(folder: string): { readonly code: number; readonly says: string } {
  try {
    const { matches, difference } = replayed(folder);
    return { code: matches ? 0 : 3, says: JSON.stringify(difference) };
  } catch (error) {
    if (isEdgeError(error)) return { code: error.exitCode, says: error.message };
    throw error;
  }
}

function edited(folder: string, file: (typeof FILES)[number], edit: (text: string) => string) {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  const changed = edit(text);
  if (changed === text) throw new Error("nothing was edited");
  writeFileSync(path, changed);
  return folder;
}

/** A recording in which the model's 20th answer was another one. */
function otherAnswer(): Input[] {
  const answers = original.inputs.filter(
    (input) => input.kind === "reply" && input.port === "port/llm.chat",
  );
  return original.inputs.map((input) =>
    input === answers[19] ? { ...input, event: { type: "llm.replied", text: "no JSON" } } : input,
  );
}

describe("an unchanged bundle", () => {
  it("[VB3] replays to the same digest, and every call is served from the recording", () => {
    const { result } = original.observed;

    expect(replayed(original.folder)).toEqual({
      matches: true,
      partial: false,
      digest: result.digest,
      envelopes: result.envelopes,
      portCalls: original.inputs.filter(({ kind }) => kind === "reply").length,
      virtualMs: result.virtualMs,
      difference: null,
    });
  });

  it("[VB3] replays without its log: manifest and inputs are enough", () => {
    const { matches, digest } = replayed(golden());

    expect({ matches, digest }).toEqual({ matches: true, digest: original.observed.result.digest });
  });

  it("[VB8] replays when it was interrupted, up to there", async () => {
    const { folder } = await recordedRun({ onSlice: () => true });
    const { manifest } = readBundle(folder);

    expect(manifest.final).toMatchObject({ outcome: "interrupted", envelopes: 1_000 });
    expect(replayed(folder)).toMatchObject({ matches: true, partial: false, envelopes: 1_000 });
  });

  it("[VB8] replays without an end, as after a kill, as far as it goes", () => {
    const folder = copied();
    forge(folder, () => ({ final: undefined }));
    edited(folder, "events.jsonl", (text) => text.slice(0, text.length >> 1));
    edited(folder, "inputs.jsonl", (text) => text.slice(0, text.length >> 1));

    const { matches, partial, envelopes } = replayed(folder);

    expect({ matches, partial }).toEqual({ matches: true, partial: true });
    expect(envelopes).toBeGreaterThan(100);
  });
});

describe("a bundle that was changed", () => {
  it("[VB4] with another answer and a consistent chain: the first delivery that shows it", () => {
    const folder = copied();
    rechain(folder, otherAnswer());

    const { matches, difference } = replayed(folder);

    expect(matches).toBe(false);
    expect(difference).toMatchObject({
      kind: "divergence",
      actor: expect.stringContaining("agent/"),
    });
    const at = original.deliveries.at((difference?.delivery ?? 0) - 1);
    expect(at?.dueMs).toBe(difference?.atMs);
    expect(difference?.expected).toContain(`#${at?.seq} llm.replied from port/llm.chat`);
    expect(difference?.actual).not.toBe(difference?.expected);
  });

  it("[VB4] with another answer and no log: a checkpoint or the end tells", () => {
    const folder = golden();
    rechain(folder, otherAnswer());

    expect(replayed(folder).difference).toMatchObject({
      expected: expect.stringMatching(/^(checkpoint|final digest)|call \d+ for/),
    });
  });

  it("[VB4] with another policy: the run goes differently", () => {
    const folder = golden();
    forge(folder, ({ policy }) => ({ policy: { ...policy, "engine.callMs": 1_001 } }));

    expect(replayed(folder)).toMatchObject({ matches: false });
  });

  it("[VB4] without one of the replies: a miss that names the call", () => {
    const folder = golden();
    const inputs = original.inputs.filter((_, index) => index !== 40);
    rechain(folder, inputs);

    const { difference, matches } = replayed(folder);

    const gone = original.inputs[40];
    expect(matches).toBe(false);
    expect(difference).toMatchObject({ kind: "miss", actor: gone?.kind === "reply" && gone.from });
    expect(difference?.actual).toMatch(/^call \d+ for /);
  });

  it("[VB4] without its last reply: a miss too, since the recording says it is whole", () => {
    const folder = golden();
    const last = original.inputs.findLast(({ kind }) => kind === "reply");
    rechain(
      folder,
      original.inputs.filter((input) => input !== last),
    );

    expect(replayed(folder)).toMatchObject({ matches: false, difference: { kind: "miss" } });
  });

  it("[VB4] without a reply in the middle: a miss even if it was killed later", () => {
    const folder = golden();
    rechain(
      folder,
      original.inputs.filter((_, index) => index !== 10),
    );
    forge(folder, () => ({ final: undefined }));

    expect(replayed(folder)).toMatchObject({ matches: false, difference: { kind: "miss" } });
  });

  it.each([
    [1_000, "another"],
    [1_000_000, "one too many"],
  ])("[VB3] [VB4] in a checkpoint, %i: %s", (...told) => {
    const folder = golden();
    forge(folder, ({ final }) => {
      const { checkpoints = [] } = final ?? {};
      const before = checkpoints.filter(([seq]) => seq < told[0]);
      return { final: { ...final, checkpoints: [...before, told] } };
    });

    expect(replayed(folder).difference?.expected).toBe(`checkpoint ${told}`);
  });

  it("[VB4] in one word of its log: the field, as it was written and as it is", () => {
    const folder = edited(copied(), "events.jsonl", (text) => text.replace("write file", "wrote"));

    const { difference } = replayed(folder);

    expect(difference?.expected).toContain("wrote");
    expect(difference?.actual).toContain("write file");
  });

  it("[VB4] in the way a line of its log is written", () => {
    const folder = edited(copied(), "events.jsonl", (text) =>
      text.replace('"seq":1,', '"seq": 1,'),
    );

    expect(replayed(folder).difference).toMatchObject({
      delivery: 1,
      expected: expect.stringContaining("written in another way"),
    });
  });

  it("[VB10] under other rules: the difference says so", () => {
    const folder = golden();
    rechain(folder, otherAnswer());
    forge(folder, () => ({ rulesVersion: RULES_VERSION - 1 }));

    expect(replayed(folder).difference?.kind).toBe("rules changed");
  });

  it.each(FILES)("[VB5] in any one byte of %s: never replays, never crashes", (file) => {
    const { length } = readFileSync(join(original.folder, file));
    const places = [0, 1, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9].map((share) =>
      share === 1 ? 1 : Math.floor(share * (length - 1)),
    );
    for (const [index, place] of [...places, length - 2, length - 1].entries()) {
      const folder = copied();
      const bytes = readFileSync(join(folder, file));
      bytes[place] = (bytes[place] ?? 0) ^ (1 << (index % 7));
      writeFileSync(join(folder, file), bytes);

      const { code, says } = verdictOn(folder);
      expect([2, 3], `byte ${place} of ${file}: ${says}`).toContain(code);
      rmSync(folder, { recursive: true });
    }
  });

  it("[VB5] in a field of a sealed manifest: an error for people, never a crash", () => {
    const fields = Object.keys(JSON.parse(readFileSync(join(original.folder, FILES[0]), "utf8")));
    for (const field of fields.filter((name) => name !== "seal")) {
      for (const value of [null, -1, "constructor", [[1]]]) {
        const folder = golden();
        forge(folder, () => ({ [field]: value }));
        expect([0, 2, 3], `${field}: ${JSON.stringify(value)}`).toContain(verdictOn(folder).code);
        rmSync(folder, { recursive: true });
      }
    }
  });
});

/** Less than a thousand deliveries: nothing but its end tells of a golden of it, as of half of ours. */
it.each(["reply", "outside"])(
  "[VB4] a %s with another time of delivery is told, though no delivery shows it",
  (kind) => {
    const folder = copied();
    const at = original.inputs.findIndex((one) => one.kind === kind);
    const was = original.inputs[at] as Input;
    const later = { ...was, deliveredAt: was.deliveredAt + 1 };
    rechain(folder, original.inputs.with(at, later));
    const { matches, difference } = replayed(folder);

    expect(matches).toBe(false);
    expect(difference).toMatchObject({
      expected: `input #${was.seq} delivered at ${later.deliveredAt} ms`,
      actual: `input #${was.seq} delivered at ${was.deliveredAt} ms`,
    });
  },
);

describe("a short golden that was changed", async () => {
  const short = await recordedRun({ untilMs: minutes(1), withLog: false });
  const { envelopes } = short.observed.result;

  it.each([
    ["digest", { digest: "0".repeat(64) }],
    ["outcome", { outcome: "bug" }],
    ["number of deliveries", { envelopes: envelopes + 1 }],
    ["time of its end", { virtualMs: minutes(1) - 1 }],
  ])("[VB3] [VB4] in the %s of its end: replay compares it", (_, other) => {
    const folder = newFolder();
    cpSync(short.folder, folder, { recursive: true });
    forge(folder, ({ final }) => ({ final: { ...final, ...other } }));

    const { matches, difference } = replayed(folder);

    expect(readBundle(folder).manifest.final?.checkpoints).toEqual([]);
    expect(matches).toBe(false);
    expect(difference).toMatchObject({ kind: "divergence", delivery: null });
    expect(difference?.expected).toContain(`${Object.values(other)[0]}`);
    expect(difference?.actual).not.toBe(difference?.expected);
  });
});

describe("a bundle that was cut", () => {
  it.each(["inputs.jsonl", "events.jsonl"] as const)(
    "[VB6] in the last line of %s, or not at all, of a run without its end, replays and says partial",
    (file) => {
      for (const bytes of [0, 1, 30]) {
        const folder = copied();
        if (bytes > 0) edited(folder, file, (text) => text.slice(0, -bytes));
        forge(folder, () => ({ final: undefined }));

        const { matches, partial } = replayed(folder);

        expect({ matches, partial }).toEqual({ matches: true, partial: true });
      }
    },
  );

  it.each(["inputs.jsonl", "events.jsonl"] as const)(
    "[VB5] [VB6] in the last line of %s, of a run that has its end, is refused with the line",
    (file) => {
      const lines = readFileSync(join(original.folder, file), "utf8").split("\n").length - 1;
      for (const edit of [
        (text: string) => text.slice(0, -1),
        (text: string) => `${text.slice(0, -1)} `,
        (text: string) => text.slice(0, -30),
        (text: string) => `${text} `,
      ]) {
        const { code, says } = verdictOn(edited(copied(), file, edit));

        expect(code).toBe(3);
        expect(says).toMatch(new RegExp(`${file}:(?:${lines}|${lines + 1}): found `));
      }
    },
  );

  it("[VB6] by whole lines of inputs.jsonl is refused with the line", () => {
    const first = (text: string): string => `${text.split("\n").slice(0, 20).join("\n")}\n`;
    const { code, says } = verdictOn(edited(copied(), "inputs.jsonl", first));

    expect(code).toBe(3);
    expect(says).toContain("inputs.jsonl:21: found the manifest says");
  });

  it.each([
    ["line 5", 5, (lines: string[]) => lines.toSpliced(4, 1)],
    ["all behind line 20", 21, (lines: string[]) => lines.slice(0, 20)],
    ["the last line", original.deliveries.length, (lines: string[]) => lines.slice(0, -1)],
  ])("[VB6] by %s of events.jsonl, the first line that is missing is named", (_, line, cut) => {
    const folder = edited(
      copied(),
      "events.jsonl",
      (text) => `${cut(text.trimEnd().split("\n")).join("\n")}\n`,
    );

    expect(replayed(folder)).toMatchObject({ matches: false, difference: { delivery: line } });
    expect(() => deliveriesOf(readBundle(folder))).toThrow(`events.jsonl:${line}: found `);
  });

  it("[VB6] or has a line more in inputs.jsonl", () => {
    const folder = edited(
      copied(),
      "inputs.jsonl",
      (text) => `${text}${text.split("\n").at(-2)}\n`,
    );

    expect(verdictOn(folder).code).toBe(3);
  });

  it("[VB6] or has a line more in events.jsonl, which is named", () => {
    const folder = edited(
      copied(),
      "events.jsonl",
      (text) => `${text}${text.split("\n").at(-2)}\n`,
    );
    const line = original.deliveries.length + 1;

    expect(replayed(folder)).toMatchObject({ matches: false, difference: { delivery: line } });
    expect(() => deliveriesOf(readBundle(folder))).toThrow(`events.jsonl:${line}: found one more`);
  });

  it.each(["inputs.jsonl", "events.jsonl"] as const)(
    "[VB6] in the middle of a line of %s",
    (file) => {
      const folder = edited(copied(), file, (text) => text.slice(0, text.length >> 1));

      const { code, says } = verdictOn(folder);

      expect(code).toBe(3);
      expect(says).toMatch(/:\d+: found (?:the manifest says \d+ lines|a line without its end)/);
    },
  );

  it("[VB6] to nothing is refused", () => {
    for (const file of FILES) {
      const folder = copied();
      truncateSync(join(folder, file));

      expect([2, 3]).toContain(verdictOn(folder).code);
    }
  });
});

describe("what is no bundle", () => {
  it.each(["manifest.json", "inputs.jsonl"] as const)("[VB7] without %s", (file) => {
    const folder = copied();
    rmSync(join(folder, file));

    expect(() => readBundle(folder)).toThrow(BadInput);
    expect(verdictOn(folder).says).toContain(`${folder}: found a folder without ${file}`);
  });

  it("[VB7] a folder that is not there, a file, and a file that is a folder", () => {
    expect(() => readBundle(join(original.folder, "nothing"))).toThrow(BadInput);
    expect(() => readBundle(join(original.folder, "manifest.json"))).toThrow(BadInput);
    expect(() => readBundle("/")).toThrow(BadInput);
  });

  it("[VB7] a newer format asks for a newer ghostlight", () => {
    const folder = copied();
    forge(folder, () => ({ format: FORMAT_VERSION + 1 }));

    expect(() => readBundle(folder)).toThrow(NewerFormat);
    expect(verdictOn(folder)).toMatchObject({ code: 2, says: expect.stringContaining("Update") });
  });

  it("[VB7] text that is not JSON, and bytes that are no text", () => {
    const noJson = edited(copied(), "manifest.json", () => "{ format: 1 }");
    const noText = copied();
    writeFileSync(join(noText, "events.jsonl"), Buffer.from([0xc3, 0x28, 0x0a]));

    expect(() => readBundle(noJson)).toThrow(/not JSON/);
    expect(() => readBundle(noText)).toThrow(BadInput);
  });

  it("[VB5] a manifest that says the same in another way", () => {
    const folder = edited(copied(), "manifest.json", (text) => JSON.stringify(JSON.parse(text)));

    expect(() => readBundle(folder)).toThrow(Divergence);
  });

  it("[VB5] another scenario under the old hash", () => {
    const folder = copied();
    forge(folder, ({ scenario }) => ({ scenario: { ...scenario, text: `${scenario.text}\n` } }));

    expect(() => readBundle(folder)).toThrow(Divergence);
  });
});
