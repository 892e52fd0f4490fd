/** What can be found before a run of steps that call tools by name: that nothing bears the name. */

import type { Scenario } from "../../../contract/scenario.ts";
import { toolName } from "../../../machines/agents/engine/registry.ts";
import type { RouterPolicy } from "../../../machines/agents/engine/router.ts";
import type { Json } from "../../../machines/letter.ts";
import { nearest } from "../../../machines/nearest.ts";
import type { RepertoirePlan } from "../repertoire.ts";

/** Names that a file, a step or an outside event may bring: of a spec that is written, of a tool that is made. */
export function namesWritten({ model, files, events }: Scenario): readonly string[] {
  const plans = [...model.goals.flatMap((goal) => goal.plans), ...(model.fallbackPlans ?? [])];
  const steps = plans.flatMap((plan) => plan.steps);
  const paths: readonly (Json | undefined)[] = [
    ...Object.keys(files),
    ...steps.map(({ params }) => params["path"]),
    // Of events that hold a path, of whatever part.
    ...events.flatMap((event) => {
      const { path, to } = event as { readonly path?: Json; readonly to?: Json };
      return [path, to];
    }),
  ];
  const specs = paths.map((path) =>
    typeof path === "string" ? toolName(path, ".json") : undefined,
  );
  const made = steps.map(({ params }) => params["name"]);
  return [...specs, ...made].filter((name) => typeof name === "string");
}

/** One sentence for each step that calls nothing, or names nothing where it has to. */
export function uncalled(
  { steps }: RepertoirePlan,
  plan: string,
  names: readonly string[],
  { kind }: Pick<RouterPolicy, "kind">,
): string[] {
  return steps.flatMap(({ tool, intents }) => {
    if (tool === undefined) {
      return kind === "name"
        ? [`${plan}: the step "${intents[0]}" names no tool, and router.kind is name.`]
        : [];
    }
    if (names.includes(tool)) return [];
    const meant = nearest(tool, names);
    return [
      `${plan}: no tool is called ${tool}${meant === undefined ? "." : `; did you mean ${meant}?`}`,
    ];
  });
}
