/** What is measured of a log that was read in place of a run. */
import { metricsIn } from "../../contract/gauge.ts";

const messages = metricsIn("messages", "agent");
const calls = metricsIn("calls", "agent");
const tokens = metricsIn("tokens", "agent");

export const importedMetrics = {
  "log.records": metricsIn("records")("Records of an imported log."),
  "log.messages": messages(
    "Messages in an imported log; those of people count in the world alone.",
  ),
  "log.calls": calls("Calls of tools in an imported log."),
  "log.errors": calls(
    "Of these, the ones whose result is an error: the log says so, or it reads like one.",
  ),
  "log.empty": calls("Of these, the ones that returned nothing and no error."),
  "log.tokens.prompt": tokens("Tokens of prompts, where an imported log counts them."),
  "log.tokens.answer": tokens("Tokens of answers, likewise."),
};

type ImportedMetrics = typeof importedMetrics;

declare module "../../contract/gauge.ts" {
  interface Metrics extends ImportedMetrics {}
}

export type ImportedMetric = keyof ImportedMetrics;
