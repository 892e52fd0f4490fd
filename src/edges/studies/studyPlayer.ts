/** Plays single runs of a study, one after another. */
import { builtIn } from "../../builtIn/lists.ts";
import type { Scenario } from "../../contract/scenario.ts";
import type { RunFacts, RunOf } from "../../studies/study.ts";
import { joinedParts } from "../parts/joinedParts.ts";
import { ownParts } from "../parts/ownParts.ts";
import { checkedLists } from "../pool/checkWorlds.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import { parseScenario } from "../scenario/scenarioFile.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import { runFacts } from "./runFacts.ts";
import { type StudyHost, type StudyWorld, textOf } from "./runKey.ts";

export async function studyPlayer(
  { partFiles, interpreter, ...world }: StudyWorld & StudyHost,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<(run: RunOf) => Promise<RunFacts>> {
  const lists = await checkedLists(joinedParts(builtIn, await ownParts(partFiles)));
  const scenarioOf = (run: RunOf): Scenario =>
    parseScenario(lists, textOf(world, run), `${run.scenario ?? world.scenario.name}.yaml`);
  const read = new Map<string | undefined, Scenario>();
  return (run) => {
    const scenario = read.get(run.scenario) ?? scenarioOf(run);
    read.set(run.scenario, scenario);
    return runFacts(lists, scenario, { ...world, interpreter }, run, sandbox, shell);
  };
}
