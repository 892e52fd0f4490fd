/** Where a goal that no model chose may come from, in the order of the seed. Source: seed 004, "Goals". */
export const FALLBACK_SOURCES = [
  "stressor",
  "question",
  "peer-file",
  "last-outcome",
  "journal",
] as const;

export type FallbackSource = (typeof FALLBACK_SOURCES)[number];
