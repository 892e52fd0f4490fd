/** The switches of content, artifacts, revisions and enforcement, and what the real system has in their place. */
import type { ValuesOf } from "../policyLeaf.ts";
import { artifactLeaves } from "./artifact.ts";
import { lockLeaves } from "./canonical.ts";
import { chainLeaves } from "./causalChain.ts";
import { contentLeaves } from "./content.ts";
import { loopLeaves } from "./loopGuard.ts";
import { reachLeaves } from "./reach.ts";
import { rollbackLeaves } from "./revisionBook.ts";

export const bookLeaves = {
  content: contentLeaves,
  artifact: artifactLeaves,
  lock: lockLeaves,
  history: chainLeaves,
  rollback: rollbackLeaves,
  reach: reachLeaves,
  loops: loopLeaves,
};

export type InstallBookPolicy = ValuesOf<typeof bookLeaves>;

/** By path: for the part's profile `real`. */
export const bookReal = {
  "installs.content.lookup": "aliases-first",
  "installs.content.sameAlias": "last",
  "installs.artifact.idOf": "contents",
  "installs.lock.namesArtifact": false,
  "installs.history.seals": "most",
  "installs.reach.scopes": "prefix",
  "installs.reach.segments": "any",
} as const;
