/** What lies in a file of the wire, as a bundle beside it. */
import { join } from "node:path";
import { writeTexts } from "./importedReport.ts";
import { ImportSession } from "./importSession.ts";
import { readLogs } from "./readLogs.ts";
import { EXCHANGES } from "./wire/exchangeLog.ts";
import type { ToldLogs } from "./world/wanted.ts";

/** By the readers of `import`. `onTold` hears of each log. */
export async function bundleOf(
  out: string,
  file: string = EXCHANGES,
  onTold?: ToldLogs,
): Promise<ImportSession> {
  const sources = [join(out, file)];
  const tell: typeof writeTexts = async (log, folder) => {
    await writeTexts(log, folder);
    onTold?.add(log, folder);
  };
  const session = new ImportSession({ out, sources, tell });
  await session.all(readLogs(sources));
  return session;
}
