/** The order of the strategies, and which actor is told what. Source: seed 002, 3 to 5, 7 and 12. */

import { worldPromises } from "../../../contract/promises.ts";
import type { Verdict } from "../../../contract/property.ts";
import { startOf } from "../../../contract/startOf.ts";
import { isChain, isTerminal, type ProposalState } from "../../../machines/synt/contract.ts";
import type { SyntPolicy } from "../../../machines/synt/syntPolicy.ts";
import { endsFor, plain } from "./hints.ts";
import type { RequestSeen, Shown, SyntSeen } from "./seen.ts";

/** Any chain by a plain walk; undefined also where the policy cuts the walk short. */
function pathOf(
  { input }: RequestSeen,
  { edges, executors }: Shown,
  { compose }: SyntPolicy,
): readonly string[] | undefined {
  const { from = null, hints = [], name: gap = "" } = input?.need ?? {};
  const live = executors.map(({ name }) => name);
  const isEnd = endsFor({ from, hints, name: gap }, executors);
  const next = (name: string) =>
    edges.filter((edge) => edge.from === name && live.includes(edge.to)).map(({ to }) => to);
  const isCut =
    live.some((name) => next(name).length > compose.fanMax) || compose.pathsMax < 10_000;
  if (from === null || isCut) return undefined;
  let ahead: (readonly string[])[] = [[from]];
  for (let hops = 1; hops <= compose.hopsMax; hops += 1) {
    ahead = ahead.flatMap((path) =>
      next(path.at(-1) ?? "")
        .filter((name) => !path.includes(name))
        .map((name) => [...path, name]),
    );
    const found = ahead.find((path) => isEnd(path.at(-1) ?? ""));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What was planned was there, and did not work: no word on what the pool cannot do. */
const RUN_FAILED =
  / failed: | is not loaded\.| did not answer in time|the planner did not answer|no actor lives at /;

function retreatFault({ id, lines }: RequestSeen, turn: string): Verdict {
  const states = lines.map(({ fields }) => fields["state"] as ProposalState);
  const last = lines.at(-1)?.fields ?? {};
  const why = `The turn ${turn} was told that ${id} could not, `;
  if (!isTerminal(states.at(-1) ?? "composing")) return `${why}and the audit has no end of it.`;
  if (!states.includes("composing")) return `${why}and it never tried to compose.`;
  const isBound = ["PolicyVeto", "BudgetExceeded", "ConstitutionViolation"];
  if (states.includes("generating") || isBound.includes(String(last["error"]))) return true;
  return `${why}and it never tried to generate: ${last["rationale"]}`;
}

const openWith = (synt: SyntSeen, { id, intent, mode }: RequestSeen): RequestSeen | undefined =>
  [...synt.requests.values()].find(
    (one) =>
      one.id !== id &&
      one.mode === mode &&
      one.input !== undefined &&
      plain(one.intent) === plain(intent) &&
      !isTerminal((one.states.at(-1) ?? "composing") as ProposalState),
  );

export const syntCascadeProperties = worldPromises({
  "synt-composes-first": {
    says: "The reactive cascade looks for a chain first, and generates only where there is none, or none that passes.",
    source: "seed 002, 4 and 12, “compose before generate”, “Generate fires only if compose fails”",
    watch: ({ synt: policy }) => {
      const known = new Map<string, number>();
      return ({ delivery: { event, to, from }, synt }) => {
        const request = synt.at(to);
        if (request?.mode !== "reactive" || to !== `synt/${request.id}`) return undefined;
        const before = known.get(request.id) ?? 0;
        known.set(request.id, request.states.length);
        if (request.states.length === before || request.states.at(-1) !== "generating") {
          return undefined;
        }
        const { id, shown, states, isJudged } = request;
        if (!states.includes("composing") || shown === undefined) {
          return `${id} generates, and the request has not looked for a chain.`;
        }
        // Taken up again, the person may have asked for new code in place of a chain (SN70).
        const isAskedFor = request.input?.revision?.target === "generate";
        if (event.type !== "pool.answered" || isJudged || isAskedFor) return true;
        const path = from === "pool" ? pathOf(request, shown, policy) : undefined;
        return path === undefined ? true : `${id} generates, and ${path.join(" → ")} is there.`;
      };
    },
  },
  "synt-chains-are-walks": {
    says: "A chain has at most five hops, visits no executor twice, and goes over mnests and executors that the pool shows.",
    source: "seed 002, 4.1 and 12, “Chain max 5 hops”; RULINGS Y8",
    watch:
      ({ synt: { compose } }) =>
      ({ delivery: { event }, synt }) => {
        if (event.type !== "synth.stated" || !isChain(event.artefact)) return undefined;
        const names = event.artefact;
        if (names.length < 2) return undefined;
        const request = synt.requests.get(event.request);
        const said = `${request?.id} takes ${names.join(" → ")}`;
        if (names.length > compose.hopsMax + 1) return `${said}: ${names.length - 1} hops.`;
        if (new Set(names).size < names.length) return `${said}: it goes in a circle.`;
        const { edges = [], executors = [] } = request?.shown ?? {};
        const live = executors.map(({ name }) => name);
        // The first is the step before the gap, which the turn has planned.
        const stranger = names.slice(1).find((name) => !live.includes(name));
        if (stranger !== undefined) return `${said}, and ${stranger} is not in the pool.`;
        const gap = names.find(
          (name, index) =>
            index > 0 && !edges.some((edge) => edge.from === names[index - 1] && edge.to === name),
        );
        return gap === undefined ? true : `${said}, and no mnest leads to ${gap}.`;
      },
  },
  "synt-night-waits": {
    says: "No introspective request starts while a turn of the user is open.",
    source: "seed 002, 5 and 11, “Extended cascade”; issue 4",
    watch: () => {
      const known = new Set<string>();
      return ({ synt }) => {
        if (synt.requests.size === known.size) return undefined;
        const request = [...synt.requests.values()].at(-1) as RequestSeen;
        known.add(request.id);
        if (request.mode !== "introspective") return undefined;
        const [turn] = synt.openTurns;
        return turn === undefined ? true : `${request.id} starts while the turn ${turn} is open.`;
      };
    },
  },
  "synt-no-retreat": {
    says: "A turn ends with a word, and with “I could not” only after an audited attempt to compose and to generate, for a lock, the budget, the constitution, or because a run failed.",
    source: "seed 002, 7, the non-retreat telos; issue 4",
    watch:
      () =>
      ({ delivery: { event, to }, synt }) => {
        if (to !== "synt" || event.type !== "turn.closed") return undefined;
        const name = event.turn;
        const turn = synt.turns.get(name);
        if (turn === undefined) return undefined;
        const last = turn.told.at(-1);
        if (last === undefined || last === "") return `The turn ${name} ended without a word.`;
        if (!last.startsWith("I could not")) return true;
        if (RUN_FAILED.test(last)) return true;
        const request = synt.requests.get(turn.requests.at(-1) ?? "");
        if (request === undefined)
          return `The turn ${name} ended with “${last}”, and nothing was tried.`;
        return retreatFault(request, name);
      },
  },
  "synt-one-request-a-target": {
    says: "No request makes what is being made: one target has one open request of a user and one of the night.",
    source: "seed 002, 7, “not insisting forever”; ours",
    watch: () => {
      const known = new Set<string>();
      return ({ delivery: { event }, synt }) => {
        if (startOf(event, "synthesisRequest") === undefined) return undefined;
        const request = [...synt.requests.values()].at(-1) as RequestSeen;
        if (known.has(request.id)) return undefined;
        known.add(request.id);
        const twin = openWith(synt, request);
        return twin === undefined
          ? true
          : `${request.id} starts on “${request.intent}”, which ${twin.id} is at.`;
      };
    },
  },
});
