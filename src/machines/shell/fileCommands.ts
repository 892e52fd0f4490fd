/** mkdir, rmdir, touch, rm, mv, cp. Wording as in GNU coreutils. */
import { childOf, nameOf, parentOf } from "./disk.ts";
import { optionsOf } from "./options.ts";
import {
  type Call,
  type Command,
  failed,
  missingErrno,
  PATH_CHARS_MAX,
  pathIn,
  withoutTrailing,
} from "./session.ts";

const missingOperand = (call: Call): number =>
  failed(call, `missing operand\nTry '${call.name} --help' for more information.`);

export const mkdir: Command = (call) => {
  const options = optionsOf(call, { flags: "pv", valued: "m", long: { parents: "p" } });
  if (options === undefined) return 1;
  if (options.operands.length === 0) return missingOperand(call);
  const { disk } = call.session;
  let code = 0;
  for (const operand of options.operands) {
    const path = pathIn(call, operand);
    if (operand.length > PATH_CHARS_MAX) {
      code = failed(call, "cannot create directory: File name too long");
      continue;
    }
    const wanted = options.has("p") ? [...ancestorsOf(path), path] : [path];
    const errno = wanted
      .filter((one) => !(options.has("p") && disk.isFolder(one)))
      .map((one) => disk.makeFolder(one))
      .find((one) => one !== undefined);
    const said = operand === "" ? "No such file or directory" : errno;
    if (said !== undefined) code = failed(call, `cannot create directory '${operand}': ${said}`);
  }
  return code;
};

/** Every folder above a path, the outermost first. */
function ancestorsOf(path: string): string[] {
  const segments = path.split("/").slice(1, -1);
  return segments.map((_, index) => `/${segments.slice(0, index + 1).join("/")}`);
}

export const rmdir: Command = (call) => {
  const options = optionsOf(call, { flags: "" });
  if (options === undefined) return 1;
  if (options.operands.length === 0) return missingOperand(call);
  let code = 0;
  for (const operand of options.operands) {
    const errno = call.session.disk.removeFolder(pathIn(call, operand));
    if (errno !== undefined) code = failed(call, `failed to remove '${operand}': ${errno}`);
  }
  return code;
};

export const touch: Command = (call) => {
  const options = optionsOf(call, { flags: "cam" });
  if (options === undefined) return 1;
  if (options.operands.length === 0) {
    return failed(call, `missing file operand\nTry 'touch --help' for more information.`);
  }
  const { disk } = call.session;
  let code = 0;
  for (const operand of options.operands) {
    const path = pathIn(call, operand);
    if (disk.isFolder(path) || (options.has("c") && !disk.isFile(path))) continue;
    const errno = operand.endsWith("/")
      ? missingErrno(call, operand)
      : disk.write(path, disk.peek(path));
    if (errno !== undefined) code = failed(call, `cannot touch '${operand}': ${errno}`);
  }
  return code;
};

export const rm: Command = (call) => {
  const options = optionsOf(call, {
    flags: "rRfdv",
    long: { recursive: "r", force: "f" },
  });
  if (options === undefined) return 1;
  const { disk } = call.session;
  const isForced = options.has("f");
  if (options.operands.length === 0) return isForced ? 0 : missingOperand(call);
  const recursive = options.has("r") || options.has("R");
  let code = 0;
  for (const operand of options.operands) {
    const path = pathIn(call, operand);
    if (/(^|\/)\.{1,2}$/.test(withoutTrailing(operand, "/")) && recursive) {
      code = failed(call, `refusing to remove '.' or '..' directory: skipping '${operand}'`);
    } else if (path === "/" && recursive) {
      code = failed(call, "it is dangerous to operate recursively on '/'");
    } else if (disk.isFolder(path)) {
      if (!recursive) code = failed(call, `cannot remove '${operand}': Is a directory`);
      else if (!removeTree(call, path, operand)) code = 1;
    } else if (!disk.isFile(path) || operand.endsWith("/")) {
      const errno = missingErrno(call, operand);
      const isFine = isForced && errno === "No such file or directory";
      if (!isFine) code = failed(call, `cannot remove '${operand}': ${errno}`);
    } else {
      const errno = disk.removeFile(path);
      if (errno !== undefined) code = failed(call, `cannot remove '${operand}': ${errno}`);
    }
  }
  return code;
};

/** Whether everything below, and the folder itself, is gone. */
function removeTree(call: Call, folder: string, shown: string): boolean {
  const { disk } = call.session;
  let isGone = true;
  for (const name of disk.list(folder)) {
    const path = childOf(folder, name);
    const label = `${withoutTrailing(shown, "/")}/${name}`;
    if (disk.isFile(path)) {
      const errno = disk.removeFile(path);
      if (errno !== undefined) failed(call, `cannot remove '${label}': ${errno}`);
      isGone &&= errno === undefined;
    }
    if (disk.isFolder(path) && !removeTree(call, path, label)) isGone = false;
  }
  if (!isGone) return false;
  const errno = disk.removeFolder(folder);
  if (errno !== undefined) failed(call, `cannot remove '${shown}': ${errno}`);
  return errno === undefined;
}

export const mv: Command = (call) => transfer(call, "fnv", moveOne);
export const cp: Command = (call) => transfer(call, "rRafpv", copyOne);

interface Transfer {
  readonly from: string;
  readonly to: string;
  /** As they were written. */
  readonly label: string;
  readonly target: string;
  readonly recursive: boolean;
}

/** `a b`, or `a b c folder`: one by one into a folder, or under a new name. */
function transfer(
  call: Call,
  flags: string,
  one: (call: Call, transfer: Transfer) => number,
): number {
  const options = optionsOf(call, { flags, long: { recursive: "r", archive: "a", force: "f" } });
  if (options === undefined) return 1;
  const { operands } = options;
  const { disk } = call.session;
  const target = operands.at(-1);
  if (target === undefined) return failed(call, "missing file operand");
  if (operands.length === 1) {
    return failed(call, `missing destination file operand after '${operands[0]}'`);
  }
  const destination = pathIn(call, target);
  const isFolder = disk.isFolder(destination);
  if (operands.length > 2 && !isFolder)
    return failed(call, `target '${target}': ${missingTarget(call, target)}`);
  const recursive = ["r", "R", "a"].some(options.has);
  let code = 0;
  for (const label of operands.slice(0, -1)) {
    const from = pathIn(call, label);
    const to = isFolder ? childOf(destination, nameOf(from)) : destination;
    if (!disk.isFile(from) && !disk.isFolder(from)) {
      code = failed(call, `cannot stat '${label}': ${missingErrno(call, label)}`);
    } else {
      code ||= one(call, { from, to, label, target, recursive });
    }
  }
  return code;
}

const missingTarget = (call: Call, target: string): string =>
  call.session.disk.isFile(pathIn(call, target)) ? "Not a directory" : "No such file or directory";

function moveOne(call: Call, { from, to, label, target }: Transfer): number {
  const { disk } = call.session;
  if (from === to) return failed(call, `'${label}' and '${target}' are the same file`);
  if (disk.isFile(from) && !disk.isFolder(from)) {
    if (disk.isFolder(to))
      return failed(call, `cannot overwrite directory '${target}' with non-directory`);
    const errno = moved(call, from, to, target);
    return errno === undefined
      ? 0
      : failed(call, `cannot move '${label}' to '${target}': ${errno}`);
  }
  if (`${to}/`.startsWith(`${from}/`)) {
    return failed(call, `cannot move '${label}' to a subdirectory of itself, '${target}'`);
  }
  if (disk.isFile(to))
    return failed(call, `cannot overwrite non-directory '${target}' with directory '${label}'`);
  if (disk.isFolder(to) && disk.list(to).length > 0) {
    return failed(call, `cannot move '${label}' to '${target}': Directory not empty`);
  }
  const pairs = filesBelow(call, from).map((path) => [path, to + path.slice(from.length)] as const);
  const made = disk.isFolder(to) ? undefined : disk.makeFolder(to);
  if (made !== undefined) return failed(call, `cannot move '${label}' to '${target}': ${made}`);
  for (const folder of foldersBelow(call, from)) disk.makeFolder(to + folder.slice(from.length));
  for (const [path, where] of pairs) {
    const errno = moved(call, path, where, target);
    if (errno !== undefined) return failed(call, `cannot move '${label}' to '${target}': ${errno}`);
  }
  return removeTree(call, from, label) ? 0 : 1;
}

/** A file goes only where its old name can be taken away. */
function moved(call: Call, from: string, to: string, target: string): string | undefined {
  const { disk } = call.session;
  const text = disk.peek(from);
  if (target.endsWith("/") && !disk.isFolder(parentOf(to))) return "No such file or directory";
  return disk.refusal(from) ?? disk.write(to, text) ?? disk.removeFile(from);
}

function copyOne(call: Call, { from, to, label, target, recursive }: Transfer): number {
  const { disk } = call.session;
  if (from === to) return failed(call, `'${label}' and '${target}' are the same file`);
  if (disk.isFile(from) && !disk.isFolder(from)) {
    if (disk.isFolder(to))
      return failed(call, `cannot overwrite directory '${target}' with non-directory`);
    const errno =
      target.endsWith("/") && !disk.isFolder(pathIn(call, target))
        ? "Not a directory"
        : disk.write(to, disk.read(from) ?? "");
    return errno === undefined
      ? 0
      : failed(call, `cannot create regular file '${target}': ${errno}`);
  }
  if (!recursive) return failed(call, `-r not specified; omitting directory '${label}'`);
  if (disk.isFile(to))
    return failed(call, `cannot overwrite non-directory '${target}' with directory '${label}'`);
  if (`${to}/`.startsWith(`${from}/`)) {
    return failed(call, `cannot copy a directory, '${label}', into itself, '${target}'`);
  }
  const pairs = filesBelow(call, from).map((path) => [path, to + path.slice(from.length)] as const);
  const folders = ["", ...foldersBelow(call, from).map((path) => path.slice(from.length))];
  for (const folder of folders) {
    const errno = disk.isFolder(to + folder) ? undefined : disk.makeFolder(to + folder);
    if (errno !== undefined)
      return failed(call, `cannot create directory '${to + folder}': ${errno}`);
  }
  for (const [path, where] of pairs) {
    const errno = disk.write(where, disk.read(path) ?? "");
    if (errno !== undefined) return failed(call, `cannot create regular file '${where}': ${errno}`);
  }
  return 0;
}

const filesBelow = (call: Call, folder: string): string[] =>
  below(call, folder).filter((path) => call.session.disk.isFile(path));
const foldersBelow = (call: Call, folder: string): string[] =>
  below(call, folder).filter((path) => call.session.disk.isFolder(path));

function below(call: Call, folder: string): string[] {
  const { disk } = call.session;
  return disk.list(folder).flatMap((name) => {
    const path = childOf(folder, name);
    return disk.isFolder(path) ? [path, ...below(call, path)] : [path];
  });
}
