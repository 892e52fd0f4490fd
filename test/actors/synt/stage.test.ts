// How a world with synt begins, what comes from outside, and what a variant leaves out.
import { expect, it } from "vitest";
import { proposalsIn } from "../../../src/actors/synt/dossiers.ts";
import { stage } from "../../../src/actors/synt/stage.ts";
import type { OutsideEvent } from "../../../src/contract/scenario.ts";
import { policyWith } from "../../builtIn.ts";
import { syntScenario } from "../../syntWorld.ts";

const policy = policyWith({});

const scenario = { ...syntScenario("synt-day-cap"), startsAtMs: 0 };
const { synt, ...without } = scenario;
const ids = synt?.turns.map(({ turn }) => turn) ?? [];

it("[VB25] desk, pool and ager are there from the start, then each turn comes at its time, under its id", () => {
  const opened = stage.opening?.(scenario);

  expect(opened?.map(({ id, letter }) => [id, letter.delayMs])).toEqual([
    ["stage", undefined],
    ["stage", undefined],
    ["stage", undefined],
    ...(synt?.turns.map(({ turn, atMs }) => [turn, atMs]) ?? []),
  ]);
  expect(opened?.map(({ letter: { event } }) => ("address" in event ? event.address : ""))).toEqual(
    [...["synt", "pool", "ager", ...ids.map((id) => `gateway/${id}`)]],
  );
  expect(ids).toHaveLength(3);
  expect(stage.opening?.(without)).toEqual([]);
});

it("[VB25] a variant leaves out turns by their ids, and nothing where there is no synt", () => {
  const [first = "", ...rest] = ids;

  expect(stage.without?.(scenario, new Set([first, "other"])).synt).toEqual({
    ...synt,
    turns: synt?.turns.filter(({ turn }) => rest.includes(turn)),
  });
  expect(stage.without?.(without, new Set([first]))).toBe(without);
});

it("[VB25] a workspace says what synt is for, unless the scenario has its own word", () => {
  const path = "/agentOS/workspace/TELOS.md";

  expect(Object.keys(stage.files?.(scenario, policy) ?? {})).toEqual([path]);
  expect(stage.files?.({ ...scenario, files: { [path]: "ours" } }, policy)).toEqual({});
  expect(stage.files?.(without, policy)).toEqual({});
});

it.each<[object, string, object]>([
  [
    { does: "synt.homeostasis", lookbackMs: 7 },
    "ager",
    { type: "homeostasis.asked", lookbackMs: 7 },
  ],
  [
    { does: "synt.revise", request: "req-1", feedback: "no", target: null },
    "synt",
    { type: "synth.revised", request: "req-1", feedback: "no", target: null },
  ],
  [{ does: "executor.revoke", executor: "sort" }, "executor/sort", { type: "executor.revoked" }],
])("[VB25] the outside event %j goes to %s", (event, to, sent) => {
  expect(stage.letterOf?.({ id: "x", atMs: 1, ...event } as OutsideEvent, scenario)).toEqual({
    to,
    event: sent,
  });
});

it("[VB25] what other parts' events do is theirs", () => {
  expect(stage.letterOf?.({ id: "x", atMs: 1, does: "other" } as never, scenario)).toBeUndefined();
});

it("[SN69] a person is asked about one proposal, at night about several, and of money about none", () => {
  const dossier = { strategy: "merge" };
  const asked = (purpose: string, more: object) => proposalsIn({ purpose, ...more } as never);

  expect(asked("soft-cap", { request: "r", dossier })).toEqual([]);
  expect(asked("proposals", { dossier: { proposals: [1, 2] } })).toEqual([1, 2]);
  expect(asked("chain", { request: "r", dossier })).toEqual([{ request: "r", dossier }]);
});
