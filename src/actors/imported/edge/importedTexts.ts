/** What a person reads first of an imported log: its report, as text and as a page with a picture. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FILES } from "../../../edges/bundle/bundleWriter.ts";
import { importedReport } from "./importedReport.ts";
import type { WrittenLog } from "./logWriter.ts";
import { logHead, logPicture } from "./picture.ts";

export const PICTURE = "picture.svg";

export async function writeTexts(log: WrittenLog, folder: string): Promise<void> {
  // Loaded only now, as by a run: the plotting library takes longer to load than a short log takes.
  const [{ reportPage }, { drawPicture }] = await Promise.all([
    import("../../../edges/report/reportPage.ts"),
    import("../../../edges/report/picture.ts"),
  ]);
  const markdown = importedReport({ log, folder });
  const svg = drawPicture(logPicture(log), logHead(log));
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  write(FILES.report, markdown);
  write(FILES.page, reportPage({ title: log.head.name, markdown, svg }));
  write(PICTURE, svg);
}
