/** How long those who install wait, and how often they may think. Source: ours, where nothing else is named. */
import { integer, type ValuesOf } from "../policyLeaf.ts";
import { days, minutes, seconds } from "../units.ts";
import { slipLeaves } from "./slipLeaves.ts";

const latency = (ms: number, says: string) =>
  integer(ms, {
    ...{ unit: "ms", min: 1, max: minutes(10), source: "ours" },
    says: `Of the scripted model: ${says}.`,
  });

const wait = (ms: number, says: string) =>
  integer(ms, { unit: "ms", min: 1, max: days(30), says, source: "ours" });

export const crewLeaves = {
  modelTimeoutMs: wait(minutes(10), "Longest wait for a model's answer."),
  toolTimeoutMs: wait(minutes(10), "Longest wait for the gateway; after it, the builder wakes up."),
  workTimeoutMs: wait(
    days(2),
    "Longest wait of the planner for what it delegated; a person's decision is within it.",
  ),
  decisions: integer(16, {
    says: "How many decisions the planner takes for one agent before it stops.",
    source: "ours",
    unit: "decisions",
    min: 1,
    max: 200,
  }),
  builds: integer(3, {
    says: "How often the coder builds for one agent.",
    source: "ours",
    unit: "builds",
    min: 1,
    max: 50,
  }),
  looks: integer(3, {
    says: "How often the builder may look something up before it must go on.",
    source: "ours",
    unit: "calls",
    min: 0,
    max: 50,
  }),
  wakes: integer(3, {
    says: "How often in one install the builder wakes up because the gateway did not answer.",
    source: "ours",
    unit: "times",
    min: 1,
    max: 50,
  }),
  files: integer(40, {
    says: "How many files of an artifact a judge reads; what lies beyond them is said.",
    source: "ours",
    unit: "files",
    min: 1,
    max: 1_000,
  }),
  slips: slipLeaves,
  latency: {
    planMs: latency(seconds(15), "a decision of the planner"),
    buildMs: latency(seconds(60), "the files of an artifact"),
    turnMs: latency(seconds(10), "the builder's next call"),
    evaluateMs: latency(seconds(40), "an evaluation"),
    auditMs: latency(seconds(40), "an audit"),
  },
};

export type CrewPolicy = ValuesOf<typeof crewLeaves>;
