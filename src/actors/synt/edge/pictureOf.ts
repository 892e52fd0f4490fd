/** The picture of a world with synt, gathered from its story. */

import type { Pictured } from "../../../contract/edge/edgePart.ts";
import { shortSpan } from "../../../edges/duration.ts";
import { merged } from "../../../edges/report/moments.ts";
import type { Step, Steps } from "../../../edges/report/pictureSteps.ts";
import { isTerminal } from "../../../machines/synt/contract.ts";
import { days } from "../../../machines/units.ts";
import type { RequestStory } from "../requestStory.ts";
import type { SyntStory } from "../story.ts";
import type { SyntPicture } from "./picture.ts";
import type { RequestEnd, RequestRow } from "./pictureRequests.ts";
import { costText, grouped, stateText } from "./report.ts";

interface SyntPictureFacts {
  readonly title: string;
  readonly startsAt: string;
  readonly endMs: number;
  readonly dayCents: number;
  /** What came from outside, besides the user's turns. */
  readonly outside: SyntPicture["marks"];
}

export function syntPictureOf({ scenario, observed }: Pictured): SyntPicture {
  const { result, story, variant } = observed;
  return pictureOfSynt(story.synt, {
    title: variant === null ? scenario.name : `${scenario.name}: ${variant}`,
    startsAt: scenario.startsAt,
    endMs: result.virtualMs,
    dayCents: result.policy.synt.budget.dayCents,
    outside: merged(story.moments),
  });
}

function pictureOfSynt(story: SyntStory, facts: SyntPictureFacts): SyntPicture {
  const { title, startsAt, endMs, dayCents, outside } = facts;
  const farewells = story.moments.filter(({ isFarewell }) => isFarewell);
  return {
    ...{ title, startsAt, endMs, nights: story.nights },
    turns: story.turns.map(({ turn, says, atMs, endMs: closedMs, ok }) => ({
      ...{ atMs, label: `${turn}: ${says}` },
      end: closedMs === null ? "open" : ok ? "done" : "declined",
    })),
    requests: grouped(story.requests).map((those) => rowOf(those, story, endMs)),
    marks: [...outside, ...farewells].toSorted((a, b) => a.atMs - b.atMs),
    steps: [poolSteps(story), ...moneySteps(story, Date.parse(startsAt), dayCents)],
  };
}

function rowOf(
  those: readonly RequestStory[],
  { questions }: SyntStory,
  endMs: number,
): RequestRow {
  const [first, last] = [those[0], those.at(-1)];
  if (first === undefined || last === undefined) throw new Error("a group has a member");
  const name = those.length === 1 ? first.request : `${first.request} to ${last.request}`;
  const asked = questions.filter((one) => those.some(({ request }) => request === one.request));
  return {
    label: `${name}, ${first.asker}: ${first.intent}`,
    outcome: outcomeOf(first, endMs),
    spans: those.flatMap((one) => spansOf(one, endMs)),
    ends: those.flatMap((one) => endOf(one)),
    questions: asked.map(({ atMs, decidedMs }) => ({
      atMs,
      toMs: decidedMs ?? first.endMs ?? endMs,
      isDecided: decidedMs !== null,
    })),
  };
}

const spansOf = ({ states }: RequestStory, endMs: number): RequestRow["spans"] =>
  states
    .map(({ state, atMs }, index) => ({
      ...{ state, fromMs: atMs, toMs: states[index + 1]?.atMs ?? endMs },
    }))
    .filter(({ state }) => !isTerminal(state));

function endOf({ states, endMs }: RequestStory): RequestRow["ends"] {
  const state = states.at(-1)?.state;
  if (endMs === null || state === undefined) return [];
  const end: RequestEnd =
    state === "suspended"
      ? "suspended"
      : state === "abandoned" || state === "rejected"
        ? "refused"
        : "made";
  return [{ end, atMs: endMs }];
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
      name: "money a day",
      lines: [{ label: "spent and set aside, ct", steps }],
      bound: { label: `cap ${dayCents} ct`, value: dayCents },
      format: (value) => value.toFixed(value < 10 ? 2 : 0),
    },
  ];
}
