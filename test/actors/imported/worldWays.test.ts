// How agents go on in several recordings of one task, turn by turn. SPEC, "A scenario of a log".
import { describe, expect, it } from "vitest";
import { heldOut } from "../../../src/actors/imported/edge/world/heldOut.ts";
import { madeWorld, playedWorld } from "../../../src/actors/imported/edge/world/playedWorld.ts";
import { worldSaid } from "../../../src/actors/imported/edge/world/worldSaid.ts";
import { type Recordings, recordingOf } from "../../../src/actors/imported/worldRecordings.ts";
import { builtIn } from "../../../src/builtIn/lists.ts";
import type { Scenario } from "../../../src/contract/scenario.ts";
import { leftRecording } from "../../../src/run/leftRecording.ts";
import { observe } from "../../builtIn.ts";
import { answered, called, found, logOf, said } from "./worlds.ts";

async function recordings(...logs: readonly (readonly unknown[])[]): Promise<Recordings> {
  const all = await Promise.all(logs.map(async (values) => recordingOf(await logOf(values))));
  return all as unknown as Recordings; // No test has none.
}

/** Tools that were called, in order, and whether nobody left the recordings. */
function played(scenario: Scenario) {
  const tools: string[] = [];
  const onSeen = ({ event }: { readonly event: object }): void => {
    const { type, tool } = event as { readonly type: string; readonly tool?: string };
    if (type === "call.requested" && tool !== undefined) tools.push(tool);
  };
  const { meter } = observe(scenario, { onSeen });
  return { tools, isKnown: leftRecording(builtIn.parts, meter) === null };
}

/** The scenario with another answer of `find`. */
const finding = (scenario: Scenario, result: string): Scenario => ({
  ...scenario,
  tools: scenario.tools.map((one) =>
    one.name === "find"
      ? {
          ...one,
          table: {
            rows: [{ fits: { kind: "args", args: {} }, outcomes: [{ ok: true, result }] }],
            otherwise: null,
          },
        }
      : one,
  ),
});

const free = [
  ...[said("Find a table."), ...called("find", {}, "[7]"), answered("There is one.")],
  ...[said("And then?"), ...called("book", { table: 7 }, "ok"), ...called("mail", {}, "sent")],
];
const full = [
  ...[
    said("Find a table."),
    ...called("find", {}, "[]"),
    ...called("call", {}, "no"),
    answered("No."),
  ],
  ...[said("And then?"), ...called("mail", {}, "sent"), answered("I wrote to them.")],
];

it("[IM112] of as many the way is taken whose text comes first, in whatever order the files are given", async () => {
  const begun = [said("Find a table."), ...called("find", {}, "[7]")];
  const books = [...begun, ...called("book", { table: 7 }, "ok"), answered("It is yours.")];
  const mails = [...begun, ...called("mail", {}, "sent"), answered("I asked them.")];
  for (const logs of [
    [books, mails],
    [mails, books],
  ]) {
    const { scenario, world } = madeWorld(builtIn, await recordings(...logs), "world.yaml");
    expect(played(scenario).tools).toEqual(["find", "book"]);
    expect(world.notes).toMatchObject({ aside: 1, tied: 1 });
  }
  const three = await recordings(books, mails, books);
  expect(madeWorld(builtIn, three, "world.yaml").world.notes).toMatchObject({ tied: 0 });
  expect((await heldOut(builtIn, three, "world.yaml")).map(({ isTied }) => isTied)).toEqual([
    ...[true, false, true],
  ]);
});

describe("a world of logs that part by an answer", () => {
  it("[IM112] goes on in later turns, too, as the one does whose answer came", async () => {
    const { scenario } = madeWorld(builtIn, await recordings(free, full), "world.yaml");

    expect(found(scenario)).toEqual([]);
    expect(played(scenario)).toEqual({ tools: ["find", "book", "mail"], isKnown: true });
    expect(played(finding(scenario, "[]"))).toEqual({
      tools: ["find", "call", "mail"],
      isKnown: true,
    });
    expect(played(finding(scenario, "[8]")).isKnown).toBe(false);
  });

  it("[IM112] goes on beyond twenty calls, and where agents speak to one another", async () => {
    const many = (last: string) => [
      said("Count."),
      ...Array.from({ length: 25 }, (_, n) =>
        called("count", { n }, n === 22 ? last : "ok"),
      ).flat(),
      ...(last === "ok" ? called("done", {}, "ok") : called("report", {}, "ok")),
    ];
    const { scenario } = madeWorld(
      builtIn,
      await recordings(many("ok"), many("bad")),
      "world.yaml",
    );
    const { tools, isKnown } = played(scenario);

    expect([tools.length, tools.at(-1), isKnown]).toEqual([26, "done", true]);
    expect(scenario.model.goals.map(({ slug }) => slug)).toEqual([
      "turn-1",
      "more-1",
      "more-1-2",
      "more-1-3",
    ]);
  });

  it("[IM113] alike ones agree, whatever they said, and one alone is unknown", async () => {
    const other = [...full.slice(0, -1), answered("Nothing.")];
    const all = await heldOut(builtIn, await recordings(free, full, other, full), "world.yaml");

    expect(all.map(({ agrees, sameWords }) => [agrees, sameWords])).toEqual([
      ...[
        [null, false],
        [true, false],
        [true, false],
        [true, true],
      ],
    ]);
  });

  it("[IM113] ties are counted in all worlds, also in those that were left", async () => {
    const both = await recordings(full, full);
    const made = madeWorld(builtIn, both, "world.yaml");
    const one = { name: "one", agrees: true, sameWords: true, isTied: false };
    const text = worldSaid({
      played: await playedWorld(builtIn, made, null, "world.yaml"),
      log: both[0].log,
      file: "world.yaml",
      held: [one, { ...one, agrees: null, isTied: true }],
      left: { foreign: 0, again: 0 },
    });

    expect(text).toContain("in 1 of the 2 worlds as many of the others went one way");
  });
});
