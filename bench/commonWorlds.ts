/**
 * `npm run bench:common`: what it spares to play once what runs of one seed have in common, for each shipped study: seed by seed
 * each run by itself, then all together, in this thread. Ratios are taken within a seed.
 */
import "../src/edges/bundle/nodeSha256.ts";
import { readdirSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { markdownTable } from "markdown-table";
import { builtIn } from "../src/builtIn/lists.ts";
import { KeptAnswers } from "../src/edges/play/keptAnswers.ts";
import { checkedLists } from "../src/edges/pool/checkWorlds.ts";
import { lazySandbox } from "../src/edges/python/sandboxPort.ts";
import { lazyShell } from "../src/edges/shell/shellProcess.ts";
import { sweepPlan } from "../src/edges/studies/playStudy.ts";
import { worldOf } from "../src/edges/studies/runKey.ts";
import { loadStudy } from "../src/edges/studies/studyFile.ts";
import { type FamilyRuns, studyPlayer } from "../src/edges/studies/studyPlayer.ts";
import { groupedBy } from "../src/machines/grouped.ts";
import { worldName } from "../src/studies/study.ts";
import { runAt } from "../src/studies/sweep.ts";
import { median } from "./median.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: "string", default: "4" }, runs: { type: "string", default: "32" } },
});
const lists = await checkedLists(builtIn);
const answers = new KeptAnswers(null);
const sandbox = lazySandbox({ kind: "pyodide", answers, spare: false });
const shell = lazyShell({ kind: "pyodide", answers });

async function took<T>(play: () => Promise<T>): Promise<readonly [T, number]> {
  const before = process.cpuUsage();
  const came = await play();
  const { user, system } = process.cpuUsage(before);
  return [came, (user + system) / 1_000];
}

async function rowsOf(name: string): Promise<readonly (readonly string[])[]> {
  const { study, file } = loadStudy(lists, name);
  const share = { ...worldOf(study), sandbox: "pyodide", cache: null } as const;
  const apart = await studyPlayer({ ...share, isApart: true }, sandbox, shell);
  const together = await studyPlayer(share, sandbox, shell);
  const { points } = sweepPlan(study, file);
  const worlds = groupedBy(points, (point) => worldName(runAt(study, point, 0)));
  const rows: (readonly string[])[] = [];
  for (const [world, all] of worlds) {
    const own = all.slice(0, Number(values.runs));
    const [ratios, ms]: [number[], number[]] = [[], []];
    const count = { played: 0, spared: 0 };
    // The first seed warms both up.
    for (let seed = 0; seed <= Number(values.seeds); seed += 1) {
      const runs = own.map((point) => runAt(study, point, seed)) as unknown as FamilyRuns;
      const [, apartMs] = await took(() => apart(runs));
      const [{ deliveries }, togetherMs] = await took(() => together(runs));
      if (seed === 0) continue;
      ratios.push(apartMs / togetherMs);
      ms.push(togetherMs / runs.length);
      count.played += deliveries.played;
      count.spared += deliveries.spared;
    }
    const total = count.played + count.spared;
    const least = Math.min(...ratios).toPrecision(2);
    const most = Math.max(...ratios).toPrecision(2);
    rows.push([
      worlds.size === 1 ? name : `${name}, ${world}`,
      String(own.length),
      `${Math.floor((100 * count.spared) / total)} %`,
      (total / count.played).toPrecision(3),
      `${median(ratios).toPrecision(2)} (${least}–${most})`,
      median(ms).toPrecision(3),
    ]);
  }
  return rows;
}

const shipped = readdirSync("studies").flatMap((file) => file.match(/^(.+)\.yaml$/)?.[1] ?? []);
const before = loadavg()[0] ?? 0;
const rows: (readonly string[])[] = [];
for (const name of positionals.length > 0 ? positionals : shipped) {
  rows.push(...(await rowsOf(name)));
}
const head = [
  "study",
  "points",
  "deliveries spared",
  "deliveries ÷ made",
  "processor: apart ÷ together",
  "ms a run",
];
console.log(
  `${markdownTable([head, ...rows], { align: ["l", "r", "r", "r", "r", "r"] })}\n\nLoad ${before.toFixed(1)} to ${(loadavg()[0] ?? 0).toFixed(1)}.`,
);
await Promise.all([sandbox.close(), shell.close()]);
