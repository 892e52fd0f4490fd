/**
 * Content by its hash, and who sees it under which name. Source: seed 003, "Content system"; dossier autonoetic 1.8.
 * A handle is no key: who was never given the content cannot read it by its hash.
 */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { choice, type ValuesOf } from "../../policyLeaf.ts";
import { faultOnly, type Refused } from "../fault.ts";

export const contentLeaves = {
  lookup: choice("names-first", ["names-first", "aliases-first"], {
    says: "Whether a name of eight hex digits is a name before it is an alias.",
    source: "seed 003, content system (names-first); aliases-first in the real system",
  }),
  sameAlias: choice("refused", ["refused", "last"], {
    says: "What an alias stands for that fits two contents: neither, or the one written last.",
    source: "ours (refused); last in the real system",
  }),
};

export type ContentPolicy = ValuesOf<typeof contentLeaves>;

export const VISIBILITIES = ["private", "session", "global"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/** A name once given to a content; later ones count before earlier ones. */
export interface ContentEntry {
  readonly session: string;
  readonly name: string;
  readonly handle: string;
  readonly visibility: Visibility;
}

export interface ContentBook {
  /** By handle. */
  readonly texts: { readonly [handle: string]: string };
  readonly entries: readonly ContentEntry[];
}

export const NO_CONTENT: ContentBook = { texts: {}, entries: [] };

const PREFIX = "sha256:";
const ALIAS_DIGITS = 8;
const ALIAS = /^[0-9a-f]{8}$/;
const HANDLE = /^sha256:[0-9a-f]{64}$/;

/** SHA-256 in lowercase hex: the one digest of installs. */
export const sha256Hex = (data: string | Uint8Array): string =>
  bytesToHex(sha256(typeof data === "string" ? utf8ToBytes(data) : data));

export const handleOf = (content: string | Uint8Array): string => `${PREFIX}${sha256Hex(content)}`;

export const aliasOf = (handle: string): string =>
  handle.slice(PREFIX.length, PREFIX.length + ALIAS_DIGITS);

/** Of a session and of all that were begun within it. */
export const rootOf = (session: string): string => session.split("/", 1).join();

export type Writing = Omit<ContentEntry, "handle"> & { readonly text: string };

/** What was written stays as it was: writing again under a name gives the name to another content. */
export function contentWritten(
  book: ContentBook,
  { session, name, text, visibility }: Writing,
): { readonly book: ContentBook; readonly handle: string; readonly alias: string } | Refused {
  if (name.trim() === "") {
    return faultOnly({
      field: "name",
      found: "an empty name",
      allowed: "a name that is not blank",
      todo: "give the content a name",
      said: "content name must not be empty",
    });
  }
  const handle = handleOf(text);
  const entry: ContentEntry = { session, name, handle, visibility };
  const others = book.entries.filter((one) => !isSame(one, entry));
  const texts = Object.hasOwn(book.texts, handle) ? book.texts : { ...book.texts, [handle]: text };
  return { book: { texts, entries: [...others, entry] }, handle, alias: aliasOf(handle) };
}

const isSame = (a: ContentEntry, b: ContentEntry): boolean =>
  a.session === b.session &&
  a.name === b.name &&
  a.handle === b.handle &&
  a.visibility === b.visibility;

type Scope = "session" | "root" | "global";

export interface Found {
  readonly handle: string;
  readonly text: string;
  /** As what it was found. */
  readonly by: "name" | "alias" | "handle";
  /** Whose it is. */
  readonly of: Scope;
}

/** What a session sees, nearest first: its own, what its root's sessions share, what all share. */
function scopesOf(
  { entries }: ContentBook,
  session: string,
): readonly (readonly [Scope, readonly ContentEntry[]])[] {
  const root = rootOf(session);
  return [
    ["session", entries.filter((one) => one.session === session)],
    ["root", entries.filter((one) => one.visibility !== "private" && rootOf(one.session) === root)],
    ["global", entries.filter(({ visibility }) => visibility === "global")],
  ];
}

/** Content by name, alias or handle, as far as the session sees it. */
export function contentFound(
  book: ContentBook,
  session: string,
  reference: string,
  policy: ContentPolicy,
): Found | Refused {
  const scopes = scopesOf(book, session);
  for (const way of waysOf(reference, policy)) {
    for (const [of, entries] of scopes) {
      const handles = [...new Set(entries.filter(way.fits).map(({ handle }) => handle))];
      if (handles.length > 1 && way.by === "alias" && policy.sameAlias === "refused") {
        return ambiguous(reference, handles);
      }
      const handle = entries.findLast(way.fits)?.handle;
      const text = handle === undefined ? undefined : book.texts[handle];
      if (handle !== undefined && text !== undefined) return { handle, text, by: way.by, of };
    }
  }
  return notFound(reference, session);
}

interface Way {
  readonly by: Found["by"];
  readonly fits: (entry: ContentEntry) => boolean;
}

function waysOf(reference: string, { lookup }: ContentPolicy): readonly Way[] {
  const alias = (digits: string): Way => ({
    by: "alias",
    fits: ({ handle }) => aliasOf(handle) === digits,
  });
  const name: Way = { by: "name", fits: (entry) => entry.name === reference };
  if (reference.startsWith(PREFIX)) {
    const digits = reference.slice(PREFIX.length);
    const handle: Way = { by: "handle", fits: (entry) => entry.handle === reference };
    return [ALIAS.test(digits) ? alias(digits) : handle];
  }
  if (!ALIAS.test(reference)) return [name];
  // The real system never looks for a name then.
  return lookup === "names-first" ? [name, alias(reference)] : [alias(reference)];
}

/** Whether a text is the hash of some content, in place of a name or an artifact. */
export const isRawHandle = (reference: string): boolean => HANDLE.test(reference);

const ambiguous = (alias: string, handles: readonly string[]): Refused =>
  faultOnly({
    field: "reference",
    found: `${alias}, which fits ${[...handles].sort().join(" and ")}`,
    allowed: "an alias that fits one content",
    todo: "use the name or the whole handle",
    said: `content alias '${alias}' is ambiguous: it fits ${handles.length} contents`,
  });

const notFound = (reference: string, session: string): Refused =>
  faultOnly({
    field: "reference",
    found: `'${reference}', which session '${session}' does not see`,
    allowed: "a name, an alias or a handle of this session, of its root session, or a global one",
    todo: "ask who wrote it to write it with visibility session or global, or ask for the artifact_id",
    said: `content '${reference}' not found in session '${session}', its root session or global content`,
  });
