/** What is served of several bundles: a list of them, the worst first, and a page of each that is asked for. */
import { copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countOf } from "../../contract/countOf.ts";
import { pageStyle } from "../../viewer/pageStyle.ts";
import { FLAG, packColumns, type ViewPage } from "../../viewer/viewData.ts";
import { readManifest } from "../bundle/bundleReader.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import { isEdgeError } from "../errors.ts";
import { htmlPage } from "../htmlPage.ts";
import type { PartLists } from "../parts/partLists.ts";
import { beside } from "./beside.ts";
import { glanceAt, type OpenRun, openRun, pieceOf, startedIn } from "./openRun.ts";
import { escapedHtml, pageHtml, pagePolicy, safeScript } from "./pageHtml.ts";
import { pageScript } from "./pageScript.ts";
import { viewCharts } from "./viewCharts.ts";
import type { Answer, Answering } from "./viewServer.ts";

/** What is known of a bundle before it is opened. */
export interface Listed {
  readonly folder: string;
  readonly title: string;
  readonly says: string;
  readonly failures: number;
  readonly wrong: number;
  /** Why it cannot be opened; null where it can. */
  readonly fault: string | null;
}

/** Ours: a larger log is looked into when its page is asked for. */
const LOOKED_AT_BYTES = 8_000_000;
/** Runs that stay open; ours. */
const OPEN_MOST = 2;

export interface PagesOf {
  readonly lists: PartLists;
  readonly folders: readonly string[];
  /** Told on top of every page, such as what of a log could not be read. */
  readonly notes: readonly string[];
  /** The first page shows both of two. */
  readonly isPair?: boolean;
  /** A run that has no end yet is read again as it grows. */
  readonly isFollowed?: boolean;
}

/** One look at a bundle: what went wrong in it. */
export function listed(lists: PartLists, folder: string): Listed {
  const none = { folder, title: folder, failures: 0, wrong: 0 };
  const log = statSync(join(folder, FILES.events), { throwIfNoEntry: false });
  if ((log?.size ?? 0) > LOOKED_AT_BYTES) {
    const says = `a log of ${Math.round((log?.size ?? 0) / 1e6)} MB, looked into when it is opened`;
    return { ...none, says, fault: null };
  }
  try {
    const { title, summary, columns } = glanceAt(lists, folder);
    const count = (flag: number): number =>
      columns.flags.reduce((sum, one) => sum + ((one & flag) === 0 ? 0 : 1), 0);
    return {
      ...{ folder, title, says: summary.join(" "), fault: null },
      ...{ failures: count(FLAG.failure), wrong: count(FLAG.wrong) },
    };
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    return { ...none, says: "", fault: error.message.split("\n")[0] ?? "" };
  }
}

/** The worst first; of as bad ones, by name. */
export const worstFirst = (all: readonly Listed[]): readonly Listed[] =>
  all.toSorted(
    (a, b) => b.failures - a.failures || b.wrong - a.wrong || (a.folder < b.folder ? -1 : 1),
  );

/** Of a run that still writes, its recording as it is now: it is copied, read and forgotten, and tells all the rest. */
function openedNow(lists: PartLists, folder: string): OpenRun {
  if (readManifest(lists.parts, folder).final !== undefined) return openRun(lists, folder);
  const copy = mkdtempSync(join(tmpdir(), "ghostlight-follow-"));
  try {
    for (const name of [FILES.manifest, FILES.inputs]) {
      copyFileSync(join(folder, name), join(copy, name));
    }
    const { head, ...open } = openRun(lists, copy);
    return { ...open, head: { ...head, bundle: folder } };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** What tells whether a bundle grew. */
const versionOf = (folder: string): string =>
  [FILES.manifest, FILES.inputs, FILES.events]
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false }))
    .map((stats) => `${stats?.size ?? 0} ${stats?.mtimeMs ?? 0}`)
    .join();

/** A page at `N/`, its data below it, and the list at the root; one bundle has no list, and two side by side have none. */
export function viewPages(of: PagesOf, all: readonly Listed[]): Answering {
  const { lists, folders, notes, isPair = false, isFollowed = false } = of;
  const open = new Map<string, OpenRun & { readonly version: string }>();
  const opened = (folder: string, isNew = false): OpenRun => {
    const known = open.get(folder);
    const version = isFollowed ? versionOf(folder) : "";
    const isOld = known === undefined || (isNew && known.version !== version);
    const reading = isFollowed ? openedNow : openRun;
    const run = isOld ? { ...reading(lists, folder), version } : known;
    open.delete(folder);
    open.set(folder, run);
    for (const oldest of open.keys()) {
      if (open.size <= OPEN_MOST) break;
      open.delete(oldest);
    }
    return run;
  };
  const pageOf = (folder: string): ViewPage => {
    const shown = isPair ? folders : [folder];
    const [a, b] = shown.map((one) => opened(one, true));
    const runs = [a, b].flatMap((one) => (one === undefined ? [] : [headOf(one, of)]));
    return { runs, beside: a && b ? beside(lists, a, b) : null };
  };
  return async (path, query) => {
    if (path === "")
      return { type: "text/html", body: listHtml(all, folders, notes, query), policy: LIST_POLICY };
    const [, number = "", name = ""] = /^(\d{1,9})\/([\w-]*)$/.exec(path) ?? [];
    const folder = number === "" ? undefined : folders[Number(number)];
    if (folder === undefined) return undefined;
    if (name === "") return pageAnswer(pageOf(folder), folder);
    const json = (value: unknown): Answer => ({
      ...{ type: "application/json", body: JSON.stringify(value) },
    });
    if (name === "version") return json(versionOf(folder));
    if (name === "head") return json(pageOf(folder));
    const run = opened(folder);
    if (name === "columns") {
      return { type: "application/octet-stream", body: packColumns(run.columns) };
    }
    if (name === "charts") return json(viewCharts(run.run, startedIn(run)));
    const [, piece] = /^piece-(\d{1,9})$/.exec(name) ?? [];
    const rows = piece === undefined ? undefined : pieceOf(run, Number(piece), () => "whole");
    return rows && json(rows);
  };
}

function headOf({ head, run }: OpenRun, { notes, isFollowed = false }: PagesOf) {
  const isStill = isFollowed && run.bundle.manifest.final === undefined;
  // Of a run that still goes, "did not end as planned" is not so.
  const told = isStill ? [] : head.notes;
  return { ...head, notes: [...notes, ...told], ...(isStill && { isFollowed: true as const }) };
}

async function pageAnswer(page: ViewPage, folder: string): Promise<Answer> {
  const script = await pageScript();
  const fallback = `<p>This page needs JavaScript. ${escapedHtml(join(folder, FILES.page))} tells the run without.</p>`;
  const body = pageHtml({ page, script, fallback, data: [], isServed: true });
  return { type: "text/html", body, policy: pagePolicy(safeScript(script), true) };
}

const LIST_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

function listHtml(
  all: readonly Listed[],
  folders: readonly string[],
  notes: readonly string[],
  query: string,
): string {
  const rows = all.map(({ folder, title, says, failures, wrong, fault }) => {
    const cells = [
      fault === null
        ? `<a href="${folders.indexOf(folder)}/${query}">${escapedHtml(title)}</a>`
        : escapedHtml(title),
      failures === 0 ? "" : String(failures),
      wrong === 0 ? "" : String(wrong),
      escapedHtml(fault === null ? says : `Cannot be opened: ${fault}`),
      escapedHtml(folder),
    ];
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const head = ["Run or log", "Failures", "Went wrong", "What happened", "Folder"];
  const runs = countOf(all.length, "run");
  const body = `<main class="plain list">
<h1>${runs}, the worst first</h1>
${notes.map((text) => `<p class="note">${escapedHtml(text)}</p>`).join("\n")}
<table>
<thead><tr>${head.map((one) => `<th>${one}</th>`).join("")}</tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</main>`;
  return htmlPage({ title: `${runs} · Ghostlight`, style: pageStyle, body });
}
