/** `ghostlight synt approve`, `reject`, `amend` and `pending`: the person's word between two runs. */

import type { JsonFlag } from "../../../../cli/bundles.ts";
import {
  type DecideFlags,
  type DeskCommands,
  decideCommand,
  pendingCommand,
} from "../../../../cli/decide.ts";
import { policyWith } from "../../../../contract/policyTree.ts";
import { type BadInput, badInput, quoted } from "../../../../edges/errors.ts";
import type { OpenQuestion } from "../../../../edges/play/gate.ts";
import { defined } from "../../../../machines/defined.ts";
import type { Decision } from "../../scriptedSynt.ts";
import { decidedSoFar, proposalsIn, syntGate, VERBS } from "../gate.ts";
import { decidedBy } from "../gatePort.ts";
import { decisionsFor, TARGETS, type Word } from "../gateQuestion.ts";
import { dossierText } from "../gateText.ts";

export interface SyntDecideFlags extends DecideFlags {
  readonly feedback?: string;
  readonly target?: string;
  /** Other proposals of the same dossier. */
  readonly approve?: readonly string[];
  readonly reject?: readonly string[];
}

const desk: DeskCommands = {
  gate: syntGate,
  group: "synt",
  thing: "a request",
  past: decidedSoFar,
  verbs: VERBS,
  details: ({ parts }, { bundle, open }) => {
    const { gate } = policyWith(parts, bundle.manifest.policy).synt.reward;
    return proposalsIn(open).map(
      ({ request, dossier }) => `${request}\n${dossierText(dossier, { gate })}`,
    );
  },
};

export async function syntDecideCommand(
  decision: Decision,
  ids: readonly string[],
  flags: SyntDecideFlags,
): Promise<number> {
  const words = wordsOf(decision, ids, flags);
  const said = {
    words: new Map([...words].map(([id, word]) => [id, word.decision])),
    decided: (at: Parameters<typeof decidedBy>[1]) => decidedBy(words, at),
    check: (open: OpenQuestion) => checkAllowed(open, words),
  };
  return decideCommand(desk, said, flags);
}

export const syntPendingCommand = (folder: string | undefined, flags: JsonFlag): Promise<number> =>
  pendingCommand(desk, folder, flags);

function wordsOf(
  decision: Decision,
  ids: readonly string[],
  { feedback, target, approve = [], reject = [] }: SyntDecideFlags,
): ReadonlyMap<string, Word> {
  if (decision === "amend" && (feedback ?? "").trim() === "") {
    throw refused("--feedback", "none", "words", "Say what should be different.");
  }
  if (target !== undefined && !TARGETS.some((one) => one === target)) {
    const todo = "Omit it to have the same strategy again.";
    throw refused("--target", quoted(target), TARGETS.join(" | "), todo);
  }
  const word: Word = defined({ decision, feedback, target });
  const all: [string, Word][] = [
    ...ids.map((id): [string, Word] => [id, word]),
    ...approve.map((id): [string, Word] => [id, { decision: "approve" }]),
    ...reject.map((id): [string, Word] => [id, { decision: "discard" }]),
  ];
  const twice = all.find(([id, { decision: one }]) =>
    all.some(([other, { decision: two }]) => other === id && two !== one),
  );
  if (twice === undefined) return new Map(all);
  throw refused("<id>", `${quoted(twice[0])} with two decisions`, "one", "Omit one of them.");
}

const refused = (path: string, found: string, allowed: string, todo: string): BadInput =>
  badInput(path, found, allowed, todo);

function checkAllowed({ purpose }: OpenQuestion, words: ReadonlyMap<string, Word>): void {
  const allowed = decisionsFor(purpose);
  const wrong = [...words.values()].find(({ decision }) => !allowed.includes(decision));
  if (wrong === undefined) return;
  throw badInput(
    `synt ${VERBS[wrong.decision]}`,
    `it for a question about ${purpose}`,
    allowed.map((one) => VERBS[one]).join(" | "),
    "Money is spent or not; there is nothing to change about it.",
  );
}
