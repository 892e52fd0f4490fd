/** A run that is open for a page: its head, its columns, and its rows in pieces. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { EdgePart } from "../../contract/edge/edgePart.ts";
import { ink, type Picture, type SignLooks, type Steps } from "../../contract/picture.ts";
import type { TraceFact } from "../../contract/trace.ts";
import { factsIn, findIn } from "../../findings/findIn.ts";
import { findings } from "../../findings/findings.ts";
import { standsText, suspectsIn } from "../../findings/suspects.ts";
import { firstTold } from "../../run/causes/effect.ts";
import { figuresOf } from "../../run/compare.ts";
import {
  type Explainer,
  type Explanation,
  explainer as explainerOf,
  type Link,
  originText,
} from "../../run/why.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { isOf } from "../../viewer/pageLog.ts";
import {
  type Columns,
  ORIGIN_LINKS,
  type ViewBlame,
  type ViewChain,
  type ViewHead,
  type ViewLink,
  type ViewPicture,
  type ViewPlace,
  type ViewRow,
  type ViewSteps,
} from "../../viewer/viewData.ts";
import { FILES } from "../bundle/bundleWriter.ts";
import type { deliveriesOf } from "../bundle/derive.ts";
import { readerNotes } from "../bundle/importedBundle.ts";
import { mixed } from "../causes/baseRun.ts";
import { blameIn } from "../causes/blameFile.ts";
import { curvePicture } from "../causes/blamePicture.ts";
import { command } from "../command.ts";
import { clock } from "../duration.ts";
import type { PartLists } from "../parts/partLists.ts";
import { PRODUCT } from "../product.ts";
import { partWords } from "../report/report.ts";
import { explanationsOf, toldParts } from "../report/toldParts.ts";
import { unknownNotes } from "../report/unknownNotes.ts";
import { variantsIn } from "../report/variantsFile.ts";
import { type ColumnsOf, viewColumns } from "./viewColumns.ts";
import { type PlaceOf, type ViewedRun, viewedRun } from "./viewedRun.ts";
import { type Fullness, rowMaker } from "./viewRows.ts";

export interface OpenRun {
  readonly run: ViewedRun;
  readonly head: ViewHead;
  readonly columns: Columns;
  readonly row: (place: number, fullness: Fullness) => ViewRow;
  readonly explanations: readonly Explanation[];
  readonly causeOf: Explainer["cause"];
}

/** Sees each delivery in turn with its whole row. */
export type Watching = (run: ViewedRun) => (one: Delivery, row: ViewRow) => void;

/** `reading` stands in for how any bundle is read. Throws what reading and verifying a bundle throws. */
export function openRun(
  lists: PartLists,
  folder: string,
  { watching, reading }: { watching?: Watching; reading?: typeof deliveriesOf } = {},
): OpenRun {
  const run = viewedRun(lists, folder, reading);
  const explainer = explainerOf(run.parts, run.deliveries, run.bundle.inputs);
  const rowOf = rowMaker(run, explainer);
  const watch = watching?.(run);
  const columns = viewColumns(run, explainer, (one, says) =>
    watch?.(one, rowOf(one, "whole", says)),
  );
  const explanations = explanationsOf(toldParts(lists, run), run.observed, explainer);
  return {
    run,
    head: withKept(viewHead({ lists, run, columns, explanations, explainer }), run.bundle),
    columns: columns.columns,
    // Whoever asks counts as many as there are.
    row: (place, fullness) => rowOf(run.deliveries.at(place) as Delivery, fullness),
    ...{ explanations, causeOf: explainer.cause },
  };
}

/** What a list of runs says of one: without why, and without where to look. */
export function glanceAt(
  lists: PartLists,
  folder: string,
): Pick<ViewHead, "title" | "summary"> & Pick<OpenRun, "columns"> {
  const run = viewedRun(lists, folder);
  const { columns } = viewColumns(run, explainerOf(run.parts, run.deliveries, run.bundle.inputs));
  return { title: titleOf(run), summary: summaryOf(toldParts(lists, run), run), columns };
}

/** The machines that were started. */
export const startedIn = ({ head: { starts } }: OpenRun): ReadonlySet<string> =>
  new Set(starts.map(([, , machine]) => machine));

/** The rows of one piece; `undefined` beyond the last. */
export function pieceOf(
  { head: { count, pieceSize }, row }: Pick<OpenRun, "head" | "row">,
  number: number,
  fullnessOf: (place: number) => Fullness,
): readonly ViewRow[] | undefined {
  const from = number * pieceSize;
  if (!Number.isSafeInteger(number) || from < 0 || from >= count) return undefined;
  const length = Math.min(pieceSize, count - from);
  return Array.from({ length }, (_, at) => row(from + at, fullnessOf(from + at)));
}

/* The head of a page: what it is of, and the answers to what happened, why, and what would have prevented it. */

/** Deliveries of a piece: read and unpacked within one frame. */
export const PIECE_SIZE = 256;

/** Ours: of a file beside the report, in bytes; beyond, and of lanes and points, no page can be read. */
const most = {
  ...{ kept: 1_000_000, lanes: 400, links: 200 },
  // Deliveries of a log that are ranked at once, as `import` does; and what of it a person reads.
  ...{ ranked: 20_000, suspects: 5, found: 20 },
} as const;

interface HeadOf {
  readonly lists: PartLists;
  readonly run: ViewedRun;
  readonly columns: ColumnsOf;
  readonly explanations: readonly Explanation[];
  readonly explainer: Explainer;
}

function viewHead({ lists, run, columns, explanations, explainer }: HeadOf): ViewHead {
  const { bundle, scenario, observed, deliveries } = run;
  const { manifest } = bundle;
  const { result, verdicts } = observed;
  const looks = placesToLook(run);
  const told = toldParts(lists, run);
  const isImported = manifest.imported !== undefined;
  const population = told.flatMap(({ report }) => report.population?.(scenario) ?? []);
  const met = verdicts.filter(({ ok }) => ok).length;
  return {
    format: 1,
    product: PRODUCT,
    title: titleOf(run),
    bundle: bundle.folder,
    startsAt: manifest.imported?.clock === "steps" ? null : manifest.startsAt,
    endMs: result.virtualMs,
    outcome: result.outcome,
    isImported,
    notes: [
      ...unknownNotes(lists.parts, { observed, providers: manifest.providers }),
      ...[...readerNotes(bundle), ...endNotes(run)],
    ],
    summary: summaryOf(told, run),
    facts: [
      `${clock(result.virtualMs)} of ${isImported ? "the log's" : "virtual"} time`,
      ...population,
      ...(isImported ? [`read as ${manifest.imported?.format}`] : [`seed ${manifest.seed}`]),
    ].join(" · "),
    checked:
      verdicts.length === 0
        ? ""
        : `The scenario says what should come about here: ${met} of ${verdicts.length} came true.`,
    chains: explanations.map((one) => chainOf(one, run.placeOf)),
    ...{ variants: null, blame: null },
    asksBlame: canBlame(run, explainer)
      ? command`blame ${bundle.folder} --when --keep ${partWords(lists.own)}`
      : null,
    ...looks,
    pictures: told.map(({ name, report }) =>
      withFlags(pictureShown(name, report.picture(run)), looks, run),
    ),
    ...{ addresses: columns.addresses, types: columns.types, starts: columns.starts },
    ...{ count: deliveries.length, pieceSize: PIECE_SIZE },
    ...{ becauseCount: columns.columns.because.length, hasChains: columns.hasChains, missing: [] },
  };
}

function canBlame(
  { parts, bundle: { manifest }, observed, deliveries }: ViewedRun,
  explainer: Explainer,
): boolean {
  const told = mixed(manifest) === undefined ? explainer.why() : undefined;
  const { meter, result } = observed;
  const seen = { meter, atMs: result.virtualMs, deliveries, broken: {} };
  return told !== undefined && firstTold(parts, told, seen) !== undefined;
}

const titleOf = ({ scenario, observed: { variant } }: ViewedRun): string =>
  variant === null ? scenario.name : `${scenario.name}: ${variant}`;

function summaryOf(told: readonly EdgePart[], { observed }: ViewedRun): readonly string[] {
  const figures = figuresOf(observed);
  return told
    .map(({ report }) => report.summary(observed, figures).trim())
    .filter((text) => text !== "");
}

type Looks = Pick<ViewHead, "suspects" | "found" | "marked">;

/** A ranking and findings, none of which is a verdict; of a log of other systems that is not too long to be ranked. */
function placesToLook({ bundle, parts, deliveries, placeOf }: ViewedRun): Looks {
  if (bundle.manifest.imported === undefined || deliveries.length > most.ranked) {
    return { suspects: [], found: [], marked: [] };
  }
  const facts = [...factsIn(parts, deliveries)];
  const placed = (seq: number, says: string): readonly ViewPlace[] => {
    const place = placeOf(seq);
    return place === undefined ? [] : [{ place, says }];
  };
  return {
    suspects: suspectsIn(facts)
      .suspects.slice(0, most.suspects)
      .flatMap((one) => placed(one.seq, `${standsText(one)}, ${one.agent}: ${one.reason}`)),
    found: findIn(findings, facts, most.found)
      .occurrences.slice(0, most.found)
      .flatMap(({ seq, finding, says }) => placed(seq, `${finding}: ${says}`)),
    marked: mistakesIn(facts).flatMap(({ seq, step }) =>
      placed(seq, `${standsText({ seq, step })}: the mistake, as people say`),
    ),
  };
}

/** The first fact of each step that people marked, of the agent that they named where the step has one of it. */
function mistakesIn(facts: readonly TraceFact[]): readonly TraceFact[] {
  return facts.flatMap((one) => {
    if (one.is !== "judged" || one.mistake?.step == null) return [];
    const { agent, step } = one.mistake;
    const those = facts.filter((fact) => fact.step === step && fact.is !== "judged");
    const isOwn = (fact: TraceFact): boolean =>
      fact.is === "said" ? fact.speaker === agent : "agent" in fact && fact.agent === agent;
    return those.find(isOwn) ?? those.slice(0, 1);
  });
}

const FLAGS: SignLooks = {
  marked: { shape: "square", colour: ink.bad, at: "under", says: "the mistake, as people say" },
  suspects: { shape: "diamond", colour: ink.band, at: "over", says: "where to look first" },
  found: { shape: "times", colour: ink.band, at: "over", says: "what findings found" },
};

/** With a sign on the row of whoever did what is to be looked at. */
function withFlags(
  picture: ViewPicture,
  looks: Looks,
  { deliveries }: Pick<ViewedRun, "deliveries">,
): ViewPicture {
  const flagsOf = (kind: string, places: readonly ViewPlace[]) =>
    places.flatMap(({ place, says }) => {
      const one = deliveries.at(place);
      return one === undefined ? [] : [{ kind, says, atMs: one.dueMs, from: one.from }];
    });
  const flags = [
    ...flagsOf("marked", looks.marked),
    ...flagsOf("suspects", looks.suspects),
    ...flagsOf("found", looks.found),
  ];
  if (flags.length === 0) return picture;
  const lanes = picture.lanes.map((lane) => {
    if (lane.is !== "row") return lane;
    const own = flags.filter(({ from }) => isOf(from, lane.label));
    return { ...lane, points: [...own.map(({ from: _, ...point }) => point), ...lane.points] };
  });
  return { ...picture, lanes, signs: { ...picture.signs, ...FLAGS } };
}

function endNotes({ observed: { result } }: ViewedRun): readonly string[] {
  const { outcome, error } = result;
  if (outcome === "ended") return [];
  return [`The run did not end as planned: ${`${outcome}. ${error?.message ?? ""}`.trim()}`];
}

function chainOf({ question, chain, first, failures }: Explanation, placeOf: PlaceOf): ViewChain {
  const linkOf = ({ seq, says }: Pick<Link, "seq" | "says">): readonly ViewLink[] => {
    const place = placeOf(seq);
    return place === undefined ? [] : [{ place, says }];
  };
  const links = chain
    .filter((_, at) => at < most.links || at >= chain.length - ORIGIN_LINKS)
    .flatMap(linkOf);
  const origin = failures?.origin;
  const [firstLink] = failures && first ? linkOf(first) : [];
  const [chosen] = chain.filter(({ seq }) => seq === origin?.seq).flatMap(linkOf);
  return {
    question,
    title: (failures && first?.says) ?? chain[0]?.says ?? question,
    ...{ links, length: chain.length, first: firstLink ?? null, chosen: chosen ?? null },
    failures:
      failures === undefined || failures.all < 2 || origin === undefined
        ? ""
        : `Of ${failures.all} failures, ${failures.alike} go back to ${chosen ? "this" : originText(origin)}.`,
  };
}

/** With what `run --compare` and `blame --keep` left beside this very run, as it is now. */
export function withKept(
  head: ViewHead,
  { folder, manifest: { final } }: Pick<ViewedRun["bundle"], "folder" | "manifest">,
): ViewHead {
  const kept = <T>(name: string, read: (text: string, digest: string) => T | undefined) => {
    const file = join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false });
    if (final === undefined || !stats?.isFile() || stats.size > most.kept) return null;
    return read(readFileSync(file, "utf8"), final.digest) ?? null;
  };
  const variants = kept(FILES.variants, variantsIn);
  return withBlame({ ...head, variants }, kept(FILES.blame, blameIn));
}

export function withBlame(head: ViewHead, blame: ViewBlame | null): ViewHead {
  // No part made it, and so it bears no name of one.
  const curve = blame === null ? [] : [pictureShown("", curvePicture(blame))];
  const pictures = [...head.pictures.filter(({ part }) => part !== ""), ...curve];
  return { ...head, blame, pictures };
}

/** A picture as a page draws it; `part` is whose it is. */
function pictureShown(part: string, picture: Picture): ViewPicture {
  const {
    says,
    phases = {},
    signs = {},
    lanes,
    marks,
    instants,
    bands = [],
    nested = [],
    undrawn = [],
  } = picture;
  const more = lanes.length - most.lanes;
  return {
    ...{ part, says, phases, signs, marks, bands, nested },
    lanes: lanes.slice(0, most.lanes).map(laneOf),
    instants: instants ?? null,
    undrawn: [...undrawn, ...(more > 0 ? [`${more} more rows not drawn`] : [])],
  };
}

const laneOf = (lane: Picture["lanes"][number]): ViewPicture["lanes"][number] =>
  lane.is === "row" ? lane : stepsOf(lane);

/** Values as they are read: what formats them cannot be put on a page. */
function stepsOf({ format, lines, ...steps }: Steps): ViewSteps {
  return {
    ...steps,
    lines: lines.map((line) => ({
      ...line,
      steps: line.steps.map(({ atMs, value }) => [atMs, value, format(value)] as const),
    })),
  };
}
