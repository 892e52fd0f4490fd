/** What a person wants to know of a run, as the parts gather it from the log. */

/** What each part tells. Each adds its own by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Stories {}

/** Something that mattered to the whole world. */
export interface Moment {
  readonly atMs: number;
  readonly kind: string;
  readonly label: string;
  /** The agent it concerns; absent when it concerns all. */
  readonly who?: string;
}

export interface Story extends Stories {
  /** In the order of the log. */
  readonly moments: readonly Moment[];
}
