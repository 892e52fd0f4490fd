/** A recorded run goes on where its recording ends, into a bundle of its own: for `resume` and for the commands that decide. */

import type { ReadBundle } from "../edges/bundle/bundleReader.ts";
import { CatchUp } from "../edges/live/catchUp.ts";
import type { LiveSetup } from "../edges/live/liveSetup.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import type { Forking } from "../edges/play/forking.ts";
import type { Decided, Gate } from "../edges/play/gate.ts";
import { gatesOf } from "../edges/play/gates.ts";
import { hostPorts } from "../edges/play/hostPorts.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import type { Person } from "../edges/play/person.ts";
import { personAt } from "../edges/play/personPort.ts";
import {
  folderName,
  type Recorded,
  type RecordOptions,
  recordRun,
} from "../edges/play/recordRun.ts";
import type { GateStory } from "../edges/report/openQuestion.ts";
import { reportText } from "../edges/report/report.ts";
import type { ReportInput } from "../edges/report/reportInput.ts";
import { reportInput, textsOf } from "../edges/report/reportTexts.ts";
import { livePorts } from "../run/bundle.ts";
import type { Fork } from "../run/fork.ts";
import type { SimulateOptions } from "../run/simulate.ts";
import { liveProgress, watched } from "./live/liveProgress.ts";
import { clearProgress, personOutput } from "./output.ts";
import { claim } from "./run.ts";
import { interruptible } from "./signals.ts";

interface Onward {
  readonly bundle: ReadBundle;
  readonly untilMs: number | null;
  readonly live: LiveSetup | undefined;
  /** Of a run without a live model: how far its recording goes. */
  readonly end: GateStory["end"] | undefined;
  readonly gate: Gate["kind"] | undefined;
  /** It leaves its recording before the end. */
  readonly forking?: Forking | undefined;
  readonly forks?: readonly Fork[] | undefined;
  /** The word on the question that is open at its end. */
  readonly decided?: Decided | undefined;
  readonly out?: string | undefined;
  /** Where answers of Python and of the shell are kept; where the environment says when absent. */
  readonly answers?: KeptAnswers | undefined;
  /** What the name of its own folder ends in. */
  readonly suffix: string;
}

export interface Gone {
  readonly recorded: Recorded;
  readonly out: string;
  /** The report. */
  readonly text: string;
}

export async function continueRun(lists: PartLists, onward: Onward): Promise<Gone> {
  const { bundle, untilMs, live, out: wanted, forking } = onward;
  const { manifest, scenario } = bundle;
  const { variant, seed, policy: set } = manifest;
  const name = `${folderName(scenario.name, variant, seed)}-${onward.suffix}`;
  const out = claim(wanted === undefined ? {} : { out: wanted }, name);
  const stop = interruptible("stopping; the bundle is being completed");
  const shown = live && liveProgress(lists.parts, watched(scenario, untilMs, live));
  const isAsked = forking === undefined && livePorts(manifest).has("port/tool.call");
  const person =
    isAsked || onward.gate === "terminal" ? personAt(process.stdin, personOutput) : undefined;
  let input: ReportInput | undefined;
  const recorded = await recordRun(lists, {
    ...{ scenario, text: manifest.scenario.text, variant, seed, set, untilMs, live },
    folder: out,
    sandbox: manifest.providers["port/sandbox.run"]?.endsWith("bwrap") ? "bwrap" : "pyodide",
    withLog: true,
    answers: onward.answers ?? new KeptAnswers(cacheFolder(undefined)),
    person: isAsked ? person : undefined,
    gate: gateOf(onward, person),
    identity: manifest.live,
    forks: onward.forks ?? manifest.forks,
    ...(forking ? { forking } : livedOn(lists, onward)),
    // What was recorded before a fork is not counted as asked now.
    onInput: (input) => {
      if (forking?.isOver !== false) shown?.input(input);
    },
    onDelivery: (delivery) => {
      if (forking?.isOver !== false) shown?.delivery(delivery);
    },
    onSlice: (_, run) => {
      if (person?.isAsked !== true) shown?.slice(run);
      return stop.signal.aborted;
    },
    texts: async (done: Recorded) => {
      input = reportInput(lists, { scenario, seed, done, folder: out });
      return textsOf(lists, input);
    },
  }).finally(() => person?.close());
  clearProgress();
  stop.dispose();
  shown?.summary(recorded.observed.result.virtualMs);
  return { recorded, out, text: input === undefined ? "" : reportText(lists, input) };
}

function livedOn(lists: PartLists, { bundle, live, end }: Onward): Partial<RecordOptions> {
  return live
    ? { catchUp: new CatchUp(bundle) }
    : { served: servedAgain(lists, bundle), resumed: end };
}

function gateOf({ gate, decided }: Onward, person: Person | undefined): Gate | undefined {
  if (gate === "later") return { kind: gate, decided };
  if (gate === "nobody") return { kind: gate };
  return gate === undefined || person === undefined ? undefined : { kind: gate, person };
}

/**
 * What a person said and what Python did is taken from the recording. Scripted ports are asked again:
 * they say the same, and know afterwards what they have said.
 */
function servedAgain(
  lists: PartLists,
  { inputs }: ReadBundle,
): Pick<SimulateOptions, "recorded" | "serving"> {
  const fromOutside = new Set([
    ...gatesOf(lists).map(({ port }) => port),
    ...hostPorts(lists).keys(),
    ...PYTHON,
  ]);
  return {
    recorded: inputs,
    serving: {
      serves: (call, { port, request }) =>
        call.kind === "reply" && call.request === request && fromOutside.has(port),
      onMiss: ({ request, provider }) => provider.answer(request),
    },
  };
}

const PYTHON = ["port/sandbox.run", "port/python.parse"];
