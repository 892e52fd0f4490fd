/** Skills that agents acquire, lessons of self-play, and macros, as one part. Source: seed 001. */
import { dreamerMachine } from "../../machines/skills/dreamer.ts";
import { playbookBuiltins } from "../../machines/skills/playbookBuiltins.ts";
import { playbookService } from "../../machines/skills/playbookKeeper.ts";
import { PLAYBOOK } from "../../machines/skills/playbookState.ts";
import { SKILLS } from "../../machines/skills/skillFolders.ts";
import { skillKeeperService } from "../../machines/skills/skillKeeper.ts";
import { skillsLeaves } from "../../machines/skills/skillsPolicy.ts";
import type { Part } from "../part.ts";
import { meter, skillsMetrics } from "./meter.ts";
import { purposes } from "./purposes.ts";
import { questions, trail } from "./questions.ts";
import { scriptedModel } from "./scriptedDreams.ts";
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
      builtins: playbookBuiltins,
      kinds: [{ kind: "skill", keeper: SKILLS }],
      sections: [{ from: PLAYBOOK, purposes: ["goal.choose", "plan"] }],
      reports: [{ to: PLAYBOOK, of: ["goal"] }],
    },
  },
  attachesTo: (_, sections) => sections.skills !== undefined,
  statecharts: (values) => ({ dreamer: dreamerMachine(values) }),
  services: (values) => ({
    playbook: playbookService(values),
    skillKeeper: skillKeeperService(values),
  }),
  ports: {
    dreamer: ["port/llm.chat", "port/sandbox.run"],
    playbook: ["port/llm.embed"],
  },
  stage,
  purposes,
  scriptedModel,
  words,
  questions,
  trail,
  metrics: skillsMetrics,
  meter,
} as const satisfies Part;
