/**
 * How agents go on in several recordings of one task: alike as long as they were told the same. Where their calls came to something
 * else, each goes on as those recordings did in which it came to that. Of ways after the same answers that of most is taken. Pure.
 */
import { groupedBy } from "../../machines/grouped.ts";
import { sortedJson } from "../../machines/sortedJson.ts";
import { worldBounds } from "./worldBounds.ts";
import type { CallItem } from "./worldItems.ts";
import type { Act, Turn } from "./worldTurns.ts";

/** A turn of an agent, or as much of one as is alike in all recordings that came so far. */
export interface Way extends Turn {
  /** Whether it begins with what the turn waits for. */
  readonly opens: boolean;
  /** The id of the way right after which it comes; null where the agent has but one. */
  readonly after: string | null;
  /** What its last call must have come to; null where that is alike in all. */
  readonly came: string | null;
}

export interface Ways {
  readonly ways: readonly Way[];
  /** Recordings of an agent that went another way than most after the same answers. */
  readonly aside: number;
  /** Places at which as many went another way as the one that was taken. */
  readonly tied: number;
}

interface Step {
  readonly turn: Turn;
  readonly act: Act;
  readonly opens: boolean;
  /** What it does, with what it waited for. */
  readonly key: string;
  /** The digest of a call and its outcome; empty of a message. */
  readonly came: string;
}

type Steps = readonly Step[];

/** `recordings` hold the turns of each; `digest` says what a call and its outcome are. */
export function waysOf(
  recordings: readonly (readonly Turn[])[],
  digest: (call: CallItem) => string,
): Ways {
  const agents = new Set(recordings.flatMap((turns) => turns.map(({ agent }) => agent)));
  const ways: Way[] = [];
  const ids = new Set<string>();
  let [aside, tied] = [0, 0];

  const idOf = ({ id }: Turn): string => {
    let own = id;
    for (let n = 2; ids.has(own); n++) own = `${id}-${n}`;
    ids.add(own);
    return own;
  };

  /** How these go on from that place, before which all was alike. */
  const goOn = (all: readonly Steps[], from: number, before: Pick<Way, "after" | "came">): void => {
    // Of as many the one that comes first by its text: the order of the files decides nothing.
    const others = [...groupedBy(all, (one) => one[from]?.key ?? "")]
      .sort(([key, a], [other, b]) => b.length - a.length || (key < other ? -1 : 1))
      .map(([, same]) => same);
    const [most = [], next = []] = others;
    aside += all.length - most.length;
    if (next.length === most.length) tied += 1;
    const first = most[0]?.[from];
    if (first === undefined) return;
    let end = from + 1;
    while (end - from < worldBounds.steps && isAlike(most, end)) end += 1;
    const id = idOf(first.turn);
    const acts = (most[0] ?? []).slice(from, end).map(({ act }) => act);
    ways.push({ ...first.turn, ...before, id, acts, opens: first.opens });
    const answers = groupedBy(most, (one) => one[end - 1]?.came ?? "");
    for (const [came, same] of answers) {
      goOn(same, end, { after: id, came: answers.size > 1 ? came : null });
    }
  };

  for (const agent of agents) {
    goOn(
      recordings.map((turns) => stepsOf(turns, agent, digest)),
      0,
      { after: null, came: null },
    );
  }
  return { ways, aside, tied };
}

const stepsOf = (
  turns: readonly Turn[],
  agent: string,
  digest: (call: CallItem) => string,
): Steps =>
  turns
    .filter((turn) => turn.agent === agent)
    .flatMap((turn) =>
      turn.acts.map((act, at): Step => {
        const opens = at === 0;
        const waits = opens && turn.trigger !== null ? [turn.trigger.kind, turn.trigger.text] : [];
        const does =
          act.kind === "call" ? [act.item.tool, act.item.args, act.item.raw] : [act.to, act.text];
        const came = act.kind === "call" ? digest(act.item) : "";
        return { turn, act, opens, key: sortedJson([waits, act.kind, does]), came };
      }),
    );

/** Whether all came to the same just before that place, and do the same there in the same turn. */
function isAlike(all: readonly Steps[], at: number): boolean {
  const [first] = all;
  const [before, now] = [first?.[at - 1], first?.[at]];
  if (now === undefined || now.opens) return false;
  return all.every((one) => one[at - 1]?.came === before?.came && one[at]?.key === now.key);
}
