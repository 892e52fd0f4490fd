/** What a scripted model of those who install thinks with. */
import type { SlipPolicy } from "../../machines/installs/crew/crewModel.ts";
import type { Json } from "../../machines/letter.ts";
import type { Stream } from "../../substrate/random.ts";

export interface Thought {
  readonly answer: Json;
  /** Several with a space between. */
  readonly choice: string;
}

export interface Mind {
  /** How often it slips, in thousandths. */
  readonly habits: SlipPolicy;
  /** Names of choices that are not made. */
  readonly without: ReadonlySet<string>;
  /** Whether it slips this time, unless the slip is left out. */
  readonly slips: (name: string, thousandths: number) => boolean;
}

export const mindOf = (draw: Stream, habits: SlipPolicy, without: ReadonlySet<string>): Mind => ({
  ...{ habits, without },
  // Drawn before it is looked up, so that a slip that is left out moves no other draw.
  slips: (name, thousandths) => draw.integer(1, 1_000) <= thousandths && !without.has(name),
});
