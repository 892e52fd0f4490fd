/** What the gateway does, and what becomes of revisions and approvals, in words. */

import type { Words } from "../../contract/words.ts";
import { reasonsText } from "../../machines/installs/fault.ts";

const ended = (text: string): string => (/[.!?]["']?$/.test(text) ? text : `${text}.`);
const because = (reason: string | null): string =>
  reason === null || reason === "" ? "." : `: ${ended(reason)}`;
const whoever = (by: string): string => (by === "person" ? "The person" : by);
const GATEWAY = "gateway";
/** Ours: what a sentence can name. */
const PATHS_MAX = 5;

export const gatewayWords: Words = {
  "gateway.restarted": () =>
    "The gateway was restarted: what it had begun and not written is lost.",
  "gateway.found": ({ revision, half, did, why }) =>
    `The gateway found ${revision} with its ${half} half done, and ${did} it${because(why)}`,
  "gateway.foreign": ({ paths }) =>
    `The gateway found in its folder what it never wrote: ${paths.slice(0, PATHS_MAX).join(", ")}${paths.length > PATHS_MAX ? ` and ${paths.length - PATHS_MAX} more` : ""}.`,
  "gateway.damaged": ({ fault }) => `The gateway's books do not count: ${ended(fault)}`,
  "install.refused": ({ tool, by, agent, reasons }) =>
    `The gateway refused ${by}'s call of ${tool}${agent === undefined ? "" : ` for ${agent}`}${because(reasonsText(reasons))}`,
  "artifact.built": ({ artifact, by, files, isReused }) =>
    isReused
      ? `${artifact} was there already when ${by} built it.`
      : `${by} built ${artifact} of ${files.join(", ")}.`,
  "promotion.recorded": ({ artifact, role, pass, by, findings }) =>
    `${by} recorded as ${role} that ${artifact} ${pass ? "passes" : "does not pass"}` +
    because(findings.map(({ description }) => description).join("; ")),
  "revision.created": ({ revision, agent, gates, notes }) =>
    `${revision} of ${agent} was created, ${gates.length === 0 ? "without a gate" : `for ${gates.join(" and ")} to judge`}${because(notes.join("; "))}`,
  "revision.gated": ({ revision, gates }) => `${revision} waits for ${gates.join(" and ")}.`,
  "revision.approved": ({ revision }) => `${revision} may be promoted.`,
  "revision.activated": ({ revision, agent, before }) =>
    `${revision} of ${agent} is active${before === null ? "" : ` in place of ${before}`}.`,
  "revision.superseded": ({ revision, after }) => `${after} took the place of ${revision}.`,
  "revision.rolledBack": ({ revision, agent, after, reason }) =>
    `${agent} was rolled back from ${revision} to ${after ?? "nothing"}${because(reason)}`,
  "revision.rejected": ({ revision, reason }) =>
    `${revision} was rejected for good${because(reason)}`,
  "revision.recalled": () => null,
  "revision.standing": () => null,
  "gate.judged": ({ revision, missing }) =>
    missing.length === 0
      ? `The gate of ${revision} is open.`
      : `The gate of ${revision} is shut: ${missing.join(" and ")} must record.`,
  "gate.opened": () => null,
  "gate.shut": () => null,
  "gate.refused": ({ revision, by, reason }) =>
    `${by} wanted ${revision} promoted while its gate was shut: ${ended(reason)}`,
  "approval.requested": ({ approval, agent, factors }, { to }) =>
    to === GATEWAY
      ? `A person is asked about ${agent} (${approval}): ${factors.join(", ") || "no risk"}.`
      : null,
  "approval.ruled": ({ of, isApproved, by, reason }, { to }) =>
    to === GATEWAY
      ? `${whoever(by)} ${isApproved ? "approves of" : "rejects"} ${of}${because(reason)}`
      : null,
  "approval.decided": ({ approval, agent, isApproved, by }, { to }) =>
    to === GATEWAY
      ? `${whoever(by)} ${isApproved ? "approved" : "rejected"} the install of ${agent} (${approval}).`
      : null,
  "approval.expired": ({ approval, agent }, { to }) =>
    to === GATEWAY ? `Nobody decided on the install of ${agent} in time (${approval}).` : null,
  "approval.used": ({ approval, revision }) =>
    `${approval} let ${revision} through, and is used up.`,
  "approval.recalled": () => null,
};
