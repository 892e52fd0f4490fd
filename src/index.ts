/** The library: the verbs of the product. `import { loadScenario, simulate, why } from "ghostlight"`. */
import "./edges/nodeSha256.ts";

export { type Figures, figuresOf, type Observed, observe } from "./compare.ts";
export { type DiffResult, type DiffSide, diff } from "./diff.ts";
export { type ReadBundle, readBundle } from "./edges/bundleReader.ts";
export { isEdgeError } from "./edges/errors.ts";
export {
  type LoadedScenario,
  listScenarios,
  loadScenario,
  parseScenario,
} from "./edges/scenarioFile.ts";
export { judge, type Verdict } from "./expect.ts";
export { policyLeaves, policyWith, profiles } from "./machines/policy.ts";
export { Meter } from "./metrics.ts";
export { metricNames, metricTable } from "./metricTable.ts";
export type { Recorded } from "./playRecorded.ts";
export { type ReplayResult, replay } from "./replay.ts";
export type { Scenario } from "./scenario.ts";
export { type RunResult, type SimulateOptions, simulate } from "./simulate.ts";
export type { Delivery } from "./substrate/envelope.ts";
export type { Input } from "./substrate/port.ts";
export { analyseSynt, type SyntAnalysis } from "./syntAnalysis.ts";
export { type Explanation, questions, why } from "./why.ts";
