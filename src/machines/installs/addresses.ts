/** Where the actors of the part live, and who judges. Source: seed 003. */
export const GATEWAY = "gateway";
export const WARDEN = "warden";
export const BUILDER = "specialized_builder.default";
export const PLANNER = "planner.default";
export const CODER = "coder.default";

export const revisionAddress = (id: string): string => `revision/${id}`;
export const approvalAddress = (id: string): string => `approval/${id}`;
export const gateAddress = (revision: string): string => `gate/${revision}`;

/** Who judges an artifact. */
export const ROLES = ["evaluator", "auditor"] as const;

export type Role = (typeof ROLES)[number];

/** The one address that judges as this role. */
export const judgeOf = (role: Role): string => `${role}.default`;

/** What the planner said of an install: that it needs no judge, or that it needs some. */
export const GATINGS = ["none", "required"] as const;

export type Gating = (typeof GATINGS)[number];
