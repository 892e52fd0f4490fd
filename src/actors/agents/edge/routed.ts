/**
 * Where the steps of plans go as the world stands at its start: to nothing, to a builtin that refuses what they
 * bring, or past the builtin that their parameters fit. Routing by words is asked as the engine asks it.
 */

import type { Policy } from "../../../contract/policyTree.ts";
import type { Scenario } from "../../../contract/scenario.ts";
import { builtinOf } from "../../../machines/agents/engine/builtins.ts";
import { type Described, scoreLexical, topMatch } from "../../../machines/agents/engine/router.ts";
import type { AttachedHooks } from "../../../machines/agents/hooks.ts";
import { isVirtualPath, rootsText } from "../../../machines/folders.ts";
import type { Json } from "../../../machines/letter.ts";
import { filled, filledJson, type RepertoirePlan } from "../repertoire.ts";

export interface Routing {
  readonly scenario: Scenario;
  readonly policy: Policy;
  readonly attached: AttachedHooks;
  /** What could serve a step, a tool that a plan may yet make included. */
  readonly served: readonly Described[];
  /** Names of those that no plan makes: they are there from the start. */
  readonly atStart: ReadonlySet<string>;
}

const NO_PATH = "is no path below ";

type Params = { readonly [name: string]: Json };

/** `name` is the plan's in sentences, `words` what its places are filled with for one agent. */
export function routeFindings(
  { steps, when: { knows } = {} }: RepertoirePlan,
  name: string,
  words: { readonly [place: string]: string },
  routing: Routing,
): string[] {
  const { served, policy } = routing;
  // The embedding router may find a likeness where no word is shared; another asks for no words.
  if (policy.router.kind !== "lexical") return [];
  const isLater = knows !== undefined && !routing.atStart.has(knows);
  // What is called by its name is not routed.
  return steps.flatMap(({ intents, params, tool }) => {
    if (tool !== undefined) return [];
    const given = filledJson(params, words) as Params;
    return intents.flatMap((template) => {
      const intent = filled(template, words);
      const scored = scoreLexical(intent, served, policy.router);
      const best = topMatch(scored);
      if (best === undefined) {
        return [`${name}: no tool serves "${template}", which shares no word with any.`];
      }
      // Who may serve it is not known before a plan has made its tool.
      if (!routing.atStart.has(best.name) || isLater) return [];
      const goes = `${name}: "${template}" goes to ${best.name}`;
      const refusal = refusalOf(best.name, given, words["agent"] ?? "", routing);
      // Where the goal's own file may not lie is told of the goal.
      if (refusal !== undefined && isOfArtifact(refusal, given, words)) return [];
      if (refusal !== undefined) return [`${goes}, which refuses it (${refusal}).`];
      return strays(best.name, given, routing)
        ? [`${goes}, not to fs_write, which its path and content fit.`]
        : [];
    });
  });
}

/** Whether a builtin refuses the goal's own file for where it lies. */
export const isOfArtifact = (
  refusal: string,
  params: Params,
  words: { readonly [place: string]: string },
): boolean =>
  (refusal.startsWith("PermissionError") || refusal.includes(NO_PATH)) &&
  params["path"] === words["artifact"];

/** What the builtin says to these parameters at once; undefined when it begins, or is no builtin. */
export function refusalOf(
  capability: string,
  params: Params,
  agent: string,
  { scenario, policy, attached }: Routing,
): string | undefined {
  const begun = builtinOf(capability)?.begin({
    ...{ agent, params, agents: scenario.agents, startsAtMs: Date.parse(scenario.startsAt) },
    ...{ key: "dry", address: "dry" },
    policy: {
      ...{ self: "engine", shell: policy.shell, tools: policy.tools, folders: policy.folders },
      attached,
    },
  });
  if (begun !== undefined && "refusal" in begun) return begun.refusal;
  const { path } = params;
  const isFile = capability.startsWith("fs_") && typeof path === "string" && begun !== undefined;
  return isFile && !isVirtualPath(path, policy.folders)
    ? `${path} ${NO_PATH}${rootsText(policy.folders)}/`
    : undefined;
}

/** Whether a step that brings a file goes to a tool whose description says nothing of what it does with it. */
const strays = (capability: string, params: Params, { served, scenario }: Routing): boolean =>
  typeof params["path"] === "string" &&
  typeof params["content"] === "string" &&
  scenario.tools.some(({ name }) => name === capability) &&
  served.some(({ name }) => name === "fs_write");
