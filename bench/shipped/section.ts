/** The section of docs/blame-truth.md on shipped scenarios. */
import { markdownTable } from "markdown-table";
import type { Kept } from "../keptSteps.ts";
import { shareText } from "../planted/truthTables.ts";
import { type ShippedAnswer, shippedAnswer } from "./blamed.ts";
import { SHIPPED } from "./causes.ts";
import { MISSED } from "./missed.ts";

/** Ours: continuations of each arm; a cause that decides is told from one that does nothing by two. */
const RUNS = 2;

export const HEADING = "## Shipped scenarios";

const whereOf = ({ scenario, variant }: Pick<ShippedAnswer, "scenario" | "variant">): string =>
  variant === null ? scenario : `${scenario}, ${variant}`;

const quoted = (text: string): string => text.replaceAll("|", "\\|");

function placeOf({ named, isFirst }: ShippedAnswer): string {
  if (named === null) return "not ranked";
  const { above, beside, hits, n } = named;
  const place = isFirst ? "first" : above === 0 ? "no effect" : `${above} before it`;
  return `${place}${isFirst && beside > 0 ? ` of ${beside + 1}` : ""}, still there in ${hits} of ${n}`;
}

/** Throws where a miss is not explained, or what is explained is none. */
function missesOf(answers: readonly ShippedAnswer[]): readonly string[] {
  const missed = new Map(Object.entries(MISSED));
  const lines = answers
    .filter(({ isFirst }) => !isFirst)
    .map((one) => {
      const at = `${whereOf(one)}: ${one.outcome}`;
      const why = missed.get(at);
      if (why === undefined) throw new Error(`a miss that nobody has explained: ${at}`);
      missed.delete(at);
      return `- *${at}*. ${why}`;
    });
  const [left] = missed.keys();
  if (left !== undefined) throw new Error(`explained, and no miss: ${left}`);
  return lines;
}

export async function shippedSection(kept: Kept): Promise<string> {
  const answers: ShippedAnswer[] = [];
  for (const one of SHIPPED) {
    answers.push(await kept(`${whereOf(one)}: ${one.outcome}`, () => shippedAnswer(one, RUNS)));
  }
  const first = answers.filter(({ isFirst }) => isFirst);
  const alone = first.filter(({ named }) => named?.beside === 0);
  const runs = answers.reduce((sum, one) => sum + one.runs, 0);
  const texts = new Set(answers.map(whereOf)).size;
  const rows = answers.map((one) => [
    whereOf(one),
    one.outcome,
    `“${quoted(one.quote)}”`,
    one.names.join(", "),
    placeOf(one),
  ]);
  const head = ["Scenario, variant", "Outcome", "Its words", "What they name", "Ranked"];
  const misses = missesOf(answers);
  return `${HEADING}

Of shipped scenarios and variants whose text names what an outcome of their run comes of, \`blame\` ranks it first in ${shareText(first.length, answers.length)}: ${first.length} of ${answers.length}
outcomes of ${texts} texts, ${runs.toLocaleString("en")} runs. Which suspects the words name was chosen by the words alone (\`bench/shipped/causes.ts\`): a leaf of the policy, or what is left out or
put back. *First* is that nothing leaves less of the outcome. Where several are needed each leaves nothing of it, and "first of 4" are four such; alone it is
first in ${alone.length}. ${RUNS} continuations of each arm: enough for what decides, and for no interval. Values of the policy are tried
where the words name one. Not asked are texts that name no cause, an outside input that a variant takes out (it cannot be put back), and worlds that take long:
most of those with dreams, or of many days.

${markdownTable([head, ...rows], { align: head.map(() => "l") })}

${misses.length === 0 ? "Nothing was missed." : `Missed:\n\n${misses.join("\n")}`}
`;
}
