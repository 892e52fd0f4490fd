/** Skills and macros that are there from the start bear names of their own, and files of their own. */

import type { Frame } from "../../../contract/edge/scenarioPart.ts";
import type { Finding } from "../../../edges/scenario/finding.ts";
import { wrong } from "../../../edges/scenario/findingParts.ts";
import type { ScenarioSource } from "../../../edges/scenario/scenarioSchema.ts";
import { registryPath, skillPath } from "../../../machines/skills/skillStore.ts";

/** As create_skill refuses the name of another capability (SK10). */
export function takenFindings(
  { skills: own, tools = [] }: ScenarioSource,
  { builtins }: Frame,
): Finding[] {
  const { acquired = [], macros = [] } = own ?? {};
  const skillNames = acquired.map(({ name }) => name);
  const toolNames = tools.map(({ name }) => name);
  const ownerOf = (name: string): string | undefined => {
    if (builtins.includes(name)) return "a builtin";
    return toolNames.includes(name) ? "a tool" : undefined;
  };
  const finding = (
    kind: "acquired" | "macros",
    index: number,
    name: string,
    owner: string | undefined,
  ): Finding[] =>
    owner === undefined
      ? []
      : [wrong(["skills", kind, index, "name"], name, `another name: ${owner} has this one`)];
  return [
    ...skillNames.flatMap((name, index) => finding("acquired", index, name, ownerOf(name))),
    ...macros.flatMap(({ name }, index) =>
      finding("macros", index, name, skillNames.includes(name) ? "a skill" : ownerOf(name)),
    ),
  ];
}

/** A file beside `acquired` that is one of its own would be overwritten. */
export function fileFindings({
  skills: own,
  files = {},
  policy = {},
  variants = {},
}: ScenarioSource): Finding[] {
  const { acquired = [] } = own ?? {};
  const inSandbox = ({ policy: set = {} }: { readonly policy?: object | undefined }) =>
    ({ ...policy, ...set })["skills.store"] === "sandbox";
  const worlds = [{}, ...Object.values(variants)];
  const written = new Set(
    acquired.flatMap(({ name, legacy = false }) =>
      worlds
        .map((world) => (legacy || inSandbox(world) ? "sandbox" : "memory"))
        .flatMap((store) => [registryPath(store), skillPath(name, store)]),
    ),
  );
  return Object.keys(files)
    .filter((path) => written.has(path))
    .map((path) => ({
      ...wrong(["files", path], path, "another path: `skills.acquired` writes this file"),
      part: "key",
    }));
}
