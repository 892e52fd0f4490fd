/** Reads foreign logs into a folder without a word on a terminal: what `view` opens. `import` says more, and goes on where it was cut off. */
import { setImmediate } from "node:timers/promises";
import { countOf } from "../../../contract/countOf.ts";
import type { LogsRead } from "../../../contract/edge/edgePart.ts";
import { writeTexts } from "./importedTexts.ts";
import { ImportSession } from "./importSession.ts";
import { readLogs } from "./readLogs.ts";
import { placeText } from "./unreadList.ts";

/** Ours: some milliseconds of work. */
const PIECES_A_TURN = 64;
/** What could not be read, as far as it is spelt out. */
const TOLD_MOST = 3;

export async function readInto(
  sources: readonly string[],
  out: string,
  signal: AbortSignal,
): Promise<LogsRead> {
  const session = new ImportSession({ out, sources, tell: writeTexts, onDone: () => {} });
  try {
    let count = 0;
    for await (const piece of readLogs(sources)) {
      await session.piece(piece);
      if (++count % PIECES_A_TURN === 0) await setImmediate();
      if (signal.aborted) break;
    }
    await session.finish(signal.aborted ? "interrupted" : "ended");
  } catch (error) {
    session.abandon();
    throw error;
  }
  const { records, unread } = session;
  const first = unread.first
    .slice(0, TOLD_MOST)
    .map(({ place, reason }) => `${placeText(place)}: ${reason}`);
  const more = unread.count > first.length ? ", and so on" : "";
  const says = `${countOf(unread.count, "piece")} could not be read: ${first.join("; ")}${more}.`;
  return { records, unread: unread.count === 0 ? [] : [says] };
}
