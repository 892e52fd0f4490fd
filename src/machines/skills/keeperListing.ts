/**
 * What the engine lists as broken, where its count of failing tools applies to skills too: whoever lists skills says so.
 * Ruling K16.
 */
import { ask, type Delivered, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import {
  type BrokenSkills,
  type Done,
  done,
  type KeeperState,
  type Listing,
  withoutKey,
} from "./keeperState.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

type List = (state: KeeperState, event: Listing, broken: BrokenSkills) => Done;

/** The engine is asked first, unless its count does not apply. */
export function askBroken(
  state: KeeperState,
  event: Listing,
  { ghostRules }: SkillsPolicy,
  list: List,
): Done {
  if (ghostRules === "off" || state.engine === null) return list(state, event, {});
  const key = `listing:${event.at.seq}`;
  return done({ ...state, listing: { ...state.listing, [key]: event } }, [
    ask({ to: state.engine, key, event: { type: "tools.asked" } }),
  ]);
}

/** Undefined when the engine was asked for something else. */
export function listWithBroken(
  state: KeeperState,
  { broken, at }: Delivered<"tools.answered">,
  list: List,
): Done | undefined {
  const key = at.key ?? "";
  const event = ownValue(state.listing, key);
  if (event === undefined) return undefined;
  return list({ ...state, listing: withoutKey(state.listing, key) }, event, brokenIn(broken));
}

/** As a field of what a list says of a skill. */
export function brokenOf(broken: BrokenSkills, name: string): { readonly broken?: string } {
  const why = ownValue(broken, name);
  return why === undefined ? {} : { broken: why };
}

export const brokenIn = (broken: MailOf<"tools.answered">["broken"]): BrokenSkills =>
  Object.fromEntries(
    broken.map(({ name, failures, reason }) => [name, `${failures} failures, ${reason}`]),
  );
