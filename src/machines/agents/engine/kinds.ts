/**
 * Entries of the registry that another part brings: their keeper lists which there are, whenever it
 * likes, and the engine's registry follows. Ours.
 */
import { defined } from "../../defined.ts";
import { ask, type Delivered, type Letter } from "../../letter.ts";
import { ownValue } from "../../ownValue.ts";
import { isReadable } from "../hookShapes.ts";
import type { AttachedHooks, ListedEntry } from "../hooks.ts";
import type { EnginePolicy } from "./enginePolicy.ts";
import { withoutArchived } from "./ghosts.ts";
import type { Brought, Done, EngineState, Entry } from "./state.ts";

/** What the keys of these questions begin with. */
export const ENTRIES = "entries:";

/** What the engine asks at its start. No call waits for the answer. */
export const entriesLetters = ({ kinds }: AttachedHooks): Letter[] =>
  kinds.map(({ kind, keeper }) =>
    ask({ to: keeper, key: `${ENTRIES}${kind}`, event: { type: "entries.asked", kind } }),
  );

/** All entries of a kind, by its keeper; the word of any other actor changes nothing. */
export function entriesListed(
  state: EngineState,
  event: Delivered<"entries.listed">,
  { attached, ghosts }: EnginePolicy,
): Done {
  if (!isReadable(event)) return { state, letters: [] };
  const { kind, entries: listed, judges = false, at } = event;
  const isKept = attached.kinds.some((one) => one.kind === kind && one.keeper === at.from);
  if (!isKept) return { state, letters: [] };
  const names = new Set(listed.map(({ name }) => name));
  const isGone = (entry: Entry) => isOf(kind, entry) && !names.has(entry.name);
  const without = withoutEntries(state, state.entries.filter(isGone), at.nowMs);
  const from = { by: at.from, kind, judged: judges ? (true as const) : undefined };
  const next = withEntries(without, from, listed, at.seq);
  return withoutArchived(heardOf(next, kind), ghosts);
}

/** A kind is listed, or its keeper does not live: nothing is known by its name alone any more. */
export const heardOf = (state: EngineState, kind: string): EngineState =>
  defined({ ...state, unlisted: lacking(state.unlisted ?? [], kind) });

const lacking = (kinds: readonly string[], kind: string): readonly string[] | undefined => {
  const others = kinds.filter((one) => one !== kind);
  return others.length === 0 ? undefined : others;
};

const isOf = (kind: string, { brought }: Entry): boolean => brought?.kind === kind;

/** One copy of the registry for all of them: a list may be long. */
function withoutEntries(state: EngineState, gone: readonly Entry[], atMs: number): EngineState {
  if (gone.length === 0) return state;
  const names = new Set(gone.map(({ name }) => name));
  const archived = gone.map(({ name }) => {
    return { name, hadCode: ownValue(state.implementations, name) !== undefined, atMs };
  });
  const served = Object.entries(state.implementations);
  return {
    ...state,
    entries: state.entries.filter(({ name }) => !names.has(name)),
    implementations: Object.fromEntries(
      served.filter(([name, { code }]) => code !== "" || !names.has(name)),
    ),
    archived: [...state.archived, ...archived],
  };
}

/** Wider than a tool's, which is a file's name too: other parts may have functions with capitals. */
const isName = (name: string): boolean => /^[A-Za-z0-9_]{1,64}$/.test(name) && name !== "__proto__";

/** New or changed. A name that is none, or that another entry bears, is passed over. */
function withEntries(
  state: EngineState,
  from: { readonly by: string; readonly kind: string; readonly judged: true | undefined },
  listed: readonly ListedEntry[],
  madeBy: number,
): EngineState {
  // A map keeps an entry at its place when it is set again.
  const entries = new Map(state.entries.map((entry) => [entry.name, entry]));
  const served = new Map(Object.entries(state.implementations));
  for (const { name, description, reads, runs = true } of listed) {
    const old = entries.get(name);
    if (!isName(name) || (old !== undefined && !isOf(from.kind, old))) continue;
    const brought: Brought = defined({ ...from, description, runs, reads });
    if (old?.brought !== undefined && isAlike(old.brought, brought)) continue;
    entries.set(name, { name, description, builtin: false, madeBy, brought });
    // Without anything behind it, nothing serves the name but code of the tools folder.
    if (!runs && served.get(name)?.code === "") served.delete(name);
    if (runs && !served.has(name)) served.set(name, { code: "", madeBy });
  }
  return {
    ...state,
    entries: [...entries.values()],
    implementations: Object.fromEntries(served),
  };
}

const isAlike = (one: Brought, other: Brought): boolean =>
  one.description === other.description &&
  one.reads === other.reads &&
  one.runs === other.runs &&
  one.judged === other.judged;
