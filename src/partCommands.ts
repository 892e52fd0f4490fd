/** The commands of the parts, in the order of the help. A list of its own: the others load far more. */
import { addToolCommands } from "./actors/agents/edge/commands/commands.ts";
import { addAgentCommands, addImportCommands } from "./actors/imported/edge/commands/commands.ts";
import { addInstallCommands } from "./actors/installs/edge/commands/commands.ts";
import { addSkillCommands } from "./actors/skills/edge/commands/commands.ts";
import { addLessonCommands } from "./actors/skills/edge/commands/lessonCommands.ts";
import { addSyntCommands } from "./actors/synt/edge/commands/commands.ts";
import type { AddCommands } from "./contract/edge/commandPart.ts";

export const partCommands: readonly AddCommands[] = [
  addImportCommands,
  addAgentCommands,
  addToolCommands,
  addSyntCommands,
  addSkillCommands,
  addLessonCommands,
  addInstallCommands,
];
