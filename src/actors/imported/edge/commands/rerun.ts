/** `ghostlight rerun FOLDER -- COMMAND…`: the same agent once more, its models answered from a recording. */
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { flagError } from "../../../../cli/flags.ts";
import { note, print, printJson } from "../../../../cli/output.ts";
import { interruptible } from "../../../../cli/signals.ts";
import { countOf } from "../../../../contract/countOf.ts";
import { command } from "../../../../edges/command.ts";
import { badInput, quoted } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { groupedBy } from "../../../../machines/grouped.ts";
import { bundleOf } from "../recordedBundle.ts";
import { type AgentEnded, runAgent, STDERR } from "../wire/agentProcess.ts";
import { type Api, keysFor, variablesFor } from "../wire/apis.ts";
import {
  type Exchange,
  ExchangeWriter,
  exchangesIn,
  readExchanges,
  recordedCalls,
} from "../wire/exchangeLog.ts";
import { openGateway } from "../wire/gateway.ts";
import { type LearnedRule, learned, readRules, writeRules } from "../wire/learnedRules.ts";
import { withoutHidden } from "../wire/matching.ts";
import { askedTools, sparedText } from "../wire/recordedTools.ts";
import { Recorder } from "../wire/recorder.ts";
import { Replayer } from "../wire/replayer.ts";
import { WireFaults } from "../wire/wireFaults.ts";
import {
  countsOf,
  cutText,
  endedText,
  hiddenRow,
  partedText,
  rightsText,
  unseenText,
} from "./agentText.ts";
import { importText, row } from "./importText.ts";
import { noCommand, outFolder, upstreamsOf } from "./record.ts";

export interface RerunFlags extends JsonFlag, Partial<Record<Api, string>> {
  readonly strict?: true;
  readonly pace?: true;
  readonly then?: string;
  readonly out?: string;
  /** Another recording of the same program, of which rules are made. */
  readonly learn?: string;
  readonly accept?: readonly string[];
}

export async function rerunCommand(
  folder: string,
  words: readonly string[],
  flags: RerunFlags,
): Promise<number> {
  if (flags.learn !== undefined) return learnRules(folder, flags.learn, flags);
  const rules = acceptedRules(folder, flags.accept ?? []);
  if (words.length === 0 && flags.accept !== undefined) {
    if (flags.json) printJson({ rules });
    else print(rules.map(ruleText).join("\n"));
    return EXIT.ok;
  }
  if (words.length === 0) throw noCommand("rerun");
  const isLive = goesOnLive(flags);
  const todo = "Record the agent again: npx ghostlight record -- COMMAND";
  const { exchanges, messages, isCut } = recordedCalls(folder, todo);
  const { offered, served, redacted } = countsOf({ exchanges, messages });
  if (isCut) note(cutText("The recording"));
  const upstreams = upstreamsOf(flags);
  note(rightsText(offered, isLive ? [] : served));
  if (redacted > 0)
    note(
      `Secrets were taken out of ${countOf(redacted, "recorded call")}${whichOf(exchanges)}: the agent gets marks in their place.`,
    );
  const out = isLive ? outFolder(flags.out, words) : undefined;
  const writer = out === undefined ? undefined : new ExchangeWriter(exchangesIn(out));
  const recorder = writer && new Recorder({ upstreams, writer, faults: new WireFaults([], 0) });
  const stop = interruptible("stopping the program");
  const parted = new AbortController();
  const replayer = new Replayer({
    ...{ exchanges, learned: rules },
    ...{ isStrict: flags.strict === true, isPaced: flags.pace === true },
    // Live, servers of tools run from the start: one that began later would know nothing of what came before.
    messages: isLive ? [] : messages,
    onParted: (one) => {
      note(partedText(one));
      if (recorder === undefined) parted.abort();
    },
    ...(writer && { onAnswered: (exchange) => writer.add(exchange) }),
    ...(recorder && { onward: recorder.answering }),
  });
  const { standIn } = recorder ?? replayer;
  const { answering } = replayer;
  const gateway = await openGateway(0, { answering, standIn });
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
  await tell(replayer, { ended, out, flags, rules });
  if (isInterrupted) return EXIT.interrupted;
  if (replayer.parted === null && replayer.left === 0 && replayer.asked > 0) {
    return ended.code === 0 ? EXIT.ok : EXIT.failed;
  }
  return isLive && replayer.parted !== null ? EXIT.ok : EXIT.divergence;
}

/** Ours: numbers that are spelt out. */
const NUMBERS_SHOWN = 10;

/** Of calls of models, by their numbers in the recording. */
function whichOf(exchanges: readonly Exchange[]): string {
  const numbers = exchanges.flatMap(({ redacted = 0 }, at) => (redacted > 0 ? [at + 1] : []));
  if (numbers.length === 0) return "";
  const more = numbers.length > NUMBERS_SHOWN ? ", …" : "";
  return ` (of models: ${numbers.slice(0, NUMBERS_SHOWN).join(", ")}${more})`;
}

interface Ended {
  readonly ended: AgentEnded;
  readonly out: string | undefined;
  readonly flags: RerunFlags;
  readonly rules: readonly LearnedRule[];
}

async function tell(replayer: Replayer, { ended, out, flags, rules }: Ended): Promise<void> {
  const { asked, parted, answered, left, tools, answers, spared } = replayer;
  const { hidden } = answers;
  const session = out === undefined || asked === 0 ? undefined : await bundleOf(out);
  if (flags.json) {
    printJson({
      ...{ asked, answered, left, parted, spared, ended },
      hidden: Object.fromEntries(hidden),
      ...(session && { out, logs: session.entries }),
    });
    return;
  }
  const head = asked === 0 ? [unseenText(0)] : [];
  const ofServers = tools.total === 0 ? "" : `, ${tools.total} of them to servers of tools`;
  const rest =
    left > 0 && parted === null
      ? [
          row(
            "left",
            `${countOf(left, "recorded call")} that the program did not ask: it went another way`,
          ),
        ]
      : [];
  print(
    [
      ...head,
      row("answered", `${answered} of ${countOf(answered + left, "recorded call")}${ofServers}`),
      ...rest,
      ...(Object.keys(spared).length === 0 ? [] : [row("spared", sparedText(spared))]),
      hiddenRow(hidden, rules),
      row("program", endedText(ended)),
      ...(session && out !== undefined ? [importText({ session, out, interrupted: false })] : []),
    ].join("\n"),
  );
}

/** Proposes rules for what differs between two recordings; those that were accepted before stay so. */
function learnRules(folder: string, other: string, { json }: RerunFlags): number {
  const known = readRules(folder);
  const [one, two] = [folder, other].map((from) => {
    const { exchanges, messages } = readExchanges(exchangesIn(from));
    return { exchanges, tools: groupedBy(askedTools(messages), ({ path }) => path) };
  });
  const paths = new Set([one, two].flatMap((read) => [...(read?.tools.keys() ?? [])]));
  const kinds = [
    { what: "calls", first: one?.exchanges ?? [], second: two?.exchanges ?? [] },
    ...[...paths].map((path) => ({
      ...{ what: `of ${path}`, first: one?.tools.get(path) ?? [] },
      second: two?.tools.get(path) ?? [],
    })),
  ];
  const { rules, open } = learned(kinds, withoutHidden);
  const isKnown = ({ pattern, at }: LearnedRule): boolean =>
    known.some((one) => one.pattern === pattern && at.every((path) => one.at.includes(path)));
  const taken = new Set(known.map(({ name }) => name));
  const fresh = rules
    .filter((one) => !isKnown(one))
    .map((one) => (taken.has(one.name) ? { ...one, name: `${one.name}-new` } : one));
  const all = [...known, ...fresh];
  if (all.length > 0) writeRules(folder, all);
  if (json) printJson({ rules: all, open });
  else
    print(
      [
        ...(all.length === 0 ? ["Nothing differs that no rule hides: no rule is needed."] : []),
        ...all.map(ruleText),
        ...open.map((one) => `No rule covers ${one}.`),
        ...fresh
          .slice(0, 1)
          .map(
            ({ name }) =>
              `None counts before you accept it: ${command`rerun ${folder} --accept ${name}`}`,
          ),
      ].join("\n"),
    );
  return EXIT.ok;
}

const ruleText = ({ name, at, seen, accepted }: LearnedRule): string =>
  `${accepted ? "accepted" : "proposed"}  ${name}  at ${at.join(", ")}: ${seen.map((one) => quoted(one)).join(" or ")}`;

/** The rules of a recording, with these accepted from now on. Throws BadInput for a name that there is not. */
function acceptedRules(folder: string, names: readonly string[]): readonly LearnedRule[] {
  const rules = readRules(folder);
  const known = rules.map(({ name }) => name);
  for (const name of names) {
    if (known.includes(name)) continue;
    const allowed = known.length === 0 ? "a rule that --learn proposed" : known.join(" | ");
    throw flagError("--accept", name, allowed, "`rerun FOLDER --learn OTHER` proposes rules.");
  }
  if (names.length === 0) return rules;
  const all = rules.map((one) => (names.includes(one.name) ? { ...one, accepted: true } : one));
  writeRules(folder, all);
  return all;
}

function goesOnLive({ then, out }: RerunFlags): boolean {
  if (then !== undefined && then !== "live") {
    throw flagError("--then", then, "live", "Omit it: the first difference then ends the program.");
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
