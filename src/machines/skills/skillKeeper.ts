/** The keeper of skills: which there are, and what came of their calls. A service. Source: seed 001, path A. */
import { answer } from "../letter.ts";
import { onlyLogged, type Service } from "../service.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

interface KeeperState {
  readonly routed: number;
}

export const skillKeeperService = ({
  skills,
}: {
  readonly skills: SkillsPolicy;
}): Service<KeeperState> => ({
  kind: "service",
  id: "skillKeeper",
  init: () => ({ state: { routed: skills.routed }, letters: [] }),
  on: {
    "entries.asked": (state, { kind, at }) => ({
      state,
      letters: answer(at, { type: "entries.listed", kind, entries: [] }),
    }),
    "sandbox.wiped": onlyLogged,
  },
  ignores: [],
});
