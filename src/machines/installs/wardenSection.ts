/** What an installed agent's prompts say of what it is: its instructions and its reach, of the revision by which it lives. Source: seed 003. */
import { cutText } from "../cutText.ts";
import { answer, type Delivered } from "../letter.ts";
import {
  householdOf,
  isSettled,
  rootOf,
  type WardenDone,
  type WardenState,
} from "./wardenState.ts";

/** Characters of a line, and lines of instructions: bounded, as an intent's texts are not. */
const most = { line: 300, lines: 40 };

/** An agent that nobody installed is told nothing. */
export function sectionAsked(
  state: WardenState,
  { agent, at }: Delivered<"section.asked">,
): WardenDone {
  const root = rootOf(state, agent);
  const household = householdOf(state, root);
  const born = household !== undefined && isSettled(household) ? household.born : null;
  const because = household === undefined ? [] : [household.fact];
  const title = "What you were installed for";
  if (born === null) {
    return { state, letters: answer(at, { type: "section.answered", title, lines: [] }) };
  }
  const text = born.instructions.split("\n").filter((line) => line.trim() !== "");
  const lines = [
    `${root} (${born.id}): ${born.description}`,
    ...text.slice(0, most.lines),
    `You may use: ${born.grants.map((one) => JSON.stringify(one)).join(", ") || "nothing"}`,
  ].map((line) => cutText(line, most.line));
  return { state, letters: answer(at, { type: "section.answered", title, lines }, { because }) };
}
