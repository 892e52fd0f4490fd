// What is off in a world that plays a log, and what is asked of it first.
import { expect, it } from "vitest";
import { WorldNames } from "../../../src/actors/imported/worldNames.ts";
import {
  faultVariants,
  policyOf,
  reasonOf,
  variantsOf,
} from "../../../src/actors/imported/worldPolicy.ts";
import { onlyRecording } from "../../../src/actors/imported/worldRecordings.ts";
import { policyWith } from "../../builtIn.ts";

it("[IM88] calls have the slowest tool's time and a minute more, where that is longer than five seconds", () => {
  const times = (longestMs: number) => {
    const policy = policyOf(longestMs, [], false);
    return [policy["sandbox.callTimeoutMs"], policy["planner.callTimeoutMs"]];
  };

  expect(times(5_000)).toEqual([undefined, undefined]);
  expect(times(5_001)).toEqual([65_001, 125_001]);
  expect(times(86_400_000)).toEqual([86_400_000, 86_460_000]);
});

it("[IM88] what would add to the log is off, and each has its reason", () => {
  const policy = policyOf(0, [], false);

  expect(policy).toEqual({
    ...{ "router.kind": "name", "router.skipBroken": false, "engine.builtins": ["message_send"] },
    ...{ "engine.callMs": 0, "model.gpuMs": 0, "model.jitter": 0, "planner.wholePlans": true },
    ...{ "progress.otherStep": 0, "progress.outputStep": 0, "planner.stepsPerCycle": 1_000 },
    ...{ "planner.consecutiveFailures": 1_000, "planner.heartbeatMs": 5_000 },
    ...{ "planner.fallback": false, "mind.messagesShown": 1_000, "gate.parts": [] },
    ...{ "ghosts.nullIsFailure": false, "ghosts.crossCycleFailures": 1_000 },
    ...{ "lessons.enabled": false, "locks.enabled": false, "stressors.enabled": [] },
  });
  expect(policyOf(0, ["/data"], false)).toEqual({ ...policy, "folders.writable": ["/data"] });
  expect(policyOf(0, [], true)).toEqual({ ...policy, "mind.callShown": true });
  for (const path of Object.keys(policy)) expect(reasonOf(path)).toMatch(/^[a-z].{6,}/);
  expect(reasonOf("constructor")).toBe("");
  expect(() => policyWith(policy as Parameters<typeof policyWith>[0])).not.toThrow();
});

it("[IM92] it is first asked what if empty results or errors had ended a turn, each where there were any", () => {
  const failed = (op: string, value: number) => [
    { name: "calls that failed", metric: "calls.failed", op, value },
  ];
  const asked = (errors: number, empty: number) =>
    Object.entries(variantsOf({ errors, empty }).variants ?? {}).map(([name, one]) => [
      ...[name, (one as { readonly policy: object }).policy],
      (one as { readonly expect: object }).expect,
    ]);
  const seen = { "ghosts.nullIsFailure": true, "ghosts.emptyIsNull": true };
  const stop = { "planner.consecutiveFailures": 1 };

  expect(variantsOf({ errors: 0, empty: 0 })).toEqual({});
  expect(asked(2, 3)).toEqual([
    ["empty-is-failure", seen, failed("=", 5)],
    ["empty-stops", { ...seen, ...stop }, failed(">=", 1)],
    ["errors-stop", stop, failed(">=", 1)],
  ]);
  expect(asked(1, 0).map(([name]) => name)).toEqual(["errors-stop"]);
  expect(asked(0, 1).map(([name]) => name)).toEqual(["empty-is-failure", "empty-stops"]);
});

it("[IM115] recordings that met several faults are one variant of all of them", () => {
  const head = {
    name: "a",
    format: "openai",
    file: "a.jsonl",
    startsAt: "",
    clock: "steps",
  } as const;
  const plain = onlyRecording({ ...head, deliveries: [] });
  const faults = [
    { does: "nothing", tool: "write_file", calls: null },
    { does: "late", tool: "look", calls: [2] },
  ] as const;
  const both = { ...plain, faults };

  expect(faultVariants([both, plain, both], WorldNames.ofTools([])).variants).toMatchObject({
    "nothing-write-file-late-look": {
      why: "What if: nothing at write_file, late at look? 2 recordings of 3 met that.",
      faults: [
        { does: "nothing", tool: "write_file" },
        { does: "late", tool: "look", by: "5000ms", calls: [2] },
      ],
      expect: "inherit",
    },
  });
});
