/** What `import --scenario` says of the scenario that it made, and of how far that agrees with the log. */
import { countOf } from "../../../../contract/countOf.ts";
import { command } from "../../../../edges/command.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import { proportionInterval } from "../../../../studies/statistics/proportions.ts";
import type { Difference } from "../../agreement.ts";
import type { LogOfWorld } from "../../worldItems.ts";
import type { HeldOut } from "./heldOut.ts";
import type { PlayedWorld } from "./playedWorld.ts";
import { placeOf } from "./worldText.ts";

/** Recordings of which no world is made. */
export interface LeftOut {
  /** Those that met faults that no world has. */
  readonly foreign: number;
  /** Those that were given again. */
  readonly again: number;
}

export interface WorldDone {
  readonly played: PlayedWorld;
  readonly log: LogOfWorld;
  /** The scenario, as the user named it. */
  readonly file: string;
  /** Of several recordings, each against the world of the others. */
  readonly held: readonly HeldOut[];
  readonly left: LeftOut;
}

const WIDTH = 10;
const row = (name: string, text: string): string => `${name.padEnd(WIDTH)}${escapedLine(text)}`;

/** `100 %`, `97.5 %`; never 100 where something is missing. */
export const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`;

export function worldSaid(done: WorldDone): string {
  const { played, file } = done;
  const { scenario, bundle } = played;
  const path = /[\\/]/.test(file) ? file : `./${file}`;
  const variants = Object.keys(scenario.variants);
  return [
    ...(done.held.length === 0 ? agreesRows(done) : heldOutRows(done)),
    ...leftRows(done.left),
    "",
    `The played run lies in ${escapedLine(bundle ?? "")}. Next:`,
    command`run ${path} ${variants.slice(0, 1).flatMap((one) => ["--variant", one])}`,
  ].join("\n");
}

/** First what is unknown, then how often the rest agrees: n is the number of recordings. */
function heldOutRows({ played, file, held }: WorldDone): readonly string[] {
  const { recordings } = played.world.notes;
  const n = held.length;
  const known = held.filter(({ agrees }) => agrees !== null);
  const hits = known.filter(({ agrees }) => agrees).length;
  const unknown = n - known.length;
  const tied = held.filter(({ isTied }) => isTied).length;
  const { low, high } = proportionInterval(hits, known.length);
  const between = low === null || high === null ? "" : `, ${whole(low)} … ${whole(high)}`;
  return [
    row("scenario", `${file}, a world of ${countOf(recordings.length, "recording")}`),
    row(
      "unknown",
      `${unknown} of ${countOf(n, "recording")} (${whole(unknown / n)} %): with its faults and answers, the world of the others is left`,
    ),
    known.length === 0
      ? row("agrees", "not known of any")
      : row(
          "agrees",
          `${hits} of the other ${known.length} (${whole(hits / known.length)} %${between}): it comes to the agent's own calls and results`,
        ),
    ...(hits === 0
      ? []
      : [
          row(
            "",
            `${known.filter(({ sameWords }) => sameWords).length} of these ${hits} ended in the same words as most that went so`,
          ),
        ]),
    ...(tied === 0
      ? []
      : [
          row(
            "",
            `in ${tied} of the ${n} worlds as many of the others went one way as another: the one whose text comes first is played`,
          ),
        ]),
    row("", `n = ${countOf(n, "recording")}, not plays: more plays say nothing more of the agent`),
    ...(n === recordings.length ? [] : [row("", `held against the others: the first ${n}`)]),
  ];
}

function leftRows({ foreign, again }: LeftOut): readonly string[] {
  const why = [
    ...(foreign === 0 ? [] : [`${countOf(foreign, "recording")} under faults that no world has`]),
    ...(again === 0 ? [] : [`${countOf(again, "recording")} given again`]),
  ];
  return why.length === 0 ? [] : [row("left out", why.join(", "))];
}

const whole = (share: number): string => (100 * share).toFixed(0);

function agreesRows({ played, log, file }: WorldDone): readonly string[] {
  const { calls, messages, first } = played.agreement;
  return [
    row("scenario", `${file}, a world of the log ${log.name}`),
    row(
      "agrees",
      `${calls.same} of ${calls.inLog} calls were made again by the same agent, with the same tool and arguments, ` +
        `in the same order (${percent(calls.share)})`,
    ),
    row("", `${calls.sameResults} of ${calls.results} results were the same`),
    ...(messages.inLog === 0
      ? []
      : [
          row(
            "",
            `${messages.same} of ${messages.inLog} messages between agents (${percent(messages.share)})`,
          ),
        ]),
    ...(first === null ? [] : [row("differs", differenceText(first, log.file))]),
  ];
}

export function differenceText(
  { what, agent, log, seq, reason }: Difference,
  file: string,
): string {
  const where = log === null ? "not in the log" : placeOf(log, file);
  const run = seq === null ? "" : `, #${seq} of the run`;
  return `first at a ${what} of ${agent} (${where}${run}): ${reason}`;
}

export function worldJson({ played, log, file, held, left }: WorldDone): object {
  const { agreement, scenario, bundle, digest, outcome, world } = played;
  const { cuts, turns } = world.notes;
  return {
    scenario: {
      ...{ file, log: log.name, variants: Object.keys(scenario.variants) },
      ...{ cut: cuts, stoppedAt: turns.stopped?.item.seq ?? null },
      ...{ bundle, digest, outcome },
      ...(held.length === 0 ? { agreement } : { recordings: held }),
      leftOut: left.foreign + left.again,
    },
  };
}
