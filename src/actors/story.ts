/** What a person wants to know of a run, as the parts gather it from the log. */

/** What each part keeps. Each adds its record, under its name, by merging with this interface. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be merged with.
export interface Stories {}

/** Something that mattered to the whole world. */
export interface Moment {
  readonly atMs: number;
  readonly kind: string;
  readonly label: string;
  readonly who?: string;
}

export interface Story {
  /** In the order of the log. */
  moments: Moment[];
  readonly parts: Partial<Stories>;
}
