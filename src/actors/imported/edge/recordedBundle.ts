/** What lies in a file of the wire, as a bundle beside it. */
import { join } from "node:path";
import { writeTexts } from "./importedReport.ts";
import { ImportSession } from "./importSession.ts";
import { readLogs } from "./readLogs.ts";
import { EXCHANGES } from "./wire/exchangeLog.ts";

/** By the readers of `import`. */
export async function bundleOf(out: string, file: string = EXCHANGES): Promise<ImportSession> {
  const sources = [join(out, file)];
  const session = new ImportSession({ out, sources, tell: writeTexts });
  await session.all(readLogs(sources));
  return session;
}
