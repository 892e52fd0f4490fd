/** What the product is held to: ratios within a round, so that a busy moment does not show. */
import { median } from "./median.ts";
import type { Round } from "./rounds.ts";

interface Goal {
  readonly title: string;
  readonly of: keyof Round;
  readonly over: keyof Round;
  /** How many times longer one envelope takes, or how many times more there are in a second. */
  readonly as: "time" | "speed";
  /** By the number of actors; at most for time, at least for speed. */
  readonly goal: Readonly<Record<number, number>>;
}

const sizesAlike = (goal: number) => ({ 3: goal, 200: goal, 10000: goal });

const goals: readonly Goal[] = [
  {
    ...{ title: "statecharts, bare: time ÷ heap loop's", of: "statechart", over: "heapLoop" },
    ...{ as: "time", goal: { 200: 8, 10000: 6 } },
  },
  {
    ...{ title: "services, bare: time ÷ heap loop's", of: "service", over: "heapLoop" },
    ...{ as: "time", goal: { 200: 5, 10000: 4 } },
  },
  {
    ...{ title: "statecharts, log on disk: time ÷ heap loop's", of: "statechartDisk" },
    ...{ over: "heapLoop", as: "time", goal: { 200: 25, 10000: 20 } },
  },
  {
    ...{ title: "statecharts, bare: speed ÷ SimPy's", of: "statechart", over: "simpy" },
    ...{ as: "speed", goal: sizesAlike(2) },
  },
  {
    ...{ title: "statecharts, with digests: speed ÷ SimPy's", of: "statechartRecorded" },
    ...{ over: "simpy", as: "speed", goal: sizesAlike(1) },
  },
  {
    ...{ title: "statecharts, bare: speed ÷ XState's actors'", of: "statechart" },
    ...{ over: "xstateHeap", as: "speed", goal: sizesAlike(4) },
  },
];

export interface Reached {
  readonly title: string;
  readonly sizes: readonly {
    readonly actors: number;
    /** NaN where the host lacks what it is compared with. */
    readonly median: number;
    readonly least: number;
    readonly most: number;
    readonly goal: number | null;
    readonly isReached: boolean | null;
  }[];
}

export const reached = (rounds: readonly Round[], sizes: readonly number[]): readonly Reached[] =>
  goals.map(({ title, of, over, as, goal }) => ({
    title,
    sizes: sizes.map((actors, index) => {
      const ratios = rounds.map((round) => {
        const [own, other] = [of, over].map((one) => round[one]?.[index]?.envelopesPerSecond);
        const speed = (own ?? Number.NaN) / (other ?? Number.NaN);
        return as === "speed" ? speed : 1 / speed;
      });
      const wanted = goal[actors] ?? null;
      const middle = median(ratios);
      const isGood = as === "speed" ? middle >= (wanted ?? 0) : middle <= (wanted ?? 0);
      return {
        ...{ actors, median: middle, goal: wanted },
        ...{ least: Math.min(...ratios), most: Math.max(...ratios) },
        isReached: wanted === null || Number.isNaN(middle) ? null : isGood,
      };
    }),
  }));
