/** The parts that scenarios are written of, in the order in which their fields stand there. */
import { agentsScenario } from "../actors/agents/edge/scenario.ts";
import { installsScenario } from "../actors/installs/edge/scenario.ts";
import { skillsScenario } from "../actors/skills/edge/scenario.ts";
import { syntScenario } from "../actors/synt/edge/scenario.ts";
import type { ScenarioPart } from "../contract/edge/scenarioPart.ts";

export const scenarioParts: readonly ScenarioPart[] = [
  agentsScenario,
  syntScenario,
  skillsScenario,
  installsScenario,
];
