/** How the keeper reads its store: at its start, when an engine starts, and after a wipe. Source: seed 001, persistence. */
import { ask, type Delivered, type Letter } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import { listLetters } from "./keeperRouting.ts";
import {
  askerOf,
  type Done,
  done,
  type KeeperState,
  registryLetter,
  startSkill,
} from "./keeperState.ts";
import { rowOf } from "./skillBook.ts";
import { SANDBOX_FOLDER, SKILLS, storeFolder } from "./skillFolders.ts";
import { isEmptyStore, readLegacy, readStore } from "./skillStore.ts";
import type { SkillsPolicy } from "./skillsPolicy.ts";

export const STORE_KEY = "store";
export const WIPE_KEY = "wipe";

export const storeAsk = ({ store }: SkillsPolicy): Letter => {
  const folders = [...new Set([storeFolder(store), storeFolder("sandbox")])];
  return ask({ to: "files", key: STORE_KEY, event: { type: "files.snapshot", folders } });
};

/** An engine is answered once the store is read, so that it lists what is there. */
export function listEntries(
  state: KeeperState,
  { at }: Delivered<"entries.asked">,
  policy: SkillsPolicy,
): Done {
  const next = { ...state, engine: at.from, waiting: [...state.waiting, askerOf(at)] };
  return done(next, [storeAsk(policy)]);
}

/** File and row agree again; what does not, or is no row, is reported. */
export function takeStore(
  state: KeeperState,
  { files = {} }: Delivered<"files.replied">,
  policy: SkillsPolicy,
  builtins: readonly string[],
): Done {
  const { store } = policy;
  const isFresh = store === "memory" && isEmptyStore(files, store);
  const legacy = isFresh ? readLegacy(files, builtins) : undefined;
  const found = legacy?.found ?? readStore(files, store, builtins);
  const copied = Object.entries(legacy?.files ?? {});
  const kept = reviveSkills({ ...state, book: found.book, isRead: true, waiting: [] });
  const isOther = copied.length > 0 || found.rowsAlone.length > 0;
  const told: Letter = {
    to: SKILLS,
    event: {
      type: "store.found",
      skills: found.book.length,
      migrated: legacy?.found.book.map(({ name }) => name) ?? [],
      filesAlone: found.filesAlone.filter((name) => ownValue(state.making, name) === undefined),
      rowsAlone: found.rowsAlone,
      ...(found.unfit.length > 0 && { unfit: found.unfit }),
      ...(found.changed.length > 0 && { changed: found.changed }),
      fault: found.fault,
    },
  };
  return done(kept.state, [
    ...copied.map(([path, text]): Letter => {
      return { to: "files", event: { type: "files.write", path, text } };
    }),
    ...(isOther ? [registryLetter(kept.state, policy)] : []),
    told,
    ...kept.letters,
    ...listLetters(kept.state, policy, state.waiting),
  ]);
}

/** Every row has a skill that lives, and no other skill lives. */
function reviveSkills(state: KeeperState): Done {
  const letters: Letter[] = [];
  let next = state;
  for (const [name, to] of Object.entries(state.lives)) {
    if (rowOf(state.book, name) !== undefined) continue;
    const because = "its file or its row is gone";
    letters.push({ to, event: { type: "skill.left", skill: name, how: "lost", because } });
  }
  const lives: { [name: string]: string } = {};
  for (const { name, description, parametersSchema, status } of state.book) {
    const known = ownValue(state.lives, name);
    if (known !== undefined) lives[name] = known;
    else {
      const started = startSkill(next, {
        ...{ name, agent: "", description, parametersSchema, kept: status },
        ...{ code: "", payload: "" },
      });
      next = started.state;
      lives[name] = started.address;
      letters.push(started.letter);
    }
  }
  return done({ ...next, lives }, letters);
}

export const wipeSandbox = (state: KeeperState): Done =>
  done(state, [
    ask({
      to: "files",
      key: WIPE_KEY,
      event: { type: "files.snapshot", folders: [SANDBOX_FOLDER] },
    }),
  ]);

/** Whatever lies in the sandbox goes; then the store is read, for it may have lain there. */
export const emptySandbox = (
  state: KeeperState,
  { files = {} }: Delivered<"files.replied">,
  policy: SkillsPolicy,
): Done =>
  done(state, [
    { to: "files", event: { type: "files.delete", paths: Object.keys(files) } },
    storeAsk(policy),
  ]);
