/** How much an agent holds: its workspace, and its own memory. Source: ruling U3. */
import { ask, type Delivered, type Letter } from "../../letter.ts";
import type { StressorAddress } from "./agentRecord.ts";
import type { SufferingPolicy } from "./observations.ts";
import type { StressorPolicy } from "./stressorPolicy.ts";
import type { Assessment } from "./stressorRules.ts";

const KEY = "holdings:";

const foldersOf = (agent: string): { readonly [what: string]: readonly string[] } => ({
  workspace: [`/agentOS/workspace/${agent}`],
  memory: ["identity", "goals", "lessons"].map((name) => `/agentOS/memory/${name}/${agent}`),
});

/** The question, when there is a stressor that wants to know. */
export function measureLetter(
  agent: string,
  stressors: readonly StressorAddress[],
  { resourceBurden }: StressorPolicy,
): Letter[] {
  const isFelt = stressors.some((one) => one.agent === agent && one.type === "resource_burden");
  if (!isFelt) return [];
  const folders = resourceBurden.counts.flatMap((what) => foldersOf(agent)[what] ?? []);
  return [ask({ to: "files", key: `${KEY}${agent}`, event: { type: "files.measure", folders } })];
}

/** The larger of the two, in bytes and in files. */
export function burdenOf(
  { sizes = [], at }: Delivered<"files.replied">,
  { stressors }: SufferingPolicy,
): { readonly owner: string; readonly measured: Assessment } {
  const owner = (at.key ?? "").slice(KEY.length);
  const sums = stressors.resourceBurden.counts.map((what) => {
    const folders = foldersOf(owner)[what] ?? [];
    const own = sizes.filter(({ folder }) => folders.includes(folder));
    return {
      bytes: own.reduce((sum, one) => sum + one.bytes, 0),
      files: own.reduce((sum, one) => sum + one.files, 0),
    };
  });
  const bytes = Math.max(0, ...sums.map((one) => one.bytes));
  const files = Math.max(0, ...sums.map((one) => one.files));
  return { owner, measured: { type: "holdings.assessed", bytes, files } };
}
