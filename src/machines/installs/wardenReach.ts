/** What an installed agent may do, asked before each of its calls, and what it did, looked at behind them. Source: seed 003. */
import { answer, type Delivered, type Letter, type MailOf } from "../letter.ts";
import { GATEWAY } from "./addresses.ts";
import { allowed, type OutOfReach, type ReachCall } from "./reach.ts";
import {
  childrenOf,
  type Household,
  householdOf,
  isSettled,
  rootOf,
  WARDEN,
  type WardenDone,
  type WardenPolicy,
  type WardenState,
  withHousehold,
} from "./wardenState.ts";

/** Ours: as many as a letter rests on. */
const FACTS_MAX = 8;
/** Where capabilities of all agents are registered. */
export const TOOLS = "/agentOS/tools/dynamic/";

type Judged = Pick<ReachCall, "tool" | "params"> & { readonly agent: string };

/** A child's call is judged as its parent's would be, so that a household reaches no further than its root. */
function outOfReach(
  state: WardenState,
  { agent, tool, params }: Judged,
  policy: WardenPolicy,
): OutOfReach | null {
  const root = rootOf(state, agent);
  const household = householdOf(state, root);
  if (household === undefined || !isSettled(household)) return notActive(household);
  return within(state, { agent, tool, params }, household, policy);
}

function within(
  state: WardenState,
  { agent, tool, params }: Judged,
  { born }: Household,
  policy: WardenPolicy,
): OutOfReach | null {
  const root = rootOf(state, agent);
  const call = { tool, params, children: childrenOf(state, root) };
  return allowed(call, born?.grants ?? [], root, policy.reach);
}

/** Its last calls may still be on their way when its revision is no longer active. */
const notActive = (household: Household | undefined): OutOfReach => ({
  missing: "revision",
  why: `${household?.born?.id ?? "no revision"} is not active, so that nothing is granted`,
  todo: "end the turn",
});

export function permissionAsked(
  state: WardenState,
  { agent, capability, params, at }: Delivered<"permission.asked">,
  policy: WardenPolicy,
): WardenDone {
  const beyond = outOfReach(state, { agent, tool: capability, params }, policy);
  if (beyond === null) {
    return { state, letters: answer(at, { type: "permission.answered", ...GRANTED }) };
  }
  const { missing, why, todo } = beyond;
  const because = [householdOf(state, rootOf(state, agent))?.fact ?? at.seq];
  const refusal: MailOf<"reach.refused"> = {
    ...{ type: "reach.refused", agent, call: capability, missing, why },
  };
  const reason = `${why}: ${todo}`;
  return {
    state,
    letters: [
      { to: GATEWAY, event: refusal, because },
      ...answer(at, { type: "permission.answered", granted: false, reason }, { because }),
    ],
  };
}

const GRANTED = { granted: true, reason: null };

/** What a command or a tool writes is known only now. The word of an active revision holds for the call that it made. */
export function callReported(
  state: WardenState,
  { agent, capability, wrote, at }: Delivered<"call.reported">,
  policy: WardenPolicy,
): WardenDone {
  const root = rootOf(state, agent);
  const household = householdOf(state, root);
  if (household === undefined || wrote.length === 0) return { state, letters: [] };
  const breaches = wrote.flatMap((path): Letter[] => {
    const judged = { agent, tool: "fs_write", params: { path } };
    const beyond = within(state, judged, household, policy);
    if (beyond === null) return [];
    const { missing, why } = beyond;
    const call = capability ?? "nothing";
    const event: MailOf<"reach.breached"> = {
      ...{ type: "reach.breached", agent, call, path, missing, why },
    };
    return [{ to: WARDEN, event, because: [at.seq] }];
  });
  return { state: toolsSeen(state, root, household, wrote, at.seq), letters: breaches };
}

function toolsSeen(
  state: WardenState,
  root: string,
  household: Household,
  wrote: readonly string[],
  fact: number,
): WardenState {
  const tools = wrote.filter((path) => path.startsWith(TOOLS) && !household.tools.includes(path));
  return tools.length === 0
    ? state
    : withHousehold(state, root, {
        ...household,
        tools: [...household.tools, ...tools],
        toolFacts: [...household.toolFacts, fact].slice(-FACTS_MAX),
      });
}

/** They leave at once; the archive keeps them. */
export function withdrawn(
  agent: string,
  { born, tools, toolFacts, fact }: Household,
): readonly Letter[] {
  if (tools.length === 0 || born === null) return [];
  const because = [fact, ...toolFacts];
  const told: MailOf<"tools.withdrawn"> = {
    ...{ type: "tools.withdrawn", agent, revision: born.id, paths: tools },
  };
  return [
    { to: WARDEN, event: told, because },
    ...tools.map((path): Letter => {
      const to = path.replace("/tools/dynamic/", "/tools/archive/");
      return { to: "files", event: { type: "files.move", path, to }, because };
    }),
  ];
}
