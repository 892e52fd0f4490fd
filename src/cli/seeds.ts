/** `ghostlight run --seeds 1..100`: in how many worlds do the scenario's expectations hold? */
import { markdownTable } from "markdown-table";
import type { Scenario } from "../contract/scenario.ts";
import { EXIT } from "../edges/exit.ts";
import type { PlayJob } from "../edges/pool/playJob.ts";
import type { Played, PlayWork } from "../edges/pool/playWork.ts";
import { playAll } from "../edges/pool/pool.ts";
import { clearProgress, countProgress, note, print, printJson } from "./output.ts";
import { interruptible } from "./signals.ts";

/** Its variant is played beside the scenario as it is; the first one when null. */
export interface SeedsRequest extends Omit<PlayWork, "untilMs" | "level"> {
  readonly variant: string | null;
  readonly first: number;
  readonly last: number;
  readonly json: boolean;
}

/** The scenario as it is, and beside it the variant in which the same things must not be seen. */
export async function runSeeds(request: SeedsRequest): Promise<number> {
  const { scenario, set, first, last, sandbox, cache, interpreter, partFiles } = request;
  const control = request.variant ?? Object.keys(scenario.variants)[0];
  const worlds: (string | null)[] = control === undefined ? [null] : [null, control];
  const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const jobs: PlayJob[] = seeds.flatMap((seed) => worlds.map((variant) => ({ variant, seed })));
  const work = { scenario, set, untilMs: null, sandbox, cache, interpreter, partFiles };
  const stop = interruptible("stopping; what was played is told");
  const results = await playAll({ ...work, level: "bare" }, jobs, {
    signal: stop.signal,
    onDone: countProgress(scenario.name, jobs.length),
  });
  stop.dispose();
  clearProgress();
  const columns = worlds.map((world) => column(scenario, world, results));
  const isWhole = results.length === jobs.length;
  if (request.json) {
    const partial = !isWhole && { interrupted: true };
    printJson({ scenario: scenario.name, seeds: [first, last], ...partial, worlds: columns });
  } else print(`${table(scenario, columns)}${setText(set)}`);
  const bugs = results.filter(({ outcome }) => outcome === "bug");
  if (!isWhole) note(`interrupted: ${results.length} of ${jobs.length} runs were played.`);
  if (bugs.length === 0) return isWhole ? EXIT.ok : EXIT.interrupted;
  const seedsOf = [...new Set(bugs.map(({ seed }) => seed))].slice(0, 20).join(", ");
  note(
    `${bugs.length} of ${jobs.length} runs ended by a bug, of ghostlight or of a part of --part, in seeds ${seedsOf}. \`run --seed\` of one of them shows it.`,
  );
  return EXIT.bug;
}

/** What is set differently from the scenario, in all of the columns. */
function setText(set: SeedsRequest["set"]): string {
  const leaves = Object.entries(set).map(([path, value]) => `${path}=${value}`);
  return leaves.length === 0 ? "" : `\nSet in every run: ${leaves.join(", ")}.`;
}

interface Column {
  readonly world: string;
  /** Runs in which an agent left its recording: they count for nothing. */
  readonly unknown: number;
  /** The others: as many as there are seeds, unless it was interrupted. */
  readonly played: number;
  /** In how many seeds each expectation of the scenario held, in its order. */
  readonly held: readonly number[];
  readonly heldTogether: number;
  readonly notTogether: readonly number[];
}

function column(scenario: Scenario, world: string | null, results: readonly Played[]): Column {
  const all = results.filter(({ variant }) => variant === world);
  const played = all.filter(({ isUnknown }) => !isUnknown);
  const isWhole = ({ holds }: Played): boolean => holds.every(Boolean);
  return {
    world: world ?? "as it is",
    unknown: all.length - played.length,
    played: played.length,
    held: scenario.expect.map((_, index) => played.filter(({ holds }) => holds[index]).length),
    heldTogether: played.filter(isWhole).length,
    notTogether: played.filter((one) => !isWhole(one)).map(({ seed }) => seed),
  };
}

function table(scenario: Scenario, columns: readonly Column[]): string {
  const rows = scenario.expect.map(({ name }, index) => [
    name,
    ...columns.map(({ held, played }) => `${held[index] ?? 0} of ${played}`),
  ]);
  const together = columns.map(({ heldTogether, played }) => `${heldTogether} of ${played}`);
  const last = ["**all of them together**", ...together];
  const head = ["Expectation", ...columns.map(({ world }) => world)];
  const [own] = columns;
  const missing = own?.notTogether ?? [];
  const tail = missing.length === 0 ? "" : `\nNot all in seeds ${missing.slice(0, 20).join(", ")}.`;
  const isAny = columns.some(({ unknown }) => unknown > 0);
  const unknown = columns.map((one) => `${one.unknown} of ${one.unknown + one.played}`);
  const first = isAny ? [["**unknown: an agent left its recording**", ...unknown]] : [];
  return `${markdownTable([head, ...first, ...rows, last], { align: ["l", "r", "r"] })}${tail}`;
}
