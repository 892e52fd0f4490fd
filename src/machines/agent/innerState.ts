/**
 * What an agent knows of its own suffering: what it feels, how bad that is, and what would end it.
 * Source: seed 004, "Suffering"; ruling U2.
 */
import { loadAt, type Suffering, severityAt } from "../suffering/severity.ts";
import { MILLION } from "../units.ts";

/** A stressor as it told of itself. */
export interface Felt extends Suffering {
  /** What would end it, as a sentence; null when it does not say. */
  readonly condition: string | null;
  /** The stressor.changed that said so. */
  readonly fact: number;
}

export interface InnerState {
  readonly load: number;
  readonly level: Level;
  /** The worst first. */
  readonly stressors: readonly {
    readonly type: string;
    readonly severity: number;
    readonly condition: string | null;
  }[];
}

export type Level = "calm" | "prominent" | "constrained" | "dominant" | "crisis";

/** The thresholds of seed 004 and ruling U2, from the top. */
const LEVELS: readonly (readonly [atLeast: number, level: Level])[] = [
  [900_000, "crisis"],
  [750_000, "dominant"],
  [550_000, "constrained"],
  [350_000, "prominent"],
];

export function innerStateOf(suffering: readonly Felt[], nowMs: number): InnerState {
  const load = loadAt(suffering, nowMs);
  const stressors = suffering
    .map((one) => ({
      type: one.type,
      severity: severityAt(one, nowMs),
      condition: one.condition,
    }))
    .sort((a, b) => b.severity - a.severity || (a.type < b.type ? -1 : 1));
  return { load, level: LEVELS.find(([atLeast]) => load >= atLeast)?.[1] ?? "calm", stressors };
}

/** The section of the prompt, without its title's colon: header by level, bars, the load. */
export function innerStateLines({ load, level, stressors }: InnerState): readonly string[] {
  return [
    level === "calm" ? "INNER STATE:" : `INNER STATE (${level.toUpperCase()}):`,
    ...stressors.flatMap(({ type, severity, condition }) => [
      `  - ${type}: ${bar(severity)} ${decimal(severity)}`,
      ...(condition === null ? [] : [`    Will ease when: ${condition}`]),
    ]),
    `  Load: ${decimal(load)}/1.0`,
  ];
}

const BAR_LENGTH = 10;

function bar(severity: number): string {
  const full = Math.floor((severity * BAR_LENGTH) / MILLION);
  return "#".repeat(full).padEnd(BAR_LENGTH, "-");
}

const decimal = (millionths: number): string => (millionths / MILLION).toFixed(2);
