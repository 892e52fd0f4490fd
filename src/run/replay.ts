/**
 * Runs a scenario again with its recorded ports and compares every delivery with what was written.
 * Pure: the bundle is already read. Source: DESIGN §3, "Replaying".
 */
import type { Part } from "../contract/part.ts";
import { groupedBy } from "../machines/grouped.ts";
import { canonicalJson } from "../substrate/canonicalJson.ts";
import type { Checkpoint } from "../substrate/checkpoint.ts";
import type { Change, Delivery, Posted } from "../substrate/envelope.ts";
import type { Kernel } from "../substrate/kernel.ts";
import type { Lines } from "../substrate/log.ts";
import type { Input } from "../substrate/port.ts";
import { callName, type RecordedOptions, RecordingMiss } from "../substrate/recordedPort.ts";
import { type Manifest, RULES_VERSION } from "./bundle.ts";
import { playRecorded, type Recorded } from "./playRecorded.ts";
import { lastDigest, type RunResult, type SimulateOptions } from "./simulate.ts";

/** The first thing that is not as recorded. */
export interface Difference {
  readonly kind: "divergence" | "miss" | "rules changed";
  /** Which number in order, from 1; null when only a digest tells. */
  readonly delivery: number | null;
  readonly atMs: number;
  readonly actor: string;
  readonly expected: string;
  readonly actual: string;
}

/** What a replay found. `difference` is the first thing that is not as recorded; times are virtual milliseconds. */
export interface ReplayResult {
  readonly matches: boolean;
  readonly partial: boolean;
  readonly digest: string;
  readonly envelopes: number;
  /** Port calls made to the recording. No live or scripted port is ever called. */
  readonly portCalls: number;
  readonly virtualMs: number;
  readonly difference: Difference | null;
}

class Stop extends Error {}

/** `onRequest` sees every call. A recording without an end may go on `from` where it was saved when it was shorter. */
export type ReplayOptions = Pick<RecordedOptions, "onRequest"> &
  Pick<SimulateOptions, "interpreter"> & {
    readonly from?: Checkpoint | undefined;
    readonly onSaved?: (saved: Checkpoint) => void;
  };

/** `watch` sees every delivery of the replay, up to its end or the first difference. */
export function replay(
  parts: readonly Part[],
  recorded: Recorded,
  watch?: (delivery: Delivery) => void,
  { onRequest, interpreter, from, onSaved }: ReplayOptions = {},
): ReplayResult {
  const { manifest, log } = recorded;
  const lines = log && linesOf(log, manifest);
  let count = from?.delivered ?? 0;
  let found: Difference | undefined;
  let late: Difference | undefined;
  const inputs = groupedBy(recorded.inputs, inputName);
  const checkpoints: [number, string][] = [];
  const isWhole = !recorded.partial && manifest.final !== undefined;
  const result = playRecorded(parts, recorded, {
    ...(onRequest && { onRequest }),
    ...{ interpreter, from },
    onCheckpoint: (seq, digest, saved) => {
      checkpoints.push([seq, digest]);
      onSaved?.(saved);
    },
    onInput: (actual) => {
      const was = inputs.get(inputName(actual))?.shift();
      if (was !== undefined) late ??= inputDifference(was, actual);
      // One that the recording lacks is a miss, or what a killed run had not written yet.
      else if (isWhole && actual.kind === "outside") late ??= lackedInput(actual);
    },
    onTurn: (turn, { digest }) => {
      const told = manifest.forks?.find(({ at }) => at === turn.at)?.digest;
      if (told !== digest) late ??= digestDifference("fork", turn.at, told, digest);
    },
    ...(manifest.resumed && { after: resumption(manifest.resumed, (one) => (late ??= one)) }),
    onDelivery: (actual) => {
      watch?.(actual);
      count += 1;
      found = lines?.unlike(count, actual);
      if (found !== undefined) throw new Stop();
    },
  });
  const difference =
    found ??
    missOf(result, recorded) ??
    late ??
    startDifference(recorded) ??
    finalDifference(result, manifest, checkpoints) ??
    unaskedFor(inputs, result, recorded) ??
    lines?.beyond(count, result.virtualMs);
  const isOld = manifest.rulesVersion !== RULES_VERSION;
  return {
    matches: difference === undefined,
    partial: recorded.partial || recorded.logTorn === true,
    digest: lastDigest(result),
    envelopes: result.envelopes,
    portCalls: result.recordedCalls,
    virtualMs: result.virtualMs,
    difference:
      difference === undefined ? null : { ...difference, ...(isOld && { kind: "rules changed" }) },
  };
}

const inputName = (input: Input): string =>
  input.kind === "outside" ? JSON.stringify([input.id, input.seq]) : callName(input);

const INPUT_CHARS = 200;

/** What a log cannot tell: a delivery has a time of its own, and not all of an input becomes one. */
function inputDifference(was: Input, actual: Input): Difference | undefined {
  const [expected, found] = [canonicalJson(was), canonicalJson(actual)];
  if (expected === found) return undefined;
  const said = (one: Input, text: string): string =>
    was.deliveredAt === actual.deliveredAt
      ? `input #${one.seq} ${partFrom(expected, found, text)}`
      : `input #${one.seq} delivered at ${one.deliveredAt} ms`;
  return {
    ...inputPlace(actual),
    ...{ expected: said(was, expected), actual: said(actual, found) },
  };
}

/** A little before the first place in which two texts part. */
export function partedFrom(one: string, other: string): number {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  return Math.max(0, start - 40);
}

/** A text from where two others part. */
function partFrom(one: string, other: string, text: string): string {
  const from = partedFrom(one, other);
  return `${from > 0 ? "…" : ""}${text.slice(from, from + INPUT_CHARS).toWellFormed()}`;
}

const inputPlace = (input: Input) => ({
  ...{ kind: "divergence" as const, delivery: null, atMs: input.deliveredAt },
  actor: input.kind === "outside" ? input.to : input.port,
});

const lackedInput = (input: Extract<Input, { kind: "outside" }>): Difference => ({
  ...inputPlace(input),
  expected: `no input ${input.id} at ${input.deliveredAt} ms`,
  actual: `input #${input.seq} ${canonicalJson(input).slice(0, INPUT_CHARS).toWellFormed()}`,
});

/** A whole recording holds nothing that its run does not ask for. */
function unaskedFor(
  left: ReadonlyMap<string, readonly Input[]>,
  { outcome }: RunResult,
  { manifest, partial }: Recorded,
): Difference | undefined {
  const [one] = [...left.values()].flat();
  if (one === undefined || partial || manifest.final === undefined || outcome === "miss") return;
  const expected = `input #${one.seq} ${canonicalJson(one).slice(0, INPUT_CHARS).toWellFormed()}`;
  return { ...inputPlace(one), expected, actual: "a run that never asks for it" };
}

/** What a manifest says of the run before it: how far it was, and its digest there. */
const resumption = (
  { envelopes, digest }: NonNullable<Manifest["resumed"]>,
  tell: (difference: Difference) => void,
) => ({
  deliveries: envelopes,
  look: (kernel: Kernel): void => {
    if (kernel.digest === digest) return;
    tell(digestDifference("run before", envelopes, digest, kernel.digest));
  },
});

const digestDifference = (
  what: string,
  deliveries: number,
  was: string | undefined,
  is: string | null,
): Difference => ({
  ...{ kind: "divergence", delivery: deliveries, atMs: 0, actor: "kernel" },
  expected: `${what} at ${deliveries} deliveries, digest ${was ?? "none"}`,
  actual: `digest ${is ?? "none"}`,
});

/** A report counts its dates from there. */
function startDifference({ manifest, scenario }: Recorded): Difference | undefined {
  if (manifest.startsAt === scenario.startsAt) return undefined;
  return {
    ...{ kind: "divergence", delivery: null, atMs: 0, actor: "kernel" },
    ...{ expected: `a start at ${manifest.startsAt}`, actual: `a start at ${scenario.startsAt}` },
  };
}

type LineDifference = Difference & { readonly delivery: number };

/** A log, held against its run; that of a run which has its end lacks no line. */
function linesOf(log: Lines, { final }: Manifest) {
  const isWhole = final !== undefined;
  return {
    /** How the line of a delivery, counted from 1, is not written as the run writes it. */
    unlike(delivery: number, actual: Delivery): LineDifference | undefined {
      const line = log.at(delivery - 1);
      if (line === undefined) return isWhole ? missingLine(delivery, actual) : undefined;
      return line === JSON.stringify(actual) ? undefined : differenceOf(delivery, line, actual);
    },
    /** What stands behind the last of so many deliveries. */
    beyond(count: number, atMs: number): LineDifference | undefined {
      if (!isWhole || log.length <= count) return undefined;
      const at = { kind: "divergence", delivery: count + 1, atMs, actor: "kernel" } as const;
      return { ...at, expected: "one more line", actual: "the end of the run" };
    },
  };
}

const missingLine = (delivery: number, actual: Delivery): LineDifference => ({
  ...{ kind: "divergence", delivery, atMs: actual.dueMs, actor: actual.to },
  ...{ expected: "the end of the log", actual: described(actual) },
});

/** The first line of a log that is not written as the run writes it; `delivery` counts from 1. */
export function firstDifference(
  { log, manifest }: Pick<Recorded, "log" | "manifest">,
  { deliveries, virtualMs }: Pick<RunResult, "virtualMs"> & { deliveries: readonly Delivery[] },
): LineDifference | undefined {
  if (log === undefined) return undefined;
  const lines = linesOf(log, manifest);
  for (const [index, actual] of deliveries.entries()) {
    const found = lines.unlike(index + 1, actual);
    if (found !== undefined) return found;
  }
  return lines.beyond(deliveries.length, virtualMs);
}

function differenceOf(
  delivery: number,
  line: string,
  actual: Delivery,
): (Difference & { readonly delivery: number }) | undefined {
  const at = { kind: "divergence", delivery, atMs: actual.dueMs, actor: actual.to } as const;
  const logged = strictDelivery(line);
  if (logged === undefined) {
    return { ...at, expected: "a line that is no longer readable", actual: described(actual) };
  }
  const [was, is] = [described(logged), described(actual)];
  if (was !== is) return { ...at, expected: was, actual: is };
  const parts = unequalParts(logged, actual);
  // A recorded reply is the same with its keys sorted; nothing else is written in another way.
  if (parts === undefined && JSON.stringify(logged) === line) return undefined;
  const [before, now] = parts ?? ["written in another way", "as it is written now"];
  return { ...at, expected: `${was}, ${before}`, actual: `${is}, ${now}` };
}

/** One line of the log; undefined when it is no delivery. */
export function readDelivery(line: string): Delivery | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return isDelivery(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

export function isDelivery(value: unknown): value is Delivery {
  const read = value as Partial<Delivery> | null | undefined;
  return (
    Number.isSafeInteger(read?.seq) &&
    Number.isSafeInteger(read?.dueMs) &&
    typeof read?.from === "string" &&
    typeof read.to === "string" &&
    typeof (read.digest ?? "") === "string" &&
    typeof read.event?.type === "string" &&
    typeof read.fate === "string" &&
    isListOf(read.because ?? [], Number.isSafeInteger) &&
    isListOf(read.changes, (one) => Array.isArray((one as Partial<Change> | null)?.path)) &&
    isListOf(read.letters, (one) => typeof (one as Partial<Posted> | null)?.to === "string")
  );
}

const isListOf = (value: unknown, isOne: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

/** Lines may come from strangers: lone surrogates, infinities and bottomless values are refused. */
function strictDelivery(line: string): Delivery | undefined {
  try {
    const read = readDelivery(line);
    if (read !== undefined) canonicalJson(read);
    return read;
  } catch {
    return undefined;
  }
}

const described = ({ seq, dueMs, from, to, event, fate, after }: Delivery): string =>
  `#${seq} ${event.type} from ${from} to ${to} at ${dueMs} ms, ${fate}, state ${JSON.stringify(after)}`;

const SHOWN_CHARS = 300;

/** The first field in which two deliveries differ, from a little before the difference on. */
function unequalParts(logged: Delivery, actual: Delivery): [string, string] | undefined {
  const fields = Object.keys({ ...actual, ...logged }) as (keyof Delivery)[];
  for (const field of fields) {
    const [was, is] = [textOf(logged[field]), textOf(actual[field])];
    if (was === is) continue;
    const from = partedFrom(was, is);
    const part = (text: string): string =>
      `${field} ${from > 0 ? "…" : ""}${text.slice(from, from + SHOWN_CHARS).toWellFormed()}`;
    return [part(was), part(is)];
  }
  return undefined;
}

const textOf = (value: unknown): string => (value === undefined ? "absent" : canonicalJson(value));

/** A call the recording does not hold. Where a partial recording simply ends, that is no difference. */
function missOf(result: RunResult, { partial, inputs }: Recorded): Difference | undefined {
  if (!(result.error instanceof RecordingMiss)) return undefined;
  const { request, nearest } = result.error;
  const lastMs = inputs.at(-1)?.deliveredAt ?? 0;
  const isKnown = nearest !== undefined && nearest.nth >= request.nth;
  if (partial && !isKnown && request.nowMs >= lastMs - longestLatency(inputs)) return undefined;
  const { from, purpose, nth } = request;
  return {
    kind: "miss",
    delivery: null,
    atMs: request.nowMs,
    actor: from,
    expected:
      nearest === undefined
        ? `no call of ${from} for ${purpose}`
        : `call ${nearest.nth} for ${nearest.purpose}, request ${nearest.request}`,
    actual: `call ${nth} for ${purpose}, request ${request.request}`,
  };
}

const longestLatency = (inputs: readonly Input[]): number =>
  inputs.reduce((most, one) => (one.kind === "reply" ? Math.max(most, one.latencyMs) : most), 0);

function finalDifference(
  result: RunResult,
  { final }: Manifest,
  checkpoints: readonly (readonly [number, string])[],
): Difference | undefined {
  const at = {
    kind: "divergence",
    delivery: null,
    actor: "kernel",
    atMs: result.virtualMs,
  } as const;
  if (final === undefined || result.outcome === "miss") {
    const { outcome, error } = result;
    return outcome === "bug" ? { ...at, expected: "no bug", actual: String(error) } : undefined;
  }
  const wrong = checkpoints.findIndex((one, index) => `${one}` !== `${final.checkpoints[index]}`);
  const more = final.checkpoints[checkpoints.length];
  if (wrong < 0 && more !== undefined) {
    return { ...at, expected: `checkpoint ${more}`, actual: "the end of the run" };
  }
  if (wrong >= 0) {
    const expected = `checkpoint ${final.checkpoints[wrong] ?? "none"}`;
    return { ...at, expected, actual: `checkpoint ${checkpoints[wrong]}` };
  }
  const [expected, actual] = [endText(final), endText(result)];
  return expected === actual ? undefined : { ...at, expected, actual };
}

const endText = ({
  digest,
  envelopes,
  virtualMs,
  outcome,
}: Pick<RunResult, "digest" | "envelopes" | "virtualMs" | "outcome">): string =>
  `final digest ${digest} after ${envelopes} deliveries at ${virtualMs} ms, ${outcome}`;
