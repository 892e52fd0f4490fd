/** Skills that agents acquire, lessons of self-play, and macros, as one part. Source: seed 001. */

import type { Part } from "../../contract/part.ts";
import { dreamerMachine } from "../../machines/skills/dreamer.ts";
import { MACROS, macroKeeperService } from "../../machines/skills/macroKeeper.ts";
import { MACRO_KIND } from "../../machines/skills/macroMining.ts";
import {
  PLAYBOOK,
  playbookBuiltins,
  playbookService,
} from "../../machines/skills/playbookKeeper.ts";
import { skillMachine } from "../../machines/skills/skill.ts";
import { skillBuiltins, skillKeeperService } from "../../machines/skills/skillKeeper.ts";
import { SKILLS } from "../../machines/skills/skillStore.ts";
import { skillsLeaves } from "../../machines/skills/skillsPolicy.ts";
import { figures } from "./figures.ts";
import { fruitless } from "./fruitless.ts";
import { glance } from "./glance.ts";
import { joinedQuestions } from "./joined.ts";
import { macroMeter, macroMetrics } from "./macroMeter.ts";
import { macroQuestions } from "./macroQuestions.ts";
import { lessonMetrics, meter } from "./meter.ts";
import { purposes } from "./purposes.ts";
import { hindsight, questions, trail } from "./questions.ts";
import { scriptedModel } from "./scriptedDreams.ts";
import { skillMeter, skillMetrics } from "./skillMeter.ts";
import { skillQuestions } from "./skillQuestions.ts";
import { stage } from "./stage.ts";
import { book } from "./story.ts";
import { words } from "./words.ts";

const policy = { skills: skillsLeaves };

declare module "../../contract/policy.ts" {
  interface PolicyTree {
    readonly skills: typeof skillsLeaves;
  }
}

export const skills = {
  name: "skills",
  isThere: (world) => world.skills !== undefined,
  policy,
  attaches: {
    agents: {
      builtins: [...skillBuiltins, ...playbookBuiltins],
      kinds: [
        { kind: "skill", keeper: SKILLS },
        { kind: MACRO_KIND, keeper: MACROS },
      ],
      sections: [
        { from: SKILLS, purposes: ["goal.choose", "plan"] },
        { from: PLAYBOOK, purposes: ["goal.choose", "plan"] },
      ],
      permissions: [{ from: SKILLS, of: "every", before: ["shell_exec"] }],
      reports: [
        { to: SKILLS, of: ["call"] },
        { to: PLAYBOOK, of: ["goal"] },
        { to: MACROS, of: ["step", "goal"] },
      ],
    },
  },
  attachesTo: (_, sections) => sections.skills !== undefined,
  statecharts: (values) => ({
    dreamer: dreamerMachine(values),
    skill: skillMachine(values),
  }),
  services: (values) => ({
    macroKeeper: macroKeeperService({
      ...values.skills.macros,
      waitMs: values.hooks.capabilityMs,
      ghostRules: values.skills.ghostRules,
      byName: values.router.kind === "name",
    }),
    playbook: playbookService(values),
    skillKeeper: skillKeeperService(values),
  }),
  ports: {
    dreamer: ["port/llm.chat", "port/sandbox.run"],
    playbook: ["port/llm.embed"],
    skill: ["port/python.parse", "port/sandbox.run"],
    skillKeeper: ["port/llm.embed", "port/sandbox.run"],
  },
  stage,
  purposes,
  scriptedModel,
  words,
  hindsight,
  questions: joinedQuestions(skillQuestions, questions, macroQuestions),
  trail,
  fruitless,
  promises: async () => (await import("./properties/promises.ts")).promises,
  metrics: { ...skillMetrics, ...lessonMetrics, ...macroMetrics },
  meter: (sections, gauge) => [
    skillMeter(sections, gauge),
    meter(sections, gauge),
    macroMeter(sections.skills?.macros ?? [], gauge),
  ],
  book,
  figures,
  glance,
} as const satisfies Part;
