/** What a scenario says of skills, lessons and macros, and what the outside does to them. */
import * as Schema from "effect/Schema";
import { countOf } from "../../../contract/countOf.ts";
import type {
  Foreseeing,
  Frame,
  Offered,
  ScenarioPart,
} from "../../../contract/edge/scenarioPart.ts";
import type { Policy } from "../../../contract/policy.ts";
import type { Scenario } from "../../../contract/scenario.ts";
import type { Finding } from "../../../edges/scenario/finding.ts";
import { idsOf, namesFindings, wrong } from "../../../edges/scenario/findingParts.ts";
import {
  listOf,
  matching,
  optional,
  outsideEvent,
  says,
  sentence,
  text,
} from "../../../edges/scenario/scenarioFields.ts";
import type { ScenarioSource } from "../../../edges/scenario/scenarioSchema.ts";
import { eachSaid, type Given, mapSaid, present } from "../../../edges/scenario/sourceFields.ts";
import type { Json } from "../../../machines/letter.ts";
import { skillNameFault } from "../../../machines/skills/creation.ts";
import { minedDescription } from "../../../machines/skills/macroMining.ts";
import { registryPath, skillPath } from "../../../machines/skills/skillStore.ts";
import type { SkillsSection, StoredSkill } from "../stage.ts";
import { macro, macroFindings, macroFrom, macroSaid } from "./macroSchema.ts";
import {
  dreamChoices,
  dreamsOf,
  lessonSaid,
  lessonsOf,
  playbookFields,
  playbookFindings,
} from "./playbookSchema.ts";

const wipe = outsideEvent("sandbox.wipe", "A person empties the sandbox of the skills.", {});

// The `skills:` of a scenario: what there is of skills, lessons and macros from the start.

const acquired = Schema.Struct({
  name: says(
    matching(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/u, "a Python name of 1 … 64 characters"),
    "The skill's name.",
  ),
  description: says(sentence, "What it says it does; routers read this."),
  parameters: optional(Schema.Unknown, "The schema of its parameters: any JSON. `{}` if absent."),
  code: says(text, "Its Python, as it stands on disk."),
  legacy: optional(
    Schema.Boolean,
    "Whether it lies in the sandbox, where earlier installs left skills.",
  ),
}).annotate({ identifier: "Skill", expected: "a map with name, description and code" });

const skills = Schema.Struct({
  acquired: optional(listOf(acquired, 0, 1_000), "Skills there from the start."),
  macros: optional(listOf(macro, 0, 1_000), "Macros there from the start."),
  ...playbookFields,
}).annotate({ expected: "a map with what there is of skills" });

type SkillsSource = typeof skills.Type;

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

/** What can be said before a run: what leaves at the start, for there is more than is kept. */
function foreseen({ skills: own }: Scenario, { policy }: Foreseeing): readonly string[] {
  if (own === undefined) return [];
  const { playbook, macros, store } = policy.skills;
  return [
    ...unread(own.acquired, store),
    ...overfull("lesson", "skills.playbook", own.playbook.length, playbook.size),
    ...overfull("macro", "skills.macros", own.macros.length, macros.kept),
  ];
}

function overfull(what: string, where: string, given: number, kept: number): string[] {
  const excess = given - kept;
  if (excess <= 0) return [];
  const stay = `${kept} ${kept === 1 ? "is" : "are"} kept`;
  const leave = `${excess} ${excess === 1 ? "leaves" : "leave"} at the start`;
  return [`${where}: of ${countOf(given, what)} ${stay}; ${leave}.`];
}

/** Only an empty store is filled from where earlier installs left skills (SK49). */
function unread(acquired: readonly StoredSkill[], store: "memory" | "sandbox"): string[] {
  const legacy = acquired.filter(({ isLegacy }) => isLegacy).length;
  if (store === "sandbox" || legacy === 0 || legacy === acquired.length) return [];
  const stay = `${countOf(legacy, "skill")} with \`legacy\` ${legacy === 1 ? "is" : "are"} read by nobody`;
  return [
    `skills.acquired: ${stay}; the store is not empty, so it is not filled from the sandbox.`,
  ];
}

/** As create_skill refuses the name of another capability (SK10). */
function takenFindings(
  { skills: own, tools = [] }: ScenarioSource,
  { builtins }: Frame,
): Finding[] {
  const { acquired = [], macros = [] } = own ?? {};
  const skillNames = acquired.map(({ name }) => name);
  const toolNames = tools.map(({ name }) => name);
  const ownerOf = (name: string): string | undefined => {
    if (builtins.includes(name)) return "a builtin";
    return toolNames.includes(name) ? "a tool" : undefined;
  };
  const finding = (
    kind: "acquired" | "macros",
    index: number,
    name: string,
    owner: string | undefined,
  ): Finding[] =>
    owner === undefined
      ? []
      : [wrong(["skills", kind, index, "name"], name, `another name: ${owner} has this one`)];
  return [
    ...skillNames.flatMap((name, index) => finding("acquired", index, name, ownerOf(name))),
    ...macros.flatMap(({ name }, index) =>
      finding("macros", index, name, skillNames.includes(name) ? "a skill" : ownerOf(name)),
    ),
  ];
}

/** A file beside `acquired` that is one of its own would be overwritten. */
function fileFindings({
  skills: own,
  files = {},
  policy = {},
  variants = {},
}: ScenarioSource): Finding[] {
  const { acquired = [] } = own ?? {};
  const inSandbox = ({ policy: set = {} }: { readonly policy?: object | undefined }) =>
    ({ ...policy, ...set })["skills.store"] === "sandbox";
  const worlds = [{}, ...Object.values(variants)];
  const written = new Set(
    acquired.flatMap(({ name, legacy = false }) =>
      worlds
        .map((world) => (legacy || inSandbox(world) ? "sandbox" : "memory"))
        .flatMap((store) => [registryPath(store), skillPath(name, store)]),
    ),
  );
  return Object.keys(files)
    .filter((path) => written.has(path))
    .map((path) => ({
      ...wrong(["files", path], path, "another path: `skills.acquired` writes this file"),
      part: "key",
    }));
}

/** How often the dreamer asks models at most: its dreams, and the rounds in them, are counted. */
function dreamQuestions(
  { skills: own }: Scenario,
  { policy, virtualMs }: { readonly policy: Policy; readonly virtualMs: number },
): { readonly [purpose: string]: number } {
  const { periodMs, rounds, attempts } = policy.skills.dream;
  const most = Math.floor(virtualMs / periodMs) * rounds;
  if ((own?.dreams ?? null) === null || most === 0) return {};
  return {
    "skill.challenge": most,
    // The last one is the verification.
    "skill.solve": most * (attempts + 1),
    "skill.extract": most,
  };
}
