// Sections of SPEC.md: Blame and prevent. Of the incident, what `prevent safe-file-executor` verifies, on a fresh seed.
import { expect, it } from "vitest";
import { builtIn } from "../../src/builtIn/lists.ts";
import { playBase } from "../../src/edges/causes/baseRun.ts";
import { effectNamed } from "../../src/edges/causes/effectNamed.ts";
import { checkedLists } from "../../src/edges/pool/checkWorlds.ts";
import { TrialPlayer } from "../../src/edges/pool/trialPlayer.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { loadScenario } from "../../src/edges/scenario/scenarioFile.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { reachOf } from "../../src/run/causes/asked.ts";
import { singleChanges } from "../../src/run/causes/candidates.ts";
import { type Change, changesOf, changeText } from "../../src/run/causes/changes.ts";
import { certainMs } from "../../src/run/causes/effect.ts";
import { occurrence } from "../../src/run/causes/trial.ts";
import { heldOutSeeds } from "../../src/studies/seeds.ts";

const lists = await checkedLists(builtIn);
const host = { sandbox: lazySandbox({ kind: "auto" }), shell: lazyShell({ kind: "auto" }) };
const { scenario, text } = loadScenario(lists, "safe-file-executor");
const { seed } = scenario;
const base = { scenario, text, variant: null, seed, set: {}, untilMs: null, recorded: null };
const run = await playBase(lists, base, host);
const effect = effectNamed(lists, base, run, undefined);
const player = new TrialPlayer(lists, scenario, { ...base, effect }, host);

async function isStillThere(changes: readonly Change[]): Promise<boolean> {
  const [fresh = 0] = heldOutSeeds(seed, 1);
  const [tried] = await player.play([{ seed: fresh, changes, isWhole: false }]);
  return tried === undefined || occurrence(tried) === 1;
}

const { meter, result } = run.observed;
const singles = singleChanges(
  reachOf(
    { parts: lists.parts, world: base, run },
    certainMs(lists.parts, effect, meter, result.virtualMs),
  ),
);

it.each([
  "without goal:safer-writes",
  "ghosts.preExecutionCheck: true",
  "ghosts.nullIsFailure: true",
  "tools.directWrites: refuse",
  "model.profile: cpu",
])("[BL4] of the incident %s is in reach, and prevents it", async (says) => {
  const change = singles.find((one) => changeText(one) === says);

  expect(change).toBeDefined();
  expect(await isStillThere(change === undefined ? [] : [change])).toBe(false);
});

it.each(["past-the-pipeline", "through-pipeline-stub", "with-locks"])(
  "[BL9] of the incident %s prevents nothing",
  async (name) => {
    const variant = scenario.variants[name];
    const changes = variant === undefined ? [] : changesOf(variant, run.policy);

    expect(changes.length).toBeGreaterThan(0);
    expect(await isStillThere(changes)).toBe(true);
  },
);
