/** `ghostlight resume`: a live run goes on where its recording ends, into a bundle of its own. */
import { livePorts, type Manifest, type ModelIdentity } from "../bundle.ts";
import { type ReadBundle, readBundle } from "../edges/bundleReader.ts";
import { clock } from "../edges/duration.ts";
import { BadInput, LiveUnavailable, quoted } from "../edges/errors.ts";
import { CatchUp } from "../edges/live/catchUp.ts";
import { hostOption, identityOf, type OllamaSetup, preflight } from "../edges/ollama/preflight.ts";
import { personAt } from "../edges/personPort.ts";
import { folderName, type Recorded, recordRun } from "../edges/recordRun.ts";
import { type ReportInput, reportText } from "../edges/report.ts";
import { policyWith } from "../machines/policy.ts";
import { liveProgress } from "./liveProgress.ts";
import { untilOption } from "./options.ts";
import { clearProgress, EXIT, note, print, printJson, progress } from "./output.ts";
import { reportInput, textsOf } from "./reportTexts.ts";
import { claim } from "./run.ts";
import { interruptible } from "./signals.ts";

export interface ResumeFlags {
  readonly until?: number;
  readonly out?: string;
  readonly host?: string;
  readonly anyModel?: true;
  readonly json?: true;
}

export async function resumeCommand(folder: string, flags: ResumeFlags): Promise<number> {
  const bundle = readBundle(folder);
  const { manifest, scenario } = bundle;
  const untilMs = untilOption(flags.until, scenario) ?? manifest.untilMs;
  checkGoesOn(bundle, untilMs);
  const live = await sameModel(manifest, flags);
  const { variant, seed, policy: set } = manifest;
  const name = folderName(scenario.name, variant, seed);
  const out = claim(flags, `${name}-resumed`);
  const stop = interruptible("stopping; the bundle is being completed");
  const shown = liveProgress(scenario.name, live);
  let input: ReportInput | undefined;
  const isAsked = livePorts(manifest).has("port/tool.call");
  const person = isAsked ? personAt(process.stdin, process.stderr) : undefined;
  const { observed } = await recordRun({
    ...{ scenario, text: manifest.scenario.text, variant, seed, set, untilMs, live, person },
    folder: out,
    sandbox: manifest.providers["port/sandbox.run"]?.endsWith("bwrap") ? "bwrap" : "pyodide",
    withLog: true,
    catchUp: new CatchUp(bundle),
    onInput: shown.input,
    onSlice: (_, run) => {
      shown.slice(run);
      return stop.signal.aborted;
    },
    texts: async (done: Recorded) => {
      const called = scenario.name;
      input = reportInput({ scenario, called, seed, done, counterfactuals: [], folder: out });
      return textsOf(input);
    },
  });
  person?.close();
  clearProgress();
  stop.dispose();
  shown.summary();
  const { outcome, digest, envelopes, virtualMs } = observed.result;
  if (flags.json)
    printJson({ resumed: folder, bundle: out, outcome, digest, envelopes, virtualMs });
  else if (input !== undefined) print(reportText(input));
  if (outcome === "ended") return EXIT.ok;
  if (outcome === "interrupted") return EXIT.interrupted;
  note(`The run ended with ${outcome}; the bundle is kept: ${out}`);
  return outcome.startsWith("limit:") ? EXIT.limit : EXIT.bug;
}

function checkGoesOn({ folder, manifest, scenario }: ReadBundle, untilMs: number | null): void {
  const refused = (found: string, todo: string): BadInput =>
    new BadInput({
      where: { file: folder },
      found,
      allowed: "a live run with something left to play",
      todo,
    });
  if (manifest.origin === "scripted") {
    const todo = `\`npx ghostlight run ${scenario.name}\` plays it again, whole.`;
    throw refused("a run with the scripted model, which always goes the same way", todo);
  }
  const { final } = manifest;
  const endMs = Math.min(untilMs ?? scenario.runsForMs, scenario.runsForMs);
  if (final?.outcome === "ended" && final.virtualMs >= endMs) {
    throw refused(
      `a run that ended at ${clock(final.virtualMs)}`,
      "Give it a later end, such as --until 1h; the scenario's own is the latest.",
    );
  }
  if (final !== undefined && final.virtualMs > endMs) {
    throw refused(`a run that is at ${clock(final.virtualMs)} already`, "Give it a later --until.");
  }
}

interface Models {
  readonly [role: string]: ModelIdentity;
}

/** Throws LiveUnavailable when another model answers under the recorded names. */
async function sameModel(manifest: Manifest, flags: ResumeFlags): Promise<OllamaSetup> {
  const recorded = manifest.live;
  const named = recorded?.models ?? {};
  const name = (tier: string): string => named[tier]?.name ?? "";
  try {
    const setup = await preflight({
      server: { host: hostOption(flags.host, process.env) },
      names: {
        tiers: { fast: name("fast"), middle: name("middle"), wise: name("wise") },
        embed: recorded?.embed?.name ?? null,
      },
      policy: policyWith(manifest.policy).live,
      warm: true,
      onStep: progress,
    });
    const { models, embed } = identityOf(setup);
    const now: Models = { ...models, ...(embed && { embed }) };
    const was: Models = { ...named, ...(recorded?.embed && { embed: recorded.embed }) };
    const other = Object.keys(was).find((key) => was[key]?.digest !== now[key]?.digest);
    if (other === undefined || flags.anyModel) return setup;
    throw new LiveUnavailable({
      where: { path: "--host" },
      found: `${now[other]?.name} with the digest ${quoted(now[other]?.digest.slice(0, 12))}`,
      allowed: `the recorded one, ${quoted(was[other]?.digest.slice(0, 12))}`,
      todo: "Bring back that version of the model, or go on with this one: --any-model.",
    });
  } finally {
    clearProgress();
  }
}
