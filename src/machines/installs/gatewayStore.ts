/**
 * The gateway's books as files, and back again. They are written in an order in which a crash at any point leaves a store
 * that says what was half done: first what nobody names yet, then all books at one instant, the active pointers last.
 */
import { isMap } from "../isMap.ts";
import type { Json } from "../letter.ts";
import { onceFor } from "../onceFor.ts";
import type { Changed } from "../portMail.ts";
import { readJson } from "../readJson.ts";
import { sortedJson } from "../sortedJson.ts";
import { handleOf, sha256Hex } from "./content/content.ts";
import type { Approval } from "./gate/approval.ts";
import type { Books } from "./gatewayBooks.ts";
import { NO_BOOKS } from "./gatewayBooks.ts";
import type { InstallDossier } from "./mail.ts";
import { type CausalEntry, NO_HISTORY } from "./revisions/causalChain.ts";
import type { Revision } from "./revisions/revision.ts";
import { type RevisionBook, recounted } from "./revisions/revisionBook.ts";

export const INSTALLS_FOLDER = "/agentOS/installs";

interface Files {
  readonly [path: string]: string;
}

const path = (...parts: readonly string[]): string => [INSTALLS_FOLDER, ...parts].join("/");

export const pointerPath = (agent: string): string => path("active", agent);

/** Where the files of a revision lie. */
export const revisionFolder = (agent: string, id: string): string => path("agents", agent, id);

/** One step of writing after another; what stands in one changes at one instant. */
export function storeSteps(before: Books, after: Books): readonly Changed[] {
  const steps = [textsOf, booksOf, pointersOf].map((of) => changed(of(before), of(after)));
  return steps.filter((step) => Object.keys(step).length > 0);
}

/** All of it, for a world in which it is there from the start. */
export const storedFiles = (books: Books): Changed =>
  Object.assign({}, ...storeSteps(NO_BOOKS, books));

function changed(before: Files, after: Files): Changed {
  const gone = Object.keys(before).filter((one) => !Object.hasOwn(after, one));
  const other = Object.entries(after).filter(([one, text]) => before[one] !== text);
  return Object.fromEntries([...gone.map((one) => [one, null] as const), ...other]);
}

/** Contents under their hashes, and the files of each revision under its id. */
function textsOf({ content: { texts }, revisions: { revisions } }: Books): Files {
  const contents = Object.entries(texts).map(([handle, text]) => [contentPath(handle), text]);
  const files = Object.values(revisions).flatMap(({ agent, id, content }) =>
    Object.entries(content.files).map(([name, handle]) => [
      `${revisionFolder(agent, id)}/${name}`,
      texts[handle] ?? "",
    ]),
  );
  return Object.fromEntries([...contents, ...files]);
}

const contentPath = (handle: string): string => path("content", handle.replace(/^sha256:/, ""));

const each = (folder: string, map: { readonly [name: string]: object }) =>
  Object.entries(map).map(([name, value]) => [path(folder, `${name}.json`), written(value)]);

type Kept = { readonly [field: string]: Json } | readonly Json[];

/** Only what is JSON is ever kept. Sealed, so that what was changed since is found. */
const written = onceFor((value: object): string => {
  const body = value as Kept;
  return `${sortedJson({ body, seal: sealOf(body) })}\n`;
});

const sealOf = (body: Json): string => sha256Hex(sortedJson(body));

function booksOf(books: Books): Files {
  const { content, artifacts, records, revisions, gates, workflows } = books;
  const asked = Object.entries(books.approvals).map(([id, approval]) => [
    id,
    { approval, dossier: books.dossiers[id] ?? null },
  ]);
  const rows = Object.entries(revisions.revisions).map(([id, revision]) => [
    id,
    { revision, gates: gates[id] ?? [] },
  ]);
  const history = revisions.history.entries.map((entry, index) => [
    String(index + 1).padStart(6, "0"),
    entry,
  ]);
  return Object.fromEntries([
    ...each("artifacts", artifacts),
    ...each("records", records),
    ...each("approvals", Object.fromEntries(asked)),
    ...each("revisions", Object.fromEntries(rows)),
    ...each("history", Object.fromEntries(history)),
    ...Object.entries({ entries: content.entries, workflows })
      .filter(([, value]) => Object.keys(value).length > 0)
      .map(([name, value]) => [path(`${name}.json`), written(value)]),
  ]);
}

const pointersOf = ({ revisions: { agents } }: Books): Files =>
  Object.fromEntries(
    Object.entries(agents).flatMap(([agent, { active }]) =>
      active === null ? [] : [[pointerPath(agent), `${active}\n`]],
    ),
  );

export interface Restored {
  readonly books: Books;
  /** The active revision by agent, as the pointers have it. */
  readonly pointers: { readonly [agent: string]: string };
  /** Folders of revisions that no book knows. */
  readonly strays: readonly { readonly agent: string; readonly id: string }[];
}

/** What lies in the store; or the file of it that is not what was written. */
export function restored(files: Files): Restored | { readonly unsealed: string } {
  const below = (folder: string): readonly (readonly [string, string])[] => {
    const from = `${path(folder)}/`;
    return Object.entries(files)
      .filter(([one]) => one.startsWith(from))
      .map(([one, text]) => [one.slice(from.length), text]);
  };
  const all = <T>(folder: string): readonly (readonly [string, T])[] =>
    below(folder).map(([name, text]) => [
      name.replace(/\.json$/, ""),
      parsed<T>(`${folder}/${name}`, text),
    ]);
  try {
    const rows = all<{ readonly revision: Revision; readonly gates: Books["gates"][string] }>(
      "revisions",
    );
    const asked = all<{ readonly approval: Approval; readonly dossier: InstallDossier }>(
      "approvals",
    );
    const byId = Object.fromEntries(rows.map(([id, { revision }]) => [id, revision]));
    const books: Books = {
      content: {
        texts: Object.fromEntries(below("content").map(([hex, text]) => [`sha256:${hex}`, text])),
        entries: whole<Books["content"]["entries"]>(files, "entries") ?? [],
      },
      artifacts: Object.fromEntries(all("artifacts")),
      records: Object.fromEntries(all("records")),
      approvals: Object.fromEntries(asked.map(([id, { approval }]) => [id, approval])),
      dossiers: Object.fromEntries(asked.map(([id, { dossier }]) => [id, dossier])),
      revisions: revisionsIn(
        byId,
        all<CausalEntry>("history").map(([, entry]) => entry),
      ),
      gates: Object.fromEntries(rows.map(([id, { gates }]) => [id, gates])),
      workflows: whole(files, "workflows") ?? {},
    };
    const pointers = below("active").map(([agent, text]) => [agent, text.trim()]);
    return {
      books,
      pointers: Object.fromEntries(pointers),
      strays: straysIn(below("agents"), byId),
    };
  } catch (thrown) {
    if (thrown instanceof NotOurs) return { unsealed: thrown.path };
    throw thrown;
  }
}

class NotOurs extends Error {
  readonly path: string;

  constructor(name: string) {
    super(`unsealed: ${name}`);
    this.path = path(name);
  }
}

/** Under its seal it is what was written, and so of this form. */
function parsed<T>(name: string, text: string): T {
  const value = readJson(text);
  if (!isMap(value)) throw new NotOurs(name);
  const { body, seal } = value;
  if (body === undefined || sealOf(body) !== seal) throw new NotOurs(name);
  return body as T;
}

const whole = <T>(files: Files, name: string): T | null => {
  const text = files[path(`${name}.json`)];
  return text === undefined ? null : parsed<T>(`${name}.json`, text);
};

/** What lies in the folder and is not the gateway's: files that it does not keep, and those that hold another text. */
export function foreignIn(files: Files, { books, strays }: Restored): readonly string[] {
  const kept = storedFiles(books);
  const isStray = (one: string): boolean =>
    strays.some(({ agent, id }) => one.startsWith(`${revisionFolder(agent, id)}/`));
  const isPointer = (one: string): boolean =>
    Object.keys(books.revisions.agents).some((agent) => one === pointerPath(agent));
  return Object.entries(files)
    .filter(([one]) => one.startsWith(`${INSTALLS_FOLDER}/`) && !isStray(one) && !isPointer(one))
    .filter(([one, text]) => kept[one] !== text || !isItsOwn(one, text))
    .map(([one]) => one)
    .sort();
}

/** A content lies under its own hash. */
const isItsOwn = (one: string, text: string): boolean =>
  !one.startsWith(`${path("content")}/`) || one === contentPath(handleOf(text));

/** In the order in which they were created; which is active, the history alone says. */
function revisionsIn(
  byId: RevisionBook["revisions"],
  entries: readonly CausalEntry[],
): RevisionBook {
  const history = { entries, head: entries.at(-1)?.entry_hash ?? NO_HISTORY.head };
  const { states, agents } = recounted(history);
  const ordered = Object.keys(states).flatMap((id) =>
    byId[id] === undefined ? [] : [[id, byId[id]]],
  );
  return { revisions: { ...Object.fromEntries(ordered), ...byId }, agents, history };
}

/** Of a revision, below the folder of its agent; whatever else lies there is no revision's. */
const REVISIONS_FILE = /^([^/]+)\/(rev-[0-9a-f]{8})\/./;

function straysIn(
  found: readonly (readonly [string, string])[],
  byId: RevisionBook["revisions"],
): Restored["strays"] {
  const folders = new Map(
    found.flatMap(([one]) => {
      const [, agent, id] = REVISIONS_FILE.exec(one) ?? [];
      return agent === undefined || id === undefined ? [] : [[`${agent}/${id}`, { agent, id }]];
    }),
  );
  return [...folders.values()].filter(({ id }) => !Object.hasOwn(byId, id));
}
