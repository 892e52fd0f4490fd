/**
 * What other parts have to say before an agent asks its model: sections of the prompt, and nudges, which
 * stand there until a call discharges them. Ours.
 */
import { defined } from "../../defined.ts";
import { ask, type Delivered, type Letter } from "../../letter.ts";
import { isReadable } from "../hookMail.ts";
import type { Nudge, PromptPurpose } from "../hooks.ts";
import type { ExistenceView } from "../model/prompts.ts";
import type { AgentContext, StandingNudge } from "./context.ts";

export const keyOf = (address: string): string => `section:${address}`;

export const sectionLetter = (
  { input, goal, lastGoal, notes }: AgentContext,
  to: string,
  purpose: PromptPurpose,
): Letter =>
  ask({
    to,
    key: keyOf(to),
    event: {
      type: "section.asked",
      agent: input.name,
      purpose,
      n: goal?.n ?? lastGoal + 1,
      goal: goal?.text ?? null,
      notes,
    },
  });

/** One actor has answered. What was not asked for is no answer, and neither is what cannot be read. */
export function advised(
  context: AgentContext,
  event: Delivered<"section.answered">,
): Partial<AgentContext> {
  const { title, lines, nudges = [], at } = event;
  const { missing = [], sections = [] } = context.advice ?? {};
  if (at.key !== keyOf(at.from)) return {};
  if (!isReadable(event)) return without(context, at.from);
  const advice = {
    missing: missing.filter((from) => from !== at.from),
    sections: [...sections, { title, lines, fact: at.seq }],
  };
  return { advice, ...raised(context, nudges, at.seq) };
}

export const unadvised = (
  context: AgentContext,
  { address }: Delivered<"ask.bounced">,
): Partial<AgentContext> => without(context, address);

/** The agent waits no longer for this actor. */
const without = ({ advice }: AgentContext, address: string): Partial<AgentContext> =>
  advice === undefined
    ? {}
    : { advice: { ...advice, missing: advice.missing.filter((from) => from !== address) } };

/** A nudge that was discharged is not raised again for the same goal. */
function raised(
  { nudges: before = [] }: AgentContext,
  nudges: readonly Nudge[],
  fact: number,
): Partial<AgentContext> {
  const fresh = nudges.filter(({ text }) => before.every((one) => one.text !== text));
  if (fresh.length === 0) return {};
  return { nudges: [...before, ...fresh.map((one) => ({ ...one, fact, discharged: false }))] };
}

/** A call that went well discharges the nudges that name its capability, or the kind of its entry. */
export function discharged(
  { nudges }: AgentContext,
  { capability, kind }: Delivered<"call.finished">,
): Partial<AgentContext> {
  if (nudges === undefined) return {};
  const isIn = ({ dischargedBy }: Nudge): boolean =>
    dischargedBy.some((name) => name === capability || name === kind);
  return { nudges: nudges.map((one) => (isIn(one) ? { ...one, discharged: true } : one)) };
}

/** What stands in the prompt of it; no field where there is nothing. */
export function adviceView({ advice, nudges = [] }: AgentContext): AdviceView {
  const sections = (advice?.sections ?? []).filter(({ lines }) => lines.length > 0);
  const open = nudges.filter(isOpen);
  const said = sections.map(({ title, lines }) => ({ title, lines }));
  const standing = open.map(({ text, dischargedBy }) => ({ text, dischargedBy }));
  return defined({
    sections: said.length > 0 ? said : undefined,
    nudges: standing.length > 0 ? standing : undefined,
  });
}

type AdviceView = Pick<ExistenceView, "sections" | "nudges">;

/** What a prompt with them rests on. */
export const adviceFacts = ({ advice, nudges = [] }: AgentContext): readonly number[] => [
  ...new Set([
    ...(advice?.sections ?? []).filter(({ lines }) => lines.length > 0).map(({ fact }) => fact),
    ...nudges.filter(isOpen).map(({ fact }) => fact),
  ]),
];

const isOpen = (nudge: StandingNudge): boolean => !nudge.discharged;
