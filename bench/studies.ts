/**
 * `npm run bench:studies`: how many runs of the incident a study plays in a second, by its threads and by a queue, beside
 * the loop that a program of one's own would write. Ratios are taken within a round.
 */
import "../src/edges/bundle/nodeSha256.ts";
import { writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { isPostgresThere, PASSWORD, Postgres } from "../test/edges/studies/queue/postgres.ts";
import { removeFolders } from "../test/folders.ts";
import { median } from "./median.ts";
import { costsPage, type StudyFigures, type Way } from "./studyCosts.ts";
import {
  byQueue,
  drawing,
  inLoop,
  inThreads,
  queueAlone,
  type Took,
  wholeGrid,
} from "./studyWays.ts";

const USAGE = `node bench/studies.ts [--rounds N] [--runs N] [--grid] [--json] [--page FILE]
  --rounds N   rounds, of which medians are taken: 3
  --runs N     runs of each way in each round: 40
  --grid       12 points × 100 seeds too, whole, with two threads
  --json       the figures as JSON instead of the page
  --page FILE  writes the page there too`;

/** Runs that go through the queue with nobody to play them. */
const ALONE_RUNS = 2_000;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    runs: { type: "string", default: "40" },
    grid: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    page: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

async function measured(): Promise<StudyFigures> {
  const [before = 0] = loadavg();
  const [rounds, runsPerRound] = [Number(values.rounds), Number(values.runs)];
  const server = isPostgresThere ? await Postgres.start() : undefined;
  const drawn = drawing();
  const fresh = () => drawn(runsPerRound);
  const ways: readonly (readonly [name: string, play: () => Promise<Took>])[] = [
    ["a loop in this process", () => inLoop(fresh())],
    ["1 thread", () => inThreads(fresh(), 1)],
    ["2 threads", () => inThreads(fresh(), 2)],
    ...(server === undefined
      ? []
      : [1, 2].map((processes) => {
          const queue = { url: server.url, password: PASSWORD };
          const name = `queue, ${processes} ${processes === 1 ? "process" : "processes"}`;
          return [name, () => byQueue(fresh(), queue, processes)] as const;
        })),
  ];
  // What the compilers do is done once, not in each run of a study.
  await inLoop(fresh());
  const took: Took[][] = ways.map(() => []);
  for (let round = 1; round <= rounds; round++) {
    for (const [at, [name, play]] of ways.entries()) {
      process.stderr.write(`round ${round} of ${rounds}: ${name}\n`);
      took[at]?.push(await play());
    }
  }
  const alone = server && (await queueAlone(drawn(ALONE_RUNS), server.secretUrl));
  await server?.down();
  const grid = values.grid ? await wholeGrid(2) : null;
  const [after = 0] = loadavg();
  return {
    scenario: "The incident (safe-file-executor)",
    machine: {
      cpu: cpus()[0]?.model.trim() ?? "unknown processor",
      cores: availableParallelism(),
      node: process.version,
    },
    load: [before, after],
    ...{ rounds, runsPerRound },
    ways: ways.map(([name], at) => wayOf(name, took[at] ?? [], took[0] ?? [])),
    queueAlone: alone ?? null,
    grid,
  };
}

function wayOf(name: string, took: readonly Took[], loop: readonly Took[]): Way {
  const ratios = took.map(
    ({ runsPerSecond: own }, round) => own / (loop[round]?.runsPerSecond ?? Number.NaN),
  );
  const ms = took.flatMap(({ msPerRun }) => (msPerRun === null ? [] : [msPerRun]));
  return {
    name,
    runsPerSecond: median(took.map(({ runsPerSecond }) => runsPerSecond)),
    timesLoop: median(ratios),
    msPerRun: ms.length === 0 ? null : median(ms),
  };
}

if (values.help) console.log(USAGE);
else {
  const figures = await measured();
  console.log(values.json ? JSON.stringify(figures, null, 2) : costsPage(figures));
  if (values.page !== undefined) writeFileSync(values.page, costsPage(figures));
  removeFolders();
}
