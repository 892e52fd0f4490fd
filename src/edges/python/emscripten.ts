/** What we use of Emscripten and Pyodide's insides. Not a public interface: the version is pinned. */

export interface DiskNode {
  name: string;
  parent: DiskNode;
  mode: number;
  name_next?: DiskNode;
  /** A directory's entries, or a file's bytes, of which `usedBytes` count. */
  contents?: Record<string, DiskNode> | Uint8Array | Int8Array;
  usedBytes?: number;
  readonly node_ops: { setattr?(node: DiskNode, change: { readonly size?: number }): void };
  readonly stream_ops: DiskStreamOps;
}

export type DiskWrite = (
  stream: DiskStream,
  buffer: Uint8Array,
  offset: number,
  length: number,
  position: number,
  canOwn?: boolean,
) => number;

interface DiskStreamOps {
  write?: DiskWrite;
  /** Writes back what a file mapped into memory holds: `length` bytes of `buffer`, from its start. */
  msync?(stream: DiskStream, buffer: Uint8Array, position: number, length: number): number;
}

export interface DiskStream {
  readonly node: DiskNode;
  readonly shared?: object;
}

export interface Disk {
  readonly root: DiskNode;
  streams: (DiskStream | null | undefined)[];
  nameTable: (DiskNode | undefined)[];
  nextInode: number;
  currentPath: string;
  createNode(parent: DiskNode | null, name: string, mode: number, device: number): DiskNode;
  lookupPath(path: string, options?: object): { readonly node: DiskNode };
  symlink(target: string, path: string): DiskNode;
  chdir(path: string): void;
  mkdirTree(path: string): void;
  writeFile(path: string, text: string): void;
  unlink(path: string): void;
  mkdev(path: string, mode: number, device: number): void;
  makedev(major: number, minor: number): number;
  registerDevice(device: number, operations: object): void;
  isDir(mode: number): boolean;
  isFile(mode: number): boolean;
  readonly ErrnoError: new (errno: number) => Error;
}

export interface PythonModule {
  readonly FS: Disk;
  readonly PIPEFS: { readonly stream_ops: DiskStreamOps; nextname: { current: number } };
  readonly HEAPU8: Uint8Array;
  /** To this many bytes; 1 when it did. */
  growMemory(bytes: number): unknown;
  readonly HEAP8: Int8Array;
  readonly _Py_EMSCRIPTEN_SIGNAL_HANDLING: number;
  _malloc(bytes: number): number;
  _free(address: number): void;
  _PyImport_AddModule(name: number): number;
  _PyObject_GetAttrString(object: number, name: number): number;
  _PyObject_CallOneArg(callable: number, argument: number): number;
  _PyUnicode_FromStringAndSize(address: number, bytes: number): number;
  _PyUnicode_AsUTF8AndSize(text: number, size: number): number;
  _PyErr_Clear(): void;
}

export interface Pyodide {
  readonly version: string;
  readonly _module: PythonModule;
  runPython(code: string): unknown;
  makeMemorySnapshot(): Uint8Array;
  setStdin(options: object): void;
  setStdout(options: object): void;
  setStderr(options: object): void;
}

/** Errors of Emscripten's C library, by number. */
export const errno = { noSpace: 51, tooBig: 22, readOnly: 69, nameTooLong: 37 } as const;

/** The little of WebAssembly's interface that is used; its types come only with a browser's. */
export interface WebAssemblyModule {
  readonly [Symbol.toStringTag]: "WebAssembly.Module";
}

interface ImportName {
  readonly module: string;
  readonly name: string;
  readonly kind: string;
}

export interface WebAssemblyApi {
  readonly Module: {
    new (bytes: Uint8Array): WebAssemblyModule;
    imports(module: WebAssemblyModule): readonly ImportName[];
  };
  compile(bytes: Uint8Array): Promise<WebAssemblyModule>;
  instantiate(source: WebAssemblyModule, imports: unknown): Promise<unknown>;
}
