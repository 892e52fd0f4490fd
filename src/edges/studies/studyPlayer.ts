/** Plays runs of a study, one family after another. */
import { builtIn } from "../../builtIn/lists.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { Listening } from "../../run/stem.ts";
import type { RunFacts, RunOf } from "../../studies/study.ts";
import { joinedParts } from "../parts/joinedParts.ts";
import { ownParts } from "../parts/ownParts.ts";
import type { Family } from "../play/family.ts";
import { checkedLists } from "../pool/checkWorlds.ts";
import type { LazySandbox } from "../python/sandboxPort.ts";
import { parseScenario } from "../scenario/scenarioFile.ts";
import type { LazyShell } from "../shell/shellProcess.ts";
import { familyFacts, type Player } from "./runFacts.ts";
import { isPlayedApart, type StudyHost, type StudyWorld, textOf } from "./runKey.ts";

/** Of one scenario, variant and seed: what is common to them is played once. */
export type FamilyRuns = readonly [RunOf, ...RunOf[]];

export async function studyPlayer(
  { partFiles, interpreter, isApart, ...world }: StudyWorld & StudyHost,
  sandbox: LazySandbox,
  shell: LazyShell,
): Promise<(runs: FamilyRuns) => Promise<Family<RunFacts>>> {
  const lists = await checkedLists(joinedParts(builtIn, await ownParts(partFiles)));
  const scenarioOf = (run: RunOf): Scenario =>
    parseScenario(lists, textOf(world, run), `${run.scenario ?? world.scenario.name}.yaml`);
  const read = new Map<string | undefined, Scenario>();
  const player: Player = {
    ...{ lists, sandbox, shell, listening: new Listening(lists.parts) },
    isApart: isPlayedApart(world, { isApart, partFiles }),
  };
  return (runs) => {
    const [{ scenario: name, variant, seed }] = runs;
    const scenario = read.get(name) ?? scenarioOf(runs[0]);
    read.set(name, scenario);
    return familyFacts(player, { ...world, interpreter, scenario, variant, seed }, runs);
  };
}
