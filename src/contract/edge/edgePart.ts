/**
 * The other half of a part, see `src/contract/part.ts`: all that needs files, a terminal or plots. Whatever
 * a report or a picture says of a modelled system stands here.
 */

import type { PartGate } from "../../edges/play/gate.ts";
import type { Inbox } from "../../edges/play/inbox.ts";
import type { PartContracts } from "../../edges/program/portQuestions.ts";
import type { LazyShell } from "../../edges/shell/shellProcess.ts";
import type { Observed } from "../../run/compare.ts";
import type { Log } from "../../substrate/log.ts";
import type { Provider } from "../../substrate/port.ts";
import type { Figures } from "../figures.ts";
import type { MetricName } from "../gauge.ts";
import type { Mark, Picture } from "../picture.ts";
import type { Policy } from "../policy.ts";
import type { Scenario } from "../scenario.ts";

export interface EdgePart {
  /** The same as the part's own name. */
  readonly name: string;
  readonly report: PartReport;
  /** What serves those of its ports that need the host, by port. */
  readonly ports?: { readonly [port: string]: HostPort };
  /** What a program that serves its ports is asked, and how its answers are checked and heard. */
  readonly contracts?: PartContracts;
  /** Reads logs that others left, as bundles in a new folder. Throws BadInput for sources that cannot be opened. */
  readonly reads?: (
    sources: readonly string[],
    out: string,
    signal: AbortSignal,
  ) => Promise<LogsRead>;
  /** The port at which its actors ask a person to decide. */
  readonly gate?: PartGate;
}

/** What was read of foreign logs. */
export interface LogsRead {
  readonly records: number;
  /** What could not be read, a sentence each: how much, and the first of it. */
  readonly unread: readonly string[];
}

/** What serves a port where the host does. */
export interface HostPort {
  /** How a manifest names it. */
  readonly name: string;
  readonly serve: (host: Host) => Provider;
}

/** What serves the ports of one run. */
export interface Host {
  readonly shell: LazyShell;
  readonly inbox: Inbox;
  readonly policy: Policy;
  readonly seed: number;
  /** What virtual time 0 is to a clock in there, in ms since 1970. */
  readonly startsAtMs: number;
}

/** A run that is over, and its world. */
export interface Told {
  readonly scenario: Scenario;
  readonly observed: Observed;
  readonly deliveries: Log;
}

export type Pictured = Pick<Told, "scenario" | "observed">;

export interface PartReport {
  /** Who lives there, such as `3 agents`. */
  readonly population?: (scenario: Scenario) => string;
  /** What happened, in sentences. */
  readonly summary: (observed: Observed, figures: Figures) => string;
  /** What happened when, in place of the mere moments of the world. */
  readonly timeline?: (observed: Observed, moments: readonly Mark[]) => string;
  /** Sections before those that explain; empty ones are left out. */
  readonly before?: (told: Told) => readonly string[];
  /** Sections at the very end. */
  readonly after?: (told: Told) => readonly string[];
  /** How the scenario and its variants are compared. */
  readonly variants: {
    readonly title: string;
    readonly columns: (worlds: readonly Figures[]) => Columns;
    /** What of each of them is drawn over time, of the whole world. */
    readonly series?: { readonly metric: MetricName; readonly name: string };
  };
  /** What `why` is asked besides what went wrong first. */
  readonly questions?: (observed: Observed) => readonly string[];
  /** Commands to try next on the bundle in this folder. */
  readonly next?: (observed: Observed, bundle: string) => readonly string[];
  /** What `--json` has besides the figures. */
  readonly json?: (told: Told) => object;
  /** What its picture shows. */
  readonly picture: (of: Pictured) => Picture;
}

/** Of a table of runs, by their figures. */
export interface Columns {
  readonly head: readonly string[];
  readonly cells: (figures: Figures) => readonly string[];
  /** The share, from 0 to 1, of what was wanted that went wrong; null in a world in which nothing was wanted. */
  readonly wrong?: (figures: Figures) => number | null;
}
