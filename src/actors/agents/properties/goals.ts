/** Goals and their completion gate. Source: seed 004, "Goal completion gate"; rulings U6, U7. */

import type { Policy } from "../../../contract/policy.ts";
import { worldPromises } from "../../../contract/promises.ts";
import type { Seen } from "../../../contract/property.ts";
import { startOf } from "../../../contract/startOf.ts";
import type { GoalInput } from "../../../machines/agents/goal/goalContext.ts";
import { mechanicalFault } from "../../../machines/agents/goal/goalGateParts.ts";
import { readObject } from "../../../machines/readJson.ts";
import { MILLION } from "../../../machines/units.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";

/** What is known of one goal's gate since its last miss. */
interface Gate {
  readonly goal: GoalInput;
  outputs: number;
  /** The artifact when it was last read; null when it was not there. */
  artifact: string | null | undefined;
  /** The model's last word on it. */
  passes: boolean | undefined;
  /** Parts that were told to have passed. */
  readonly told: Set<string>;
}

function follow(
  gates: Map<string, Gate>,
  { event, to, from }: SeenDelivery,
  world: Seen["world"],
  { progress }: Policy,
): void {
  const goal = startOf(event, "goal");
  if (event.type === "actor.start" && goal !== undefined) {
    const outputs = goal.resumed?.outputs ?? 0;
    gates.set(event.address, {
      goal,
      outputs,
      artifact: undefined,
      passes: undefined,
      told: new Set(),
    });
  }
  const asking = gates.get(from);
  if (asking !== undefined && event.type === "files.read" && asking.goal.artifact === event.path) {
    asking.artifact = world.file(asking.goal.artifact) ?? null;
  }
  if (event.type === "goal.judged" && event.status === "missed" && asking !== undefined) {
    Object.assign(asking, { outputs: 0, artifact: undefined, passes: undefined, told: new Set() });
  }
  if (event.type === "goalGate.judged" && event.passed) asking?.told.add(event.part);
  const gate = gates.get(to);
  if (gate === undefined) return;
  const capabilities: readonly string[] = progress.outputCapabilities;
  if (event.type === "step.ended" && event.ok) {
    gate.outputs += capabilities.includes(event.capability ?? "") ? 1 : 0;
  }
  if (event.type === "llm.replied") {
    gate.passes = readObject(event.text)?.["passes"] === true;
  }
}

/** What a part of the gate has not seen; null when it has. */
function faultOf(part: string, gate: Gate, { gate: rules }: Policy): string | null {
  const { goal, outputs, artifact, passes, told } = gate;
  switch (part) {
    case "output":
      return outputs > 0 ? null : "no output step came after its last miss";
    case "mechanical":
      if (artifact === undefined) return "its gate did not read its artifact";
      return mechanicalFault(goal, artifact, rules) ?? null;
    case "semantic":
      // Where the policy lets a judge's silence pass, no judge need have approved.
      return passes === true || told.has(part) ? null : "no judge passed it";
    default:
      return told.has(part) ? null : `the part ${part} of its gate was not passed`;
  }
}

export const goalProperties = worldPromises({
  "completed-passed-the-gate": {
    says: "A completed goal has an output step since its last miss and passed every enabled part of the gate.",
    source: "seed 004, Goal completion gate; RULINGS U7",
    watch: (policy) => {
      const gates = new Map<string, Gate>();
      const parts: readonly string[] = policy.gate.parts;
      return ({ delivery, world }) => {
        const { event, from } = delivery;
        if (event.type !== "goal.ended") return void follow(gates, delivery, world, policy);
        const gate = gates.get(from);
        if (event.status !== "completed" || gate === undefined) return undefined;
        const missing = parts
          .map((part) => faultOf(part, gate, policy))
          .find((fault) => fault !== null);
        return missing === undefined
          ? true
          : `${event.agent} completed goal ${event.n}, and ${missing}.`;
      };
    },
  },
  "progress-within-bounds": {
    says: "Progress is whole millionths from 0 to 1.",
    source: "seed 004, Goals; RULINGS U6",
    judge: ({ delivery: { event, from } }) => {
      if (event.type !== "goal.judged") return undefined;
      const { progress } = event;
      if (Number.isInteger(progress) && progress >= 0 && progress <= MILLION) return true;
      return `${from} told a progress of ${progress} millionths.`;
    },
  },
});
