/** `ghostlight blame BUNDLE --judge MODEL`: what a model says of a log. Questions and answers are recorded as those of a run are. */
import { existsSync, readFileSync, truncateSync } from "node:fs";
import { resolve } from "node:path";
import { countOf } from "../../contract/countOf.ts";
import { policyWith } from "../../contract/policyTree.ts";
import { readBundle } from "../../edges/bundle/bundleReader.ts";
import { deliveriesOf } from "../../edges/bundle/derive.ts";
import { isImported, notRead, partsFor, readerNotes } from "../../edges/bundle/importedBundle.ts";
import { Divergence, LiveUnavailable, oneOf } from "../../edges/errors.ts";
import { escapedLine, quotedBlock } from "../../edges/escapedText.ts";
import { EXIT } from "../../edges/exit.ts";
import { serverOption } from "../../edges/live/hostOption.ts";
import { replyOf } from "../../edges/live/livePorts.ts";
import { preflight } from "../../edges/live/liveServer.ts";
import type { LiveSetup } from "../../edges/live/liveSetup.ts";
import { type ModelNames, modelNames } from "../../edges/live/modelName.ts";
import { tried } from "../../edges/live/retrying.ts";
import { redactor } from "../../edges/redaction.ts";
import { refuseFolder, writeWhole } from "../../edges/wholeFile.ts";
import { factsIn } from "../../findings/findIn.ts";
import { standsText } from "../../findings/suspects.ts";
import type { AnswerSchema } from "../../machines/answerSchema.ts";
import type { LivePolicy } from "../../machines/livePolicy.ts";
import { entriesIn, type Judged, type JudgeWay, judged, WAYS } from "../../run/causes/judge.ts";
import { Interrupted } from "../../run/causes/trial.ts";
import { why } from "../../run/why.ts";
import { canonicalJson } from "../../substrate/canonicalJson.ts";
import type { Reply } from "../../substrate/port.ts";
import { requestHash } from "../../substrate/portDesk.ts";
import { RecordingWriter, readRecording } from "../../substrate/recording.ts";
import { toSee } from "../bundles.ts";
import { readingLists } from "../chosenParts.ts";
import { flagError } from "../flags.ts";
import { overridesOption } from "../options.ts";
import { clearProgress, note, print, printJson, progress } from "../output.ts";
import { interruptible } from "../signals.ts";
import type { SearchFlags } from "./searching.ts";

export interface JudgeFlags extends Pick<SearchFlags, "part" | "set" | "json"> {
  readonly judge?: string;
  readonly how?: string;
  readonly host?: string;
  readonly out?: string;
}

/** Ours: characters that a token takes at least in most logs; English has four, code and JSON fewer. */
const TOKEN_CHARS = 3;
/** Ours: with less there is no log in a question. */
const CHARS_LEAST = 300;
const IS = "a judgement, not an intervention";

/** `log` is what the bundle was made of, where it was made for this question alone. */
export async function judgeCommand(
  folder: string,
  outcome: string | undefined,
  flags: JudgeFlags,
  log?: string,
): Promise<number> {
  const { judge: model = "", set = [], host, json } = flags;
  const how = oneOf("--how", flags.how ?? WAYS[0], WAYS, "docs/blame.md explains them.");
  const names = modelNames({ model, option: "--judge", tier: [], embed: undefined });
  const lists = await readingLists(flags);
  const overrides = overridesOption(lists.parts, set, undefined);
  const { live: policy } = policyWith(lists.parts, { "live.temperature": 0, ...overrides });
  const bundle = readBundle(lists, folder);
  const parts = partsFor(lists.parts, bundle);
  readerNotes(bundle).forEach(note);
  const deliveries = deliveriesOf(parts, bundle);
  const file = flags.out ?? `${resolve(log ?? folder)}.${how}.jsonl`;
  const port = judgePort({ model, names, host, how, policy, file });
  // Of a run what its report tells first; what is wrong with a log knows only who has it.
  const first = isImported(bundle)
    ? undefined
    : why(parts, deliveries, bundle.inputs)?.chain[0]?.says;
  const about = outcome ?? first;
  const charsMax = (policy.contextTokens - policy.answerTokens) * TOKEN_CHARS;
  if (charsMax < CHARS_LEAST) {
    throw flagError(
      "--set",
      `live.contextTokens=${policy.contextTokens}`,
      `more than ${policy.answerTokens + CHARS_LEAST / TOKEN_CHARS}, beside an answer of ${policy.answerTokens}`,
      "Leave room for the log.",
    );
  }
  const head = {
    bundle: log ?? folder,
    is: IS,
    by: model,
    how,
    about: about ?? null,
    charsMax,
    file,
  };
  let known: string | null = null;
  const onKnown = (says: string): void => {
    known = says;
  };
  try {
    const entries = entriesIn(factsIn(parts, deliveries));
    const told = await judged(entries, { how, about, charsMax, ask: port.ask, onKnown });
    const all = { ...head, known, ...told, ...port.counts };
    if (json) printJson(all);
    else {
      const see = (seq: number): string => toSee(folder, seq, log);
      print([...notRead(bundle), ...judgedLines(all, see)].join("\n"));
    }
    return told.mistake === null && told.unusable.length > 0 ? EXIT.failed : EXIT.ok;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (json) printJson({ ...head, interrupted: true, known, ...port.counts });
    else if (known !== null) print(`Of ${model}, as ${IS}: ${known}.`);
    note(`interrupted; the same command goes on from what is recorded in ${file}.`);
    return EXIT.interrupted;
  } finally {
    port.close();
  }
}

interface All extends Judged, Counts {
  readonly by: string;
  readonly how: JudgeWay;
  readonly known: string | null;
  readonly charsMax: number;
  readonly file: string;
}

function judgedLines(
  { mistake, known, cut, ...all }: All,
  see: (seq: number) => string,
): readonly string[] {
  const { recorded, promptTokens, answerTokens, file } = all;
  const byThen = known !== null && all.unusable.length > 0 ? ` By then ${known}.` : "";
  const found = mistake && [
    escapedLine(`${standsText(mistake)}, ${mistake.agent}. Its reason:`),
    mistake.reason === "" ? "    (it gave none)" : quotedBlock(mistake.reason, "    "),
    see(mistake.seq),
  ];
  const left = cut.leftOut > 0 ? `, and up to ${cut.leftOut} left out` : "";
  const narrow = `${cut.questions} of them held less than all, within ${all.charsMax} characters: entries were cut${left} (--set live.contextTokens=N takes more).`;
  return [
    `A judgement by ${all.by} (${all.how}), not an intervention: nothing was left out, and nothing was played again.`,
    ...(found ?? [`It named no step of an agent.${byThen}`]),
    "",
    ...all.unusable.map((one) => escapedLine(`What it said could not be used, ${one}.`)),
    `${countOf(all.questions, "question")}, ${recorded} answered by the recording ${file}; ${promptTokens} tokens in, ${answerTokens} out.`,
    ...(cut.questions > 0 ? [narrow] : []),
  ];
}

const PORT = "port/llm.chat";
const AT = { where: { path: "--judge" } };
/** How a line of a recording begins. */
const BEGIN = '{"hash":"';
const OTHER = { line: 1, reason: "it is not an input" };
/** Draws are of the temperature alone, which is 0 unless somebody sets it. */
const SEED = 1;

/** Answers of the model and of the recording, and their tokens. */
type Counts = Record<"live" | "recorded" | "promptTokens" | "answerTokens", number>;

interface PortOptions {
  readonly model: string;
  readonly how: JudgeWay;
  readonly policy: LivePolicy;
  /** Where questions and answers are recorded, and taken from. */
  readonly file: string;
  readonly names: ModelNames;
  readonly host: string | undefined;
}

/** Who answers: the recording, else a live model. Throws Divergence for a recording that was changed. */
function judgePort({ model, names, host, how, policy, file }: PortOptions) {
  const [writer, clean, replies] = [new RecordingWriter(), redactor(), new Map<string, Reply>()];
  const counts: Counts = { live: 0, recorded: 0, promptTokens: 0, answerTokens: 0 };
  refuseFolder("--out", file);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const { inputs, torn, fault } = readRecording(text);
  // Another file that is one line is nothing to be cut off.
  const other = text.startsWith(BEGIN.slice(0, text.length)) ? undefined : OTHER;
  const { line, reason: found } = fault ?? other ?? {};
  if (line !== undefined && found !== undefined) {
    const todo = "Take the original, or have it judged anew: --out and another file.";
    const allowed = "a recording of a judge, with the bytes that were written";
    throw new Divergence({ where: { file, line }, found, allowed, todo });
  }
  for (const one of inputs) {
    writer.line(one);
    if (one.kind === "reply") replies.set(one.request, one);
  }
  if (torn) {
    note(`${file} ended within a line, which was dropped.`);
    truncateSync(file, Buffer.byteLength(text.slice(0, text.lastIndexOf("\n") + 1)));
  }
  let setup: LiveSetup | undefined;
  let stop: ReturnType<typeof interruptible> | undefined;
  const live = async (prompt: string, format: AnswerSchema, request: string): Promise<Reply> => {
    const server = serverOption(names.kind, host, process.env);
    const look = { server, names, policy, warm: true, onStep: progress, onNote: note };
    setup ??= await preflight(look);
    stop ??= interruptible("stopping; what is known so far is told");
    const [{ models, chat }, { signal }] = [setup, stop];
    // Before anybody has paid for an answer.
    writeWhole("--out", file, [], "a");
    progress(`asking ${model}: question ${counts.live + counts.recorded + 1}`);
    const question = { model: models.middle, prompt, format, policy, seed: SEED, signal };
    const work = () => chat({ ...question, maxTokens: policy.answerTokens });
    const reply = replyOf(await tried(work, { policy, redactor: clean, signal }), clean);
    clearProgress();
    if (signal.aborted) throw new Interrupted("interrupted");
    if (reply.event.type === "llm.failed") {
      const error = `a question that no try answered: ${reply.event.error}`;
      const todo = "See what its server logs; the same command goes on from what is recorded.";
      throw new LiveUnavailable({ ...AT, found: error, allowed: "a model that answers", todo });
    }
    const [seq, nth] = [writer.lines, replies.size + 1];
    const event = { type: "host.message", text: prompt } as const;
    const id = `question ${nth} to ${model} ${models.middle.digest}`.trim();
    const asked = { kind: "outside", seq, deliveredAt: seq, id, to: PORT, event } as const;
    const call = { port: PORT, from: "judge", purpose: how, nth, request };
    const input: Reply = { kind: "reply", seq: seq + 1, deliveredAt: seq + 1, ...call, ...reply };
    const lines = [asked, input].map((one) => writer.line(one));
    writeWhole("--out", file, lines, "a");
    replies.set(request, input);
    return input;
  };
  return {
    counts,
    close: () => stop?.dispose(),
    /** Throws LiveUnavailable where no try was answered, and Interrupted. */
    ask: async (question: string, format: AnswerSchema): Promise<string> => {
      const prompt = clean.text(question);
      const { contextTokens, answerTokens, temperature, think } = policy;
      const by = { model, contextTokens, answerTokens, temperature, think, seed: SEED };
      const request = requestHash(PORT, how, canonicalJson({ ...by, prompt, format }));
      const kept = replies.get(request);
      const { event, usage } = kept ?? (await live(prompt, format, request));
      counts[kept === undefined ? "live" : "recorded"] += 1;
      counts.promptTokens += usage?.promptTokens ?? 0;
      counts.answerTokens += usage?.answerTokens ?? 0;
      return event.type === "llm.replied" ? String(event.text) : "";
    },
  };
}
