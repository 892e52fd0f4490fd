/** Whether `blame` ranks first what the text of a shipped scenario names. */
import { builtIn } from "../../src/builtIn/lists.ts";
import { policyValues } from "../../src/contract/policyTree.ts";
import { playBase } from "../../src/edges/causes/baseRun.ts";
import { effectNamed } from "../../src/edges/causes/effectNamed.ts";
import { cacheFolder, KeptAnswers } from "../../src/edges/play/keptAnswers.ts";
import { checkedLists } from "../../src/edges/pool/checkWorlds.ts";
import { playTrials, TrialPlayer } from "../../src/edges/pool/trialPlayer.ts";
import { lazySandbox } from "../../src/edges/python/sandboxPort.ts";
import { loadScenario } from "../../src/edges/scenario/scenarioFile.ts";
import { lazyShell } from "../../src/edges/shell/shellProcess.ts";
import { blameOf } from "../../src/run/causes/asked.ts";
import type { Blamed } from "../../src/run/causes/blame.ts";
import type { Change } from "../../src/run/causes/changes.ts";
import type { PlayTrials } from "../../src/run/causes/trial.ts";
import type { ShippedCause } from "./causes.ts";

export interface ShippedAnswer extends ShippedCause {
  /** What is named, as far as it is ranked: how many have a larger effect, and how many as large a one. */
  readonly named: (Pick<Blamed, "says" | "hits" | "n"> & Ranked) | null;
  readonly first: string;
  readonly isFirst: boolean;
  readonly runs: number;
}

interface Ranked {
  readonly above: number;
  readonly beside: number;
}

const lists = await checkedLists(builtIn);
/** What Python answered once it need not answer again. */
const how = { kind: "auto", answers: new KeptAnswers(cacheFolder(undefined)) } as const;
const host = { sandbox: lazySandbox(how), shell: lazyShell(how) };

const isNamed = (change: Change, names: readonly string[]): boolean =>
  change.kind === "set" ? names.includes(change.path) : "id" in change && names.includes(change.id);

/** Throws where the words are not in the text, or the outcome does not come about. */
export async function shippedAnswer(row: ShippedCause, runs: number): Promise<ShippedAnswer> {
  const { scenario: name, variant, outcome, names, quote } = row;
  const at = `${name} ${variant ?? ""}: ${outcome}`;
  const { scenario, text } = loadScenario(lists, name);
  const said = `${scenario.why} ${scenario.variants[variant ?? ""]?.why ?? ""}`;
  if (!said.replace(/\s+/g, " ").includes(quote)) throw new Error(`${at}: no such words`);
  const { seed } = scenario;
  const base = { scenario, text, variant, seed, set: {}, untilMs: null, recorded: null };
  const run = await playBase(lists, base, host);
  const effect = effectNamed(lists, base, run, outcome);
  const player = new TrialPlayer(lists, scenario, { ...base, effect }, host);
  const play: PlayTrials = (trials) => playTrials(trials, [(family) => player.play(family)]);
  // Values of the policy are most of the runs, and tried where the words name one.
  const policy = names.some((one) => one in policyValues(lists.parts, run.observed.result.policy));
  const found = await blameOf(
    {
      ...{ parts: lists.parts, world: base, run, effect, play },
      onStep: () => {},
      onFound: () => {},
    },
    { ...{ runs, isExact: false, withCurve: false, withShares: false }, policy },
  );
  if (found === undefined) throw new Error(`${at}: it does not come about`);
  const { ranking, asItWas, runs: played } = found.told;
  const left = (one: Blamed): number => one.hits / one.n;
  const own = ranking.find(({ change }) => isNamed(change, names));
  const named = own && {
    ...{ says: own.says, hits: own.hits, n: own.n },
    above: ranking.filter((one) => left(one) < left(own)).length,
    beside: ranking.filter((one) => one !== own && left(one) === left(own)).length,
  };
  const isFirst =
    named !== undefined && named.above === 0 && named.hits / named.n < asItWas.hits / asItWas.n;
  const [first] = ranking;
  return {
    ...row,
    ...{ named: named ?? null, isFirst, runs: played },
    first: first === undefined ? "nothing" : `${first.says}, ${first.hits} of ${first.n}`,
  };
}
