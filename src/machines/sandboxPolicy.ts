/** What one run of Python in the sandbox may take. Source: hollow-agentOS where it says so; else ours. */
import { between, integer, type ValuesOf } from "./policyLeaf.ts";
import { seconds } from "./units.ts";

export const sandboxLeaves = {
  callTimeoutMs: integer(seconds(10), {
    says: "How long one call of a synthesized tool may take.",
    source: "hollow-agentOS, execution engine, dynamic tools (the seeds are silent)",
    ...between(1, seconds(600), "ms"),
  }),
  parseLimitMs: integer(seconds(10), {
    says: "How long Python may take to read a text; one that takes longer is no tool.",
    source: "ours: far above the second that the longest text we read takes",
    ...between(1, seconds(600), "ms"),
  }),
  eventsPerMs: integer(250, {
    says: "How many jumps backward and calls of Python, counted in steps of 51, take a virtual millisecond.",
    source: "ours: so few that the fuel ends before the wall on any machine",
    ...between(1, 1_000_000, "events per ms"),
  }),
};

export type SandboxPolicy = ValuesOf<typeof sandboxLeaves>;
