/** What `blame` found as a picture: a lane for each suspect with a bar of its effect, and how P(outcome) went along the run. */
import { percent } from "../../contract/countOf.ts";
import { ink, type Picture, type Row } from "../../contract/picture.ts";
import { jumpsIn } from "../../run/causes/blame.ts";
import type { ViewBlame, ViewBlamed } from "../../viewer/viewData.ts";

/** A bar from when it came first, as long as its effect is large; values of the policy count from the common point on. */
function rowOf(
  { says: label, first, atMs, still, effect, bar, decides }: ViewBlamed,
  endMs: number,
): Row {
  const share = Math.max(0, bar?.[0] ?? (decides ? 1 : 0));
  const says = `still there: ${still}`;
  const toMs = atMs + share * (endMs - atMs);
  const phase = decides ? "decides" : "unclear";
  return {
    ...{ is: "row", label, outcome: effect || says },
    ...(decides && { isStrong: true as const }),
    spans: share > 0 ? [{ phase, fromMs: atMs, toMs, says }] : [],
    points: [{ kind: "first", atMs, says: first }],
  };
}

/** How often it comes about from each moment on; a jump is named after what decides and came first there. */
export function curvePicture({ outcome, curve, ranking }: ViewBlame): Picture {
  const steps = curve.map(({ atMs, hits, n }) => ({ atMs, value: hits / n }));
  const name = "P(outcome) from there on";
  const lines = [{ label: "how often it comes about", steps }];
  return {
    says: `How often it came about from each moment on that ${outcome}.`,
    lanes:
      steps.length === 0
        ? []
        : [{ ...{ is: "steps", name, bound: null, most: 1, format: percent }, lines }],
    marks: jumpsIn(curve).map(({ before, after }) => {
      const came = ranking.flatMap(({ decides, behind, atMs, says }) => {
        const isThere = atMs > before.atMs && atMs <= after.atMs;
        return decides && behind !== "" && isThere ? [says.replace(/^without /, "")] : [];
      });
      const by = came.length === 0 ? "" : `: ${came.join(", ")}`;
      const label = `P(outcome) from ${before.hits} to ${after.hits} of ${after.n}${by}`;
      return { label, atMs: after.atMs };
    }),
  };
}

export function blamePicture(shown: ViewBlame, endMs: number): Picture {
  const { lanes, marks } = curvePicture(shown);
  return {
    says: `What decided that ${shown.outcome}.`,
    phases: {
      decides: { shape: "bar", colour: ink.bad, says: "effect, beyond chance" },
      unclear: { shape: "bar", colour: ink.grey, says: "effect, not told from chance" },
    },
    signs: { first: { shape: "diamond", colour: ink.good, says: "when it came first" } },
    lanes: [...lanes, ...shown.ranking.map((one) => rowOf(one, endMs))],
    marks,
    none: "No suspect is in reach.",
  };
}
