/**
 * Which artifacts peers have taken notice of, on file, so that a restart does not forget it.
 * Source: ours; the seed keeps no such list.
 */

import type { Delivered, Letter } from "../../letter.ts";
import { readObject } from "../../readJson.ts";
import type { RegisteredGoal } from "../goal/goalRegistry.ts";
import type { Artifact } from "./agentRecord.ts";

export const referencesPath = (agent: string): string =>
  `/agentOS/memory/goals/${agent}/references.jsonl`;

/** The first reference of a peer to the artifact of a goal. */
export function referenceLetter(
  owner: string,
  n: number,
  { agent, path, how, at }: Delivered<"peer.referenced">,
): Letter {
  const text = `${JSON.stringify({ n, path, by: agent, how, atMs: at.nowMs })}\n`;
  return { to: "files", event: { type: "files.append", path: referencesPath(owner), text } };
}

/** Artifacts of completed goals that no line names; a damaged line counts as none. */
export function unseenAtStart(
  goals: readonly RegisteredGoal[],
  references: string | undefined,
): Omit<Artifact, "fact">[] {
  const lines = (references ?? "").split("\n").map((line) => readObject(line)?.["n"]);
  const unseen = new Map<string, Omit<Artifact, "fact">>();
  for (const { n, status, artifact: path, atMs } of goals) {
    if (status !== "completed" || lines.includes(n) || unseen.has(path)) continue;
    unseen.set(path, { n, path, sinceMs: atMs ?? 0 });
  }
  return [...unseen.values()];
}
