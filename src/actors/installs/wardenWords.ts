/** What happens to agents because they were installed, in words. */
import { countOf } from "../../contract/countOf.ts";
import type { Words } from "../../contract/words.ts";

export const wardenWords: Words = {
  "active.changed": ({ agent, revision, how }) =>
    revision === null
      ? `${agent} is to live no more: none of its revisions is active.`
      : `${agent} is to live by ${revision.id}, ${how === "rolledBack" ? "after a rollback" : "which is active now"}.`,
  "installed.born": ({ agent, revision, fault }) =>
    fault === null
      ? `${agent} lives by ${revision}.`
      : `${agent} was not born by ${revision}: ${fault}.`,
  "installed.ended": ({ agent, revision }) => `${agent} no longer lives by ${revision}.`,
  "installed.spawned": ({ agent, child }) => `${agent} had ${child} born, under its own reach.`,
  "spawned.living": () => null,
  "reach.refused": ({ agent, call, why }) => `${agent} may not call ${call}: ${why}.`,
  "reach.breached": ({ agent, call, path, why }) =>
    `${agent} wrote ${path} through ${call}, beyond its reach: ${why}.`,
  "tools.withdrawn": ({ agent, revision, paths }) =>
    `With ${revision} of ${agent}, ${countOf(paths.length, "file")} of its tools went to the archive: ${paths.join(", ")}.`,
};
