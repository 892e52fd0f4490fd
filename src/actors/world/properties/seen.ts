/** What properties may know of every world, followed through the event log alone: the virtual files. */

import type { PartPromises } from "../../../contract/part.ts";
import { fileAt, type Tree } from "../../../machines/fileTree.ts";
import { withChanges } from "../../../substrate/changes.ts";
import type { SeenDelivery } from "../../../substrate/envelope.ts";

declare module "../../../contract/property.ts" {
  interface SeenParts {
    readonly world: WorldSeen;
  }
}

interface Holding {
  readonly tree: Tree;
}

class WorldSeen {
  #files: Holding = { tree: {} };

  observe(delivery: SeenDelivery): void {
    const { to, event } = delivery;
    const isBorn = to === "kernel" && event.type === "actor.start" && event.machine === "files";
    if (to !== "files" && !isBorn) return;
    const { changes } = delivery;
    if (changes.length === 0) return;
    this.#files = withChanges(isBorn ? {} : this.#files, changes) as Holding;
  }

  /** The text of a virtual file; undefined when there is none. */
  file(path: string): string | undefined {
    return fileAt(this.#files.tree, path)?.text;
  }
}

export const promises: PartPromises = { seen: () => ({ world: new WorldSeen() }) };
