/**
 * `node tools/packQueue.ts NODE PROGRAM`: a worker of an installed package plays a study of this checkout by a queue,
 * and the package plays the same alone. Both leave the same bytes, or this fails. Says where there is no PostgreSQL.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isPostgresThere, PASSWORD, Postgres } from "../test/edges/studies/queue/postgres.ts";
import { smallStudy } from "../test/edges/studies/queue/smallStudy.ts";
import { newFolder, removeFolders } from "../test/folders.ts";

const [node = "", program = ""] = process.argv.slice(2);
const checkout = path.resolve(import.meta.dirname, "../src/cli/main.ts");

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.on("exit", resolve));

if (isPostgresThere) await played();
else console.log("PostgreSQL's server is absent: nothing is played by a queue");

async function played(): Promise<void> {
  const server = await Postgres.start();
  const folder = newFolder();
  writeFileSync(path.join(folder, "study.yaml"), smallStudy);
  const begin = (runtime: string, args: readonly string[]): ChildProcess =>
    spawn(runtime, args, {
      cwd: folder,
      env: { ...process.env, PGPASSWORD: PASSWORD },
      stdio: ["ignore", "ignore", "inherit"],
    });
  const sweep = ["sweep", "study.yaml", "--out"];
  const queue = ["--queue", server.url];
  const work = begin(node, [program, "work", ...queue, "--idle", "30s", "--cache", "w"]);
  const worked = ended(work);
  const study = begin(process.execPath, [checkout, ...sweep, "queued", ...queue, "--cache", "q"]);
  // A worker of other code would never take a run.
  const first = await Promise.race([ended(study), worked.then(() => "its worker found no runs")]);
  work.kill("SIGTERM");
  const codes = [first, await worked];
  codes.push(await ended(begin(node, [program, ...sweep, "alone", "--cache", "l"])));
  study.kill();
  await server.down();
  if (codes.some((code) => code !== 0)) throw new Error(`exit codes ${codes.join(", ")}`);
  for (const name of ["study.json", "runs.csv", "points.csv"]) {
    const [queued, alone] = ["queued", "alone"].map((which) =>
      readFileSync(path.join(folder, which, name), "utf8"),
    );
    if (queued !== alone) throw new Error(`${name} is not the same by a queue and alone`);
  }
  removeFolders();
}
