/** A question at the gate of synt in words, and a line of a person read as a decision. */

import { markdownTable } from "markdown-table";
import { span } from "../../../edges/duration.ts";
import { defined } from "../../../machines/defined.ts";
import { ownValue } from "../../../machines/ownValue.ts";
import { isChain } from "../../../machines/synt/contract.ts";
import { decimalOf, flooredTo, type Share } from "../../../machines/synt/score/exactShare.ts";
import { CONTRACT_FIELDS, type Reward, TERMS } from "../../../machines/synt/score/reward.ts";
import { cents } from "../words.ts";
import { type Dossier, decisionsFor, isBatch, type Proposal, type Word } from "./gateQuestion.ts";

/** The rules of the gate that a person needs to know. */
export interface GateRules {
  /** R from which a proposal passes, in thousandths. */
  readonly gate: number;
  readonly waitMs: number;
}

/** One proposal, with what may be said about it. */
export function questionText(purpose: string, proposal: Proposal, rules: GateRules): string {
  return [
    printable(`${proposal.request}: ${askedText(purpose, proposal.dossier)}`),
    "",
    dossierText(proposal.dossier, rules),
    "",
    `The run stands still meanwhile; what you take counts, up to ${span(rules.waitMs)}.`,
    waysText(purpose),
  ].join("\n");
}

function askedText(purpose: string, { artefact = null, strategy, call }: Dossier): string {
  if (isChain(artefact)) return `I am about to call ${artefact.join(" → ")}, OK?`;
  const name = artefact?.name ?? "it";
  if (purpose === "soft-cap") return `May I go on beyond the soft cap with ${call ?? "a call"}?`;
  if (purpose === "executor") return `May ${name} enter the pool?`;
  return `May ${name} enter the pool (${strategy ?? "no strategy"})?`;
}

/** What may be said, a way a line. */
export function waysText(purpose: string): string {
  const ways: (readonly [string, string])[] = [
    ["a", "approves"],
    ...(decisionsFor(purpose).includes("amend") ? AMENDING : []),
    ["d", "discards; d WORDS says why"],
    ...(isBatch(purpose) ? [["s", "leaves it undecided"] as const] : []),
  ];
  return ways.map(([key, says]) => `  ${key.padEnd(WIDTH)} ${says}`).join("\n");
}

const AMENDING = [
  ["m WORDS", "asks for a change"],
  ["m compose: WORDS", "asks for another strategy, as does m generate: WORDS"],
] as const;

/** The dossier, a fact a line. What is not known by name comes last, as it is. */
export function dossierText(dossier: Dossier, { gate }: Pick<GateRules, "gate">): string {
  const { intent, strategy, artefact, rationale, judge, cost, reward, ...more } = dossier;
  const rows: [string, unknown][] = [
    ["wanted", intent],
    ["strategy", strategy],
    ...artefactRows(artefact),
    ["why", rationale],
    ["judge", judge],
    ["cost so far", cost === undefined ? null : cents(cost)],
    ...Object.entries(more).map(([name, value]): [string, unknown] => [
      name,
      Object.hasOwn(MONEY, name) ? cents(Number(value)) : value,
    ]),
  ];
  const said = rows
    .filter(([, value]) => value !== null && value !== undefined)
    .map(
      ([name, value]) => `  ${(ownValue(MONEY, name) ?? name).padEnd(WIDTH)} ${valueText(value)}`,
    );
  return [...said, ...(reward ? [rewardText(reward, gate)] : [])].join("\n");
}

/** Of a question at the soft cap: amounts in millionths of a cent. */
const MONEY: { readonly [field: string]: string } = {
  spent: "spent",
  atMost: "may cost",
  soft: "soft cap",
  cap: "budget",
};

const WIDTH = 16;

function artefactRows(artefact: unknown): [string, unknown][] {
  if (Array.isArray(artefact)) return [["chain", artefact.join(" → ")]];
  if (typeof artefact !== "object" || artefact === null) return [["made", artefact]];
  const { name, description, capabilities, profile, tests, ...more } = artefact as {
    readonly [fact: string]: unknown;
  };
  return [
    ["made", name],
    ["", description],
    [
      "capabilities",
      Array.isArray(capabilities) && capabilities.length === 0 ? "none" : capabilities,
    ],
    ["profile", isEmpty(profile) ? "reaches nothing" : profile],
    ["birth tests", tests],
    ...Object.entries(more),
  ];
}

const isEmpty = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

function valueText(value: unknown): string {
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
    return printable(value.join(", "));
  }
  return printable(typeof value === "string" ? value : JSON.stringify(value));
}

/** Texts of models on a person's terminal: one line, no control codes, nothing from right to left. */
export const printable = (text: string): string =>
  text.replace(/\s+/g, " ").replace(/[\p{Cc}\p{Bidi_Control}]/gu, "�");

export const decimal = (value: number): string => String(Number(value.toFixed(4)));

function rewardText({ terms, parts, total, passes }: Reward, gate: number): string {
  const table = markdownTable([
    ["Term", "Value", "Adds to R"],
    ...TERMS.map((term) => [
      CONTRACT_FIELDS[term],
      decimal(decimalOf(terms[term])),
      decimal(decimalOf(parts[term])),
    ]),
  ]);
  const verdict = `${passes ? "reaches" : "does not reach"} the threshold of ${(gate / 1000).toFixed(3)}`;
  const name = "R".padEnd(WIDTH);
  return `  ${name} ${scoreOf({ total })}, ${verdict}\n${table.replace(/^/gm, "  ")}`;
}

/** R as people read it. */
export const scoreOf = ({ total }: Pick<Reward, "total">): string => scoreText(total);

/** Rounded down, so that nothing looks as if it passed that did not. */
export const scoreText = (total: Share): string => (flooredTo(total, 1000) / 1000).toFixed(3);

/** Left undecided. */
export const SKIPPED = "skipped";

/** What a person typed; undefined when it is no decision. Only `a` or `approve` alone approves. */
export function readWord(said: string, purpose: string): Word | typeof SKIPPED | undefined {
  const line = said.trim();
  if (/^(a|approve)$/i.test(line)) return { decision: "approve" };
  if (isBatch(purpose) && /^(s|skip)$/i.test(line)) return SKIPPED;
  const [, letter, words = ""] = /^(m|amend|d|discard)(?:[\s:,]+(.*))?$/isu.exec(line) ?? [];
  if (letter === undefined) return undefined;
  if (letter.toLowerCase().startsWith("d")) {
    return defined({ decision: "discard", feedback: words === "" ? undefined : words });
  }
  const [, target, change = words] = /^(compose|generate)\s*:\s*(.*)$/isu.exec(words) ?? [];
  if (change === "" || !decisionsFor(purpose).includes("amend")) return undefined;
  return defined({ decision: "amend", feedback: change, target: target?.toLowerCase() });
}
