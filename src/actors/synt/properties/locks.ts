/** What must not be tried again for a while, to the millisecond. Source: seed 002, 7 and 12; Y11. */

import { worldPromises } from "../../../contract/promises.ts";
import type { Verdict } from "../../../contract/property.ts";
import type { ProposalState, SynthRequest } from "../../../machines/synt/contract.ts";
import type { SyntPolicy } from "../../../machines/synt/syntPolicy.ts";
import { plain } from "./hints.ts";
import type { RequestSeen } from "./seen.ts";

/** Kind and words of a target: of its intent, else of its proto-mnest, else of the request. */
function targetOf(
  kind: string,
  { intent, proto, id }: Pick<RequestSeen, "intent" | "proto" | "id">,
) {
  const words = [intent, proto ?? "", id].map(plain);
  return `${kind} ${words.find((text) => text !== "") ?? ""}`;
}

/** Ends by target. */
type Ends = Map<string, number>;

const KINDS: { readonly [mode in SynthRequest["mode"]]: readonly string[] } = {
  reactive: ["abandoned"],
  introspective: ["rejected", "abandoned"],
};

function lastsOf(state: ProposalState, { locks }: SyntPolicy): number | null {
  if (state === "abandoned") return locks.abandonMs;
  return state === "rejected" ? locks.rejectMs : null;
}

/** Whether it began although it is locked, or was refused although it is free. */
function openedFault(
  request: RequestSeen,
  { ends, rests }: { readonly ends: Ends; readonly rests: Ends },
  nowMs: number,
  isFaulty: boolean,
): Verdict {
  const { id, mode, input, intent, proto } = request;
  const rest = mode === "reactive" ? 0 : (rests.get(plain(proto ?? "")) ?? 0);
  const untilMs = Math.max(
    rest,
    ...KINDS[mode].map((kind) => ends.get(targetOf(kind, request)) ?? 0),
  );
  const isLocked = nowMs < untilMs;
  const began = input !== undefined;
  // Locks keep the machine from insisting; the person may.
  if (request.revises !== undefined) return undefined;
  if (began && isLocked)
    return `${id} begins on “${intent}” at ${nowMs} ms, locked until ${untilMs} ms.`;
  if (began || isLocked || isFaulty) return untilMs > 0 ? true : undefined;
  return `${id} on “${intent}” is refused at ${nowMs} ms; its lock ended at ${untilMs} ms.`;
}

/** The words of a pattern that the night wrote down as filtered; the letter may come more often. */
function filteredPattern(text: string): string | null {
  if (!text.includes('"event":"pattern.filtered"')) return null;
  const { pattern } = JSON.parse(text) as { readonly pattern: string };
  return plain(pattern);
}

function patternFault(ends: Ends, pattern: string, nowMs: number, { locks }: SyntPolicy): Verdict {
  const untilMs = ends.get(pattern) ?? 0;
  if (nowMs < untilMs) {
    return `The pattern “${pattern}” is refused again at ${nowMs} ms, suspended until ${untilMs} ms.`;
  }
  ends.set(pattern, nowMs + locks.suspendMs);
  return untilMs > 0 ? true : undefined;
}

export const syntLockProperties = worldPromises({
  "synt-locks-are-exact": {
    says: "A locked target, and at night a proto-mnest that rests, is refused to the last millisecond with its two lines, and free from then on; a refusal renews no lock.",
    source: "seed 002, 7 and 12, “24h lock”, “30-day lock”; RULINGS Y11",
    watch: ({ synt: policy }) => {
      const ends: Ends = new Map();
      const patterns: Ends = new Map();
      const rests: Ends = new Map();
      const known = new Set<string>();
      return ({ delivery: { event, dueMs }, synt }) => {
        if (event.type === "pattern.filtered") {
          const proto = plain(event.proto);
          if (dueMs >= (rests.get(proto) ?? 0)) rests.set(proto, dueMs + policy.locks.suspendMs);
        }
        const pattern = event.type === "files.append" ? filteredPattern(event.text) : null;
        if (pattern !== null) return patternFault(patterns, pattern, dueMs, policy);
        const request = [...synt.requests.values()].at(-1);
        let verdict: Verdict;
        if (request !== undefined && !known.has(request.id)) {
          known.add(request.id);
          verdict = openedFault(request, { ends, rests }, dueMs, synt.isFaulty);
        }
        if (event.type !== "synth.stated" || event.locked === true) return verdict;
        const ended = synt.requests.get(event.request);
        const lasts = lastsOf(event.state, policy);
        if (ended !== undefined && lasts !== null) {
          ends.set(targetOf(event.state, ended), dueMs + lasts);
        }
        return verdict;
      };
    },
  },
});
