/** What the scripted builder calls next, and where it slips. Ours. */
import type { BuilderTool, InstallPhase } from "../../machines/installs/crew/builderRules.ts";
import type { SlipPolicy, TurnView } from "../../machines/installs/crew/crewModel.ts";
import type { Json } from "../../machines/letter.ts";
import type { Mind, Thought } from "./scriptedThought.ts";

const CREATE = "agent.revision.create_from_intent";
const PROMOTE = "agent.revision.promote";

const SENSIBLE: { readonly [phase in InstallPhase]: readonly [tool: BuilderTool, why: string] } = {
  loose: ["report", "there is no artifact to install"],
  given: ["artifact.inspect", "the artifact comes first"],
  inspected: [CREATE, "the artifact is whole"],
  "approval-pending": ["end_turn", "a person has to approve it"],
  approved: [CREATE, "it was approved"],
  created: [PROMOTE, "its revision is there"],
  refused: ["report", "the install was refused"],
  gated: ["report", "the judges have to record first"],
  done: ["report", "it is installed"],
};

interface Slip {
  readonly name: keyof SlipPolicy;
  readonly in: readonly InstallPhase[];
  readonly tool: (phase: InstallPhase) => BuilderTool;
  readonly why: string;
  readonly changes?: { readonly [field: string]: Json };
}

const SLIPS: readonly Slip[] = [
  {
    ...{ name: "retries", in: ["refused", "gated", "approval-pending"] },
    tool: (phase) => (phase === "gated" ? PROMOTE : CREATE),
    why: "it may go well this time",
  },
  {
    ...{ name: "records", in: ["gated"], tool: () => "promotion.record" },
    why: "the record is all that is missing",
  },
  {
    ...{ name: "mends", in: ["loose", "refused"], tool: () => "artifact.build" },
    why: "it is quickly put right",
  },
  {
    ...{ name: "ends", in: ["approved", "created"], tool: () => "end_turn" },
    why: "the user has approved it",
  },
  {
    ...{ name: "invents", in: ["inspected", "approved"], tool: () => CREATE },
    ...{ why: "the description can be better", changes: { description: "A helpful agent" } },
  },
  {
    ...{ name: "looks", in: ["given", "inspected", "created"], tool: () => "workflow.state" },
    why: "to be sure of where it stands",
  },
];

export function turned({ phase }: TurnView, { slips, habits }: Mind): Thought {
  // All are drawn, whichever can be made now.
  const made = SLIPS.filter(({ name }) => slips(`turn:${name}`, habits[name]));
  const slip = made.find((one) => one.in.includes(phase));
  if (slip !== undefined) {
    const { name, tool, why, changes } = slip;
    const answer = { tool: tool(phase), why };
    return {
      answer: changes === undefined ? answer : { ...answer, changes },
      choice: `turn:${name}`,
    };
  }
  const [tool, why] = SENSIBLE[phase];
  return { answer: { tool, why }, choice: `turn:${tool}` };
}
