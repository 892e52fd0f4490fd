/**
 * The disk of one run: the virtual files and what a shell expects around them. It says afterwards
 * which of the files were opened, what is different, and what cannot be kept.
 */
import { InMemoryFs } from "./justBash.ts";
import type { ShellRan, ShellRun } from "./shellProtocol.ts";

/** Ours: so much text costs as much as one step. */
const CHARS_PER_STEP = 256;
/** What is in here is gone with the command. */
const SCRATCH = ["/tmp", "/dev", "/proc"];
/** The part of it that commands write to all the time. */
const DEVICES = /^\/dev\/(?:null|zero|stdin|stdout|stderr|fd(?:\/.*)?)$/;
const NOWHERE = "/dev/null";

type Encoding = Parameters<InMemoryFs["writeFile"]>[2];
type Content = Parameters<InMemoryFs["writeFile"]>[1];

export class ShellDisk extends InMemoryFs {
  readonly #view: ShellRun["files"];
  readonly #spend: (steps: number) => void;
  readonly #opened = new Set<string>();
  #before: ReadonlyMap<string, string> = new Map();

  constructor({ files, mtimesMs, cwd, nowMs, bounds }: ShellRun, spend: (steps: number) => void) {
    super({}, { maxTotalBytes: bounds.memoryMb * 1024 * 1024 });
    this.#view = files;
    this.#spend = spend;
    for (const folder of ["/tmp", "/agentOS", cwd]) this.mkdirSync(folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
      if (path.includes("\0")) continue; // A name that no disk has: the shell cannot see it.
      const mtime = new Date(Object.hasOwn(mtimesMs, path) ? (mtimesMs[path] ?? nowMs) : nowMs);
      this.writeFileSync(path, text, undefined, { mtime });
    }
  }

  /** Remembers everything as it is now: the shell has put down its own files. */
  async begin(): Promise<void> {
    this.#before = await this.#all();
    this.#opened.clear();
  }

  reads(): string[] {
    return [...this.#opened].sort();
  }

  /** What is different from the beginning; nothing counts when there is a `fault`. */
  async outcome(): Promise<Pick<ShellRan, "changed" | "fault"> & { readonly lost: string[] }> {
    const after = await this.#all();
    const changed: { [path: string]: string | null } = {};
    const lost: string[] = [];
    for (const [path, mark] of after) {
      if (this.#before.get(path) === mark) continue;
      const scratch = SCRATCH.find((folder) => isBelow(path, folder));
      if (scratch !== undefined) {
        if (!mark.startsWith("folder"))
          lost.push(`${path} (the folder ${scratch} goes with the command)`);
      } else if (mark.startsWith("link")) lost.push(`${path} (a symbolic link)`);
      else if (mark.startsWith("folder")) {
        const isEmpty = (await super.readdir(path)).length === 0;
        if (isEmpty) lost.push(`${path}/ (an empty folder)`);
      } else {
        const text = textOf(await super.readFileBuffer(path));
        if (text === undefined || !path.isWellFormed()) {
          const fault = `ValueError: ${path.toWellFormed()} is no text in UTF-8, and only texts are kept`;
          return { changed: {}, lost: [], fault };
        }
        changed[path] = text;
      }
    }
    for (const [path, mark] of this.#before) {
      const isFile = mark.startsWith("file");
      if (isFile && !after.get(path)?.startsWith("file")) changed[path] = null;
    }
    return { changed, lost };
  }

  /** Kind and text of everything there is, by path. */
  async #all(): Promise<Map<string, string>> {
    const all = new Map<string, string>();
    for (const path of super.getAllPaths().sort()) {
      if (DEVICES.test(path)) continue;
      const stat = await super.lstat(path);
      if (stat.isSymbolicLink) all.set(path, `link ${await super.readlink(path)}`);
      else if (stat.isDirectory) all.set(path, "folder");
      else all.set(path, `file ${latin1(await super.readFileBuffer(path))}`);
    }
    return all;
  }

  /** By the file's own path, whatever link led there. */
  async #open(path: string): Promise<void> {
    this.#spend(1);
    const own = await super.realpath(path).catch(() => path);
    if (Object.hasOwn(this.#view, own)) this.#opened.add(own);
  }

  override async readFile(...args: Parameters<InMemoryFs["readFile"]>): Promise<string> {
    await this.#open(args[0]);
    const text = await super.readFile(...args);
    this.#spend(Math.floor(text.length / CHARS_PER_STEP));
    return text;
  }

  override async readFileBuffer(path: string): Promise<Uint8Array> {
    await this.#open(path);
    const bytes = await super.readFileBuffer(path);
    this.#spend(Math.floor(bytes.length / CHARS_PER_STEP));
    return bytes;
  }

  override async readFileBytes(path: string): ReturnType<InMemoryFs["readFileBytes"]> {
    await this.#open(path);
    const bytes = await super.readFileBytes(path);
    // A text of a character for each byte, whose type hides that it is one.
    this.#spend(Math.floor((bytes as unknown as string).length / CHARS_PER_STEP));
    return bytes;
  }

  override async writeFile(path: string, content: Content, options?: Encoding): Promise<void> {
    this.#spend(1 + Math.floor(content.length / CHARS_PER_STEP));
    const own = await this.#followed(path);
    if (own !== NOWHERE) await super.writeFile(own, content, options);
  }

  override async appendFile(path: string, content: Content, options?: Encoding): Promise<void> {
    this.#spend(1 + Math.floor(content.length / CHARS_PER_STEP));
    const own = await this.#followed(path);
    if (own !== NOWHERE) await super.appendFile(own, content, options);
  }

  override async cp(...[path, to, options]: Parameters<InMemoryFs["cp"]>): Promise<void> {
    await this.#open(path);
    const from = await super.realpath(path).catch(() => path);
    for (const one of Object.keys(this.#view)) if (isBelow(one, from)) this.#opened.add(one);
    await super.cp(await this.#own(path), await this.#own(to), options);
  }

  override async mv(path: string, to: string): Promise<void> {
    this.#spend(1);
    await super.mv(await this.#own(path), await this.#own(to));
  }

  override async rm(path: string, options?: Parameters<InMemoryFs["rm"]>[1]): Promise<void> {
    this.#spend(1);
    await super.rm(await this.#own(path), options);
  }

  override async mkdir(path: string, options?: Parameters<InMemoryFs["mkdir"]>[1]): Promise<void> {
    this.#spend(1);
    const isThere = options?.recursive === true && (await super.exists(path));
    await super.mkdir(isThere ? await super.realpath(path) : await this.#own(path), options);
  }

  override async symlink(target: string, path: string): Promise<void> {
    this.#spend(1);
    await super.symlink(target, await this.#own(path));
  }

  override async link(path: string, to: string): Promise<void> {
    this.#spend(1);
    await super.link(await this.#own(path), await this.#own(to));
  }

  override async readlink(path: string): Promise<string> {
    return super.readlink(await this.#own(path));
  }

  override async chmod(path: string, mode: number): Promise<void> {
    await super.chmod(await this.#followed(path), mode);
  }

  override async readdir(path: string): Promise<string[]> {
    const names = await super.readdir(await this.#followed(path));
    this.#spend(1 + names.length);
    return names;
  }

  override async readdirWithFileTypes(
    path: string,
  ): ReturnType<InMemoryFs["readdirWithFileTypes"]> {
    const entries = await super.readdirWithFileTypes(await this.#followed(path));
    this.#spend(1 + entries.length);
    return entries;
  }

  /**
   * Where a path lies when links among its folders are followed: the library follows them to read, and
   * would write a second file where the link is.
   */
  async #own(path: string, seen: Set<string> = new Set()): Promise<string> {
    const plain = super.resolvePath("/", path);
    const slash = plain.lastIndexOf("/");
    if (slash === 0) return plain;
    const folder = await this.#followed(plain.slice(0, slash), seen);
    if ((await super.exists(folder)) && !(await super.stat(folder)).isDirectory) {
      throw new Error(`ENOTDIR: not a directory, open '${plain}'`);
    }
    return super.resolvePath(folder, plain.slice(slash + 1));
  }

  /** The same, and what its last name links to; a link twice on the way is a circle, as the library has it. */
  async #followed(path: string, seen: Set<string> = new Set()): Promise<string> {
    const own = await this.#own(path, seen);
    const stat = await super.lstat(own).catch(() => undefined);
    if (stat?.isSymbolicLink !== true) return own;
    if (seen.has(own)) throw new Error(`ELOOP: too many levels of symbolic links, open '${path}'`);
    const folder = own.slice(0, own.lastIndexOf("/")) || "/";
    const target = super.resolvePath(folder, await super.readlink(own));
    return this.#followed(target, seen.add(own));
  }
}

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
