/** Where the actors of the part live. Source: seed 003. */
export const GATEWAY = "gateway";
export const BUILDER = "specialized_builder.default";
export const PLANNER = "planner.default";
export const CODER = "coder.default";

export const revisionAddress = (id: string): string => `revision/${id}`;
export const approvalAddress = (id: string): string => `approval/${id}`;
export const gateAddress = (revision: string): string => `gate/${revision}`;
