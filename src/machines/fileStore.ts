/**
 * The agents' files with an index of their folders, behind one mutable store. A change costs as much as it
 * changes, and what lies below a folder is known without looking at every file.
 */
import {
  type DirectoryEntry,
  type File,
  type FolderSize,
  type Gone,
  type Moment,
  type Tree,
  WRITERS_MAX,
  type Written,
  writtenIn,
} from "./fileTree.ts";

/** A file, where it stands in a plain tree, and how a list shows it. */
export interface Stored {
  readonly file: File;
  readonly nth: number;
  readonly entry: DirectoryEntry;
}

/** What lay at a path, and whether its folder was in the tree at all. */
export interface Place {
  readonly path: string;
  readonly stored: Stored | undefined;
  readonly isHeld: boolean;
  /** When what lay there last was removed, and by which delivery. */
  readonly gone?: Moment | undefined;
}

/** A part of the files, as plain data. */
export interface Part {
  readonly tree: Tree;
  readonly gone: Gone;
}

class Folder {
  /** The folder that it lies in; undefined at the top. */
  readonly above: Folder | undefined;
  readonly name: string;
  /** The files that lie directly in it, by name. */
  readonly files = new Map<string, Stored>();
  /** By name, who removed what lay directly in it and is not there any more. */
  readonly gone = new Map<string, Moment>();
  /** What lies in it, in the order of the paths below it; a folder is there as long as a file lies below it. */
  list: DirectoryEntry[] = [];
  /** Whether the list was given away, so that it must not change any more. */
  isGiven = false;
  /** Where it stands in a plain tree; a tree holds a folder from its first file on, even when that is gone. */
  nth = 0;
  isHeld = false;
  /** Of all files below it, at any depth. */
  bytes = 0;
  count = 0;

  constructor(name: string, above: Folder | undefined) {
    this.name = name;
    this.above = above;
  }

  /** Puts the entry in its place in the list, or takes it out. */
  show(entry: DirectoryEntry, isThere: boolean): void {
    if (this.isGiven) this.list = this.list.slice();
    this.isGiven = false;
    const key = keyOf(entry);
    let low = 0;
    for (let high = this.list.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (keyOf(this.list[middle] as DirectoryEntry) < key) low = middle + 1;
      else high = middle;
    }
    const known = this.list[low];
    const isKnown = known !== undefined && keyOf(known) === key;
    if (isThere && isKnown) this.list[low] = entry;
    else this.list.splice(low, isKnown ? 1 : 0, ...(isThere ? [entry] : []));
  }
}

/** A folder stands where the paths below it do. */
const keyOf = ({ name, type }: DirectoryEntry): string => (type === "file" ? name : `${name}/`);

export class FileStore {
  /** Every folder below which a file lies, or lay. */
  readonly #folders = new Map<string, Folder>();
  /** Every file, by its whole path. */
  readonly #files = new Map<string, Stored>();
  #made = 0;

  at(path: string): Stored | undefined {
    return this.#files.get(path);
  }

  /** The next place in a plain tree. */
  next(): number {
    this.#made += 1;
    return this.#made;
  }

  /** Lays a file there or takes it away, as `place` says; says what was there. */
  set({ path, stored, isHeld, gone }: Place): Place {
    const slash = path.lastIndexOf("/");
    const name = path.slice(slash + 1);
    const top = path.slice(0, slash);
    const folder = this.#folder(top);
    const was = folder.gone.get(name);
    const before = { path, stored: folder.files.get(name), isHeld: folder.isHeld, gone: was };
    if (gone !== undefined) folder.gone.set(name, gone);
    else if (was !== undefined) folder.gone.delete(name);
    if (folder.nth === 0) folder.nth = this.next();
    folder.isHeld = isHeld;
    if (stored === undefined) {
      folder.files.delete(name);
      this.#files.delete(path);
    } else {
      folder.files.set(name, stored);
      this.#files.set(path, stored);
    }
    const shown = stored ?? before.stored;
    if (shown !== undefined && stored?.entry !== before.stored?.entry) {
      folder.show(shown.entry, stored !== undefined);
    }
    const bytes = (stored?.entry.size ?? 0) - (before.stored?.entry.size ?? 0);
    const count = Number(stored !== undefined) - Number(before.stored !== undefined);
    countIn(folder, bytes, count);
    return before;
  }

  /** Paths of all files below these folders, sorted. */
  below(tops: readonly string[]): string[] {
    const paths = new Set<string>();
    const add = (path: string): void => {
      const folder = this.#folders.get(path);
      for (const name of folder?.files.keys() ?? []) paths.add(`${path}/${name}`);
      for (const { name, type } of folder?.list ?? [])
        if (type === "directory") add(`${path}/${name}`);
    };
    tops.forEach(add);
    return [...paths].sort();
  }

  /** What lies directly in a folder, in the order of the paths below it. */
  list(path: string): readonly DirectoryEntry[] {
    const folder = this.#folders.get(path);
    if (folder === undefined) return [];
    folder.isGiven = true;
    return folder.list;
  }

  /** What became last of what lay there; undefined when nothing ever did. */
  written(path: string): Written | undefined {
    const stored = this.at(path);
    return stored === undefined ? this.#gone(path) : writtenIn(stored.file);
  }

  #gone(path: string): Moment | undefined {
    return this.#folders.get(folderOf(path))?.gone.get(path.slice(path.lastIndexOf("/") + 1));
  }

  /** … of all that lies, or lay, directly in a folder: the last changes, each delivery once. */
  changesIn(path: string): Written[] {
    const folder = this.#folders.get(path);
    const last: Written[] = [];
    if (folder === undefined) return last;
    // The newest first: of a big folder nearly all others are then passed over at once.
    for (const { file } of [...folder.files.values()].reverse()) {
      const [first] = last;
      if (last.length === WRITERS_MAX && first !== undefined && file.mtimeMs < first.ms) continue;
      keepLast(last, file.mtimeMs, file.madeBy);
    }
    for (const { ms, seq } of folder.gone.values()) keepLast(last, ms, seq);
    return last;
  }

  size(path: string): FolderSize {
    const { bytes = 0, count: files = 0 } = this.#folders.get(path) ?? {};
    return { folder: path, bytes, files };
  }

  /** As plain data. */
  tree(): Tree {
    const tree: { [folder: string]: Tree[string] } = {};
    for (const [path, { files }] of this.#held()) {
      const inOrder = [...files].sort(([, one], [, other]) => one.nth - other.nth);
      tree[path] = Object.fromEntries(inOrder.map(([name, { file }]) => [name, file]));
    }
    return tree;
  }

  /** As plain data. */
  gone(): Gone {
    return Object.fromEntries(
      [...this.#folders].flatMap(([top, { gone }]) =>
        [...gone].map(([name, at]) => [`${top}/${name}`, at]),
      ),
    );
  }

  /** Of the plain tree before and after these changes, what they changed, in the same order. */
  around(changes: readonly Place[]): readonly [Part, Part] {
    const now = changes.map(({ path }) => {
      return { path, stored: this.at(path), isHeld: true, gone: this.#gone(path) };
    });
    const fresh = new Set(
      changes.filter(({ isHeld }) => !isHeld).map(({ path }) => folderOf(path)),
    );
    const old = changes.filter(({ path }) => !fresh.has(folderOf(path)));
    return [
      { tree: this.#part(old), gone: goneIn(changes) },
      { tree: this.#part(now), gone: goneIn(now) },
    ];
  }

  #part(places: readonly Place[]): Tree {
    const part: { [folder: string]: { [name: string]: File } } = {};
    const nthOf = ({ path }: Place): number => this.#folder(folderOf(path)).nth;
    const inOrder = places.toSorted(
      (one, other) =>
        nthOf(one) - nthOf(other) || (one.stored?.nth ?? 0) - (other.stored?.nth ?? 0),
    );
    for (const { path, stored } of inOrder) {
      const folder = folderOf(path);
      part[folder] ??= {};
      if (stored !== undefined) part[folder][path.slice(folder.length + 1)] = stored.file;
    }
    return part;
  }

  #held(): [string, Folder][] {
    return [...this.#folders]
      .filter(([, { isHeld }]) => isHeld)
      .sort(([, one], [, other]) => one.nth - other.nth);
  }

  #folder(path: string): Folder {
    let folder = this.#folders.get(path);
    if (folder === undefined) {
      const slash = path.lastIndexOf("/");
      const above = slash <= 0 ? undefined : this.#folder(path.slice(0, slash));
      folder = new Folder(path.slice(slash + 1), above);
      this.#folders.set(path, folder);
    }
    return folder;
  }
}

/** Keeps those that came last, in their order. */
function keepLast(last: Written[], ms: number, seq: number): void {
  let place = last.length;
  for (; place > 0; place--) {
    const before = last[place - 1];
    if (before === undefined || before.ms < ms || (before.ms === ms && before.seq < seq)) break;
    if (before.ms === ms && before.seq === seq) return;
  }
  if (place === 0 && last.length === WRITERS_MAX) return;
  last.splice(place, 0, { ms, seq });
  if (last.length > WRITERS_MAX) last.shift();
}

const goneIn = (places: readonly Place[]): Gone =>
  Object.fromEntries(
    places.flatMap(({ path, gone }) => (gone === undefined ? [] : [[path, gone]])),
  );

/** In a folder and in all above it. */
function countIn(folder: Folder, bytes: number, count: number): void {
  if (bytes === 0 && count === 0) return;
  const wasThere = folder.count > 0;
  folder.bytes += bytes;
  folder.count += count;
  const { name, above } = folder;
  if (above === undefined) return;
  if (folder.count > 0 !== wasThere) {
    above.show({ name, type: "directory", size: 0 }, !wasThere);
  }
  countIn(above, bytes, count);
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/"));
