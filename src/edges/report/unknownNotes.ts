/** What is said before all else of a run in which an agent left the recording that it stands in for. */
import type { Part } from "../../contract/part.ts";
import { livePorts, type Manifest } from "../../run/bundle.ts";
import type { Observed } from "../../run/compare.ts";
import { leftRecording } from "../../run/leftRecording.ts";
import { clock } from "../duration.ts";

/** Whoever is answered live stands in for nobody: what it comes to is its own. */
export function unknownNotes(
  parts: readonly Part[],
  { observed, providers }: { readonly observed: Observed } & Pick<Manifest, "providers">,
): readonly string[] {
  const left = livePorts({ providers }).has("port/llm.chat")
    ? null
    : leftRecording(parts, observed.meter);
  if (left === null) return [];
  const { agents, atMs } = left;
  const whose = agents.length === 1 ? "its" : "their";
  return [
    `The outcome is unknown, neither good nor bad: ${agents.join(", ")} left ${whose} recording at ${clock(atMs)}, and what follows is played blindly.`,
  ];
}
