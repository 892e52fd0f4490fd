/**
 * What a bundle tells of its run, never unverified: the event log where the manifest's seal vouches
 * for all of it, else the run played once more from its recording, with the log held against it.
 */

import { join } from "node:path";
import type { Part } from "../../contract/part.ts";
import { RULES_VERSION } from "../../run/bundle.ts";
import {
  firstDifference,
  type ReplayOptions,
  type ReplayResult,
  readDelivery,
  replay,
} from "../../run/replay.ts";
import { Chain } from "../../substrate/chain.ts";
import { chainedOf, startIn } from "../../substrate/deliveryLine.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import type { Log } from "../../substrate/log.ts";
import { commandSaid } from "../command.ts";
import { Divergence } from "../errors.ts";
import { IMPORT_AGAIN, LOG_CHANGED } from "./bundleFaults.ts";
import { hasOtherLog, type ReadBundle } from "./bundleReader.ts";
import { FILES } from "./bundleWriter.ts";
import { isImported, refuseImported } from "./importedBundle.ts";
import { LineFile } from "./lineFile.ts";
import { LogFile, LogIndex } from "./logFile.ts";

/** Sees each delivery in turn while the log is read; begun anew where that turns out to be another one. */
type Seeing = () => (delivery: Delivery) => void;

/** Throws Divergence when the log was changed, or the run no longer goes as it was recorded. */
export function deliveriesOf(parts: readonly Part[], bundle: ReadBundle, seeing?: Seeing): Log {
  if (isImported(bundle)) return importedDeliveries(bundle, seeing);
  const found = written(bundle, seeing);
  if (found !== undefined) return found;
  const { deliveries } = playedAgain(parts, bundle);
  const see = seeing?.();
  for (const one of deliveries) see?.(one);
  return deliveries;
}

/** An imported log is its own only source. Of one whose import was cut off, what was written so far. */
function importedDeliveries(bundle: ReadBundle, seeing?: Seeing): Log {
  const { folder, manifest } = bundle;
  const isWhole = manifest.final !== undefined;
  const found = isWhole ? written(bundle, seeing) : linesIn(bundle, seeing)?.deliveries;
  if (found !== undefined) return found;
  throw new Divergence({
    where: { file: join(folder, FILES.events), line: changedLine(bundle) },
    found: "a log that is not the one that was imported",
    allowed: "the bytes that were written",
    todo: IMPORT_AGAIN,
  });
}

/** From 1: where an imported log, whose deliveries are numbered in turn, is first not what it was. */
function changedLine({ log = [], manifest }: ReadBundle): number {
  const chain = new Chain();
  let block = 1;
  for (let place = 0; place < log.length; place++) {
    const delivery = readDelivery(log.at(place) ?? "");
    if (delivery === undefined || delivery.seq !== place) return place + 1;
    chain.add(chainedOf(delivery));
    if (delivery.digest !== undefined && delivery.digest !== chain.digest) return block;
    if (chain.endsBlock) block = place + 2;
  }
  const envelopes = manifest.final?.envelopes ?? log.length;
  return log.length === envelopes ? block : Math.min(log.length, envelopes) + 1;
}

/** Undefined for a log that is not certainly that of the run, or has a line that is no delivery. */
function written(bundle: ReadBundle, seeing?: Seeing): Log | undefined {
  if (!bundle.isLogSealed) return undefined;
  const { deliveries, digest } = linesIn(bundle, seeing) ?? {};
  return digest === bundle.manifest.final?.digest ? deliveries : undefined;
}

/** Each line, and the digest over all of them; undefined where one is no delivery or is not what its block's digest says. */
function linesIn(
  { log }: ReadBundle,
  seeing?: Seeing,
): { deliveries: Log; digest: string } | undefined {
  if (log === undefined) return undefined;
  const see = seeing?.();
  const index = new LogIndex();
  const list: Delivery[] = [];
  const chain = new Chain();
  for (let place = 0; place < log.length; place++) {
    const line = log.at(place) ?? "";
    const delivery = readDelivery(line);
    if (delivery === undefined) return undefined;
    const start = startIn(line, delivery);
    if (start === undefined) chain.add(chainedOf(delivery));
    else chain.addWritten(start);
    if (delivery.digest !== undefined && delivery.digest !== chain.digest) return undefined;
    see?.(delivery);
    if (log instanceof LineFile) index.add(delivery);
    else list.push(delivery);
  }
  const deliveries = log instanceof LineFile ? new LogFile(log, index) : list;
  return { deliveries, digest: chain.digest };
}

export interface PlayedAgain extends ReplayResult {
  readonly deliveries: readonly Delivery[];
}

/**
 * The run once more, from its recording alone. Throws Divergence when it no longer goes as it was
 * recorded, or when the log says of it what is not so. With `from`, `deliveries` are those behind it.
 */
export function playedAgain(
  parts: readonly Part[],
  bundle: ReadBundle,
  options: ReplayOptions = {},
): PlayedAgain {
  refuseImported(bundle, "play it again");
  const { log: _, logTorn: __, ...recording } = bundle;
  const deliveries: Delivery[] = [];
  const result = replay(parts, recording, (delivery) => deliveries.push(delivery), options);
  if (!result.matches) throw diverged(bundle);
  const played = { ...result, deliveries };
  const edited = firstDifference(bundle, played);
  if (edited === undefined) return played;
  throw new Divergence({
    where: { file: join(bundle.folder, FILES.events), line: edited.delivery },
    found: edited.expected,
    allowed: `${edited.actual}, as its recording goes`,
    todo: LOG_CHANGED,
  });
}

function diverged(bundle: ReadBundle): Divergence {
  const { folder, manifest } = bundle;
  const isOld = manifest.rulesVersion !== RULES_VERSION;
  const rules = isOld ? " under the rules of this version" : "";
  // Which line of it is wrong cannot be told any more.
  const isChanged = hasOtherLog(bundle);
  return new Divergence({
    where: { file: folder },
    found:
      `a run that no longer goes as it was recorded${rules}, so that nothing of it can be told` +
      (isChanged ? "; its events.jsonl is not the one that was sealed, either" : ""),
    allowed: "a recording made under the rules of this version",
    todo: isOld
      ? `Read it with ${manifest.product}, which recorded it, or run the scenario again.`
      : `${commandSaid`replay ${folder}`} shows the first difference.`,
  });
}
