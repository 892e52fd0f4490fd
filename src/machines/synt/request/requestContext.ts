/** What a request is started with, what it is told, what it knows and how it opens. */
import type { Delivered } from "../../letter.ts";
import type { Draft, Redirect, Scored, SyntError, SynthRequest, Weighed } from "../contract.ts";
import type { Shown } from "../pool/poolState.ts";
import { NONE, type Share } from "../score/exactShare.ts";
import type { Strategy } from "../score/reward.ts";
import type { Coder } from "../stages/stagePrompts.ts";

export interface RequestInput extends SynthRequest {
  readonly coder: Coder;
}

export type RequestEvent = Delivered<
  | "pool.answered"
  | "draft.ended"
  | "paid.ended"
  | "embed.replied"
  | "person.decided"
  | "synth.revised"
  | "sign.signed"
  | "pool.admitted"
  | "ask.bounced"
>;

/** A chain that closes the gap, with what it rests on. */
export interface Candidate {
  readonly chain: readonly string[];
  /** det_pass_rate. */
  readonly det: Share;
  readonly cleanRuns: number;
  /** The uses that it goes over, and the clean runs that may grant it. */
  readonly uses: readonly number[];
  readonly runs: readonly number[];
}

/** A chain that passed, kept until there is an executor to compare it with. */
export interface HeldChain extends Candidate {
  readonly scored: Scored;
}

/** An executor that passed, kept while the person is asked about the chain. */
export interface HeldDraft {
  readonly draft: Draft;
  readonly det: Share;
  readonly cosine: number;
  readonly scored: Scored;
}

/** Why a draft, or what the judge was shown of it, goes no further. */
export interface RequestFault {
  readonly kind: "undrafted" | "tooLoose" | "noBenefit" | "unpaid" | "unlawful" | "belowThreshold";
  readonly why: string;
  readonly error: SyntError | null;
}

/** What the person wants changed. */
export interface Amendment {
  readonly feedback: string | null;
  readonly target: string | null;
}

/** `chain`: composed, or short-circuited, the executor that does it already. */
export interface RequestContext extends Candidate {
  readonly input: RequestInput;
  readonly pool: readonly Shown[];
  readonly uncovered: readonly string[];
  readonly strategy: Strategy | null;
  /** Short-circuited under another name. */
  readonly redirect: Redirect | null;
  /** Chains that are scored when those before them have missed the threshold. */
  readonly candidates: readonly Candidate[];
  readonly heldChain: HeldChain | null;
  readonly heldDraft: HeldDraft | null;
  readonly draft: Draft | null;
  readonly drafts: number;
  readonly judged: number;
  readonly cosine: number;
  /** Millionths of a cent. */
  readonly cost: number;
  readonly scored: Scored | null;
  /** What was scored since the request last said something of itself. */
  readonly weighed: readonly Weighed[];
  readonly feedback: string | null;
  readonly revisions: number;
  /** What was tried and on what it failed: the sentence of an abandonment. */
  readonly tried: readonly string[];
  readonly rationale: string;
  readonly error: SyntError | null;
  /** Why the latest draft or judgement is turned down; null when it is not, and once that is written down. */
  readonly fault: RequestFault | null;
  readonly grantedBy: number;
  readonly signature: string;
  readonly signer: string;
}

export const openingRequest = (input: RequestInput): RequestContext => ({
  input,
  pool: [],
  uncovered: [],
  strategy: input.strategy,
  chain: [],
  redirect: null,
  candidates: [],
  heldChain: null,
  heldDraft: null,
  det: NONE,
  cleanRuns: 0,
  uses: [],
  runs: [],
  draft: null,
  drafts: 1,
  judged: 1,
  cosine: 0,
  cost: 0,
  scored: null,
  weighed: [],
  feedback: input.revision?.feedback ?? null,
  revisions: 0,
  tried: [],
  rationale: openingWords(input),
  error: null,
  fault: null,
  grantedBy: 0,
  signature: "",
  signer: "",
});

function openingWords({ strategy, need, revision }: RequestInput): string {
  const what = strategy === null ? need.intent : `${strategy}: ${need.intent}`;
  return revision === null ? what : `${what} (${revision.request} again: ${wordsOf(revision)})`;
}

export const wordsOf = ({ feedback }: Amendment): string =>
  feedback ?? "no word what should change";

export const addressOf = ({ input }: RequestContext): string => `synt/${input.request}`;

export const withRationale = (context: RequestContext, rationale: string): RequestContext => ({
  ...context,
  rationale,
});
export const withTried = (context: RequestContext, what: string): RequestContext => ({
  ...context,
  tried: [...context.tried, what],
});
