/** How often the dreamer asks models at most: its dreams, and the rounds in them, are counted. */
import type { Policy } from "../../../contract/policy.ts";
import type { Scenario } from "../../../contract/scenario.ts";

export function dreamQuestions(
  { skills: own }: Scenario,
  { policy, virtualMs }: { readonly policy: Policy; readonly virtualMs: number },
): { readonly [purpose: string]: number } {
  const { periodMs, rounds, attempts } = policy.skills.dream;
  const most = Math.floor(virtualMs / periodMs) * rounds;
  if ((own?.dreams ?? null) === null || most === 0) return {};
  return {
    "skill.challenge": most,
    // The last one is the verification.
    "skill.solve": most * (attempts + 1),
    "skill.extract": most,
  };
}
