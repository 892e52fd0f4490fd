/**
 * How far worlds made of logs agree with them when they are played, a line for each log: `node tools/agreement.ts FILE…`,
 * by default over ../shared/traces. docs/import-scenario.md holds what it said.
 */
import { existsSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { Agreement } from "../src/actors/imported/agreement.ts";
import { readLogs } from "../src/actors/imported/edge/readLogs.ts";
import { madeWorld, playedWorld } from "../src/actors/imported/edge/world/playedWorld.ts";
import { differenceText } from "../src/actors/imported/edge/world/worldSaid.ts";
import { Importer } from "../src/actors/imported/importer.ts";
import type { LogHead } from "../src/actors/imported/record.ts";
import { onlyRecording } from "../src/actors/imported/worldRecordings.ts";
import { builtIn } from "../src/builtIn/lists.ts";
import { BadInput } from "../src/edges/errors.ts";
import type { Delivery } from "../src/substrate/envelope.ts";

export interface LogAgreement {
  readonly log: string;
  /** Null: nobody acts in it. */
  readonly agreement: Agreement | null;
  /** Of the scenario's file. */
  readonly chars: number;
  /** Whether its expectations hold. */
  readonly holds: boolean;
  /** The first that differs, or why there is no world. */
  readonly why: string;
}

interface Open {
  readonly head: LogHead;
  readonly importer: Importer;
  readonly deliveries: Delivery[];
}

export async function* agreements(sources: readonly string[]): AsyncGenerator<LogAgreement> {
  const open = new Map<string, Open>();
  for await (const piece of readLogs(sources)) {
    if (piece.kind === "opened") {
      const { head } = piece;
      open.set(head.name, { head, importer: new Importer(head), deliveries: [] });
    } else if (piece.kind === "record") {
      const log = open.get(piece.log);
      log?.deliveries.push(...log.importer.add(piece.record));
    } else if (piece.kind === "closed") {
      const log = open.get(piece.log);
      open.delete(piece.log);
      if (log !== undefined) yield await agreementWith(log);
    }
  }
}

async function agreementWith({ head, importer, deliveries }: Open): Promise<LogAgreement> {
  deliveries.push(...importer.end());
  const startsAt = new Date(importer.startMs ?? 0).toISOString();
  const log = { ...head, startsAt, clock: importer.clock, deliveries };
  try {
    const made = madeWorld(builtIn, [onlyRecording(log)], `${head.name}.yaml`);
    const { agreement, holds } = await playedWorld(builtIn, made, null, head.name);
    const why = agreement.first === null ? "" : differenceText(agreement.first, head.file);
    return { log: head.name, agreement, chars: made.text.length, holds, why };
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return { log: head.name, agreement: null, chars: 0, holds: true, why: error.found };
  }
}

async function main(files: readonly string[]): Promise<void> {
  const sources = files.length > 0 ? files : ["../shared/traces", "/work/shared/traces"];
  const there = sources.filter((source) => existsSync(source)).slice(0, files.length || 1);
  const all: LogAgreement[] = [];
  for await (const one of agreements(there)) {
    all.push(one);
    const { calls, messages } = one.agreement ?? {};
    console.log(
      `${one.log.padEnd(28)} calls ${calls?.same ?? 0}/${calls?.inLog ?? 0}, results ${calls?.sameResults ?? 0}/` +
        `${calls?.results ?? 0}, messages ${messages?.same ?? 0}/${messages?.inLog ?? 0}, ${one.chars} characters` +
        `${one.holds ? "" : ", EXPECTATIONS DO NOT HOLD"}${one.why === "" ? "" : `; ${one.why}`}`,
    );
  }
  const played = all.flatMap(({ agreement }) => (agreement === null ? [] : [agreement]));
  for (const what of ["calls", "messages"] as const) {
    const shares = played
      .flatMap((one) => (one[what].inLog === 0 ? [] : [one[what].share]))
      .sort((a, b) => a - b);
    const median = shares[shares.length >> 1] ?? 1;
    console.log(
      `${what}: ${shares.length} logs with any, median share ${median}, worst ${shares[0] ?? 1}`,
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  await main(process.argv.slice(2));
