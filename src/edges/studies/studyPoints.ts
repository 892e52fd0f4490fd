/** The points that a study left in its folder, each as the run that its command opens. No seal vouches for them: all is checked anew. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import * as Schema from "effect/Schema";
import type { PolicyValue } from "../../contract/policyTree.ts";
import { shareDigits } from "../../machines/policyLeaf.ts";
import { ITSELF, SCENARIO, VARIANT } from "../../studies/study.ts";
import { defaultLimits } from "../../substrate/limits.ts";
import { command } from "../command.ts";
import { badInput } from "../errors.ts";
import type { PartLists } from "../parts/partLists.ts";
import type { RecordOptions } from "../play/recordRun.ts";
import { checkOverrides } from "../scenario/policyOverrides.ts";
import { limitedScenario, parseScenario } from "../scenario/scenarioFile.ts";
import { parsedJson } from "../strictValue.ts";
import { textOf } from "./runKey.ts";
import { STUDY_FILES } from "./studyFiles.ts";

const value = Schema.Union([
  Schema.Number,
  Schema.Boolean,
  Schema.String,
  Schema.Array(Schema.String),
]);
const setting = Schema.Record(Schema.String, value);
const whole = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const decode = Schema.decodeUnknownResult(
  Schema.Struct({
    format: Schema.Literal(1),
    study: Schema.Struct({
      name: Schema.String,
      scenario: Schema.Struct({
        ...{ name: Schema.String, text: Schema.String },
        isTrial: Schema.optionalKey(Schema.Boolean),
      }),
      scenarios: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
      untilMs: Schema.NullOr(whole),
      limits: Schema.Record(Schema.String, whole),
      variant: Schema.NullOr(Schema.String),
      set: setting,
      units: Schema.Struct({ leaves: Schema.Record(Schema.String, Schema.String) }),
    }),
    points: Schema.Array(Schema.Struct({ index: whole, seed: whole, values: setting })),
  }),
);

/** Ours: a study of some million points; none larger is read whole. */
const BYTES_MOST = 200_000_000;

type World = Pick<
  RecordOptions,
  "scenario" | "text" | "variant" | "seed" | "set" | "untilMs" | "interpreter"
>;

/** The first replicate of a point. Throws BadInput for a study, and for a point, that is none. */
export function pointOf(lists: PartLists, folder: string, index: number): World {
  const { study, points } = studyIn(folder);
  const point = points.find((one) => one.index === index);
  if (point === undefined) {
    throw badInput(
      { file: path.join(folder, STUDY_FILES.study), path: "points" },
      `no point ${index}`,
      "the number of one that was played",
      "The table of the study's page lists them.",
    );
  }
  const { [SCENARIO]: of, [VARIANT]: variant = study.variant ?? ITSELF, ...policy } = point.values;
  const text = textOf(study, of === undefined ? {} : { scenario: String(of) });
  const file = `${of ?? study.scenario.name}.yaml`;
  const loaded = { scenario: parseScenario(lists, text, file), text, file };
  const limited = limitedScenario(lists, loaded, limitsIn(study.limits));
  const { scenario } = limited;
  if (variant !== ITSELF && !Object.hasOwn(scenario.variants, String(variant))) {
    throw badInput("variant", String(variant), "a variant of its scenario", "Play the study anew.");
  }
  const set = Object.entries({ ...study.set, ...policy }).map(
    ([at, plotted]) => [at, inUnit(study.units.leaves[at], plotted)] as const,
  );
  const checked = checkOverrides(lists.parts, Object.fromEntries(set));
  return {
    ...{ scenario, text: limited.text, seed: point.seed, set: checked },
    variant: variant === ITSELF ? null : String(variant),
    untilMs: study.untilMs,
  };
}

/** As the leaf has it: files say shares as decimals. */
function inUnit(unit: string | undefined, plotted: PolicyValue): PolicyValue {
  const digits = shareDigits({ unit: unit ?? "" });
  return typeof plotted === "number" && digits !== undefined
    ? Math.round(plotted * 10 ** digits)
    : plotted;
}

function limitsIn(limits: { readonly [name: string]: number }): { [name: string]: number } {
  const known = Object.keys(defaultLimits);
  return Object.fromEntries(Object.entries(limits).filter(([name]) => known.includes(name)));
}

/** Throws BadInput for a folder without a point that can be played, such as that of a trial. */
export function refuseUnplayable(folder: string): void {
  studyIn(folder);
}

function studyIn(folder: string) {
  const file = path.join(folder, STUDY_FILES.study);
  const stats = statSync(file, { throwIfNoEntry: false });
  const isRead = stats?.isFile() === true && stats.size <= BYTES_MOST;
  const parsed = isRead ? parsedJson(readFileSync(file, "utf8")) : {};
  const decoded = "value" in parsed ? decode(parsed.value) : undefined;
  if (decoded?._tag === "Success") {
    if (decoded.success.study.scenario.isTrial !== true) return decoded.success;
    throw badInput(
      { file },
      "a trial, whose agent is no world that could be played",
      "what a study of worlds left",
      `Omit --play. Each of its runs is recorded: ${command`view ${path.join(folder, "runs/0-0")}`}`,
    );
  }
  throw badInput(
    { file },
    stats === undefined ? "no such file" : "no study as this version writes it",
    "the study.json of a study",
    "Give the study's command again: it writes its files anew and plays no run again.",
  );
}
