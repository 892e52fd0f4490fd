/**
 * How often each rule was right in the logs of docs/suspects.md, in percent of them; a golden test holds these numbers against the
 * page, which has their intervals.
 */
import type { GuessRule } from "./suspects.ts";

export interface MeasuredShare {
  readonly step: number;
  readonly three: number;
  readonly agent: number;
}

export const MEASURED_LOGS = 47;

export const MEASURED: { readonly [rule in GuessRule]: MeasuredShare } = {
  longest: { step: 21.3, three: 44.7, agent: 46.8 },
  "failed-else-longest": { step: 29.8, three: 51.1, agent: 48.9 },
  last: { step: 6.4, three: 29.8, agent: 46.8 },
  "most-frequent": { step: 17.0, three: 34.0, agent: 44.7 },
  shipped: { step: 29.8, three: 53.2, agent: 48.9 },
  evidence: { step: 17.0, three: 51.1, agent: 44.7 },
};
