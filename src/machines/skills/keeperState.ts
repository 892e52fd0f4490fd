/** What the keeper of skills holds, and the letters that every part of it writes. Source: seed 001, path A. */
import { defined } from "../defined.ts";
import type { At, Delivered, Json, Letter, Mail } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Outcome } from "../service.ts";
import type { Saving, SkillBook } from "./skillBook.ts";
import type { SkillInput } from "./skillContext.ts";
import { registryPath, SKILLS } from "./skillFolders.ts";
import { registryText } from "./skillStore.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

/** Who waits for an answer, and to which question. */
export interface Asker {
  readonly from: string;
  readonly seq: number;
}

export interface KeeperState {
  readonly book: SkillBook;
  /** The engine that asked for the entries last; null before one has. */
  readonly engine: string | null;
  /** By name: the address of the skill that lives now. */
  readonly lives: { readonly [name: string]: string };
  /** How many skills of a name there have been, for no address is given twice. */
  readonly births: { readonly [name: string]: number };
  /** Creations on their way, by name. */
  readonly making: { readonly [name: string]: Asker & { readonly broken?: string } };
  /** Calls on their way, by the key of their questions. */
  readonly calls: { readonly [key: string]: OpenCall };
  /** Creations of which it is not known yet which names are taken. */
  readonly asking: { readonly [key: string]: OpenCreation };
  /** Rows that are being written, by the key of the question. */
  readonly rows: { readonly [key: string]: OpenRow };
  /** Engines that wait until the store is read. */
  readonly waiting: readonly Asker[];
  readonly isRead: boolean;
  /** Prompts that wait until it is known which skills are nearest, by the key of the question. */
  readonly sections: { readonly [key: string]: OpenSection };
  /** What waits until it is known which skills the engine lists as broken, by the key of the question. */
  readonly listing: { readonly [key: string]: Listing };
  /** The names that are routed; null: as many as there is room for, in the order of the book. */
  readonly nearest: readonly string[] | null;
}

export interface OpenCall {
  readonly asker: Asker;
  readonly skill: string;
  readonly agent: string;
  readonly params: { readonly [name: string]: Json };
}

export interface OpenCreation {
  readonly asker: Asker;
  readonly agent: string;
  readonly params: { readonly [name: string]: Json };
}

export interface OpenRow {
  readonly asker: Asker;
  readonly name: string;
  readonly saving: Saving;
  readonly before: SkillBook;
}

export interface OpenSection {
  readonly asker: Asker;
  readonly query: string;
  readonly broken: BrokenSkills;
}

/** A question that is answered with a list of skills. */
export type Listing = Called | Delivered<"section.asked">;

/** What the engine lists as broken, by name: how often it failed, and why. */
export type BrokenSkills = { readonly [name: string]: string };

export type Done = Outcome<KeeperState>;

export const openingKeeper: KeeperState = {
  book: [],
  engine: null,
  lives: {},
  births: {},
  making: {},
  calls: {},
  asking: {},
  rows: {},
  waiting: [],
  isRead: false,
  sections: {},
  listing: {},
  nearest: null,
};

export const askerOf = ({ from, seq }: At): Asker => ({ from, seq });

/** The answer to a question that was put earlier. */
export const replyTo = (
  { from, seq }: Asker,
  event: Letter["event"],
  because?: readonly number[],
): Letter => defined({ to: from, event, re: seq, because });

export const done = (state: KeeperState, letters: readonly Letter[] = []): Done => ({
  state,
  letters,
});

export const answerTo = (
  asker: Asker,
  answer: Mail["capability.answered"],
  because?: readonly number[],
): Letter => replyTo(asker, { type: "capability.answered", ...answer }, because);

/** A map without one of its keys. */
export const withoutKey = <T>(map: { readonly [key: string]: T }, key: string) =>
  Object.fromEntries(Object.entries(map).filter(([one]) => one !== key));

/** The registry as it is now; its sender waits for no answer. */
export const registryLetter = ({ book }: KeeperState, { store }: SkillsPolicy): Letter => ({
  to: "files",
  event: { type: "files.write", path: registryPath(store), text: registryText(book) },
});

/** A skill begins its life, or is brought to life again. */
export function startSkill(
  state: KeeperState,
  input: Omit<SkillInput, "keeper">,
): { readonly state: KeeperState; readonly address: string; readonly letter: Letter } {
  const { name } = input;
  const nth = (ownValue(state.births, name) ?? 0) + 1;
  const address = nth === 1 ? `skill/${name}` : `skill/${name}#${nth}`;
  return {
    state: { ...state, births: { ...state.births, [name]: nth } },
    address,
    letter: {
      to: "kernel",
      event: {
        ...{ type: "actor.start", machine: "skill", address },
        input: { ...input, keeper: SKILLS },
      },
    },
  };
}

/** To the skill that lives under this name. */
export function toSkill(state: KeeperState, name: string, event: Letter["event"]): Letter[] {
  const to = ownValue(state.lives, name);
  return to === undefined ? [] : [{ to, event }];
}

export type Called = Delivered<"capability.called">;
