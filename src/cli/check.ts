/** `ghostlight check`: properties over random worlds, or over the worlds near a scenario. */

import { join } from "node:path";
import { countOf } from "../contract/countOf.ts";
import type { Property } from "../contract/property.ts";
import { isFolder } from "../edges/bundle/bundleFolders.ts";
import { claimFolder, claimNumbered } from "../edges/bundle/bundleWriter.ts";
import { command, optionWords } from "../edges/command.ts";
import { clock } from "../edges/duration.ts";
import { BadInput, badInput, oneOf, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import type { PartLists } from "../edges/parts/partLists.ts";
import { plainName } from "../edges/plainName.ts";
import { cacheFolder, KeptAnswers } from "../edges/play/keptAnswers.ts";
import { writeCheckBundle } from "../edges/pool/checkBundle.ts";
import { checkedLists, worldsFor } from "../edges/pool/checkWorlds.ts";
import { helpers } from "../edges/pool/pool.ts";
import { lazySandbox } from "../edges/python/sandboxPort.ts";
import { loadScenario } from "../edges/scenario/scenarioFile.ts";
import { scenarioText } from "../edges/scenario/scenarioFolder.ts";
import { lazyShell } from "../edges/shell/shellProcess.ts";
import { askable, propertiesOf } from "../run/check/catalogue.ts";
import {
  type CheckPlan,
  checkAll,
  countsOf,
  type Line,
  PLAYS_MAX,
  RUNS,
  type Sharing,
  type Status,
  smallest,
  type Worlds,
} from "../run/check/check.ts";
import type { LogCheckFlags } from "./checkLogs.ts";
import { type PartFlag, partLists } from "./chosenParts.ts";
import {
  echoSet,
  echoWithoutTables,
  interpreterOption,
  overridesOption,
  seedOption,
} from "./options.ts";
import { clearProgress, note, print, printJson, progress } from "./output.ts";
import { interruptible } from "./signals.ts";

export interface CheckFlags extends PartFlag, LogCheckFlags {
  readonly runs?: number;
  readonly seed?: string;
  readonly property?: readonly string[];
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly interpreter?: string;
  readonly cache?: string;
  readonly out?: string;
  readonly assert?: true;
  readonly list?: true;
}

export async function checkCommand(
  nameOrPath: string | undefined,
  flags: CheckFlags,
): Promise<number> {
  const folder = logsNamed(nameOrPath, flags);
  if (folder !== undefined) return (await import("./checkLogs.ts")).checkLogsCommand(folder, flags);
  const lists = await checkedLists(await partLists(flags));
  const { parts } = lists;
  if (flags.list) return listed(propertiesOption(askable(lists.promised), flags.property), flags);
  const chosen =
    flags.property === undefined
      ? propertiesOf(lists.promised)
      : propertiesOption(askable(lists.promised), flags.property);
  const set = overridesOption(parts, flags.set ?? [], flags.profile);
  const interpreter = interpreterOption(flags.interpreter);
  echoSet(parts, flags.set);
  echoWithoutTables(parts, interpreter, set);
  const loaded = nameOrPath === undefined ? undefined : loadScenario(lists, nameOrPath);
  const cache = cacheFolder(flags.cache);
  const answers = new KeptAnswers(cache);
  const sandbox = lazySandbox({ answers });
  const shell = lazyShell({ answers });
  const near = loaded === undefined ? null : { name: loaded.scenario.name, text: loaded.text };
  const worlds = worldsFor(lists, near, { set, chosen }, { sandbox, shell });
  const size = loaded === undefined ? "random" : "near";
  const plan: CheckPlan = {
    worlds: { ...worlds, interpreter },
    chosen,
    first: flags.seed === undefined ? (loaded?.scenario.seed ?? 1) : seedOption(flags.seed),
    runs: flags.runs ?? RUNS[size],
    playsMax: PLAYS_MAX[size],
  };
  if (flags.out !== undefined) claimFolder(flags.out);
  const stop = interruptible("stopping; what was found so far is being written down");
  const { signal } = stop;
  const { first, runs } = plan;
  const work = { near, set, first, runs, interpreter, cache, partFiles: flags.part };
  const ids = chosen.map(({ id }) => id);
  try {
    return await checked(
      lists,
      plan,
      helpers({ ...work, chosen: ids }, { signal }),
      { nameOrPath, scenario: loaded?.scenario.name ?? null },
      flags,
      signal,
    );
  } finally {
    stop.dispose();
    await Promise.all([sandbox.close(), shell.close()]);
  }
}

/**
 * The folder of logs that is meant; undefined for a scenario. Its bare name wins over a folder of that name. Throws BadInput for
 * options of logs without one.
 */
function logsNamed(named: string | undefined, flags: CheckFlags): string | undefined {
  const hasFolder = named !== undefined && isFolder(named);
  if (hasFolder && (/[/\\]/.test(named) || !isScenario(named))) return named;
  if (hasFolder) note(`${named} is a scenario; the folder of that name would be ./${named}`);
  for (const name of ["finding", "allow", "workers"] as const) {
    if (flags[name] === undefined) continue;
    throw badInput(
      `--${name}`,
      named === undefined ? "no folder" : `${quoted(named)}, which is no folder`,
      "a bundle, or a folder of bundles, with this option",
      `Name one: ghostlight check FOLDER --${name} …`,
    );
  }
  return undefined;
}

function isScenario(named: string): boolean {
  try {
    return scenarioText(named).text !== "";
  } catch (error) {
    if (error instanceof BadInput) return false;
    throw error;
  }
}

/** What is checked, as the user named it and by its own name. */
interface Asked {
  readonly nameOrPath: string | undefined;
  readonly scenario: string | null;
}

async function checked(
  lists: PartLists,
  plan: CheckPlan,
  sharing: Sharing,
  { nameOrPath, scenario }: Asked,
  flags: CheckFlags,
  signal: AbortSignal,
): Promise<number> {
  const startedMs = performance.now();
  const { worlds, first, runs } = plan;
  const onPlay = async (plays: number): Promise<boolean> => {
    progress(`check: ${plays} of ${runs} worlds`);
    await signalsIn();
    return signal.aborted;
  };
  const { tried, lines } = await checkAll(plan, onPlay, sharing);
  const written: ShownLine[] = [];
  for (const line of lines) {
    const command = commandFor(nameOrPath, line, flags);
    const again = ["held", "not found", "unseen"].includes(line.status)
      ? line
      : { ...line, command };
    written.push(
      isDeciding(line, flags) && line.property.kind !== "unit"
        ? { ...again, ...(await writtenDown(lists, plan, { ...line, command }, flags, signal)) }
        : again,
    );
  }
  clearProgress();
  const report: CheckReport = {
    scenario,
    ...{ first, runs, played: tried.length, python: worlds.python, lines: written },
    pythonCalls: tried.reduce((sum, one) => sum + one.pythonCalls, 0),
    shellCalls: tried.reduce((sum, one) => sum + one.shellCalls, 0),
    outcomes: countsOf(tried.map(({ outcome }) => outcome)),
    deliveries: tried.reduce((sum, { deliveries }) => sum + deliveries, 0),
    seconds: (performance.now() - startedMs) / 1_000,
  };
  if (flags.json) printJson(jsonOf(report));
  else print(reportText(report));
  return codeOf(written, flags, tried.length === runs);
}

/** Between two worlds signals come in. */
const signalsIn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A broken promise decides; one that a source breaks on purpose, and a finding on any log, only with --assert. */
const isDeciding = ({ status }: Line, { assert }: CheckFlags): boolean =>
  status === "broken" || ((status === "found" || status === "seen") && assert === true);

async function writtenDown(
  lists: PartLists,
  plan: CheckPlan,
  line: Line & { readonly command: string },
  flags: CheckFlags,
  signal: AbortSignal,
) {
  const { property, seed, command } = line;
  const found = await smallest(plan, line, async (plays) => {
    progress(`check: ${property.id}, ${plays} smaller worlds tried`);
    await signalsIn();
    return signal.aborted;
  });
  if (found === undefined) return {};
  const name = plainName(property.id);
  const folder =
    flags.out === undefined
      ? claimNumbered("runs", `check-${name}-s${seed}`)
      : join(flags.out, name);
  claimFolder(folder);
  await writeCheckBundle(lists, { folder, property, worlds: plan.worlds, found, command });
  return { violation: found.violation, bundle: folder };
}

function propertiesOption(
  properties: readonly Property[],
  ids: readonly string[] | undefined,
): readonly Property[] {
  if (ids === undefined) return properties;
  const names = properties.map(({ id }) => id);
  const todo = "`ghostlight check --list` says what each of them promises.";
  for (const id of ids) oneOf("--property", id, names, todo);
  return properties.filter(({ id }) => ids.includes(id));
}

function listed(chosen: readonly Property[], flags: CheckFlags): number {
  const facts = chosen.map(({ id, kind, says, source, expected }) => ({
    ...{ id, kind, says, source, expected },
  }));
  if (flags.json) printJson({ properties: facts });
  else {
    for (const { id, says, source, expected } of facts) {
      print(`${id}${LISTED[expected]}\n  ${says}\n  ${source}`);
    }
  }
  return EXIT.ok;
}

const LISTED: { readonly [expected in Property["expected"]]: string } = {
  holds: "",
  violated: " (a finding)",
  noted: " (a finding on any log; in worlds only by --property)",
};

/** The same world alone; for drawn inputs the same draws. */
function commandFor(nameOrPath: string | undefined, line: Line, flags: CheckFlags): string {
  const { property, seed } = line;
  const isUnit = property.kind === "unit";
  const runs = isUnit ? (flags.runs ?? RUNS.random) : 1;
  const { profile, set, interpreter, part } = flags;
  const words = optionWords({
    ...{ property: property.id, seed: seed ?? undefined, runs, profile, set, interpreter, part },
    assert: property.expected === "holds" ? undefined : true,
  });
  return command`check ${isUnit ? undefined : nameOrPath} ${words}`;
}

const jsonOf = ({ lines, ...rest }: CheckReport): object => ({
  ...rest,
  properties: lines.map(({ property: { id, kind, says, source, expected }, ...line }) => ({
    ...{ id, kind, says, source, expected },
    ...line,
  })),
});

function codeOf(lines: readonly ShownLine[], flags: CheckFlags, isWhole: boolean): number {
  const deciding = lines.filter((line) => isDeciding(line, flags));
  for (const { property, violation, command } of deciding) {
    note(`broken: ${property.id}: ${violation?.says}\nReproduce: ${command}`);
  }
  if (deciding.length > 0) return EXIT.failed;
  return isWhole ? EXIT.ok : EXIT.interrupted;
}

/* What a check says: one line for each property, and honestly what was never put to the test. */

/** With what the command line says of it. */
interface ShownLine extends Line {
  readonly command?: string;
  readonly bundle?: string;
}

interface CheckReport {
  readonly scenario: string | null;
  readonly first: number;
  readonly runs: number;
  readonly played: number;
  /** What ran the Python that agents and models wrote, and how many calls there were. */
  readonly python: Worlds["python"];
  readonly pythonCalls: number;
  /** Command lines that agents gave to a shell. */
  readonly shellCalls: number;
  /** How many worlds ended in each way. */
  readonly outcomes: { readonly [outcome: string]: number };
  readonly deliveries: number;
  readonly seconds: number;
  readonly lines: readonly ShownLine[];
}

function reportText({ lines, ...rest }: CheckReport): string {
  const sections = (
    ["broken", "held", "untested", "found", "not found", "seen", "unseen"] as const
  ).flatMap((status) => {
    const those = lines.filter((line) => line.status === status);
    return those.length === 0 ? [] : [[TITLES[status], ...those.map(lineText)].join("\n")];
  });
  return [headText(rest), ...sections].join("\n\n");
}

/** What was played, whose Python that was, and how the worlds ended. */
function headText(report: Omit<CheckReport, "lines">): string {
  const { scenario, first, runs, played, deliveries, seconds, outcomes } = report;
  const what = scenario === null ? "random worlds" : `worlds near ${scenario}`;
  const cut = played < runs ? ` of ${runs}; it was interrupted` : "";
  const ends = Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${count}`);
  return [
    `${played} ${what}${cut}, from seed ${first} on: ${deliveries} deliveries ` +
      `in ${seconds.toFixed(1)} s; ${pythonText(report)}${shellText(report)}.`,
    `How the worlds ended: ${ends.join(", ") || "none was played"}.`,
  ].join("\n");
}

function pythonText({ python, pythonCalls }: Omit<CheckReport, "lines">): string {
  if (pythonCalls === 0) return "no Python was called";
  const calls = pythonCalls === 1 ? "1 call of Python" : `${pythonCalls} calls of Python`;
  return python === "sandbox"
    ? `${calls} ran in the sandbox`
    : `${calls} went to a stand-in, which looks at the text and runs nothing`;
}

function shellText({ python, shellCalls }: Omit<CheckReport, "lines">): string {
  if (shellCalls === 0) return "";
  const lines = countOf(shellCalls, "command line");
  return python === "sandbox"
    ? `; ${lines} ran in the shell`
    : `; ${lines} went to a stand-in, which knows echo and cat`;
}

const TITLES: { readonly [status in Status]: string } = {
  broken: "Broken:",
  held: "Held:",
  untested: "Never put to the test in these worlds:",
  found: "Found, as the sources have it:",
  "not found": "Not found in these worlds, although the sources have it:",
  seen: "Found in these worlds:",
  unseen: "Looked for, and not found in these worlds:",
};

function lineText({ property, moments, ...line }: ShownLine): string {
  const { id, kind, says, source } = property;
  const { seed, violation, command: again, bundle } = line;
  const times = kind === "unit" ? "draws" : "moments";
  const head = `  ${id}  (${moments} ${times}) ${says}`;
  if (violation === null) return head;
  const place = violation.seq === null ? "" : `, at ${clock(violation.atMs)} #${violation.seq}`;
  return [
    `${head} (${source})`,
    `    ${violation.says} (seed ${seed}${place})`,
    ...(bundle === undefined ? [] : [`    bundle: ${bundle}`]),
    ...(bundle === undefined || violation.seq === null
      ? []
      : [`    ${command`why ${bundle} ${violation.seq}`}`]),
    ...(again === undefined ? [] : [`    ${again}`]),
  ].join("\n");
}
