/** Servers of tools in a run of a trial: recordings answer for them, or those of their tools run that may. */
import { type BadInput, badInput, quoted } from "../../../../edges/errors.ts";
import type { Json } from "../../../../machines/letter.ts";
import { mapIn, mapsIn, textOf } from "../readers/fields.ts";
import type { McpLine } from "../wire/exchangeLog.ts";
import { differenceOf, RecordedAnswers } from "../wire/matching.ts";
import {
  type AskedTool,
  askedOf,
  askedTools,
  oneMore,
  type Spared,
  toldFrom,
} from "../wire/recordedTools.ts";
import type { ToolAnswers } from "../wire/recorder.ts";
import type { Trial } from "./trialFile.ts";

interface Of {
  readonly trial: Trial;
  /** Tools that may really run, or `all`. */
  readonly allowed: readonly string[];
}

/** Whether a tool may run, as the file and the person say. */
export const mayRun = ({ trial, allowed }: Of, tool: string): boolean =>
  allowed.includes("all") || allowed.includes(tool) || trial.reads.includes(tool);

export class TrialTools implements ToolAnswers {
  readonly #of: Of;
  readonly #recordings: readonly AskedTool[];
  readonly #answers: RecordedAnswers<AskedTool>;
  readonly #ended = new AbortController();
  /** By server and name, tools that say that they only read. */
  readonly #reading = new Set<string>();
  readonly isAlone: boolean;
  spared: Spared = {};
  /** Why nobody knows what would have come of the run. */
  left: string | null = null;
  refused: BadInput | null = null;

  constructor(of: Of) {
    this.#of = of;
    const { recordings } = of.trial;
    this.isAlone = recordings.length > 0;
    this.#recordings = recordings.flatMap(([, messages]) => askedTools(messages));
    this.#answers = new RecordedAnswers(this.#recordings, false, []);
  }

  /** Aborted where the program is to go no further. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  readonly told = (line: McpLine): readonly Json[] =>
    this.isAlone ? toldFrom(line, this.#recorded) : this.#held(line);

  readonly #recorded = (asked: AskedTool): AskedTool | undefined => {
    const { api, path, request, tool } = asked;
    const found = this.left === null ? this.#answers.take(api, path, request) : undefined;
    if (found !== undefined) this.spared = oneMore(this.spared, found);
    else if (this.left === null) {
      this.left = `The recordings were left: ${tool ?? path} was asked ${this.#whyNone(asked)}.`;
      this.#ended.abort();
    }
    return found;
  };

  /** Whether all that was recorded of it is used up, or none has it. */
  #whyNone({ api, path, request }: AskedTool): string {
    const all = new RecordedAnswers(this.#recordings, false, []);
    let times = 0;
    while (all.take(api, path, request) !== undefined) times += 1;
    if (times > 0) return `again; recorded ${times === 1 ? "once" : `${times} times`}`;
    const near = this.#answers.nearest(api, path, request)?.request;
    return `what none has${near === undefined ? "" : `, at ${differenceOf(near, request, []).path}`}`;
  }

  /** A tool that may do something is not called without a word for it. */
  #held(line: McpLine): readonly Json[] {
    const { server = "", message } = line;
    for (const { name, annotations } of mapsIn(mapIn(mapIn(message)["result"])["tools"]))
      if (mapIn(annotations)["readOnlyHint"] === true)
        this.#reading.add(`${server} ${textOf(name)}`);
    const { tool = null } = askedOf(line) ?? {};
    if (tool === null || mayRun(this.#of, tool) || this.#reading.has(`${server} ${tool}`))
      return [];
    this.refused ??= badInput(
      { file: this.#of.trial.file, path: "recordings" },
      `a call of ${quoted(tool)} on ${server}, which may do something each time`,
      "tools that only read, those with your word, or recordings that answer for them",
      `Name the folder of a recording under \`recordings\`, the tool under \`reads\`, or give --allow-effects ${textOf(tool) ?? "all"}.`,
    );
    this.#ended.abort();
    return toldFrom(line, () => undefined, "nobody allowed that tool to run");
  }
}
