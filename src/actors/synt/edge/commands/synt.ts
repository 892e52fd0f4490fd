/** `ghostlight synt`: what synt's arithmetic says to terms, names and chains given by hand. */
import { markdownTable } from "markdown-table";
import { parts } from "../../../../builtIn/parts.ts";
import { answerBatch, type Fields } from "../../../../cli/batch.ts";
import type { JsonFlag } from "../../../../cli/bundles.ts";
import { readingLists } from "../../../../cli/chosenParts.ts";
import { echoSet, overridesOption, variantOption } from "../../../../cli/options.ts";
import { print, printJson } from "../../../../cli/output.ts";
import { type PolicyValue, policyWith } from "../../../../contract/policyTree.ts";
import { variantOf } from "../../../../contract/scenario.ts";
import { type BadInput, badInput, eitherOrBatch, quoted } from "../../../../edges/errors.ts";
import { EXIT } from "../../../../edges/exit.ts";
import type { SyntPolicy } from "../../../../machines/synt/syntPolicy.ts";
import type { Minima, SyntAnalysis } from "../../analysed.ts";
import { analyseSynt } from "../../analysis.ts";
import { MEASURED } from "../../fixedTerms.ts";
import { decimal } from "../gateText.ts";
import {
  type Chained,
  type ChainSearch,
  chained,
  type Named,
  nameAnswer,
  type Scored,
  scored,
} from "./answers.ts";
import { poolFile, poolFrom, type ReadPool } from "./pool.ts";
import { judgeOf, TERM_FIELDS } from "./terms.ts";

type Overrides = { readonly [path: string]: PolicyValue };

interface PolicyFlags extends JsonFlag {
  readonly set?: readonly string[];
  readonly profile?: string;
  readonly batch?: true;
}

/** The options win over `base`, the rules of a scenario. */
function syntPolicy({ set = [], profile }: PolicyFlags, base: Overrides = {}): SyntPolicy {
  const { synt } = policyWith(parts, { ...base, ...overridesOption(parts, set, profile) });
  echoSet(parts, set);
  return synt;
}

export interface ScoreFlags extends PolicyFlags {
  readonly strategy?: string;
  readonly det?: string;
  readonly judge?: string;
  readonly cost?: string;
  readonly actualCost?: string;
  readonly estimate?: string;
  readonly similarity?: string;
  readonly coverage?: string;
}

// The answers of `ghostlight synt` as people read them.

const orNever = (value: number | null): string => (value === null ? "never" : decimal(value));
const orNone = (items: readonly string[]): string => items.join(", ") || "none";

/** `called`: the scenario whose tiers and rules these are, and its variant; null when none was named. */
function analysisText(analysis: SyntAnalysis, called: string | null): string {
  const { gate, judge, isFree, findings } = analysis;
  const whose = called === null ? "the tiers of a world that names none" : `tiers of ${called}`;
  return [
    `${whose}: ${isFree ? "no call costs anything" : "calls cost money"}`,
    `gate ${gate}; judge taken as ${judge} where it says so`,
    "",
    rangeTable(analysis),
    "",
    "Least value of a term that passes, with all else at its best (similarity: most)",
    minimaTable(analysis, ({ minima }) => minima),
    "",
    `The same with the judge at ${judge}`,
    minimaTable(analysis, ({ minimaAtJudge }) => minimaAtJudge),
    "",
    `A generation that works scores ${decimal(analysis.generated)}; chains, by hops and success of each hop`,
    chainTable(analysis),
    "",
    "Findings",
    ...findings.map(({ says }) => `- ${says}`),
  ].join("\n");
}

const rangeTable = ({ strategies }: SyntAnalysis): string =>
  markdownTable([
    [
      "Strategy",
      "Bonus",
      "R by weights",
      "R by rule",
      "Vetoes",
      "Vetoes in pairs",
      "Never decides",
    ],
    ...strategies.map(
      ({ strategy, bonus, range, rangeByRule, vetoes, vetoPairs, neverDecides }) => [
        strategy,
        decimal(bonus),
        `${decimal(range.least)} … ${decimal(range.most)}`,
        `${decimal(rangeByRule.least)} … ${decimal(rangeByRule.most)}`,
        orNone(vetoes),
        orNone(vetoPairs.map((pair) => pair.join("+"))),
        orNone(neverDecides),
      ],
    ),
  ]);

const minimaTable = (
  { strategies }: SyntAnalysis,
  minimaOf: (one: SyntAnalysis["strategies"][number]) => Minima,
): string =>
  markdownTable([
    ["Strategy", ...MEASURED],
    ...strategies.map((one) => [
      one.strategy,
      ...MEASURED.map((term) => {
        const fixed = one.fixed.find((other) => other.term === term);
        return fixed === undefined ? orNever(minimaOf(one)[term]) : `always ${fixed.at}`;
      }),
    ]),
  ]);

const chainTable = ({ chains }: SyntAnalysis): string =>
  markdownTable([
    ["Each hop", ...(chains[0]?.totals ?? []).map((_, index) => `${index + 1}`), "Wins up to"],
    ...chains.map(({ perHop, totals, longestWinning }) => [
      decimal(perHop),
      ...totals.map(decimal),
      longestWinning === null ? "any length" : `${longestWinning} hops`,
    ]),
  ]);

/** Terms in the order of the formula, with what each adds. */
function scoreText(said: Scored): string {
  const { strategy, total, passes, gate, reward, parts, sum, cosine, reachable } = said;
  const names = Object.entries(reward).filter(([name]) => name !== "total");
  const adds = Object.values(parts);
  const rows = names.map(([name, value], index) => [
    said.assumed.includes(name) ? `${name} (assumed)` : name,
    decimal(value),
    decimal(adds[index] ?? 0),
  ]);
  return [
    markdownTable([["Term", "Value", "Adds to R"], ...rows]),
    "",
    `R        ${total}${sum === total ? "" : ` (the sum is ${sum})`}`,
    `gate     ${gate}: ${passes ? "passes" : "does not pass"}`,
    `cosine   ${decimal(cosine)} with the nearest of the pool`,
    `range    ${strategy} reaches ${decimal(reachable.least)} … ${decimal(reachable.most)}`,
    ...said.outside.map((term) => `outside  ${term} is not in 0 … 1 and is counted as given`),
  ].join("\n");
}

function nameText({ name, ok, exception, rule, reason, means, near, pool }: Named): string {
  const why = exception === null ? "" : `, whole, as an exception of the ${exception}`;
  const inPool = pool !== null && "name" in pool ? ` ${pool.name}` : "";
  return [
    ok ? `${name} is admitted${why}` : `${name} is refused [${rule}]: ${reason}`,
    ...(near === null ? [] : [`${means === null ? "near " : "means"}    ${near}`]),
    ...(pool === null ? [] : [`pool     ${pool.outcome}${inPool}`]),
  ].join("\n");
}

function chainText(said: Chained): string {
  const { from, to, chains, count, hopsMax, isCut, asOne, beyond } = said;
  const cut = isCut ? ["The walk was cut: synt.compose.pathsMax ended it."] : [];
  if (chains.length === 0) {
    const longer =
      beyond === null
        ? []
        : [`beyond   ${beyond.names.join(" → ")} has ${beyond.hops} hops (synt.compose.hopsMax)`];
    return [`no chain from ${from} to ${to} within ${hopsMax} hops`, ...longer, ...cut].join("\n");
  }
  const rows = chains.map(({ names, hops, fit, meanWeight, rate }) => [
    names.join(" → "),
    String(hops),
    decimal(fit),
    decimal(meanWeight),
    decimal(rate),
  ]);
  const name = asOne?.name;
  const collides = asOne?.collides ? ", a name that the pool has already" : "";
  return [
    markdownTable([["Chain", "Hops", "I/O fit", "Mean weight", "det_pass_rate"], ...rows]),
    "",
    `chains   ${count}${count > chains.length ? `, the best ${chains.length} shown` : ""}`,
    ...(name === null || name === undefined ? [] : [`as one   ${name}${collides}`]),
    ...cut,
  ].join("\n");
}

export async function syntScoreCommand(flags: ScoreFlags): Promise<number> {
  const policy = syntPolicy(flags);
  eitherOrBatch("synt", flags.strategy !== undefined, flags.batch, "--strategy");
  if (flags.batch) return answerBatch((fields) => scored(fields, policy), { looksAt: TERM_FIELDS });
  const { strategy, det, judge, cost, actualCost, estimate, similarity, coverage } = flags;
  const given = { strategy, det, judge, cost, estimate, similarity, coverage };
  const said = scored({ ...given, actual_cost: actualCost }, policy);
  if (flags.json) printJson(said);
  else print(scoreText(said));
  return said.passes ? EXIT.ok : EXIT.failed;
}

export interface NameFlags extends PolicyFlags {
  readonly pool?: string;
}

export async function syntNameCommand(name: string | undefined, flags: NameFlags): Promise<number> {
  const policy = syntPolicy(flags);
  eitherOrBatch("synt", name !== undefined, flags.batch, "a name");
  const pool = flags.pool === undefined ? undefined : poolFile(flags.pool).names;
  if (name === undefined) {
    const answer = (fields: Fields) => namedIn(fields, pool, policy);
    return answerBatch(answer, { looksAt: ["id", "name", "pool", "live"] });
  }
  const said = nameAnswer(name, pool, policy);
  if (flags.json) printJson(said);
  else print(nameText(said));
  return said.ok ? EXIT.ok : EXIT.failed;
}

/** A line may bring the names of its own pool. */
function namedIn(fields: Fields, pool: readonly string[] | undefined, policy: SyntPolicy) {
  const name = textIn(fields, "name");
  const own = fields["pool"] ?? fields["live"];
  return nameAnswer(name, own === undefined ? pool : poolFrom(own).names, policy);
}

function textIn(fields: Fields, path: string): string {
  const given = fields[path];
  if (typeof given === "string") return given;
  throw badInput(path, quoted(given), "a text", "");
}

export interface ChainFlags extends PolicyFlags {
  readonly pool?: string;
  readonly limit?: number;
}

export async function syntChainCommand(
  from: string | undefined,
  to: string | undefined,
  flags: ChainFlags,
): Promise<number> {
  const policy = syntPolicy(flags);
  eitherOrBatch("synt", from !== undefined && to !== undefined, flags.batch, "FROM and TO");
  const limit = flags.limit ?? CHAINS_SHOWN;
  const pool = flags.pool === undefined ? undefined : poolFile(flags.pool);
  if (flags.batch) {
    const answer = (fields: Fields) => chainedIn(fields, { pool, limit, policy });
    return answerBatch(answer, { looksAt: ["id", "from", "to", "pool"] });
  }
  if (pool === undefined) throw noPool();
  const said = chained(from ?? "", to ?? "", { pool, limit, policy });
  if (flags.json) printJson(said);
  else print(chainText(said));
  return said.chains.length > 0 ? EXIT.ok : EXIT.failed;
}

const CHAINS_SHOWN = 5;

const noPool = (): BadInput =>
  badInput("--pool", "none", "a JSON file", "Give the pool whose executors make up the chain.");

/** A line may bring its own pool. */
function chainedIn(
  fields: Fields,
  { pool, ...rest }: Omit<ChainSearch, "pool"> & { readonly pool: ReadPool | undefined },
) {
  const own = fields["pool"] === undefined ? pool : poolFrom(fields["pool"]);
  if (own === undefined) throw noPool();
  return chained(textIn(fields, "from"), textIn(fields, "to"), { ...rest, pool: own });
}

export interface AnalyseFlags extends PolicyFlags {
  readonly judge?: string;
  readonly variant?: string;
}

/** Prices and rules are those of the scenario, where one is named: with paid tiers cost can decide. */
export async function syntAnalyseCommand(
  name: string | undefined,
  flags: AnalyseFlags,
): Promise<number> {
  const judge = judgeOf(flags.judge ?? "0.5");
  const world = name === undefined ? undefined : await worldOf(name, flags.variant);
  if (world === undefined && flags.variant !== undefined) throw noScenario(flags.variant);
  const { policy = {}, tiers = {}, called = null } = world ?? {};
  const analysis = analyseSynt(syntPolicy(flags, policy), { judge, tiers });
  if (flags.json) printJson({ scenario: called, ...analysis });
  else print(analysisText(analysis, called));
  return EXIT.ok;
}

async function worldOf(name: string, variant: string | undefined) {
  const { loadScenario } = await import("../../../../edges/scenario/scenarioFile.ts");
  const { scenario } = loadScenario(await readingLists({}), name);
  if (scenario.synt === undefined) throw withoutSynt(name);
  const chosen = variant === undefined ? null : variantOption(scenario, variant);
  const called = chosen === null ? scenario.name : `${scenario.name}, variant ${chosen}`;
  return { called, policy: variantOf(scenario, chosen).policy, tiers: scenario.synt.tiers };
}

const withoutSynt = (name: string): BadInput =>
  badInput(
    name,
    "a scenario without `synt:`",
    "a scenario whose world has synt: its tiers and rules are analysed",
    "`npx ghostlight scenarios` lists all; without a scenario the rules at hand are analysed.",
  );

const noScenario = (variant: string): BadInput =>
  badInput(
    "--variant",
    `${quoted(variant)} and no scenario`,
    "a variant of the scenario that is named",
    "For example: npx ghostlight synt analyse synt-budget --variant soft-cap",
  );
