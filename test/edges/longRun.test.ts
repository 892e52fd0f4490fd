// A run whose log stays in its file is told as one whose log is in memory.
import { appendFileSync, cpSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { KeptRun } from "../../src/edges/bundle/keptRun.ts";
import { LineFile } from "../../src/edges/bundle/lineFile.ts";
import { LogFile } from "../../src/edges/bundle/logFile.ts";
import { Divergence } from "../../src/edges/errors.ts";
import { joinedParts } from "../../src/edges/parts/joinedParts.ts";
import { recordRun } from "../../src/edges/play/recordRun.ts";
import { reportInput } from "../../src/edges/report/reportTexts.ts";
import { parseScenario } from "../../src/edges/scenario/scenarioFile.ts";
import { minutes } from "../../src/machines/units.ts";
import { assert } from "../../src/substrate/assert.ts";
import type { Log } from "../../src/substrate/log.ts";
import { diff, modelCalls, questions, why } from "../builtIn.ts";
import { lists, reportJson, reportText } from "../builtInRuns.ts";
import { deliveriesOf, loadScenario, readBundle } from "../builtInScenarios.ts";
import { newFolder } from "../folders.ts";
import { delivery } from "../handLog.ts";
import relayPart, { relayText } from "../library/relayPart.ts";
import { forge } from "../recordedRun.ts";

const inFile = { keptBytesMax: 0 };

/** Long enough for refusals, births and what went wrong. */
const UNTIL_MS = { "safe-file-executor": minutes(8), "synt-day-lock": minutes(3_000) };
type Name = keyof typeof UNTIL_MS;
const names = Object.keys(UNTIL_MS) as Name[];

const known = new Map<string, ReturnType<typeof record>>();

/** The same run is recorded once for all who ask for it. */
function recorded(name: Name, keptMost: number, untilMs = UNTIL_MS[name]) {
  const key = `${name} ${keptMost} ${untilMs}`;
  const found = known.get(key) ?? record(name, keptMost, untilMs);
  known.set(key, found);
  return found;
}

function record(name: Name, keptMost: number, untilMs: number) {
  const { scenario, text } = loadScenario(name);
  const { seed } = scenario;
  const folder = newFolder();
  const options = { scenario, text, variant: null, seed, set: {}, untilMs, folder, keptMost };
  const done = recordRun(lists, { ...options, withLog: true });
  return done.then((recorded) => ({ scenario, done: recorded, folder }));
}

it.each(names)("[VB50] %s: report and figures", async (name) => {
  const short = await recorded(name, 1_000_000);
  const long = await recorded(name, 100);
  const told = ({ scenario, done }: typeof short) =>
    reportInput(lists, { scenario, seed: scenario.seed, done, folder: null });

  expect(short.done.deliveries).toBeInstanceOf(Array);
  expect(long.done.deliveries).toBeInstanceOf(LogFile);
  expect(reportText(told(long))).toBe(reportText(told(short)));
  expect(reportJson(told(long))).toEqual(reportJson(told(short)));
});

it.each(names)("[VB50] %s: why, diff, calls", async (name) => {
  const { folder } = await recorded(name, 100);
  const [small, large] = [readBundle(folder), readBundle(folder, inFile)];
  const { inputs, manifest, scenario } = small;
  const [list, log] = [deliveriesOf(small), deliveriesOf(large)];
  expect(list).toBeInstanceOf(Array);
  expect(log).toBeInstanceOf(LogFile);

  expect(questions(log)).toEqual(questions(list));
  const asked = [
    undefined,
    ...questions(list).slice(0, 6),
    `call:${list.at(50)?.seq}`,
    String(log.at(-1)?.seq),
  ];
  for (const question of asked) {
    expect(why(log, inputs, question)).toEqual(why(list, inputs, question));
  }
  const side = (deliveries: Log) => ({
    ...{ manifest, inputs, scenario, agents: scenario.agents, deliveries },
  });
  const other = list.filter(({ dueMs }) => dueMs < minutes(10));
  expect(diff(side(log), side(list)).same).toBe(true);
  expect(diff(side(log), side(other))).toEqual(diff(side(list), side(other)));
  const [calls, known] = [modelCalls(log, inputs), modelCalls(list, inputs)];
  for (const { seq } of list) expect(calls.get(seq)).toEqual(known.get(seq));
});

/** How many of each are still in memory once what is not needed has been collected. */
async function alive(...all: readonly (readonly WeakRef<object>[])[]): Promise<number[]> {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  assert(typeof collect === "function", "V8 has a collector");
  // What was looked at lives until the next turn.
  await new Promise((done) => setTimeout(done));
  collect();
  return all.map((those) => those.filter((one) => one.deref() !== undefined).length);
}

it.each([
  ["40 MB is read into memory", 40_000_000, Array],
  ["one byte more stays in its file", 40_000_001, LineFile],
])("[VB50] a log of %s", async (_, bytes, kind) => {
  const { folder } = await recorded("safe-file-executor", 100, minutes(1));
  const padded = newFolder();
  cpSync(folder, padded, { recursive: true });
  const log = join(padded, "events.jsonl");
  const line = `${" ".repeat(999_999)}\n`;
  const room = bytes - statSync(log).size;
  appendFileSync(log, line.repeat(Math.floor(room / line.length)));
  appendFileSync(log, `${" ".repeat((room % line.length) - 1)}\n`);

  expect(readBundle(padded).log).toBeInstanceOf(kind);
});

it("[VB50] 35,000 deliveries stay in memory, and one more takes all of them to their file", () => {
  const folder = newFolder();
  for (const name of ["events.jsonl", "inputs.jsonl"]) writeFileSync(join(folder, name), "");
  const told = (count: number) => {
    const kept = new KeptRun(folder);
    for (let seq = 0; seq < count; seq++)
      kept.delivery(
        delivery({ seq, event: { type: "actor.stopped", address: "a", output: null } }),
      );
    return kept.told().deliveries;
  };

  expect(told(35_000)).toBeInstanceOf(Array);
  expect(told(35_001)).toBeInstanceOf(LogFile);
});

it("[VB50] of a long run no delivery and no input stays in memory, of a short one all do", async () => {
  const own = joinedParts(lists, [relayPart]);
  const text = relayText(10, 100);
  const scenario = parseScenario(own, text, "relay.yaml");
  for (const keptMost of [1_000, 1_000_000]) {
    const seen: WeakRef<object>[] = [];
    const given: WeakRef<object>[] = [];
    let [count, givenCount] = [-1, -1];
    const { deliveries, inputs } = await recordRun(own, {
      ...{ scenario, text, variant: null, seed: 7, set: {}, untilMs: null },
      ...{ folder: newFolder(), withLog: true, keptMost },
      onDelivery: (one) => seen.push(new WeakRef(one)),
      onInput: (one) => given.push(new WeakRef(one)),
      // While all that the run holds is still there.
      texts: async () => {
        [count = -1, givenCount = -1] = await alive(seen, given);
        return {};
      },
    });

    expect(deliveries.length).toBe(seen.length);
    expect(seen.length).toBeGreaterThan(2_500);
    expect([...inputs]).toHaveLength(given.length);
    expect(given.length).toBeGreaterThan(250);
    // The last may still lie on the stack.
    if (keptMost < seen.length) {
      expect(count).toBeLessThan(10);
      expect(givenCount).toBeLessThan(10);
    } else expect([count, givenCount]).toEqual([seen.length, given.length]);
  }
});

it("[VB50] [VB5] [VB6] what is wrong with a log is said of one in its file, too", async () => {
  const { folder } = await recorded("safe-file-executor", 100, minutes(1));
  const file = join(folder, "events.jsonl");
  const whole = readFileSync(file, "utf8");
  const lines = whole.trimEnd().split("\n");
  const refusal = (options = {}): unknown => {
    try {
      return deliveriesOf(readBundle(folder, options)).length;
    } catch (error) {
      if (!(error instanceof Divergence)) throw error;
      return error.message;
    }
  };
  const texts = [
    whole,
    whole.slice(0, -1),
    `${lines.slice(0, -1).join("\n")}\n`,
    `${whole}${lines.at(-1)}\n`,
    whole.replace('"fate":"handled"', '"fate":"ignored"'),
    `${lines.with(7, lines[8] as string).join("\n")}\n`,
    `${lines.with(7, "null").join("\n")}\n`,
    // What no digest of a block covers.
    whole.replace("{", "{ "),
  ];
  for (const isKilled of [false, true]) {
    if (isKilled) forge(folder, () => ({ final: undefined }));
    for (const text of texts) {
      writeFileSync(file, text);
      const said = refusal();
      expect(refusal(inFile)).toEqual(said);
      if (!isKilled) expect(typeof said).toBe(text === whole ? "number" : "string");
    }
  }
});
