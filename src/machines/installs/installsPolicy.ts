/** The switches of installing agents, composed from their files, and the real system's values of them. Source: seed 003; rulings I. */
import type { ValuesOf } from "../policyLeaf.ts";
import { artifactLeaves } from "./content/artifact.ts";
import { contentLeaves } from "./content/content.ts";
import { scriptedLeaves } from "./crew/crewModel.ts";
import { askLeaves } from "./crew/crewTools.ts";
import { builderLeaves } from "./crew/installer.ts";
import { judgeLeaves } from "./crew/judge.ts";
import { plannerLeaves } from "./crew/planner.ts";
import { detectionLeaves } from "./detection/detection.ts";
import { approvalLeaves } from "./gate/approval.ts";
import { shapeLeaves } from "./gate/capability.ts";
import { claimLeaves } from "./gate/evidence.ts";
import { agentIdLeaves } from "./gate/intent.ts";
import { checkedLeaves, matrixLeaves } from "./gate/promotionGate.ts";
import { recordLeaves } from "./gate/promotionRecords.ts";
import { verdictLeaves } from "./gate/verdict.ts";
import { loopLeaves } from "./gateway/turns.ts";
import { lockLeaves } from "./revisions/canonical.ts";
import { chainLeaves } from "./revisions/causalChain.ts";
import { rollbackLeaves } from "./revisions/revisionBook.ts";
import { ownerLeaves } from "./toolOwners.ts";
import { reachLeaves } from "./warden/reach.ts";
import { wardenLeaves } from "./warden/warden.ts";

const { asks, evidence, ...checkLeaves } = verdictLeaves;
const { tiedToRole, digest } = recordLeaves;

export const installsLeaves = {
  ...shapeLeaves,
  ...agentIdLeaves,
  ...ownerLeaves,
  asks,
  ...approvalLeaves,
  ...matrixLeaves,
  evidence,
  ...claimLeaves,
  ...checkLeaves,
  records: { tiedToRole, ...checkedLeaves, digest },
  ...detectionLeaves,
  content: contentLeaves,
  artifact: artifactLeaves,
  lock: lockLeaves,
  history: chainLeaves,
  rollback: rollbackLeaves,
  reach: reachLeaves,
  loops: loopLeaves,
  crew: { ...askLeaves, ...plannerLeaves, ...builderLeaves, ...judgeLeaves, ...scriptedLeaves },
  warden: wardenLeaves,
};

export type InstallsPolicy = ValuesOf<typeof installsLeaves>;

/** What the named profiles change here. */
export const installsProfiles = {
  real: {
    "installs.shape": "real",
    "installs.agentId": "loose",
    "installs.installers": ["specialized_builder.default", "evolution-steward.default"],
    "installs.asks": "first",
    "installs.approvalUses": "unlimited",
    "installs.broadWrites": "words",
    "installs.gate": "always",
    "installs.threatClaims": "unread",
    "installs.override": "accepted",
    "installs.threats": "in-evidence",
    "installs.analyzerNamed": true,
    "installs.existing": "refused",
    "installs.records.tiedToRole": false,
    "installs.records.checkedAt": "creation",
    "installs.records.digest": "first",
    "installs.analysis.kind": "pattern",
    "installs.analysis.table": "real",
    "installs.instructionsScanned": true,
    "installs.content.lookup": "aliases-first",
    "installs.content.sameAlias": "last",
    "installs.artifact.idOf": "contents",
    "installs.lock.namesArtifact": false,
    "installs.history.seals": "most",
    "installs.reach.scopes": "prefix",
    "installs.reach.segments": "any",
  },
} as const;
