// What a chain may lead to: hints by whole words in any case, the missing name, words of affinity.

import { describe, expect, it } from "vitest";
import type { Artefact } from "../../../../src/machines/synt/contract.ts";
import { chainsFrom, isHinted, type Link } from "../../../../src/machines/synt/pool/compose.ts";
import { BILLION } from "../../../../src/machines/synt/score/reward.ts";
import { policyWith } from "../../../builtIn.ts";
import { parseScenario } from "../../../builtInScenarios.ts";
import { statecharts } from "../../../cast.ts";
import { mailIn } from "../../../mail.ts";
import { played, syntScenario } from "../../../syntWorld.ts";
import { driven, lettersTo } from "../../driven.ts";

const { compose } = policyWith({}).synt;
const zips: Link = { name: "compress_files", affinity: ["zip", "make smaller", "Archive"] };

describe("a hint", () => {
  it.each([
    ["WRITE", "write_files", true],
    ["Write Files", "write_files_pdf", true],
    ["write-files", "write_files", true],
    ["writ", "write_files", false],
    ["files", "write_files", false],
    ["write_files_pdf", "write_files", false],
    ["_", "write_files", false],
  ])("[SN29] %j means %s, in whole words and any case: %s", (hint, name, isSo) => {
    expect(isHinted([hint])(name)).toBe(isSo);
  });

  it.each([
    ["zip", true],
    ["ZIP", true],
    ["make smaller", true],
    ["archive", true],
    ["zi", false],
    ["smaller", false],
  ])("[SN29] %j is a word of affinity, whole or not at all: %s", (hint, isSo) => {
    expect(isHinted([hint], [], [zips])("compress_files")).toBe(isSo);
    expect(isHinted([hint], ["compress_files"], [zips])("compress_files")).toBe(false);
    expect(isHinted([hint])("compress_files")).toBe(false);
  });
});

describe("chains that are equal", () => {
  const seen = { ok: 1, runs: 1 };
  const edge = (to: string, weight = BILLION / 2) => ({ from: "read_files", to, weight, seen });
  const links: readonly Link[] = [
    { name: "read_files", affinity: ["photos", "share"] },
    { name: "move_files", affinity: ["tidy"] },
    { name: "share_files", affinity: ["Photos", "send", "share"] },
    { name: "send_files" },
  ];
  const best = (edges: readonly ReturnType<typeof edge>[], intent?: string) =>
    chainsFrom(
      "read_files",
      () => true,
      { links, edges, ...(intent && { intent }) },
      compose,
    ).chains.map(({ names }) => names.at(-1));

  it("[SN107, SN27] are taken by what the last is used for, in the words of the wish, then by name", () => {
    const edges = ["move_files", "send_files", "share_files"].map((to) => edge(to));

    expect(best(edges)).toEqual(["move_files", "send_files", "share_files"]);
    expect(best(edges, "Share my photos!")).toEqual(["share_files", "move_files", "send_files"]);
    // Three of the words go before one.
    expect(best(edges, "tidy up, and share and send the photos")[0]).toBe("share_files");
    expect(best(edges, "tidy up")).toEqual(["move_files", "send_files", "share_files"]);
  });

  it("[SN107] it is the last link's words that count, not those of a link on the way", () => {
    const via = (middle: string, last: string) => [
      edge(middle),
      { from: middle, to: last, weight: BILLION / 2, seen },
    ];
    const { chains } = chainsFrom(
      "read_files",
      (name) => name === "a_files" || name === "share_files",
      {
        links: [...links, { name: "b_files", affinity: ["photos", "share"] }],
        edges: [...via("b_files", "a_files"), ...via("c_files", "share_files")],
        intent: "Share my photos!",
      },
      compose,
    );

    expect(chains.map(({ names }) => names.at(-1))).toEqual(["share_files", "a_files"]);
  });

  it("[SN107] a heavier trace goes before the words", () => {
    const edges = [edge("share_files"), edge("move_files", BILLION / 2 + 1)];

    expect(best(edges, "Share my photos!")).toEqual(["move_files", "share_files"]);
  });
});

const input = (name: string, hints: readonly string[]) => ({
  ...{ request: "req-0001", mode: "reactive", proto: null, strategy: null, budgetCents: 500 },
  need: { intent: "pack it", name, from: "read_files", hints },
  material: { members: [], chain: [], hot: null, vetoes: [], covers: [] },
  ...{ revision: null, coder: { provider: "llamacpp", model: "Qwen3.6-35B" } },
});
const shown = (name: string, affinity: readonly string[]) => ({
  ...{ name, version: "1", description: name, takes: [], gives: [], profile: {}, shape: {} },
  ...{ affinity, meanMs: 1, meanCost: 0 },
});
function composedFor(name: string, hints: readonly string[]): Artefact {
  const request = driven(statecharts(policyWith({})).synthesisRequest, input(name, hints));
  request.send({
    type: "pool.answered",
    executors: [shown("read_files", []), shown("compress_files_zip", ["pack"])],
    edges: [
      { from: "read_files", to: "compress_files_zip", weight: BILLION, seen: { ok: 9, runs: 9 } },
    ],
    ...{ uncovered: [], cleanRuns: {} },
  });
  const letters = request.send({
    ...{ type: "paid.ended", call: "synt/req-0001/judge-1", why: null, error: null, cost: 0 },
    text: JSON.stringify({ score: 0.9, reasoning: "so" }),
  });
  return mailIn(lettersTo(letters, "synt"), "synth.stated").at(-1)?.artefact ?? null;
}

it("[SN29] what is missing is a hint itself: a longer name of the pool closes the gap", () => {
  const chain = ["read_files", "compress_files_zip"];

  expect(composedFor("compress_files", [])).toEqual(chain);
  // Beside hints of which none leads anywhere, too.
  expect(composedFor("compress_files", ["shrink"])).toEqual(chain);
  expect(composedFor("move_files", ["shrink"])).toBeNull();
  expect(composedFor("move_files", ["Compress"])).toEqual(chain);
  expect(composedFor("move_files", ["pack"])).toEqual(chain);
  expect(composedFor("move_files", [])).toBeNull();
});

it("[SN107] words of affinity go from the scenario, and from a birth, to the composer", () => {
  const scenario = syntScenario("synt-six-hops");
  const [born] = mailIn(played(scenario).log, "executor.offered");
  const { synt } = parseScenario(
    [
      ...["why: a", "source: ours", "startsAt: 2026-06-05T08:00:00Z", "seed: 5", "runsFor: 1h"],
      ...["agents: []", "model: { goals: [] }", "synt:", "  executors:"],
      "    - { name: read_files, description: reads, affinity: [open, look] }",
    ].join("\n"),
    "a.yaml",
  );

  expect(born?.offer.facts.affinity?.length).toBeGreaterThanOrEqual(6);
  expect(synt?.pool.executors[0]?.affinity).toEqual(["open", "look"]);
  const given = { ...synt, pool: { ...synt?.pool } } as NonNullable<typeof synt>;
  const { log } = played({
    ...scenario,
    synt: {
      ...(scenario.synt as typeof given),
      pool: {
        ...(scenario.synt as typeof given).pool,
        executors: (scenario.synt as typeof given).pool.executors.map((one) => ({
          ...one,
          affinity: ["a"],
        })),
      },
    },
  });
  const [answer] = mailIn(log, "pool.answered");
  const executors = answer?.executors ?? [];
  expect(executors.length).toBeGreaterThan(0);
  expect(executors.map(({ affinity }) => affinity)).toEqual(executors.map(() => ["a"]));
});
