/** `ghostlight run`: plays a scenario, writes its bundle and says what happened. */
import { figuresOf, type Observed } from "../compare.ts";
import { claimFolder, claimNumbered, FILES } from "../edges/bundleWriter.ts";
import { clock } from "../edges/duration.ts";
import { playAll } from "../edges/playPool.ts";
import type { Played } from "../edges/playWorker.ts";
import { folderName, type Recorded, recordRun } from "../edges/recordRun.ts";
import { pictureOf, type ReportInput, reportText } from "../edges/report.ts";
import { loadScenario } from "../edges/scenarioFile.ts";
import { metricChecks } from "../metricTable.ts";
import type { Scenario } from "../scenario.ts";
import { type Explanation, why } from "../why.ts";
import {
  overridesOption,
  type RunFlags,
  sandboxOption,
  seedOption,
  seedsOption,
  untilOption,
  variantOption,
} from "./options.ts";
import { clearProgress, EXIT, print, printJson, progress } from "./output.ts";
import { runSeeds } from "./seeds.ts";
import { interruptible } from "./signals.ts";
import { exitCodeOf } from "./verdict.ts";

export async function runCommand(nameOrPath: string, flags: RunFlags): Promise<number> {
  const { scenario, text, file } = loadScenario(nameOrPath, metricChecks);
  const variant = flags.variant === undefined ? null : variantOption(scenario, flags.variant);
  const set = overridesOption(flags.set ?? [], flags.profile);
  const seed = flags.seed === undefined ? scenario.seed : seedOption(flags.seed);
  const seeds = flags.seeds === undefined ? undefined : seedsOption(flags.seeds);
  const sandbox = sandboxOption(flags.sandbox);
  const untilMs = untilOption(flags.until, scenario);
  if (flags.dryRun) return dryRun(scenario, file, flags);
  if (seeds !== undefined) {
    const [first, last] = seeds;
    return runSeeds({
      scenario,
      nameOrPath,
      variant,
      set,
      first,
      last,
      json: flags.json === true,
      sandbox,
    });
  }
  const folder = claim(flags, folderName(scenario.name, variant, seed));
  const stop = interruptible("stopping; the bundle is being completed");
  // On the other cores, while this one plays and records the scenario itself.
  const variants = flags.compare ? Object.keys(scenario.variants) : [];
  const others = playAll(
    { scenario, set, untilMs, sandbox },
    variants.filter((name) => name !== variant).map((name) => ({ variant: name, seed })),
    { signal: stop.signal },
  );
  others.catch(() => {}); // Awaited below; a failure before that must not end the process.
  let counterfactuals: readonly Played[] = [];
  let input: ReportInput | undefined;
  const recorded = await recordRun({
    scenario,
    text,
    variant,
    seed,
    set,
    untilMs,
    folder,
    withLog: flags.log,
    sandbox,
    onSlice: (nowMs) => {
      progress(`${scenario.name}: ${clock(nowMs - (nowMs % 1000))} of virtual time`);
      return stop.signal.aborted;
    },
    texts: async (done) => {
      if (variants.length > 0) progress(`${scenario.name}: what if …`);
      counterfactuals = await others;
      input = reportInput({ scenario, called: nameOrPath, seed, done, counterfactuals, folder });
      progress("drawing the picture");
      return textsOf(input);
    },
  });
  clearProgress();
  stop.dispose();
  const { observed } = recorded;
  if (flags.json) printJson(jsonOf(scenario, seed, observed, folder, counterfactuals));
  else if (input !== undefined) print(reportText(input));
  return exitCodeOf(observed, nameOrPath, flags);
}

function claim(flags: RunFlags, name: string): string {
  if (flags.out === undefined) return claimNumbered("runs", name);
  claimFolder(flags.out);
  return flags.out;
}

function reportInput(from: {
  scenario: Scenario;
  called: string;
  seed: number;
  done: Recorded;
  counterfactuals: readonly Played[];
  folder: string;
}): ReportInput {
  const { scenario, called, seed, done, counterfactuals, folder } = from;
  const { observed, deliveries, inputs } = done;
  const explanations = [
    why(deliveries, inputs),
    ...laterFailures(observed).map((question) => why(deliveries, inputs, question)),
  ].filter((one): one is Explanation => one !== undefined);
  return { scenario, called, seed, observed, explanations, counterfactuals, bundle: folder };
}

/** One failed goal of an agent that itself called a ghost: the shortest story of the cause. */
function laterFailures({ story }: Observed): string[] {
  const ghost = story.ghosts.find(({ callsByAgent }) => callsByAgent.size > 0);
  if (ghost === undefined) return [];
  const goal = story.goals.find(
    ({ agent, status, startMs }) =>
      status === "abandoned" && startMs >= ghost.fromMs && ghost.callsByAgent.has(agent),
  );
  return goal === undefined ? [] : [`goal:${goal.agent}/${goal.n}`];
}

async function textsOf(input: ReportInput): Promise<{ [file: string]: string }> {
  // Loaded only now: the plotting library takes longer to load than a short run takes.
  const [{ drawRun }, { reportPage }] = await Promise.all([
    import("../edges/picture.ts"),
    import("../edges/reportPage.ts"),
  ]);
  const markdown = reportText(input);
  const svg = drawRun(pictureOf(input));
  const page = reportPage({ title: input.scenario.name, markdown, svg });
  return { [FILES.report]: markdown, [FILES.page]: page, "picture.svg": svg };
}

function jsonOf(
  scenario: Scenario,
  seed: number,
  observed: Observed,
  folder: string,
  counterfactuals: readonly Played[],
): object {
  const { result, variant, meter, verdicts } = observed;
  return {
    scenario: scenario.name,
    variant,
    seed,
    digest: result.digest,
    outcome: result.outcome,
    expectations: verdicts,
    metrics: meter.finals(),
    figures: figuresOf(observed),
    bundle: folder,
    envelopes: result.envelopes,
    virtualMs: result.virtualMs,
    ...(counterfactuals.length > 0 && {
      variants: counterfactuals.map((one) => ({
        variant: one.variant,
        digest: one.digest,
        outcome: one.outcome,
        expectations: one.verdicts,
        figures: one.figures,
      })),
    }),
  };
}

function dryRun(scenario: Scenario, file: string, flags: RunFlags): number {
  const { name, agents, events, tools, variants, expect, runsForMs } = scenario;
  const facts = {
    scenario: name,
    file,
    valid: true,
    virtualMs: runsForMs,
    agents: agents.length,
    tools: tools.length,
    events: events.length,
    expectations: expect.length,
    variants: Object.keys(variants),
  };
  if (flags.json) printJson(facts);
  else {
    print(
      `${file} is valid: ${clock(runsForMs)} of virtual time, ${agents.length} agents, ` +
        `${tools.length} tools, ${events.length} events, ${expect.length} expectations, ` +
        `${Object.keys(variants).length} variants. Nothing was run.`,
    );
  }
  return EXIT.ok;
}
