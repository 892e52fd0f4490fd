/**
 * Which skills stand in the agents' registry, and what their prompts say of them. The router scores what a skill says it
 * does; how it is called stands in a section. Source: seed 001, Routing; ruling K13; dossier 1.4, 1.6.
 */
import { cosine } from "../cosine.ts";
import { ask, type Delivered, type Letter, type MailOf } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { callDescription } from "./callDescription.ts";
import {
  type Asker,
  askerOf,
  type BrokenSkills,
  type Done,
  done,
  type KeeperState,
  replyTo,
  withoutKey,
} from "./keeperState.ts";
import type { SkillRow } from "./skillBook.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

const TITLE = "ACQUIRED SKILLS";

const activeOf = ({ book }: KeeperState): readonly SkillRow[] =>
  book.filter(({ status }) => status === "active");

/** A skill that is degraded is not routed (K11). */
export function routedOf(state: KeeperState, { routed }: SkillsPolicy): readonly SkillRow[] {
  const { nearest } = state;
  const active = activeOf(state);
  if (nearest === null) return active.slice(0, routed);
  const near = nearest.flatMap((name) => active.filter((row) => row.name === name));
  return near.slice(0, routed);
}

/** The whole list, as an answer to those who asked, else to the engine that asked last. */
export function listLetters(
  state: KeeperState,
  policy: SkillsPolicy,
  asked: readonly Asker[] = [],
): readonly Letter[] {
  const entries = routedOf(state, policy).map(({ name, description }) => ({ name, description }));
  const judges = policy.ghostRules === "off";
  const event: MailOf<"entries.listed"> = {
    ...{ type: "entries.listed", kind: "skill", entries, judges },
  };
  if (asked.length > 0) return asked.map((asker) => replyTo(asker, event));
  return state.engine === null ? [] : [{ to: state.engine, event }];
}

/** Where there are more skills than room, the goal is the query that chooses among them. */
export function answerSection(
  state: KeeperState,
  { goal, at }: Delivered<"section.asked">,
  policy: SkillsPolicy,
  broken: BrokenSkills,
): Done {
  const active = activeOf(state);
  const isChosen = active.length > policy.routed || policy.floor > 0;
  if (!isChosen || goal === null) {
    return done(state, [sectionOf(state, askerOf(at), policy, broken)]);
  }
  const key = `section:${at.seq}`;
  const texts = [...new Set([goal, ...active.map(({ description }) => description)])];
  const next = { ...state.sections, [key]: { asker: askerOf(at), query: goal, broken } };
  return done({ ...state, sections: next }, [
    ask({ to: "port/llm.embed", key, event: { type: "llm.embed", purpose: "skills", texts } }),
  ]);
}

/** The nearest are routed from now on. Without vectors all are, as far as there is room. */
export function routeNearest(
  state: KeeperState,
  { vectors, at }: Delivered<"embed.replied">,
  policy: SkillsPolicy,
): Done {
  const key = at.key ?? "";
  const open = ownValue(state.sections, key);
  if (open === undefined) return done(state);
  const query = ownValue(vectors, open.query) ?? [];
  const near = activeOf(state)
    .map(({ name, description }) => ({
      name,
      alike: alikeness(query, ownValue(vectors, description) ?? []),
    }))
    .filter(({ alike }) => alike * 1000 >= policy.floor);
  const sorted = near.sort((one, other) => other.alike - one.alike);
  const nearest =
    query.length === 0 ? null : sorted.slice(0, policy.routed).map(({ name }) => name);
  const next: KeeperState = { ...state, sections: withoutKey(state.sections, key), nearest };
  const isOther = namesOf(next, policy) !== namesOf(state, policy);
  return done(next, [
    ...(isOther ? listLetters(next, policy) : []),
    sectionOf(next, open.asker, policy, open.broken),
  ]);
}

const namesOf = (state: KeeperState, policy: SkillsPolicy): string =>
  routedOf(state, policy)
    .map(({ name }) => name)
    .join();

/** How each is called; nothing before the descriptions were hardened. */
function sectionOf(
  state: KeeperState,
  asker: Asker,
  policy: SkillsPolicy,
  broken: BrokenSkills,
): Letter {
  const routed = policy.hardened ? routedOf(state, policy) : [];
  const lines = routed.map((row) => callDescription(row, ownValue(broken, row.name)));
  return replyTo(asker, { type: "section.answered", title: TITLE, lines });
}

/** A vector that did not come is like no other. */
const alikeness = (one: readonly number[], other: readonly number[]): number =>
  one.length === other.length ? Math.max(0, cosine(one, other)) : 0;
