// A sweep in this process.
import { builtIn } from "../../../src/builtIn/lists.ts";
import { checkedLists } from "../../../src/edges/pool/checkWorlds.ts";
import { playSweep, sweepPlan } from "../../../src/edges/studies/playStudy.ts";
import { sha256, worldOf } from "../../../src/edges/studies/runKey.ts";
import { loadStudy } from "../../../src/edges/studies/studyFile.ts";
import { writeStudyFiles } from "../../../src/edges/studies/studyFiles.ts";
import { StudyRuns, type StudyRunsOptions } from "../../../src/edges/studies/studyRuns.ts";
import { sweptFound } from "../../../src/studies/found.ts";
import { newFolder } from "../../folders.ts";

export const lists = await checkedLists(builtIn);

export async function swept(file: string, options: Partial<StudyRunsOptions> = {}) {
  const { study } = loadStudy(lists, file);
  const folder = options.folder ?? newFolder();
  const runs = new StudyRuns({
    ...{ sandbox: "pyodide", cache: null, folder, world: worldOf(study), workers: 1 },
    study: sha256(JSON.stringify(study)),
    ...options,
  });
  try {
    const found = await playSweep(sweepPlan(study, file), runs);
    if (found !== undefined) {
      await writeStudyFiles(folder, { ...sweptFound(found), opening: [] });
    }
    return { found, folder, counts: { ...runs.counts } };
  } finally {
    await runs.close();
  }
}
