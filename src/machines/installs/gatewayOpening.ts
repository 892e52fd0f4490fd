/** What the gateway has from the start: artifacts that were built, and records of them. */
import type { Changed } from "../portMail.ts";
import { judgeOf, type Role } from "./addresses.ts";
import { artifactBuilt } from "./content/artifact.ts";
import { contentWritten } from "./content/content.ts";
import { type Finding, recorded } from "./gate/promotionRecords.ts";
import { type Books, NO_BOOKS } from "./gatewayBooks.ts";
import { sessionOf } from "./gatewayCall.ts";
import { storedFiles } from "./gatewayStore.ts";
import type { InstallsPolicy } from "./installsPolicy.ts";

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
