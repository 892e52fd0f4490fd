/** Promises about what command lines of agents change. Source: DESIGN §2, "Ports"; ours. */

import { changedFiles } from "../../../contract/changedFiles.ts";
import { worldPromises } from "../../../contract/promises.ts";
import type { Mail } from "../../../machines/letter.ts";

const NOTHING: Mail["files.apply"] = { changed: {} };

export const shellProperties = worldPromises({
  "shell-overwrites-nobody": {
    says: "What a command line changed is kept only where no other has changed those files since it looked.",
    source: "SPEC SH9; ours",
    watch: () => {
      const last = new Map<
        string,
        { readonly ms: number; readonly seq: number; readonly gone: boolean }
      >();
      return ({ delivery, world }) => {
        const { event, dueMs: ms, seq } = delivery;
        const kept = changedFiles(delivery);
        const { since, changed } = event.type === "files.apply" ? event : NOTHING;
        const wanted = since === undefined ? {} : changed;
        const other = Object.keys(wanted).find((path) => {
          const before = last.get(path);
          if (since === undefined || before === undefined) return false;
          if (before.gone && wanted[path] === null) return false;
          return before.ms > since.ms || (before.ms === since.ms && before.seq > since.seq);
        });
        for (const path of kept) last.set(path, { ms, seq, gone: world.file(path) === undefined });
        if (since === undefined) return undefined;
        if (other === undefined || kept.length === 0) return true;
        return `a command line changed ${kept[0]}, although ${other} was changed since it looked.`;
      };
    },
  },
});
