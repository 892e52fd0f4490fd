/** Night comes once a day, at its hour of the virtual clock in UTC. Source: seed 002, 2 and 5. */
import type { At, Letter } from "../letter.ts";
import { integer, type ValuesOf } from "../policyLeaf.ts";
import type { Outcome, Service } from "../service.ts";
import { days, hours } from "../units.ts";
import { POOL } from "./contract.ts";

export const syntNightLeaves = {
  atMs: integer(hours(3), {
    unit: "ms after midnight UTC",
    min: 0,
    max: days(1) - 1,
    says: "When the nightly sweep runs.",
    source: "the real system's, 03:00; seed 002, 13 leaves fixed or adaptive open",
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
}): Service<AgerState> => ({
  kind: "service",
  id: "ager",
  handles: ["night.came"],
  ignores: [],
  init: ({ startsAtMs }: { readonly startsAtMs: number }, at: At): Outcome<AgerState> => ({
    state: { startsAtMs, nights: 0 },
    letters: [nextNight(startsAtMs + at.nowMs, synt.night)],
  }),
  receive(state, { at }): Outcome<AgerState> {
    const night = state.nights + 1;
    return {
      state: { ...state, nights: night },
      letters: [
        { to: POOL, event: { type: "night.came", night } },
        nextNight(state.startsAtMs + at.nowMs, synt.night),
      ],
    };
  },
});

/** At the hour itself, the next one is a day away. */
function nextNight(epochMs: number, { atMs }: NightPolicy): Letter {
  const sinceMs = (epochMs - atMs) % days(1);
  return {
    to: "ager",
    event: { type: "night.came" },
    delayMs: days(1) - ((sinceMs + days(1)) % days(1)),
  };
}
