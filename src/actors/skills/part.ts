/** Skills that agents acquire, lessons of self-play, and macros, as one part. Source: seed 001. */
import { MACROS, macroKeeperService } from "../../machines/skills/macroKeeper.ts";
import { MACRO_KIND } from "../../machines/skills/macroTraces.ts";
import { SKILLS } from "../../machines/skills/skillFolders.ts";
import { skillKeeperService } from "../../machines/skills/skillKeeper.ts";
import { skillsLeaves } from "../../machines/skills/skillsPolicy.ts";
import type { Part } from "../part.ts";
import { MacroMeter, macroMetrics } from "./macroMeter.ts";
import { macroQuestions } from "./macroQuestions.ts";
import { stage } from "./stage.ts";
import { words } from "./words.ts";

const policy = { skills: skillsLeaves };

declare module "../policy.ts" {
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
      kinds: [
        { kind: "skill", keeper: SKILLS },
        { kind: MACRO_KIND, keeper: MACROS },
      ],
      reports: [{ to: MACROS, of: ["step", "goal"] }],
    },
  },
  attachesTo: (_, sections) => sections.skills !== undefined,
  services: (values) => ({
    macroKeeper: macroKeeperService({
      ...values.skills.macros,
      waitMs: values.hooks.capabilityMs,
    }),
    skillKeeper: skillKeeperService(values),
  }),
  ports: {},
  stage,
  words,
  questions: macroQuestions,
  metrics: macroMetrics,
  meter: ({ skills: own }, gauge) => new MacroMeter(own?.macros ?? [], gauge),
} as const satisfies Part;
