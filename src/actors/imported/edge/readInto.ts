/** Reads foreign logs into a folder without a word on a terminal: what `view` opens. `import` says more, and goes on where it was cut off. */
import { countOf } from "../../../contract/countOf.ts";
import type { LogsRead } from "../../../contract/edge/edgePart.ts";
import { writeTexts } from "./importedReport.ts";
import { ImportSession } from "./importSession.ts";
import { readLogs } from "./readLogs.ts";
import { placeText } from "./unreadList.ts";

/** What could not be read, as far as it is spelt out. */
const TOLD_MOST = 3;

export async function readInto(
  sources: readonly string[],
  out: string,
  signal: AbortSignal,
): Promise<LogsRead> {
  const session = new ImportSession({ out, sources, tell: writeTexts, onDone: () => {} });
  await session.all(readLogs(sources), signal);
  const { records, unread } = session;
  const first = unread.first
    .slice(0, TOLD_MOST)
    .map(({ place, reason }) => `${placeText(place)}: ${reason}`);
  const more = unread.count > first.length ? ", and so on" : "";
  const says = `${countOf(unread.count, "piece")} could not be read: ${first.join("; ")}${more}.`;
  return { records, unread: unread.count === 0 ? [] : [says] };
}
