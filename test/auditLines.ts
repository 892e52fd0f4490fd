// The audit of synt, as it stands in the virtual files.
import { AUDIT_FOLDER } from "../src/machines/synt/contract.ts";
import type { Delivery } from "../src/substrate/envelope.ts";

interface AuditLine {
  readonly request_id: string;
  readonly state: string;
  readonly rationale: string;
  readonly error?: string;
}

export const auditLines = (log: readonly Delivery[]): readonly AuditLine[] =>
  log
    .filter(({ event }) => event.type === "files.append")
    .filter(({ event }) => String(event["path"]).startsWith(AUDIT_FOLDER))
    .map(({ event }) => JSON.parse(String(event["text"])) as AuditLine);
