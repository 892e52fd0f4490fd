/** What the gateway knows when it judges an install. */

import type { Role } from "./addresses.ts";
import type { Evidence, Unfamiliar } from "./detection/detection.ts";
import type { Analysis } from "./evidence.ts";
import type { PromotionRecords } from "./promotionRecords.ts";

export interface SeenThreat {
  readonly pattern: string;
  readonly severity: "low" | "medium" | "high" | "critical";
  readonly file: string;
  readonly line: number;
}

/** The artifact that an intent names, as its inspection found it. */
export type SeenArtifact =
  | { readonly digest: string; readonly files: readonly string[] }
  | { readonly error: string };

/** What the gateway knows of an install, none of it from the intent. */
export interface InstallFacts {
  /** Whoever sent the request, by the kernel's stamp. */
  readonly from: string;
  readonly tool: string;
  /** Null where the intent names none. */
  readonly artifact: SeenArtifact | null;
  readonly analysis: Analysis & {
    readonly analyzer: string;
    readonly evidence: readonly Evidence[];
    readonly threats: readonly SeenThreat[];
    readonly unfamiliar: readonly Unfamiliar[];
  };
  /** Whose judgement this install needs. */
  readonly gates: readonly Role[];
  readonly records: PromotionRecords;
  /** An agent of this id lives already. */
  readonly isThere: boolean;
  /** This very intent was approved. */
  readonly isApproved: boolean;
}
