/** The `skills:` of a scenario: what there is of skills, lessons and macros from the start. */
import * as Schema from "effect/Schema";
import {
  listOf,
  matching,
  optional,
  says,
  sentence,
  text,
} from "../../../edges/scenario/scenarioFields.ts";
import { macro } from "./macroSchema.ts";
import { playbookFields } from "./playbookSchema.ts";

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

export const skills = Schema.Struct({
  acquired: optional(listOf(acquired, 0, 1_000), "Skills there from the start."),
  macros: optional(listOf(macro, 0, 1_000), "Macros there from the start."),
  ...playbookFields,
}).annotate({ expected: "a map with what there is of skills" });

export type SkillsSource = typeof skills.Type;
