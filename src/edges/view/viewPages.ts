/** What is served of several bundles: a list of them, the worst first, and a page of each that is asked for. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { countOf } from "../../contract/countOf.ts";
import { isMap } from "../../machines/isMap.ts";
import { pageStyle } from "../../viewer/pageStyle.ts";
import { FLAG, packColumns, type ViewPage, type ViewPlaying } from "../../viewer/viewData.ts";
import { readManifest } from "../bundle/bundleReader.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import { badInput, isEdgeError } from "../errors.ts";
import { htmlPage } from "../htmlPage.ts";
import type { PartLists } from "../parts/partLists.ts";
import { parsedJson } from "../strictValue.ts";
import { type BothRuns, beside } from "./beside.ts";
import { Blames } from "./blames.ts";
import { FollowedRun } from "./followedRun.ts";
import { glanceAt } from "./openRun.ts";
import { escapedHtml, pageHtml, pagePolicy, safeScript } from "./pageHtml.ts";
import { pageScript } from "./pageScript.ts";
import type { Player } from "./player.ts";
import { type IndexOptions, openIndexed, stampsOf } from "./runIndex.ts";
import type { ServedRun } from "./servedRun.ts";
import { Variants } from "./variants.ts";
import type { Answer, Answering, Posting, Served } from "./viewServer.ts";

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

export interface PagesOf extends IndexOptions {
  readonly lists: PartLists;
  readonly folders: readonly string[];
  /** Told on top of every page, such as what of a log could not be read. */
  readonly notes: readonly string[];
  /** The first page shows both of two. */
  readonly isPair?: boolean;
  /** A run that has no end yet is read again as it grows. */
  readonly isFollowed?: boolean;
  /** Of parts that do not come with the program. */
  readonly partFiles?: readonly string[] | undefined;
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

/** What tells whether a bundle grew. */
const versionOf = (folder: string): string => stampsOf(folder).join();

/** What a server of pages does. */
export interface ViewPages extends Served {
  /** From now on it has pages of this bundle, too; gives its number. */
  readonly numberOf: (folder: string) => number;
  /** Opens those that stand first, before anybody asks. */
  readonly open: () => void;
}

/** A page of one run, or of two side by side, and what of it is asked for. */
const PAGE = /^(\d{1,9})(?:-(\d{1,9}))?\/([\w-]*)$/;

/** The page of a run at `N/`, of two at `N-M/`, their data below, and the list at the root; one bundle has no list, and two side by side have none. */
export function viewPages(of: PagesOf, all: readonly Listed[], player: Player): ViewPages {
  const { lists, notes, isPair = false, isFollowed = false } = of;
  const folders = [...of.folders];
  const numberOf = (folder: string): number =>
    folders.includes(folder) ? folders.indexOf(folder) : folders.push(folder) - 1;
  const followed = new Kept(() => new FollowedRun());
  const runs = new Kept((folder: string): Versioned => {
    const version = isFollowed ? versionOf(folder) : "";
    const isStill = isFollowed && readManifest(lists.parts, folder).final === undefined;
    const run = isStill ? followed.get(folder).open(lists, folder) : openIndexed(lists, folder, of);
    return { ...run, version };
  });
  const variants = new Variants(lists, player);
  const blames = new Blames(lists, player, of.partFiles);
  const opened = (folder: string, isNew = false): ServedRun => {
    if (isNew && isFollowed && runs.now(folder)?.version !== versionOf(folder)) runs.drop(folder);
    return runs.get(folder);
  };
  /** Both stay together: what of one is marked depends on the other. */
  const pairs = new Kept((name: string): BothRuns => {
    const [a = "", b = ""] = name.split("\n");
    return beside(lists, opened(a).whole(), opened(b).whole());
  });
  const pageOf = (shown: readonly string[]): ViewPage => {
    const open = shown.map((one) => opened(one, true));
    const [a] = open;
    const name = shown.join("\n");
    if (isFollowed) pairs.drop(name);
    const isPlayed = shown.some((one) => !of.folders.includes(one));
    const alone = shown.length === 1 ? a : undefined;
    return {
      runs: open.map((one) => ({
        ...blames.on(headOf(one, of), one),
        variants: variants.table(one),
      })),
      beside: shown.length > 1 ? pairs.get(name).told : null,
      plays: alone === undefined ? null : variants.of(alone),
      asks: alone === undefined ? null : blames.asksOf(alone),
      alone: isPlayed ? `../${folders.indexOf(shown[0] ?? "")}/` : null,
    };
  };
  /** `columns`, `charts` or `piece-N` of the run with a number on the page. */
  const dataOf = (shown: readonly string[], number: number, name: string): Answer | undefined => {
    const folder = shown[number];
    if (folder === undefined) return undefined;
    const run = opened(folder);
    if (name === "columns") {
      const flags = shown.length > 1 ? pairs.get(shown.join("\n")).flags[number] : undefined;
      const body = packColumns({ ...run.columns, ...(flags && { flags }) });
      return { type: "application/octet-stream", body };
    }
    if (name === "charts") return textAnswer(run.charts());
    const [, piece, words] =
      /^(?:piece-(\d{1,9})|words-(\d{1,9}(?:_\d{1,9}){0,400}))$/.exec(name) ?? [];
    const rows = piece === undefined ? undefined : run.piece(Number(piece), "whole");
    const all = words?.split("_").map((one) => run.piece(Number(one), "bare") ?? "[]");
    const text = rows ?? (all && `[${all.join()}]`);
    return text === undefined ? undefined : textAnswer(text);
  };
  const foldersAt = (path: string): { shown: readonly string[]; name: string } | undefined => {
    const [, a, b, name = ""] = PAGE.exec(path) ?? [];
    const numbers = [a, b].filter((one) => one !== undefined).map(Number);
    const shown = numbers.flatMap((number) => folders[number] ?? []);
    return shown.length > 0 && shown.length === numbers.length ? { shown, name } : undefined;
  };
  const answering: Answering = async (path, query) => {
    if (path === "") {
      const body = listHtml(all, folders, notes, query);
      return { type: "text/html", body, policy: LIST_POLICY };
    }
    const { shown, name } = foldersAt(path) ?? { shown: [], name: "" };
    const [first] = shown;
    if (first === undefined) return undefined;
    if (name === "") return pageAnswer(pageOf(shown), first);
    if (name === "version") return jsonAnswer(versionOf(first));
    if (name === "head") return jsonAnswer(pageOf(shown));
    const [, number, data] = /^([01])-(.*)$/.exec(name) ?? [];
    return data === undefined ? undefined : dataOf(shown, Number(number), data);
  };
  const posting: Posting = (path) => {
    const { shown, name } = foldersAt(path) ?? {};
    const [folder] = shown ?? [];
    if (folder === undefined || shown?.length !== 1 || isPair) return undefined;
    if (name === "blame") {
      return async (said, tell, signal) => {
        const told = nowAndThen(tell);
        const keeps = postedFields(said)["keep"] === true;
        const onDone = (says: string): void => told({ says });
        await blames.ask(opened(folder), { keeps, onDone, signal });
        tell({ page: String(numberOf(folder)) });
      };
    }
    if (name !== "play") return undefined;
    return async (said, tell, signal) => {
      const { variant } = namedIn(said);
      const told = nowAndThen(tell);
      const options = { onMs: (virtualMs: number) => told({ virtualMs }), signal };
      const played = await variants.play(opened(folder), variant, options);
      tell({ page: `${numberOf(folder)}-${numberOf(played)}` });
    };
  };
  return {
    answering,
    posting,
    numberOf,
    open: () => of.folders.slice(0, OPEN_MOST).forEach((one) => void opened(one)),
  };
}

/** Ms between two words on how far it is. */
const TELL_MS = 200;

export function nowAndThen(tell: (line: object) => void): (line: ViewPlaying) => void {
  let toldMs = 0;
  return (line) => {
    if (performance.now() - toldMs < TELL_MS) return;
    toldMs = performance.now();
    tell(line);
  };
}

type Versioned = ServedRun & { readonly version: string };

/** The last few of what is costly to make. */
class Kept<T> {
  readonly #all = new Map<string, T>();
  readonly #make: (name: string) => T;

  constructor(make: (name: string) => T) {
    this.#make = make;
  }

  now = (name: string): T | undefined => this.#all.get(name);
  drop = (name: string): boolean => this.#all.delete(name);

  get(name: string): T {
    const found = this.#all.get(name) ?? this.#make(name);
    this.#all.delete(name);
    this.#all.set(name, found);
    for (const oldest of this.#all.keys()) {
      if (this.#all.size <= OPEN_MOST) break;
      this.#all.delete(oldest);
    }
    return found;
  }
}

const textAnswer = (body: string): Answer => ({ type: "application/json", body });

const jsonAnswer = (value: unknown): Answer => textAnswer(JSON.stringify(value));

/** Throws BadInput for what names no variant. */
/** Of what a page posted; none where that is no JSON. */
export function postedFields(said: string): { readonly [name: string]: unknown } {
  const parsed = parsedJson(said);
  return "value" in parsed && isMap(parsed.value) ? parsed.value : {};
}

function namedIn(said: string): { readonly variant: string } {
  const { variant } = postedFields(said);
  if (typeof variant === "string") return { variant };
  throw badInput("variant", "none", "the name of a variant", 'Post {"variant": NAME}.');
}

function headOf({ head, of }: ServedRun, { notes, isFollowed = false }: PagesOf) {
  const isStill = isFollowed && of.manifest.final === undefined;
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
