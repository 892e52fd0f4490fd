/** What is measured of a log that was read in place of a run. */
const calls = { unit: "calls", perAgent: true };
const tokens = { unit: "tokens", perAgent: true };

export const importedMetrics = {
  "log.records": { unit: "records", perAgent: false, says: "Records of an imported log." },
  "log.messages": {
    unit: "messages",
    perAgent: true,
    says: "Messages in an imported log; those of people count in the world alone.",
  },
  "log.calls": { ...calls, says: "Calls of tools in an imported log." },
  "log.errors": {
    ...calls,
    says: "Of these, the ones whose result is an error: the log says so, or it reads like one.",
  },
  "log.empty": { ...calls, says: "Of these, the ones that returned nothing and no error." },
  "log.tokens.prompt": { ...tokens, says: "Tokens of prompts, where an imported log counts them." },
  "log.tokens.answer": { ...tokens, says: "Tokens of answers, likewise." },
};

type ImportedMetrics = typeof importedMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends ImportedMetrics {}
}

export type ImportedMetric = keyof ImportedMetrics;
