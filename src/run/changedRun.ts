/**
 * A recorded run with something changed: who answers which call, and how many of each. Pure: the
 * bundle is already read. Source: DESIGN §3, "A changed run".
 */
import type { Part } from "../contract/part.ts";
import { type PolicyValue, policyValues, policyWith } from "../contract/policyTree.ts";
import { variantOf } from "../contract/scenario.ts";
import { choicesIn, type PortRequest } from "../substrate/port.ts";
import {
  type Call,
  callName,
  type RecordedOptions,
  replyOf,
  textOf,
} from "../substrate/recordedPort.ts";
import { playRecorded, type Recorded } from "./playRecorded.ts";

/**
 * A request without what differs between two runs that are alike: times and ids. A number is an id
 * when it hangs on something (page-7, page/12, #3); one that stands alone is a fact and stays.
 */

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g;
const UUID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const HEX = /\b(?=[a-f]*\d)[0-9a-f]{8,}\b/gi;
const CLOCK = /\b\d+:\d\d(?::\d\d(?:\.\d+)?)?\b/g;
const NUMBER = /(?<=[A-Za-z][-/_]|[#_/])\d+(?![\d.]*\d)/g;

export const normalised = (text: string): string =>
  text
    .replace(INSTANT, "<time>")
    .replace(UUID, "<id>")
    .replace(HEX, "<id>")
    .replace(CLOCK, "<time>")
    .replace(NUMBER, "<n>");

/** How many calls each served. */
export interface Coverage {
  /** By the recording: the same call with the same request. */
  readonly exact: number;
  /** By the recording: the same call, whose request differs in times and ids only. */
  readonly normalised: number;
  /** By the scenario's own providers, and by a live model where one was named. */
  readonly scripted: number;
  /** By no provider: with `strict`, the first such call ends the run. */
  readonly missed: number;
  /** Of all of these, the questions to a chat model. */
  readonly model: {
    readonly recorded: number;
    readonly scripted: number;
    /** By a live model, in place of a script; absent where none was named. */
    readonly live?: number;
  };
}

export interface Change {
  readonly set: { readonly [path: string]: PolicyValue };
  readonly variant: string | null;
  readonly strict: boolean;
  /** A live model answers what the recording lacks. */
  readonly isLive?: boolean;
}

export interface ChangedRun {
  /** Everything that differs from the defaults of scenario and variant. */
  readonly set: { readonly [path: string]: PolicyValue };
  readonly serving: RecordedOptions;
  /** So far. */
  coverage(): Coverage;
  /** Of the first miss: how the request and the recorded one in its place differ. */
  missed(): readonly [recorded: string, asked: string] | undefined;
}

export function changedRun(parts: readonly Part[], recorded: Recorded, change: Change): ChangedRun {
  const { scenario } = recorded;
  const known = recordedTexts(parts, recorded);
  let missed: [string, string] | undefined;
  const without = new Set(variantOf(scenario, change.variant).without.choices);
  const counts = { exact: 0, normalised: 0, scripted: 0, missed: 0 };
  const model = { recorded: 0, scripted: 0 };
  let live = 0;
  const count = (by: keyof typeof counts, { port }: Pick<PortRequest, "port">): void => {
    counts[by] += 1;
    if (port !== "port/llm.chat" || by === "missed") return;
    if (by !== "scripted") model.recorded += 1;
    else if (change.isLive) live += 1;
    else model.scripted += 1;
  };
  const isThinkable = (call: Call): boolean =>
    call.kind === "reply" && !choicesIn(call.choice ?? "").some((choice) => without.has(choice));
  const serving: RecordedOptions = {
    serves: (call, request) => {
      const isExact = call.request === request.request && isThinkable(call);
      if (isExact) count("exact", request);
      return isExact;
    },
    onMiss: ({ request, inPlace, provider, error }) => {
      const text = textOf(request, provider);
      const was = known.get(callName(request));
      const isAlike =
        inPlace?.kind === "reply" &&
        isThinkable(inPlace) &&
        was !== undefined &&
        normalised(was) === normalised(text);
      if (isAlike) {
        count("normalised", request);
        return replyOf(inPlace);
      }
      if (was !== undefined) missed ??= unequalParts(was, text);
      count(change.strict ? "missed" : "scripted", request);
      if (change.strict) throw error;
      return provider.answer(request);
    },
  };
  const set = { ...ownSettings(parts, recorded), ...change.set };
  return {
    set,
    serving,
    coverage: () => ({ ...counts, model: { ...model, ...(change.isLive && { live }) } }),
    missed: () => missed,
  };
}

/** What the user had set, besides scenario and variant. */
export function ownSettings(
  parts: readonly Part[],
  { scenario, manifest }: Pick<Recorded, "scenario" | "manifest">,
): { [path: string]: PolicyValue } {
  const base = policyValues(parts, policyWith(parts, variantOf(scenario, manifest.variant).policy));
  return Object.fromEntries(
    Object.entries(manifest.policy).filter(([path, value]) => `${base[path]}` !== `${value}`),
  );
}

/** The recording holds hashes only: the texts are found by playing it again. */
function recordedTexts(parts: readonly Part[], recorded: Recorded): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  playRecorded(parts, recorded, {
    onRequest: (request, text) => known.set(callName(request), text),
  });
  return known;
}

/** Ours: what fits on two lines. */
const SHOWN_CHARS = 120;

/** From a little before the first difference on. */
function unequalParts(one: string, other: string): [string, string] {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const part = (text: string): string =>
    text.slice(Math.max(0, start - 40), start + SHOWN_CHARS).toWellFormed();
  return [part(one), part(other)];
}
