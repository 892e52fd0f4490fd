/** The opening of a world with synt: which actors are started, which turns come when. */

import type { Outside, PartStage } from "../../contract/part.ts";
import type { OutsideEvent, Sections } from "../../contract/scenario.ts";
import type { Stage } from "../../contract/stage.ts";
import { type Letter, startActor } from "../../machines/letter.ts";
import { DESK, WORKSPACE } from "../../machines/synt/contract.ts";
import type { DeskInput } from "../../machines/synt/desk/syntDesk.ts";
import type { PoolInput } from "../../machines/synt/pool/poolState.ts";
import type { RequestInput } from "../../machines/synt/request/requestContext.ts";
import type { TurnInput } from "../../machines/synt/turn/userTurn.ts";
import { liveTiers } from "./liveTiers.ts";
import type { SyntRepertoire } from "./scriptedSynt.ts";

export interface SyntWorld {
  readonly tiers: DeskInput["tiers"];
  readonly pool: PoolInput;
  readonly turns: readonly (TurnInput & { readonly atMs: number })[];
  readonly repertoire: SyntRepertoire;
  /** For the meter of the run: they are posted to no actor. */
  readonly labels: readonly ProposalLabel[];
}

/** What a scenario knows of proposals. */
export interface ProposalLabel {
  readonly id: string;
  /** What stands in the proposal: in its chain, as `a → b`, or in its description or code. */
  readonly match: string;
  readonly is: "good" | "bad";
}

declare module "../../contract/scenario.ts" {
  interface Sections {
    /** A pool of executors and its user, beside or in place of agents. */
    readonly synt?: SyntWorld;
  }
  interface OutsideEvents {
    "synt.homeostasis": { readonly lookbackMs: number | null };
    "synt.revise": {
      readonly request: string;
      readonly feedback: string | null;
      readonly target: string | null;
    };
    "executor.revoke": { readonly executor: string };
  }
}

declare module "../../contract/startOf.ts" {
  interface Inputs {
    pool: PoolInput;
    syntDesk: DeskInput;
    synthesisRequest: RequestInput;
  }
}

function letterOf(event: OutsideEvent): Letter | undefined {
  switch (event.does) {
    case "synt.homeostasis": {
      const { lookbackMs } = event;
      return { to: "ager", event: { type: "homeostasis.asked", lookbackMs } };
    }
    case "synt.revise": {
      const { request, feedback, target } = event;
      return { to: DESK, event: { type: "synth.revised", request, feedback, target } };
    }
    case "executor.revoke":
      return { to: `executor/${event.executor}`, event: { type: "executor.revoked" } };
    default:
      return undefined;
  }
}

/** What every workspace of Metnos says of this. The words are the seed's. */
const TELOS_PATH = `${WORKSPACE}/TELOS.md`;
const TELOS =
  "5. Cultivate the tools: if I ask for something your pool cannot yet do,\n" +
  "   exhaust the synthesis strategies (compose, generate, ask) before\n" +
  '   answering "I cannot". Failure is allowed; silent retreat is not.\n';

function opening({ synt, startsAtMs }: Stage): readonly Outside[] {
  if (synt === undefined) return [];
  const { tiers, pool, turns } = synt;
  const desk: DeskInput = { startsAtMs, tiers };
  return [
    { id: "stage", letter: startActor("syntDesk", "synt", desk) },
    { id: "stage", letter: startActor("pool", "pool", pool) },
    { id: "stage", letter: startActor("ager", "ager", { startsAtMs }) },
    ...turns.map(({ atMs, ...turn }) => {
      const letter = startActor("userTurn", `gateway/${turn.turn}`, turn);
      return { id: turn.turn, letter: { ...letter, delayMs: atMs } };
    }),
  ];
}

/** The same stage with something else in its section. */
const changed = <T extends Partial<Sections>>(
  stage: T,
  change: (world: SyntWorld) => Partial<SyntWorld>,
): T =>
  stage.synt === undefined ? stage : { ...stage, synt: { ...stage.synt, ...change(stage.synt) } };

export const stage: PartStage = {
  files: ({ synt, files }) =>
    synt === undefined || Object.hasOwn(files, TELOS_PATH) ? {} : { [TELOS_PATH]: TELOS },
  opening,
  letterOf,
  // A user's turn comes from outside like an event, under its id.
  without: (stage, ids) =>
    changed(stage, ({ turns }) => ({ turns: turns.filter(({ turn }) => !ids.has(turn)) })),
  served: (stage, live) => changed(stage, ({ tiers }) => ({ tiers: liveTiers(live, tiers) })),
};
