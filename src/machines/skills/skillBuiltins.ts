/** What agents call to acquire skills and to look after them. Source: seed 001, path A. */
import { SKILLS } from "./skillFolders.ts";

export const skillBuiltins = [
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
