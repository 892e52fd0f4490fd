/**
 * What the keeper of skills holds, and how its skills are listed: which stand in the agents' registry, and what prompts say of how
 * they are called. The router scores what a skill says it does. Source: seed 001, Routing and tool description hardening;
 * rulings K11, K13, K16; dossier 1.4, 1.6.
 */
import { cosine } from "../cosine.ts";
import { defined } from "../defined.ts";
import { isMap } from "../isMap.ts";
import { type At, ask, type Delivered, type Json, type Letter, type Mail } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { between, choice, flag, integer, thousandths, type ValuesOf } from "../policyLeaf.ts";
import { done, type Outcome } from "../service.ts";
import type { Saving, SkillBook, SkillRow } from "./skillBook.ts";
import { SKILLS, type Store } from "./skillStore.ts";

export const listingLeaves = {
  hardened: flag(true, {
    says: "Whether prompts say of each skill how it is called and how it is not.",
    source: "seed 001, tool description hardening (true); before 2026-04-24 (false)",
  }),
  routed: integer(15, between(1, 1_000, "skills"), {
    says: "How many skills, at most, stand in the registry of the agents at once.",
    source: "RULINGS K13",
  }),
  ghostRules: choice("off", ["off", "on"], {
    says: "Whether failures of skills and macros count towards broken_tools.json too, beside counts of their own.",
    source: "RULINGS K16: seed 000 counts tools (off); ours (on)",
  }),
  floor: integer(0, thousandths, {
    says: "How alike a skill's description and the query must be for it to be routed.",
    source: "RULINGS K13: none in the seed",
  }),
};

export type ListingPolicy = ValuesOf<typeof listingLeaves>;

/** Who waits for an answer, and to which question. */
export interface Asker {
  readonly from: string;
  readonly seq: number;
}

interface OpenCreation {
  readonly asker: Asker;
  readonly agent: string;
  readonly params: { readonly [name: string]: Json };
}

export type Called = Delivered<"capability.called">;

/** A question that is answered with a list of skills. */
export type Listing = Called | Delivered<"section.asked">;

/** What the engine lists as broken, by name: how often it failed, and why. */
export type BrokenSkills = { readonly [name: string]: string };

type Keyed<T> = { readonly [key: string]: T };

export interface KeeperState {
  readonly book: SkillBook;
  /** The engine that asked for the entries last; null before one has. */
  readonly engine: string | null;
  /** By name: the address of the skill that lives now. */
  readonly lives: Keyed<string>;
  /** How many skills of a name there have been, for no address is given twice. */
  readonly births: Keyed<number>;
  /** Creations on their way, by name. */
  readonly making: Keyed<Asker & { readonly broken?: string }>;
  /** Calls on their way, by the key of their questions. */
  readonly calls: Keyed<OpenCreation & { readonly skill: string }>;
  /** Creations of which it is not known yet which names are taken. */
  readonly asking: Keyed<OpenCreation>;
  /** Rows that are being written, by the key of the question. */
  readonly rows: Keyed<{
    readonly asker: Asker;
    readonly name: string;
    readonly saving: Saving;
    readonly before: SkillBook;
  }>;
  /** Engines that wait until the store is read. */
  readonly waiting: readonly Asker[];
  readonly isRead: boolean;
  /** Prompts that wait until it is known which skills are nearest, by the key of the question. */
  readonly sections: Keyed<{
    readonly asker: Asker;
    readonly query: string;
    readonly broken: BrokenSkills;
  }>;
  /** What waits until it is known which skills the engine lists as broken, by the key of the question. */
  readonly listing: Keyed<Listing>;
  /** The names that are routed; null: as many as there is room for, in the order of the book. */
  readonly nearest: readonly string[] | null;
}

export type Done = Outcome<KeeperState>;

/** The answer to a question that was put earlier. */
export const replyTo = (
  { from, seq }: Asker,
  event: Letter["event"],
  because?: readonly number[],
): Letter => defined({ to: from, event, re: seq, because });

export const answerTo = (
  asker: Asker,
  answer: Mail["capability.answered"],
  because?: readonly number[],
): Letter => replyTo(asker, { type: "capability.answered", ...answer }, because);

export const askerOf = ({ from, seq }: At): Asker => ({ from, seq });

/** A map without one of its keys. */
export const withoutKey = <T>(map: Keyed<T>, key: string): Keyed<T> =>
  Object.fromEntries(Object.entries(map).filter(([one]) => one !== key));

const activeOf = ({ book }: KeeperState): readonly SkillRow[] =>
  book.filter(({ status }) => status === "active");

/** A skill that is degraded is not routed (K11). */
export function routedOf(state: KeeperState, { routed }: ListingPolicy): readonly SkillRow[] {
  const active = activeOf(state);
  const near = state.nearest?.flatMap((name) => active.filter((row) => row.name === name));
  return (near ?? active).slice(0, routed);
}

/** The whole list, as an answer to those who asked, else to the engine that asked last. */
export function listLetters(
  state: KeeperState,
  policy: ListingPolicy,
  asked: readonly Asker[] = [],
): readonly Letter[] {
  const entries = routedOf(state, policy).map(({ name, description }) => ({ name, description }));
  const judges = policy.ghostRules === "off";
  const event = { type: "entries.listed", kind: "skill", entries, judges } as const;
  if (asked.length > 0) return asked.map((asker) => replyTo(asker, event));
  return state.engine === null ? [] : [{ to: state.engine, event }];
}

type List = (state: KeeperState, event: Listing, broken: BrokenSkills) => Done;

/** Whoever lists skills says which the engine lists as broken: it is asked first, unless its count does not apply. */
export function askBroken(
  state: KeeperState,
  event: Listing,
  { ghostRules }: ListingPolicy,
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
  { broken, at: { key = "" } }: Delivered<"tools.answered">,
  list: List,
): Done | undefined {
  const event = ownValue(state.listing, key);
  if (event === undefined) return undefined;
  const listing = withoutKey(state.listing, key);
  return list({ ...state, listing }, event, brokenIn(broken));
}

export const brokenIn = (broken: Mail["tools.answered"]["broken"]): BrokenSkills =>
  Object.fromEntries(
    broken.map(({ name, failures, reason }) => [name, `${failures} failures, ${reason}`]),
  );

/** As a field of what a list says of a skill. */
export function brokenOf(broken: BrokenSkills, name: string): { readonly broken?: string } {
  const why = ownValue(broken, name);
  return why === undefined ? {} : { broken: why };
}

/** Where there are more skills than room, the goal is the query that chooses among them. */
export function answerSection(
  state: KeeperState,
  { goal, at }: Delivered<"section.asked">,
  policy: ListingPolicy,
  broken: BrokenSkills,
): Done {
  const active = activeOf(state);
  const isChosen = active.length > policy.routed || policy.floor > 0;
  if (!isChosen || goal === null) {
    return done(state, [sectionOf(state, askerOf(at), policy, broken)]);
  }
  const key = `section:${at.seq}`;
  const texts = [...new Set([goal, ...active.map(({ description }) => description)])];
  const sections = { ...state.sections, [key]: { asker: askerOf(at), query: goal, broken } };
  return done({ ...state, sections }, [
    ask({ to: "port/llm.embed", key, event: { type: "llm.embed", purpose: "skills", texts } }),
  ]);
}

/** The nearest are routed from now on. Without vectors all are, as far as there is room. */
export function routeNearest(
  state: KeeperState,
  { vectors, at: { key = "" } }: Delivered<"embed.replied">,
  policy: ListingPolicy,
): Done {
  const open = ownValue(state.sections, key);
  if (open === undefined) return done(state);
  const query = ownValue(vectors, open.query) ?? [];
  const nearest = activeOf(state)
    .map(({ name, description }) => {
      const vector = ownValue(vectors, description) ?? [];
      // A vector that did not come is like no other.
      const isKnown = query.length === vector.length;
      return { name, alike: isKnown ? Math.max(0, cosine(query, vector)) : 0 };
    })
    .filter(({ alike }) => alike * 1000 >= policy.floor)
    .sort((one, other) => other.alike - one.alike)
    .slice(0, policy.routed)
    .map(({ name }) => name);
  const next: KeeperState = {
    ...state,
    sections: withoutKey(state.sections, key),
    nearest: query.length === 0 ? null : nearest,
  };
  const namesOf = (one: KeeperState) =>
    routedOf(one, policy)
      .map(({ name }) => name)
      .join();
  return done(next, [
    ...(namesOf(next) === namesOf(state) ? [] : listLetters(next, policy)),
    sectionOf(next, open.asker, policy, open.broken),
  ]);
}

/** How each is called; nothing before the descriptions were hardened. */
function sectionOf(
  state: KeeperState,
  asker: Asker,
  policy: ListingPolicy,
  broken: BrokenSkills,
): Letter {
  const routed = policy.hardened ? routedOf(state, policy) : [];
  const lines = routed.map((row) => callDescription(row, ownValue(broken, row.name)));
  return replyTo(asker, { type: "section.answered", title: "ACQUIRED SKILLS", lines });
}

// How a skill is shown to a model, and how a model must not call it: exactly three wraps are forbidden (K13).

type ShownSkill = Pick<SkillRow, "name" | "description" | "parametersSchema">;

export const callDescription = (skill: ShownSkill, broken?: string): string =>
  [
    `[ACQUIRED SKILL — CALL BY NAME] ${skill.description}`,
    `USAGE: ${skill.name} is a top-level capability. Call it directly: ${exampleOf(skill)}`,
    `Do NOT wrap it: \`python -c\`, \`import ${skill.name}\`, \`python3 acquired_skills/${skill.name}.py\` will not find it.`,
    ...(broken === undefined ? [] : [`LISTED AS BROKEN: ${broken}`]),
  ].join("\n");

function exampleOf({ name, parametersSchema }: ShownSkill): string {
  const { required, properties } = fieldsOf(parametersSchema);
  const all = Object.entries(fieldsOf(properties));
  const needed = all.filter(([key]) => Array.isArray(required) && required.includes(key));
  const shown = needed.length > 0 ? needed : all;
  return `${name}(${shown.map(([key, about]) => `${key}=${exampleValue(about)}`).join(", ")})`;
}

const fieldsOf = (given: Json | undefined): Keyed<Json> =>
  isMap(given) ? (given as Keyed<Json>) : {};

const VALUES: Keyed<string> = {
  string: '"…"',
  integer: "1",
  number: "1.5",
  boolean: "true",
  array: "[]",
  object: "{}",
};

function exampleValue(about: Json): string {
  const { default: usual, enum: options, type } = fieldsOf(about);
  const given = usual ?? (Array.isArray(options) ? options[0] : undefined);
  if (given !== undefined) return JSON.stringify(given);
  return (typeof type === "string" ? ownValue(VALUES, type) : undefined) ?? '"…"';
}

const WRAPS = [
  [
    "python3 acquired_skills",
    (name: string) => `\\bpython[\\d.]*\\s+\\S*acquired_skills/${name}\\.py\\b`,
  ],
  ["python -c", (name: string) => `\\bpython[\\d.]*\\s+-c\\b[\\s\\S]*\\b${name}\\b`],
  [
    "import",
    (name: string) =>
      `\\bimport\\s+(?:[\\w.]+\\s*,\\s*)*(?:\\w+\\.)*${name}\\b|\\bfrom\\s+(?:\\w+\\.)*${name}\\s+import\\b`,
  ],
] as const;

/** The wrap in which a command or a program reaches for one of these skills; null when it does not. */
export function wrapOf(text: string, names: readonly string[]) {
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  for (const name of names.filter((one) => words.has(one))) {
    const [wrap] = WRAPS.find(([, pattern]) => new RegExp(pattern(name)).test(text)) ?? [];
    if (wrap !== undefined) return { wrap, name };
  }
  return null;
}

function wrapIn({ book }: KeeperState, params: Called["params"]) {
  const texts = Object.values(params).filter((value) => typeof value === "string");
  const names = book.map(({ name }) => name);
  return names.length === 0 ? null : wrapOf(texts.join("\n"), names);
}

/** An agent that runs a program to reach a skill is heard of, whatever came of it. */
export function hearCall(
  state: KeeperState,
  { capability, params, agent }: Delivered<"call.reported">,
  policy: ListingPolicy,
): Done {
  const isCall = state.book.some(({ name }) => name === capability);
  const found = isCall || capability === "create_skill" ? null : wrapIn(state, params);
  if (found === null) return done(state);
  const { wrap, name: skill } = found;
  const isTold = policy.hardened && routedOf(state, policy).some(({ name }) => name === skill);
  return done(state, [
    { to: SKILLS, event: { type: "skill.wrapped", skill, agent, wrap, isTold } },
  ]);
}

/** A program finds no skill, in the words of Python: what it looks for lies outside the sandbox that programs see. */
export function judgeProgram(
  state: KeeperState,
  { params, at }: Delivered<"permission.asked">,
  { store }: { readonly store: Store },
): Done {
  const found = store === "memory" ? wrapIn(state, params) : null;
  const missing =
    found?.wrap === "python3 acquired_skills"
      ? `no such file: acquired_skills/${found.name}.py`
      : `no module named '${found?.name}'`;
  const reason = found && `${missing}: skills are kept outside the sandbox`;
  const said = { type: "permission.answered", granted: found === null, reason } as const;
  return done(state, [replyTo(askerOf(at), said)]);
}
