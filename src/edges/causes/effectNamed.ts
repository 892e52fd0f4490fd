/** An effect as people name it: a measured bound, an expectation, a question of `why`, a promise; else what the report tells first. */

import { measuredOn, metricNames, metricTable } from "../../contract/metricTable.ts";
import { type Expectation, OPERATORS, type Scenario, variantOf } from "../../contract/scenario.ts";
import type { SearchedRun } from "../../run/causes/asked.ts";
import { type Effect, firstTold, isUnknown, measured, occurs } from "../../run/causes/effect.ts";
import { propertiesOf } from "../../run/check/catalogue.ts";
import { questionForms, questions, why } from "../../run/why.ts";
import { parseDuration } from "../duration.ts";
import { BadInput, badInput, hintFor, quoted } from "../errors.ts";
import type { CheckedLists } from "../pool/checkWorlds.ts";
import type { Base } from "./baseRun.ts";

const FORMS =
  "METRIC[@ACTOR] OP VALUE [end|ever|DURATION], such as 'goals.abandoned >= 10 end'; the name of an expectation; " +
  "a question of `why`, such as goal:cedar/7; or the id of a promise";

/** Throws BadInput for what is nothing of this run, where nothing is to be explained, and where it is unknown what it came to. */
export function effectNamed(
  lists: CheckedLists,
  base: Base,
  run: SearchedRun,
  text: string | undefined,
): Effect {
  const effect = namedIn(lists, base, run, text);
  if (!isUnknown(lists.parts, effect, run.observed.meter)) return effect;
  throw badInput(
    "outcome",
    "a run of which it is unknown: a stand-in left its recording, and what follows is played blindly",
    "a run whose stand-ins go on as they were recorded",
    "Ask of the world as it was recorded, or what keeps them in it: 'recording.left > 0'.",
  );
}

function namedIn(
  lists: CheckedLists,
  base: Base,
  run: SearchedRun,
  text: string | undefined,
): Effect {
  if (text === undefined) return firstEffect(lists, run);
  const { expect } = variantOf(base.scenario, base.variant);
  const named = expect.find(({ name }) => name === text);
  if (named !== undefined) return expected(lists, named, run);
  const bound = BOUND.exec(text);
  if (bound !== null) return bounded(lists, base.scenario, text, bound);
  const promises = propertiesOf(lists.promised).filter(({ kind }) => kind === "world");
  if (promises.some(({ id }) => id === text)) {
    return { kind: "broken", property: text, says: `the promise ${text} is broken` };
  }
  const asked = questions(lists.parts, run.deliveries);
  if (asked.includes(text)) {
    return { kind: "asked", question: text, says: `\`why\` is asked of ${text}` };
  }
  const known = [...expect.map(({ name }) => name), ...promises.map(({ id }) => id), ...asked];
  const isQuestion = questionForms(lists.parts).some((form) =>
    text.startsWith(form.slice(0, form.indexOf(":") + 1)),
  );
  throw badInput(
    "outcome",
    isQuestion ? `${quoted(text)}, which this run gives no cause to ask` : quoted(text),
    FORMS,
    "`ghostlight metrics` lists the metrics, `ghostlight why BUNDLE --list` the questions.",
    hintFor(text, known),
  );
}

/** Blame is of what happened. */
export const notThere = (path: string, { says }: Effect): BadInput =>
  badInput(
    path,
    `${says}, which did not come about in this run`,
    "an outcome of this run",
    "`ghostlight prevent` looks for runs that show it.",
  );

/** Of one run there is no probability that could be shared out. */
export const noShares = (path: string): BadInput =>
  badInput(
    path,
    "shares of this very run",
    "shares of a probability",
    "Leave out `exact`, or the shares.",
  );

/** Of one run there is nothing that more continuations would tell. */
export const noTime = (path: string): BadInput =>
  badInput(
    path,
    "minutes for this very run",
    "minutes for a probability",
    "Leave out `exact`, or the minutes.",
  );

/** Whether so many minutes are not over yet. */
export function timeFor(minutes: number | undefined): (() => boolean) | undefined {
  if (minutes === undefined) return undefined;
  const endMs = performance.now() + minutes * 60_000;
  return () => performance.now() < endMs;
}

function firstEffect(
  { parts }: CheckedLists,
  { deliveries, inputs, observed }: SearchedRun,
): Effect {
  const told = why(parts, deliveries, inputs);
  const { meter, result } = observed;
  const seen = { meter, atMs: result.virtualMs, deliveries, broken: {} };
  const found = told && firstTold(parts, told, seen);
  if (found !== undefined) return found;
  throw badInput(
    "outcome",
    told === undefined
      ? "a run of which a report tells no failure and no trouble"
      : "a run of which what a report tells first has no name that another run could have",
    FORMS,
    "Name an outcome.",
  );
}

/** That it holds where it held in this run, and else that it does not. */
function expected(lists: CheckedLists, expectation: Expectation, run: SearchedRun): Effect {
  const { name } = expectation;
  const effect = { kind: "measured", expectation, holds: true, says: name } as const;
  const { meter, result } = run.observed;
  const seen = { meter, atMs: result.virtualMs, deliveries: [], broken: {} };
  if (occurs(lists.parts, effect, seen)) return effect;
  return { ...effect, holds: false, says: `not: ${name}` };
}

/** `load@vault > 0.5 ever` */
const BOUND =
  /^\s*([\w.-]+)(?:@([\w.-]+))?\s*(<=|>=|!=|=|<|>)\s*(-?\d+(?:\.\d+)?)(?:\s+(\w+))?\s*$/;

function bounded(
  { parts }: CheckedLists,
  { agents }: Scenario,
  text: string,
  [, name = "", actor, op = "", value = "", when = "end"]: RegExpExecArray,
): Effect {
  const metric = metricNames(parts).find((one) => one === name);
  if (metric === undefined) {
    throw bad(
      text,
      `the metric ${quoted(name)}`,
      "the name of a metric",
      hintFor(name, metricNames(parts)),
    );
  }
  const actors = measuredOn(metricTable(parts)[metric], { agents });
  if (actor !== undefined && !actors.includes(actor)) {
    throw bad(
      text,
      `the actor ${quoted(actor)}`,
      actors.join(" | ") || "none: it is the world's",
      hintFor(actor, actors),
    );
  }
  const atMs = parseDuration(when);
  if (when !== "end" && when !== "ever" && atMs === undefined) {
    throw bad(
      text,
      quoted(when),
      "end | ever | a duration such as 30m",
      hintFor(when, ["end", "ever"]),
    );
  }
  const sign = OPERATORS.find((one) => one === op) ?? "=";
  const at = when === "end" || when === "ever" ? when : (atMs ?? 0);
  return {
    ...measured({ metric, actor: actor ?? null, op: sign, value: Number(value), at }),
    says: text.trim(),
  };
}

const bad = (text: string, found: string, allowed: string, hint: object | undefined): BadInput =>
  new BadInput({
    where: { path: `outcome ${quoted(text)}` },
    ...{ found, allowed, ...hint },
    todo: "`ghostlight metrics` lists what can be measured, and of whom.",
  });
