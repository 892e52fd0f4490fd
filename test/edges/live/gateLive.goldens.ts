// The gate of synt in live mode: the models are real, and so is whoever decides.

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { proposalsIn } from "../../../src/actors/synt/edge/gate.ts";
import { decidedBy } from "../../../src/actors/synt/edge/gatePort.ts";
import type { Gate } from "../../../src/edges/play/gate.ts";
import { personAt } from "../../../src/edges/play/personPort.ts";
import { auditLines } from "../../auditLines.ts";
import { metricChecks, replay } from "../../builtIn.ts";
import { continueRun, gateStory, recordRun } from "../../builtInRuns.ts";
import { loadScenario, readBundle } from "../../builtInScenarios.ts";
import { newFolder } from "../../folders.ts";
import { forge } from "../../recordedRun.ts";
import { syntServer } from "./syntServer.ts";

const { scenario, text } = loadScenario("synt-format-json", metricChecks);
let synt: Awaited<ReturnType<typeof syntServer>>;
let left: Awaited<ReturnType<typeof play>>;
beforeAll(async () => {
  synt = await syntServer(scenario, "35B");
  left = await play({ kind: "later" });
});
afterAll(() => synt.server.close());

async function play(gate: Gate) {
  const folder = newFolder();
  const recorded = await recordRun({
    ...{ scenario, text, variant: null, seed: 1, set: {}, untilMs: null, folder, gate },
    ...{ live: synt.live, withLog: true },
  });
  return { folder, ...recorded };
}

async function approve(folder: string) {
  const { bundle, open, end } = gateStory(readBundle(folder));
  const words = new Map([["req-0001", { decision: "approve" as const }]]);
  const { recorded, out } = await continueRun({
    ...{ bundle, end, gate: "later", untilMs: null, live: synt.live, suffix: "decided" },
    ...{ out: newFolder(), decided: decidedBy(words, { seq: open?.seq ?? -1, afterMs: 30_000 }) },
  });
  return { open, out, ...recorded };
}

const states = (recorded: Parameters<typeof auditLines>[0]) =>
  auditLines(recorded).map(({ state }) => state);

it("[SG3] a person at the terminal, beside a live model, replays without either", async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const gate = { kind: "terminal", person: personAt(input, output) } as const;
  output.once("data", () => input.end("a\n")).resume();
  const { folder, deliveries, inputs } = await play(gate);

  expect(states([...deliveries])).toContain("born");
  const said = inputs.find((one) => one.kind === "reply" && one.port === "port/person.decide");
  expect(said).toMatchObject({ choice: "person:executor/1", event: { decision: "approve" } });
  expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: false });
});

it("[SG6, SG7] left for later, decided, and gone on with under the same model", async () => {
  const { folder, observed } = left;
  expect(observed.result.outcome).toBe("waiting");
  expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: false });
  const before = synt.server.chats.length;

  const { open, out, deliveries, observed: after } = await approve(folder);

  expect(open && proposalsIn(open)[0]?.request).toBe("req-0001");
  expect([after.result.outcome, states([...deliveries]).at(-1)]).toEqual(["ended", "born"]);
  expect(replay(readBundle(out))).toMatchObject({ matches: true, partial: false });
  // Only what comes after the decision is asked anew: the plan of the later turn.
  expect(synt.server.chats.length).toBe(before + 1);
});

it("[SG8] killed while the question was open, it waits all the same", async () => {
  const folder = newFolder();
  cpSync(left.folder, folder, { recursive: true });
  forge(folder, () => ({ final: undefined }));
  const file = join(folder, "inputs.jsonl");
  const lines = readFileSync(file, "utf8").split("\n");
  writeFileSync(file, `${lines.filter((line) => !line.includes('"unanswered"')).join("\n")}`);

  expect(replay(readBundle(folder))).toMatchObject({ matches: true, partial: true });
  const { open, out, deliveries } = await approve(folder);
  expect(open?.purpose).toBe("executor");
  expect(states([...deliveries])).toContain("born");
  expect(replay(readBundle(out))).toMatchObject({ matches: true, partial: false });
});
