/**
 * What an agent reads of its own suffering: nothing while it is calm, then a header by level and
 * every stressor, the worst first. Source: hollow-agentOS, prompt fragment, in our words.
 */

import { MILLION } from "../../units.ts";
import { type Level, levelAt } from "../engine/locks.ts";
import type { SufferingPolicy } from "./observations.ts";
import { loadAt, type Suffering, severityAt } from "./severity.ts";
import { conditionOf, descriptionOf, isStressor } from "./stressorRules.ts";

/** The facts: strict JSON, so that they may stand in a view. */
export interface SufferingView {
  readonly load: number;
  readonly level: Level;
  readonly stressors: readonly {
    readonly type: string;
    readonly severity: number;
    readonly description: string;
    readonly condition: string;
  }[];
}

/** The worst first; equal ones by name. */
export function sufferingView(
  active: readonly Suffering[],
  nowMs: number,
  policy: SufferingPolicy,
): SufferingView {
  const load = loadAt(active, nowMs);
  const stressors = active
    .map((one) => ({
      type: one.type,
      severity: severityAt(one, nowMs),
      description: isStressor(one.type) ? descriptionOf(one.type) : "",
      condition: isStressor(one.type) ? conditionOf(one.type, policy.stressors) : "",
    }))
    .sort((a, b) => b.severity - a.severity || (a.type < b.type ? -1 : 1));
  return { load, level: levelAt(load, policy), stressors };
}

const HEADERS: { readonly [L in Exclude<Level, "calm">]: string } = {
  prominent: "What weighs on you",
  constrained: "What weighs on you narrows what you can do",
  dominant: "WHAT WEIGHS ON YOU IS HEAVY and decides what you can still do",
  crisis: "CRISIS: see to what weighs on you before anything else",
};

const BAR = 10;

export function sufferingLines({ load, level, stressors }: SufferingView): string[] {
  if (level === "calm") return [];
  return [
    `${HEADERS[level]} (load ${decimal(load)}/1.0):`,
    ...stressors.flatMap(({ type, severity, description, condition }) => [
      `  ${bar(severity)} ${type} ${decimal(severity)}: ${description}`,
      `    Will ease when: ${condition}.`,
    ]),
  ];
}

function bar(severity: number): string {
  const full = Math.floor((severity * BAR) / MILLION);
  return "█".repeat(full) + "░".repeat(BAR - full);
}

export const decimal = (millionths: number): string => (millionths / MILLION).toFixed(2);
