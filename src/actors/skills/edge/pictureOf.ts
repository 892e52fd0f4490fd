/** The picture of skills, lessons and macros, gathered from their story. */
import type { Pictured } from "../../../edges/edgePart.ts";
import { merged } from "../../../edges/moments.ts";
import type { Step, Steps } from "../../../edges/pictureSteps.ts";
import type { Life } from "../lives.ts";
import type { LifeRow, SkillsPicture } from "./picture.ts";
import { untilText, utilityText } from "./report.ts";

export function skillsPictureOf({ scenario, observed }: Pictured): SkillsPicture {
  const { result, story, variant } = observed;
  const endMs = result.virtualMs;
  const { lives } = story.skills;
  const told = new Set(["skill", "lesson", "macro"]);
  return {
    title: variant === null ? scenario.name : `${scenario.name}: ${variant}`,
    startsAt: scenario.startsAt,
    endMs,
    rows: lives.map((life) => rowOf(life, endMs)),
    // The rows tell what became of each.
    marks: merged(story.moments.filter(({ kind }) => !told.has(kind))),
    steps: [keptSteps(lives), ...utilitySteps(lives)].filter(({ lines }) => lines.length > 0),
  };
}

function rowOf(life: Life, endMs: number): LifeRow {
  const { kind, name, about, phases, uses, end } = life;
  const ok = uses.filter((one) => one.ok).length;
  const used =
    uses.length === 0
      ? "never used"
      : kind === "lesson"
        ? `shown ${uses.length - ok}, credited ${ok}`
        : `${ok} of ${uses.length} went well`;
  const until = untilText(life);
  return {
    kind,
    label: `${name}: ${about}`,
    outcome: until === "" ? used : `${used}  ·  ${until}`,
    spans: phases.map(({ phase, atMs }, index) => ({
      ...{ phase, fromMs: atMs, toMs: phases[index + 1]?.atMs ?? life.endMs ?? endMs },
    })),
    uses,
    endMs: end === null ? null : life.endMs,
  };
}

const KINDS: readonly (readonly [Life["kind"], string])[] = [
  ["skill", "skills"],
  ["lesson", "lessons"],
  ["macro", "macros"],
];

/** How many there are of each kind. */
function keptSteps(lives: readonly Life[]): Steps {
  return {
    name: "how many",
    lines: KINDS.flatMap(([kind, label]) => {
      const those = lives.filter((one) => one.kind === kind);
      if (those.length === 0) return [];
      const steps = countSteps(those);
      return [{ label: `${steps.at(-1)?.value ?? 0} ${label} at the end`, steps }];
    }),
    bound: null,
    format: String,
  };
}

function countSteps(lives: readonly Life[]): Step[] {
  const changes = lives
    .flatMap(({ phases, endMs }) => [
      { atMs: phases[0]?.atMs ?? 0, by: 1 },
      ...(endMs === null ? [] : [{ atMs: endMs, by: -1 }]),
    ])
    .toSorted((a, b) => a.atMs - b.atMs);
  let value = 0;
  return changes.map(({ atMs, by }) => {
    value += by;
    return { atMs, value };
  });
}

/** Lines that can still be told apart. */
const LINES_MAX = 12;

/** The utility of lessons, of as many as can be told apart. */
function utilitySteps(lives: readonly Life[]): Steps[] {
  const weighed = lives.filter(({ utility }) => utility.length > 0);
  if (weighed.length === 0) return [];
  const drawn = weighed.slice(0, LINES_MAX);
  const more = weighed.length - drawn.length;
  return [
    {
      name: "utility",
      lines: drawn.map(({ name, utility }, index) => ({
        label: index > 0 ? "" : more > 0 ? `the first ${LINES_MAX} lessons` : `${name} and others`,
        steps: utility,
      })),
      bound: null,
      format: utilityOf,
    },
  ];
}

const utilityOf = (value: number): string => utilityText(value);
