/**
 * The warden: has installed agents born as their active revision says and ended with it, and is asked before every call that
 * they make. A service: what it knows must agree at one instant. Source: seed 003, "capability enforcement on every tool call".
 */
import type { Delivered } from "../letter.ts";
import { onlyLogged, type Service } from "../service.ts";
import { spawnCalled, spawned } from "./wardenChildren.ts";
import { activeChanged, agentIn, birthAnswered, birthDone, ended, isBirth } from "./wardenLives.ts";
import { callReported, permissionAsked } from "./wardenReach.ts";
import { sectionAsked } from "./wardenSection.ts";
import {
  NO_HOUSEHOLDS,
  type WardenDone,
  type WardenPolicy,
  type WardenState,
} from "./wardenState.ts";

export const wardenService = (policy: WardenPolicy): Service<WardenState> => ({
  kind: "service",
  id: "warden",
  on: {
    "active.changed": (state, event) => activeChanged(state, event, policy),
    "birth.answered": (state, event) => birthAnswered(state, event, policy),
    "end.answered": (state, { at }) =>
      at.key?.startsWith("end:") === true
        ? ended(state, agentIn(at.key), at.seq, policy)
        : { state, letters: [] },
    "ask.bounced": (state, event) => bounced(state, event, policy),
    "permission.asked": (state, event) => permissionAsked(state, event, policy),
    "call.reported": (state, event) => callReported(state, event, policy),
    "capability.called": (state, event) => spawnCalled(state, event, policy),
    "section.asked": sectionAsked,
    "installed.born": onlyLogged,
    "installed.ended": onlyLogged,
    "installed.spawned": onlyLogged,
    "reach.breached": onlyLogged,
    "tools.withdrawn": onlyLogged,
  },
  ignores: [],
  init: () => ({ state: NO_HOUSEHOLDS, letters: [] }),
});

/** No daemon: a world without agents. */
function bounced(
  state: WardenState,
  { address, at }: Delivered<"ask.bounced">,
  policy: WardenPolicy,
): WardenDone {
  const fault = `no actor lives at ${address}`;
  const agent = agentIn(at.key);
  if (isBirth(at.key)) return birthDone(state, agent, fault, at.seq, policy);
  return at.key?.startsWith("end:") === true
    ? ended(state, agent, at.seq, policy)
    : spawned(state, { name: agent, address: null, reason: fault });
}
