/** What the log says of skills, counted. */

import { type Gauge, metricsIn, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";

const skills = metricsIn("skills", "agent");
const world = metricsIn("skills");
const calls = metricsIn("calls", "agent");

export const skillMetrics = {
  "skills.created": skills("Skills that were registered, changed ones too."),
  "skills.savedAgain": skills("Skills that were created again as they were."),
  "skills.refused": skills("Skills that came to nothing.", { "skill.refused": 1 }),
  "skills.refused.normalising": skills("Of these, before anything was written.", {
    "skill.refused": ({ stage }) => stage === "normalising",
  }),
  "skills.refused.testing": skills("Of these, by their test run.", {
    "skill.refused": ({ stage }) => stage === "testing",
  }),
  "skills.degraded": world("Skills that were degraded.", undefined, "more"),
  "skills.retired": world("Skills that were retired.", {
    "skill.left": ({ how }) => how === "retired",
  }),
  "skills.lost": world("Skills whose file or row was gone.", {
    "skill.left": ({ how }) => how !== "retired" && how !== "replaced",
  }),
  "skills.active": world("Skills that are active at this moment."),
  "skills.called": calls(
    "Calls of skills that succeeded.",
    { "skill.counted": ({ outcome }) => outcome === "success" },
    "less",
  ),
  "skills.failed": calls(
    "Calls of skills that failed.",
    { "skill.counted": ({ outcome }) => outcome === "failure" },
    "more",
  ),
  "skills.wraps": calls("Programs run to reach a skill, instead of a call by name.", {
    "skill.wrapped": 1,
  }),
} as const;

type SkillMetrics = typeof skillMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends SkillMetrics {}
}

export function skillMeter({ skills: own }: Partial<Sections>, gauge: Gauge): Observer {
  const kept = {
    active: new Set<string>(),
    /** By the address of a skill: the agent that creates it. */
    makers: new Map<string, string>(),
  };
  const setActive = (name: string, isActive: boolean, atMs: number): void => {
    const { active } = kept;
    if (isActive === active.has(name)) return;
    if (isActive) active.add(name);
    else active.delete(name);
    gauge.set("skills.active", WORLD, atMs, active.size);
  };
  if (own === undefined) return { observe: () => undefined };
  return {
    kept,
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
          kept.makers.set(from, event.agent);
          break;
        case "skill.registered": {
          if (!event.ok) break;
          const metric = event.saving === "same" ? "skills.savedAgain" : "skills.created";
          gauge.add(metric, kept.makers.get(to) ?? "", dueMs);
          setActive(nameOf(to), event.status === "active", dueMs);
          break;
        }
        case "skill.counted":
          if (
            event.outcome === "failure" &&
            event.status === "degraded" &&
            kept.active.has(event.skill)
          ) {
            gauge.add("skills.degraded", WORLD, dueMs);
            setActive(event.skill, false, dueMs);
          }
          break;
        case "skill.left":
          if (event.how !== "replaced") setActive(event.skill, false, dueMs);
      }
    },
  };
}

const nameOf = (address: string): string => address.split(/[/#]/)[1] ?? address;
