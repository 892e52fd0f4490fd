/** Skills that agents acquire, lessons of self-play, and macros, as one part. Source: seed 001. */
import { SKILLS } from "../../machines/skills/skillFolders.ts";
import { skillKeeperService } from "../../machines/skills/skillKeeper.ts";
import { skillsLeaves } from "../../machines/skills/skillsPolicy.ts";
import type { Part } from "../part.ts";
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
  attaches: { agents: { kinds: [{ kind: "skill", keeper: SKILLS }] } },
  attachesTo: (_, sections) => sections.skills !== undefined,
  services: (values) => ({ skillKeeper: skillKeeperService(values) }),
  ports: {},
  stage,
  words,
} as const satisfies Part;
