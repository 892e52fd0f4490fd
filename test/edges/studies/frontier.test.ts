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
import type { FrontierDesign, Study } from "../../../src/studies/study.ts";
import { newFolder } from "../../folders.ts";

const lists = await checkedLists(builtIn);
const design: FrontierDesign = {
  ...{ kind: "frontier", along: "locks.dominant", outcome: "spiral" },
  ...{ at: 0.5, levels: 4 },
};

test("[ST58, ST59, ST182] the lock on writing makes a spiral up to a load of .80 and none from .90 on", async () => {
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
  } finally {
    await runs.close();
  }
}, 120_000);
