/** Plays planted worlds, and asks of their runs. */
import { builtIn } from "../../src/builtIn/lists.ts";
import { playBase } from "../../src/edges/causes/baseRun.ts";
import { joinedParts } from "../../src/edges/parts/joinedParts.ts";
import { checkedLists } from "../../src/edges/pool/checkWorlds.ts";
import { playTrials, TrialPlayer } from "../../src/edges/pool/trialPlayer.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { parseScenario } from "../../src/edges/scenario/scenarioFile.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { type Answered, type Asked, blameOf } from "../../src/run/causes/asked.ts";
import { measured } from "../../src/run/causes/effect.ts";
import { plantedPart, plantedText } from "./part.ts";
import type { PlantedWorld } from "./worlds.ts";

const host = { sandbox: lazySandbox({ kind: "auto" }), shell: lazyShell({ kind: "auto" }) };
const lists = await checkedLists(joinedParts(builtIn, [plantedPart]));
const effect = measured({ metric: "planted.harms", actor: null, op: ">=", value: 1, at: "end" });

/** A run of a world, ready to be asked about; undefined where it did not come to harm. */
export async function runOf(world: PlantedWorld, seed: number): Promise<Asked | undefined> {
  const text = plantedText(world);
  const scenario = parseScenario(lists, text, "planted.yaml");
  const base = { scenario, text, variant: null, seed, set: {}, untilMs: null, recorded: null };
  const run = await playBase(lists, base, host);
  if (run.deliveries.every(({ event }) => event.type !== "planted.harmed")) return undefined;
  const player = new TrialPlayer(lists, scenario, { ...base, effect }, host);
  return {
    ...{ parts: lists.parts, world: base, run, effect },
    play: (trials) => playTrials(trials, [(family) => player.play(family)]),
    ...{ onStep: () => {}, onFound: () => {} },
  };
}

export const answerOf = (asked: Asked, runs: number): Promise<Answered | undefined> =>
  blameOf(asked, { runs, isExact: false, withCurve: false, withShares: false, policy: false });
