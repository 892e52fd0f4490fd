/**
 * The provider behind `port/tool.call` in a scripted run: people who review proposals, another model,
 * the web. They answer from the scenario's `world:` by the request alone, and say so in the choice.
 * Source: seed 004, "Load locks", "Earned capabilities"; what they say by default is ours.
 */

import { drawnFrom } from "../../contract/drawn.ts";
import { defined } from "../../machines/defined.ts";
import type { Json, MailOf } from "../../machines/letter.ts";
import { ownValue } from "../../machines/ownValue.ts";
import type { PromptProvider } from "../../substrate/port.ts";
import type { NamedRandom } from "../../substrate/random.ts";

/** The builtins whose answer comes from outside. */
export const OUTSIDE_CAPABILITIES = ["propose_change", "invoke_claude", "research_topic"] as const;

export type OutsideCapability = (typeof OUTSIDE_CAPABILITIES)[number];

export interface World {
  readonly answers: readonly WorldAnswer[];
}

/** One possible answer from outside. {agent} in its texts and paths is the agent that asked. */
export interface WorldAnswer {
  /** `answer:<id>` is the choice's name. */
  readonly id: string;
  readonly capability: OutsideCapability;
  /** Only to a request whose parameters hold this text, in any letter case; to any when null. */
  readonly match: string | null;
  /** How often it is drawn, relative to the others that fit. */
  readonly weight: number;
  readonly reply:
    | { readonly ok: true; readonly result: Json }
    | { readonly ok: false; readonly error: string };
  /** What they change in the virtual world before they answer; null removes. */
  readonly files: { readonly [path: string]: string | null };
  /** From question to answer; drawn from the capability's usual time when null. */
  readonly afterMs: number | null;
}

/** Ours: a form that files a proposal, a large model far away, a web search. */
const USUAL_MS: { readonly [C in OutsideCapability]: readonly [least: number, most: number] } = {
  propose_change: [50, 300],
  invoke_claude: [3_000, 20_000],
  research_topic: [500, 4_000],
};

export function scriptedWorld(options: {
  readonly world: World;
  readonly random: NamedRandom;
  /** Names of choices that no provider makes in this run. */
  readonly without: ReadonlySet<string>;
}): PromptProvider<"tool.called"> {
  const { world, random, without } = options;
  return {
    answer({ from, purpose, nth, event: { agent, params } }) {
      const asked = textsIn(params).join("\n").toLowerCase();
      const fits = world.answers.filter(
        ({ id, capability, match }) =>
          capability === purpose &&
          !without.has(`answer:${id}`) &&
          (match === null || asked.includes(match.toLowerCase())),
      );
      const draw = random.at(from, `world ${purpose}`, nth);
      const [least, most] = ownValue(USUAL_MS, purpose) ?? [0, 0];
      const usualMs = draw.integer(least, most);
      const answer = drawnFrom(fits, draw);
      if (answer === undefined) {
        const event = { type: "tool.replied", ...unscripted(purpose, agent, nth) } as const;
        return { event, latencyMs: usualMs, choice: `answer:none` };
      }
      const changed = addressed(answer.files, agent) as WorldAnswer["files"];
      const reply = addressed(answer.reply, agent) as WorldAnswer["reply"];
      const event: MailOf<"tool.replied"> = defined({
        ...{ type: "tool.replied", ...reply },
        changed: Object.keys(changed).length > 0 ? changed : undefined,
      });
      return { event, latencyMs: answer.afterMs ?? usualMs, choice: `answer:${answer.id}` };
    },
  };
}

/** What comes back where the scenario says nothing. */
function unscripted(purpose: string, agent: string, nth: number): WorldAnswer["reply"] {
  switch (purpose) {
    case "propose_change":
      return { ok: true, result: { status: "pending", id: `proposal-${agent}-${nth}` } };
    case "research_topic":
      return { ok: true, result: { results: [] } };
    default:
      return { ok: false, error: `${purpose} is not available: the world outside has no answer` };
  }
}

/** Every text in a JSON value, at whatever depth. */
export function textsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((member: Json) => textsIn(member));
}

/** The value with {agent} filled in, in keys too: paths are keys. */
function addressed(value: Json, agent: string): Json {
  if (typeof value === "string") return value.replaceAll("{agent}", () => agent);
  if (Array.isArray(value)) return value.map((item) => addressed(item, agent));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key.replaceAll("{agent}", () => agent),
      addressed(member, agent),
    ]),
  );
}
