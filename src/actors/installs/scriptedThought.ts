/** What a scripted model of those who install thinks with. */
import type { Json } from "../../machines/letter.ts";
import type { Stream } from "../../substrate/random.ts";
import type { CrewScript } from "./crewScript.ts";

export interface Thought {
  readonly answer: Json;
  /** Several with a space between. */
  readonly choice: string;
}

export interface Mind {
  readonly script: CrewScript;
  /** Names of choices that are not made. */
  readonly without: ReadonlySet<string>;
  /** Whether it slips this time, unless the slip is left out. */
  readonly slips: (name: string, thousandths: number) => boolean;
  readonly draw: Stream;
}

export const drawn = <T extends { readonly weight: number }>(
  from: readonly T[],
  draw: Stream,
): T | undefined =>
  from.length === 0 ? undefined : from[draw.weighted(from.map(({ weight }) => weight))];
