/**
 * The library: the verbs of the product. `import { loadScenario, play, why } from "ghostlight"`.
 * Every error about what a program hands over passes `isEdgeError`; anything else thrown is a bug.
 */
import "./edges/bundle/nodeSha256.ts";

// What random worlds are drawn with; a program needs the version that the check runs on.
export { default as fc } from "fast-check";

// Some export nothing: with them a program's compiler knows every part of a scenario, metric and figure.
export type {} from "./actors/agents/figures.ts";
export type {} from "./actors/agents/meter.ts";
export type {} from "./actors/agents/stage.ts";
export type {} from "./actors/agents/story.ts";
export type {} from "./actors/imported/metrics.ts";
export type {} from "./actors/imported/part.ts";
export type {} from "./actors/imported/story.ts";
export type * from "./actors/installs/edge/contracts.ts";
export type { InstallsFigures } from "./actors/installs/figures.ts";
export type {} from "./actors/installs/meter.ts";
export type {} from "./actors/installs/stage.ts";
export type {} from "./actors/installs/story.ts";
export type { SkillsFigures } from "./actors/skills/figures.ts";
export type {} from "./actors/skills/macroMeter.ts";
export type {} from "./actors/skills/stage.ts";
export type {} from "./actors/skills/story.ts";
export type { SyntAnalysis } from "./actors/synt/analysed.ts";
export type * from "./actors/synt/edge/portContracts.ts";
export type { SyntFigures } from "./actors/synt/figures.ts";
export type {} from "./actors/synt/meter.ts";
export type {} from "./actors/synt/stage.ts";
export type {} from "./actors/synt/story.ts";
export type {} from "./actors/world/part.ts";
export type * from "./contract/book.ts";
export type * from "./contract/edge/edgePart.ts";
export type * from "./contract/edge/scenarioPart.ts";
// Exported whole, so that a part of a program's own can merge with their interfaces:
// `declare module "ghostlight" { interface Mail { … } }` reaches nothing that is exported by name.
export type * from "./contract/figures.ts";
export type * from "./contract/gauge.ts";
export { metricsIn, WORLD } from "./contract/gauge.ts";
export type * from "./contract/part.ts";
export type * from "./contract/policy.ts";
export type { Leaves } from "./contract/policyNeighbours.ts";
export { policyNeighbours } from "./contract/policyNeighbours.ts";
export type * from "./contract/property.ts";
export type * from "./contract/scenario.ts";
export type { Stage } from "./contract/stage.ts";
export type * from "./contract/startOf.ts";
export { startOf } from "./contract/startOf.ts";
export type * from "./contract/trace.ts";
export type { Sentence, Words } from "./contract/words.ts";
export type { WorldEvent, WorldSource } from "./contract/worldSource.ts";
export type { ReadBundle } from "./edges/bundle/bundleReader.ts";
export { parseDuration } from "./edges/duration.ts";
export { type EdgeError, isEdgeError } from "./edges/errors.ts";
export type { OwnEdge, OwnPart, OwnScenario } from "./edges/parts/ownPart.ts";
export type * from "./edges/program/portContracts.ts";
export type { Ports } from "./edges/program/portContracts.ts";
export type * from "./edges/program/portQuestions.ts";
export type { Finding } from "./edges/scenario/finding.ts";
export * as findings from "./edges/scenario/findingParts.ts";
export * as fields from "./edges/scenario/scenarioFields.ts";
export type { LoadedScenario } from "./edges/scenario/scenarioFile.ts";
export type { ScenarioSource } from "./edges/scenario/scenarioSchema.ts";
export type { LogFindings } from "./findings/findIn.ts";
export type { Occurrence } from "./findings/finding.ts";
export type { Guess, Suspect, Suspects } from "./findings/suspects.ts";
export type {
  Agent,
  AgentVariables,
  RecordAgentOptions,
  RecordedAgent,
  Rerun,
  RerunOptions,
} from "./library/agentRuns.ts";
export { recordAgent, rerun } from "./library/agents.ts";
export {
  blame,
  check,
  diff,
  figuresOf,
  findingsOf,
  judge,
  loadScenario,
  Meter,
  metricNames,
  metricTable,
  observe,
  parseScenario,
  play,
  policyLeaves,
  policyWith,
  prevent,
  profiles,
  questions,
  readBundle,
  record,
  replay,
  report,
  simulate,
  suspectsOf,
  why,
} from "./library/builtIn.ts";
export type {
  BlameOptions,
  BlameResult,
  PreventOptions,
  PreventResult,
} from "./library/causes.ts";
export type { CheckedProperty, CheckOptions, CheckResult } from "./library/check.ts";
export { arrivals, type ChartTypes, drawn, questionsBy, service } from "./library/ownMachines.ts";
export type { PlayedRun, PlayOptions, RecordedRun, RecordOptions } from "./library/play.ts";
export type { RunOptions } from "./library/runOptions.ts";
export type { SimulateOptions } from "./library/simulated.ts";
export { analyseSynt, listScenarios, type ReplayOptions } from "./library/verbs.ts";
export { definePart, type World, world } from "./library/world.ts";
// The mails of the parts export nothing: with them a program's compiler knows every event.
export type * from "./machines/agents/mail.ts";
export type {} from "./machines/files.ts";
export type {} from "./machines/imported/mail.ts";
export type {} from "./machines/installs/crew/crewMail.ts";
export type {} from "./machines/installs/crew/crewModel.ts";
export type {} from "./machines/installs/mail.ts";
export type * from "./machines/letter.ts";
export { answer, ask, cancelAsk, post, startActor } from "./machines/letter.ts";
export type * from "./machines/policyLeaf.ts";
export { choice, flag, integer, subset } from "./machines/policyLeaf.ts";
export type * from "./machines/portMail.ts";
export { type Outcome, onlyLogged, type Service } from "./machines/service.ts";
export type * from "./machines/skills/mail.ts";
export type * from "./machines/skills/mail.ts";
export type * from "./machines/skills/mail.ts";
export type * from "./machines/skills/mail.ts";
export type * from "./machines/synt/mail.ts";
export type { Observed } from "./run/compare.ts";
export type { DiffResult, DiffSide } from "./run/diff.ts";
export type { Verdict } from "./run/expect.ts";
export type { Recorded } from "./run/playRecorded.ts";
export type { ReplayResult } from "./run/replay.ts";
export type { RunResult } from "./run/simulate.ts";
export type { Explanation } from "./run/why.ts";
export type { Delivery, SeenDelivery } from "./substrate/envelope.ts";
export type { Level } from "./substrate/level.ts";
export type { Lines, Log } from "./substrate/log.ts";
export type {
  Input,
  PortReply,
  PortRequest,
  PromptProvider,
  Provider,
} from "./substrate/port.ts";
export type { NamedRandom, Stream } from "./substrate/random.ts";
export type { Interpreter } from "./substrate/statechart.ts";
