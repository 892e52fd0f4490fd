/** How far a world of several recordings comes to what the agents themselves came to: each recording against the world of the others. */
import type { Scenario } from "../../../../contract/scenario.ts";
import type { PartLists } from "../../../../edges/parts/partLists.ts";
import { recordRun } from "../../../../edges/play/recordRun.ts";
import type { Fault } from "../../../../faults/faults.ts";
import { groupedBy } from "../../../../machines/grouped.ts";
import { leftRecording } from "../../../../run/leftRecording.ts";
import { agreementOf, PlayedCalls } from "../../agreement.ts";
import { LATE_MS } from "../../bounds.ts";
import type { Recording, Recordings } from "../../worldRecordings.ts";
import { turnsOf } from "../../worldTurns.ts";
import { madeWorld } from "./playedWorld.ts";

export interface HeldOut {
  readonly name: string;
  /** Whether the world of the others, under the same faults, came to the same calls and results; null where a stand-in left them. */
  readonly agrees: boolean | null;
  /** Whether it then ended in the same words as most recordings that went so. */
  readonly sameWords: boolean;
  /** Whether the others went several ways, of which none is that of most. */
  readonly isTied: boolean;
}

/** Ours: so many recordings are held against the world of the others. */
const HELD_OUT_MOST = 100;

export async function heldOut(
  lists: PartLists,
  recordings: Recordings,
  file: string,
  tell: (done: number) => void = () => {},
): Promise<readonly HeldOut[]> {
  const all: HeldOut[] = [];
  for (const one of recordings.slice(0, HELD_OUT_MOST)) {
    tell(all.length);
    const [first, ...others] = recordings.filter((other) => other !== one);
    if (first !== undefined) all.push(await against(lists, one, [first, ...others], file));
  }
  return all;
}

async function against(
  lists: PartLists,
  one: Recording,
  others: Recordings,
  file: string,
): Promise<HeldOut> {
  const { world, text, scenario } = madeWorld(lists, others, file, one);
  const under: Scenario = {
    ...scenario,
    faults: one.faults.map(
      ({ does, tool, calls }, nth): Fault => ({
        ...{ id: `f-${nth}`, does, tool: world.tools.of(tool), ...(calls && { calls }) },
        ...{ fromMs: 0, toMs: null, perMille: 1_000, times: null },
        byMs: does === "late" ? LATE_MS : null,
      }),
    ),
  };
  const played = new PlayedCalls();
  const { observed } = await recordRun(lists, {
    ...{ scenario: under, text, variant: null, seed: scenario.seed, set: {}, untilMs: null },
    ...{ folder: null, withLog: false, onDelivery: (delivery) => played.add(delivery) },
  });
  const { name } = one.log;
  const isTied = world.notes.tied > 0;
  if (leftRecording(lists.parts, observed.meter) !== null) {
    return { name, agrees: null, sameWords: false, isTied };
  }
  const isPlayed = ({ items }: Recording): boolean => {
    const turns = turnsOf(items, Number.POSITIVE_INFINITY, (words) => words);
    const { agents, tools, notes } = world;
    return (
      agreementOf({ log: items, agents, tools, notes: { ...notes, turns } }, played).first === null
    );
  };
  const agrees = isPlayed(one);
  const words = [...groupedBy(others.filter(isPlayed), lastWords)];
  const [most] = words.sort(([, a], [, b]) => b.length - a.length);
  return { name, agrees, sameWords: agrees && most?.[0] === lastWords(one), isTied };
}

const lastWords = ({ items }: Recording): string =>
  items.items.flatMap((item) => (item.kind === "sent" ? [item.text] : [])).at(-1) ?? "";
