/** What the log says of installs, counted. */
import { type Gauge, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import { InstallLives, type Turn } from "./installLives.ts";
import { Returns } from "./returns.ts";

const revisions = { unit: "revisions", perAgent: false };
const approvals = { unit: "approvals", perAgent: false };
const records = { unit: "records", perAgent: false };
const agents = { unit: "agents", perAgent: false };
const calls = { unit: "calls", perAgent: true };

export const installsMetrics = {
  "installs.wanted": {
    unit: "installs",
    perAgent: false,
    says: "Installs that were wanted, also of the same agent.",
  },
  "installs.created": { ...revisions, says: "Revisions that were created." },
  "installs.refused": {
    unit: "calls",
    perAgent: false,
    says: "Calls of the gateway's tools that it refused, whoever made them.",
  },
  "installs.activated": { ...revisions, says: "Times that a revision became active." },
  "installs.returned": { ...revisions, says: "Times that one became active that had been before." },
  "installs.altered": {
    ...revisions,
    says: "Of these, the ones whose files were not byte for byte what they had been at first.",
  },
  "installs.active": { ...revisions, says: "Revisions that are active at this moment." },
  "installs.superseded": { ...revisions, says: "Times that another revision took its place." },
  "installs.rolledBack": { ...revisions, says: "Times that a revision was rolled back." },
  "installs.rejected": { ...revisions, says: "Revisions that were rejected for good." },
  "installs.held": {
    unit: "steps",
    perAgent: false,
    says: "Steps that a model wanted and the rules of planner or builder forbid.",
  },
  "artifacts.built": {
    unit: "artifacts",
    perAgent: false,
    says: "Artifacts built, anew or again.",
  },
  "approvals.asked": { ...approvals, says: "Approvals that a person was asked for." },
  "approvals.open": { ...approvals, says: "Approvals that nobody has decided, now." },
  "approvals.approved": { ...approvals, says: "Of these, the ones that were approved." },
  "approvals.rejected": { ...approvals, says: "Of these, the ones that were rejected." },
  "approvals.expired": { ...approvals, says: "Of these, the ones that nobody decided in time." },
  "approvals.used": { ...approvals, says: "Approvals that let their install through." },
  "gates.refused": { unit: "promotions", perAgent: false, says: "Promotions at a shut gate." },
  "gates.passed": { ...records, says: "Promotion records of a judge that pass." },
  "gates.failed": { ...records, says: "Promotion records of a judge that do not." },
  "installed.living": { ...agents, says: "Installed agents that live at this moment." },
  "installed.spawned": { ...agents, says: "Agents that installed agents had born." },
  "reach.refused": { ...calls, says: "Calls that an installed agent's capabilities do not cover." },
  "reach.breached": { ...calls, says: "Writes that they do not cover, seen after the call." },
  "tools.withdrawn": {
    unit: "files",
    perAgent: false,
    says: "Files of tools that left with the revision under which they were written.",
  },
} as const;

type InstallsMetrics = typeof installsMetrics;

type InstallsMetric = keyof InstallsMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends InstallsMetrics {}
}

export function meter({ installs }: Partial<Sections>, gauge: Gauge): Observer {
  if (installs === undefined) return { observe: () => undefined };
  const lives = new InstallLives();
  const returns = new Returns();
  const change = (metric: InstallsMetric, atMs: number, by: number): void =>
    gauge.set(metric, WORLD, atMs, gauge.at(metric, WORLD, atMs) + by);
  const add = (metric: InstallsMetric, atMs: number): void => change(metric, atMs, 1);
  return {
    observe(delivery) {
      const { event, to, dueMs: atMs, fate } = delivery;
      const turn = lives.told(delivery);
      if (turn !== undefined) turned(turn, atMs, { add, change });
      for (const { isSame } of returns.told(delivery)) {
        add("installs.returned", atMs);
        if (!isSame) add("installs.altered", atMs);
      }
      // What planner and builder say to themselves is news to nobody.
      if (event.type === "install.held") add("installs.held", atMs);
      if (fate !== "handled") return;
      switch (event.type) {
        case "install.wanted":
        case "artifact.built":
        case "gate.refused":
        case "install.refused":
        case "installed.spawned":
          add(COUNTED[event.type], atMs);
          break;
        case "promotion.recorded":
          add(event.pass ? "gates.passed" : "gates.failed", atMs);
          break;
        case "installed.born":
          if (event.fault === null) add("installed.living", atMs);
          break;
        case "installed.ended":
          change("installed.living", atMs, -1);
          break;
        case "reach.refused":
        case "reach.breached":
          gauge.add(event.type, event.agent, atMs);
          break;
        case "tools.withdrawn":
          change("tools.withdrawn", atMs, event.paths.length);
          break;
        case "actor.start":
          if (to === "kernel" && event.machine === "gateway") {
            for (const metric of Object.keys(installsMetrics)) {
              gauge.set(metric as InstallsMetric, WORLD, atMs, 0); // The keys of that record.
            }
          }
      }
    },
  };
}

const COUNTED = {
  "install.wanted": "installs.wanted",
  "artifact.built": "artifacts.built",
  "gate.refused": "gates.refused",
  "install.refused": "installs.refused",
  "installed.spawned": "installed.spawned",
} as const satisfies { readonly [type: string]: InstallsMetric };

interface Counter {
  readonly add: (metric: InstallsMetric, atMs: number) => void;
  readonly change: (metric: InstallsMetric, atMs: number, by: number) => void;
}

const STATES = {
  draft: "installs.created",
  active: "installs.activated",
  superseded: "installs.superseded",
  rolled_back: "installs.rolledBack",
  rejected: "installs.rejected",
} as const;

function turned(turn: Turn, atMs: number, { add, change }: Counter): void {
  const before = turn.life.phases.at(-2)?.phase;
  if (turn.of === "revision") {
    const { phase } = turn;
    if (phase !== "gated" && phase !== "approved") add(STATES[phase], atMs);
    if (phase === "active") add("installs.active", atMs);
    if (before === "active") change("installs.active", atMs, -1);
    return;
  }
  const { phase } = turn;
  add(phase === "open" ? "approvals.asked" : `approvals.${phase}`, atMs);
  if (phase === "open") add("approvals.open", atMs);
  if (before === "open") change("approvals.open", atMs, -1);
}
