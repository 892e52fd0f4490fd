/** `ghostlight rerun FOLDER -- COMMAND…`: the same agent once more, its models answered from a recording. */
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { refused } from "../../../../cli/flags.ts";
import { note, print, printJson } from "../../../../cli/output.ts";
import { interruptible } from "../../../../cli/signals.ts";
import { countOf } from "../../../../contract/countOf.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { bundleOf } from "../recordedBundle.ts";
import { type AgentEnded, runAgent, STDERR } from "../wire/agentProcess.ts";
import { type Api, keysFor, variablesFor } from "../wire/apis.ts";
import { ExchangeWriter, exchangesIn, readExchanges } from "../wire/exchangeLog.ts";
import { Recorder } from "../wire/recorder.ts";
import { Replayer } from "../wire/replayer.ts";
import { WireFaults } from "../wire/wireFaults.ts";
import { countsOf, endedText, hiddenRow, partedText, rightsText, unseenText } from "./agentText.ts";
import { importText, row } from "./importText.ts";
import { noCommand, openedGateway, outFolder, upstreamsOf } from "./record.ts";

export interface RerunFlags extends JsonFlag, Partial<Record<Api, string>> {
  readonly strict?: true;
  readonly pace?: true;
  readonly then?: string;
  readonly out?: string;
}

export async function rerunCommand(
  folder: string,
  words: readonly string[],
  flags: RerunFlags,
): Promise<number> {
  if (words.length === 0) throw noCommand("rerun");
  const isLive = goesOnLive(flags);
  const { exchanges, isCut } = readExchanges(exchangesIn(folder));
  if (exchanges.length === 0) throw nothingRecorded(folder);
  if (isCut)
    note("The recording breaks off in its last line, as a kill leaves it: that line is left out.");
  const upstreams = upstreamsOf(flags);
  const { offered, redacted } = countsOf(exchanges);
  note(rightsText(offered));
  if (redacted > 0)
    note(
      `Secrets were taken out of ${countOf(redacted, "recorded call")}: the agent gets marks in their place.`,
    );
  const out = isLive ? outFolder(flags.out, words) : undefined;
  const writer = out === undefined ? undefined : new ExchangeWriter(exchangesIn(out));
  const recorder = writer && new Recorder({ upstreams, writer, faults: new WireFaults([], 0) });
  const stop = interruptible("stopping the program");
  const parted = new AbortController();
  const replayer = new Replayer({
    ...{ exchanges, isStrict: flags.strict === true, isPaced: flags.pace === true },
    onParted: (one) => {
      note(partedText(one));
      if (recorder === undefined) parted.abort();
    },
    ...(writer && { onAnswered: (exchange) => writer.add(exchange) }),
    ...(recorder && { onward: recorder.answering }),
  });
  const gateway = await openedGateway(0, replayer.answering);
  let ended: AgentEnded;
  try {
    ended = await runAgent(words, {
      variables: { ...(isLive ? {} : keysFor(process.env)), ...variablesFor(gateway.base) },
      output: flags.json ? STDERR : "inherit",
      stop: AbortSignal.any([stop.signal, parted.signal]),
    });
  } finally {
    stop.dispose();
    await gateway.close();
    writer?.close();
  }
  const isInterrupted = stop.signal.aborted;
  await tell(replayer, { ended, out, flags, recorded: exchanges.length });
  if (isInterrupted) return EXIT.interrupted;
  const { left } = replayer.answers;
  if (replayer.parted === null && left.length === 0 && replayer.asked > 0) {
    return ended.code === 0 ? EXIT.ok : EXIT.failed;
  }
  return isLive && replayer.parted !== null ? EXIT.ok : EXIT.divergence;
}

interface Ended {
  readonly ended: AgentEnded;
  readonly out: string | undefined;
  readonly flags: RerunFlags;
  readonly recorded: number;
}

async function tell(replayer: Replayer, { ended, out, flags, recorded }: Ended): Promise<void> {
  const { asked, parted, answers } = replayer;
  const { hidden, left } = answers;
  const session = out === undefined || asked === 0 ? undefined : await bundleOf(out);
  if (flags.json) {
    printJson({
      ...{ asked, answered: recorded - left.length, left: left.length, parted, ended },
      hidden: Object.fromEntries(hidden),
      ...(session && { out, logs: session.entries }),
    });
    return;
  }
  const head = asked === 0 ? [unseenText(0)] : [];
  const rest =
    left.length > 0 && parted === null
      ? [
          row(
            "left",
            `${countOf(left.length, "recorded call")} that the program did not ask: it went another way`,
          ),
        ]
      : [];
  print(
    [
      ...head,
      row("answered", `${recorded - left.length} of ${countOf(recorded, "recorded call")}`),
      ...rest,
      hiddenRow(hidden),
      row("program", endedText(ended)),
      ...(session && out !== undefined ? [importText({ session, out, interrupted: false })] : []),
    ].join("\n"),
  );
}

function goesOnLive({ then, out }: RerunFlags): boolean {
  if (then !== undefined && then !== "live") {
    throw refused("--then", then, "live", "Omit it: the first difference then ends the program.");
  }
  if (then === undefined && out !== undefined) {
    throw badInput(
      "--out",
      "a folder for what is recorded, and no --then live",
      "--out beside --then live",
      "Add --then live, or leave --out out.",
    );
  }
  return then === "live";
}

const nothingRecorded = (folder: string): BadInput =>
  badInput(
    { file: exchangesIn(folder) },
    "no call of a model",
    "a recording with at least one",
    "Record the agent again: npx ghostlight record -- COMMAND",
  );
