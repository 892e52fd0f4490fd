/** Skills that agents acquire, lessons of self-play, and macros, as one part. Source: seed 001. */
import { skillMachine } from "../../machines/skills/skill.ts";
import { SKILLS } from "../../machines/skills/skillFolders.ts";
import { skillKeeperService } from "../../machines/skills/skillKeeper.ts";
import { skillsLeaves } from "../../machines/skills/skillsPolicy.ts";
import type { Part } from "../part.ts";
import { meter, skillsMetrics } from "./meter.ts";
import { questions, trail } from "./questions.ts";
import { stage } from "./stage.ts";
import { words } from "./words.ts";

const policy = { skills: skillsLeaves };

declare module "../policy.ts" {
  interface PolicyTree {
    readonly skills: typeof skillsLeaves;
  }
}

const builtins = [
  {
    name: "create_skill",
    description:
      "Creates a permanent acquired skill from Python source after a test run: name, description, " +
      "parameters_schema, python_code, test_payload.",
    servedBy: SKILLS,
    isLockable: true,
    output: "usual",
  },
  {
    name: "manage_skills",
    description: "Lists acquired skills with status, usage and failure counts; archives degraded.",
    servedBy: SKILLS,
  },
] as const;

export const skills = {
  name: "skills",
  isThere: (world) => world.skills !== undefined,
  policy,
  attaches: {
    agents: {
      builtins,
      kinds: [{ kind: "skill", keeper: SKILLS }],
      sections: [{ from: SKILLS, purposes: ["goal.choose", "plan"] }],
      reports: [{ to: SKILLS, of: ["call"] }],
    },
  },
  attachesTo: (_, sections) => sections.skills !== undefined,
  statecharts: (values) => ({ skill: skillMachine(values) }),
  services: (values) => ({ skillKeeper: skillKeeperService(values) }),
  ports: {
    skill: ["port/python.parse", "port/sandbox.run"],
    skillKeeper: ["port/llm.embed", "port/sandbox.run"],
  },
  stage,
  words,
  questions,
  trail,
  metrics: skillsMetrics,
  meter,
} as const satisfies Part;
