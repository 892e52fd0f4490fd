/** What the log says of skills, counted. */

import { type Gauge, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";

const skills = { unit: "skills", perAgent: true };
const world = { unit: "skills", perAgent: false };
const calls = { unit: "calls", perAgent: true };

export const skillMetrics = {
  "skills.created": { ...skills, says: "Skills that were registered, changed ones too." },
  "skills.savedAgain": { ...skills, says: "Skills that were created again as they were." },
  "skills.refused": { ...skills, says: "Skills that came to nothing." },
  "skills.refused.normalising": { ...skills, says: "Of these, before anything was written." },
  "skills.refused.testing": { ...skills, says: "Of these, by their test run." },
  "skills.degraded": { ...world, says: "Skills that were degraded." },
  "skills.retired": { ...world, says: "Skills that were retired." },
  "skills.lost": { ...world, says: "Skills whose file or row was gone." },
  "skills.active": { ...world, says: "Skills that are active at this moment." },
  "skills.called": { ...calls, says: "Calls of skills that succeeded." },
  "skills.failed": { ...calls, says: "Calls of skills that failed." },
  "skills.wraps": { ...calls, says: "Programs run to reach a skill, instead of a call by name." },
} as const;

type SkillMetrics = typeof skillMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends SkillMetrics {}
}

export function skillMeter({ skills: own }: Partial<Sections>, gauge: Gauge): Observer {
  const active = new Set<string>();
  /** By the address of a skill: the agent that creates it. */
  const makers = new Map<string, string>();
  const setActive = (name: string, isActive: boolean, atMs: number): void => {
    if (isActive === active.has(name)) return;
    if (isActive) active.add(name);
    else active.delete(name);
    gauge.set("skills.active", WORLD, atMs, active.size);
  };
  if (own === undefined) return { observe: () => undefined };
  return {
    observe({ event, to, from, dueMs, fate }) {
      if (fate !== "handled") return;
      switch (event.type) {
        case "actor.start": {
          const { machine, input } = event;
          const { name, kept } = input as { readonly name?: string; readonly kept?: string };
          if (machine === "skill" && name !== undefined && kept === "active") {
            setActive(name, true, dueMs);
          }
          break;
        }
        case "skill.registering":
          makers.set(from, event.agent);
          break;
        case "skill.registered": {
          if (!event.ok) break;
          const metric = event.saving === "same" ? "skills.savedAgain" : "skills.created";
          gauge.add(metric, makers.get(to) ?? "", dueMs);
          setActive(nameOf(to), event.status === "active", dueMs);
          break;
        }
        case "skill.refused":
          gauge.add("skills.refused", event.agent, dueMs);
          if (event.stage === "normalising") {
            gauge.add("skills.refused.normalising", event.agent, dueMs);
          }
          if (event.stage === "testing") gauge.add("skills.refused.testing", event.agent, dueMs);
          break;
        case "skill.counted":
          if (event.outcome === "success") gauge.add("skills.called", event.agent, dueMs);
          if (event.outcome !== "failure") break;
          gauge.add("skills.failed", event.agent, dueMs);
          if (event.status === "degraded" && active.has(event.skill)) {
            gauge.add("skills.degraded", WORLD, dueMs);
            setActive(event.skill, false, dueMs);
          }
          break;
        case "skill.left":
          if (event.how === "replaced") break;
          gauge.add(event.how === "retired" ? "skills.retired" : "skills.lost", WORLD, dueMs);
          setActive(event.skill, false, dueMs);
          break;
        case "skill.wrapped":
          gauge.add("skills.wraps", event.agent, dueMs);
      }
    },
  };
}

const nameOf = (address: string): string => address.split(/[/#]/)[1] ?? address;
