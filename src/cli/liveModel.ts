/** The live model that a command asks for: its options, checked, and its server, looked at. */

import type { PolicyValue } from "../actors/policy.ts";
import type { Scenario } from "../actors/scenario.ts";
import { liveTiers } from "../actors/synt/liveTiers.ts";
import { BadInput, LiveUnavailable } from "../edges/errors.ts";
import { modelNames } from "../edges/ollama/modelName.ts";
import { hostOption, identityOf, type OllamaSetup, preflight } from "../edges/ollama/preflight.ts";
import { usedTiers } from "../machines/synt/stageTable.ts";
import type { SyntPolicy } from "../machines/synt/syntPolicy.ts";
import { bootFaults, type TierConfig } from "../machines/synt/tiers.ts";
import { prepare } from "../simulate.ts";
import type { RunFlags } from "./options.ts";
import { clearProgress, progress } from "./output.ts";

export const isLive = ({ model }: Pick<RunFlags, "model">): boolean =>
  model !== undefined && model !== "scripted";

/** An embedding model is there to be asked. `--set` still wins. */
export const liveOverrides = ({ embed }: RunFlags): { readonly [path: string]: PolicyValue } =>
  embed === undefined ? {} : { "router.kind": "embedding" };

/** Throws BadInput for options that a live model, or a scripted one, has no use for. */
export function noLiveWith(flags: RunFlags): void {
  const { model = "scripted", tier = [], embed } = flags;
  if (isLive(flags)) {
    modelNames({ model, tier, embed });
    hostOption(flags.host, process.env);
    const many = flags.compare ? "--compare" : flags.seeds === undefined ? undefined : "--seeds";
    if (many !== undefined) throw refusedWith(many, "the scripted model, which plays many runs");
    return;
  }
  const given = { "--tier": tier.length > 0, "--embed": embed !== undefined, "--ask": flags.ask };
  const option = Object.entries(given).find(([, isGiven]) => isGiven)?.[0];
  if (option !== undefined) throw refusedWith(option, "a live model: --model ollama:NAME");
}

const refusedWith = (path: string, allowed: string): BadInput =>
  new BadInput({
    where: { path },
    found: "it beside a model that it does not go with",
    allowed: `it only with ${allowed}`,
    todo: "Omit one of the two.",
  });

/** Throws LiveUnavailable when anything is not as it must be, before anything is written. */
export async function liveModel(
  flags: RunFlags,
  run: {
    readonly scenario: Scenario;
    readonly variant: string | null;
    readonly set: { readonly [path: string]: PolicyValue };
  },
): Promise<OllamaSetup> {
  const { model = "", tier = [], embed } = flags;
  const { policy } = prepare(run.scenario, { variant: run.variant, set: run.set });
  try {
    const setup = await preflight({
      server: { host: hostOption(flags.host, process.env) },
      names: modelNames({ model, tier, embed }),
      policy: policy.live,
      warm: true,
      onStep: progress,
    });
    if (run.scenario.synt) checkFloor(setup, run.scenario.synt.tiers, policy.synt);
    return setup;
  } finally {
    clearProgress();
  }
}

/** Synt writes no code with less than its floor, and no smaller model ever serves in silence. */
function checkFloor(setup: OllamaSetup, given: TierConfig, { tiers, stages }: SyntPolicy): void {
  const faults = bootFaults(liveTiers(identityOf(setup), given), tiers, usedTiers(stages));
  const [fault] = faults;
  if (fault === undefined) return;
  const { name, parameters } = setup.models.wise;
  const isFloor = fault.endsWith("(tiers.wise.model)");
  throw new LiveUnavailable(
    isFloor
      ? {
          where: { path: "--tier wise" },
          found: `${name} with ${parameters} parameters: ${fault}`,
          allowed: `a model of at least ${tiers.floorBillions} billion parameters`,
          todo:
            "Name a larger one with --tier wise=ollama:NAME, or lower the floor on purpose: " +
            "--set synt.tiers.floorBillions=N.",
        }
      : {
          where: { path: "synt.tiers" },
          found: faults.join("; "),
          allowed: "a provider for each tier that the world uses",
          todo: "Take `provider: none` out of the scenario, so that the live model serves the tier.",
        },
  );
}
