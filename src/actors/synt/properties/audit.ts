/** The audit of synt: whole, in order, and the same as what happened. Source: seed 002, 10 and 12. */

import { worldPromises } from "../../../contract/promises.ts";
import type { Seen, Verdict } from "../../../contract/property.ts";
import { sortedJson } from "../../../machines/sortedJson.ts";
import { AUDIT_FOLDER, isTerminal, type ProposalState } from "../../../machines/synt/contract.ts";
import type { AuditLine, RequestSeen, SyntSeen } from "./seen.ts";

const FIRST = { reactive: "composing", introspective: "proposed" } as const;

/** The request of the line that this delivery appends. */
const written = ({ delivery: { event, to }, synt }: Seen): RequestSeen | undefined =>
  event.type === "files.append" && to === "files"
    ? [...synt.requests.values()].find(({ lines }) => lines.at(-1)?.text === event.text)
    : undefined;

function lineFault({ mode, lines, openedMs }: RequestSeen, synt: SyntSeen): string | null {
  const line = lines.at(-1) as AuditLine;
  const { fields, text, path, atMs } = line;
  const said = lines.map((one) => one.fields["state"] as ProposalState);
  // biome-ignore lint/style/noRestrictedGlobals: it reads no clock, and is not the machine's own reckoning.
  const stamp = new Date((synt.startsAtMs ?? 0) + atMs).toISOString();
  const expected = {
    ts: stamp,
    mode,
    line: lines.length,
    duration_ms: atMs - openedMs,
  };
  const wrong = Object.entries(expected).find(([field, value]) => fields[field] !== value);
  if (wrong !== undefined)
    return `line ${lines.length} says ${wrong[0]} ${fields[wrong[0]]}, not ${wrong[1]}`;
  if (text !== `${sortedJson(fields)}\n`) return `line ${lines.length} is not canonical JSON`;
  if (path !== `${AUDIT_FOLDER}/${stamp.slice(0, 10)}.jsonl`)
    return `line ${lines.length} is in ${path}`;
  if (typeof fields["rationale"] !== "string" || fields["rationale"] === "") {
    return `line ${lines.length} gives no reason`;
  }
  if (said[0] !== FIRST[mode]) return `its first line says ${said[0]}`;
  const ended = said.slice(0, -1).find(isTerminal);
  if (ended !== undefined) return `it goes on after it was ${ended}`;
  const { lines: counted } = (fields["certified"] ?? {}) as { readonly lines?: number };
  const isCounted = counted === (isTerminal(said.at(-1) ?? "composing") ? lines.length : undefined);
  return isCounted ? null : `it certifies ${counted} lines of ${lines.length}`;
}

/** States that a statechart may pass through within one delivery. */
const PASSED = ["composed", "proposed"];

/** How many of the states stand in the audit, in their order, and the first line that none is for. */
function foldOf({ lines, states }: RequestSeen): {
  readonly found: number;
  readonly stray?: string;
} {
  let found = 0;
  let before: unknown;
  for (const { fields } of lines) {
    const state = String(fields["state"]);
    if (state !== before) {
      if (state === states[found]) found += 1;
      else if (!PASSED.includes(state)) return { found, stray: state };
    }
    before = state;
  }
  return { found };
}

const REFUSED = ["composing abandoned", "proposed rejected", "proposed suspended"];

function foldFault(request: RequestSeen): Verdict {
  const { id, states, input, lines } = request;
  const said = lines.map(({ fields }) => String(fields["state"]));
  if (input === undefined) {
    const isRefusal = REFUSED.some((pair) => pair.startsWith(said.join(" ")));
    return isRefusal ? true : `${id} was refused, and the audit says ${said.join(", ")}.`;
  }
  const { stray } = foldOf(request);
  return stray === undefined
    ? true
    : `${id} went through ${states.join(", ")}; the audit says ${said.join(", ")}.`;
}

export const syntAuditProperties = worldPromises({
  "synt-audit-complete": {
    says: "Every request has its first line, one line a state with its reason, and one terminal line, in the file of its UTC day.",
    source: "seed 002, 10 and 12, “Complete audit”",
    watch: () => {
      /** What each file of the audit holds, line upon line. */
      const texts = new Map<string, string>();
      return (seen) => {
        const { delivery, world, synt } = seen;
        if (delivery.event.type !== "files.append") return undefined;
        const { path, text } = delivery.event;
        if (!path.startsWith(`${AUDIT_FOLDER}/`)) return undefined;
        const whole = `${texts.get(path) ?? ""}${text}`;
        texts.set(path, whole);
        if (world.file(path) !== whole) return `${path} has lost or changed lines.`;
        const request = written(seen);
        const fault = request === undefined ? null : lineFault(request, synt);
        return fault === null ? true : `${request?.id}: ${fault}.`;
      };
    },
  },
  "synt-audit-replays": {
    says: "The audit, folded line by line, gives the states that each request went through, and each at the instant it was entered.",
    source: "seed 002, 10, invariant 1; issue 4, “audit replays to the same states”",
    watch: () => {
      /** States that are not on record yet, and since when. */
      const due = new Map<string, number>();
      return (seen) => {
        const { delivery, synt } = seen;
        const { dueMs, to, event } = delivery;
        for (const [id, sinceMs] of due) {
          const request = synt.requests.get(id);
          if (request !== undefined && dueMs > sinceMs) {
            return `${id} became ${request.states.at(-1)}, and the audit does not say so.`;
          }
        }
        const entered = synt.at(event.type === "actor.start" ? event.address : to);
        const request = entered ?? written(seen);
        if (request === undefined) return undefined;
        if (request.input !== undefined && foldOf(request).found < request.states.length) {
          if (!due.has(request.id)) due.set(request.id, dueMs);
        } else due.delete(request.id);
        return entered === undefined ? foldFault(request) : undefined;
      };
    },
  },
});
