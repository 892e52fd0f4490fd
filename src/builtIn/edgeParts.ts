/** The parts' other halves, in the order in which a report tells of them. */
import { agents } from "../actors/agents/edge/part.ts";
import { imported } from "../actors/imported/edge/part.ts";
import { installs } from "../actors/installs/edge/part.ts";
import { skills } from "../actors/skills/edge/part.ts";
import { synt } from "../actors/synt/edge/part.ts";
import type { EdgePart } from "../contract/edge/edgePart.ts";

export const edgeParts: readonly EdgePart[] = [agents, synt, skills, installs, imported];
