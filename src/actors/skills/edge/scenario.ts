/** What a scenario says of skills, lessons and macros, and what the outside does to them. */
import type { Offered, ScenarioPart } from "../../../contract/edge/scenarioPart.ts";
import type { Policy } from "../../../contract/policy.ts";
import type { Scenario } from "../../../contract/scenario.ts";
import { idsOf, namesFindings, wrong } from "../../../edges/scenario/findingParts.ts";
import { optional, outsideEvent } from "../../../edges/scenario/scenarioFields.ts";
import { eachSaid, type Given, mapSaid, present } from "../../../edges/scenario/sourceFields.ts";
import type { Json } from "../../../machines/letter.ts";
import { skillNameFault } from "../../../machines/skills/creation.ts";
import { minedDescription } from "../../../machines/skills/macroMining.ts";
import type { SkillsSection } from "../stage.ts";
import { dreamQuestions } from "./dreamQuestions.ts";
import { foreseen } from "./foreseen.ts";
import { macroFindings, macroFrom, macroSaid } from "./macroSchema.ts";
import { fileFindings, takenFindings } from "./nameFindings.ts";
import {
  dreamChoices,
  dreamsOf,
  lessonSaid,
  lessonsOf,
  playbookFindings,
} from "./playbookSchema.ts";
import { type SkillsSource, skills } from "./schema.ts";

const wipe = outsideEvent("sandbox.wipe", "A person empties the sandbox of the skills.", {});

declare module "../../../contract/edge/scenarioPart.ts" {
  interface SectionSources {
    readonly skills?: SkillsSource;
  }
  interface EventSources {
    "sandbox.wipe": typeof wipe.Type;
  }
}

const sectionOf = ({ acquired = [], macros = [], ...rest }: SkillsSource): SkillsSection => ({
  macros: macros.map(macroFrom),
  playbook: lessonsOf(rest),
  dreams: dreamsOf(rest),
  acquired: acquired.map(({ parameters = {}, legacy = false, ...skill }) => ({
    ...skill,
    parametersSchema: parameters as Json, // YAML's values are JSON's.
    isLegacy: legacy,
  })),
});

/** The other way round: what the YAML would say. */
const sectionSaid = ({ acquired, macros, playbook, dreams, ...rest }: Given): object =>
  present({
    ...{ ...rest, dreams, macros: eachSaid(macros, macroSaid) },
    playbook: eachSaid(playbook, lessonSaid),
    acquired: eachSaid(acquired, ({ parametersSchema, isLegacy, ...skill }) => ({
      ...{ ...skill, parameters: parametersSchema, legacy: isLegacy },
    })),
  });

/** What is there from the start, and what a macro is called that nobody wrote. */
function offers({ skills: own }: Scenario, { skills: { macros } }: Policy): readonly Offered[] {
  if (own === undefined) return [];
  const isMined = own.dreams !== null || macros.mined === "goal";
  const mined = { name: "mined", description: minedDescription("", macros.support) };
  return [...own.acquired, ...own.macros, ...(isMined ? [mined] : [])];
}

export const skillsScenario: ScenarioPart = {
  name: "skills",
  fields: {
    behind: {
      skills: optional(skills, "Skills that agents acquire, lessons of self-play, macros."),
    },
  },
  events: { behind: [wipe] },
  findings: (source, frame) => {
    const { skills: own } = source;
    return [
      ...namesFindings(
        idsOf(own?.acquired ?? [], "name"),
        (index) => ["skills", "acquired", index, "name"],
        (name) => skillNameFault(name) !== null,
      ),
      ...macroFindings(own?.macros ?? []),
      ...playbookFindings(own ?? {}),
      ...takenFindings(source, frame),
      ...fileFindings(source),
    ];
  },
  choices: ({ skills: own }) => dreamChoices(own?.dreams?.challenges ?? []),
  asks: dreamQuestions,
  eventFindings: ({ does }, own, source) =>
    does === "sandbox.wipe" && source.skills === undefined
      ? [wrong([...own, "does"], does, "an event of a world with `skills:`")]
      : [],
  sectionsOf: ({ skills: own }) => (own === undefined ? {} : { skills: sectionOf(own) }),
  sourceOf: ({ skills: own }) => ({ skills: mapSaid(own, sectionSaid) }),
  offers,
  foreseen,
  counts: ({ skills: own }) => (own === undefined ? {} : { skills: own.acquired.length }),
};
