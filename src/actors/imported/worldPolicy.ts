/** The policy of a world that plays a log: what would add to it something that the log had not is off. */

import { countOf } from "../../contract/countOf.ts";
import { groupedBy } from "../../machines/grouped.ts";
import type { Json } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import { LATE_MS } from "./bounds.ts";
import { pace } from "./worldBounds.ts";
import type { WorldNames } from "./worldNames.ts";
import type { Recording } from "./worldRecordings.ts";

const SLACK_MS = 60_000;
/** Of the name of a variant. */
const NAME_CHARS = 55;

interface Of {
  /** Of the slowest tool; absent where the policy has time enough as it is. */
  readonly callMs: number | undefined;
  /** Beyond /agentOS, with files of the log. */
  readonly folders: readonly string[];
  /** How an agent goes on depends on what its calls came to. */
  readonly branches: boolean;
}

type Leaf = readonly [value: Json | ((of: Of) => Json | undefined), reason: string];

/** Each leaf with its reason, which stands behind it in the file. */
const LEAVES: { readonly [path: string]: Leaf } = {
  "router.kind": ["name", "tools are called by name, as in the log"],
  "router.skipBroken": [false, "what failed before is called again all the same"],
  "engine.builtins": [["message_send"], "nothing but what brings a message to another agent"],
  "engine.callMs": [0, "a call takes as long as the log says of its tool"],
  "model.gpuMs": [0, "the log does not say how long anybody thought"],
  "model.jitter": [0, "nor is it drawn"],
  "planner.wholePlans": [
    true,
    "a turn is over after its last recorded call, whatever the calls came to",
  ],
  "progress.otherStep": [0, "and not before it"],
  "progress.outputStep": [0, "likewise"],
  "planner.stepsPerCycle": [1_000, "all calls of a turn in one go"],
  "planner.consecutiveFailures": [
    1_000,
    "an agent goes on after a failed call; 1 ends the turn there",
  ],
  "planner.heartbeatMs": [pace.heartbeatMs, "an agent looks whether somebody wrote to it"],
  "planner.fallback": [false, "no agent makes goals of its own"],
  "planner.callTimeoutMs": [
    ({ callMs }) => callMs && callMs + SLACK_MS,
    "longer than the slowest tool of the log",
  ],
  "sandbox.callTimeoutMs": [({ callMs }) => callMs, "likewise"],
  "mind.callShown": [
    ({ branches }) => branches || undefined,
    "an agent goes on as the recordings did in which its call came to the same",
  ],
  "mind.messagesShown": [1_000, "an agent sees whatever it was told"],
  "gate.parts": [[], "no judge and no file decides whether a turn is over"],
  "ghosts.nullIsFailure": [false, "what returned nothing looked like success"],
  "ghosts.crossCycleFailures": [1_000, "no tool is listed as broken"],
  "lessons.enabled": [false, "nothing is learnt that the log does not hold"],
  "locks.enabled": [false, "nothing is locked"],
  "stressors.enabled": [[], "nobody suffers"],
  "folders.writable": [
    ({ folders }) => (folders.length > 0 ? folders : undefined),
    "files of the log lie there",
  ],
};

export const reasonOf = (path: string): string => ownValue(LEAVES, path)?.[1] ?? "";

export function policyOf(
  longestMs: number,
  folders: readonly string[],
  branches: boolean,
): { readonly [path: string]: Json } {
  const callMs = longestMs > 5_000 ? Math.min(longestMs + SLACK_MS, 86_400_000) : undefined;
  const entries = Object.entries(LEAVES).flatMap(([path, [value]]): [string, Json][] => {
    const own = typeof value === "function" ? value({ callMs, folders, branches }) : value;
    return own === undefined ? [] : [[path, own]];
  });
  return Object.fromEntries(entries);
}

/** What a world of a log is first asked: what if failures, or empty results, had ended a turn? Only where there were any. */
type Fields = { readonly [name: string]: Json };

/** Said wherever something is changed: no agent of such a world reads what a tool answers. */
const UNKNOWN = "Later turns follow the log's plan blindly, so what they come to is unknown.";

export function variantsOf({
  errors,
  empty,
}: {
  readonly errors: number;
  readonly empty: number;
}): { readonly variants?: Fields } {
  const seen = { "ghosts.nullIsFailure": true, "ghosts.emptyIsNull": true };
  const stop = { "planner.consecutiveFailures": 1 };
  const variants: Fields = {
    ...(empty > 0 && {
      "empty-is-failure": {
        why: `What if empty results counted as failures? Each agent goes on all the same. ${UNKNOWN}`,
        policy: seen,
        expect: [failed("=", errors + empty)],
      },
      "empty-stops": {
        why: `What if empty results counted as failures, and a failed call ended the turn? ${UNKNOWN}`,
        policy: { ...seen, ...stop },
        expect: [failed(">=", 1)],
      },
    }),
    ...(errors > 0 && {
      "errors-stop": {
        why: `What if a failed call ended the turn? ${UNKNOWN}`,
        policy: stop,
        expect: [failed(">=", 1)],
      },
    }),
  };
  return Object.keys(variants).length === 0 ? {} : { variants };
}

/** Faults as a scenario has them, under the scenario's names of tools. */
export const faultsOf = ({ faults }: Recording, tools: WorldNames): readonly Fields[] =>
  faults.map(({ does, tool, calls }) => {
    const name = tools.of(tool);
    const id = `${does}-${name}`.replaceAll("_", "-").slice(0, NAME_CHARS);
    const by = does === "late" && { by: `${LATE_MS}ms` };
    return { id, does, tool: name, ...by, ...(calls !== null && { calls }) };
  });

/** Of several recordings: what comes of each fault that some of them met. */
export function faultVariants(
  recordings: readonly Recording[],
  tools: WorldNames,
): { readonly variants?: Fields } {
  const variants: { [name: string]: Fields } = {};
  for (const [, alike] of groupedBy(recordings, (one) => JSON.stringify(one.faults))) {
    const [first] = alike;
    if (first === undefined || first.faults.length === 0) continue;
    const faults = faultsOf(first, tools);
    const plain = faults
      .map(({ id }) => id)
      .join("-")
      .slice(0, NAME_CHARS);
    let name = plain;
    for (let n = 2; Object.hasOwn(variants, name); n++) name = `${plain}-${n}`;
    const what = faults.map(({ does, tool }) => `${does} at ${tool}`).join(", ");
    const why = `What if: ${what}? ${countOf(alike.length, "recording")} of ${recordings.length} met that.`;
    variants[name] = { why, faults, expect: "inherit" };
  }
  return Object.keys(variants).length === 0 ? {} : { variants };
}

const failed = (op: string, value: number): Fields => ({
  ...{ name: "calls that failed", metric: "calls.failed", op, value },
});
