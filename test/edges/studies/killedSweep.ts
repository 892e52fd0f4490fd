import { ghostlight } from "../../cli/ghostlight.ts";
import { newFolder } from "../../folders.ts";
import { killedStudies, UNCACHED, whole } from "./killed.ts";
import { studyFile } from "./sweptStudy.ts";

/** What a small sweep leaves when nothing disturbs it, and what it leaves where its process is killed so often. */
export async function killedSweep(replicates: number, kills: number) {
  const file = studyFile(replicates);
  const folder = newFolder();
  await ghostlight(["sweep", file, "--out", folder, ...UNCACHED]);
  const { folders, lost } = await killedStudies("sweep", file, kills);
  return { whole: whole(folder), killed: folders.map(whole), lost };
}
