/** What can be said before a run: what leaves at the start, for there is more than is kept. */

import { countOf } from "../../../contract/countOf.ts";
import type { Foreseeing } from "../../../contract/edge/scenarioPart.ts";
import type { Scenario } from "../../../contract/scenario.ts";
import type { StoredSkill } from "../stage.ts";

export function foreseen({ skills: own }: Scenario, { policy }: Foreseeing): readonly string[] {
  if (own === undefined) return [];
  const { playbook, macros, store } = policy.skills;
  return [
    ...unread(own.acquired, store),
    ...overfull("lesson", "skills.playbook", own.playbook.length, playbook.size),
    ...overfull("macro", "skills.macros", own.macros.length, macros.kept),
  ];
}

function overfull(what: string, where: string, given: number, kept: number): string[] {
  const excess = given - kept;
  if (excess <= 0) return [];
  const stay = `${kept} ${kept === 1 ? "is" : "are"} kept`;
  const leave = `${excess} ${excess === 1 ? "leaves" : "leave"} at the start`;
  return [`${where}: of ${countOf(given, what)} ${stay}; ${leave}.`];
}

/** Only an empty store is filled from where earlier installs left skills (SK49). */
function unread(acquired: readonly StoredSkill[], store: "memory" | "sandbox"): string[] {
  const legacy = acquired.filter(({ isLegacy }) => isLegacy).length;
  if (store === "sandbox" || legacy === 0 || legacy === acquired.length) return [];
  const stay = `${countOf(legacy, "skill")} with \`legacy\` ${legacy === 1 ? "is" : "are"} read by nobody`;
  return [
    `skills.acquired: ${stay}; the store is not empty, so it is not filled from the sandbox.`,
  ];
}
