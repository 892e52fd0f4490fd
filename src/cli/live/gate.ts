/** Who decides at the gates of a world, as the command line gives it, and what a waiting run says. */

import { partsIn } from "../../contract/partsIn.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { commandSaid } from "../../edges/command.ts";
import { BadInput, oneOf, quoted } from "../../edges/errors.ts";
import type { PartLists } from "../../edges/parts/partLists.ts";
import type { Gate, OpenQuestion } from "../../edges/play/gate.ts";
import { gatedParts } from "../../edges/play/gates.ts";
import type { Person } from "../../edges/play/person.ts";
import { personAt } from "../../edges/play/personPort.ts";
import type { RunFlags } from "../options.ts";
import { personOutput, print } from "../output.ts";

const GATES = ["scripted", "terminal", "later", "nobody"] as const;
type GateKind = (typeof GATES)[number];

/** Throws BadInput for a gate that does not exist, or that this run has no use for. */
export function gateOption(lists: PartLists, flags: RunFlags, scenario: Scenario): GateKind {
  const { gate: given = "scripted" } = flags;
  const todo = "Omit it to have the scenario's own person decide.";
  const gate = oneOf("--gate", given, GATES, todo);
  if (flags.gate !== undefined && !hasGate(lists, scenario)) {
    const gated = gatedParts(lists);
    const fields = gated.map((name) => `\`${name}:\``).join(" or ");
    throw gateError({
      found: `${quoted(given)}, in a world without ${gated.join(" or ")}`,
      allowed: `it only where the scenario has ${fields}, whose gate asks`,
      todo: `${commandSaid`scenarios`} lists those whose names begin with ${gated.join(" or ")}.`,
    });
  }
  const many = flags.compare ? "--compare" : flags.seeds === undefined ? undefined : "--seeds";
  if (gate !== "scripted" && many !== undefined) {
    throw gateError({
      found: `${quoted(given)} beside ${many}`,
      allowed: `it without ${many}, which plays many runs`,
      todo: "Omit one of the two.",
    });
  }
  return gate;
}

const hasGate = (lists: PartLists, scenario: Scenario): boolean =>
  partsIn(lists.parts, scenario).some(({ name }) => gatedParts(lists).includes(name));

const gateError = (facts: Omit<ConstructorParameters<typeof BadInput>[0], "where">): BadInput =>
  new BadInput({ where: { path: "--gate" }, ...facts });

/** The person at this terminal, the same for what agents ask and for the gate. */
export function peopleFor({ ask }: Pick<RunFlags, "ask">, kind: GateKind) {
  const person = ask || kind === "terminal" ? personAt(process.stdin, personOutput) : undefined;
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

/** What `--json` says of a question that waits. */
export const waitsJson = (open: OpenQuestion, bundle: string): object => {
  const { seq, purpose, atMs, gate } = open;
  return { seq, purpose, atMs, ...gate.shown(open, bundle).json };
};

export function printWaits(open: OpenQuestion | undefined, bundle: string): void {
  if (open !== undefined) print(`\n${open.gate.shown(open, bundle).text}`);
}
