/**
 * What a run leaves, as data: the manifest, and how it is sealed. Loading one never runs code.
 * Files and folders are src/edges/bundle/bundleWriter.ts. Source: DESIGN §3.
 */

import type { PolicyValue } from "../contract/policyTree.ts";
import type { LiveIdentity } from "../machines/livePolicy.ts";
import { digestOf } from "../substrate/digest.ts";
import type { Fork } from "./fork.ts";
import type { Outcome } from "./simulate.ts";

/** Raised when the shape of a bundle changes; every older one stays readable. */
export const FORMAT_VERSION = 2;

/** Raised by a deliberate change of a rule, with all goldens recorded again. */
export const RULES_VERSION = 8;

export interface Manifest {
  readonly format: number;
  /** `ghostlight 0.1.0` */
  readonly product: string;
  readonly rulesVersion: number;
  readonly scenario: {
    readonly name: string;
    readonly text: string;
    readonly sha256: string;
  };
  readonly variant: string | null;
  readonly seed: number;
  /** Every leaf of the policy tree by path, as it was in force. */
  readonly policy: { readonly [path: string]: PolicyValue };
  /** An earlier end than the scenario's, in virtual milliseconds. */
  readonly untilMs: number | null;
  /**
   * `live:program`: functions of a program answered at some port; only that program can go on. `imported:FORMAT`: a log that
   * others left, read in place of a run; it cannot be played.
   */
  readonly origin:
    | "scripted"
    | "live:ollama"
    | "live:openai"
    | "live:program"
    | `imported:${string}`;
  /** Who answered at each port; one that starts with `live:` took real time. */
  readonly providers: { readonly [port: string]: string };
  /** In a live run, what answered; never the name of a host. */
  readonly live?: LiveIdentity;
  /** The run that this one goes on from: its deliveries and last digest; null when it was killed. */
  readonly resumed?: { readonly envelopes: number; readonly digest: string } | null;
  /** Where this run left recorded ones; `policy` is what was in force before the first of them. */
  readonly forks?: readonly Fork[];
  readonly startsAt: string;
  /** Of an imported log: what it was read from. */
  readonly imported?: ImportedLog;
  /** The parts that did not come with the program; a reader needs them. */
  readonly parts?: readonly string[];
  /** Absent while the run goes on, and for ever after a kill. */
  readonly final?: Final;
  /** SHA-256 over the canonical text of all of the above. */
  readonly seal: string;
}

/** The ports whose answers took real time. */
export const livePorts = ({ providers }: Pick<Manifest, "providers">): ReadonlySet<string> =>
  new Set(Object.keys(providers).filter((port) => providers[port]?.startsWith("live:")));

/** What is known of an imported log besides its records. */
export interface ImportedLog {
  readonly format: string;
  /** `steps`: it has no times, and each record counts one second. */
  readonly clock: "log" | "steps";
  /** Those that it was read from, the first ones where they are many; hashes are null of standard input. */
  readonly files: readonly {
    readonly file: string;
    readonly bytes: number | null;
    readonly sha256: string | null;
  }[];
  /** Texts in which secrets were replaced by marks. */
  readonly redacted: number;
  /** What of it could not be read: such a log is nowhere told as one in which all is well. Absent where all was. */
  readonly unread?: UnreadOfLog;
}

export interface UnreadOfLog {
  readonly count: number;
  readonly first: readonly {
    readonly file: string;
    readonly line: number | null;
    readonly reason: string;
  }[];
}

export interface Final {
  readonly outcome: Outcome;
  readonly error: string | null;
  readonly digest: string;
  readonly envelopes: number;
  readonly virtualMs: number;
  /** Lines of inputs.jsonl and the head of their chain. */
  readonly inputs: { readonly lines: number; readonly head: string };
  /** SHA-256 over events.jsonl; absent where none was written, and in older bundles. */
  readonly log?: string;
  /** After every thousandth delivery: its seq and a digest over everything. */
  readonly checkpoints: readonly (readonly [number, string])[];
}

export function sealed(manifest: Omit<Manifest, "seal">): Manifest {
  return { ...manifest, seal: digestOf(manifest) };
}

/** Whether the manifest is unchanged since it was written. */
export function isIntact({ seal, ...rest }: Manifest): boolean {
  try {
    return digestOf(rest) === seal;
  } catch {
    return false;
  }
}
