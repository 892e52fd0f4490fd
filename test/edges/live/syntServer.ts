// A server on loopback that answers for the models of synt as a scenario's list does.

import type { Scenario } from "../../../src/contract/scenario.ts";
import { preflight } from "../../../src/edges/live/liveServer.ts";
import { policyWith } from "../../builtIn.ts";
import { loopback } from "../ollama/loopbackServer.ts";

/** Which of the scenario's answers a prompt asks for, by the words of its task. */
export const tasks: readonly (readonly [words: string, purpose: string])[] = [
  ["names of executors", "synt.plan"],
  ["Propose an executor", "synt.propose"],
  ["three to five", "synt.pocTests"],
  ["Judge the proposal", "synt.judge"],
];

export async function syntServer({ synt }: Scenario, parameters: string) {
  const answers = synt?.repertoire.answers ?? [];
  const server = await loopback({
    models: ["small:latest", "large:latest"].map((name) => ({ name, parameters })),
    answer: (prompt) => {
      const purpose = tasks.find(([words]) => prompt.includes(words))?.[1];
      const found = answers.find(({ to }) => to === purpose)?.answer;
      return typeof found === "string" ? found : JSON.stringify(found);
    },
  });
  const live = await preflight({
    server: { host: server.host },
    names: {
      kind: "ollama",
      tiers: { fast: "small", middle: "small", wise: "large" },
      embed: null,
    },
    policy: policyWith({}).live,
  });
  return { server, live };
}
