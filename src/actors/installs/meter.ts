/** What the log says of installs, counted. */
import { type Gauge, metricsIn, WORLD } from "../../contract/gauge.ts";
import type { Observer } from "../../contract/part.ts";
import type { Sections } from "../../contract/scenario.ts";
import { GATEWAY } from "../../machines/installs/addresses.ts";
import { pointerPath, revisionFolder } from "../../machines/installs/gateway/store.ts";
import type { SeenDelivery } from "../../substrate/envelope.ts";
import { type InstallLives, type Turn, turned } from "./installLives.ts";

const revisions = metricsIn("revisions");
const approvals = metricsIn("approvals");
const records = metricsIn("records");
const agents = metricsIn("agents");
const calls = metricsIn("calls", "agent");

export const installsMetrics = {
  "installs.wanted": metricsIn("installs")("Installs that were wanted, also of the same agent.", {
    "install.wanted": 1,
  }),
  "installs.created": revisions("Revisions that were created."),
  "installs.refused": metricsIn("calls")(
    "Calls of the gateway's tools that it refused, whoever made them.",
    { "install.refused": 1 },
    "more",
  ),
  "installs.activated": revisions("Times that a revision became active."),
  "installs.returned": revisions("Times that one became active that had been before."),
  "installs.altered": revisions(
    "Of these, the ones whose files were not byte for byte what they had been at first.",
  ),
  "installs.active": revisions("Revisions that are active at this moment."),
  "installs.superseded": revisions("Times that another revision took its place."),
  "installs.rolledBack": revisions("Times that a revision was rolled back."),
  "installs.rejected": revisions("Revisions that were rejected for good."),
  "installs.held": metricsIn("steps")(
    "Steps that a model wanted and the rules of planner or builder forbid.",
  ),
  "artifacts.built": metricsIn("artifacts")("Artifacts built, anew or again.", {
    "artifact.built": 1,
  }),
  "approvals.asked": approvals("Approvals that a person was asked for."),
  "approvals.open": approvals("Approvals that nobody has decided, now."),
  "approvals.approved": approvals("Of these, the ones that were approved."),
  "approvals.rejected": approvals("Of these, the ones that were rejected."),
  "approvals.expired": approvals("Of these, the ones that nobody decided in time."),
  "approvals.used": approvals("Approvals that let their install through."),
  "gates.refused": metricsIn("promotions")("Promotions at a shut gate.", { "gate.refused": 1 }),
  "gates.passed": records("Promotion records of a judge that pass.", {
    "promotion.recorded": ({ pass }) => pass,
  }),
  "gates.failed": records("Promotion records of a judge that do not.", {
    "promotion.recorded": ({ pass }) => !pass,
  }),
  "installed.living": agents("Installed agents that live at this moment.", {
    "installed.born": ({ fault }) => fault === null,
    "installed.ended": -1,
  }),
  "installed.spawned": agents("Agents that installed agents had born.", { "installed.spawned": 1 }),
  "reach.refused": calls(
    "Calls that an installed agent's capabilities do not cover.",
    { "reach.refused": 1 },
    "more",
  ),
  "reach.breached": calls(
    "Writes that they do not cover, seen after the call.",
    { "reach.breached": 1 },
    "more",
  ),
  "tools.withdrawn": metricsIn("files")(
    "Files of tools that left with the revision under which they were written.",
    { "tools.withdrawn": ({ paths }) => paths.length },
  ),
} as const;

type InstallsMetrics = typeof installsMetrics;

type InstallsMetric = keyof InstallsMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends InstallsMetrics {}
}

// Whether a revision that becomes active again is what it was, by the bytes of its files as the gateway wrote them. Source: ruling I1.

const POINTERS = pointerPath("");

export class Returns {
  readonly kept = {
    texts: new Map<string, string>(),
    /** By agent. */
    active: new Map<string, string>(),
    /** By folder: its files when it first was active. */
    first: new Map<string, string>(),
  };

  /** For each revision that the delivery makes active again, whether its files are the same as then. */
  told({ event, from }: SeenDelivery): readonly { readonly isSame: boolean }[] {
    if (event.type !== "files.apply" || from !== GATEWAY) return [];
    for (const [path, text] of Object.entries(event.changed)) {
      if (text === null) this.kept.texts.delete(path);
      else this.kept.texts.set(path, text);
    }
    return Object.entries(event.changed).flatMap(([path, text]) =>
      path.startsWith(POINTERS) ? this.#pointed(path.slice(POINTERS.length), text) : [],
    );
  }

  #pointed(agent: string, text: string | null): readonly { readonly isSame: boolean }[] {
    const id = text?.trim() ?? "";
    // Written anew after a restart, it changes nothing.
    if (this.kept.active.get(agent) === id) return [];
    this.kept.active.set(agent, id);
    if (id === "") return [];
    const folder = `${revisionFolder(agent, id)}/`;
    const [now, first] = [this.#filesIn(folder), this.kept.first.get(folder)];
    if (first !== undefined) return [{ isSame: now === first }];
    this.kept.first.set(folder, now);
    return [];
  }

  #filesIn(folder: string): string {
    const files = [...this.kept.texts].filter(([path]) => path.startsWith(folder)).sort();
    return JSON.stringify(files);
  }
}

export function meter({ installs }: Partial<Sections>, gauge: Gauge): readonly Observer[] {
  if (installs === undefined) return [];
  const lives: InstallLives = { revisions: [], approvals: [] };
  const returns = new Returns();
  const change = (metric: InstallsMetric, atMs: number, by: number): void =>
    gauge.set(metric, WORLD, atMs, gauge.at(metric, WORLD, atMs) + by);
  const add = (metric: InstallsMetric, atMs: number): void => change(metric, atMs, 1);
  return [
    {
      kept: lives,
      observe(delivery) {
        const { event, dueMs: atMs } = delivery;
        const turn = turned(lives, delivery);
        if (turn !== undefined) countTurn(turn, atMs, { add, change });
        // What planner and builder say to themselves is news to nobody.
        if (event.type === "install.held") add("installs.held", atMs);
      },
    },
    {
      kept: returns.kept,
      observe(delivery) {
        for (const { isSame } of returns.told(delivery)) {
          add("installs.returned", delivery.dueMs);
          if (!isSame) add("installs.altered", delivery.dueMs);
        }
      },
    },
  ];
}

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

function countTurn(turn: Turn, atMs: number, { add, change }: Counter): void {
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
