/** Who judges an artifact. Source: seed 003, promotion gate. */
export const ROLES = ["evaluator", "auditor"] as const;

export type Role = (typeof ROLES)[number];

/** The one address that judges as this role. */
export const judgeOf = (role: Role): string => `${role}.default`;

/** What the planner said of an install: that it needs no judge, or that it needs some. */
export type Gating = "none" | "required";
