/** How much a run makes for its readers. What happens in it is the same on every level. */

/**
 * `full`: a log and its digests. `recorded`: inputs and digests. `bare`: what observers
 * see, and nothing else: no text of an event, no digest, no hash of a request.
 */
export type Level = "full" | "recorded" | "bare";

export const LEVELS: readonly Level[] = ["full", "recorded", "bare"];
