/** `--against DIR`: the same worlds with the sources of another checkout, in turns with those of this one. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { asked } from "./asked.ts";
import { median } from "./median.ts";
import { repeated } from "./repeated.ts";
import type { Subject } from "./side.ts";

export interface SideOrder {
  readonly root: string;
  readonly subject: Subject;
  readonly timedMs: number;
}

/** What one checkout did. */
export interface Side {
  /** Of the processor, for all worlds of the subject. */
  readonly ms: number;
  readonly envelopes: number;
  /** A digest over its deliveries. */
  readonly did: string;
  /** Whether its sources know bare runs. */
  readonly hasLevels: boolean;
}

export interface Against {
  /** Its commit, or its folder where git knows none. */
  readonly name: string;
  readonly hasLevels: boolean;
  readonly subjects: readonly Compared[];
}

/** One subject, over the rounds. */
export interface Compared {
  readonly title: string;
  readonly hereMs: number;
  readonly thereMs: number;
  readonly envelopes: number;
  /** The other's time over ours: median, least and most. */
  readonly median: number;
  readonly least: number;
  readonly most: number;
  readonly goal: number;
  readonly isReached: boolean;
  /** Delivery for delivery. */
  readonly isAlike: boolean;
}

const titles: Readonly<Record<Subject, { readonly title: string; readonly goal: number }>> = {
  incidentBare: { title: "the incident, bare", goal: 5 },
  incidentDisk: { title: "the incident, full, log on disk", goal: 2.5 },
  syntBare: { title: "all scenarios of synt, bare", goal: 3 },
};
const subjects = Object.keys(titles) as readonly Subject[];

const HERE = fileURLToPath(new URL("..", import.meta.url));
const SCRIPT = fileURLToPath(new URL("side.ts", import.meta.url));
/** What a checkout needs to have. */
const NEEDED = [
  "src/run/simulate.ts",
  "src/builtIn/lists.ts",
  "bench/bundleLog.ts",
  "node_modules",
];

/** The absolute path. Throws a sentence when that is no checkout that can be measured. */
export function checkout(folder: string): string {
  const root = resolve(folder);
  const missing = NEEDED.filter((path) => !existsSync(join(root, path)));
  if (missing.length === 0) return root;
  throw new Error(
    `--against ${folder}: no ${missing.join(", no ")} there; give a checkout of this repository with its dependencies installed`,
  );
}

export function measureSides(
  root: string,
  plan: { readonly rounds: number; readonly budgetMs: number; readonly timedMs: number },
  report: (what: string) => void,
): Against {
  const endsAt = performance.now() + plan.budgetMs;
  const rounds = repeated(plan.rounds, endsAt, (index) =>
    subjects.map((subject) => {
      const side = (one: string): Side => {
        const { title } = titles[subject];
        report(`round ${index + 1} of ${plan.rounds}: ${title}, ${one === HERE ? "here" : one}`);
        return asked(SCRIPT, [JSON.stringify({ root: one, subject, timedMs: plan.timedMs })]);
      };
      // Whoever goes first finds a cooler processor.
      if (index % 2 === 0) return { here: side(HERE), there: side(root) };
      const there = side(root);
      return { here: side(HERE), there };
    }),
  );
  return againstOf(commitOf(root) ?? root, rounds);
}

function commitOf(root: string): string | undefined {
  const git = spawnSync("git", ["-C", root, "rev-parse", "--short", "HEAD"], { encoding: "utf8" });
  return git.status === 0 ? `commit ${git.stdout.trim()}` : undefined;
}

type Pair = { readonly here: Side; readonly there: Side };

export function againstOf(name: string, rounds: readonly (readonly Pair[])[]): Against {
  return {
    name,
    hasLevels: rounds[0]?.[0]?.there.hasLevels ?? false,
    subjects: subjects.map((subject, index) => {
      const pairs = rounds.flatMap((round) => round[index] ?? []);
      const ratios = pairs.map(({ here, there }) => there.ms / here.ms);
      const [middle, { goal, title }] = [median(ratios), titles[subject]];
      return {
        title,
        hereMs: median(pairs.map(({ here }) => here.ms)),
        thereMs: median(pairs.map(({ there }) => there.ms)),
        envelopes: pairs[0]?.here.envelopes ?? 0,
        ...{ median: middle, least: Math.min(...ratios), most: Math.max(...ratios) },
        ...{ goal, isReached: middle >= goal },
        isAlike: pairs.every(({ here, there }) => here.did === there.did),
      };
    }),
  };
}
