// Whether `why` names real causes in worlds with synt: each is taken out, and the outcome is another.

import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { RequestStory } from "../src/actors/synt/requestStory.ts";
import type { SyntStory } from "../src/actors/synt/story.ts";
import type { Scenario } from "../src/contract/scenario.ts";
import type { SimulateOptions } from "../src/run/simulate.ts";
import type { Delivery } from "../src/substrate/envelope.ts";
import type { Input } from "../src/substrate/port.ts";
import { observe, questions, why } from "./builtIn.ts";
import { carrying, mailIn } from "./mail.ts";
import { Premise } from "./premise.ts";
import { pythonPorts, syntScenario } from "./syntWorld.ts";

function watched(scenario: Scenario, options: SimulateOptions = {}) {
  const log: Delivery[] = [];
  const inputs: Input[] = [];
  const { story } = observe(scenario, {
    ...options,
    ports: pythonPorts,
    onDelivery: (one) => log.push(one),
    onInput: (one) => inputs.push(one),
  });
  return { log, inputs, story: story.synt };
}

type Watched = ReturnType<typeof watched>;

/** What each request was to close, as it was missed: by a plan, by no plan, by a night. */
const missedIn = (log: readonly Delivery[]): ReadonlyMap<unknown, unknown> =>
  new Map(mailIn(log, "synth.stated").map(({ request, proto }) => [request, proto]));

/**
 * What became of the thing in question, whatever number it has in another world. The same end by
 * another way is another outcome: for another name that was missed, with another R.
 */
function outcome({ log, story }: Watched, question: string, first: Watched): unknown {
  const [kind = "", name = ""] = question.split(/:(.*)/s);
  const missed = missedIn(log);
  const endOf = (one: RequestStory | undefined): unknown =>
    one && [one.states, one.endMs, one.rationale, one.reward, missed.get(one.request)];
  if (kind === "executor") {
    const one = story.executors.find((executor) => executor.name === name);
    return one && [one.state, one.sinceMs, missed.get(one.origin)];
  }
  if (kind === "request") {
    const asked = first.story.requests.find(({ request }) => request === name);
    const alike = (one: SyntStory) =>
      one.requests.filter(({ asker, intent }) => asker === asked?.asker && intent === asked.intent);
    const index = alike(first.story).findIndex(({ request }) => request === name);
    return endOf(alike(story)[index]);
  }
  const ran = carrying(log, "executor.ran").filter(({ from }) => from === `gateway/${name}`);
  const turn = story.turns.find((one) => one.turn === name);
  return [
    turn?.told,
    ran.map(({ event }) => event.executor),
    // A replayed plan rests on the requests of earlier turns that wanted the same.
    story.requests.filter(({ intent }) => intent === turn?.says).map(endOf),
  ];
}

const names = [
  ..."audit-example six-hops budget day-cap day-lock no-wise-tier generalise merge".split(" "),
  ..."month-lock specialise promotion format-json gym night-dossier".split(" "),
].map((name) => `synt-${name}`);
const worlds = names.flatMap((name) => {
  const scenario = syntScenario(name);
  return [null, ...Object.keys(scenario.variants)].map((variant) => ({ name, variant, scenario }));
});

const hasQuestions = new Premise();
const namesOrigins = new Premise();

describe.each(worlds)("$name, variant $variant", ({ variant, scenario }) => {
  const asItWas = watched(scenario, { variant });
  const { log, inputs } = asItWas;
  const asked = [undefined, ...questions(log).slice(0, 12)].flatMap(
    (question) => why(log, inputs, question) ?? [],
  );

  it("[VB12] explains every request, turn and executor in sentences", () => {
    hasQuestions.holds(asked.length > 0);
    const said = asked.flatMap(({ chain }) => chain.map(({ says }) => says));

    expect(asked.filter((one) => one.chain.length * one.origins.length === 0)).toEqual([]);
    expect(said.filter((says) => !/[.!?"]$/.test(says))).toEqual([]);
    expect(said.filter((says) => /\{"|undefined|\[object|\.\.$/.test(says))).toEqual([]);
  });

  it("[VB13] without what it names the outcome is another", () => {
    const worlds = new Map<string, Watched>();
    const tried: string[] = [];
    const same: string[] = [];
    for (const { question, origins } of asked) {
      for (const { kind, id } of origins.filter((origin) => origin.id !== "stage")) {
        const without = kind === "choice" ? { choices: [id] } : { events: [id] };
        const otherwise = worlds.get(id) ?? watched(scenario, { variant, without });
        worlds.set(id, otherwise);

        const what = `${question} without the ${kind} ${id}`;
        const before = outcome(asItWas, question, asItWas);
        expect(before, what).toBeDefined();
        tried.push(what);
        if (isDeepStrictEqual(outcome(otherwise, question, asItWas), before)) same.push(what);
      }
    }
    namesOrigins.holds(tried.length > 0);
    expect(same).toEqual([]);
  });
});

it("[VB12, VB13] most of these worlds have something to explain, and name what it comes from", () => {
  hasQuestions.expectAtLeast(0.8);
  namesOrigins.expectAtLeast(0.7);
});

describe("what is told of scores", () => {
  const said = watched(syntScenario("synt-chain-choice"));
  const scores = said.story.requests
    .flatMap(({ request }) => why(said.log, said.inputs, `request:${request}`)?.chain ?? [])
    .flatMap(({ says }) => (says.startsWith("R ") ? [says] : []));
  const telling = (what: RegExp): number => scores.filter((says) => what.test(says)).length;

  it("[SN80] says what each proposal scored, and what its terms add below the threshold", () => {
    expect(scores).toHaveLength(said.story.requests.length);
    const below = /is below the threshold: (judge_score|det_pass_rate) 0\.\d+ adds/;
    expect(telling(below)).toBeGreaterThan(0);
  });

  it("[SN80] says which term moved it since the same was scored before", () => {
    expect(telling(/In req-00\d\d it was 0\.\d+: judge_score/)).toBeGreaterThan(0);
  });
});
