/** How many skills, lessons and macros there are, for a person who watches a live run. */

import { countOf } from "../../contract/countOf.ts";
import { MACROS, type MacrosState } from "../../machines/skills/macroKeeper.ts";
import { PLAYBOOK, type PlaybookState } from "../../machines/skills/playbookKeeper.ts";

const SKILL = "skill/";

/** `skills: 2 alive; playbook: 7 lessons, 3 verified; macros: 2`. */
export function glance(contexts: { readonly [address: string]: object }): readonly string[] {
  const skills = Object.keys(contexts).filter((address) => address.startsWith(SKILL)).length;
  // By their addresses.
  const playbook = contexts[PLAYBOOK] as PlaybookState | undefined;
  const macros = contexts[MACROS] as MacrosState | undefined;
  if (playbook === undefined && macros === undefined) return [];
  const { book = [] } = playbook ?? {};
  const pins = book.filter(({ verified }) => verified).length;
  const runs = Object.values(macros?.runs ?? {}).map(
    ({ agent, macro }) => `${agent} runs ${macro.name}`,
  );
  return [
    [
      `skills: ${skills} alive`,
      `playbook: ${countOf(book.length, "lesson")}, ${pins} verified`,
      `macros: ${macros?.book.length ?? 0}`,
      ...runs,
    ].join("; "),
  ];
}
