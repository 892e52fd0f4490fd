/** What the keeper of the pool does at night. Source: seed 002, chapters 2 and 5; rulings Y15, Y19. */
import { type At, ask, type Delivered, type Letter } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome } from "../service.ts";
import { DESK, EXECUTORS_FOLDER } from "./contract.ts";
import { aged, type Mnest } from "./mnestome.ts";
import { madeBy, missedAt } from "./poolFacts.ts";
import { nightFindings } from "./poolNight.ts";
import type { PoolEntry, PoolState } from "./poolState.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

/** Where colliding leftovers go. Never deleted. */
export const COLLECTED_FOLDER = "/agentOS/tmp/metnos_synth_gc";

type Answered = Outcome<PoolState>;

/** The ager: mnests fade, executors age, leftovers are moved, and the sweep looks for more. */
export function night(state: PoolState, at: At, lookbackMs: number, policy: SyntPolicy): Answered {
  const { mnests } = aged(state.mnests, at.nowMs, policy.mnest);
  const rested = { ...state, mnests, nights: state.nights + 1 };
  const { wanted, filtered, promoted } = nightFindings(
    rested,
    { nowMs: at.nowMs, lookbackMs },
    policy,
  );
  const missed = promoted.reduce(
    (next, missing) => missedAt(next, missing, at, policy.mnest),
    rested,
  );
  const tonight = new Set(promoted.map(({ intent }) => intent));
  const memos = Object.entries(missed.memos).map(([key, memo]) => [
    key,
    { ...memo, isPromoted: memo.isPromoted || tonight.has(memo.query) },
  ]);
  return {
    state: { ...missed, memos: Object.fromEntries(memos) },
    letters: [
      ...Object.values(state.executors).flatMap((entry) => nightLetters(entry, mnests)),
      ...filtered.map((one): Letter => ({ to: DESK, event: { type: "pattern.filtered", ...one } })),
      ...wanted.map(
        (one): Letter => ({
          to: DESK,
          event: { type: "synth.requested", ...one },
          because: madeBy(state.facts, one),
        }),
      ),
      ask({
        to: "files",
        key: "leftovers",
        event: { type: "files.snapshot", folders: [EXECUTORS_FOLDER] },
      }),
    ],
  };
}

function nightLetters({ name, state, isLoaded }: PoolEntry, mnests: readonly Mnest[]): Letter[] {
  const to = `executor/${name}`;
  if (state === "fused" || state === "superseded") {
    const citing = mnests.filter((one) => one.state === "active").filter(cites(name)).length;
    return [{ to, event: { type: "residue.counted", mnests: citing } }];
  }
  return isLoaded ? [{ to, event: { type: "night.came" } }] : [];
}

const cites =
  (name: string) =>
  ({ from, to }: Mnest): boolean =>
    from.name === name || to.name === name;

/** The garbage collector: files of a synthesised executor under the name of a handcrafted one. */
export function collected(state: PoolState, { files = {} }: Delivered<"files.replied">): Answered {
  const moves = Object.keys(files).flatMap((path): Letter[] => {
    const below = path.slice(EXECUTORS_FOLDER.length + 1);
    const isTaken = ownValue(state.executors, below.split("/")[0] ?? "")?.isHandcrafted;
    const to = `${COLLECTED_FOLDER}_${state.nights}/${below}`;
    return isTaken ? [{ to: "files", event: { type: "files.move", path, to } }] : [];
  });
  return { state, letters: moves };
}
