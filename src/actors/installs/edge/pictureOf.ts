/** The picture of installs, gathered from their story: revisions by state, approvals, and who lives because of them. */

import { countOf } from "../../../contract/countOf.ts";
import type { Pictured } from "../../../contract/edge/edgePart.ts";
import { merged } from "../../../edges/report/moments.ts";
import type { RevisionLife, Stretch } from "../installLives.ts";
import type { InstallsStory } from "../story.ts";
import type { InstallRow, InstallsPicture } from "./picture.ts";

/** The rows tell these. */
const TOLD: readonly string[] = ["revision", "approval", "refusal"];

export function installsPictureOf({ scenario, observed }: Pictured): InstallsPicture {
  const { result, story, variant } = observed;
  const endMs = result.virtualMs;
  const { installs } = story;
  return {
    title: variant === null ? scenario.name : `${scenario.name}: ${variant}`,
    startsAt: scenario.startsAt,
    endMs,
    rows: [
      ...installs.revisions.map((life) => revisionRow(life, installs, endMs)),
      ...installs.approvals.map(
        ({ id, agent, factors, phases }): InstallRow => ({
          label: `${id}: ${agent}, ${factors.join(", ") || "by policy"}`,
          outcome: phases.at(-1)?.phase ?? "",
          spans: spansOf(phases, endMs),
          dots: [],
        }),
      ),
      ...refusalRows(installs, endMs),
    ],
    marks: merged(story.moments.filter(({ kind }) => !TOLD.includes(kind))),
  };
}

const spansOf = (phases: readonly Stretch<string>[], endMs: number): InstallRow["spans"] =>
  phases.map(({ phase, atMs }, index) => ({
    ...{ phase: phase.replace("_", " "), fromMs: atMs, toMs: phases[index + 1]?.atMs ?? endMs },
  }));

/** With what its agent was kept from while it lived by it. */
function revisionRow(
  { id, agent, artifact, phases }: RevisionLife,
  { beyond, lives }: InstallsStory,
  endMs: number,
): InstallRow {
  const own = lives.filter((one) => one.revision === id);
  const names = new Set(own.flatMap((one) => [one.agent, ...one.children]));
  const during = (atMs: number): boolean =>
    own.some(({ fromMs, toMs }) => atMs >= fromMs && atMs <= (toMs ?? endMs));
  const those = beyond.filter((one) => names.has(one.agent) && during(one.atMs));
  const kept = those.length === 0 ? "" : `, ${countOf(those.length, "call")} beyond its reach`;
  return {
    label: `${agent} ${id}: ${artifact ?? "no artifact"}`,
    outcome: `${phases.at(-1)?.phase.replace("_", " ") ?? ""}${kept}`,
    spans: spansOf(phases, endMs),
    dots: those.map(({ atMs }) => atMs),
  };
}

/** All that the gateway refused, in one row. */
function refusalRows({ refusals }: InstallsStory, endMs: number): readonly InstallRow[] {
  if (refusals.length === 0) return [];
  return [
    {
      label: "refused by the gateway",
      outcome: countOf(refusals.length, "call"),
      spans: [{ phase: "refusals", fromMs: refusals[0]?.atMs ?? 0, toMs: endMs }],
      dots: refusals.map(({ atMs }) => atMs),
    },
  ];
}
