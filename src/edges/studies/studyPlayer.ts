/** Plays single runs of a study, one after another, of which all share a scenario. */
import { builtIn } from "../../builtIn/lists.ts";
import type { RunFacts, RunOf } from "../../studies/study.ts";
import { joinedParts } from "../parts/joinedParts.ts";
import { ownParts } from "../parts/ownParts.ts";
import { checkedLists } from "../pool/checkWorlds.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import { parseScenario } from "../scenario/scenarioFile.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import { runFacts } from "./runFacts.ts";
import type { StudyHost, StudyWorld } from "./runKey.ts";

export async function studyPlayer(
  { partFiles, interpreter, ...world }: StudyWorld & StudyHost,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<(run: RunOf) => Promise<RunFacts>> {
  const lists = await checkedLists(joinedParts(builtIn, await ownParts(partFiles)));
  const { name, text } = world.scenario;
  const scenario = parseScenario(lists, text, `${name}.yaml`);
  return (run) => runFacts(lists, scenario, { ...world, interpreter }, run, sandbox, shell);
}
