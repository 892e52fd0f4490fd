// The audit of synt, as it stands in the virtual files.
import { AUDIT_FOLDER, type Stated } from "../src/machines/synt/contract.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import { mailIn } from "./mail.ts";

export interface AuditLine {
  readonly request_id: string;
  readonly mode: string;
  readonly state: Stated["state"];
  readonly strategy: string | null;
  readonly target_intent: string;
  readonly rationale: string;
  readonly error?: string;
  readonly chain?: readonly string[];
  /** Every proposal that was scored since the line before. */
  readonly weighed?: readonly object[];
  readonly cost_cents: number;
  readonly line: number;
  readonly ts: string;
  readonly certified?: {
    readonly budget_cents: number;
    readonly lines: number;
    readonly within_budget: boolean;
  };
}

export const auditLines = (log: readonly Delivery[]): readonly AuditLine[] =>
  mailIn(log, "files.append")
    .filter(({ path }) => path.startsWith(AUDIT_FOLDER))
    .map(({ text }) => JSON.parse(text) as AuditLine);
