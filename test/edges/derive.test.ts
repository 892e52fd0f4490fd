// What is told of a run is verified first: a log that was changed is never retold.

import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Divergence } from "../../src/edges/errors.ts";
import { minutes } from "../../src/machines/units.ts";
import { RULES_VERSION } from "../../src/run/bundle.ts";
import { sha256Hex } from "../../src/substrate/digest.ts";
import { deliveriesOf, playedAgain, readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { forge, rechain, recordedRun } from "../recordedRun.ts";

const original = await recordedRun({ untilMs: minutes(1) });
const lines = readFileSync(join(original.folder, "events.jsonl"), "utf8").trimEnd().split("\n");

function copied(edit: (lines: readonly string[]) => readonly string[] = (same) => same): string {
  const folder = newFolder();
  cpSync(original.folder, folder, { recursive: true });
  writeFileSync(join(folder, "events.jsonl"), `${edit(lines).join("\n")}\n`);
  return folder;
}

const withoutSealedLog = (folder: string): string => {
  forge(folder, ({ final }) => ({ final: { ...final, log: undefined } }));
  return folder;
};

/** Where, and with which exit code, the events of a bundle are refused; undefined when they are told. */
function refusal(folder: string): { exitCode: number; line: number | undefined } | undefined {
  try {
    deliveriesOf(readBundle(folder));
    return undefined;
  } catch (error) {
    if (!(error instanceof Divergence)) throw error;
    return { exitCode: error.exitCode, line: error.where.line };
  }
}

it("[VB40] the manifest's seal covers the log, byte for byte", () => {
  const { manifest, isLogSealed } = readBundle(original.folder);
  const text = readFileSync(join(original.folder, "events.jsonl"), "utf8");

  expect(manifest.final?.log).toBe(sha256Hex(text));
  expect(isLogSealed).toBe(true);
  expect(deliveriesOf(readBundle(original.folder))).toEqual(lines.map((line) => JSON.parse(line)));
});

const places = fc.record({
  at: fc.nat(lines.length - 1),
  field: fc.constantFrom(
    ...(["seq", "dueMs", "to", "from", "event", "cause", "because", "fate"] as const),
    ...(["before", "after", "changes", "letters", "digest"] as const),
  ),
});

it("[VB9] [VB40] whatever field of whatever line is changed, nothing is told, and the line is named", () => {
  fc.assert(
    fc.property(places, fc.boolean(), ({ at, field }, isOld) => {
      const folder = copied((all) => {
        const delivery = JSON.parse(all[at] as string);
        const other = { ...delivery, [field]: otherThan(delivery[field]) };
        return all.with(at, JSON.stringify(other));
      });
      if (isOld) withoutSealedLog(folder);

      expect(refusal(folder)).toEqual({ exitCode: 3, line: at + 1 });
      rmSync(folder, { recursive: true });
    }),
    { numRuns: 26 },
  );
});

/** A value of the same kind, so that nothing but its being untrue can give it away. */
function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") return `${value}x`;
  if (Array.isArray(value)) return [...value, ...(value.length > 0 ? [value[0]] : [7])];
  if (typeof value === "object" && value !== null) return { ...value, more: 1 };
  return 1;
}

it("[VB40] a capability's name that was replaced is not retold", () => {
  const at = lines.findIndex((line) => line.includes('"event":{"type":"call.routed"'));
  const folder = copied((all) =>
    all.with(at, (all[at] as string).replace(/"capability":"\w+"/, '"capability":"made_up"')),
  );

  expect(() => deliveriesOf(readBundle(folder))).toThrow(
    new RegExp(
      `events.jsonl:${at + 1}: found .*made_up.*allowed: .*"capability"[\\s\\S]*delete events`,
    ),
  );
});

it.each([
  ["changes", [null]],
  ["letters", [7]],
  ["because", ["x"]],
  ["event", {}],
  ["fate", null],
])(
  "[VB45] a line with %s of another shape is derived again, though somebody sealed it",
  (field, value) => {
    const folder = copied((all) =>
      all.with(5, JSON.stringify({ ...JSON.parse(all[5] as string), [field]: value })),
    );
    const text = readFileSync(join(folder, "events.jsonl"), "utf8");
    forge(folder, ({ final }) => ({ final: { ...final, log: sha256Hex(text) } }));

    expect(readBundle(folder).isLogSealed).toBe(true);
    expect(refusal(folder)).toEqual({ exitCode: 3, line: 6 });
  },
);

it.each([
  ["that says the same in another way", '{"seq":', '{ "seq":'],
  ["that is none, before it", '{"seq":', '{}\n{"seq":'],
  ["with another digest of its block", '"digest":"', '"digest":"0'],
])("[VB45] a line %s is derived again, though somebody sealed it", (_, was, is) => {
  const at = lines.findIndex((line, place) => place >= 5 && line.includes(was));
  const folder = copied((all) => all.with(at, (all[at] as string).replace(was, is)));
  const text = readFileSync(join(folder, "events.jsonl"), "utf8");
  forge(folder, ({ final }) => ({ final: { ...final, log: sha256Hex(text) } }));

  expect(readBundle(folder).isLogSealed).toBe(true);
  expect(refusal(folder)).toEqual({ exitCode: 3, line: at + 1 });
});

it("[VB40] a sealed log whose end is not the run's is no log of it", () => {
  const folder = copied();
  forge(folder, ({ final }) => ({ final: { ...final, digest: "0".repeat(64) } }));

  expect(readBundle(folder).isLogSealed).toBe(true);
  expect(refusal(folder)).toEqual({ exitCode: 3, line: undefined });
});

it("[VB9] a bundle of before, whose seal knows no log, tells the same: it is played once more", () => {
  const folder = withoutSealedLog(copied());

  expect(readBundle(folder).isLogSealed).toBe(false);
  expect(deliveriesOf(readBundle(folder))).toEqual(lines.map((line) => JSON.parse(line)));
});

it("[VB9] nor is a log believed because its last digest is right", () => {
  const folder = withoutSealedLog(copied((all) => all.with(3, all[4] as string)));

  expect(refusal(folder)).toEqual({ exitCode: 3, line: 4 });
});

it("[VB9] a recording that goes differently now is not told, with or without a log", () => {
  const folder = withoutSealedLog(copied());
  rechain(
    folder,
    original.inputs.map((input) =>
      input.kind === "reply" && input.port === "port/llm.chat"
        ? { ...input, event: { type: "llm.replied", text: "no JSON" } }
        : input,
    ),
  );

  expect(refusal(folder)).toEqual({ exitCode: 3, line: undefined });
  forge(folder, () => ({ rulesVersion: RULES_VERSION - 1 }));
  expect(() => deliveriesOf(readBundle(folder))).toThrow(/under the rules of this version/);
});

it("[VB9] under other rules a changed log is told as such, though not its line", () => {
  const folder = copied((all) => all.with(3, all[4] as string));
  forge(folder, ({ policy }) => ({ policy: { ...policy, "engine.callMs": 1_001 } }));

  expect(() => deliveriesOf(readBundle(folder))).toThrow(/is not the one that was sealed, either/);
});

it("[VB8] a killed run is told as far as its recording goes, and its log is held against it", () => {
  const killed = copied((all) => all.slice(0, 100));
  forge(killed, () => ({ final: undefined }));
  const changed = copied((all) => all.slice(0, 100).with(41, all[42] as string));
  forge(changed, () => ({ final: undefined }));

  const { deliveries } = playedAgain(readBundle(killed));
  expect(deliveries.length).toBeGreaterThan(100);
  expect(deliveries.slice(0, lines.length)).toEqual(
    lines.slice(0, deliveries.length).map((line) => JSON.parse(line)),
  );
  expect(refusal(changed)).toEqual({ exitCode: 3, line: 42 });
});
