/** The states in which an agent asks other parts what they have to say to its next prompt. Ours. */
import { assign } from "xstate";
import { cancelAsk, post } from "../../letter.ts";
import type { AttachedHooks, PromptPurpose } from "../hooks.ts";
import { advised, keyOf, sectionLetter, unadvised } from "./advice.ts";
import { agentSetup } from "./agentSetup.ts";
import type { AgentPolicy } from "./planner.ts";

const STATES = { "goal.choose": "choosing", plan: "planning" } as const;

const askedFor = ({ sections }: AttachedHooks, purpose: PromptPurpose): readonly string[] =>
  sections.filter(({ purposes }) => purposes.includes(purpose)).map(({ from }) => from);

/** The state in which an agent asks its model, or the one before it, where other parts have a say. */
export const wayTo = (attached: AttachedHooks, purpose: PromptPurpose): string =>
  askedFor(attached, purpose).length === 0
    ? `#agent.${STATES[purpose]}`
    : `#agent.consulting.${STATES[purpose]}`;

/** No state at all where no part has anything to say. */
export function consultingStates(policy: AgentPolicy, attached: AttachedHooks) {
  const states = Object.fromEntries(
    (["goal.choose", "plan"] as const)
      .filter((purpose) => askedFor(attached, purpose).length > 0)
      .map((purpose) => [STATES[purpose], consulting(policy, attached, purpose)]),
  );
  const [initial] = Object.keys(states);
  return initial === undefined ? {} : { consulting: { initial, states } };
}

/** Goes on once every actor that was asked has answered, is known not to be there, or is late. */
function consulting(policy: AgentPolicy, attached: AttachedHooks, purpose: PromptPurpose) {
  const addresses = askedFor(attached, purpose);
  const target = `#agent.${STATES[purpose]}`;
  return agentSetup(policy).createStateConfig({
    entry: [
      assign({ advice: { missing: addresses, sections: [] } }),
      post(({ context }) => addresses.map((to) => sectionLetter(context, to, purpose))),
    ],
    exit: post(() => addresses.map((from) => cancelAsk(keyOf(from)))),
    on: {
      "section.answered": { actions: assign(({ context, event }) => advised(context, event)) },
      "ask.bounced": { actions: assign(({ context, event }) => unadvised(context, event)) },
    },
    always: { guard: "isAdvised", target },
    after: { sectionsTimeout: target },
  });
}
