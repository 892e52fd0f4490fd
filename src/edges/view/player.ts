/** Plays what a page asks for, one at a time, into bundles that are gone when the page's server ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Observed } from "../../run/compare.ts";
import { claimFolder } from "../bundle/bundleWriter.ts";
import { badInput } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";
import { folderName, type RecordOptions, recordRun } from "../play/recordRun.ts";

export interface PlayOptions {
  /** Hears of the virtual time now and then. */
  readonly onMs?: (virtualMs: number) => void;
  /** Of whoever asked, and may leave. */
  readonly signal?: AbortSignal;
}

/** A run that was played: its bundle, and what was seen of it. */
export interface Played {
  readonly folder: string;
  readonly observed: Observed;
}

export class Player {
  readonly #lists: PartLists;
  #folder: string | undefined;
  #isBusy = false;

  constructor(lists: PartLists) {
    this.#lists = lists;
  }

  /** Throws BadInput while another one is played, and the signal's reason where whoever asked has left. */
  play(
    world: Omit<RecordOptions, "folder" | "withLog" | "onSlice">,
    { onMs, signal }: PlayOptions,
  ): Promise<Played> {
    return this.alone(async () => {
      const { scenario, variant, seed } = world;
      const folder = this.#newFolder(folderName(scenario.name, variant, seed));
      const onSlice = (nowMs: number): boolean => {
        onMs?.(nowMs);
        return signal?.aborted ?? false;
      };
      const { observed } = await recordRun(this.#lists, {
        ...world,
        folder,
        withLog: true,
        onSlice,
      });
      signal?.throwIfAborted();
      return { folder, observed };
    });
  }

  /** Whatever plays, one at a time. Throws BadInput while another does. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isBusy) {
      throw badInput(
        "play",
        "another run that is being played",
        "one at a time",
        "Play it when that one is over.",
      );
    }
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#isBusy = false;
    }
  }

  dispose(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Each below one of its own: one that was stopped leaves what it had. */
  #newFolder(name: string): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), "ghostlight-played-"));
    const folder = join(mkdtempSync(join(this.#folder, "v")), name);
    claimFolder(folder);
    return folder;
  }
}
