/** Who decides at the gate of synt, as the command line gives it, and what a waiting run says. */

import type { Scenario } from "../actors/scenario.ts";
import type { Gate } from "../actors/synt/edge/gatePort.ts";
import { decisionsFor, isBatch } from "../actors/synt/edge/gateQuestion.ts";
import { printable, scoreOf } from "../actors/synt/edge/gateText.ts";
import { clock } from "../edges/duration.ts";
import { BadInput, hintFor, quoted } from "../edges/errors.ts";
import type { OpenQuestion } from "../edges/openQuestion.ts";
import { type Person, personAt } from "../edges/personPort.ts";
import { isChain } from "../machines/synt/contract.ts";
import type { RunFlags } from "./options.ts";
import { print } from "./output.ts";

const GATES = ["scripted", "terminal", "later", "nobody"] as const;
type GateKind = (typeof GATES)[number];

/** Throws BadInput for a gate that does not exist, or that this run has no use for. */
export function gateOption(flags: RunFlags, scenario: Scenario): GateKind {
  const { gate: given = "scripted" } = flags;
  const gate = GATES.find((one) => one === given);
  if (gate === undefined) {
    throw refused({
      found: quoted(given),
      allowed: GATES.join(" | "),
      ...hintFor(given, GATES),
      todo: "Omit it to have the scenario's own person decide.",
    });
  }
  if (flags.gate !== undefined && scenario.synt === undefined) {
    throw refused({
      found: `${quoted(given)}, in a world without synt`,
      allowed: "it only where the scenario has `synt:`, whose gate asks",
      todo: "`npx ghostlight scenarios` lists those whose names begin with synt.",
    });
  }
  const many = flags.compare ? "--compare" : flags.seeds === undefined ? undefined : "--seeds";
  if (gate !== "scripted" && many !== undefined) {
    throw refused({
      found: `${quoted(given)} beside ${many}`,
      allowed: `it without ${many}, which plays many runs`,
      todo: "Omit one of the two.",
    });
  }
  return gate;
}

const refused = (facts: Omit<ConstructorParameters<typeof BadInput>[0], "where">): BadInput =>
  new BadInput({ where: { path: "--gate" }, ...facts });

/** The person at this terminal, the same for what agents ask and for the gate. */
export function peopleFor({ ask }: Pick<RunFlags, "ask">, kind: GateKind) {
  const person = ask || kind === "terminal" ? personAt(process.stdin, process.stderr) : undefined;
  return {
    /** Who answers what agents ask of people. */
    person: ask ? person : undefined,
    gate: gateFor(kind, person),
    isAsked: (): boolean => person?.isAsked === true,
    close: (): void => person?.close(),
  };
}

function gateFor(kind: GateKind, person: Person | undefined): Gate | undefined {
  if (kind === "terminal") return person && { kind, person };
  return kind === "scripted" ? undefined : { kind };
}

/** Commands that decide on what waits in a bundle, one line each. */
function commandsFor({ purpose, proposals }: OpenQuestion, bundle: string): string[] {
  const [first, ...others] = proposals.map(({ request }) => request);
  const ids = [first, ...others].join(" ");
  const folder = argument(bundle);
  const more = { approve: "", discard: "", amend: ' --feedback "WORDS"' };
  return [
    ...decisionsFor(purpose).map(
      (one) => `npx ghostlight synt ${VERBS[one]} ${ids}${more[one]} --bundle ${folder}`,
    ),
    ...(others.length === 0
      ? []
      : [`npx ghostlight synt approve ${first} --reject ${others[0]} --bundle ${folder}`]),
  ];
}

export const VERBS = { approve: "approve", amend: "amend", discard: "reject" } as const;

/** A path as a shell takes it. */
const argument = (path: string): string =>
  /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;

export function waitsText(open: OpenQuestion, bundle: string): string {
  return [
    ...open.proposals.map(
      (one) => `${proposalText(open.purpose, one)}, since ${clock(open.atMs)}.`,
    ),
    ...commandsFor(open, bundle).map((command) => `  ${command}`),
  ].join("\n");
}

type Proposal = OpenQuestion["proposals"][number];

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

export const waitsJson = (open: OpenQuestion, bundle: string): object => ({
  ...open,
  commands: commandsFor(open, bundle),
});

export function printWaits(open: OpenQuestion | undefined, bundle: string): void {
  if (open !== undefined) print(`\n${waitsText(open, bundle)}`);
}
