/** How the life of a skill went, in words. */

import { countOf } from "../../contract/countOf.ts";
import type { Json } from "../../machines/letter.ts";
import type { SkillInput } from "../../machines/skills/skill.ts";
import type { Delivery } from "../../substrate/envelope.ts";
import { firstFew } from "./firstFew.ts";

/** One life of a skill: from its start or its registering to its end. */
export interface Past {
  readonly name: string;
  readonly input: SkillInput;
  /** Its registering, or its start when it was there from the beginning; null while it is being made. */
  birth: Delivery | null;
  /** What was said last that counts as trouble. */
  trouble: Delivery | null;
  /** When a call of it went well last. */
  wellAt: number | null;
  hasEnded: boolean;
  well: number;
  failed: number;
  brokenOff: number;
  /** Of those that went well: calls that returned nothing, or left unwritten what they were asked to write. */
  hollow: number;
  wraps: number;
  readonly goals: Set<string>;
}

export function served({ well, failed, brokenOff, hollow, wraps, goals, hasEnded }: Past): string {
  const calls = well + failed + brokenOff;
  const until = hasEnded ? "Until it ended" : "In this run";
  const outcomes = [
    `${well} went well${hollow === 0 ? "" : `, but ${hollow} of these came to nothing`}`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(brokenOff === 0 ? [] : [`${brokenOff} were broken off by the machine`]),
  ];
  return [
    calls === 0
      ? `${until} it was never called by its name`
      : `${until} it was called ${countOf(calls, "time")}: ${outcomes.join(", ")}`,
    ...(goals.size === 0 ? [] : [`; it served ${firstFew([...goals], "goal")}`]),
    ...(wraps === 0
      ? []
      : [`; ${countOf(wraps, "program")} ${wraps === 1 ? "was" : "were"} run to reach it`]),
    ".",
  ].join("");
}

/** Who wrote it, with what arguments. */
export function writtenBy({
  name,
  agent,
  description,
  parametersSchema,
  code,
  payload,
}: SkillInput): string {
  const lines = code.replace(/\n$/, "").split("\n").length;
  const parameters = parametersOf(parametersSchema);
  return (
    `${agent} wrote ${name} (${cut(description)}): ${countOf(lines, "line")} of code, ` +
    `${parameters.length === 0 ? "no parameters" : `parameters ${parameters.join(", ")}`}, to be tested with ${cut(payload)}.`
  );
}

function parametersOf(schema: Json): readonly string[] {
  // Whatever an agent sent: it may be no map.
  const { properties } = (schema ?? {}) as { readonly properties?: object };
  return Object.keys(properties ?? {});
}

/** With a mark at its end, so that another sentence can follow. */
export const sentence = (text: string): string => (/[.!?…]["”’)]?$/.test(text) ? text : `${text}.`);

const MOST = 120;
export const cut = (text: string): string => {
  const line = text.trim().replace(/\s+/g, " ");
  return line === "" ? "nothing" : line.length > MOST ? `${line.slice(0, MOST)}…` : line;
};
