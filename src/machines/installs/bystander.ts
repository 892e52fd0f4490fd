/**
 * Whoever is none of those who install, and tries: it asks the gateway what it is told to, from its own address, which no
 * claim in the request changes. Source: seed 003, "no other agent has this capability".
 */
import { ask } from "../letter.ts";
import { onlyLogged, type Service } from "../service.ts";
import { GATEWAY } from "./addresses.ts";

export interface BystanderState {
  /** How often it has tried. */
  readonly tries: number;
}

export const bystanderService = (): Service<BystanderState> => ({
  kind: "service",
  id: "bystander",
  on: {
    "attempt.made": ({ tries }, { tool, params, at }) => ({
      state: { tries: tries + 1 },
      letters: [
        ask({
          ...{ to: GATEWAY, key: `attempt:${tries + 1}`, because: [at.seq] },
          event: { type: "gateway.asked", tool, params },
        }),
      ],
    }),
    "gateway.answered": onlyLogged,
    "approval.decided": onlyLogged,
    "approval.expired": onlyLogged,
  },
  ignores: [],
  init: () => ({ state: { tries: 0 }, letters: [] }),
});
