/** What the daemon is given, what it keeps in mind, and what it can be told. */
import type { Delivered } from "../letter.ts";
import { integer, type ValuesOf } from "../policyLeaf.ts";
import { days, seconds } from "../units.ts";
import type { MindPolicy } from "./agent/mindPolicy.ts";
import type { HookPolicy } from "./hooks.ts";
import type { LessonPolicy } from "./lessons/lessons.ts";
import type { StressorPolicy } from "./suffering/stressorPolicy.ts";

export const daemonLeaves = {
  downMs: integer(seconds(20), {
    unit: "ms",
    min: 1,
    max: days(1),
    says: "How long a restart of the daemon takes.",
    source: "ours",
  }),
};

export interface DaemonInput {
  readonly agents: readonly string[];
  /** The scenario's start, in ms since 1970. */
  readonly startsAtMs: number;
}

export type DaemonEvent = Delivered<
  | "files.replied"
  | "daemon.restarted"
  | "host.message"
  | "outside.signal"
  | "birth.asked"
  | "end.asked"
>;

/** Something from outside on its way to an agent. */
export interface Forward {
  readonly agent: string;
  readonly type: "host.message" | "outside.signal";
  readonly text: string;
  readonly fact: number;
}

export interface DaemonContext extends DaemonInput {
  /** 1 at the first start; later ones show in every address. */
  readonly boot: number;
  /** Every actor started at this boot except the goals, which their agents stop. */
  readonly children: readonly string[];
  /** What came while it was down. */
  readonly kept: readonly Forward[];
  /** The agents that live because an actor of another part asked for them, and its address. */
  readonly born?: { readonly [agent: string]: string };
  /** Births that wait for the files, or for the daemon, by name. */
  readonly unborn?: { readonly [agent: string]: Delivered<"birth.asked"> };
  /** How many agents of a name have lived since the daemon started. */
  readonly lives?: { readonly [agent: string]: number };
}

export interface DaemonPolicy {
  readonly daemon: ValuesOf<typeof daemonLeaves>;
  readonly hooks: HookPolicy;
  readonly mind: MindPolicy;
  readonly stressors: StressorPolicy;
  readonly lessons: LessonPolicy;
}
