/** `ghostlight check`: properties over random worlds, or over the worlds near a scenario. */
import { join } from "node:path";
import type { Property, RunProperty, WorldProperty } from "../actors/property.ts";
import { seedAfter, shrunk, type Tried, tryUnit, tryWorld, type Worlds } from "../check.ts";
import { claimFolder, claimNumbered } from "../edges/bundleWriter.ts";
import { writeCheckBundle } from "../edges/checkBundle.ts";
import { randomWorlds, worldsNear } from "../edges/checkWorlds.ts";
import { BadInput, hintFor, quoted } from "../edges/errors.ts";
import { EXIT } from "../edges/exit.ts";
import { lazySandbox } from "../edges/python/sandboxPort.ts";
import { loadScenario } from "../edges/scenarioFile.ts";
import { lazyShell } from "../edges/shell/shellProcess.ts";
import { properties } from "../properties/catalogue.ts";
import { type CheckReport, type Line, lineOf, reportText } from "./checkReport.ts";
import { echoSet, overridesOption, seedOption } from "./options.ts";
import { clearProgress, note, print, printJson, progress } from "./output.ts";
import { interruptible } from "./signals.ts";

export interface CheckFlags {
  readonly runs?: number;
  readonly seed?: string;
  readonly property?: readonly string[];
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly out?: string;
  readonly assert?: true;
  readonly list?: true;
  readonly json?: true;
}

/** Ours: a world takes some ten milliseconds, one near a scenario as long as the scenario. */
const RUNS = { random: 100, near: 10 };
/** Ours: drawing inputs costs next to nothing. */
const drawsOf = (runs: number): number => Math.min(2_000, Math.max(200, runs * 10));
const PLAYS_MAX = { random: 300, near: 60 };

export async function checkCommand(
  nameOrPath: string | undefined,
  flags: CheckFlags,
): Promise<number> {
  const chosen = propertiesOption(flags.property);
  if (flags.list) return listed(chosen, flags);
  const set = overridesOption(flags.set ?? [], flags.profile);
  echoSet(flags.set);
  const loaded = nameOrPath === undefined ? undefined : loadScenario(nameOrPath);
  const sandbox = lazySandbox("auto");
  const shell = lazyShell();
  const worlds =
    loaded === undefined
      ? randomWorlds(set, chosen)
      : worldsNear(loaded.scenario.name, loaded.text, set, sandbox, shell);
  const size = loaded === undefined ? "random" : "near";
  const plan: Plan = {
    worlds,
    chosen,
    first: flags.seed === undefined ? (loaded?.scenario.seed ?? 1) : seedOption(flags.seed),
    runs: flags.runs ?? RUNS[size],
    playsMax: PLAYS_MAX[size],
  };
  if (flags.out !== undefined) claimFolder(flags.out);
  const stop = interruptible("stopping; what was found so far is being written down");
  try {
    return await checked(plan, nameOrPath, loaded?.scenario.name ?? null, flags, stop.signal);
  } finally {
    stop.dispose();
    await Promise.all([sandbox.close(), shell.close()]);
  }
}

interface Plan {
  readonly worlds: Worlds;
  readonly chosen: readonly Property[];
  readonly first: number;
  readonly runs: number;
  readonly playsMax: number;
}

async function checked(
  { worlds, chosen, first, runs, playsMax }: Plan,
  nameOrPath: string | undefined,
  scenario: string | null,
  flags: CheckFlags,
  signal: AbortSignal,
): Promise<number> {
  const startedMs = performance.now();
  const tried = await tryAll(worlds, chosen, first, runs, signal);
  const lines = chosen.map((property) =>
    lineOf(
      property,
      tried,
      property.kind === "unit" ? tryUnit(property, first, drawsOf(runs)) : undefined,
    ),
  );
  const written: Line[] = [];
  for (const line of lines) {
    const command = commandFor(nameOrPath, line, flags);
    const again =
      line.status === "held" || line.status === "not found" ? line : { ...line, command };
    written.push(
      isDeciding(line, flags) && line.property.kind !== "unit"
        ? { ...again, ...(await writtenDown(worlds, line, command, playsMax, flags, signal)) }
        : again,
    );
  }
  clearProgress();
  const report: CheckReport = {
    scenario,
    ...{ first, runs, played: tried.length, python: worlds.python, lines: written },
    pythonCalls: tried.reduce((sum, one) => sum + one.pythonCalls, 0),
    shellCalls: tried.reduce((sum, one) => sum + one.shellCalls, 0),
    outcomes: counted(tried.map(({ outcome }) => outcome)),
    deliveries: tried.reduce((sum, { deliveries }) => sum + deliveries, 0),
    seconds: (performance.now() - startedMs) / 1_000,
  };
  if (flags.json) printJson(jsonOf(report));
  else print(reportText(report));
  return codeOf(written, flags, tried.length === runs);
}

/** How often each name occurs. */
function counted(names: readonly string[]): { readonly [name: string]: number } {
  const counts: { [name: string]: number } = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Plays world after world; between two of them signals come in. */
async function tryAll(
  worlds: Worlds,
  chosen: readonly Property[],
  first: number,
  runs: number,
  signal: AbortSignal,
): Promise<Tried[]> {
  const tried: Tried[] = [];
  const played = chosen.filter(({ kind }) => kind !== "unit");
  while (tried.length < runs && !signal.aborted) {
    tried.push(
      played.length === 0
        ? unplayed(seedAfter(first, tried.length))
        : await tryWorld(worlds, seedAfter(first, tried.length), played),
    );
    progress(`check: ${tried.length} of ${runs} worlds`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return tried;
}

/** For a check of drawn inputs alone, which plays no world. */
const unplayed = (seed: number): Tried => ({
  ...{ seed, deliveries: 0, outcome: "not played", fared: {} },
  ...{ pythonCalls: 0, shellCalls: 0 },
});

/** A broken promise decides; one that a source breaks on purpose only with --assert. */
const isDeciding = ({ status }: Line, { assert }: CheckFlags): boolean =>
  status === "broken" || (status === "found" && assert === true);

async function writtenDown(
  worlds: Worlds,
  { property, seed }: Line,
  command: string,
  playsMax: number,
  flags: CheckFlags,
  signal: AbortSignal,
) {
  const found = await shrunk(worlds, property as WorldProperty | RunProperty, seed ?? 0, {
    playsMax,
    onPlay: async (plays) => {
      progress(`check: ${property.id}, ${plays} smaller worlds tried`);
      await new Promise((resolve) => setImmediate(resolve));
      return signal.aborted;
    },
  });
  const name = `check-${property.id}-s${seed}`;
  const folder =
    flags.out === undefined ? claimNumbered("runs", name) : join(flags.out, property.id);
  claimFolder(folder);
  await writeCheckBundle({ folder, property, worlds, found, command });
  return { violation: found.violation, bundle: folder };
}

function propertiesOption(ids: readonly string[] | undefined): readonly Property[] {
  if (ids === undefined) return properties;
  const names = properties.map(({ id }) => id);
  for (const id of ids) {
    if (names.includes(id)) continue;
    throw new BadInput({
      where: { path: "--property" },
      found: quoted(id),
      allowed: names.join(" | "),
      ...hintFor(id, names),
      todo: "`ghostlight check --list` says what each of them promises.",
    });
  }
  return properties.filter(({ id }) => ids.includes(id));
}

function listed(chosen: readonly Property[], flags: CheckFlags): number {
  const facts = chosen.map(({ id, kind, says, source, expected }) => ({
    ...{ id, kind, says, source, expected },
  }));
  if (flags.json) printJson({ properties: facts });
  else {
    for (const { id, says, source, expected } of facts) {
      print(`${id}${expected === "violated" ? " (a finding)" : ""}\n  ${says}\n  ${source}`);
    }
  }
  return EXIT.ok;
}

/** The same world alone; for drawn inputs the same draws. */
function commandFor(nameOrPath: string | undefined, line: Line, flags: CheckFlags): string {
  const { property, seed } = line;
  const isUnit = property.kind === "unit";
  const runs = isUnit ? (flags.runs ?? RUNS.random) : 1;
  return [
    `npx ghostlight check${nameOrPath === undefined || isUnit ? "" : ` ${nameOrPath}`}`,
    `--property ${property.id} --seed ${seed} --runs ${runs}`,
    ...(flags.profile === undefined ? [] : [`--profile ${flags.profile}`]),
    ...(flags.set ?? []).map((one) => `--set ${one}`),
    ...(property.expected === "violated" ? ["--assert"] : []),
  ].join(" ");
}

const jsonOf = ({ lines, ...rest }: CheckReport): object => ({
  ...rest,
  properties: lines.map(({ property: { id, kind, says, source, expected }, ...line }) => ({
    ...{ id, kind, says, source, expected },
    ...line,
  })),
});

function codeOf(lines: readonly Line[], flags: CheckFlags, isWhole: boolean): number {
  const deciding = lines.filter((line) => isDeciding(line, flags));
  for (const { property, violation, command } of deciding) {
    note(`broken: ${property.id}: ${violation?.says}\nReproduce: ${command}`);
  }
  if (deciding.length > 0) return EXIT.failed;
  return isWhole ? EXIT.ok : EXIT.interrupted;
}
