/** `import --scenario`: the scenario of the log that was imported, or of recordings of one task, written, played, and compared with them. */
import { partLists } from "../../../../cli/chosenParts.ts";
import { clearProgress, progress } from "../../../../cli/output.ts";
import { readBundle } from "../../../../edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../../../../edges/bundle/derive.ts";
import { command } from "../../../../edges/command.ts";
import { BadInput } from "../../../../edges/errors.ts";
import type { LogOfWorld } from "../../worldItems.ts";
import {
  heardIn,
  onlyRecording,
  type Recording,
  type Recordings,
  recordingOf,
} from "../../worldRecordings.ts";
import { heldOut } from "./heldOut.ts";
import { madeWorld, playedFolder, playedWorld, writeScenario } from "./playedWorld.ts";
import type { ToldLogs } from "./wanted.ts";
import { type LeftOut, worldJson, worldSaid } from "./worldSaid.ts";

interface Wanted {
  /** The scenario's. */
  readonly file: string;
  readonly out?: string;
  /** The file of the logs, where it was another command that read them. */
  readonly source?: string;
}

/** Names that an error lists. */
const NAMES_MOST = 10;

/** Throws BadInput where there are several logs that are of several tasks, or nothing to play; the bundles stay. */
export async function makeScenario(
  { all, count }: ToldLogs,
  { file, out: named, source }: Wanted,
  out: string,
): Promise<{ readonly text: string; readonly json: object }> {
  const names = all.slice(0, NAMES_MOST).map(({ head }) => head.name);
  const lists = await partLists({});
  const logs = all.map(
    ({ head: { name, format, file: from }, startsAt, clock, folder }): LogOfWorld => ({
      ...{ name, format, file: from, startsAt, clock },
      deliveries: deliveriesOf(lists.parts, readBundle(lists, folder)),
    }),
  );
  // Several logs of one recording are no recordings of one task.
  const { recordings, ...left } = recordingsOf(source === undefined ? logs : logs.slice(0, 1));
  if (recordings === null || count > all.length || (source !== undefined && count > 1)) {
    throw new BadInput({
      where: { path: "--scenario" },
      found: `${count} logs, whose bundles lie in ${out}`,
      allowed: "one log, or recordings of one task, in which people say the same",
      hint: `There are: ${names.join(", ")}${count > names.length ? ", …" : ""}.`,
      todo:
        source === undefined
          ? `Name one, for example: --only ${names[0] ?? "NAME"}`
          : `Name one, for example: ${command`import ${source} --only ${[names[0] ?? "NAME"]} --scenario ${file}`}`,
    });
  }
  const [{ log }] = recordings;
  const made = madeWorld(lists, recordings, file);
  writeScenario(file, made.text);
  const played = await playedWorld(lists, made, playedFolder(named, made.scenario), file);
  const held =
    recordings.length === 1
      ? []
      : await heldOut(lists, recordings, file, (done) =>
          progress(`held against the others: ${done} of ${recordings.length} recordings`),
        );
  clearProgress();
  const done = { played, log, file, held, left };
  return { text: worldSaid(done), json: worldJson(done) };
}

/** Those that met what no world has, or are there already, are counted and left out. Null where people say several things. */
function recordingsOf([first, ...more]: readonly LogOfWorld[]): LeftOut & {
  readonly recordings: Recordings | null;
} {
  if (first === undefined) return { recordings: null, foreign: 0, again: 0 };
  if (more.length === 0) return { recordings: [onlyRecording(first)], foreign: 0, again: 0 };
  const all = [recordingOf(first)];
  const known = new Set(all.map(identityOf));
  let again = 0;
  for (const log of more) {
    const one = recordingOf(log);
    if (heardIn(one) !== heardIn(all[0] ?? one)) return { recordings: null, foreign: 0, again };
    const identity = identityOf(one);
    if (log.clock === "log" && known.has(identity)) again += 1;
    else all.push(one);
    known.add(identity);
  }
  const acts = ({ items }: Recording): boolean => items.items.some(({ kind }) => kind === "call");
  const [base, ...others] = all
    .filter((one) => one.foreign.length === 0)
    .sort((a, b) => Number(acts(b)) - Number(acts(a)));
  const recordings = base === undefined ? null : ([base, ...others] as const);
  return { recordings, foreign: all.length - others.length - 1, again };
}

/** What is the same at the same times is the same recording, wherever it lies. */
const identityOf = ({ log: { startsAt }, items: { items, faults } }: Recording): string =>
  JSON.stringify([startsAt, items, faults]);
