/** `ghostlight record -- COMMAND…`: what an agent of any language asks its models, kept as a bundle and for `rerun`. */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { flagError } from "../../../../cli/flags.ts";
import { note, print, printJson } from "../../../../cli/output.ts";
import { interruptible } from "../../../../cli/signals.ts";
import { claimFolder, claimNumbered } from "../../../../edges/bundle/bundleWriter.ts";
import { command } from "../../../../edges/command.ts";
import { type BadInput, badInput } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import { plainName } from "../../../../edges/plainName.ts";
import { SEED_MAX } from "../../../../substrate/random.ts";
import { bundleOf } from "../recordedBundle.ts";
import { type AgentEnded, runAgent, STDERR } from "../wire/agentProcess.ts";
import { APIS, type Api, httpAddress, upstreamOf, variablesFor } from "../wire/apis.ts";
import { watchConnections } from "../wire/connections.ts";
import { EXCHANGES, ExchangeWriter, exchangesIn } from "../wire/exchangeLog.ts";
import { type Answering, type Gateway, openGateway } from "../wire/gateway.ts";
import { Recorder, type RecorderOptions } from "../wire/recorder.ts";
import { faultsOf, WIRE_FAULTS, WireFaults } from "../wire/wireFaults.ts";
import { mayWrite, ToldLogs } from "../world/wanted.ts";
import {
  CallCounter,
  type CallCounts,
  callRows,
  endedText,
  rightsText,
  someText,
  unseenText,
} from "./agentText.ts";
import { importText, row } from "./importText.ts";

export interface RecordFlags extends JsonFlag {
  readonly out?: string;
  readonly openai?: string;
  readonly anthropic?: string;
  readonly ollama?: string;
  readonly listen?: string;
  readonly fault?: readonly string[];
  readonly seed?: string;
  readonly check?: true;
  readonly keepBodies?: true;
  readonly scenario?: string;
}

/** How long `--check` waits for a call, in ms. */
const CHECK_MS = 10_000;

export async function recordCommand(words: readonly string[], flags: RecordFlags): Promise<number> {
  const port = portOf(flags.listen);
  if (words.length === 0 && port === 0) throw noCommand("record");
  const faults = new WireFaults(faultsOf(flags.fault ?? []), seedOf(flags.seed));
  const upstreams = upstreamsOf(flags);
  if (flags.scenario !== undefined) mayWrite(flags.scenario, flags.out);
  const out = outFolder(flags.out, words);
  const counter = new CallCounter();
  const writer = new ExchangeWriter(exchangesIn(out), (kept) => counter.add(kept));
  const recorder = new Recorder({
    ...{ upstreams, writer, faults },
    keepsBodies: flags.keepBodies === true,
  });
  if (flags.keepBodies) note(KEPT);
  // A check ends the program at its first call: no other is passed on meanwhile.
  const isEnough = (): boolean => flags.check === true && writer.calls > 0;
  const { standIn } = recorder;
  const answering: Answering = (asked, reply) =>
    isEnough() ? new Promise(() => {}) : recorder.answering(asked, reply);
  const gateway = await atPort(port, (free) => openGateway(free, { answering, standIn }));
  let ended: Ended;
  try {
    ended = await played(words, flags, gateway, { writer, standIns: recorder.standIns });
  } finally {
    await gateway.close();
    writer.close();
  }
  const { others, reached } = recorder;
  const { counts } = counter;
  if (writer.count > 0) return told({ out, words, ended, others, reached, flags, counts });
  if (flags.json) printJson({ calls: 0, others, ended });
  else print([unseenText(others, ended), ...pastRow(ended), ...endedRow(ended)].join("\n"));
  return EXIT.failed;
}

const KEPT =
  "Bodies are kept whole in exchanges.jsonl, secrets included: do not hand that file on. The bundle beside it has none.";

/** What can be put on the wire, with what each looks like. */
export function listFaults({ json }: JsonFlag): number {
  const rows = WIRE_FAULTS.map(({ name, at, says }) => `${name.padEnd(16)}${at.padEnd(8)}${says}`);
  if (json) printJson({ faults: WIRE_FAULTS });
  else print(rows.join("\n"));
  return EXIT.ok;
}

/** Null where no program was started. `past`: what it connected to by itself, where the system tells. */
type Ended = (AgentEnded & { readonly past: readonly string[] | null }) | null;

/** Until the program ends, or the person does. */
async function played(
  words: readonly string[],
  { json, check }: RecordFlags,
  gateway: Gateway,
  { writer, standIns }: Pick<RecorderOptions, "writer"> & Pick<Recorder, "standIns">,
): Promise<Ended> {
  const stop = interruptible("stopping; what came so far is being completed");
  const variables = variablesFor(gateway.base);
  try {
    if (words.length === 0) {
      note("Listening; Ctrl-C ends the recording. Start the agent with:");
      for (const [name, value] of Object.entries(variables)) note(`  export ${name}=${value}`);
      await new Promise<void>((done) => {
        stop.signal.addEventListener("abort", () => done(), { once: true });
      });
      return null;
    }
    note(rightsText([]));
    const enough = new AbortController();
    if (check) void setTimeout(CHECK_MS).then(() => enough.abort());
    const all = AbortSignal.any([stop.signal, enough.signal]);
    let past: () => readonly string[] | null = () => null;
    const agent = runAgent(words, {
      ...{ variables, output: json ? STDERR : "inherit", stop: all },
      onStart: (pid) => {
        past = watchConnections(pid, gateway.base("mcp"), standIns);
      },
    });
    if (check) void untilOne(writer, all).then(() => enough.abort());
    return { ...(await agent), past: past() };
  } finally {
    stop.dispose();
  }
}

async function untilOne(writer: ExchangeWriter, stop: AbortSignal): Promise<void> {
  while (writer.calls === 0 && !stop.aborted) await setTimeout(50);
}

interface Told {
  readonly out: string;
  readonly words: readonly string[];
  readonly ended: Ended;
  readonly others: number;
  /** Where models were asked. */
  readonly reached: ReadonlySet<string>;
  readonly flags: RecordFlags;
  readonly counts: CallCounts;
}

async function told(all: Told): Promise<number> {
  const { out, words, ended, others, reached, flags, counts } = all;
  // Whoever also asks there itself has only some of its calls recorded.
  const beside = (ended?.past ?? []).filter((one) => reached.has(one));
  const isSeen = flags.check === true ? counts.calls > 0 : ended === null || ended.code === 0;
  const isWell = isSeen && beside.length === 0;
  const logs = new ToldLogs();
  const session = await bundleOf(out, EXCHANGES, logs);
  const { scenario: file } = flags;
  const world =
    file === undefined
      ? undefined
      : await (await import("../world/makeScenario.ts")).makeScenario(
          logs,
          { file, out, source: exchangesIn(out) },
          out,
        );
  if (flags.json) {
    printJson({ out, ...counts, others, ended, logs: session.entries, ...world?.json });
  } else {
    const again = words.length === 0 ? [] : [command`rerun ${out} -- ${words}`];
    print(
      [
        ...(counts.calls === 0
          ? [unseenText(others, ended, "only servers of tools were asked")]
          : []),
        ...(beside.length === 0 ? [] : [someText(beside)]),
        ...callRows(counts),
        ...(others === 0
          ? []
          : [row("others", `${others} requests that ask no model, passed on and not kept`)]),
        ...pastRow(ended),
        ...endedRow(ended),
        importText({ session, out, interrupted: false }),
        ...(world === undefined ? [] : ["", world.text, ""]),
        ...again,
      ].join("\n"),
    );
  }
  return isWell ? EXIT.ok : EXIT.failed;
}

/** Ours: addresses that are spelt out. */
const PAST_SHOWN = 5;

function pastRow(ended: Ended): readonly string[] {
  const past = ended?.past ?? [];
  if (past.length === 0) return [];
  const more = past.length > PAST_SHOWN ? `, and ${past.length - PAST_SHOWN} more` : "";
  const shown = past.slice(0, PAST_SHOWN).join(", ");
  return [row("past it", `the program itself connected to ${shown}${more}: not recorded`)];
}

const endedRow = (ended: AgentEnded | null): readonly string[] =>
  ended === null ? [] : [row("program", endedText(ended))];

/** Throws BadInput where nothing can listen there. */
export async function atPort<T>(port: number, open: (port: number) => Promise<T>): Promise<T> {
  try {
    return await open(port);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw badInput(
      "--listen",
      code === "EADDRINUSE" ? `port ${port}, where another program listens` : message,
      "a free port",
      "Name another one, or leave --listen out.",
    );
  }
}

export const outFolder = (
  wanted: string | undefined,
  words: readonly string[],
  kind = "agent",
): string => {
  if (wanted === undefined) return claimNumbered("runs", `${kind}-${plainName(nameOf(words))}`);
  claimFolder(wanted);
  return wanted;
};

/** The program's own file rather than what interprets it. */
export const nameOf = (words: readonly string[]): string => {
  const file =
    words.find((word) => /\.\w+$/.test(word) && existsSync(word)) ?? words[0] ?? "listen";
  return basename(file).replace(/\.\w+$/, "");
};

export const upstreamsOf = (flags: Pick<RecordFlags, Api>): { readonly [A in Api]: string } =>
  Object.fromEntries(
    APIS.map((api) => {
      const upstream = upstreamOf(api, flags[api], process.env);
      if (httpAddress(upstream) !== null) return [api, upstream];
      throw flagError(`--${api}`, upstream, "an address, such as https://host/v1", "Give one.");
    }),
  ) as { readonly [A in Api]: string };

export const noCommand = (verb: "record" | "rerun"): BadInput =>
  badInput(
    verb,
    "no command",
    "the command of an agent, behind --",
    verb === "record"
      ? "For example: npx ghostlight record -- python agent.py"
      : "For example: npx ghostlight rerun runs/agent-1 -- python agent.py",
  );

export function portOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw flagError("--listen", given, "a port, 1 … 65535", "Give a free port.");
}

export function seedOf(given: string | undefined): number {
  if (given === undefined) return 0;
  const seed = /^\d{1,10}$/.test(given) ? Number(given) : Number.NaN;
  if (seed <= SEED_MAX) return seed;
  throw flagError("--seed", given, `a whole number 0 … ${SEED_MAX}`, "Give a number.");
}
