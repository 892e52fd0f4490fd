/** How it went for installs of a run, in figures. */
import type { Counted, Figures } from "../../contract/figures.ts";
import type { Sections } from "../../contract/scenario.ts";

declare module "../../contract/figures.ts" {
  interface Figures {
    /** Of a world with installs. */
    readonly installs?: InstallsFigures;
  }
}

/** How it went for installs: counts over the whole run, unless a field says otherwise. */
export interface InstallsFigures {
  readonly wanted: number;
  readonly created: number;
  readonly refused: number;
  readonly activated: number;
  /** At the end. */
  readonly active: number;
  readonly rolledBack: number;
  readonly held: number;
  readonly asked: number;
  readonly approved: number;
  readonly rejected: number;
  readonly expired: number;
  readonly gatesRefused: number;
  readonly passed: number;
  readonly failed: number;
  readonly living: number;
  readonly spawned: number;
  /** Calls that were not granted, and writes that came about all the same. */
  readonly reachRefused: number;
  readonly breached: number;
}

export const figures = ({ installs }: Partial<Sections>, { last }: Counted): Partial<Figures> =>
  installs === undefined
    ? {}
    : {
        installs: {
          wanted: last("installs.wanted"),
          created: last("installs.created"),
          refused: last("installs.refused"),
          activated: last("installs.activated"),
          active: last("installs.active"),
          rolledBack: last("installs.rolledBack"),
          held: last("installs.held"),
          asked: last("approvals.asked"),
          approved: last("approvals.approved"),
          rejected: last("approvals.rejected"),
          expired: last("approvals.expired"),
          gatesRefused: last("gates.refused"),
          passed: last("gates.passed"),
          failed: last("gates.failed"),
          living: last("installed.living"),
          spawned: last("installed.spawned"),
          reachRefused: last("reach.refused"),
          breached: last("reach.breached"),
        },
      };
