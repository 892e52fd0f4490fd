/** One file of a run: the page with all its data in it, as far as they have room. */
import { gzipSync } from "node:zlib";
import { markdownTable } from "markdown-table";
import type { Explanation } from "../../run/why.ts";
import {
  FLAG,
  packColumns,
  type ViewBeside,
  type ViewHead,
  type ViewPage,
} from "../../viewer/viewData.ts";
import { decidedText } from "../causes/blameText.ts";
import { clock } from "../duration.ts";
import { badInput } from "../errors.ts";
import { escapedText } from "../escapedText.ts";
import type { PartLists } from "../parts/partLists.ts";
import { drawPicture } from "../report/picture.ts";
import { explanationSection, reportText } from "../report/report.ts";
import { reportBody } from "../report/reportPage.ts";
import { tableCell } from "../report/tableCell.ts";
import { toldParts } from "../report/toldParts.ts";
import { beside } from "./beside.ts";
import { type OpenRun, openRun, pieceOf, startedIn } from "./openRun.ts";
import { pageHtml } from "./pageHtml.ts";
import { pageScript } from "./pageScript.ts";
import { Player } from "./player.ts";
import { servedRun } from "./servedRun.ts";
import { Variants } from "./variants.ts";
import { viewCharts } from "./viewCharts.ts";
import type { ViewedRun } from "./viewedRun.ts";
import type { Fullness } from "./viewRows.ts";

export interface ExportOptions {
  /** Whether prompts, answers and contents of letters are in it. */
  readonly withTexts: boolean;
  /** Bytes of the file; ours: 20 MB when absent. */
  readonly bytesMost?: number;
  /** Variants that are played and stand on the page beside the run; `onMs` hears how far each is. */
  readonly variants?: readonly string[];
  readonly onMs?: (variant: string, virtualMs: number) => void;
  readonly signal?: AbortSignal;
}

/** A page, and what it leaves out in words. */
export interface ExportedPage {
  readonly html: string;
  readonly missing: readonly string[];
}

const BYTES_MOST = 20_000_000;

/** Ours: so many deliveries around each link of a chain are told in full where there is no room for all. */
const NEAR = 40;

/** How full the rows near causes and the others are, from the fullest; `null` leaves their pieces out. */
const WAYS: readonly {
  readonly near: Fullness;
  readonly far: Fullness | null;
  readonly says: string;
}[] = [
  { near: "whole", far: "whole", says: "" },
  {
    near: "whole",
    far: "bare",
    says: "Prompts, answers and contents of letters are in it near causes and failures alone.",
  },
  {
    near: "whole",
    far: "silent",
    says: "Words, prompts, answers and contents are in it near causes and failures alone.",
  },
  { near: "bare", far: null, says: "Only deliveries near causes and failures are in it in words." },
];

/** One run, two side by side, or one with variants that are played for it. */
export async function exportPage(
  lists: PartLists,
  folders: readonly [string, (string | undefined)?],
  options: ExportOptions,
): Promise<ExportedPage> {
  const [folder, other] = folders;
  const player = new Player(lists);
  const variants = new Variants(lists, player);
  try {
    const run = openRun(lists, folder);
    const played = await playedFor(lists, run, variants, options);
    const others = other === undefined ? played : [openRun(lists, other)];
    return await pageOf(lists, { run, others, variants, folders }, options);
  } finally {
    player.dispose();
  }
}

async function playedFor(
  lists: PartLists,
  run: OpenRun,
  variants: Variants,
  { variants: names = [], onMs, signal }: ExportOptions,
): Promise<readonly OpenRun[]> {
  const played: OpenRun[] = [];
  for (const name of new Set(names)) {
    const told = { onMs: (ms: number) => onMs?.(name, ms), ...(signal && { signal }) };
    played.push(openRun(lists, await variants.play(servedRun(run), name, told)));
  }
  return played;
}

interface RunsOfPage {
  readonly run: OpenRun;
  /** Each to be seen beside it. */
  readonly others: readonly OpenRun[];
  readonly variants: Variants;
  readonly folders: readonly [string, (string | undefined)?];
}

async function pageOf(
  lists: PartLists,
  { run: first, others, variants, folders }: RunsOfPage,
  { withTexts, bytesMost = BYTES_MOST, variants: names = [] }: ExportOptions,
): Promise<ExportedPage> {
  const run = { ...first, head: { ...first.head, variants: variants.table(servedRun(first)) } };
  const opens = [run, ...others];
  const pairs = others.map((other) => beside(lists, run, other));
  const both = folders[1] === undefined ? null : (pairs[0]?.told ?? null);
  const script = await pageScript();
  const fallback = [besideText(both), ...opens.map((open) => plainPage(lists, open))].join("\n");
  const flags = [both ? pairs[0]?.flags[0] : undefined, ...pairs.map((pair) => pair.flags[1])];
  const fixed = opens.flatMap((open, at): [string, string][] => [
    [
      `${at}-columns`,
      base64(packColumns({ ...open.columns, flags: flags[at] ?? open.columns.flags })),
    ],
    [`${at}-charts`, base64(JSON.stringify(viewCharts(open.run, startedIn(open))))],
  ]);
  if (both === null) {
    for (const [at, pair] of pairs.entries()) {
      fixed.push([`0-flags-${at + 1}`, base64(pair.flags[0])]);
    }
  }
  const taken = fixed.reduce((sum, [, { length }]) => sum + length, 0);
  const room = (bytesMost - fallback.length - script.length - taken) / opens.length;
  for (const way of WAYS) {
    const limits = withTexts ? way : { near: least(way.near), far: way.far && least(way.far) };
    const pieces = opens.map((open, run) => piecesIn(open, run, { ...limits, room }));
    if (pieces.includes(undefined)) continue;
    const missing = [
      ...(withTexts ? [] : ["It was exported without prompts, answers and contents of letters."]),
      ...(way.says === "" ? [] : [`A whole page would pass ${bytesMost / 1e6} MB. ${way.says}`]),
    ];
    const page: ViewPage = {
      runs: opens.map(({ head }) => ({ ...head, missing })),
      beside: both,
      plays: folders[1] === undefined ? variants.onPage(servedRun(run), names, pairs) : null,
      ...{ asks: null, alone: null },
    };
    const data = [...fixed, ...pieces.flatMap((one) => one ?? [])];
    const html = pageHtml({ page, script, fallback, data });
    // A log may name a million actors: what is no piece takes room, too.
    if (html.length <= bytesMost) return { html, missing };
  }
  throw badInput(
    { file: folders.join(" ") },
    `${opens.map(({ head }) => `a log of ${head.count} deliveries`).join(" and ")}, for which a page of ${bytesMost / 1e6} MB has no room`,
    "a shorter log",
    "Look at it where it lies: `npx ghostlight view BUNDLE` reads it piece by piece.",
  );
}

const least = (fullness: Fullness): Fullness => (fullness === "whole" ? "bare" : fullness);

const base64 = (bytes: Uint8Array | string): string => gzipSync(bytes).toString("base64");

/** By place: whether it is near a link of a chain that the page shows, or near a failure. */
function nearCauses({ count, chains }: ViewHead, flags: Uint8Array): Uint8Array {
  const near = new Uint8Array(count);
  const mark = (place: number): void => {
    near.fill(1, Math.max(0, place - NEAR), Math.min(count, place + NEAR + 1));
  };
  for (const { links } of chains) for (const { place } of links) mark(place);
  for (let place = 0; place < count; place++) {
    if (((flags[place] ?? 0) & FLAG.failure) !== 0) mark(place);
  }
  return near;
}

interface Limits {
  readonly near: Fullness;
  readonly far: Fullness | null;
  /** Characters of all of them. */
  readonly room: number;
}

/** Undefined where they have no room. */
function piecesIn(
  open: OpenRun,
  run: number,
  { near, far, room }: Limits,
): [id: string, text: string][] | undefined {
  const { pieceSize, count } = open.head;
  const isNear = nearCauses(open.head, open.columns.flags);
  const pieces: [string, string][] = [];
  let left = room;
  for (let from = 0; from < count; from += pieceSize) {
    if (far === null && !isNear.subarray(from, from + pieceSize).includes(1)) continue;
    const number = from / pieceSize;
    const made = pieceOf(open, number, (at) => (isNear[at] ? near : (far ?? "silent")));
    const text = base64(JSON.stringify(made));
    left -= text.length;
    if (left < 0) return undefined;
    pieces.push([`${run}-piece-${number}`, text]);
  }
  return pieces;
}

/* What a page says where no script runs: the words of the report and its picture, made anew from the verified log. */

function plainPage(lists: PartLists, { run, head, explanations, causeOf }: OpenRun): string {
  const { title, startsAt, endMs } = head;
  const svgs = toldParts(lists, run).map(({ report }) =>
    drawPicture(report.picture(run), { title, startsAt, endMs }, { causeOf }),
  );
  const markdown = [
    head.isImported ? importedText(head, explanations) : runText(lists, run, explanations),
    variantsText(head),
    head.blame === null ? "" : decidedText(head.blame),
  ].join("\n\n");
  return reportBody({ title, markdown, svg: svgs.join("") });
}

function runText(lists: PartLists, run: ViewedRun, explanations: readonly Explanation[]): string {
  const { bundle } = run;
  return reportText(lists, {
    ...run,
    called: bundle.scenario.name,
    seed: bundle.manifest.seed,
    inputs: bundle.inputs,
    providers: bundle.manifest.providers,
    explanations,
    counterfactuals: [],
    bundle: null,
  });
}

const importedText = (head: ViewHead, explanations: readonly Explanation[]): string =>
  escapedText(
    [
      `# ${tableCell(head.title, 240)}`,
      ...[...head.notes, ...head.summary].map((text) => tableCell(text, 2_000)),
      ...explanations.map(explanationSection),
    ].join("\n\n"),
  );

function variantsText({ variants }: ViewHead): string {
  if (variants === null) return "";
  const rows = variants.rows.map(({ cells }) => cells.map((cell) => tableCell(cell, 240)));
  return escapedText(
    `## ${tableCell(variants.title, 240)}\n\n${markdownTable([variants.head.map((one) => tableCell(one, 60)), ...rows])}`,
  );
}

/** Of two runs: where they part, and their figures. */
function besideText(both: ViewBeside | null): string {
  if (both === null) return "";
  const { names, first, settings, figures } = both;
  const title = names.map((name) => tableCell(name, 120)).join(" beside ");
  const sides = first?.sides.map(
    (side, run) => `- ${tableCell(`${names[run]}: ${side?.says ?? "had ended"}`, 480)}`,
  );
  const parts =
    first === null
      ? ["Both went the same way, delivery by delivery."]
      : [`They part at ${clock(first.atMs)}.`, (sides ?? []).join("\n")];
  const rows = [...settings, ...figures].map(([name, a, b]) =>
    [name, a, b].map((cell) => tableCell(cell, 240)),
  );
  const heads = ["", ...names.map((name) => tableCell(name, 120))];
  const table = rows.length === 0 ? [] : [markdownTable([heads, ...rows])];
  const markdown = escapedText([`# ${title}`, ...parts, ...table].join("\n\n"));
  return reportBody({ title, markdown, svg: "" });
}
