/**
 * The disk of one run: the virtual files and what a shell expects around them. It says afterwards
 * which of the files were opened, what is different, and what cannot be kept.
 */
import { InMemoryFs } from "./justBash.ts";
import type { ShellRan, ShellRun } from "./shellProtocol.ts";

/** Ours: so much text costs as much as one step. */
const CHARS_PER_STEP = 256;
/** What is in here is gone with the command. */
const SCRATCH = "/tmp";

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
    for (const folder of [SCRATCH, "/agentOS", cwd]) this.mkdirSync(folder, { recursive: true });
    for (const [path, text] of Object.entries(files)) {
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
      if (isBelow(path, SCRATCH)) {
        if (!mark.startsWith("folder"))
          lost.push(`${path} (the folder ${SCRATCH} goes with the command)`);
      } else if (mark.startsWith("link")) lost.push(`${path} (a symbolic link)`);
      else if (mark.startsWith("folder")) {
        const isEmpty = (await super.readdir(path)).length === 0;
        if (isEmpty) lost.push(`${path}/ (an empty folder)`);
      } else {
        const text = textOf(await super.readFileBuffer(path));
        if (text === undefined) {
          const fault = `ValueError: ${path} is no text in UTF-8, and only texts are kept`;
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
      if (/^\/(?:dev|proc)(?:\/|$)/.test(path)) continue;
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
    this.#spend(Math.floor((bytes as unknown as string).length / CHARS_PER_STEP));
    return bytes;
  }

  override async writeFile(path: string, content: Content, options?: Encoding): Promise<void> {
    this.#spend(1 + Math.floor(content.length / CHARS_PER_STEP));
    await super.writeFile(path, content, options);
  }

  override async appendFile(path: string, content: Content, options?: Encoding): Promise<void> {
    this.#spend(1 + Math.floor(content.length / CHARS_PER_STEP));
    await super.appendFile(path, content, options);
  }

  override async cp(...args: Parameters<InMemoryFs["cp"]>): Promise<void> {
    await this.#open(args[0]);
    const from = await super.realpath(args[0]).catch(() => args[0]);
    for (const path of Object.keys(this.#view)) if (isBelow(path, from)) this.#opened.add(path);
    await super.cp(...args);
  }

  override async mv(...args: Parameters<InMemoryFs["mv"]>): Promise<void> {
    this.#spend(1);
    await super.mv(...args);
  }

  override async rm(...args: Parameters<InMemoryFs["rm"]>): Promise<void> {
    this.#spend(1);
    await super.rm(...args);
  }

  override async mkdir(...args: Parameters<InMemoryFs["mkdir"]>): Promise<void> {
    this.#spend(1);
    await super.mkdir(...args);
  }

  override async symlink(...args: Parameters<InMemoryFs["symlink"]>): Promise<void> {
    this.#spend(1);
    await super.symlink(...args);
  }

  override async readdir(path: string): Promise<string[]> {
    const names = await super.readdir(path);
    this.#spend(1 + names.length);
    return names;
  }

  override async readdirWithFileTypes(
    path: string,
  ): ReturnType<InMemoryFs["readdirWithFileTypes"]> {
    const entries = await super.readdirWithFileTypes(path);
    this.#spend(1 + entries.length);
    return entries;
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
