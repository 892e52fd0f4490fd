/** Which folders a world has beside /agentOS, and which paths are plain ones in it. Ours. */
import { folders, type ValuesOf } from "./policyLeaf.ts";

export const folderLeaves = {
  readable: folders({
    says: "Folders beyond /agentOS whose files agents, their tools and their shell see, and may not change.",
    source: "ours",
  }),
  writable: folders({
    says: "Folders beyond /agentOS whose files agents, their tools and their shell see and may change.",
    source: "ours",
  }),
};

export type FolderPolicy = ValuesOf<typeof folderLeaves>;

/** Absolute, below /agentOS, without empty, `.`, `..` or `__proto__` segments. */
export const isPlainPath = (path: string): boolean =>
  typeof path === "string" && path.length <= 1_000 && PLAIN_PATH.test(path);

const PLAIN_PATH = /^\/agentOS(?:\/(?!(?:\.\.?|__proto__)?(?:\/|$))[^/]+)+$/;

/** A world of the sources' own folders alone. */
export const NO_FOLDERS: FolderPolicy = { readable: [], writable: [] };

/** All folders beyond /agentOS. */
export const foldersOf = ({ readable, writable }: FolderPolicy): readonly string[] => [
  ...new Set([...readable, ...writable]),
];

const isBelow = (path: string, list: readonly string[]): boolean =>
  list.some((folder) => path === folder || path.startsWith(`${folder}/`));

/** A plain path below /agentOS, or in a folder of this world; the folder itself is one. */
export const isVirtualPath = (path: string, policy: FolderPolicy): boolean =>
  isPlainPath(path) || (isBelow(path, foldersOf(policy)) && isPlainPath(`/agentOS${path}`));

/** Whether a virtual path may be changed, as far as its folder says; one folder within another may say more. */
export const isOpen = (path: string, { readable, writable }: FolderPolicy): boolean =>
  path.startsWith("/agentOS/") ||
  (isBelow(path, writable) && deepest(path, writable) >= deepest(path, readable));

const deepest = (path: string, list: readonly string[]): number =>
  Math.max(0, ...list.filter((folder) => isBelow(path, [folder])).map(({ length }) => length));

const REST = "/[^\\s\"'`<>|,;:)\\]}\\\\]+";
const patterns = new WeakMap<FolderPolicy, RegExp>();

/** The virtual paths that a text names, in its order. */
export function pathsIn(text: string, policy: FolderPolicy): readonly string[] {
  let pattern = patterns.get(policy);
  if (pattern === undefined) {
    pattern = new RegExp(`(?:${rootsPattern(policy)})${REST}`, "g");
    patterns.set(policy, pattern);
  }
  return text.match(pattern) ?? [];
}

/** `/agentOS`, and every folder of this world, as an alternative of a regular expression. */
export const rootsPattern = (policy: FolderPolicy): string =>
  ["/agentOS", ...foldersOf(policy)].map((one) => one.replaceAll(/[.+]/g, "\\$&")).join("|");

/** For an error: below what a path has to lie. */
export const rootsText = (policy: FolderPolicy): string =>
  ["/agentOS", ...foldersOf(policy)].join(", ");
