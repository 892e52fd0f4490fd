/** What `blame` found as a picture: a lane for each suspect with a bar of its effect, and how P(outcome) went along the run. */
import { percent } from "../../contract/countOf.ts";
import { ink, type Lane, type Mark, type Picture, type Row } from "../../contract/picture.ts";
import type { Answered } from "../../run/causes/asked.ts";
import { type AtMoment, type Blamed, jumpsIn } from "../../run/causes/blame.ts";
import { clock } from "../duration.ts";

/** A bar from when it came first, as long as its effect is large; values of the policy count from the common point on. */
function rowOf(
  { says: change, suspect, hits, n, effect }: Blamed,
  fromMs: number,
  endMs: number,
): Row {
  const atMs = suspect?.atMs ?? fromMs;
  const share = Math.max(0, effect?.estimate ?? (hits === 0 ? 1 : 0));
  const isClear = effect === null ? hits === 0 : (effect.low ?? 0) > 0;
  const says = `still there in ${hits} of ${n}`;
  const span = {
    phase: isClear ? "decides" : "unclear",
    fromMs: atMs,
    toMs: atMs + share * (endMs - atMs),
    says,
  };
  return {
    ...{
      is: "row",
      label: change,
      outcome: effect === null ? says : percent(effect.estimate),
    },
    ...(isClear && { isStrong: true as const }),
    spans: share > 0 ? [span] : [],
    points: [{ kind: "first", atMs, says: suspect?.first ?? "from there on" }],
  };
}

const curveLane = (curve: readonly AtMoment[]): Lane => ({
  ...{
    is: "steps",
    name: "how often it comes about from there on",
    bound: null,
    most: 1,
    format: percent,
  },
  lines: [
    { label: "P(outcome)", steps: curve.map(({ atMs, hits, n }) => ({ atMs, value: hits / n })) },
  ],
});

const marksOf = (curve: readonly AtMoment[]): readonly Mark[] =>
  jumpsIn(curve).map(({ before, after }) => ({
    label: `from ${before.hits} to ${after.hits} of ${after.n}`,
    atMs: after.atMs,
  }));

export function blamePicture(
  { told, curve, fromMs }: Answered,
  outcome: string,
  endMs: number,
): Picture {
  return {
    says: `What decided that ${outcome}, from ${clock(fromMs)} on.`,
    phases: {
      decides: { shape: "bar", colour: ink.bad, says: "effect, beyond chance" },
      unclear: { shape: "bar", colour: ink.grey, says: "effect, not told from chance" },
    },
    signs: { first: { shape: "diamond", colour: ink.good, says: "when it came first" } },
    lanes: [
      ...(curve === undefined ? [] : [curveLane(curve)]),
      ...told.ranking.map((one) => rowOf(one, fromMs, endMs)),
    ],
    marks: curve === undefined ? [] : marksOf(curve),
    none: "No suspect is in reach.",
  };
}
