/** How runs themselves go, in whatever world. Source: DESIGN §7 and §8. */
import type { RunProperty } from "../../contract/property.ts";

export const runProperties: readonly RunProperty[] = [
  {
    kind: "run",
    id: "no-world-is-a-bug",
    says: "No world makes the program fail; at worst it reaches a named limit.",
    source: "ours",
    expected: "holds",
    judge: ({ outcome, error }) =>
      outcome === "bug" || outcome === "miss" ? `The run ended as a ${outcome}: ${error}` : true,
  },
  {
    kind: "run",
    id: "every-world-moves-on",
    says: "No world goes round without end: at most it is cut at its number of deliveries.",
    source: "ours; DESIGN §8: a limit instead of a hang",
    expected: "holds",
    judge: ({ outcome, error }) =>
      outcome.startsWith("limit:") && outcome !== "limit:envelopes"
        ? `The run went round until a limit ended it: ${error}`
        : true,
  },
  {
    kind: "run",
    id: "replay-is-exact",
    says: "A run from its own recording reaches the same digest.",
    source: "ours",
    expected: "holds",
    judge: ({ outcome, digest, again }) => {
      if (outcome === "bug") return undefined;
      const replayed = again();
      if (replayed.digest === digest && replayed.outcome === outcome) return true;
      return `From its recording the run ended as ${replayed.outcome} with ${replayed.digest}, not ${digest}.`;
    },
  },
];
