// A broken rule must fail a test, not hang it.

import { expect, it } from "vitest";
import { createMachine } from "xstate";
import { parts } from "../../src/builtIn/parts.ts";
import { openStage } from "../../src/run/openStage.ts";
import { policyWith } from "../builtIn.ts";
import { strangeEvent } from "../mail.ts";
import { driven } from "./driven.ts";
import { village } from "./village.ts";

it("a village in which something never happens ends with a sentence", () => {
  const world = village({ endMs: 1_000 });
  const endless = village();
  openStage(endless.kernel, parts, policyWith({}), {
    startsAtMs: 0,
    agents: ["cedar"],
    tools: [],
    files: {},
    events: [],
  });

  expect(() => world.until(() => false)).toThrow("it never happened");
  expect(() => endless.until(() => false)).toThrow("it did not happen within 20000 deliveries");
});

it("a machine to which a test sends until it changes ends with a sentence", () => {
  const stuck = driven(createMachine({ initial: "on", states: { on: { on: { go: {} } } } }), {});

  expect(() => {
    while (stuck.value === "on") stuck.send(strangeEvent("go"));
  }).toThrow("after 10000 events it is on still");
});
