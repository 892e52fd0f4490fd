/** What is promised of revisions in any world: gates, approvals, who installs. Source: seed 003; rulings I1, I5, I6, I10. */

import { worldPromises } from "../../../contract/promises.ts";
import { GATEWAY } from "../../../machines/installs/addresses.ts";
import { type Opening, openingBooks } from "../../../machines/installs/gateway/store.ts";
import { InstallsMirror, recordKey } from "./installsMirror.ts";

export const gateProperties = worldPromises({
  "installs-active-has-passed-its-gate": {
    says: "A revision that becomes active for the first time has a passing record of each judge that its gate demands, of its very content, at that moment.",
    source: "seed 003, Promotion Gate Failure; RULINGS I6, I10",
    watch: ({ installs }) => {
      const { records } = installs;
      const mirror = new InstallsMirror();
      return ({ delivery }) => {
        const { event, fate } = delivery;
        if (event.type === "actor.start" && event.machine === "gateway") {
          const { opening } = event.input as unknown as { readonly opening: Opening }; // As the stage opens it.
          mirror.opened(openingBooks(opening, installs));
        }
        const before =
          event.type === "revision.activated" ? mirror.revisions.get(event.revision) : null;
        const isFirst = before?.wasActive === false;
        mirror.observe(delivery);
        if (event.type !== "revision.activated" || fate !== "handled") return undefined;
        if (before == null) return `${event.revision} becomes active, and nobody created it.`;
        // A rollback passes no gate: what it makes active passed its own.
        if (!isFirst || records.checkedAt === "creation") return undefined;
        const { artifact, gates } = before;
        const missing = gates.find((role) => {
          const record = mirror.records.get(recordKey(artifact ?? "", role));
          const isOther = record?.digest !== mirror.digests.get(artifact ?? "");
          return record?.pass !== true || (records.digest === "bound" && isOther);
        });
        if (missing !== undefined) {
          return `${event.revision} becomes active without a passing record of the ${missing}.`;
        }
        return gates.length > 0 ? true : undefined;
      };
    },
  },
  "installs-approval-is-used-once": {
    says: "An approval lets at most one install through, and only one that was approved.",
    source: "RULINGS I5",
    watch: ({ installs: { approvalUses } }) => {
      const approved = new Set<string>();
      const used = new Set<string>();
      return ({ delivery: { event, fate } }) => {
        if (fate !== "handled") return undefined;
        if (event.type === "approval.decided" && event.isApproved) approved.add(event.approval);
        if (event.type !== "approval.used") return undefined;
        const { approval } = event;
        if (!approved.has(approval)) return `${approval} is used, and nobody approved of it.`;
        if (used.has(approval) && approvalUses === "once") return `${approval} is used twice.`;
        used.add(approval);
        return true;
      };
    },
  },
  "installs-are-the-builders-alone": {
    says: "No revision is created, promoted or rolled back, and no record made, but by those who own the tool, whatever a request claims.",
    source: "seed 003, first paragraph; RULINGS I6",
    judge: ({ delivery: { event, from } }, { installs: { installers, records } }) => {
      if (from !== GATEWAY) return undefined;
      switch (event.type) {
        case "revision.created":
        case "revision.activated":
        case "revision.rolledBack":
          return installers.some((one) => one === event.by)
            ? true
            : `${event.by} has ${event.revision} ${event.type.slice("revision.".length)}.`;
        case "promotion.recorded": {
          const { by, role } = event;
          const isJudge = ["evaluator.default", "auditor.default"].includes(by);
          const isOwn = by === `${role}.default` || (isJudge && !records.tiedToRole);
          return isOwn ? true : `${by} records as ${role}.`;
        }
        default:
          return undefined;
      }
    },
  },
  "installs-one-revision-is-active": {
    says: "Of an agent one revision is active at most: another becomes so only when it is superseded or rolled back; one that was rejected never does.",
    source: "RULINGS I1",
    watch: () => {
      const mirror = new InstallsMirror();
      return ({ delivery }) => {
        const { event, fate } = delivery;
        const isTurn = event.type === "revision.activated" && fate === "handled";
        const active = isTurn ? mirror.active.get(event.agent) : undefined;
        const isRejected = isTurn && mirror.revisions.get(event.revision)?.isRejected === true;
        mirror.observe(delivery);
        if (!isTurn) return undefined;
        if (isRejected) return `${event.revision} becomes active, and it was rejected.`;
        return active !== undefined && active !== event.revision
          ? `${event.revision} becomes active while ${active} is.`
          : true;
      };
    },
  },
});
