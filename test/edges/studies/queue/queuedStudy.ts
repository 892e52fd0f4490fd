// A study whose runs come from a queue, and whoever plays them, in this process.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtIn } from "../../../../src/builtIn/lists.ts";
import { checkedLists } from "../../../../src/edges/pool/checkWorlds.ts";
import { codeHash } from "../../../../src/edges/studies/codeHash.ts";
import { playSweep, sweepPlan } from "../../../../src/edges/studies/playStudy.ts";
import {
  type QueueWorkOptions,
  workQueue,
} from "../../../../src/edges/studies/queue/queueWorker.ts";
import { sha256, worldOf } from "../../../../src/edges/studies/runKey.ts";
import { loadStudy } from "../../../../src/edges/studies/studyFile.ts";
import { StudyRuns, type StudyRunsOptions } from "../../../../src/edges/studies/studyRuns.ts";
import { newFolder } from "../../../folders.ts";

const lists = await checkedLists(builtIn);

export async function sweptBy(
  queue: string | undefined,
  file: string,
  options: Partial<StudyRunsOptions> = {},
) {
  const { study } = loadStudy(lists, file);
  const folder = options.folder ?? newFolder();
  const runs = new StudyRuns({
    ...{ sandbox: "pyodide", cache: null, folder, world: worldOf(study), workers: 1, queue },
    study: sha256(JSON.stringify(study)),
    ...options,
  });
  try {
    const found = await playSweep(sweepPlan(study, file), runs);
    return { found, folder, counts: { ...runs.counts } };
  } finally {
    await runs.close();
  }
}

/** A worker that ends when it is told to, or had nothing to play for a while. */
export function workerOf(queue: string, options: Partial<QueueWorkOptions> = {}) {
  const said: string[] = [];
  const over = new AbortController();
  const played = workQueue({
    ...{ queue, sandbox: "pyodide", cache: null, workers: 1, signal: over.signal },
    code: codeHash(options.partFiles),
    onDone: () => {},
    onTrouble: (text) => void said.push(text),
    ...options,
  });
  // Whoever waits for it is told; until then nobody may be there.
  played.catch(() => {});
  return { said, played, stop: () => over.abort() };
}

/** A part in whose threads each run waits until the gate is opened. */
export function gatePart() {
  const folder = newFolder();
  const [file, here, open] = ["gate.ts", "here", "open"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(
    file,
    `import { existsSync, writeFileSync } from "node:fs";
    import { isMainThread } from "node:worker_threads";
    const cell = new Int32Array(new SharedArrayBuffer(4));
    export default { name: "gate", scriptedPorts: () => {
      if (isMainThread) return {};
      writeFileSync(${JSON.stringify(here)}, "");
      while (!existsSync(${JSON.stringify(open)})) Atomics.wait(cell, 0, 0, 20);
      return {};
    } };`,
  );
  return { file, isWaiting: () => existsSync(here), open: () => writeFileSync(open, "") };
}

/** A part that ends the thread of each run at this threshold. */
export function deadlyPart(threshold: number): string {
  const file = join(newFolder(), "deadly.ts");
  writeFileSync(
    file,
    `export default { name: "deadly", scriptedPorts: ({ policy }) => {
      if (policy.locks.constrained === ${threshold}) process.exit(7);
      return {};
    } };`,
  );
  return file;
}
