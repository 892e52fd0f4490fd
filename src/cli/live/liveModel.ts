/** The live model that a command asks for: its options, checked, and its server, looked at. */

import type { Part } from "../../contract/part.ts";
import type { PolicyValue } from "../../contract/policyTree.ts";
import type { Scenario } from "../../contract/scenario.ts";
import { type BadInput, badInput, LiveUnavailable } from "../../edges/errors.ts";
import { serverOption } from "../../edges/live/hostOption.ts";
import { preflight } from "../../edges/live/liveServer.ts";
import { identityOf, type LiveSetup } from "../../edges/live/liveSetup.ts";
import { modelNames } from "../../edges/live/modelName.ts";
import { prepare } from "../../run/simulate.ts";
import type { RunFlags } from "../options.ts";
import { clearProgress, note, progress } from "../output.ts";

/** What says which model answers, and what goes with it. */
export type LiveFlags = Pick<
  RunFlags,
  "model" | "tier" | "embed" | "host" | "ask" | "compare" | "seeds"
>;

export const isLive = ({ model }: Pick<RunFlags, "model">): boolean =>
  model !== undefined && model !== "scripted";

/** Naming an embedding model also makes the router ask it. `--set` still wins. */
export const liveOverrides = ({ embed }: LiveFlags): { readonly [path: string]: PolicyValue } =>
  embed === undefined ? {} : { "router.kind": "embedding" };

/** Throws BadInput for options that a live model, or a scripted one, has no use for. */
export function noLiveWith(flags: LiveFlags): void {
  const { model = "scripted", tier = [], embed, host } = flags;
  if (isLive(flags)) {
    const { kind } = modelNames({ model, tier, embed });
    serverOption(kind, flags.host, process.env);
    const many = flags.compare ? "--compare" : flags.seeds === undefined ? undefined : "--seeds";
    if (many !== undefined) throw refusedWith(many, "the scripted model, which plays many runs");
    return;
  }
  const given = {
    ...{ "--tier": tier.length > 0, "--embed": embed !== undefined },
    ...{ "--host": host !== undefined, "--ask": flags.ask },
  };
  const option = Object.entries(given).find(([, isGiven]) => isGiven)?.[0];
  if (option !== undefined)
    throw refusedWith(option, "a live model: --model ollama:NAME or openai:NAME");
}

const refusedWith = (path: string, allowed: string): BadInput =>
  badInput(
    path,
    "it beside a model that it does not go with",
    `it only with ${allowed}`,
    "Omit one of the two.",
  );

/** Throws LiveUnavailable when anything is not as it must be, before anything is written. */
export async function liveModel(
  parts: readonly Part[],
  flags: LiveFlags,
  run: {
    readonly scenario: Scenario;
    readonly variant: string | null;
    readonly set: { readonly [path: string]: PolicyValue };
  },
): Promise<LiveSetup> {
  const { model = "", tier = [], embed } = flags;
  const names = modelNames({ model, tier, embed });
  const { policy } = prepare(parts, run.scenario, { variant: run.variant, set: run.set });
  try {
    const setup = await preflight({
      server: serverOption(names.kind, flags.host, process.env),
      names,
      policy: policy.live,
      warm: true,
      onStep: progress,
      onNote: note,
    });
    for (const part of parts) {
      const fault = part.liveFault?.(run.scenario, policy, identityOf(setup));
      if (fault) throw new LiveUnavailable(fault);
    }
    return setup;
  } finally {
    clearProgress();
  }
}
