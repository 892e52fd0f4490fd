/** The opening of a world with synt: who is started, which turns come when. */
import { startActor } from "../machines/letter.ts";
import { WORKSPACE } from "../machines/synt/contract.ts";
import type { PoolInput } from "../machines/synt/pool.ts";
import type { DeskInput } from "../machines/synt/syntDesk.ts";
import type { TurnInput } from "../machines/synt/turnAccount.ts";
import type { Kernel } from "../substrate/kernel.ts";
import type { SyntRepertoire } from "../substrate/scriptedSynt.ts";

export interface SyntWorld {
  readonly autonomy: DeskInput["autonomy"];
  readonly tiers: DeskInput["tiers"];
  readonly pool: PoolInput;
  readonly turns: readonly (TurnInput & { readonly atMs: number })[];
  readonly repertoire: SyntRepertoire;
}

/** What every workspace of Metnos says of this. The words are the seed's. */
export const TELOS_PATH = `${WORKSPACE}/TELOS.md`;
export const TELOS =
  "5. Cultivate the tools: if I ask for something your pool cannot yet do,\n" +
  "   exhaust the synthesis strategies (compose, generate, ask) before\n" +
  '   answering "I cannot". Failure is allowed; silent retreat is not.\n';

export function openSynt(kernel: Kernel, world: SyntWorld, startsAtMs: number): void {
  const { autonomy, tiers, pool, turns } = world;
  const desk: DeskInput = { startsAtMs, autonomy, tiers };
  kernel.postFromOutside("stage", startActor("syntDesk", "synt", desk));
  kernel.postFromOutside("stage", startActor("pool", "pool", pool));
  kernel.postFromOutside("stage", startActor("ager", "ager", { startsAtMs }));
  for (const { atMs, ...turn } of turns) {
    const letter = startActor("userTurn", `gateway/${turn.turn}`, turn);
    kernel.postFromOutside(turn.turn, { ...letter, delayMs: atMs });
  }
}
