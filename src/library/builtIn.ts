/** The library over the parts that come with it: `world()`, verb by verb. What each does stands at `World`. */
import type { Meter as CheckedMeter } from "./checkedMeter.ts";
import { type World, world } from "./world.ts";

const builtIn = world();

/** A scenario by name or path. See `World.loadScenario`. */
export const loadScenario: World["loadScenario"] = builtIn.loadScenario;
/** The scenario of a YAML text. See `World.parseScenario`. */
export const parseScenario: World["parseScenario"] = builtIn.parseScenario;
/** Every number and switch of the policy. See `World.policyLeaves`. */
export const policyLeaves: World["policyLeaves"] = builtIn.policyLeaves;
/** The whole policy with other values. See `World.policyWith`. */
export const policyWith: World["policyWith"] = builtIn.policyWith;
/** Named sets of values of the policy, by path; `seed` is the defaults. */
export const profiles: World["profiles"] = builtIn.profiles;
/** The names of all metrics, in the order of the table. */
export const metricNames: World["metricNames"] = builtIn.metricNames;
/** For each metric its unit, whether each agent has one of its own, and what it says. */
export const metricTable: World["metricTable"] = builtIn.metricTable;
/** Measures a run from its event log: `new Meter(agents, scenario)`. See `World.Meter`. */
export const Meter: World["Meter"] = builtIn.Meter;
/** What `new Meter(agents, scenario)` gives. */
export type Meter = CheckedMeter;
/** Plays a scenario to its end, at once. See `World.simulate`. */
export const simulate: World["simulate"] = builtIn.simulate;
/** As `simulate`, with everything that was seen. See `World.observe`. */
export const observe: World["observe"] = builtIn.observe;
/** Plays a scenario to its end, whatever it needs. See `World.play`. */
export const play: World["play"] = builtIn.play;
/** As `play`, and leaves a bundle in a folder. See `World.record`. */
export const record: World["record"] = builtIn.record;
/** The report of a run as Markdown. See `World.report`. */
export const report: World["report"] = builtIn.report;
/** The bundle in a folder, checked byte by byte. See `World.readBundle`. */
export const readBundle: World["readBundle"] = builtIn.readBundle;
/** Plays a bundle again and compares every delivery. See `World.replay`. */
export const replay: World["replay"] = builtIn.replay;
/** The chain of causes back from what is asked about. See `World.why`. */
export const why: World["why"] = builtIn.why;
/** What `why` can be asked about a run. See `World.questions`. */
export const questions: World["questions"] = builtIn.questions;
/** A ranking of where a log may have gone wrong. See `World.suspectsOf`. */
export const suspectsOf: World["suspectsOf"] = builtIn.suspectsOf;
/** What is found in a log. See `World.findingsOf`. */
export const findingsOf: World["findingsOf"] = builtIn.findingsOf;
/** Two runs side by side. See `World.diff`. */
export const diff: World["diff"] = builtIn.diff;
/** The figures by which runs are compared. See `World.figuresOf`. */
export const figuresOf: World["figuresOf"] = builtIn.figuresOf;
/** Whether a run showed what an expectation asks for. See `World.judge`. */
export const judge: World["judge"] = builtIn.judge;
/** Puts properties to the test over many worlds. See `World.check`. */
export const check: World["check"] = builtIn.check;
/** Which choice or input decided an outcome. See `World.blame`. */
export const blame: World["blame"] = builtIn.blame;
/** The least changes after which an outcome is gone. See `World.prevent`. */
export const prevent: World["prevent"] = builtIn.prevent;
