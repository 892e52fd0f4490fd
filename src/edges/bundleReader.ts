/**
 * Reads a bundle from disk. It is data from strangers: every file is checked before it is used,
 * and nothing in it is ever run.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { FORMAT_VERSION, isIntact, type Manifest } from "../bundle.ts";
import { accepts, policyLeaves } from "../machines/policy.ts";
import type { Recorded } from "../playRecorded.ts";
import { sha256Hex } from "../substrate/digest.ts";
import { SEED_MAX } from "../substrate/random.ts";
import { readRecording } from "../substrate/recording.ts";
import { FILES, manifestText } from "./bundleWriter.ts";
import { BadInput, Divergence, NewerFormat, quoted } from "./errors.ts";
import { parseScenario } from "./scenarioFile.ts";

/** Ours: above the largest shipped bundle by a factor of ten, below what a string can hold. */
const FILE_BYTES_MAX = 400_000_000;

/** A bundle that was read and checked, and the folder it lies in. */
export interface ReadBundle extends Recorded {
  readonly folder: string;
}

/** Throws BadInput or NewerFormat (exit 2) when unreadable, Divergence (exit 3) when changed. */
export function readBundle(folder: string): ReadBundle {
  const manifest = readManifest(folder);
  const recording = readRecording(readText(folder, FILES.inputs));
  const { fault, torn, inputs, head } = recording;
  if (fault !== undefined) throw damaged(folder, FILES.inputs, fault.line, fault.reason);
  const { final } = manifest;
  if (final !== undefined) checkLength(folder, recording.inputs.length, head, torn, final.inputs);
  const { text, name } = manifest.scenario;
  const scenario = parseScenario(text, `${name}.yaml`);
  if (manifest.variant !== null && !Object.hasOwn(scenario.variants, manifest.variant)) {
    const found = `the variant ${quoted(manifest.variant)}, which its scenario does not have`;
    throw unreadable(join(folder, FILES.manifest), found);
  }
  const log = readLog(folder, final?.envelopes);
  return {
    folder,
    manifest,
    scenario,
    inputs,
    partial: torn || final === undefined,
    ...log,
  };
}

function readManifest(folder: string): Manifest {
  const text = readText(folder, FILES.manifest);
  const file = join(folder, FILES.manifest);
  let manifest: Partial<Manifest>;
  try {
    manifest = JSON.parse(text) as Partial<Manifest>;
  } catch (error) {
    throw unreadable(file, `text that is not JSON (${(error as Error).message})`);
  }
  const format = (manifest as Partial<Manifest> | null)?.format;
  if (!Number.isSafeInteger(format)) throw unreadable(file, "no format number");
  if (Number(format) > FORMAT_VERSION) {
    throw new NewerFormat({
      where: { file, path: "format" },
      found: `format ${format}, written by ${String(manifest.product)}`,
      allowed: `up to ${FORMAT_VERSION}`,
      todo: "Update ghostlight: npm install ghostlight@latest.",
    });
  }
  if (!isManifest(manifest)) throw unreadable(file, "a manifest with missing or wrong fields");
  if (!isIntact(manifest) || text !== manifestText(manifest)) {
    throw damaged(folder, FILES.manifest, undefined, "its seal does not match its content");
  }
  if (sha256Hex(manifest.scenario.text) !== manifest.scenario.sha256) {
    throw damaged(folder, FILES.manifest, undefined, "the scenario is not the one that was hashed");
  }
  return manifest;
}

function isManifest(value: Partial<Manifest>): value is Manifest {
  const { scenario, variant, seed, policy, untilMs, final } = value;
  const leaves = new Map(policyLeaves());
  return (
    typeof scenario?.text === "string" &&
    typeof scenario.name === "string" &&
    (variant === null || typeof variant === "string") &&
    Number.isSafeInteger(seed) &&
    Number(seed) >= 0 &&
    Number(seed) <= SEED_MAX &&
    (untilMs === null || Number.isSafeInteger(untilMs)) &&
    typeof policy === "object" &&
    policy !== null &&
    Object.entries(policy).every(([path, set]) => {
      const leaf = leaves.get(path);
      return leaf !== undefined && accepts(leaf, set);
    }) &&
    (final === undefined ||
      (typeof final?.digest === "string" &&
        typeof final.outcome === "string" &&
        Number.isSafeInteger(final.envelopes) &&
        Number.isSafeInteger(final.inputs?.lines) &&
        Array.isArray(final.checkpoints)))
  );
}

function checkLength(
  folder: string,
  lines: number,
  head: string,
  torn: boolean,
  expected: { readonly lines: number; readonly head: string },
): void {
  const missing = expected.lines - lines;
  if (missing === 0 && head === expected.head && !torn) return;
  if (missing === 1 && torn) return;
  const reason =
    missing > 0
      ? `the manifest says ${expected.lines} lines, and the file ends after ${lines}`
      : `the manifest says ${expected.lines} lines ending in ${expected.head.slice(0, 12)}`;
  throw damaged(folder, FILES.inputs, lines + 1, reason);
}

/** The log's lines, when the bundle has a log. A kill may have torn the last one. */
function readLog(
  folder: string,
  envelopes: number | undefined,
): { readonly log: readonly string[]; readonly logTorn: boolean } | undefined {
  if (statSync(join(folder, FILES.events), { throwIfNoEntry: false }) === undefined)
    return undefined;
  const log = readText(folder, FILES.events).split("\n");
  const logTorn = log.pop() !== "";
  const missing = envelopes === undefined ? 0 : envelopes - log.length;
  if (missing !== 0 && !(missing === 1 && logTorn)) {
    const reason = `the manifest says ${envelopes} deliveries, and the file holds ${log.length}`;
    throw damaged(folder, FILES.events, Math.min(log.length, envelopes ?? 0) + 1, reason);
  }
  return { log, logTorn };
}

function readText(folder: string, name: string): string {
  const file = join(folder, name);
  try {
    const { size } = statSync(file);
    if (size > FILE_BYTES_MAX) throw new Error(`${size} bytes, more than ${FILE_BYTES_MAX}`);
    return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
  } catch (error) {
    throw unreadable(file, (error as Error).message);
  }
}

const unreadable = (file: string, found: string): BadInput =>
  new BadInput({
    where: { file },
    found,
    allowed: "a folder that `ghostlight run` left, with manifest.json and inputs.jsonl",
    todo: "Name the bundle's folder, such as runs/safe-file-executor-s7-1.",
  });

const damaged = (
  folder: string,
  name: string,
  line: number | undefined,
  found: string,
): Divergence =>
  new Divergence({
    where: { file: join(folder, name), ...(line !== undefined && { line }) },
    found,
    allowed: "the bytes that were written",
    todo: "The recording was changed after the run. Take the original, or record it again with `ghostlight run`.",
  });
