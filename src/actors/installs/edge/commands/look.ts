/** `ghostlight install show` and `diff`: a revision or an approval of a recorded run, and what two revisions differ in. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { partLists } from "../../../../cli/chosenParts.ts";
import { print, printJson } from "../../../../cli/output.ts";
import { bundlesBelow, isFolder } from "../../../../edges/bundle/bundleFolders.ts";
import { readBundle } from "../../../../edges/bundle/bundleReader.ts";
import { FILES } from "../../../../edges/bundle/bundleWriter.ts";
import { deliveriesOf } from "../../../../edges/bundle/derive.ts";
import { command, commandSaid } from "../../../../edges/command.ts";
import { type BadInput, badInput, hintFor, isEdgeError, quoted } from "../../../../edges/errors.ts";
import { escapedLine } from "../../../../edges/escapedText.ts";
import { EXIT } from "../../../../edges/exit.ts";
import type { PartLists } from "../../../../edges/parts/partLists.ts";
import { GATEWAY } from "../../../../machines/installs/addresses.ts";
import type { Books } from "../../../../machines/installs/gateway/books.ts";
import {
  type FieldChange,
  inspected,
  revisionDiff,
} from "../../../../machines/installs/revisions/revisionBook.ts";
import type { Json } from "../../../../machines/letter.ts";
import { ownValue } from "../../../../machines/ownValue.ts";
import { withChanges } from "../../../../substrate/changes.ts";
import type { Log } from "../../../../substrate/log.ts";
import { installDossierText } from "../gate.ts";

export interface LookFlags extends JsonFlag {
  readonly bundle?: string;
}

/** Where `run` puts bundles. */
const RUNS = "runs";
/** Ours: so many runs are looked through for an id, the newest first. */
const RUNS_MAX = 50;

interface Found {
  readonly bundle: string;
  readonly books: Books;
}

export async function installShowCommand(id: string, flags: LookFlags): Promise<number> {
  const found = foundIn(await partLists(flags), [id], flags.bundle);
  const { bundle, books } = found;
  const approval = ownValue(books.approvals, id);
  if (approval !== undefined) {
    const { status, decidedBy = null, reason = null, intent } = approval;
    const dossier = ownValue(books.dossiers, id) ?? null;
    if (flags.json) {
      printJson({ bundle, approval: id, status, decidedBy, reason, intent, dossier });
    } else {
      const by = decidedBy === null ? "" : ` by ${decidedBy}`;
      const why = reason === null ? "" : `: ${reason}`;
      const head = escapedLine(`${id} is ${status}${by}${why}`);
      print([head, ...(dossier === null ? [] : [installDossierText(dossier)])].join("\n"));
    }
    return EXIT.ok;
  }
  const { agent = "" } = ownValue(books.revisions.revisions, id) ?? {};
  const seen = inspected(books.revisions, agent, id);
  if ("fault" in seen) throw noRevision(found, id);
  const { revision, history } = seen;
  const steps = history.map(({ action, actor_id: by, timestamp: at, reason }) => {
    return { action, by, at, reason };
  });
  const gates = ownValue(books.gates, id) ?? [];
  const { content, state, hash } = revision;
  if (flags.json) {
    printJson({ bundle, revision: id, agent, state, hash, gates, ...content, history: steps });
    return EXIT.ok;
  }
  const { intent, artifact, files } = content;
  const lines = [
    `${id} of ${agent} is ${state}, in ${bundle}`,
    `  artifact ${artifact === null ? "none" : `${artifact.id}, ${artifact.digest}`}`,
    `  gates ${gates.join(" and ") || "none"}`,
    "history",
    ...steps.map(({ at, action, by, reason }) => {
      return `  ${at} ${action} by ${by}${reason === null ? "" : `: ${reason}`}`;
    }),
    "files",
    ...Object.entries(files).map(([name, handle]) => `  ${name} ${handle}`),
    "intent",
    ...JSON.stringify(intent, null, 2)
      .split("\n")
      .map((line) => `  ${line}`),
  ];
  print(lines.map(escapedLine).join("\n"));
  return EXIT.ok;
}

export async function installDiffCommand(
  from: string,
  to: string,
  flags: LookFlags,
): Promise<number> {
  const found = foundIn(await partLists(flags), [from, to], flags.bundle);
  const { bundle, books } = found;
  const agents = [from, to].map((id) => ownValue(books.revisions.revisions, id)?.agent);
  const missing = [from, to].find((_, index) => agents[index] === undefined);
  if (missing !== undefined) throw noRevision(found, missing);
  const [agent = "", other = ""] = agents;
  if (agent !== other) throw ofTwoAgents(from, to, [agent, other]);
  const said = revisionDiff(books.revisions, agent, [from, to]);
  if ("fault" in said) throw noRevision(found, from);
  if (flags.json) printJson({ bundle, agent, from, to, changes: said.changes });
  else if (said.changes.length === 0)
    print(`${agent}: ${from} and ${to} do not differ in any field.`);
  else print([`${agent}: ${from} → ${to}`, ...said.changes.map(changeText)].join("\n"));
  return EXIT.ok;
}

/** `- /intent/description "…"` and `+ /intent/description "…"`, whichever there is. */
const changeText = ({ path, before, after }: FieldChange): string =>
  [sideText("-", path, before), sideText("+", path, after)].filter((one) => one !== "").join("\n");

const sideText = (sign: string, path: string, value: Json | undefined): string =>
  value === undefined ? "" : escapedLine(`  ${sign} ${path} ${JSON.stringify(value)}`);

/** The named bundle, or the newest run that knows all of these ids. Throws BadInput. */
function foundIn(lists: PartLists, ids: readonly string[], folder: string | undefined): Found {
  const read = (bundle: string): readonly Found[] => {
    const books = booksIn(deliveriesOf(lists.parts, readBundle(lists, bundle)));
    return books === null ? [] : [{ bundle, books }];
  };
  const knows = ({ books }: Found): boolean => ids.every((id) => idsIn(books).includes(id));
  if (folder !== undefined) {
    const all = read(folder);
    const named = all.find(knows);
    if (named === undefined) throw unknown(all, unknownOf(all, ids) ?? "", folder);
    return named;
  }
  const looked: Found[] = [];
  for (const bundle of newest(isFolder(RUNS) ? bundlesBelow(RUNS) : [])) {
    let found: readonly Found[] = [];
    try {
      found = read(bundle);
    } catch (error) {
      // Another run may have it.
      if (!isEdgeError(error)) throw error;
    }
    const known = found.find(knows);
    if (known !== undefined) return known;
    looked.push(...found);
  }
  const missing = unknownOf(looked, ids);
  throw missing === undefined ? inTwoRuns(looked, ids) : unknown(looked, missing);
}

/** Null in a world without a gateway. */
function booksIn(deliveries: Log): Books | null {
  let state: { readonly books?: Books } | null = null;
  for (const { event, to, changes } of deliveries) {
    const isBirth = event.type === "actor.start" && event.machine === "gateway";
    if (!isBirth && (state === null || to !== GATEWAY)) continue;
    const own = changes.filter(({ path: [key] }) => key === "books");
    if (isBirth || own.length > 0) state = withChanges(isBirth ? {} : { ...state }, own);
  }
  return state?.books ?? null;
}

const idsIn = ({ approvals, revisions }: Books): readonly string[] => [
  ...Object.keys(revisions.revisions),
  ...Object.keys(approvals),
];

const unknownOf = (looked: readonly Found[], ids: readonly string[]): string | undefined =>
  ids.find((id) => !looked.some(({ books }) => idsIn(books).includes(id)));

const newest = (bundles: readonly string[]): readonly string[] => {
  const written = new Map(
    bundles.map((one) => [one, statSync(join(one, FILES.manifest)).mtimeMs] as const),
  );
  const age = (one: string): number => written.get(one) ?? 0;
  return bundles.toSorted((a, b) => age(b) - age(a) || (a < b ? 1 : -1)).slice(0, RUNS_MAX);
};

function unknown(looked: readonly Found[], id: string, folder = RUNS): BadInput {
  const ids = looked.flatMap(({ books }) => idsIn(books));
  return badInput(
    "<id>",
    `${quoted(id)}, which no gateway of ${folder} knows`,
    [...new Set(ids)].slice(0, IDS_SHOWN).join(", ") || "no id: no install was asked for",
    folder === RUNS
      ? `Name the run: ${command`install show ID --bundle ${"runs/RUN"}`}`
      : `Take an id of that run: ${commandSaid`events ${folder}`} tells what was installed in it.`,
    hintFor(id, ids),
  );
}

function inTwoRuns(looked: readonly Found[], ids: readonly string[]): BadInput {
  const runs = ids.map((id) => looked.find(({ books }) => idsIn(books).includes(id))?.bundle ?? "");
  const places = ids.map((id, index) => `${id} in ${runs[index]}`);
  const [first = "", second = ""] = runs;
  return badInput(
    "<id>",
    `${places.join(" and ")}, and no run of ${RUNS} that knows both`,
    "two revisions of one run",
    `${commandSaid`diff ${first} ${second}`} compares two runs; \`install show ID --bundle RUN\` tells each revision whole.`,
  );
}

const IDS_SHOWN = 20;

const noRevision = ({ bundle, books }: Found, id: string): BadInput =>
  badInput(
    "<id>",
    `${quoted(id)}, which is no revision of ${bundle}`,
    Object.keys(books.revisions.revisions).slice(0, IDS_SHOWN).join(", ") || "none",
    "`install show` takes approvals too; `install diff` compares revisions.",
  );

const ofTwoAgents = (from: string, to: string, agents: readonly string[]): BadInput =>
  badInput(
    "<id>",
    `${from} of ${agents[0]} and ${to} of ${agents[1]}`,
    "two revisions of one agent",
    "`install show ID` tells whose a revision is.",
  );
