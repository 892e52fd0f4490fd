/** The gate of synt, as runs and commands know it: who serves it, and how a question that waits there is shown. */
import { command } from "../../../edges/command.ts";
import { clock } from "../../../edges/duration.ts";
import type { Answered, OpenQuestion, PartGate } from "../../../edges/play/gate.ts";
import { isChain } from "../../../machines/synt/contract.ts";
import { gatePort } from "./gatePort.ts";
import {
  decisionsFor,
  GATE,
  isBatch,
  type Proposal,
  proposalsOf,
  wordsIn,
} from "./gateQuestion.ts";
import { printable, scoreOf } from "./gateText.ts";

/** A question that waits, with what it is about. */
type Asked = Pick<OpenQuestion, "purpose" | "atMs"> & { readonly proposals: readonly Proposal[] };

/** The proposals of an open question; none of another part's. */
export const proposalsIn = ({ event }: Pick<OpenQuestion, "event">): readonly Proposal[] =>
  event.type === "person.asked" ? proposalsOf(event) : [];

/** A decision that a recording holds. */
interface Past {
  readonly decision: string;
  readonly atMs: number;
}

/** What was decided so far, by request. */
export const decidedSoFar = (answered: readonly Answered[]): ReadonlyMap<string, Past> =>
  new Map(
    answered.flatMap(({ question: { event: asked }, reply: { event, deliveredAt } }) =>
      asked.type === "person.asked" && event.type === "person.decided"
        ? [...wordsIn(asked, event)].map(([request, decision]): [string, Past] => [
            request,
            { decision, atMs: deliveredAt ?? 0 },
          ])
        : [],
    ),
  );

export const syntGate: PartGate = {
  port: GATE,
  asks: "person.asked",
  serve: (gate, { policy: { synt }, ...options }) => {
    const rules = { gate: synt.reward.gate, waitMs: synt.gate.waitMs };
    return gatePort(gate, { ...options, rules });
  },
  shown: (question, bundle) => {
    const open = { ...question, proposals: proposalsIn(question) };
    return {
      about: open.proposals.map(({ request }) => request),
      text: textOf(open, bundle),
      json: { proposals: open.proposals, commands: commandsFor(open, bundle) },
    };
  },
};

/** Commands that decide on what waits in a bundle, one line each. */
function commandsFor({ purpose, proposals }: Asked, bundle: string): string[] {
  const [first, ...others] = proposals.map(({ request }) => request);
  const ids = proposals.map(({ request }) => request);
  const more = { approve: [], discard: [], amend: ["--feedback", "WORDS"] };
  return [
    ...decisionsFor(purpose).map(
      (one) => command`synt ${VERBS[one]} ${ids} ${more[one]} --bundle ${bundle}`,
    ),
    ...(others.length === 0
      ? []
      : [command`synt approve ${first} --reject ${others[0]} --bundle ${bundle}`]),
  ];
}

/** The commands that decide. */
export const VERBS = { approve: "approve", amend: "amend", discard: "reject" } as const;

function textOf(open: Asked, bundle: string): string {
  return [
    ...open.proposals.map(
      (one) => `${proposalText(open.purpose, one)}, since ${clock(open.atMs)}.`,
    ),
    ...commandsFor(open, bundle).map((command) => `  ${command}`),
  ].join("\n");
}

/** `req-0001 waits for a decision: executor format_json (generate, R 0.742)` */
function proposalText(purpose: string, { request, dossier }: Proposal): string {
  const { artefact = null, strategy, reward } = dossier;
  const name = isChain(artefact) ? artefact.join(" → ") : artefact?.name;
  const facts = [strategy, reward ? `R ${scoreOf(reward)}` : null].filter((one) => one != null);
  const what = [
    isBatch(purpose) ? "proposal" : purpose,
    ...(name === undefined ? [] : [name]),
  ].join(" ");
  const said = facts.length === 0 ? what : `${what} (${facts.join(", ")})`;
  return printable(`${request} waits for a decision: ${said}`);
}
