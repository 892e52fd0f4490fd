/** What leaves the registry: at each call of manage_skills and each dream. Source: seed 001, Retire; rulings K1, K6, K11. */
import type { Delivered, Letter } from "../letter.ts";
import { type FoundWrap, wrapOf } from "./callDescription.ts";
import { brokenOf } from "./keeperListing.ts";
import { listLetters, routedOf } from "./keeperRouting.ts";
import {
  answerTo,
  askerOf,
  type BrokenSkills,
  type Called,
  type Done,
  done,
  type KeeperState,
  registryLetter,
  replyTo,
  toSkill,
  withoutKey,
} from "./keeperState.ts";
import { type Retirable, retirableRows, withoutRow } from "./skillBook.ts";
import { retiredPath, SKILLS, skillPath } from "./skillFolders.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

/** File, row and entry go together; the file goes to the archive. */
export function retireSkills(
  state: KeeperState,
  leaving: readonly { readonly name: string; readonly because: string }[],
  policy: SkillsPolicy,
): Done {
  if (leaving.length === 0) return done(state);
  const { store } = policy;
  let next = state;
  const letters: Letter[] = [];
  for (const { name, because } of leaving) {
    const path = skillPath(name, store);
    letters.push({
      to: "files",
      event: { type: "files.move", path, to: retiredPath(name, store) },
    });
    letters.push(
      ...toSkill(next, name, { type: "skill.left", skill: name, how: "retired", because }),
    );
    next = { ...next, book: withoutRow(next.book, name), lives: withoutKey(next.lives, name) };
  }
  return done(next, [...letters, registryLetter(next, policy), ...listLetters(next, policy)]);
}

const causesOf = (state: KeeperState, policy: SkillsPolicy) =>
  retirableRows(state.book, policy).map((one) => ({ name: one.name, because: clausesOf(one) }));

/** Which clause decided, told apart (K1). */
const clausesOf = ({ failures, failuresOfYoung }: Retirable): string =>
  [
    ...(failures ? ["it failed too often in a row"] : []),
    ...(failuresOfYoung ? ["it failed often and was used little"] : []),
  ].join(", and ");

/** Lists the skills, once those that are due have left. */
export function manageSkills(
  state: KeeperState,
  { at }: Called,
  policy: SkillsPolicy,
  broken: BrokenSkills,
): Done {
  const leaving = causesOf(state, policy);
  const after = retireSkills(state, leaving, policy);
  const skills = after.state.book.map((row) => ({
    name: row.name,
    description: row.description,
    status: row.status,
    usage_count: row.usageCount,
    failure_count: row.failureCount,
    ...brokenOf(broken, row.name),
  }));
  const result = { ok: true, skills, retired: leaving.map(({ name }) => name) };
  return done(after.state, [...after.letters, answerTo(askerOf(at), { ok: true, result })]);
}

export const upkeepSkills = (state: KeeperState, policy: SkillsPolicy): Done =>
  retireSkills(state, causesOf(state, policy), policy);

/** retire_capability of a skill: an agent says that nobody needs it. */
export function archiveSkill(
  state: KeeperState,
  { params, at }: Called,
  policy: SkillsPolicy,
): Done {
  const name = String(params["name"]);
  const isThere = state.book.some((row) => row.name === name);
  if (!isThere) {
    const error = `SkillError: no skill is called ${name}`;
    return done(state, [answerTo(askerOf(at), { ok: false, error })]);
  }
  const after = retireSkills(state, [{ name, because: "an agent retired it" }], policy);
  const result = { ok: true, retired: name };
  return done(after.state, [...after.letters, answerTo(askerOf(at), { ok: true, result })]);
}

/** An agent that runs a program to reach a skill is heard of, whatever came of it. */
export function hearCall(
  state: KeeperState,
  event: Delivered<"call.reported">,
  policy: SkillsPolicy,
): Done {
  const isCall = state.book.some(({ name }) => name === event.capability);
  const found = isCall || event.capability === "create_skill" ? null : wrapIn(state, event.params);
  if (found === null) return done(state);
  const { wrap, name: skill } = found;
  const isTold = policy.hardened && routedOf(state, policy).some(({ name }) => name === skill);
  return done(state, [
    { to: SKILLS, event: { type: "skill.wrapped", skill, agent: event.agent, wrap, isTold } },
  ]);
}

const wrapIn = ({ book }: KeeperState, params: Called["params"]): FoundWrap | null => {
  const texts = Object.values(params).filter((value) => typeof value === "string");
  const names = book.map(({ name }) => name);
  return names.length === 0 ? null : wrapOf(texts.join("\n"), names);
};

/** A program finds no skill: what it looks for lies outside the sandbox that programs see. Source: seed 001, persistence. */
export function judgeProgram(
  state: KeeperState,
  { params, at }: Delivered<"permission.asked">,
  { store }: SkillsPolicy,
): Done {
  const found = store === "memory" ? wrapIn(state, params) : null;
  const reason = found && `${notFoundText(found)}: skills are kept outside the sandbox`;
  const said = { type: "permission.answered", granted: found === null, reason } as const;
  return done(state, [replyTo(askerOf(at), said)]);
}

/** In the words of Python. */
const notFoundText = ({ wrap, name }: FoundWrap): string =>
  wrap === "python3 acquired_skills"
    ? `no such file: acquired_skills/${name}.py`
    : `no module named '${name}'`;
