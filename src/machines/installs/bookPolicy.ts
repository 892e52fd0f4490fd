/** The switches of content, artifacts, revisions and enforcement, and what the real system has in their place. */
import type { ValuesOf } from "../policyLeaf.ts";
import { artifactLeaves } from "./content/artifact.ts";
import { contentLeaves } from "./content/content.ts";
import { loopLeaves } from "./loopGuard.ts";
import { lockLeaves } from "./revisions/canonical.ts";
import { chainLeaves } from "./revisions/causalChain.ts";
import { rollbackLeaves } from "./revisions/revisionBook.ts";
import { reachLeaves } from "./warden/reach.ts";

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
