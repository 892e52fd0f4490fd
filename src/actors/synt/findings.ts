/** The sentences of an analysis: each holds by calculation under the policy at hand, or is not said. */
import type { Finding, SyntAnalysis } from "./analysed.ts";

type Facts = Omit<SyntAnalysis, "findings">;

export function findingsOf(facts: Facts): readonly Finding[] {
  return [
    ...rangeFindings(facts),
    ...orderFindings(facts),
    ...gateFindings(facts),
    ...chainFindings(facts),
  ];
}

const numberText = (value: number): string => String(Number(value.toFixed(4)));

function rangeFindings({ strategies, gate }: Facts): readonly Finding[] {
  const most = Math.max(...strategies.map(({ range }) => range.most));
  const least = Math.min(...strategies.map(({ range }) => range.least));
  const hopeless = strategies.filter(({ range }) => range.most < gate);
  return [
    ...(most < 1 || least < 0
      ? [
          {
            id: "range",
            says:
              `R is said to be in 0 … 1; the weights reach ${numberText(least)} … ${numberText(most)}. ` +
              "The weights stay, and R is held in 0 … 1 (Y2).",
          },
        ]
      : []),
    ...hopeless.map(({ strategy, range }) => ({
      id: "hopeless",
      says: `${strategy} never passes: at best ${numberText(range.most)}, below the threshold of ${gate}.`,
    })),
    ...strategies
      .filter(({ rangeByRule }) => rangeByRule.least >= gate)
      .map(({ strategy }) => ({
        id: "certain",
        says: `${strategy} always reaches the threshold.`,
      })),
  ];
}

function orderFindings({ ties, order, strategies }: Facts): readonly Finding[] {
  const [compose] = strategies;
  const worth = compose?.bonusIsWorth;
  return [
    ...ties.map(([a, b]) => ({
      id: "tie",
      says: `At equal quality ${a} and ${b} score the same; ${a} is taken first by a fixed order (Y1).`,
    })),
    ...(order.weak
      ? []
      : [{ id: "order", says: "The bonuses do not fall in the order of the strategies." }]),
    ...(worth?.judge === null || worth?.judge === undefined || worth.judge <= 0
      ? []
      : [
          {
            id: "bonus",
            says:
              `compose's bonus over generate's makes up for ${numberText(worth.judge)} of judge_score` +
              `${worth.det === null ? "" : ` or ${numberText(worth.det)} of det_pass_rate`}.`,
          },
        ]),
  ];
}

/** What calls cost, the judge's as well; what executors cost is another matter. */
function costFindings({ isFree, unestimated }: Facts): readonly Finding[] {
  return [
    ...(isFree
      ? []
      : unestimated.map((strategy) => ({
          id: "dear",
          says:
            `Nothing is estimated for ${strategy}: its cost_ratio is 0 as soon as any call of its request ` +
            "costs anything, the judge's included (Y4).",
        }))),
    {
      id: "executor-cost",
      says:
        "What runs of an executor cost counts where a specialisation must save a fifth of it, and in no R: " +
        "cost_ratio weighs what the making costs.",
    },
  ];
}

function gateFindings(facts: Facts): readonly Finding[] {
  const { strategies, judge, tests } = facts;
  return [
    ...strategies
      .filter(({ minima }) => (minima.judge ?? 0) > 0)
      .map(({ strategy, minima }) => ({
        id: "judge",
        says: `${strategy} needs a judge_score of ${numberText(minima.judge ?? 0)} with all else at its best.`,
      })),
    ...strategies
      .filter(({ fixed }) => fixed.every(({ term }) => term !== "similarity"))
      .filter(({ minimaAtJudge }) => (minimaAtJudge.similarity ?? 1) < 1)
      .map(({ strategy }) => ({
        id: "similarity",
        says: `With the judge at ${judge}, likeness to the pool alone turns ${strategy} down.`,
      })),
    ...strategies
      .filter(({ minimaAtJudge }) => (minimaAtJudge.coverage ?? 0) > 0)
      .map(({ strategy, minimaAtJudge }) => ({
        id: "coverage",
        says:
          `With the judge at ${judge}, ${strategy} must close ` +
          `${numberText(minimaAtJudge.coverage ?? 0)} of its family's uncovered proto-mnests.`,
      })),
    ...strategies.flatMap(({ strategy, fixed }) =>
      fixed.map(({ term, at, why }) => ({
        id: "fixed",
        says: `${term} of ${strategy} is always ${at} and never decides: ${why}.`,
      })),
    ),
    ...costFindings(facts),
    ...testFinding(tests, judge),
  ];
}

function testFinding(tests: Facts["tests"], judge: number): readonly Finding[] {
  const strict = tests.filter(({ mayFail }) => mayFail === 0).map(({ run }) => run);
  if (strict.length === 0) return [];
  return [
    {
      id: "tests",
      says:
        `With the judge at ${judge}, one failed birth test of ${strict.join(", ")} is below the threshold, ` +
        "even if it were no veto of its own.",
    },
  ];
}

function chainFindings({ chains, wrongChain, generated }: Facts): readonly Finding[] {
  const { hops, winsFrom, isStopped } = wrongChain;
  const always = chains.filter(({ longestWinning }) => longestWinning === null);
  return [
    ...(winsFrom === null
      ? []
      : [
          {
            id: "wrong-chain",
            says:
              `A chain of ${hops} hops beats a correct generation (${numberText(generated)}) once each hop succeeds ` +
              `${numberText(winsFrom)} of the time, by its bonus alone; ` +
              (isStopped
                ? "only the bound on hops stops it, not R."
                : "nothing stops it: lower the bonus, or the bound on hops."),
          },
        ]),
    ...always.map(({ perHop }) => ({
      id: "endless-chain",
      says: `A chain whose hops succeed ${perHop === 1 ? "always" : numberText(perHop)} beats a generation at any length.`,
    })),
  ];
}
