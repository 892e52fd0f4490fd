/** The policy of a world that plays a log: what would add to it something that the log had not is off. */
import type { Json } from "../../machines/letter.ts";
import { pace } from "./worldBounds.ts";

const SLACK_MS = 60_000;

/** Each leaf with its reason, which stands behind it in the file. */
export const REASONS: { readonly [path: string]: string } = {
  "router.kind": "tools are called by name, as in the log",
  "router.skipBroken": "what failed before is called again all the same",
  "engine.builtins": "nothing but what brings a message to another agent",
  "engine.callMs": "a call takes as long as the log says of its tool",
  "model.gpuMs": "the log does not say how long anybody thought",
  "model.jitter": "nor is it drawn",
  "planner.wholePlans": "a turn is over after its last recorded call, whatever the calls came to",
  "progress.otherStep": "and not before it",
  "progress.outputStep": "likewise",
  "planner.stepsPerCycle": "all calls of a turn in one go",
  "planner.consecutiveFailures": "an agent goes on after a failed call; 1 ends the turn there",
  "planner.heartbeatMs": "an agent looks whether somebody wrote to it",
  "planner.callTimeoutMs": "longer than the slowest tool of the log",
  "sandbox.callTimeoutMs": "likewise",
  "planner.fallback": "no agent makes goals of its own",
  "mind.messagesShown": "an agent sees whatever it was told",
  "gate.parts": "no judge and no file decides whether a turn is over",
  "ghosts.nullIsFailure": "what returned nothing looked like success",
  "ghosts.crossCycleFailures": "no tool is listed as broken",
  "lessons.enabled": "nothing is learnt that the log does not hold",
  "locks.enabled": "nothing is locked",
  "stressors.enabled": "nobody suffers",
  "folders.writable": "files of the log lie there",
};

/** `folders` beyond /agentOS hold files of the log. */
export function policyOf(
  longestMs: number,
  folders: readonly string[],
): { readonly [path: string]: Json } {
  const callMs = Math.min(longestMs + SLACK_MS, 86_400_000);
  return {
    "router.kind": "name",
    "router.skipBroken": false,
    "engine.builtins": ["message_send"],
    "engine.callMs": 0,
    "model.gpuMs": 0,
    "model.jitter": 0,
    "planner.wholePlans": true,
    "progress.otherStep": 0,
    "progress.outputStep": 0,
    "planner.stepsPerCycle": 1_000,
    "planner.consecutiveFailures": 1_000,
    "planner.heartbeatMs": pace.heartbeatMs,
    "planner.fallback": false,
    ...(longestMs > 5_000 && {
      "planner.callTimeoutMs": callMs + SLACK_MS,
      "sandbox.callTimeoutMs": callMs,
    }),
    "mind.messagesShown": 1_000,
    "gate.parts": [],
    "ghosts.nullIsFailure": false,
    "ghosts.crossCycleFailures": 1_000,
    "lessons.enabled": false,
    "locks.enabled": false,
    "stressors.enabled": [],
    ...(folders.length > 0 && { "folders.writable": folders }),
  };
}

/** What a world of a log is first asked: what if failures, or empty results, had ended a turn? Only where there were any. */
type Fields = { readonly [name: string]: Json };

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
        why: "What if empty results counted as failures? Each agent goes on all the same.",
        policy: seen,
        expect: [failed("=", errors + empty)],
      },
      "empty-stops": {
        why: "What if empty results counted as failures, and a failed call ended the turn?",
        policy: { ...seen, ...stop },
        expect: [failed(">=", 1)],
      },
    }),
    ...(errors > 0 && {
      "errors-stop": {
        why: "What if a failed call ended the turn?",
        policy: stop,
        expect: [failed(">=", 1)],
      },
    }),
  };
  return Object.keys(variants).length === 0 ? {} : { variants };
}

const failed = (op: string, value: number): Fields => ({
  ...{ name: "calls that failed", metric: "calls.failed", op, value },
});
