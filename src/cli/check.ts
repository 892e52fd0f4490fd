/** `ghostlight check`: properties over random worlds, or over the worlds near a scenario. */
import { join } from "node:path";
import { seedAfter, shrunk, type Tried, tryUnit, tryWorld, type Worlds } from "../check.ts";
import { claimFolder, claimNumbered } from "../edges/bundleWriter.ts";
import { writeCheckBundle } from "../edges/checkBundle.ts";
import { randomWorlds, worldsNear } from "../edges/checkWorlds.ts";
import { BadInput, hintFor, quoted } from "../edges/errors.ts";
import { loadScenario } from "../edges/scenarioFile.ts";
import { metricChecks } from "../metricTable.ts";
import { properties } from "../properties/catalogue.ts";
import type { Property, RunProperty, WorldProperty } from "../properties/property.ts";
import { type CheckReport, type Line, lineOf, reportText } from "./checkReport.ts";
import { echoSet, overridesOption, seedOption } from "./options.ts";
import { clearProgress, EXIT, note, print, printJson, progress } from "./output.ts";
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
  const loaded = nameOrPath === undefined ? undefined : loadScenario(nameOrPath, metricChecks);
  const worlds =
    loaded === undefined ? randomWorlds(set) : worldsNear(loaded.scenario.name, loaded.text, set);
  const first = flags.seed === undefined ? (loaded?.scenario.seed ?? 1) : seedOption(flags.seed);
  const size = loaded === undefined ? "random" : "near";
  const runs = flags.runs ?? RUNS[size];
  const stop = interruptible("stopping; what was found so far is being written down");
  if (flags.out !== undefined) claimFolder(flags.out);
  const startedMs = performance.now();
  const tried = await tryAll(worlds, chosen, first, runs, stop.signal);
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
        ? {
            ...again,
            ...(await writtenDown(worlds, line, command, PLAYS_MAX[size], flags, stop.signal)),
          }
        : again,
    );
  }
  clearProgress();
  stop.dispose();
  const isWhole = tried.length === runs;
  const report: CheckReport = {
    scenario: loaded?.scenario.name ?? null,
    ...{ first, runs, played: tried.length, lines: written },
    deliveries: tried.reduce((sum, { deliveries }) => sum + deliveries, 0),
    seconds: (performance.now() - startedMs) / 1_000,
  };
  if (flags.json) printJson(jsonOf(report));
  else print(reportText(report));
  return codeOf(written, flags, isWhole);
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
        ? { seed: seedAfter(first, tried.length), deliveries: 0, outcome: "ended", fared: {} }
        : tryWorld(worlds, seedAfter(first, tried.length), played),
    );
    progress(`check: ${tried.length} of ${runs} worlds`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return tried;
}

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
  await writeCheckBundle({ folder, property, found, command });
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
