/** `ghostlight synt audit`: what the desk of synt wrote down in a recorded run. */
import { markdownTable } from "markdown-table";
import { readBundle } from "../edges/bundleReader.ts";
import { deliveriesOf } from "../edges/derive.ts";
import { BadInput, hintFor, quoted } from "../edges/errors.ts";
import { printable, scoreText } from "../edges/gateText.ts";
import { groupedBy } from "../machines/grouped.ts";
import { AUDIT_FOLDER, DESK } from "../machines/synt/contract.ts";
import type { Delivery } from "../substrate/envelope.ts";
import type { JsonFlag } from "./bundles.ts";
import { EXIT, print, printJson } from "./output.ts";

export interface AuditFlags extends JsonFlag {
  readonly request?: string;
  readonly lines?: true;
}

/** One line of the audit as it was written, and as it reads. */
interface Written {
  readonly file: string;
  readonly text: string;
  readonly line: AuditLine;
}

/** As far as it is shown; every other fact stays in the line. */
interface AuditLine {
  readonly ts: string;
  readonly request_id?: string;
  readonly target_intent?: string;
  readonly strategy?: string | null;
  readonly state?: string;
  readonly rationale?: string;
  readonly reward?: { readonly total: number } | null;
  readonly cost_cents?: number;
  /** Of a line about something else than a request. */
  readonly event?: string;
  readonly pattern?: string;
  readonly revises?: string;
  readonly reason?: string;
}

export function syntAuditCommand(folder: string, flags: AuditFlags): number {
  const bundle = readBundle(folder);
  if (bundle.scenario.synt === undefined) {
    throw new BadInput({
      where: { file: folder },
      found: "a run of a world without synt, in which nothing is audited",
      allowed: "a bundle of a scenario with `synt:`",
      todo: "`npx ghostlight scenarios` lists those whose names begin with synt.",
    });
  }
  const all = auditOf(deliveriesOf(bundle));
  const { request } = flags;
  if (request !== undefined) checkKnown(folder, request, all);
  const chosen = all.filter(({ line }) => request === undefined || line.request_id === request);
  if (flags.json) {
    printJson({ bundle: folder, lines: chosen.map(({ file, line }) => ({ file, ...line })) });
  } else if (flags.lines) for (const { text } of chosen) print(text);
  else print(auditText(chosen));
  return EXIT.ok;
}

/** The desk appends line by line; what anybody else writes into these files is not the audit. */
const auditOf = (deliveries: readonly Delivery[]): readonly Written[] =>
  deliveries.flatMap(({ event, from, fate }) => {
    const file = String(event["path"]);
    const isAudit =
      event.type === "files.append" &&
      from === DESK &&
      fate === "handled" &&
      file.startsWith(AUDIT_FOLDER);
    if (!isAudit) return [];
    const text = String(event["text"]);
    return [{ file, text, line: JSON.parse(text) as AuditLine }];
  });

function checkKnown(folder: string, request: string, all: readonly Written[]): void {
  const known = [...new Set(all.flatMap(({ line }) => line.request_id ?? []))];
  if (known.includes(request)) return;
  throw new BadInput({
    where: { file: folder, path: "--request" },
    found: quoted(request),
    allowed: known.length === 0 ? "none: nothing was asked of synt" : known.join(" | "),
    ...hintFor(request, known),
    todo: "Leave it away to see the whole audit.",
  });
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
  const rows = lines.map(({ line: { ts, state, strategy, reward, cost_cents, rationale } }) => [
    ts,
    state ?? "",
    strategy ?? "",
    reward == null ? "" : scoreText(reward.total),
    (cost_cents ?? 0).toFixed(2),
    cell(rationale),
  ]);
  const head = ["Time", "State", "Strategy", "R", "Cents", "Why"];
  return `${request}: ${intent}\n${markdownTable([head, ...rows])}`;
}

const cell = (text: string | undefined): string => printable(text ?? "").replaceAll("|", "\\|");

function othersText(lines: readonly Written[]): string {
  const rows = lines.map(({ line: { ts, event, pattern, revises, reason } }) => [
    ts,
    event ?? "",
    cell(pattern ?? revises),
    cell(reason),
  ]);
  return `Of no request\n${markdownTable([["Time", "What", "About", "Why"], ...rows])}`;
}
