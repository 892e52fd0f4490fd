// One live session against a server with faults, recorded: random in everything that a seed can choose.

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PolicyValue } from "../../../src/contract/policyTree.ts";
import { CatchUp } from "../../../src/edges/live/catchUp.ts";
import { preflight } from "../../../src/edges/live/liveServer.ts";
import type { LiveSetup } from "../../../src/edges/live/liveSetup.ts";
import type { RecordOptions } from "../../../src/edges/play/recordRun.ts";
import type { ReplayResult } from "../../../src/run/replay.ts";
import { policyWith, replay } from "../../builtIn.ts";
import { recordRun } from "../../builtInRuns.ts";
import { parseScenario, readBundle } from "../../builtInScenarios.ts";
import { smallScenario } from "../../cli/smallScenario.ts";
import { drawsOf, type Loopback, loopback } from "../ollama/loopbackServer.ts";

export const liveText = (agents: readonly string[]): string =>
  smallScenario.replace("agents: [cedar]", `agents: [${agents.join(", ")}]`);

export const setupFor = ({ host }: Pick<Loopback, "host">, embed = false): Promise<LiveSetup> =>
  preflight({
    server: { host },
    names: {
      kind: "ollama",
      tiers: { fast: "tiny", middle: "tiny", wise: "tiny" },
      embed: embed ? "nomic-embed-text" : null,
    },
    policy: policyWith({}).live,
  });

export interface LiveOptions extends Partial<RecordOptions> {
  readonly agents?: readonly string[];
  readonly folder: string;
  readonly live: LiveSetup;
}

/** Rests are short, so that a session takes a blink; a busy machine is no time-out. */
const quick: { readonly [path: string]: PolicyValue } = {
  "live.timeoutMs": 10_000,
  "live.backoffMs": 1,
  "live.retries": 1,
};

export async function recordLive({ agents = ["cedar", "birch"], set, ...options }: LiveOptions) {
  const text = liveText(agents);
  return recordRun({
    ...{ scenario: parseScenario(text, "small.yaml"), text, variant: null, seed: 1 },
    ...{ untilMs: 30_000, withLog: true },
    ...options,
    set: { ...quick, ...set },
  });
}

export interface SessionResult {
  readonly whole: ReplayResult;
  /** As a kill in the middle would have left it; undefined when the session was over before. */
  readonly killed: ReplayResult | undefined;
  readonly resumed: ReplayResult | undefined;
  readonly calls: number;
  readonly failures: number;
}

const AGENTS = ["cedar", "birch", "alder"];

/** Records a session, kills a copy of it, resumes that, and replays all three. */
export async function liveSession(seed: number): Promise<SessionResult> {
  const draw = drawsOf(seed);
  const server = await loopback({
    seed,
    latencyMs: [0, draw(6)],
    faultPercent: draw(3) === 0 ? 0 : draw(60),
  });
  const parent = mkdtempSync(join(tmpdir(), "ghostlight-live-"));
  try {
    return await sessionIn(parent, server, seed, draw);
  } finally {
    await server.close();
    rmSync(parent, { recursive: true, force: true });
  }
}

async function sessionIn(
  parent: string,
  server: Loopback,
  seed: number,
  draw: (below: number) => number,
): Promise<SessionResult> {
  const [folder, copy, next] = ["whole", "killed", "resumed"].map((name) => join(parent, name));
  if (folder === undefined || copy === undefined || next === undefined) throw new Error("paths");
  const live = await setupFor(server, draw(2) === 0);
  const killAt = draw(3) === 0 ? Number.POSITIVE_INFINITY : draw(10);
  const stopAt = draw(3) === 0 ? draw(40) : Number.POSITIVE_INFINITY;
  const withLog = draw(3) > 0;
  let slices = 0;
  let hasCopy = false;
  const options = {
    ...{ live, seed, agents: AGENTS.slice(0, 1 + draw(3)), withLog },
    untilMs: 7_000 + draw(9_000),
    set: {
      "model.parallel": 1 + draw(3),
      "live.retries": draw(3),
      "live.timeoutMs": 60,
      // By a live embedding, or by a scripted one.
      ...((live.embed || draw(2) === 0) && { "router.kind": "embedding" }),
    },
  };
  const { claimFolder } = await import("../../../src/edges/bundle/bundleWriter.ts");
  for (const one of [folder, next]) claimFolder(one);
  const { inputs } = await recordLive({
    ...{ ...options, folder },
    onSlice: () => {
      if (slices === killAt) {
        cpSync(folder, copy, { recursive: true });
        hasCopy = true;
      }
      return slices++ >= stopAt;
    },
  });
  const whole = replay(readBundle(folder));
  const replies = inputs.filter((one) => one.kind === "reply" && one.port === "port/llm.chat");
  const counts = {
    calls: replies.length,
    failures: replies.filter((one) => one.kind === "reply" && one.event.type === "llm.failed")
      .length,
  };
  if (!hasCopy) return { whole, killed: undefined, resumed: undefined, ...counts };
  if (draw(2) === 0) tear(join(copy, "inputs.jsonl"), draw);
  const bundle = readBundle(copy);
  const killed = replay(bundle);
  const catchUp = new CatchUp(bundle);
  await recordLive({ ...options, folder: next, catchUp, set: bundle.manifest.policy });
  return { whole, killed, resumed: replay(readBundle(next)), ...counts };
}

/** Cuts the file somewhere in its last third. */
function tear(file: string, draw: (below: number) => number): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.subarray(0, bytes.length - draw(Math.max(1, bytes.length / 3))));
}

/** What went wrong, for people; nothing when all is as it must be. */
export function faultOfSession(seed: number, result: SessionResult): string[] {
  const { whole, killed, resumed } = result;
  return Object.entries({ whole, killed, resumed }).flatMap(([name, one]) =>
    one === undefined || one.matches
      ? []
      : [`session ${seed}, ${name}: ${JSON.stringify(one.difference)}`],
  );
}
