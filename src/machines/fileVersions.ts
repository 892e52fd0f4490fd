/** The agents' files from one change to the next. Pure, for the service in files.ts. */
import { FileStore, type Part, type Place, type Stored } from "./fileStore.ts";
import type {
  Changed,
  Changes,
  DirectoryEntry,
  File,
  FolderSize,
  Gone,
  Since,
  Tree,
} from "./fileTree.ts";
import { lastWriters } from "./fileTree.ts";
import type { At } from "./letter.ts";
import { utf8Length } from "./utf8Length.ts";
import { Version } from "./version.ts";

/** The first path that is not as it was at that moment: written since, or removed. */
export function otherSince(files: Files, changed: Changed, since: Since): string | undefined {
  return Object.keys(changed)
    .sort()
    .find((path) => {
      const file = files.at(path);
      // What both removed is gone, as both wanted.
      if (file === undefined) return changed[path] !== null && !since.created.includes(path);
      const { mtimeMs, madeBy } = file;
      return mtimeMs > since.ms || (mtimeMs === since.ms && madeBy > since.seq);
    });
}

/** Without the removal of what is not there. */
export const present = (files: Files, changes: Changes): Changes =>
  changes.filter(([path, text]) => text !== null || files.at(path) !== undefined);

/** All files at one moment of a run. */
export class Files extends Version<FileStore, readonly Place[]> {
  static of(tree: Tree, gone: Gone = {}): Files {
    const store = new FileStore();
    for (const [folder, files] of Object.entries(tree)) {
      for (const [name, file] of Object.entries(files)) {
        const path = `${folder}/${name}`;
        store.set({
          path,
          stored: storedAs(store, path, file, utf8Length(file.text)),
          isHeld: true,
        });
      }
    }
    for (const [path, at] of Object.entries(gone)) {
      store.set({ path, stored: undefined, isHeld: true, gone: at });
    }
    return new Files(store);
  }

  at(path: string): File | undefined {
    return this.own().at(path)?.file;
  }

  /** Paths of all files below these folders, sorted. */
  below(folders: readonly string[]): string[] {
    return this.own().below(folders);
  }

  /** What lies directly in a folder, by name. A folder is there as long as a file lies below it. */
  list(folder: string): readonly DirectoryEntry[] {
    return this.own().list(folder);
  }

  size(folder: string): FolderSize {
    return this.own().size(folder);
  }

  /** Those who wrote last what lies at these paths, or else removed it. */
  writers(paths: readonly string[]): readonly number[] {
    const store = this.own();
    return lastWriters(paths.flatMap((path) => store.written(path) ?? []));
  }

  /** … or what lies directly in this folder. */
  changersIn(folder: string): readonly number[] {
    return lastWriters(this.own().changesIn(folder));
  }

  tree(): Tree {
    return this.own().tree();
  }

  gone(): Gone {
    return this.own().gone();
  }

  /** `added` is the new end of a text that only became longer. */
  after(changes: Changes, at: At, added?: string): Files {
    const store = this.own();
    const before: Place[] = [];
    for (const [path, text, earlier] of changes) {
      before.push(
        store.set(
          text === null
            ? { path, stored: undefined, isHeld: true, gone: { ms: at.nowMs, seq: at.seq } }
            : { path, stored: writtenAt(store, path, text, at, added, earlier), isHeld: true },
        ),
      );
    }
    const after = new Files(store);
    this.follow(after as this, before); // There is no class below this one.
    return after;
  }

  /** What of the tree in this version and in the next one is not the same in both; nothing for the newest. */
  untilNext(): readonly [Part, Part] {
    const later = this.later();
    return later?.next.own().around(later.back) ?? [NO_PART, NO_PART];
  }

  protected changed(store: FileStore, places: readonly Place[]): readonly Place[] {
    return places.toReversed().map((place) => store.set(place));
  }
}

const NO_PART: Part = { tree: {}, gone: {} };

function storedAs(store: FileStore, path: string, file: File, size: number): Stored {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { file, nth: store.next(), entry: { name, type: "file", size } };
}

function writtenAt(
  store: FileStore,
  path: string,
  text: string,
  at: At,
  added?: string,
  earlier: readonly number[] = [],
): Stored {
  const old = store.at(path);
  const own = { text, mtimeMs: at.nowMs, madeBy: at.seq };
  const file: File = earlier.length === 0 ? own : { ...own, earlier };
  const size = added === undefined ? utf8Length(text) : (old?.entry.size ?? 0) + utf8Length(added);
  return old === undefined
    ? storedAs(store, path, file, size)
    : { ...old, file, entry: old.entry.size === size ? old.entry : { ...old.entry, size } };
}
