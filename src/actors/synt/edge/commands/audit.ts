/** `ghostlight synt audit`: what the desk of synt wrote down in a recorded run. */

import { markdownTable } from "markdown-table";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { readingLists } from "../../../../cli/chosenParts.ts";
import { print, printJson } from "../../../../cli/output.ts";
import { policyWith } from "../../../../contract/policyTree.ts";
import { readBundle } from "../../../../edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../../../../edges/bundle/derive.ts";
import { badInput, hintFor, quoted } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { groupedBy } from "../../../../machines/grouped.ts";
import type { Json } from "../../../../machines/letter.ts";
import { AUDIT_FOLDER, DESK } from "../../../../machines/synt/contract.ts";
import { decimalOf, type Share } from "../../../../machines/synt/score/exactShare.ts";
import type { Log } from "../../../../substrate/log.ts";
import { calibrationOf, calibrationText } from "../../calibration.ts";
import { printable, scoreText } from "../gateText.ts";

export interface AuditFlags extends JsonFlag {
  readonly request?: string;
  readonly lines?: true;
  readonly decisions?: true;
}

/** One line of the audit as it was written, and as it reads. */
interface Written {
  readonly file: string;
  readonly text: string;
  readonly line: AuditLine;
}

interface AuditedReward {
  readonly exact: { readonly total: Share; readonly [term: string]: Share };
}

interface AuditedProposal {
  readonly strategy: string;
  readonly chain?: readonly string[];
  readonly artefact?: { readonly name?: string } | null;
  readonly passes: boolean;
  readonly reward: AuditedReward;
}

/** As far as it is shown; every other fact stays in the line. */
interface AuditLine {
  readonly ts: string;
  readonly request_id?: string;
  readonly target_intent?: string;
  readonly strategy?: string | null;
  readonly state?: string;
  readonly rationale?: string;
  readonly reward?: (AuditedReward & { readonly [field: string]: Json }) | null;
  /** Every proposal that was scored since the line before. */
  readonly weighed?: readonly AuditedProposal[];
  readonly cost_cents?: number;
  readonly exceeded?: number;
  /** Of a line about something else than a request. */
  readonly event?: string;
  readonly pattern?: string;
  readonly about?: string;
  readonly revises?: string;
  readonly reason?: string;
}

export async function syntAuditCommand(
  folders: readonly string[],
  flags: AuditFlags,
): Promise<number> {
  if (flags.decisions) return (await import("./decisions.ts")).writeDecisions(folders, flags);
  const [folder = "", another] = folders;
  if (another !== undefined) {
    throw badInput(
      { file: another },
      "a second bundle",
      "one, or several with --decisions",
      "Ask for one audit at a time.",
    );
  }
  const lists = await readingLists(flags);
  const { parts } = lists;
  const bundle = readBundle(lists, folder);
  if (bundle.scenario.synt === undefined) {
    throw badInput(
      { file: folder },
      "a run of a world without synt, in which nothing is audited",
      "a bundle of a scenario with `synt:`",
      "`npx ghostlight scenarios` lists those whose names begin with synt.",
    );
  }
  const all = auditOf(deliveriesOf(parts, bundle));
  const { synt } = policyWith(parts, bundle.manifest.policy);
  const calibration = calibrationOf(
    all.map(({ line }) => line),
    synt,
  );
  const { request } = flags;
  if (request !== undefined) checkKnown(folder, request, all);
  const chosen = all.filter(({ line }) => request === undefined || line.request_id === request);
  if (flags.json) {
    const lines = chosen.map(({ file, line }) => ({ file, ...line }));
    printJson({ bundle: folder, lines, calibration });
  } else if (flags.lines) for (const { text } of chosen) print(text);
  else {
    print(auditText(chosen));
    if (request === undefined) print(`\n${calibrationText(calibration)}`);
  }
  return EXIT.ok;
}

/** The desk appends line by line; what any other actor writes into these files is not the audit. */
const auditOf = (deliveries: Log): readonly Written[] =>
  deliveries.flatMap(({ event, from, fate }) => {
    if (event.type !== "files.append" || from !== DESK || fate !== "handled") return [];
    const { path: file, text } = event;
    if (!file.startsWith(AUDIT_FOLDER)) return [];
    return [{ file, text, line: JSON.parse(text) as AuditLine }];
  });

function checkKnown(folder: string, request: string, all: readonly Written[]): void {
  const known = [...new Set(all.flatMap(({ line }) => line.request_id ?? []))];
  if (known.includes(request)) return;
  throw badInput(
    { file: folder, path: "--request" },
    quoted(request),
    known.length === 0 ? "none: nothing was asked of synt" : known.join(" | "),
    "Omit it to see the whole audit.",
    hintFor(request, known),
  );
}

function auditText(written: readonly Written[]): string {
  if (written.length === 0) return "Nothing was asked of synt in this run.";
  const byRequest = groupedBy(written, ({ line }) => line.request_id ?? null);
  return [...byRequest]
    .map(([request, lines]) => (request === null ? othersText(lines) : requestText(request, lines)))
    .join("\n\n");
}

function requestText(request: string, lines: readonly Written[]): string {
  const intent = printable(lines[0]?.line.target_intent ?? "");
  const rows = lines.flatMap(({ line }) => [...refusedRows(line), stateRow(line)]);
  const head = ["Time", "State", "Strategy", "R", "Cents", "Why"];
  return `${request}: ${intent}\n${markdownTable([head, ...rows])}`;
}

const stateRow = (line: AuditLine) => {
  const { ts, state, strategy, reward, cost_cents: cents = 0, exceeded, rationale } = line;
  const over = exceeded === undefined ? "" : ` (exceeded: ${exceeded})`;
  const total = reward == null ? "" : scoreText(reward.exact.total);
  return [ts, state ?? "", strategy ?? "", total, cents.toFixed(2) + over, cell(rationale)];
};

/** Each proposal below the threshold on the way to a state, but for the one that the state shows. */
function refusedRows({ ts, strategy: own, reward, weighed = [] }: AuditLine): string[][] {
  const shown = weighed.findLastIndex(
    (one) => one.strategy === own && String(one.reward.exact.total) === String(reward?.exact.total),
  );
  return weighed
    .filter(({ passes }, index) => !passes && index !== shown)
    .map(({ strategy, chain, artefact, reward: { exact } }) => {
      const what = chain?.join(" → ") ?? artefact?.name ?? "it";
      const why = cell(`${what}: ${termsText(exact)}`);
      return [ts, "(refused)", strategy, scoreText(exact.total), "", why];
    });
}

const termsText = ({ total: _, ...terms }: AuditedReward["exact"]): string =>
  Object.entries(terms)
    .map(([term, value]) => `${term} ${decimalOf(value).toFixed(3)}`)
    .join(", ");

const cell = (text: string | undefined): string => printable(text ?? "").replaceAll("|", "\\|");

function othersText(lines: readonly Written[]): string {
  const rows = lines.map(({ line: { ts, event, pattern, about, revises, reason } }) => [
    ts,
    event ?? "",
    cell(pattern ?? about ?? revises),
    cell(reason),
  ]);
  return `Of no request\n${markdownTable([["Time", "What", "About", "Why"], ...rows])}`;
}
