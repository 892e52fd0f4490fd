/** The picture of a world with synt: turns, requests by state, nights, the pool and money. */

import type { Pictured } from "../../../contract/edge/edgePart.ts";
import {
  ink,
  type Mark,
  type PhaseLooks,
  type Picture,
  type Point,
  type Row,
  type SignLooks,
  type Span,
  type Step,
  type Steps,
} from "../../../contract/picture.ts";
import { shortSpan } from "../../../edges/duration.ts";
import { merged } from "../../../edges/report/moments.ts";
import { isTerminal } from "../../../machines/synt/contract.ts";
import { days } from "../../../machines/units.ts";
import type { RequestStory } from "../requestStory.ts";
import type { SyntStory } from "../story.ts";
import { costText, grouped, stateText } from "./report.ts";

const phases: PhaseLooks = {
  // States that follow one another differ in lightness too.
  composing: { shape: "bar", colour: ink.sky },
  composed: { shape: "bar", colour: ink.good },
  generating: { shape: "bar", colour: ink.orange },
  proposed: { shape: "bar", colour: ink.pink },
  asked: { shape: "awaited", colour: ink.text, says: "asked at the gate, decided" },
};

const signs: SignLooks = {
  "turn done": { shape: "disc", colour: ink.good },
  "turn declined": { shape: "times", colour: ink.bad },
  "turn open": { shape: "ring", colour: ink.open, says: null },
  question: { shape: "diamond", colour: ink.text, says: null },
  decision: { shape: "disc", colour: ink.text, says: null },
  made: { shape: "disc", colour: ink.green, at: "behind", says: "delivered or made" },
  refused: { shape: "times", colour: ink.bad, at: "behind", says: "abandoned or rejected" },
  suspended: { shape: "square", colour: ink.open, at: "behind" },
};

/** The user's turns, a row for each request with its states, the size of the pool and the day's money. */
export function syntPicture({ scenario, observed }: Pictured): Picture {
  const { result, story } = observed;
  const { synt } = story;
  const endMs = result.virtualMs;
  const { dayCents } = result.policy.synt.budget;
  const farewells: readonly Mark[] = synt.moments.filter(({ isFarewell }) => isFarewell);
  return {
    says: "Requests to synt, the pool and money over virtual time",
    phases,
    signs,
    lanes: [
      ...turnsRow(synt),
      ...grouped(synt.requests).map((those) => rowOf(those, synt, endMs)),
      poolSteps(synt),
      ...moneySteps(synt, Date.parse(scenario.startsAt), dayCents),
    ],
    instants: { says: "night", at: synt.nights },
    // What came from outside besides the user's turns, and farewells of executors.
    marks: [...merged(story.moments), ...farewells].toSorted((a, b) => a.atMs - b.atMs),
  };
}

function turnsRow({ turns }: SyntStory): readonly Row[] {
  if (turns.length === 0) return [];
  const points = turns.map(({ turn, says, atMs, endMs, ok }) => ({
    kind: `turn ${endMs === null ? "open" : ok ? "done" : "declined"}`,
    atMs,
    says: `${turn}: ${says}`,
  }));
  return [{ is: "row", label: "turns", outcome: "", spans: [], points }];
}

function rowOf(those: readonly RequestStory[], { questions }: SyntStory, endMs: number): Row {
  const [first, last] = [those[0], those.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a group has a member");
  const name = those.length === 1 ? first.request : `${first.request} to ${last.request}`;
  const asked = questions.filter((one) => those.some(({ request }) => request === one.request));
  return {
    is: "row",
    label: `${name}, ${first.asker}: ${first.intent}`,
    outcome: outcomeOf(first, endMs),
    spans: [
      ...those.flatMap((one) => spansOf(one, endMs)),
      ...asked.map(({ atMs, decidedMs }) => ({
        phase: "asked",
        fromMs: atMs,
        toMs: decidedMs ?? first.endMs ?? endMs,
      })),
    ],
    points: [
      ...those.flatMap((one) => endOf(one)),
      ...asked.map(({ atMs }) => ({ kind: "question", atMs })),
      ...asked.flatMap(({ decidedMs }) =>
        decidedMs === null ? [] : [{ kind: "decision", atMs: decidedMs }],
      ),
    ],
  };
}

const spansOf = ({ states }: RequestStory, endMs: number): readonly Span[] =>
  states
    .map(({ state, atMs }, index) => ({
      phase: state,
      fromMs: atMs,
      toMs: states[index + 1]?.atMs ?? endMs,
    }))
    .filter(({ phase }) => !isTerminal(phase));

/** R, and what each term adds to it. */
function rewardText({ reward, terms }: RequestStory): string {
  if (reward === null || terms === null) return "";
  const parts = Object.entries(terms).map(([term, adds]) => `${term} ${adds.toFixed(3)}`);
  return `R ${reward.toFixed(3)} = ${parts.join(" + ")}`;
}

function endOf(request: RequestStory): readonly Point[] {
  const { states, endMs } = request;
  const state = states.at(-1)?.state;
  if (endMs === null || state === undefined) return [];
  const kind =
    state === "suspended"
      ? "suspended"
      : state === "abandoned" || state === "rejected"
        ? "refused"
        : "made";
  const says = rewardText(request);
  return [{ kind, atMs: endMs, ...(says !== "" && { says }) }];
}

function outcomeOf(request: RequestStory, endMs: number): string {
  const { reward, states, spent, endMs: endedMs } = request;
  const took = (endedMs ?? endMs) - (states[0]?.atMs ?? 0);
  return [
    stateText(request),
    ...(reward === null ? [] : [`R ${reward.toFixed(2)}`]),
    ...(spent === 0 ? [] : [costText(request)]),
    shortSpan(took),
  ].join("  ·  ");
}

function poolSteps({ pool }: SyntStory): Steps {
  const steps = (of: "loaded" | "visible"): Step[] =>
    pool.map((sample) => ({ atMs: sample.atMs, value: sample[of] }));
  const last = pool.at(-1) ?? { loaded: 0, visible: 0 };
  return {
    is: "steps",
    name: "executors",
    lines: [
      { label: `${last.loaded} can be called (wide line)`, steps: steps("loaded") },
      { label: `planners see ${last.visible}`, steps: steps("visible") },
    ],
    bound: null,
    format: String,
  };
}

/** What is spent and set aside on each day, which begins with nothing; no panel without money. */
function moneySteps({ money }: SyntStory, startsAtMs: number, dayCents: number): Steps[] {
  if (money.every(({ cents }) => cents === 0)) return [];
  const steps = money.flatMap(({ atMs, day, cents }, index): Step[] => {
    const before = money[index - 1];
    const midnight = before === undefined ? atMs : (before.day + 1) * days(1) - startsAtMs;
    const isNewDay = before !== undefined && before.day !== day && midnight < atMs;
    return [...(isNewDay ? [{ atMs: midnight, value: 0 }] : []), { atMs, value: cents }];
  });
  return [
    {
      is: "steps",
      name: "money a day",
      lines: [{ label: "spent and set aside, ct", steps }],
      bound: { label: `cap ${dayCents} ct`, value: dayCents },
      format: (value) => value.toFixed(value < 10 ? 2 : 0),
    },
  ];
}
