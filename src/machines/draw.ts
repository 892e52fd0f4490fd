/** A statechart as a Mermaid state diagram, read from the machine itself. */
import type { AnyStateMachine, AnyStateNode } from "xstate";

/** Text for https://mermaid.js.org; guards in brackets, delays by name, final states marked. */
export function mermaidOf(machine: AnyStateMachine): string {
  return ["stateDiagram-v2", ...inside(machine.root, 1)].join("\n");
}

function inside(node: AnyStateNode, depth: number): string[] {
  const pad = "  ".repeat(depth);
  const children = Object.values(node.states) as AnyStateNode[];
  const lines: string[] = [];
  const { initial } = node.config;
  if (typeof initial === "string" && node.states[initial] !== undefined) {
    lines.push(`${pad}[*] --> ${idOf(node.states[initial])}`);
  }
  for (const child of children) {
    const nested = inside(child, depth + 1);
    lines.push(`${pad}state "${child.key}" as ${idOf(child)}`);
    if (nested.length > 0) lines.push(`${pad}state ${idOf(child)} {`, ...nested, `${pad}}`);
    if (child.type === "final") lines.push(`${pad}${idOf(child)} --> [*]`);
  }
  for (const child of children) lines.push(...arrows(child, pad));
  return lines;
}

function arrows(node: AnyStateNode, pad: string): string[] {
  const triggered = [...node.transitions.values()].flat();
  return [...triggered, ...(node.always ?? [])].flatMap(({ target, eventType, guard }) => {
    const label = [eventName(eventType), guard === undefined ? "" : `[${guardName(guard)}]`]
      .filter((part) => part !== "")
      .join(" ");
    const targets = target ?? [node];
    return targets.map(
      (to) => `${pad}${idOf(node)} --> ${idOf(to)}${label === "" ? "" : `: ${label}`}`,
    );
  });
}

/** `xstate.after.heartbeat.agent.resting` → `after heartbeat`. */
export const eventName = (type: string): string =>
  type.startsWith("xstate.after.") ? `after ${type.split(".")[2]}` : type;

export const guardName = (guard: unknown): string =>
  typeof guard === "string" ? guard : ((guard as { type?: string }).type ?? "guard");

const idOf = (node: AnyStateNode): string => node.id.replaceAll(/[^A-Za-z0-9]/g, "_");
