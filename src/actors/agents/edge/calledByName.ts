/**
 * What steps that call by name come to as the world stands at its start: no tool of the name, a builtin that refuses what they bring, arguments
 * that a tool's parameters do not allow, a table without an answer. And that nothing a plan calls counts as output.
 */
import type { Policy } from "../../../contract/policyTree.ts";
import type { Scenario } from "../../../contract/scenario.ts";
import { argumentSchema } from "../../../findings/argumentSchema.ts";
import { builtinOf } from "../../../machines/agents/engine/builtins.ts";
import { toolName } from "../../../machines/agents/engine/registry.ts";
import type { RouterPolicy } from "../../../machines/agents/engine/router.ts";
import type { Json } from "../../../machines/letter.ts";
import { nearest } from "../../../machines/nearest.ts";
import { sortedJson } from "../../../machines/sortedJson.ts";
import { filledJson, type RepertoireGoal, type RepertoirePlan } from "../repertoire.ts";
import type { Tool } from "../tool.ts";
import { type Arguments, rowFor } from "../toolTable.ts";
import { isOfArtifact, type Routing, refusalOf } from "./routed.ts";

type Words = { readonly [place: string]: string };

/** `name` is the plan's in sentences, `words` what its places are filled with for one agent. */
export function callFindings(
  { steps, when: { knows } = {} }: RepertoirePlan,
  name: string,
  words: Words,
  routing: Routing,
): string[] {
  const { scenario, atStart } = routing;
  // What another plan has yet to make may take its place.
  if (knows !== undefined && !atStart.has(knows)) return [];
  return steps.flatMap(({ tool, params }) => {
    if (tool === undefined || !atStart.has(tool)) return [];
    const given = filledJson(params, words) as Arguments;
    if (builtinOf(tool) !== undefined) {
      const refusal = refusalOf(tool, given, words["agent"] ?? "", routing);
      // Where the goal's own file may not lie is told of the goal.
      if (refusal === undefined || isOfArtifact(refusal, given, words)) return [];
      return [`${name}: ${tool} refuses the step (${refusal}).`];
    }
    const own = scenario.tools.find((one) => one.name === tool);
    const fault = own && faultOf(own, params, given);
    return fault === undefined ? [] : [`${name}: ${fault}`];
  });
}

function faultOf(
  { name, parameters, table }: Tool,
  params: { readonly [name: string]: Json },
  given: Arguments,
): string | undefined {
  const fault = parameters === undefined ? null : argumentSchema(parameters)?.faultOf(given);
  if (typeof fault === "string")
    return `${name} is called otherwise than its parameters say. ${fault}`;
  // What stands in a place is another text each time.
  const isFixed = sortedJson(params) === sortedJson(given);
  return table?.otherwise === null && isFixed && rowFor(table, given) === undefined
    ? `${name} has no answer for ${sortedJson(given).slice(0, SHOWN_MAX)}, and no otherwise.`
    : undefined;
}

const SHOWN_MAX = 100;

/** Of a goal all of whose steps call by name, and none of them what the gate asks for. */
export function outputFindings(
  { slug, plans }: Pick<RepertoireGoal, "slug" | "plans">,
  { policy, scenario }: { readonly policy: Policy; readonly scenario: Routing["scenario"] },
): string[] {
  const parts: readonly string[] = policy.gate.parts;
  const outputs: readonly string[] = policy.progress.outputCapabilities;
  const isNone = (tool: string | undefined): boolean =>
    tool !== undefined &&
    !outputs.includes(tool) &&
    // Of what another part brings, or a plan makes, it is not known whether it counts.
    (builtinOf(tool) !== undefined || scenario.tools.some(({ name }) => name === tool));
  const steps = plans.flatMap((plan) => plan.steps);
  return parts.includes("output") && steps.length > 0 && steps.every(({ tool }) => isNone(tool))
    ? [
        `goal ${slug}: no step calls what counts as output (${outputs.join(", ") || "nothing does"}), which its gate asks for; ` +
          "see progress.outputCapabilities and gate.parts.",
      ]
    : [];
}

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
