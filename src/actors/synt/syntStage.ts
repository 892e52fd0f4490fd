/** The opening of a world with synt: who is started, which turns come when. */
import { type Letter, startActor } from "../../machines/letter.ts";
import { DESK, WORKSPACE } from "../../machines/synt/contract.ts";
import type { PoolInput } from "../../machines/synt/pool.ts";
import type { DeskInput } from "../../machines/synt/syntDesk.ts";
import type { TurnInput } from "../../machines/synt/turnAccount.ts";
import type { Kernel } from "../../substrate/kernel.ts";
import type { SyntRepertoire } from "./scriptedSynt.ts";

export interface SyntWorld {
  readonly tiers: DeskInput["tiers"];
  readonly pool: PoolInput;
  readonly turns: readonly (TurnInput & { readonly atMs: number })[];
  readonly repertoire: SyntRepertoire;
  /** For whoever measures the run: they are posted to nobody. */
  readonly labels: readonly ProposalLabel[];
}

/** What a scenario knows of proposals. */
export interface ProposalLabel {
  readonly id: string;
  /** What stands in the proposal: in its chain, as `a → b`, or in its description or code. */
  readonly match: string;
  readonly is: "good" | "bad";
}

/** What the outside does to synt. */
export type SyntEvent =
  | { readonly does: "synt.homeostasis"; readonly lookbackMs: number | null }
  | {
      readonly does: "synt.revise";
      readonly request: string;
      readonly feedback: string | null;
      readonly target: string | null;
    }
  | { readonly does: "executor.revoke"; readonly executor: string };

export function syntLetter(event: SyntEvent): Letter {
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
  }
}

/** What every workspace of Metnos says of this. The words are the seed's. */
export const TELOS_PATH = `${WORKSPACE}/TELOS.md`;
export const TELOS =
  "5. Cultivate the tools: if I ask for something your pool cannot yet do,\n" +
  "   exhaust the synthesis strategies (compose, generate, ask) before\n" +
  '   answering "I cannot". Failure is allowed; silent retreat is not.\n';

export function openSynt(kernel: Kernel, world: SyntWorld, startsAtMs: number): void {
  const { tiers, pool, turns } = world;
  const desk: DeskInput = { startsAtMs, tiers };
  kernel.postFromOutside("stage", startActor("syntDesk", "synt", desk));
  kernel.postFromOutside("stage", startActor("pool", "pool", pool));
  kernel.postFromOutside("stage", startActor("ager", "ager", { startsAtMs }));
  for (const { atMs, ...turn } of turns) {
    const letter = startActor("userTurn", `gateway/${turn.turn}`, turn);
    kernel.postFromOutside(turn.turn, { ...letter, delayMs: atMs });
  }
}
