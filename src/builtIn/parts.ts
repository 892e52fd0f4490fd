/** The parts that come with the program, in the order in which their actors start. Only what starts a program imports it. */
import { agents } from "../actors/agents/part.ts";
import { imported } from "../actors/imported/part.ts";
import { installs } from "../actors/installs/part.ts";
import { skills } from "../actors/skills/part.ts";
import { synt } from "../actors/synt/part.ts";
import { world } from "../actors/world/part.ts";
import type { Part } from "../contract/part.ts";

export const parts: readonly Part[] = [imported, world, synt, skills, installs, agents];
