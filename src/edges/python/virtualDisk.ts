/**
 * The files that Python sees: Emscripten's file system in memory. It lives in JavaScript, so restoring
 * Python's memory leaves it as it is: this puts it back, bounds it, and says what a call changed.
 */
import type { FileChange } from "./answer.ts";
import {
  type Disk,
  type DiskNode,
  type DiskWrite,
  errno,
  type PythonModule,
} from "./emscripten.ts";

/** Where a call starts. */
export const WORK_FOLDER = "/work";
/** What is written below these is no part of a result. */
const UNREPORTED = new Set(["/dev", "/lib", "/proc", "/tmp", "/home"]);

/** Ours: what one call may put on the disk, and how much of it goes into the answer. */
const diskLimits = {
  bytes: 32 * 1024 * 1024,
  nodes: 5000,
  reportedFiles: 200,
  reportedBytes: 1024 * 1024,
  depth: 64,
  /** As on Linux: without them the names alone could fill JavaScript's memory. */
  nameBytes: 255,
  pathChars: 4096,
};

const TERMINALS = [5, 6];
const silence = {
  open: () => {},
  close: () => {},
  llseek: () => 0,
  read: () => 0,
  write: (_stream: unknown, _buffer: unknown, _offset: number, length: number) => length,
};

export class VirtualDisk {
  readonly #fs: Disk;
  readonly #pipes: PythonModule["PIPEFS"];
  readonly #restore: () => void;
  #protected: ReadonlySet<DiskNode> = new Set();
  #given = new Map<string, string>();
  #folders = new Set<string>();
  #bytes = 0;
  #nodes = 0;

  constructor(module: PythonModule, entropy: (bytes: Uint8Array) => void) {
    this.#fs = module.FS;
    this.#pipes = module.PIPEFS;
    this.#ownDevices(entropy);
    this.#fs.mkdirTree(WORK_FOLDER);
    this.#fs.chdir(WORK_FOLDER);
    this.#bound();
    this.#restore = this.#remember();
  }

  /**
   * Puts the disk back and the named files on it; a path that ends in `/` is an empty folder. Throws
   * when a name is no file's name.
   */
  begin(files: Readonly<Record<string, string>>): void {
    this.#restore();
    this.#given = new Map();
    this.#folders = new Set();
    this.#bytes = 0; // What the call before used up takes no room from this one's files.
    this.#nodes = 0;
    for (const [path, text] of Object.entries(files)) {
      const full = path.startsWith("/") ? path : `${WORK_FOLDER}/${path}`;
      this.#fs.mkdirTree(full.slice(0, full.lastIndexOf("/")));
      if (full.endsWith("/")) {
        this.#folders.add(full);
        continue;
      }
      this.#fs.writeFile(full, text);
      this.#given.set(full, text);
    }
    this.#bytes = 0;
    this.#nodes = 0;
  }

  /** What the call left different, by path. */
  end(): readonly FileChange[] {
    const found = new Map<string, Uint8Array>();
    this.#walk(this.#fs.root, "", 0, found);
    const changes: FileChange[] = [];
    let room = diskLimits.reportedBytes;
    for (const [path, bytes] of found) {
      const before = this.#given.get(path);
      const text = textOf(bytes);
      if (before !== undefined && text === before) continue;
      room -= bytes.length;
      const kept = room >= 0 && text !== null ? text : null;
      const change = before === undefined ? "created" : "changed";
      changes.push({ path, change, bytes: bytes.length, text: kept });
    }
    for (const path of this.#given.keys()) {
      if (!found.has(path)) changes.push({ path, change: "deleted", bytes: 0, text: null });
    }
    changes.sort((a, b) => (a.path < b.path ? -1 : 1));
    return changes.slice(0, diskLimits.reportedFiles);
  }

  #walk(folder: DiskNode, path: string, depth: number, found: Map<string, Uint8Array>): void {
    if (depth > diskLimits.depth || path.length > diskLimits.pathChars) return;
    for (const [name, node] of Object.entries(folder.contents ?? {})) {
      const here = `${path}/${name.toWellFormed()}`;
      if (UNREPORTED.has(here) && !this.#isGivenBelow(here)) continue;
      if (this.#fs.isDir(node.mode)) this.#walk(node, here, depth + 1, found);
      else if (this.#fs.isFile(node.mode) && ArrayBuffer.isView(node.contents)) {
        const { buffer, byteOffset } = node.contents; // Emscripten keeps signed bytes too.
        found.set(here, new Uint8Array(buffer, byteOffset, node.usedBytes ?? 0));
      }
    }
  }

  #isGivenBelow(folder: string): boolean {
    const given = [...this.#given.keys(), ...this.#folders];
    return given.some((path) => path.startsWith(`${folder}/`));
  }

  /** `/dev/urandom` would ask the host; `/dev/tty` is the pipe on which we are asked and answer. */
  #ownDevices(entropy: (bytes: Uint8Array) => void): void {
    for (const major of TERMINALS) {
      this.#fs.registerDevice(this.#fs.makedev(major, 0), { ...silence });
    }
    const device = this.#fs.makedev(64, 0);
    const read = (_stream: unknown, buffer: Uint8Array, offset: number, length: number) => {
      const drawn = new Uint8Array(length);
      entropy(drawn);
      buffer.set(drawn, offset);
      return length;
    };
    this.#fs.registerDevice(device, { ...silence, read });
    for (const path of ["/dev/random", "/dev/urandom"]) {
      this.#fs.unlink(path);
      this.#fs.mkdev(path, 0o666, device);
    }
  }

  /** The file operations of all files are one object each, so that one place bounds them all. */
  #bound(): void {
    const probe = `${WORK_FOLDER}/probe`;
    this.#fs.writeFile(probe, "");
    const { node_ops: nodes, stream_ops: streams } = this.#fs.lookupPath(probe).node;
    const pipes = this.#pipes.stream_ops;
    const [resize, write, pipe] = [nodes.setattr, streams.write, pipes.write];
    if (resize === undefined || write === undefined || pipe === undefined || !streams.msync) {
      throw new Error("Emscripten's file system has another shape than the pinned one");
    }
    nodes.setattr = (node, change) => {
      if (change.size !== undefined) this.#spend(node, change.size);
      resize(node, change);
    };
    streams.write = (...given: Parameters<DiskWrite>) => {
      const [stream, , , length, position] = given;
      this.#spend(stream.node, position + length);
      return write(...given);
    };
    // Emscripten's own would write past what bounds a write.
    streams.msync = (stream, buffer, position, length) => {
      streams.write?.(stream, buffer, 0, length, position, false);
      return 0;
    };
    pipes.write = (...given: Parameters<DiskWrite>) => {
      this.#bytes += given[3];
      if (this.#bytes > diskLimits.bytes) throw new this.#fs.ErrnoError(errno.noSpace);
      return pipe(...given);
    };
    const createNode = this.#fs.createNode;
    this.#fs.createNode = (...given) => {
      this.#assertShort(Buffer.byteLength(given[1]), diskLimits.nameBytes);
      if (++this.#nodes > diskLimits.nodes) throw new this.#fs.ErrnoError(errno.noSpace);
      return createNode(...given);
    };
    this.#boundPaths();
    this.#fs.unlink(probe);
  }

  /** Every system call that takes a path looks it up; a link's target alone is not looked up. */
  #boundPaths(): void {
    const { lookupPath, symlink } = this.#fs;
    this.#fs.lookupPath = (path, options) => {
      this.#assertShort(path.length, diskLimits.pathChars);
      return lookupPath(path, options);
    };
    this.#fs.symlink = (target, path) => {
      this.#assertShort(target.length, diskLimits.pathChars);
      return symlink(target, path);
    };
  }

  #assertShort(length: number, allowed: number): void {
    if (length > allowed) throw new this.#fs.ErrnoError(errno.nameTooLong);
  }

  #spend(node: DiskNode, bytes: number): void {
    if (this.#protected.has(node)) throw new this.#fs.ErrnoError(errno.readOnly);
    if (!(bytes <= diskLimits.bytes)) throw new this.#fs.ErrnoError(errno.tooBig);
    this.#bytes += Math.max(0, bytes - (node.contents as Uint8Array).length);
    if (this.#bytes > diskLimits.bytes) throw new this.#fs.ErrnoError(errno.noSpace);
  }

  /** Every node and stream that can be reached, field by field; entries are kept as copies. */
  #remember(): () => void {
    const fs = this.#fs;
    const heads = [...fs.nameTable];
    const all = new Set<DiskNode>([fs.root]);
    for (const head of heads) {
      for (let node = head; node !== undefined; node = node.name_next) all.add(node);
    }
    this.#protected = new Set([...all].filter(({ contents }) => ArrayBuffer.isView(contents)));
    const nodes = [...all].map((node) => [node, restorer(node), entriesOf(node)] as const);
    const streams = [...fs.streams];
    const fields = streams.flatMap((stream) =>
      stream ? [restorer(stream), restorer(stream.shared ?? {})] : [],
    );
    const { nextInode, currentPath } = fs;
    return () => {
      for (let index = 0; index < fs.nameTable.length; index++) fs.nameTable[index] = heads[index];
      for (const [node, restore, entries] of nodes) {
        restore();
        if (entries !== null) node.contents = Object.assign(Object.create(null), entries);
      }
      fs.streams = [...streams];
      for (const restore of fields) restore();
      Object.assign(fs, { nextInode, currentPath });
    };
  }
}

/** Later gives an object back the own fields that it has now, and no others. */
function restorer(owner: object): () => void {
  const fields = { ...owner };
  return () => {
    for (const name of Object.keys(owner)) {
      if (!Object.hasOwn(fields, name)) Reflect.deleteProperty(owner, name);
    }
    Object.assign(owner, fields);
  };
}

/** What a folder holds; null of anything else. */
const entriesOf = ({ contents }: DiskNode): Record<string, DiskNode> | null =>
  contents === undefined || ArrayBuffer.isView(contents) ? null : { ...contents };

/** Null for bytes that are no text. */
function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}
