/**
 * Every term of every proposal, worked out a second time from what the pool, the birth tests, the
 * judge and the till said. Source: seed 002, 6; rulings Y4 to Y7, Y23 and Y24.
 */
import type { Policy } from "../../../contract/policy.ts";
import { worldPromises } from "../../../contract/promises.ts";
import type { Seen, Verdict } from "../../../contract/property.ts";
import { startOf } from "../../../contract/startOf.ts";
import type { Mail } from "../../../machines/letter.ts";
import {
  type Artefact,
  isChain,
  isTerminal,
  type Need,
  type Stated,
  type Weighed,
} from "../../../machines/synt/contract.ts";
import { chainName, parseName } from "../../../machines/synt/naming.ts";
import type { Mnest } from "../../../machines/synt/pool/mnestome.ts";
import { BILLION, cosineOf, type Strategy } from "../../../machines/synt/score/reward.ts";
import { MILLION } from "../../../machines/units.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";
import { proposalsIn } from "../dossiers.ts";
import { costsNothing, fixedTerms } from "../fixedTerms.ts";
import { endsFor } from "./hints.ts";
import { type Exact, exactly, isSame } from "./reward.ts";
import type { RequestSeen, SyntSeen } from "./seen.ts";

type Drafted = Mail["draft.ended"];

/** What a request has heard so far, and the proposals that were judged and not told yet. */
interface Heard {
  uncovered: readonly string[];
  draft: Drafted | undefined;
  vectors: { readonly [text: string]: readonly number[] };
  spent: number;
  readonly judged: { readonly strategy: Strategy; readonly terms: Recomputed }[];
}

interface Recomputed {
  /** Of a chain it follows from its hops, which are known when it is told. */
  readonly det: Exact | null;
  readonly judge: Exact;
  readonly cost: Exact;
  readonly similarity: Exact;
  readonly coverage: Exact;
}

const NONE: Exact = { over: 0n, under: 1n };
const ALL: Exact = { over: 1n, under: 1n };
const exact = (over: number, under: number): Exact => ({
  over: BigInt(over),
  under: BigInt(under),
});

function heardBy(heard: Map<string, Heard>, address: string): Heard {
  const known = heard.get(address);
  const one = known ?? { uncovered: [], draft: undefined, vectors: {}, spent: 0, judged: [] };
  heard.set(address, one);
  return one;
}

function hear(heard: Heard, request: RequestSeen, delivery: SeenDelivery, policy: Policy): void {
  const { event } = delivery;
  if (event.type === "embed.replied") heard.vectors = event.vectors;
  if (event.type === "draft.ended") {
    heard.draft = event;
    heard.spent += event.cost;
  }
  if (event.type !== "paid.ended" || event.error !== null) return;
  heard.spent += event.cost;
  const isComposed = JSON.stringify(delivery.before).includes("composing");
  const strategy = isComposed ? "compose" : (request.input?.strategy ?? "generate");
  const terms = {
    det: isComposed ? null : exact(heard.draft?.passed ?? 0, heard.draft?.run ?? 1),
    judge: judgeIn(event.text),
    cost: costOf(heard.spent, policy.synt.tiers.estimateCents[strategy] * MILLION),
    similarity: isComposed ? NONE : penaltyOf(heard, request, policy),
    coverage: coverageOf(heard, request, isComposed),
  };
  heard.judged.push({ strategy, terms });
}

/** What its digits say, whatever words stand around them. */
function judgeIn(text: string | null): Exact {
  const [object = ""] = /\{[\s\S]*\}/.exec(text ?? "") ?? [];
  const score = scoreIn(object);
  if (score === null || score < 0 || score > 1) return NONE;
  const [digits = "0", power = "0"] = String(score).split("e-");
  const [whole = "0", tail = ""] = digits.split(".");
  const places = tail.length + Number(power);
  return { over: BigInt(`${whole}${tail}`), under: BigInt(`1${"0".repeat(places)}`) };
}

function scoreIn(text: string): number | null {
  try {
    const { score } = JSON.parse(text) as { readonly score?: unknown };
    return typeof score === "number" ? score : null;
  } catch {
    return null;
  }
}

function costOf(spent: number, estimate: number): Exact {
  if (estimate === 0) return spent === 0 ? ALL : NONE;
  return exact(Math.max(0, estimate - spent), estimate);
}

function penaltyOf(
  { draft, vectors }: Heard,
  { input, shown }: RequestSeen,
  policy: Policy,
): Exact {
  const own = vectors[draft?.draft?.description ?? ""] ?? [];
  const { similarAbove } = policy.synt.reward;
  const isLike = (shown?.executors ?? [])
    .filter(({ name }) => !input?.material.members.includes(name))
    .flatMap(({ description }) =>
      vectors[description] === undefined ? [] : [vectors[description]],
    )
    .some((vector) => cosineOf(own, vector) * 1_000 > similarAbove * BILLION);
  return isLike ? ALL : NONE;
}

/** The share of its family's gaps that it closes. */
function coverageOf(
  { uncovered, draft }: Heard,
  { input }: RequestSeen,
  isComposed: boolean,
): Exact {
  const wanted = input?.need.name ?? "";
  const name = isComposed ? wanted : (draft?.draft?.name ?? wanted);
  const parts = parseName(wanted) ?? parseName(name);
  const head = parts === null ? name : `${parts.verb}_${parts.object}`;
  const closes = new Set([wanted, name, ...(input?.material.covers ?? [])]);
  const family = uncovered.filter(
    (one) => closes.has(one) || one === head || one.startsWith(`${head}_`),
  );
  const closed = family.filter((one) => closes.has(one));
  return family.length === 0 ? NONE : exact(closed.length, family.length);
}

function statedFault(
  { request: id, weighed, state }: Stated,
  requests: ReadonlyMap<string, RequestSeen>,
  heard: Map<string, Heard>,
): Verdict {
  const judged = heard.get(`synt/${id}`)?.judged ?? [];
  const told = judged.splice(0, weighed.length);
  if (told.length < weighed.length) return `${id} tells of R, and no judge was heard.`;
  if (isTerminal(state) && judged.length > 0) {
    return `${id} is ${state}, and never told of a proposal to ${judged[0]?.strategy} that was judged.`;
  }
  const faults = weighed.flatMap((one, index) => {
    const known = told[index];
    return known === undefined ? [] : (termFault(one, known, requests.get(id)) ?? []);
  });
  const [fault] = faults;
  if (fault !== undefined) return `${id}: ${fault}.`;
  return weighed.length > 0 ? true : undefined;
}

function termFault(
  { strategy, artefact, scored }: Weighed,
  known: Heard["judged"][number],
  request: RequestSeen | undefined,
): string | null {
  if (strategy !== known.strategy) return `a proposal to ${known.strategy} is told as ${strategy}`;
  const { reward } = scored;
  const terms = { ...known.terms, det: known.terms.det ?? hopsOf(artefact, request) };
  const wrong = Object.entries(terms).find(
    ([term, value]) => !isSame(exactly(reward.terms[term as keyof typeof terms]), value),
  );
  if (wrong === undefined) return null;
  const [term, { over, under }] = wrong;
  const given = reward.terms[term as keyof typeof terms].join("/");
  return `${term} of its proposal to ${strategy} is given as ${given}, and is ${over}/${under}`;
}

/** The product of the hops' success, over the heaviest mnest of each. */
function hopsOf(artefact: Artefact, request: RequestSeen | undefined): Exact {
  const names = isChain(artefact) ? artefact : [];
  const edges = request?.shown?.edges ?? [];
  return names.slice(1).reduce((all, to, index) => {
    const from = names[index];
    const between = edges.filter((edge) => edge.from === from && edge.to === to);
    const [heaviest] = between.toSorted((a, b) => b.weight - a.weight);
    const { ok = 0, runs = 0 } = heaviest?.seen ?? {};
    if (runs === 0) return NONE;
    return { over: all.over * BigInt(ok), under: all.under * BigInt(runs) };
  }, ALL);
}

/** What the judge says it breaks is turned down whatever its R. */
const UNLAWFUL = "it breaks the constitution";

/** More R; at the same R a chain, which comes first in the order of the strategies. */
function isBetter(a: Weighed, b: Weighed): boolean {
  const [one, other] = [exactly(a.scored.reward.total), exactly(b.scored.reward.total)];
  const [left, right] = [one.over * other.under, other.over * one.under];
  return left > right || (left === right && a.strategy === "compose" && b.strategy !== "compose");
}

// What a pool misses, followed a second time from the letters it gets: which names are proto-mnests,
// what left them, and which an active executor has. Source: rulings Y6 and Y23.

interface Left {
  isAsked: boolean;
  readonly chains: (readonly string[])[];
}

class SyntGaps {
  readonly #left = new Map<string, Left>();
  /** The mnests before the delivery at hand: a name that was not missed begins anew. */
  #mnests: readonly Mnest[] = [];
  #promoted = new Set<string>();

  observe({ event, to }: SeenDelivery, { pool }: SyntSeen): void {
    const born = startOf(event, "pool");
    if (born !== undefined) {
      for (const { name } of born.missing) this.#of(name).isAsked = true;
    } else if (to === "pool") this.#told(event, pool.memos);
    this.#mnests = pool.mnests;
  }

  #told(event: SeenDelivery["event"], memos: SyntSeen["pool"]["memos"]): void {
    if (event.type === "proto.raised") this.#of(event.missing.name).isAsked = true;
    if (event.type === "chain.ran" && event.ok && event.composed) {
      const { chain, missed } = event;
      const name = chainName(chain);
      const isAsked = missed.includes(name ?? "");
      if (name !== null && !isAsked) this.#of(name).chains.push(chain);
    }
    if (event.type !== "night.came") return;
    for (const { chain, query, isPromoted } of Object.values(memos)) {
      if (!isPromoted || this.#promoted.has(query)) continue;
      this.#promoted.add(query);
      this.#of(chainName(chain) ?? "").chains.push(chain);
    }
  }

  #of(name: string): Left {
    const isMissed = this.#mnests.some(({ state, to }) => state === "proto" && to.name === name);
    const known = isMissed ? this.#left.get(name) : undefined;
    const left = known ?? { isAsked: false, chains: [] };
    this.#left.set(name, left);
    return left;
  }

  /** Names that nothing serves, as they stand for a need. */
  unserved({ executors, mnests }: SyntSeen["pool"], need: Need): readonly string[] {
    const { from } = need;
    const visible = Object.values(executors).filter(({ isVisible }) => isVisible);
    const isEnd = endsFor(need, visible);
    const missed = mnests.filter(({ state }) => state === "proto").map(({ to }) => to.name);
    return [...new Set(missed)].filter((name) => {
      const { isAsked = true, chains = [] } = this.#left.get(name) ?? {};
      const isServed =
        !isAsked &&
        from !== null &&
        chains.some((one) => one[0] === from && isEnd(one.at(-1) ?? ""));
      return !isServed && executors[name]?.isVisible !== true;
    });
  }
}

export const syntTermProperties = worldPromises({
  "synt-terms-recompute": {
    says: "Every proposal that was judged is told with its R, and each term follows from the hops, tests, costs, embeddings, gaps and words at hand.",
    source: "seed 002, 6; RULINGS Y4, Y5, Y6, Y7, Y23, Y24",
    watch: (policy) => {
      const gaps = new SyntGaps();
      const heard = new Map<string, Heard>();
      return ({ delivery, synt }: Seen) => {
        const { event, to, from, fate } = delivery;
        gaps.observe(delivery, synt);
        if (event.type === "pool.asked") {
          const need = synt.at(from)?.input?.need;
          if (need !== undefined) heardBy(heard, from).uncovered = gaps.unserved(synt.pool, need);
        }
        if (event.type === "synth.stated" && to === "synt") {
          return statedFault(event, synt.requests, heard);
        }
        const request = synt.at(to);
        if (request === undefined || fate !== "handled" || to !== `synt/${request.id}`)
          return undefined;
        hear(heardBy(heard, to), request, delivery, policy);
        return undefined;
      };
    },
  },
  "synt-analysis-holds": {
    says: "A term that `synt analyse` says has one value only has it in every proposal.",
    source: "ours: analyse agrees with the machine",
    watch:
      (policy) =>
      ({ delivery: { event, to }, synt }) => {
        if (event.type !== "synth.stated" || to !== "synt") return undefined;
        const { request, weighed } = event;
        if (weighed.length === 0) return undefined;
        const isFree = costsNothing(policy.synt, synt.tiers);
        for (const { strategy, scored } of weighed) {
          const wrong = fixedTerms(strategy, isFree).find(
            ({ term, at }) => !isSame(exactly(scored.reward.terms[term]), exactly(at)),
          );
          if (wrong !== undefined) {
            const { term } = wrong;
            return `${request}: ${term} of ${strategy} is ${scored.reward.terms[term].join("/")}, and analyse says that it never is.`;
          }
        }
        return true;
      },
  },
  "synt-best-is-taken": {
    says: "With `synt.compare: best` the person is first asked about the best of chain and executor by R, and nothing is signed before.",
    source: "ours: compare: first | best",
    watch: ({ synt: policy }) => {
      const best = new Map<string, Weighed>();
      const asked = new Set<string>();
      return ({ delivery: { event, to, from }, synt }) => {
        if (policy.compare !== "best") return undefined;
        if (event.type === "synth.stated" && to === "synt") {
          const { request, weighed, rationale } = event;
          for (const one of weighed) {
            if (one.strategy === "generate" && rationale.includes(UNLAWFUL)) continue;
            const before = best.get(request);
            if (!one.scored.reward.passes) continue;
            if (before === undefined || isBetter(one, before)) best.set(request, one);
          }
          return undefined;
        }
        const request = synt.at(from);
        if (request?.mode !== "reactive") return undefined;
        if (event.type === "sign.asked" && !asked.has(request.id)) {
          return `${request.id} has something signed before the person was asked.`;
        }
        if (event.type !== "person.asked") return undefined;
        const [shown] = proposalsIn(event);
        if (shown === undefined || asked.has(request.id)) return undefined;
        asked.add(request.id);
        const { strategy } = shown.dossier;
        const top = best.get(request.id);
        return top === undefined || top.strategy === strategy
          ? true
          : `${request.id} asks to ${strategy}, and to ${top.strategy} is worth more.`;
      };
    },
  },
});
