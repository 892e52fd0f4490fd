// A server on loopback that thinks as small models do of skills and in dreams: wrapped, cut off, or not at all.

import { recordRun } from "../../builtInRuns.ts";
import { parseScenario } from "../../builtInScenarios.ts";
import { smallScenario } from "../../cli/smallScenario.ts";
import { newFolder } from "../../folders.ts";
import { type FaultName, loopback } from "../ollama/loopbackServer.ts";
import { setupFor } from "./liveSession.ts";

type Fields = { readonly [name: string]: unknown };

/** The agent's stage, with a dreamer beside it. */
export const skillsText = smallScenario.replace(
  "model:",
  `policy:
  lessons.enabled: false
  stressors.enabled: []
  planner.heartbeatMs: 20000
  skills.dream.periodMs: 120000
  live.timeoutMs: 10000
  live.backoffMs: 1
  live.retries: 0
skills:
  dreams:
    challenges:
      - id: lines
        domain: algo
        challenge: Return how many lines words.txt has.
        validator: "def validate(answer): pass"
        solver: { lacks: nothing, alone: 500, right: "def solve(): return 1", wrong: "def solve(): return 2" }
model:`,
);

/** What a model says in one round of self-play. */
export interface DreamtRound {
  readonly challenge: string;
  /** Try by try; the last one for good. */
  readonly solve?: readonly string[];
  readonly extract?: string;
  /** What goes wrong with every call of the round. */
  readonly fault?: FaultName;
}

export interface Mind {
  readonly goal?: string;
  /** The parameters of create_skill, plan by plan; then come the steps of `plans`, then pages. */
  readonly creations?: readonly Fields[];
  readonly plans?: readonly (readonly Fields[])[];
  readonly rounds?: readonly DreamtRound[];
}

const CHALLENGE = "Set yourself a small programming task";
const SOLVE = "Solve this task: ";
const EXTRACT = "Say what is to be learnt from these attempts";

export const isDream = (prompt: string): boolean =>
  [CHALLENGE, SOLVE, EXTRACT].some((words) => prompt.includes(words));

const NOTHING: DreamtRound = { challenge: "I do not know." };

/** The rounds in turn: each begins when a challenge is asked for. */
class Dreaming {
  #round = NOTHING;
  #tries = 0;
  readonly #left: DreamtRound[];

  constructor(rounds: readonly DreamtRound[]) {
    this.#left = [...rounds];
  }

  faultFor(prompt: string): FaultName | undefined {
    if (!isDream(prompt)) return undefined;
    if (prompt.includes(CHALLENGE)) {
      this.#round = this.#left.shift() ?? NOTHING;
      this.#tries = 0;
    }
    return this.#round.fault;
  }

  answer(prompt: string): string {
    const { challenge, solve = [], extract = "" } = this.#round;
    if (prompt.includes(CHALLENGE)) return challenge;
    if (prompt.includes(EXTRACT)) return extract;
    return solve[Math.min(this.#tries++, solve.length - 1)] ?? "";
  }
}

export async function skillsServer({ goal, creations = [], plans = [], rounds = [] }: Mind) {
  const creating = "create a permanent skill from Python source";
  const steps = [...creations.map((params) => [{ intent: creating, params }]), ...plans];
  const dreaming = new Dreaming(rounds);
  let goals = 0;
  return loopback({
    script: (_, prompt) => dreaming.faultFor(prompt),
    answer: (prompt) => {
      if (isDream(prompt)) return dreaming.answer(prompt);
      const next = prompt.includes('"steps"') ? steps.shift() : undefined;
      if (next !== undefined) return JSON.stringify({ steps: next });
      if (goal === undefined || !prompt.includes('"action"')) return undefined;
      const artifact = `/agentOS/workspace/cedar/${++goals}.md`;
      return JSON.stringify({ action: "goal", content: `${goal} (${goals})`, artifact });
    },
  });
}

export async function playLive(
  server: Awaited<ReturnType<typeof skillsServer>>,
  set: { readonly [path: string]: number | string } = {},
  untilMs: number | null = null,
) {
  const folder = newFolder();
  const scenario = parseScenario(skillsText, "skills.yaml");
  const recorded = await recordRun({
    ...{ scenario, text: skillsText, variant: null, seed: 1, set, untilMs, folder },
    ...{ live: await setupFor(server), withLog: true },
  });
  return { folder, ...recorded };
}
