/**
 * Homeostasis: once a night, at its hour of the virtual clock in UTC, and whenever an actor asks for
 * it. Source: seed 002, 2, 5 and 9.
 */
import type { Letter } from "../letter.ts";
import { between, integer, type ValuesOf } from "../policyLeaf.ts";
import type { Outcome, Service } from "../service.ts";
import { days, hours } from "../units.ts";
import { DESK, POOL } from "./contract.ts";

export const syntNightLeaves = {
  atMs: integer(hours(3), between(0, days(1) - 1, "ms after midnight UTC"), {
    says: "When the nightly sweep runs.",
    source: "the real system's, 03:00; seed 002, 13 leaves fixed or adaptive open",
  }),
  lookbackMs: integer(days(30), between(1, days(3650), "ms"), {
    says: "How far back the sweep looks: what was last used longer ago proposes nothing.",
    source: "seed 002, 9: homeostasis(lookback_days = 30)",
  }),
};

export type NightPolicy = ValuesOf<typeof syntNightLeaves>;

export interface AgerState {
  readonly startsAtMs: number;
  readonly nights: number;
}

export const agerService = ({
  synt,
}: {
  readonly synt: { readonly night: NightPolicy };
}): Service<AgerState, { readonly startsAtMs: number }> => ({
  kind: "service",
  id: "ager",
  on: {
    "night.came": (state, { at }) =>
      nightAfter(state, synt.night.lookbackMs, [
        nextNight(state.startsAtMs + at.nowMs, synt.night),
      ]),
    "homeostasis.asked": (state, { lookbackMs }) =>
      nightAfter(state, lookbackMs ?? synt.night.lookbackMs, []),
  },
  ignores: [],
  init: ({ startsAtMs }, at) => ({
    state: { startsAtMs, nights: 0 },
    letters: [nextNight(startsAtMs + at.nowMs, synt.night)],
  }),
});

function nightAfter(
  state: AgerState,
  lookbackMs: number,
  next: readonly Letter[],
): Outcome<AgerState> {
  const night = state.nights + 1;
  return {
    state: { ...state, nights: night },
    letters: [
      { to: DESK, event: { type: "night.came", night } },
      { to: POOL, event: { type: "night.came", night, lookbackMs } },
      ...next,
    ],
  };
}

/** At the hour itself, the next one is a day away. */
function nextNight(epochMs: number, { atMs }: NightPolicy): Letter {
  const sinceMs = (epochMs - atMs) % days(1);
  return {
    to: "ager",
    event: { type: "night.came" },
    delayMs: days(1) - ((sinceMs + days(1)) % days(1)),
  };
}
