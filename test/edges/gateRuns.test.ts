// Runs in which a person outside decides: recorded, left, gone on with, killed.

import { cpSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { decidedSoFar, proposalsIn } from "../../src/actors/synt/edge/gate.ts";
import { decidedBy } from "../../src/actors/synt/edge/gatePort.ts";
import type { Word } from "../../src/actors/synt/edge/gateQuestion.ts";
import { LiveClock } from "../../src/edges/live/liveClock.ts";
import type { Gate, OpenQuestion } from "../../src/edges/play/gate.ts";
import { Inbox } from "../../src/edges/play/inbox.ts";
import { personAt } from "../../src/edges/play/personPort.ts";
import { playRun } from "../../src/edges/play/playRun.ts";
import type { Recorded } from "../../src/edges/play/recordRun.ts";
import type { PortReply } from "../../src/substrate/port.ts";
import { metricChecks, replay, startRun } from "../builtIn.ts";
import { continueRun, gateStory, questionLeft, recordRun, waitingRuns } from "../builtInRuns.ts";
import { loadScenario, readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { mailIn } from "../mail.ts";
import { forge } from "../recordedRun.ts";
import { pythonPorts } from "../syntWorld.ts";

interface Play {
  readonly name?: string;
  readonly gate?: Gate;
  readonly set?: { readonly [path: string]: number };
}

/** Two chains are asked about, at 14 and at 20 minutes. */
async function play({ name = "synt-audit-example", gate, set = {} }: Play) {
  const { scenario, text } = loadScenario(name, metricChecks);
  const folder = newFolder();
  const recorded = await recordRun({
    ...{ scenario, text, variant: null, seed: scenario.seed, set, untilMs: null, folder, gate },
    ...{ withLog: true, standIns: pythonPorts },
  });
  return { folder, recorded };
}

/** Somebody who types these lines, and then leaves. */
function typing(...lines: string[]): Gate {
  const input = new PassThrough();
  input.end(lines.map((line) => `${line}\n`).join(""));
  return { kind: "terminal", person: personAt(input, new PassThrough().resume()) };
}

/** Ids of what a question is about; none when there is none. */
const askedAbout = (open: OpenQuestion | undefined): string[] =>
  open === undefined ? [] : proposalsIn(open).map(({ request }) => request);

/** Decides on what a bundle waits for. */
async function decide(folder: string, word: Word, afterMs = 0, ids?: readonly string[]) {
  const { bundle, open, end } = gateStory(readBundle(folder));
  const all = askedAbout(open);
  const words = new Map((ids ?? all).map((request) => [request, word]));
  const decided = decidedBy(words, { seq: open?.seq ?? -1, afterMs });
  return continueRun({
    ...{ bundle, end, decided, untilMs: bundle.manifest.untilMs, live: undefined },
    ...{ gate: "later", out: newFolder(), suffix: "decided" },
  });
}

const statesOf = ({ deliveries }: Recorded) =>
  mailIn([...deliveries], "synth.stated").map(({ state }) => state);
const words = ({ deliveries }: Recorded) =>
  mailIn([...deliveries], "person.decided").map(({ decision }) => decision);

describe("at the terminal", () => {
  it("[SG3] what was decided is recorded, and replays exactly without anybody", async () => {
    const { folder, recorded } = await play({ gate: typing("a", "d") });
    const bundle = readBundle(folder);

    expect(words(recorded)).toEqual(["approve", "discard"]);
    expect(bundle.manifest.providers["port/person.decide"]).toBe("a person, at the terminal");
    expect(replay(bundle)).toMatchObject({ matches: true, partial: false });
  });

  it("[SG4] where nobody is any more the virtual time-out decides, and takes no real time", async () => {
    const set = { "synt.gate.waitMs": 300_000 };
    const { folder, recorded } = await play({ gate: typing("what?"), set });

    expect(words(recorded)).toEqual([]);
    const ends = statesOf(recorded).filter((state) => state === "abandoned");
    expect(ends).toHaveLength(2);
    expect(replay(readBundle(folder)).matches).toBe(true);
  });

  it("[SG3] the latency is the time it took, however much happens meanwhile elsewhere", async () => {
    const { scenario } = loadScenario("synt-audit-example", metricChecks);
    const inbox = new Inbox();
    const decision: PortReply = {
      ...{ event: { type: "person.decided", decision: "approve" }, latencyMs: 90_000 },
    };
    const askedMs: number[] = [];
    const clock = new LiveClock(() => askedMs.length * 1_000_000);
    const later = {
      answer: ({ seq, nowMs }: { seq: number; nowMs: number }) => {
        askedMs.push(nowMs);
        setTimeout(() => inbox.push(seq, decision), 20);
        return null;
      },
    };
    const heardMs: number[] = [];
    const run = startRun(scenario, {
      ports: { "port/person.decide": clock.holding(later) },
      horizonMs: clock.horizonMs,
      onDelivery: ({ event, dueMs }) => {
        if (event.type === "person.decided") heardMs.push(dueMs);
      },
    });

    await playRun(run, { inbox, clock, slice: 100 });

    expect(askedMs).toHaveLength(2);
    expect(heardMs).toEqual(askedMs.map((ms) => ms + 90_000));
  });
});

describe("later", () => {
  it("[SG6] the run ends at the question, and its bundle is whole and says so", async () => {
    const { folder, recorded } = await play({ gate: { kind: "later" } });
    const bundle = readBundle(folder);

    expect(bundle.manifest.final?.outcome).toBe("waiting");
    expect(replay(bundle)).toMatchObject({ matches: true, partial: false });
    expect(gateStory(bundle).open).toEqual(questionLeft(recorded));
    expect(questionLeft(recorded)).toMatchObject({
      purpose: "chain",
      event: { request: "req-0001", dossier: { strategy: "compose" } },
    });
  });

  it("[SG7] decided as the scenario's person does, it goes as it would have gone", async () => {
    const { recorded } = await play({});
    const { folder } = await play({ gate: { kind: "later" } });
    const first = await decide(folder, { decision: "approve" }, 25_000);
    const second = await decide(first.out, { decision: "approve" }, 25_000);

    expect(first.recorded.observed.result.outcome).toBe("waiting");
    expect(second.recorded.observed.result).toMatchObject({
      outcome: "ended",
      digest: recorded.observed.result.digest,
      envelopes: recorded.observed.result.envelopes,
    });
    for (const { out } of [first, second]) {
      expect(replay(readBundle(out))).toMatchObject({ matches: true, partial: false });
    }
    expect(readBundle(folder).manifest.final?.outcome).toBe("waiting");
  });

  it("[SG7] Python that ran is taken from the recording; another word leads elsewhere", async () => {
    const { folder } = await play({ name: "synt-merge", gate: { kind: "later" } });
    const python = ({ inputs }: Pick<Recorded, "inputs">) =>
      [...inputs].filter((one) => one.kind === "reply" && one.port === "port/sandbox.run");
    const calls = python(readBundle(folder));
    const { recorded, out } = await decide(folder, { decision: "discard" }, 5_000);

    expect(calls.length).toBeGreaterThan(0);
    expect(python(recorded).slice(0, calls.length)).toEqual(calls);
    expect(words(recorded)).toContain("discard");
    expect(replay(readBundle(out)).matches).toBe(true);
    const { open, answered } = gateStory(readBundle(out));
    const decided = decidedSoFar(answered);
    expect(askedAbout(open)[0]).not.toBe([...decided.keys()][0]);
  });

  it("[SG7] heard after the time-out it comes too late", async () => {
    const set = { "synt.gate.waitMs": 10_000 };
    const { folder } = await play({ gate: { kind: "later" }, set });
    const late = await decide(folder, { decision: "approve" }, 10_001);
    const inTime = await decide(folder, { decision: "approve" }, 9_999);

    expect(statesOf(late.recorded)).toContain("abandoned");
    expect(statesOf(late.recorded)).not.toContain("delivered");
    expect(statesOf(inTime.recorded)).toContain("delivered");
  });
});

it("[SG9] what is left out of a night's dossier stays open, and is asked about again", async () => {
  const { folder } = await play({ name: "synt-night-dossier", gate: { kind: "later" } });
  const { recorded, out } = await decide(folder, { decision: "approve" }, 0, ["req-0002"]);

  const { open, answered } = gateStory(readBundle(out));
  const decided = decidedSoFar(answered);
  expect(askedAbout(gateStory(readBundle(folder)).open)).toHaveLength(2);
  expect([...decided.keys()]).toEqual(["req-0002"]);
  expect(askedAbout(open)).toEqual(["req-0001"]);
  expect(statesOf(recorded)).toContain("born");
});

describe("killed while a question is open", () => {
  /** What a kill at the first question leaves: the manifest as it was opened, and a torn log. */
  async function killed(gate: Gate): Promise<string> {
    const folder = newFolder();
    const { folder: whole } = await play({ gate });
    cpSync(whole, folder, { recursive: true });
    forge(folder, () => ({ final: undefined }));
    const file = join(folder, "inputs.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    const until = lines.findIndex((line) => line.includes("port/person.decide"));
    writeFileSync(file, `${lines.slice(0, until).join("\n")}\n`);
    const log = join(folder, "events.jsonl");
    writeFileSync(log, readFileSync(log, "utf8").slice(0, 20_000));
    return folder;
  }

  it("[SG8] nothing is lost: it replays, it is listed, and it can be decided", async () => {
    const folder = await killed(typing("a", "a"));

    expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: true });
    const { runs } = waitingRuns(folder);
    expect(runs.map(({ open }) => askedAbout(open))).toEqual([["req-0001"]]);
    const { recorded, out } = await decide(folder, { decision: "approve" }, 25_000);
    expect(recorded.observed.result.outcome).toBe("waiting");
    expect(words(recorded)).toEqual(["approve"]);
    expect(replay(readBundle(out))).toMatchObject({ matches: true, partial: false });
  });
});

describe("looking for what waits", () => {
  it("[SG9] finds the newest first, knows what was gone on with, and skips what is damaged", async () => {
    const parent = newFolder();
    const { folder } = await play({ gate: { kind: "later" } });
    const places = ["first", "second", "damaged"].map((name) => join(parent, name));
    for (const place of places) cpSync(folder, place, { recursive: true });
    const [first = "", second = "", damaged = ""] = places;
    writeFileSync(join(damaged, "inputs.jsonl"), "{}\n");
    writeFileSync(join(parent, "note.txt"), "mine");
    const ages = [first, damaged, second].entries();
    for (const [age, place] of ages) utimesSync(join(place, "manifest.json"), age + 1, age + 1);

    const before = waitingRuns(parent);
    expect(before.runs.map(({ bundle }) => bundle.folder)).toEqual([second, first]);
    expect(before.unreadable).toEqual([expect.stringContaining(damaged)]);
    expect(before.runs.map(({ decidedIn }) => decidedIn)).toEqual([undefined, undefined]);

    const { out } = await decide(first, { decision: "approve" });
    cpSync(out, join(parent, "third"), { recursive: true });
    const after = waitingRuns(parent).runs;
    expect(after.map(({ bundle, decidedIn }) => [bundle.folder, decidedIn])).toEqual([
      [join(parent, "third"), undefined],
      [second, join(parent, "third")],
      [first, join(parent, "third")],
    ]);

    // The same run played anew waits anew.
    cpSync(folder, join(parent, "anew"), { recursive: true });
    expect(waitingRuns(parent).runs[0]).toMatchObject({
      bundle: { folder: join(parent, "anew") },
      decidedIn: undefined,
    });
  });
});
