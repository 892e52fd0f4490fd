/** How the gateway begins, and begins again: from its store, with what was half done continued or dropped, and said. */
import { ask, type Letter, type Mail } from "../letter.ts";
import { ownValue } from "../ownValue.ts";
import type { Changed } from "../portMail.ts";
import { activeNow } from "./activeMail.ts";
import { approvalAddress, GATEWAY, revisionAddress } from "./addresses.ts";
import type { Books } from "./gatewayBooks.ts";
import { approvalBegun, revisionFacts } from "./gatewayFacts.ts";
import {
  foreignIn,
  INSTALLS_FOLDER,
  pointerPath,
  type Restored,
  restored,
  revisionFolder,
} from "./gatewayStore.ts";
import type { InstallsPolicy } from "./installsPolicy.ts";
import { bookFault, revisionOf } from "./revisions/revisionBook.ts";

export const STORE_KEY = "store";
const REVISION_KEY = "recall:revision:";
const APPROVAL_KEY = "recall:approval:";

export const storeAsked: Letter = ask({
  to: "files",
  key: STORE_KEY,
  event: { type: "files.snapshot", folders: [INSTALLS_FOLDER] },
});

type Files = { readonly [path: string]: string };

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
