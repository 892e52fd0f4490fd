/** How it went for installs of a run: counts over the whole run, unless the metric says otherwise. */
import { type Counted, type Figures, lastValues } from "../../contract/figures.ts";
import type { Sections } from "../../contract/scenario.ts";

const OF = {
  wanted: "installs.wanted",
  created: "installs.created",
  refused: "installs.refused",
  activated: "installs.activated",
  active: "installs.active",
  rolledBack: "installs.rolledBack",
  held: "installs.held",
  asked: "approvals.asked",
  approved: "approvals.approved",
  rejected: "approvals.rejected",
  expired: "approvals.expired",
  gatesRefused: "gates.refused",
  passed: "gates.passed",
  failed: "gates.failed",
  living: "installed.living",
  spawned: "installed.spawned",
  reachRefused: "reach.refused",
  breached: "reach.breached",
} as const;

declare module "../../contract/figures.ts" {
  interface Figures {
    /** Of a world with installs. */
    readonly installs?: InstallsFigures;
  }
}

/** Counts of revisions, approvals, gates, calls and agents; `metrics` says what each is. */
export type InstallsFigures = { readonly [Figure in keyof typeof OF]: number };

export const figures = ({ installs }: Partial<Sections>, counted: Counted): Partial<Figures> =>
  installs === undefined ? {} : { installs: lastValues(OF, counted) };
