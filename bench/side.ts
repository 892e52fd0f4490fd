/**
 * Plays with the sources of one checkout, in a process that loads no others: `node bench/side.ts ORDER` answers with
 * one line of JSON. Two checkouts are so held side by side, each with all that its own sources can do.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Scenario } from "../src/contract/scenario.ts";
import type { SimulateOptions } from "../src/run/simulate.ts";
import { canonicalJson } from "../src/substrate/canonicalJson.ts";
import type { Input, PortReply, PortRequest, Provider } from "../src/substrate/port.ts";
import { processorMs } from "./processorTime.ts";
import type { Side, SideOrder } from "./sides.ts";
import { inTemporaryFolder } from "./temporaryFolder.ts";

/** Those of the other checkout are as old as it is; what is used of them has stayed as it is here. */
interface Sources {
  readonly simulate: (scenario: Scenario, options: SimulateOptions) => Ended;
  readonly incident: () => Scenario;
  readonly synt: () => readonly Staged[];
  readonly bundleLog: typeof import("./bundleLog.ts").bundleLog;
  readonly hasLevels: boolean;
}

type Ended = ReturnType<typeof import("../src/run/simulate.ts").simulate>;

/** A scenario with the answers of Python, as its golden recording has them. */
interface Staged {
  readonly scenario: Scenario;
  readonly ports: { readonly [port: string]: Provider };
}

/** What a host serves. All else is scripted. */
const HOSTED = ["port/sandbox.run", "port/python.parse"];
const RECORDINGS = "recordings";

async function sourcesIn(root: string): Promise<Sources> {
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(root, path)).href);
  await load("src/edges/bundle/nodeSha256.ts");
  const { builtIn } = (await load(
    "src/builtIn/lists.ts",
  )) as typeof import("../src/builtIn/lists.ts");
  const { simulate } = (await load(
    "src/run/simulate.ts",
  )) as typeof import("../src/run/simulate.ts");
  const file = (await load(
    "src/edges/scenario/scenarioFile.ts",
  )) as typeof import("../src/edges/scenario/scenarioFile.ts");
  const { readBundle } = (await load(
    "src/edges/bundle/bundleReader.ts",
  )) as typeof import("../src/edges/bundle/bundleReader.ts");
  const { bundleLog } = (await load("bench/bundleLog.ts")) as typeof import("./bundleLog.ts");
  const staged = (name: string): Staged => {
    const { scenario, inputs } = readBundle(builtIn, join(root, RECORDINGS, name));
    return { scenario, ports: hosted(inputs) };
  };
  return {
    simulate: (scenario, options) => simulate(builtIn.parts, scenario, options),
    incident: () => file.loadScenario(builtIn, "safe-file-executor").scenario,
    synt: () =>
      globSync("synt-*.yaml", { cwd: join(root, "scenarios") })
        .sort()
        .map((name) => staged(name.replace(".yaml", ""))),
    bundleLog,
    hasLevels: existsSync(join(root, "src/substrate/level.ts")),
  };
}

function hosted(inputs: readonly Input[]): Staged["ports"] {
  const nameOf = ({ from, purpose, nth }: Pick<PortRequest, "from" | "purpose" | "nth">): string =>
    `${from} ${purpose} ${nth}`;
  const answers = new Map<string, PortReply>();
  for (const input of inputs) {
    if (input.kind !== "reply" || !HOSTED.includes(input.port)) continue;
    answers.set(nameOf(input), { event: input.event, latencyMs: input.latencyMs });
  }
  const answer = (request: PortRequest): PortReply => {
    const known = answers.get(nameOf(request));
    if (known === undefined) throw new Error(`no recording answers ${nameOf(request)}`);
    return known;
  };
  return Object.fromEntries(HOSTED.map((port) => [port, { answer }]));
}

type Watching = Pick<SimulateOptions, "level" | "onDelivery">;

/** Each plays once what it is about. */
const subjects = {
  incidentBare: ({ simulate, incident }: Sources) => {
    const scenario = incident();
    return (watching) => [simulate(scenario, watching)];
  },
  incidentDisk: ({ simulate, incident, bundleLog }: Sources) => {
    const scenario = incident();
    return ({ onDelivery }) =>
      inTemporaryFolder((folder) => {
        const log = bundleLog(folder);
        const written = { onDelivery: log.onDelivery, onInput: log.onInput };
        const ended = simulate(scenario, onDelivery ? { onDelivery } : written);
        log.close();
        return [ended];
      });
  },
  syntBare: ({ simulate, synt }: Sources) => {
    const all = synt();
    return (watching) =>
      all.map(({ scenario, ports }) => simulate(scenario, { ...watching, ports }));
  },
} as const satisfies {
  [subject: string]: (sources: Sources) => (watching: Watching) => readonly Ended[];
};

export type Subject = keyof typeof subjects;

async function sideOf({ root, subject, timedMs }: SideOrder): Promise<Side> {
  const sources = await sourcesIn(root);
  const play = subjects[subject](sources);
  // Two checkouts may write other digests for the same deliveries.
  const told = createHash("sha256");
  const ended = play({
    onDelivery: ({ seq, dueMs, to, from, event, fate, after }) =>
      told.update(canonicalJson([seq, dueMs, to, from, event, fate, after])),
  });
  for (const { outcome, error } of ended) {
    if (outcome !== "ended") throw new Error(`${subject} of ${root}: ${outcome}`, { cause: error });
  }
  const envelopes = ended.reduce((sum, one) => sum + one.envelopes, 0);
  timed(play, timedMs / 2);
  const did = told.digest("hex");
  return { ms: timed(play, timedMs), envelopes, did, hasLevels: sources.hasLevels };
}

/** As a program that plays one run after another: nothing is collected in between but what the engine collects. */
function timed(play: (watching: Watching) => unknown, lastsMs: number): number {
  let times = 0;
  let ms = 0;
  while (ms < lastsMs) {
    ms += processorMs(() => play({ level: "bare" }));
    times += 1;
  }
  return ms / times;
}

process.stdout.write(`${JSON.stringify(await sideOf(JSON.parse(process.argv[2] ?? "{}")))}\n`);
