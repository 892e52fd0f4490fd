/**
 * revise(): the person takes a proposal up again and says what should be different. Source: seed
 * 002, 9.
 */
import type { At, Delivered, Letter, MailOf } from "../letter.ts";
import type { Outcome } from "../service.ts";
import { MILLION } from "../units.ts";
import { auditNote } from "./auditLine.ts";
import { DESK, type ProposalState } from "./contract.ts";
import { withdrawn } from "./deskGate.ts";
import { isUnderWay } from "./deskIndex.ts";
import { begun, underWay } from "./deskQueue.ts";
import type { DeskState, Request } from "./deskState.ts";
import type { SyntPolicy } from "./syntPolicy.ts";

type Answered = Outcome<DeskState>;

/** Ends that left nothing, so that there is something to take up again. */
const FRUITLESS: readonly (ProposalState | null)[] = ["abandoned", "rejected", "suspended"];

export function revised(
  state: DeskState,
  // Only on its way to a request does a revision name none.
  { request = "", feedback, target, at }: Delivered<"synth.revised">,
  policy: SyntPolicy,
): Answered {
  const known = state.requests.get(request);
  const why = refusalOf(known, request);
  if (known === undefined || why !== null) return refused(state, request, why ?? "", at);
  if (known.isAtGate) {
    const amended: MailOf<"synth.revised"> = { type: "synth.revised", feedback, target };
    const { state: left, letters } = withdrawn(state, request);
    return { state: left, letters: [...letters, { to: `synt/${request}`, event: amended }] };
  }
  const twin = underWay(state, known.wanted);
  if (twin !== undefined) return refused(state, request, `${twin} is at the same already`, at);
  const wanted = {
    ...known.wanted,
    budgetCents: centsLeft(state, request),
    revision: { request, feedback, target },
  };
  if (wanted.mode === "introspective" && state.turns.length > 0) {
    return {
      state: { ...state, waiting: [...state.waiting, { wanted, seq: at.seq }] },
      letters: [],
    };
  }
  return begun(state, wanted, { nowMs: at.nowMs, seq: at.seq, from: DESK }, policy);
}

function refusalOf(known: Request | undefined, request: string): string | null {
  if (known === undefined) return `there is no request ${request}`;
  if (known.isAtGate) return null;
  if (isUnderWay(known)) return `${request} is being made; it can be revised at the gate`;
  if (known.isRefused) return `${request} was refused at once; nothing of it can be taken up again`;
  return FRUITLESS.includes(known.state)
    ? null
    : `${request} is ${known.state}; what is in the pool is revoked, not revised`;
}

/** Whole cents of its own cap that the request has not spent; none when it spent more. */
function centsLeft({ accounts }: DeskState, request: string): number {
  const { cap = 0, spent = 0 } = accounts.requests.get(request) ?? {};
  return Math.max(0, Math.floor((cap - spent) / MILLION));
}

function refused(state: DeskState, request: string, reason: string, at: At): Answered {
  const line = { event: "revision.refused", revises: request, reason };
  const note: Letter = { to: "files", event: auditNote(line, state.startsAtMs + at.nowMs) };
  return { state, letters: [note] };
}
