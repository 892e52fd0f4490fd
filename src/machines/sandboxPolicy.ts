/** What one run of Python in the sandbox may take. Source: hollow-agentOS where it says so; else ours. */
import { integer, type ValuesOf } from "./policyLeaf.ts";
import { seconds } from "./units.ts";

export const sandboxLeaves = {
  callTimeoutMs: integer(seconds(10), {
    says: "How long one call of a synthesized tool may take.",
    source: "hollow-agentOS, execution engine, dynamic tools (the seeds are silent)",
    unit: "ms",
    min: 1,
    max: seconds(600),
  }),
  parseLimitMs: integer(seconds(10), {
    says: "How long Python may take to read a text; one that takes longer is no tool.",
    source: "ours: far above the second that the longest text we read takes",
    unit: "ms",
    min: 1,
    max: seconds(600),
  }),
  eventsPerMs: integer(250, {
    says: "How many jumps backward and calls of Python, counted in steps of 51, take a virtual millisecond.",
    source: "ours: so few that the fuel ends before the wall on any machine",
    unit: "events per ms",
    min: 1,
    max: 1_000_000,
  }),
};

export type SandboxPolicy = ValuesOf<typeof sandboxLeaves>;
