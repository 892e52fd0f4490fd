/** What `import --scenario` says of the scenario that it made, and of how far that agrees with the log. */
import { command } from "../../../../edges/command.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import type { Difference } from "../../agreement.ts";
import type { LogOfWorld } from "../../worldOf.ts";
import type { PlayedWorld } from "./playedWorld.ts";
import { placeOf } from "./worldText.ts";

export interface WorldDone {
  readonly played: PlayedWorld;
  readonly log: LogOfWorld;
  /** The scenario, as the user named it. */
  readonly file: string;
}

const WIDTH = 10;
const row = (name: string, text: string): string => `${name.padEnd(WIDTH)}${escapedLine(text)}`;

/** `100 %`, `97.5 %`; never 100 where something is missing. */
export const percent = (share: number): string => `${Math.floor(share * 1_000) / 10} %`;

export function worldSaid({ played, log, file }: WorldDone): string {
  const { agreement, scenario, bundle } = played;
  const { calls, messages, first } = agreement;
  const path = /[\\/]/.test(file) ? file : `./${file}`;
  const variants = Object.keys(scenario.variants);
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
    "",
    `The played run lies in ${escapedLine(bundle ?? "")}. Next:`,
    command`run ${path} ${variants.slice(0, 1).flatMap((one) => ["--variant", one])}`,
  ].join("\n");
}

export function differenceText(
  { what, agent, log, seq, reason }: Difference,
  file: string,
): string {
  const where = log === null ? "not in the log" : placeOf(log, file);
  const run = seq === null ? "" : `, #${seq} of the run`;
  return `first at a ${what} of ${agent} (${where}${run}): ${reason}`;
}

export function worldJson({ played, log, file }: WorldDone): object {
  const { agreement, scenario, bundle, digest, outcome, world } = played;
  const { cuts, turns } = world.notes;
  return {
    scenario: {
      ...{ file, log: log.name, variants: Object.keys(scenario.variants) },
      ...{ cut: cuts, stoppedAt: turns.stopped?.item.seq ?? null },
      ...{ bundle, digest, outcome, agreement },
    },
  };
}
