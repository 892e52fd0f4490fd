/**
 * The gateway's books as files, and back again; what is there from the start, and how it begins again from its store. They are
 * written in an order in which a crash at any point leaves a store that says what was half done: first what nobody names yet,
 * then all books at one instant, the active pointers last.
 */
import { isMap } from "../../isMap.ts";
import { ask, type Json, type Letter, type Mail } from "../../letter.ts";
import { onceFor } from "../../onceFor.ts";
import { ownValue } from "../../ownValue.ts";
import type { Changed } from "../../portMail.ts";
import { readJson } from "../../readJson.ts";
import { sortedJson } from "../../sortedJson.ts";
import { approvalAddress, GATEWAY, judgeOf, type Role, revisionAddress } from "../addresses.ts";
import { artifactBuilt } from "../content/artifact.ts";
import { contentWritten, handleOf, sha256Hex } from "../content/content.ts";
import type { Approval } from "../gate/approval.ts";
import { type Finding, recorded } from "../gate/promotionRecords.ts";
import type { InstallsPolicy } from "../installsPolicy.ts";
import type { InstallDossier } from "../mail.ts";
import { type CausalEntry, NO_HISTORY } from "../revisions/causalChain.ts";
import type { Revision } from "../revisions/revision.ts";
import { bookFault, type RevisionBook, recounted, revisionOf } from "../revisions/revisionBook.ts";
import { activeNow, approvalBegun, revisionFacts } from "./bookFacts.ts";
import { type Books, NO_BOOKS, sessionOf } from "./books.ts";

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
const storedFiles = (books: Books): Changed => Object.assign({}, ...storeSteps(NO_BOOKS, books));

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

interface Restored {
  readonly books: Books;
  /** The active revision by agent, as the pointers have it. */
  readonly pointers: { readonly [agent: string]: string };
  /** Folders of revisions that no book knows. */
  readonly strays: readonly { readonly agent: string; readonly id: string }[];
}

/** What lies in the store; or the file of it that is not what was written. */
function restored(files: Files): Restored | { readonly unsealed: string } {
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
function foreignIn(files: Files, { books, strays }: Restored): readonly string[] {
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

/* What the gateway has from the start: artifacts that were built, and records of them. */

export interface OpeningArtifact {
  /** Texts by name. */
  readonly files: { readonly [name: string]: string };
  readonly entrypoints: readonly string[];
  readonly builtBy: string;
  readonly records: readonly OpeningRecord[];
}

export interface OpeningRecord {
  readonly role: Role;
  readonly pass: boolean;
  readonly findings: readonly Finding[];
}

export interface Opening {
  readonly artifacts: readonly OpeningArtifact[];
  /** Names of agents that live from the start. */
  readonly natives: readonly string[];
}

export const NO_OPENING: Opening = { artifacts: [], natives: [] };

export const openingFiles = (opening: Opening, policy: InstallsPolicy): Changed =>
  storedFiles(openingBooks(opening, policy));

export const openingBooks = ({ artifacts }: Opening, policy: InstallsPolicy): Books =>
  artifacts.reduce((books, one) => withArtifact(books, one, policy), NO_BOOKS);

/** One that no gateway would have built is not there. */
function withArtifact(
  books: Books,
  { files, entrypoints, builtBy, records }: OpeningArtifact,
  policy: InstallsPolicy,
): Books {
  const session = sessionOf(builtBy);
  let { content } = books;
  const built = [];
  for (const [name, text] of Object.entries(files)) {
    const written = contentWritten(content, { session, name, text, visibility: "session" });
    if ("fault" in written) return books;
    content = written.book;
    built.push({ name, handle: written.handle, size: text.length });
  }
  const done = artifactBuilt(
    books.artifacts,
    { files: built, entrypoints, builtBy },
    policy.artifact,
  );
  if ("fault" in done) return books;
  const { id: artifactId, digest } = done.artifact;
  const all = records.reduce((known, { role, pass, findings }) => {
    const given = { artifactId, role, pass, findings };
    const after = recorded(known, given, { from: judgeOf(role), digest }, policy);
    return "error" in after ? known : after.records;
  }, books.records);
  return { ...books, content, artifacts: done.book, records: all };
}

/* How the gateway begins, and begins again: from its store, with what was half done continued or dropped, and said. */

export const STORE_KEY = "store";
const REVISION_KEY = "recall:revision:";
const APPROVAL_KEY = "recall:approval:";

export const storeAsked: Letter = ask({
  to: "files",
  key: STORE_KEY,
  event: { type: "files.snapshot", folders: [INSTALLS_FOLDER] },
});

export type Begun =
  | { readonly damage: string }
  | { readonly books: Books; readonly letters: readonly Letter[] };

/** The books in a store: what they say counts, if they are whole; pointers and folders follow them. */
export function begun(files: Files, policy: InstallsPolicy): Begun {
  const found = restored(files);
  if ("unsealed" in found) return { damage: `${found.unsealed} is not as the gateway wrote it` };
  const { books } = found;
  const fault = bookFault(books.revisions, policy.history);
  if (fault !== null) return { damage: fault };
  return {
    books,
    letters: [
      ...mended(found, files),
      ...activations(found, policy),
      ...dropped(found),
      ...foreign(found, files),
      ...recalls(books),
      ...activeNow(books, policy),
    ],
  };
}

/** No one waits for it: the books are written already, and say the same at the next start. */
function mended({ books, pointers, strays }: Restored, files: Files): readonly Letter[] {
  const agents = new Set([...Object.keys(pointers), ...Object.keys(books.revisions.agents)]);
  const turned = [...agents].flatMap((agent): [string, string | null][] => {
    const active = activeIn(books, agent);
    return active === (ownValue(pointers, agent) ?? null)
      ? []
      : [[pointerPath(agent), active === null ? null : `${active}\n`]];
  });
  const gone = strays.flatMap(({ agent, id }) =>
    Object.keys(files)
      .filter((path) => path.startsWith(`${revisionFolder(agent, id)}/`))
      .map((path): [string, null] => [path, null]),
  );
  const changed: Changed = Object.fromEntries([...turned, ...gone]);
  if (Object.keys(changed).length === 0) return [];
  return [{ to: "files", event: { type: "files.apply", changed } }];
}

const activeIn = ({ revisions: { agents } }: Books, agent: string): string | null =>
  ownValue(agents, agent)?.active ?? null;

/** An activation that was written in the books, and not yet in the pointer. */
function activations({ books, pointers }: Restored, policy: InstallsPolicy): readonly Letter[] {
  const { agents, history } = books.revisions;
  return Object.keys(agents).flatMap((agent): Letter[] => {
    const active = activeIn(books, agent);
    const pointed = ownValue(pointers, agent) ?? null;
    if (active === pointed) return [];
    const last = history.entries.findLast((entry) => entry.target === agent);
    const together = history.entries.filter(
      (entry) =>
        entry.target === agent &&
        entry.timestamp === last?.timestamp &&
        entry.action !== "revision.created" &&
        entry.action !== "revision.draft",
    );
    const revision = active ?? pointed ?? "";
    const why = `the books say ${active ?? "nothing"}, the pointer said ${pointed ?? "nothing"}`;
    return [
      foundLetter({ revision, agent, half: "activation", did: "continued", why }),
      ...revisionFacts(together, books, policy),
    ];
  });
}

const dropped = ({ strays }: Restored): readonly Letter[] =>
  strays.map(({ agent, id: revision }) => {
    const why = "files of a revision that no book knows";
    return foundLetter({ revision, agent, half: "creation", did: "dropped", why });
  });

/** They count for nothing, and are left as they are: whoever wrote them is to be asked. */
function foreign(found: Restored, files: Files): readonly Letter[] {
  const paths = foreignIn(files, found);
  return paths.length === 0 ? [] : [{ to: GATEWAY, event: { type: "gateway.foreign", paths } }];
}

const foundLetter = (found: Mail["gateway.found"]): Letter => ({
  to: GATEWAY,
  event: { type: "gateway.found", ...found },
});

/** Each actor hears how it stands; one that does not live is started when the question comes back. */
const recalls = ({ revisions, approvals }: Books): readonly Letter[] => [
  ...Object.values(revisions.revisions).map(({ id, state }) =>
    ask({
      to: revisionAddress(id),
      key: `${REVISION_KEY}${id}`,
      event: { type: "revision.recalled", revision: id, state },
    }),
  ),
  ...Object.values(approvals)
    .filter(({ status }) => status === "pending" || status === "timed-out")
    .map(({ id }) =>
      ask({
        to: approvalAddress(id),
        key: `${APPROVAL_KEY}${id}`,
        event: { type: "approval.recalled", approval: id },
      }),
    ),
];

/** Nobody lives there: the act that was to start it was not finished, and nothing of it was told. */
export function awakened(books: Books, key: string, policy: InstallsPolicy): readonly Letter[] {
  if (key.startsWith(APPROVAL_KEY)) return approvalBegun(books, key.slice(APPROVAL_KEY.length));
  if (!key.startsWith(REVISION_KEY)) return [];
  const id = key.slice(REVISION_KEY.length);
  const revision = revisionOf(books.revisions, id);
  if (revision === undefined) return [];
  const { agent } = revision;
  const entries = books.revisions.history.entries.filter(({ log_id }) =>
    log_id.startsWith(`${id}#`),
  );
  const why = "its books were written, and nothing of it was told";
  return [
    foundLetter({ revision: id, agent, half: "creation", did: "continued", why }),
    ...revisionFacts(entries, books, policy),
  ];
}
