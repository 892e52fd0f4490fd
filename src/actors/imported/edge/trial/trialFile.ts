/** Trials from files, decoded and checked; a trial is a study whose runs are a person's own program. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import * as Schema from "effect/Schema";
import { fileFault } from "../../../../edges/boundedBytes.ts";
import { parseDuration } from "../../../../edges/duration.ts";
import { BadInput, badInput } from "../../../../edges/errors.ts";
import { patternOf } from "../../../../edges/patternOf.ts";
import { type Finding, refusal, refusalOf } from "../../../../edges/scenario/finding.ts";
import { reference, wrong } from "../../../../edges/scenario/findingParts.ts";
import { nameOf } from "../../../../edges/scenario/scenarioFolder.ts";
import { findingsOf } from "../../../../edges/scenario/schemaFindings.ts";
import { type Path, parseYaml } from "../../../../edges/scenario/yamlText.ts";
import { sha256 } from "../../../../edges/studies/runKey.ts";
import { findings as logFindings } from "../../../../findings/findings.ts";
import type { Setting, Study } from "../../../../studies/study.ts";
import {
  exchangesIn,
  type McpLine,
  type ReadExchanges,
  readExchanges,
} from "../wire/exchangeLog.ts";
import { type Fault, faultOf, WIRE_FAULTS } from "../wire/wireFaults.ts";
import { type OutcomeSource, type TrialSource, trialSource } from "./trialSchema.ts";

/** The factors of a trial. */
export const AGENT = "agent";
export const FAULT = "fault";
/** Of the factor: nothing goes wrong. */
export const NONE = "none";
/** Where only one command is given. */
const ONLY = "agent";
const DEFAULTS = { seeds: 1, seed: 1, timeoutMs: 600_000 } as const;

export interface Trial {
  readonly study: Study;
  readonly file: string;
  /** What of the file, and of the agent's own files, a run rests on. */
  readonly stamp: string;
  /** By name, the words of the command. */
  readonly agents: { readonly [agent: string]: readonly string[] };
  readonly tasks: readonly { readonly name: string; readonly text: string }[];
  readonly outcomes: { readonly [name: string]: OutcomeSource };
  /** By the name of the setting; null where nothing goes wrong. */
  readonly faults: { readonly [fault: string]: Fault | null };
  /** Tools that change nothing. */
  readonly reads: readonly string[];
  /** Recordings that answer for servers of tools, by folder; none where they really run. */
  readonly recordings: readonly (readonly [folder: string, messages: readonly McpLine[]])[];
  /** The folders of those that break off in their last line. */
  readonly cut: readonly string[];
  readonly isPaired: boolean;
  readonly timeoutMs: number;
  readonly budget: NonNullable<TrialSource["budget"]>;
}

const decode = Schema.decodeUnknownResult(trialSource, {
  errors: "all",
  onExcessProperty: "error",
});

/** Throws BadInput. */
export function loadTrial(file: string): Trial {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw badInput({ file }, fileFault(error), "a trial's file", "docs/trials.md shows one.");
  }
  return parseTrial(text, file);
}

/** Throws BadInput. */
export function parseTrial(text: string, file: string): Trial {
  const parsed = parseYaml(text, file);
  if ("problems" in parsed) throw refusal(parsed.problems, file);
  const decoded = decode(parsed.value);
  if (decoded._tag === "Failure") {
    throw refusalOf(findingsOf(decoded.failure.issue, parsed.value), parsed, file);
  }
  const findings: Finding[] = [];
  const trial = trialOf(decoded.success, text, file, findings);
  if (findings.length > 0) throw refusalOf(findings, parsed, file);
  return trial;
}

function trialOf(source: TrialSource, text: string, file: string, findings: Finding[]): Trial {
  const { outcomes, stop = null, seeds = DEFAULTS.seeds } = source;
  const agents = source.agents ?? (source.command ? { [ONLY]: source.command } : {});
  const tasks = Object.entries(source.tasks).map(([name, said]) => ({ name, text: said }));
  const faults = faultsIn(source, findings);
  const say = (path: Path, found: string, allowed: string): void =>
    void findings.push({ path, found, allowed });
  if ((source.agents === undefined) === (source.command === undefined)) {
    const found = source.command === undefined ? "neither command nor agents" : "both";
    say(["command"], found, "one of them");
  }
  if (source.agents !== undefined && Object.keys(agents).length === 0)
    say(["agents"], "none", "one or more");
  const timeoutMs =
    source.timeout === undefined ? DEFAULTS.timeoutMs : (parseDuration(source.timeout) ?? 0);
  if (timeoutMs === 0) say(["timeout"], "no time at all", "a duration such as 90s or 10m");
  if (tasks.length === 0) say(["tasks"], "none", "one or more");
  if (Object.keys(outcomes).length === 0) say(["outcomes"], "none", "one or more");
  for (const [name, one] of Object.entries(outcomes)) findings.push(...outcomeFindings(name, one));
  if (stop !== null)
    findings.push(
      ...reference(["stop", "outcome"], stop.outcome, Object.keys(outcomes), "outcome"),
    );
  const { budget = {} } = source;
  if (budget.money !== undefined && budget.price === undefined) {
    say(["budget", "price"], "nothing, but money is bounded", "what a million tokens cost");
  }
  const [names, kinds] = [Object.keys(agents), Object.keys(faults)];
  const points: Setting[] = names.flatMap((agent) =>
    kinds.map((fault) => ({ [AGENT]: agent, [FAULT]: fault })),
  );
  const list = (name: string, values: readonly string[]) =>
    ({ kind: "list", name, values, isOrdered: false }) as const;
  const study: Study = {
    name: nameOf(file),
    why: source.why,
    scenario: { name: nameOf(file), text, isTrial: true },
    seed: source.seed ?? DEFAULTS.seed,
    ...{ untilMs: null, limits: {}, variant: null, set: {}, where: [], goal: null },
    factors: [list(AGENT, names), list(FAULT, kinds)],
    design: { kind: "points", points },
    // A round goes through all tasks.
    replicates: {
      ...{ count: seeds * tasks.length, seeds: "common", batch: tasks.length },
      tasks: tasks.map(({ name }) => name),
    },
    stop,
    outcomes: Object.entries(outcomes).map(([name, one]) => ({
      kind: "read",
      name,
      how: one.means ?? name,
    })),
    baseline: points[0] ?? {},
    isCompared: true,
    ...{ enqueue: [], watched: [], leaves: {} },
    units: { leaves: {}, outcomes: {} },
  };
  const { why: _, budget: _budget, seeds: _seeds, stop: _stop, ...rest } = source;
  const read = (source.recordings ?? []).map(
    (folder) => [folder, recordedTools(resolve(dirname(file), folder))] as const,
  );
  const recordings = read.map(([folder, { messages }]) => [folder, messages] as const);
  return {
    ...{ study, file, agents, tasks, outcomes, faults, budget, reads: source.reads ?? [] },
    isPaired: (source.model ?? "live") !== "live",
    ...{ timeoutMs, recordings },
    cut: read.flatMap(([folder, { isCut }]) => (isCut ? folder : [])),
    stamp: sha256(
      JSON.stringify([
        ...[rest, agentFiles(file, agents)],
        ...recordings.map(([, messages]) => messages),
      ]),
    ),
  };
}

/** What passed servers of tools in the recording of this folder. Throws BadInput. */
function recordedTools(folder: string): ReadExchanges {
  const read = readExchanges(exchangesIn(folder));
  if (read.messages.length > 0) return read;
  throw badInput(
    { file: exchangesIn(folder), path: "recordings" },
    "no message of a server of tools",
    "a recording of an agent whose servers of tools are started by `ghostlight mcp`",
    "Record the agent so (docs/record-your-agent.md), or leave `recordings` out.",
  );
}

/** An agent that was changed is another one: the files that its command names, by their hash. */
const agentFiles = (
  file: string,
  agents: Trial["agents"],
): readonly (readonly [string, string])[] =>
  [...new Set(Object.values(agents).flat())].flatMap((word) => {
    const path = resolve(dirname(file), word);
    if (!existsSync(path) || !statSync(path).isFile()) return [];
    return [[word, sha256(readFileSync(path))] as const];
  });

function faultsIn({ faults, rates = [1] }: TrialSource, findings: Finding[]): Trial["faults"] {
  const all: [string, Fault | null][] = [[NONE, null]];
  for (const [index, written] of faults.entries()) {
    if (written === NONE) continue;
    const [, kind = "", where = ""] = /^([^@]*)(.*)$/s.exec(written) ?? [];
    const texts = kind.includes(":")
      ? [written]
      : rates.map((rate) => `${kind}${rate === 1 ? "" : `:${rate}`}${where}`);
    for (const one of texts) {
      try {
        all.push([one, faultOf(one)]);
      } catch (error) {
        if (!(error instanceof BadInput)) throw error;
        const { found, allowed } = error;
        const [word = ""] = kind.split(":");
        const names = WIRE_FAULTS.flatMap(({ name, at }) => (at === "server" ? [] : name));
        findings.push({ path: ["faults", index], found, allowed, meant: { word, names } });
      }
    }
  }
  return Object.fromEntries(all);
}

const KINDS = ["exit", "says", "prints", "file", "finding", "verdict"] as const;

function outcomeFindings(name: string, one: OutcomeSource): readonly Finding[] {
  const at = ["outcomes", name];
  const given = KINDS.filter((kind) => one[kind] !== undefined);
  const found = given.length === 0 ? "none of them" : given.join(" and ");
  const ids = logFindings.map(({ id }) => id);
  return [
    ...(given.length === 1 ? [] : [{ path: at, found, allowed: `one of ${KINDS.join(", ")}` }]),
    ...(one.holds !== undefined && one.file === undefined
      ? [{ path: [...at, "holds"], found: "a text without a file", allowed: "holds beside file" }]
      : []),
    ...(["says", "prints", "holds"] as const).flatMap((kind) => {
      const pattern = one[kind];
      if (pattern === undefined || trialPattern(pattern) !== undefined) return [];
      return [wrong([...at, kind], pattern, "a regular expression")];
    }),
    ...(one.finding === undefined
      ? []
      : reference([...at, "finding"], one.finding, ids, "finding")),
  ];
}

/** In any case of letters. */
export const trialPattern = (text: string): RegExp | undefined => patternOf(text, "iu");
