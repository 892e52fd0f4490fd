/** The picture of installs: revisions by state, approvals, what was refused, and calls beyond an installed agent's reach. */
import { countOf } from "../../../contract/countOf.ts";
import type { Pictured } from "../../../contract/edge/edgePart.ts";
import {
  ink,
  type PhaseLooks,
  type Picture,
  type Row,
  type SignLooks,
  type Span,
} from "../../../contract/picture.ts";
import { merged } from "../../../edges/report/moments.ts";
import type { RevisionLife, Stretch } from "../installLives.ts";
import type { InstallsStory } from "../story.ts";

/** The rows tell these. */
const TOLD: readonly string[] = ["revision", "approval", "refusal"];

const bar = (colour: string) => ({ shape: "bar", colour }) as const;

const phases: PhaseLooks = {
  draft: bar(ink.grey),
  gated: bar(ink.orange),
  approved: bar(ink.sky),
  active: bar(ink.green),
  superseded: bar(ink.good),
  "rolled back": bar(ink.pink),
  rejected: bar(ink.bad),
  open: bar(ink.yellow),
  expired: bar(ink.darkGrey),
  used: bar(ink.water),
  refusals: { shape: "bar", colour: ink.line, says: null },
};

const signs: SignLooks = {
  refused: { shape: "disc", colour: ink.bad, at: "under" },
};

export function installsPicture({ observed: { result, story } }: Pictured): Picture {
  const endMs = result.virtualMs;
  const { installs } = story;
  return {
    says: "Revisions and approvals by state over virtual time",
    phases,
    signs,
    lanes: [
      ...installs.revisions.map((life) => revisionRow(life, installs, endMs)),
      ...installs.approvals.map(
        ({ id, agent, factors, phases }): Row => ({
          is: "row",
          label: `${id}: ${agent}, ${factors.join(", ") || "by policy"}`,
          outcome: phases.at(-1)?.phase ?? "",
          spans: spansOf(phases, endMs),
          points: [],
        }),
      ),
      ...refusalRows(installs, endMs),
    ],
    marks: merged(story.moments.filter(({ kind }) => !TOLD.includes(kind))),
  };
}

const spansOf = (phases: readonly Stretch<string>[], endMs: number): readonly Span[] =>
  phases.map(({ phase, atMs }, index) => ({
    phase: phase.replace("_", " "),
    fromMs: atMs,
    toMs: phases[index + 1]?.atMs ?? endMs,
  }));

const refusedAt = (those: readonly { readonly atMs: number }[]): Row["points"] =>
  those.map(({ atMs }) => ({ kind: "refused", atMs }));

/** With what its agent was kept from while it lived by it. */
function revisionRow(
  { id, agent, artifact, phases }: RevisionLife,
  { beyond, lives }: InstallsStory,
  endMs: number,
): Row {
  const own = lives.filter((one) => one.revision === id);
  const names = new Set(own.flatMap((one) => [one.agent, ...one.children]));
  const during = (atMs: number): boolean =>
    own.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= (toMs ?? endMs));
  const those = beyond.filter((one) => names.has(one.agent) && during(one.atMs));
  const kept = those.length === 0 ? "" : `, ${countOf(those.length, "call")} beyond its reach`;
  return {
    is: "row",
    label: `${agent} ${id}: ${artifact ?? "no artifact"}`,
    outcome: `${phases.at(-1)?.phase.replace("_", " ") ?? ""}${kept}`,
    spans: spansOf(phases, endMs),
    points: refusedAt(those),
  };
}

/** All that the gateway refused, in one row. */
function refusalRows({ refusals }: InstallsStory, endMs: number): readonly Row[] {
  if (refusals.length === 0) return [];
  return [
    {
      is: "row",
      label: "refused by the gateway",
      outcome: countOf(refusals.length, "call"),
      spans: [{ phase: "refusals", fromMs: refusals[0]?.atMs ?? 0, toMs: endMs }],
      points: refusedAt(refusals),
    },
  ];
}
