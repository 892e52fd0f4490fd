/** What decided a run that is looked at, asked from its page: what `blame` finds, kept as long as the page is served. */
import { accessSync, constants } from "node:fs";
import { blameOf } from "../../run/causes/asked.ts";
import type { ViewAsks, ViewBlame, ViewHead } from "../../viewer/viewData.ts";
import { baseOfBundle } from "../causes/baseRun.ts";
import { blameShown } from "../causes/blameText.ts";
import { notThere } from "../causes/effectNamed.ts";
import { keepBlame } from "../causes/keepBlame.ts";
import { searched } from "../causes/searched.ts";
import type { PartLists } from "../parts/partLists.ts";
import { cacheFolder } from "../play/keptAnswers.ts";
import { checkedLists } from "../pool/checkWorlds.ts";
import { withBlame } from "./openRun.ts";
import type { Player } from "./player.ts";
import type { ServedRun } from "./servedRun.ts";

interface AskOptions {
  /** Whether it is also left in the bundle. */
  readonly keeps: boolean;
  readonly onDone: (says: string) => void;
  readonly signal: AbortSignal;
}

/** Those of every run that is looked at. */
export class Blames {
  readonly #lists: PartLists;
  readonly #partFiles: readonly string[] | undefined;
  readonly #player: Player;
  /** By the folder of the run. */
  readonly #found = new Map<string, ViewBlame>();

  constructor(lists: PartLists, player: Player, partFiles: readonly string[] | undefined) {
    this.#lists = lists;
    this.#player = player;
    this.#partFiles = partFiles;
  }

  on(head: ViewHead, { of: { folder } }: ServedRun): ViewHead {
    const found = this.#found.get(folder);
    return found === undefined ? head : withBlame(head, found);
  }

  /** Null where it cannot be asked. */
  asksOf({ head, of: { folder } }: ServedRun): ViewAsks | null {
    return head.asksBlame === null ? null : { canKeep: isWritable(folder) };
  }

  /** Throws BadInput where it cannot be asked, or while something else is played, and Interrupted. */
  async ask({ of }: ServedRun, { keeps, onDone, signal }: AskOptions): Promise<void> {
    const { folder, manifest } = of;
    const shown = await this.#player.alone(async () => {
      const lists = await checkedLists(this.#lists);
      const cache = cacheFolder(undefined);
      const options = { cache, partFiles: this.#partFiles, signal, onDone };
      const base = baseOfBundle(lists, folder);
      return searched(lists, base, { ...options, sandbox: "auto" }, async (search) => {
        const { effect, run } = search;
        const isExact = false;
        const how = { isExact, withCurve: true, withShares: false, policy: true };
        const answered = await blameOf({ ...search, onFound: () => {} }, how);
        if (answered === undefined) throw notThere("outcome", effect);
        return blameShown({ effect, isExact, ...answered }, run.deliveries);
      });
    });
    this.#found.set(folder, shown);
    const { final } = manifest;
    if (keeps && final !== undefined) keepBlame(folder, final.digest, shown);
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
