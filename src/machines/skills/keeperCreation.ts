/** create_skill: what is asked of its arguments, the skill that comes of it, its row, and the answer. Source: seed 001. */
import { ask, type Delivered, type Letter } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { readJson } from "../readJson.ts";
import { creationFault, namedArgs } from "./creation.ts";
import { brokenIn, brokenOf } from "./keeperListing.ts";
import { listLetters } from "./keeperRouting.ts";
import {
  answerTo,
  askerOf,
  type Called,
  type Done,
  done,
  type KeeperState,
  replyTo,
  startSkill,
  toSkill,
  withoutKey,
} from "./keeperState.ts";
import { rowOf, saveSkill } from "./skillBook.ts";
import type { SkillRefusal } from "./skillContext.ts";
import { registryPath, SKILLS } from "./skillFolders.ts";
import { registryText } from "./skillStore.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

/** The engine knows which names are taken. */
export function askNames(state: KeeperState, { agent, params, at }: Called): Done {
  const key = `names:${at.seq}`;
  const open = { asker: askerOf(at), agent, params };
  return done({ ...state, asking: { ...state.asking, [key]: open } }, [
    ask({ to: at.from, key, event: { type: "tools.asked" } }),
  ]);
}

export function startCreation(
  state: KeeperState,
  { capabilities, broken, at }: Delivered<"tools.answered">,
  { ghostRules }: Pick<SkillsPolicy, "ghostRules">,
): Done {
  const key = at.key ?? "";
  const open = ownValue(state.asking, key);
  if (open === undefined) return done(state);
  const before = { ...state, asking: withoutKey(state.asking, key) };
  const { asker, agent } = open;
  const params = namedArgs(open.params);
  const others = capabilities.filter(({ name }) => rowOf(state.book, name) === undefined);
  const taken = new Map([
    ...others.map(({ name }): [string, string] => [name, "another capability"]),
    ...Object.keys(state.making).map((name): [string, string] => [
      name,
      "a skill that is being created",
    ]),
  ]);
  const fault = creationFault(params, taken);
  const name = textOf(params.name);
  if (fault !== null) {
    const { cause, found, allowed, todo } = fault;
    const refusal: SkillRefusal = {
      stage: "asking",
      cause,
      found,
      todo: `Allowed: ${allowed}. ${todo}`,
    };
    return done(before, [
      { to: SKILLS, event: { type: "skill.refused", skill: name, agent, ...refusal } },
      answerTo(asker, { ok: false, error: refusalText(name, refusal) }),
    ]);
  }
  const started = startSkill(before, {
    ...{ name, agent, kept: null },
    description: textOf(params.description),
    parametersSchema: readJson(textOf(params.parameters_schema)) ?? {},
    code: textOf(params.python_code),
    payload: textOf(params.test_payload),
  });
  const listed = ghostRules === "on" ? brokenOf(brokenIn(broken), name) : {};
  const making = { ...started.state.making, [name]: { ...asker, ...listed } };
  return done({ ...started.state, making }, [started.letter]);
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

const refusalText = (name: string, { stage, cause, found, todo }: SkillRefusal): string =>
  `SkillError: ${name || "a skill"} was refused at ${stage}, ${cause}: ${found}. ${todo}`;

/** A skill that came to nothing. A word of the keeper's own to the log changes nothing. */
export function refuseCreation(state: KeeperState, event: Delivered<"skill.refused">): Done {
  const asker = ownValue(state.making, event.skill);
  if (event.at.from === SKILLS || asker === undefined) return done(state);
  const error = refusalText(event.skill, event);
  return done({ ...state, making: withoutKey(state.making, event.skill) }, [
    answerTo(asker, { ok: false, error }, [event.at.seq]),
  ]);
}

/** The skill's file is written: now its row, and nothing after it. */
export function writeRow(
  state: KeeperState,
  event: Delivered<"skill.registering">,
  policy: SkillsPolicy,
): Done {
  const { skill: name, description, parametersSchema, code, at } = event;
  const { book, saving } = saveSkill(state.book, { name, description, parametersSchema, code });
  const key = `row:${at.seq}`;
  const rows = { ...state.rows, [key]: { asker: askerOf(at), name, saving, before: state.book } };
  const write = { path: registryPath(policy.store), text: registryText(book) };
  return done({ ...state, book, rows }, [
    ask({ to: "files", key, event: { type: "files.write", ...write }, because: [at.seq] }),
  ]);
}

/** The row stands, so the skill lives; the one that bore its name before gives way. */
export function finishCreation(
  state: KeeperState,
  { ok, error = "the store did not take it", at }: Delivered<"files.replied">,
  policy: SkillsPolicy,
): Done {
  const key = at.key ?? "";
  const open = ownValue(state.rows, key);
  if (open === undefined) return done(state);
  const { asker, name, saving, before } = open;
  const rows = withoutKey(state.rows, key);
  if (!ok) {
    const old = rowOf(before, name);
    const others = state.book.filter((row) => row.name !== name);
    const book = old === undefined ? others : [...others, old];
    return done({ ...state, rows, book }, [
      replyTo(asker, { type: "skill.registered", ok: false, error }),
    ]);
  }
  const status = rowOf(state.book, name)?.status ?? "active";
  const creator = ownValue(state.making, name);
  const left = { skill: name, how: "replaced", because: "it was created again" } as const;
  const next = {
    ...{ ...state, rows, making: withoutKey(state.making, name) },
    lives: { ...state.lives, [name]: asker.from },
  };
  const { broken } = creator ?? {};
  const result = { ok: true, skill: name, status, call: name, ...(broken && { broken }) };
  const made: Letter[] =
    creator === undefined ? [] : [answerTo(creator, { ok: true, result }, [at.seq])];
  return done(next, [
    ...toSkill(state, name, { type: "skill.left", ...left }),
    replyTo(asker, { type: "skill.registered", ok: true, status, saving }),
    ...listLetters(next, policy),
    ...made,
  ]);
}
