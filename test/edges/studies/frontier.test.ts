// The shipped frontier in a small version, from its study to what it leaves.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtIn } from "../../../src/builtIn/lists.ts";
import { checkedLists } from "../../../src/edges/pool/checkWorlds.ts";
import { playFrontier, sweepPlan } from "../../../src/edges/studies/playStudy.ts";
import { sha256, worldOf } from "../../../src/edges/studies/runKey.ts";
import { loadStudy } from "../../../src/edges/studies/studyFile.ts";
import { writeStudyFiles } from "../../../src/edges/studies/studyFiles.ts";
import { StudyRuns } from "../../../src/edges/studies/studyRuns.ts";
import { sweptFound } from "../../../src/studies/found.ts";
import { parseExpression } from "../../../src/studies/outcomes/expression.ts";
import type { Outcome } from "../../../src/studies/outcomes/outcome.ts";
import type { FrontierDesign, Study } from "../../../src/studies/study.ts";
import { newFolder } from "../../folders.ts";

const lists = await checkedLists(builtIn);
const design: FrontierDesign = {
  ...{ kind: "frontier", along: "locks.dominant", outcome: "spiral" },
  ...{ at: 0.5, levels: 4 },
};

function outcomeIs(name: string, text: string): Outcome {
  const parsed = parseExpression(text);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return { kind: "expression", name, text, ...parsed };
}

test("[ST58, ST59, ST89, ST182] the lock on writing makes a spiral up to a load of .80 and none from .90 on", async () => {
  const { study: shipped, file } = loadStudy(lists, "spiral-frontier");
  const study: Study = {
    ...shipped,
    design,
    replicates: { ...shipped.replicates, count: 12 },
    factors: [
      {
        kind: "number",
        name: design.along,
        low: 700_000,
        high: 1_000_000,
        step: 100_000,
        isLog: false,
      },
    ],
  };
  const folder = newFolder();
  const runs = new StudyRuns({
    ...{ sandbox: "pyodide", cache: null, folder, world: worldOf(study), workers: 1 },
    study: sha256(JSON.stringify(study)),
  });
  try {
    const played = await playFrontier(sweepPlan(study, file), design, runs);
    if (played === undefined) throw new Error("interrupted");
    const found = sweptFound(played.swept, { frontier: played.found });
    await writeStudyFiles(folder, { ...found, opening: [] });

    const [only] = played.found.combinations;
    expect(only).toMatchObject({
      threshold: { kind: "between", low: 800_000, high: 900_000, rises: false },
      gridRuns: 48,
    });
    expect(readFileSync(join(folder, "frontier.csv"), "utf8")).toMatch(
      /^along,outcome,probability,found,.*\nlocks.dominant,spiral,0.5,falls,0.8\d+,0.8,0.9,48,48\n$/,
    );
    // The same runs, asked for what all of them give only a bound of.
    const back = { metric: "load", above: 0.000001, fromMs: 0, untilMs: null };
    const bounds: Study = {
      ...study,
      outcomes: [
        { ...back, kind: "reduced", name: "back", actor: "world", reduce: "timeToRecover" },
        outcomeIs("spiral", "back == 1"),
      ],
    };
    const unsure = await playFrontier(sweepPlan(bounds, file), design, runs);
    expect(unsure?.found.combinations[0]?.threshold).toEqual({ kind: "noValue", runs: 24 });
  } finally {
    await runs.close();
  }
}, 120_000);
