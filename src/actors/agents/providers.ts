/** What answers agents in a scripted run: their model, the world outside, and stand-ins for listed tools. */

import type { Ports, Scripted } from "../../contract/part.ts";
import { renderPrompt } from "../../machines/agents/model/prompts.ts";
import { terms } from "../../machines/stemmer.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import { scriptedModel as model } from "./scriptedModel.ts";
import { noShell, scriptedSandbox } from "./scriptedTools.ts";
import { scriptedWorld } from "./scriptedWorld.ts";

export const scriptedModel = ({
  scenario,
  policy,
  random,
  without,
}: Scripted): PromptProvider<"llm.asked"> =>
  model({
    repertoire: scenario.model,
    policy: policy.model,
    random,
    without,
    render: renderPrompt,
    terms,
  });

export const scriptedPorts = ({ scenario, random, without }: Scripted): Ports => ({
  "port/shell.run": noShell,
  "port/tool.call": scriptedWorld({ world: scenario.world, random, without }),
});

/** A tool of the scenario keeps its scripted answers and failures, whichever provider runs Python. */
export const fronts = ({ scenario, random, without }: Scripted, edge: Ports): Ports => ({
  "port/sandbox.run": scriptedSandbox(scenario.tools, random, without, edge["port/sandbox.run"]),
});
