/**
 * Entries of the registry that another part brings: their keeper lists which there are, whenever it
 * likes, and the engine's registry follows. Ours.
 */
import { defined } from "../../defined.ts";
import { ask, type Delivered, type Letter } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import type { AttachedHooks, ListedEntry } from "../hooks.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { withoutArchived } from "./ghosts.ts";
import { isName } from "./registry.ts";
import type { Brought, Done, EngineState, Entry } from "./state.ts";

/** What the engine asks at its start. Nothing waits for the answer. */
export const entriesLetters = ({ kinds }: AttachedHooks): Letter[] =>
  kinds.map(({ kind, keeper }) =>
    ask({ to: keeper, key: `entries:${kind}`, event: { type: "entries.asked", kind } }),
  );

/** All entries of a kind, by its keeper; the word of any other actor changes nothing. */
export function entriesListed(
  state: EngineState,
  { kind, entries: listed, at }: Delivered<"entries.listed">,
  { attached, ghosts }: EnginePolicy,
): Done {
  const isKept = attached.kinds.some((one) => one.kind === kind && one.keeper === at.from);
  if (!isKept) return { state, letters: [] };
  const isListed = ({ name }: Entry) => listed.some((one) => one.name === name);
  const gone = state.entries.filter((entry) => isOf(kind, entry) && !isListed(entry));
  const without = gone.reduce((next, entry) => withoutEntry(next, entry, at.nowMs), state);
  const next = listed.reduce((now, one) => withEntry(now, kind, at.from, one, at.seq), without);
  return withoutArchived(next, ghosts);
}

const isOf = (kind: string, { brought }: Entry): boolean => brought?.kind === kind;

function withoutEntry(state: EngineState, entry: Entry, atMs: number): EngineState {
  const { name } = entry;
  const own = ownValue(state.implementations, name);
  return {
    ...withoutCode(state, name),
    entries: state.entries.filter((one) => one !== entry),
    archived: [...state.archived, { name, hadCode: own !== undefined, atMs }],
  };
}

/** New or changed. A name that is none, or that another entry bears, is passed over. */
function withEntry(
  state: EngineState,
  kind: string,
  by: string,
  { name, description, reads, runs = true }: ListedEntry,
  madeBy: number,
): EngineState {
  const index = state.entries.findIndex((entry) => entry.name === name);
  const old = state.entries[index];
  if (!isName(name) || (old !== undefined && !isOf(kind, old))) return state;
  const before = old?.brought;
  const isSame =
    before?.description === description && before.reads === reads && before.runs === runs;
  if (isSame) return state;
  const brought: Brought = defined({ by, kind, description, runs, reads });
  const entry: Entry = { name, description, builtin: false, madeBy, brought };
  const entries = old ? state.entries.with(index, entry) : [...state.entries, entry];
  const next = { ...state, entries };
  if (!runs) return withoutCode(next, name);
  if (ownValue(state.implementations, name) !== undefined) return next;
  const own = { code: "", madeBy };
  return { ...next, implementations: { ...state.implementations, [name]: own } };
}

/** Nothing serves the name any more but code of the tools folder. */
function withoutCode(state: EngineState, name: string): EngineState {
  if (ownValue(state.implementations, name)?.code !== "") return state;
  const { [name]: _, ...implementations } = state.implementations;
  return { ...state, implementations };
}
