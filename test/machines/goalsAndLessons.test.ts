// Gate and lessons in a world: with agents, files, a model written by hand, and restarts.

import { describe, expect, it } from "vitest";
import { parts } from "../../src/builtIn/parts.ts";
import { candidatesPath, lessonsPath } from "../../src/machines/agents/lessons/lessons.ts";
import type { EventType, MailOf } from "../../src/machines/letter.ts";
import { minutes, seconds } from "../../src/machines/units.ts";
import { openStage } from "../../src/run/openStage.ts";
import type { PortReply, PortRequest } from "../../src/substrate/port.ts";
import { policyWith } from "../builtIn.ts";
import { mailIn } from "../mail.ts";
import { type VillageOptions, village } from "./village.ts";

const PAGE = "/agentOS/workspace/cedar/page.md";
const TEXT = "The page stands here, whole and long enough for everybody to read. ".repeat(4);

type Answers = { readonly [purpose: string]: object | ((nth: number) => object | PortReply) };

const answers: Answers = {
  "goal.choose": { action: "goal", slug: "page", content: "Write the page", artifact: PAGE },
  plan: {
    steps: Array.from({ length: 5 }, () => ({
      intent: "write file",
      params: { path: PAGE, content: TEXT },
    })),
  },
  "judge.goal": { passes: true, reason: "it is all there" },
  "lesson.extract": { lesson: "Rest at night", category: "planning", confidence: "low" },
};

/** One agent who writes its page and is judged, over and over. */
function started(changed: Answers = {}, options: VillageOptions = {}) {
  const purposes: string[] = [];
  const counts = new Map<string, number>();
  const model = ({ purpose }: PortRequest<"llm.asked">): string | PortReply => {
    purposes.push(purpose);
    const nth = (counts.get(purpose) ?? 0) + 1;
    counts.set(purpose, nth);
    const answer = { ...answers, ...changed }[purpose] ?? {};
    const said = typeof answer === "function" ? answer(nth) : answer;
    return "latencyMs" in said ? (said as PortReply) : JSON.stringify(said);
  };
  const world = village({ model, ...options });
  openStage(world.kernel, parts, policyWith({}), {
    agents: ["cedar"],
    tools: [],
    files: { "/agentOS/workspace/x.md": "x" },
    events: [],
    startsAtMs: 0,
  });
  world.wait(0);
  const events = <K extends EventType>(type: K) => mailIn(world.log, type);
  return {
    ...world,
    purposes,
    events,
    untilEvent: <K extends EventType>(type: K, isIt: (event: MailOf<K>) => boolean = () => true) =>
      world.until((one) => mailIn([one], type).some(isIt)),
    restart: () => {
      world.send({ to: "daemon", event: { type: "daemon.restarted" } });
      world.wait(seconds(20));
    },
  };
}

const late = (latencyMs: number, answer: object): PortReply => ({
  event: { type: "llm.replied", text: JSON.stringify(answer) },
  latencyMs,
});

describe("the gate in a world", () => {
  it("[GA1] asks part by part, and the goal is done", () => {
    const world = started();

    world.untilEvent("goal.ended");

    expect(world.events("goalGate.judged").map(({ part, passed }) => [part, passed])).toEqual([
      ["progress", true],
      ["output", true],
      ["mechanical", true],
      ["semantic", true],
      ["facts", true],
    ]);
    expect(world.events("goal.ended")[0]).toMatchObject({ status: "completed", artifact: PAGE });
  });

  it("[GA4] a page that tells of files that are not there is no artifact", () => {
    const lie = `${TEXT} It follows /agentOS/workspace/nowhere.md in all points.`;
    const plan = { steps: [{ intent: "write file", params: { path: PAGE, content: lie } }] };
    const world = started({ plan });

    world.untilEvent("goalGate.judged", (event) => event.part === "facts");

    expect(world.events("goalGate.judged").at(-1)).toMatchObject({
      passed: false,
      reason: `${PAGE} names /agentOS/workspace/nowhere.md, which does not exist`,
    });
    world.untilEvent("goal.ended");
    expect(world.events("goal.ended")[0]).toMatchObject({ status: "abandoned", misses: 5 });
    expect(world.file(PAGE)).toBeUndefined();
  });

  it("[GA11] an agent hears a verdict that comes at the last moment", () => {
    const world = started({
      "judge.goal": () => late(minutes(10) - 1, answers["judge.goal"] ?? {}),
    });

    world.untilEvent("goal.judged", (event) => event.status === "completed");

    expect(world.log.at(-1)).toMatchObject({ to: "agent/cedar", fate: "handled" });
  });

  it("[GA10] a restart while the judge thinks resumes the goal, which is judged again", () => {
    const world = started({
      "judge.goal": (nth) =>
        nth === 1 ? late(minutes(5), {}) : { passes: true, reason: "so it is" },
    });
    world.untilEvent("llm.asked", (event) => event.purpose === "judge.goal");

    world.restart();
    expect(world.context<object>("goal/cedar/1#2")).toMatchObject({
      progress: 1_000_000,
      outputs: 5,
      misses: 0,
      wrote: [PAGE],
    });
    world.untilEvent("goal.ended");

    expect(world.log.at(-1)).toMatchObject({ from: "goal/cedar/1#2" });
    expect(world.events("goal.ended").at(-1)).toMatchObject({
      n: 1,
      status: "completed",
      misses: 0,
    });
  });
});

describe("lessons in a world", () => {
  it("[LE4, U12] two goals make a rule, which stands in the next prompt, also after a restart", () => {
    const world = started();
    world.untilEvent("lesson.noted", (event) => event.outcome === "candidate");
    expect(world.file(candidatesPath("cedar"))).toContain("Rest at night");
    world.untilEvent("lesson.noted", (event) => event.outcome === "promoted");
    world.wait(0);
    expect(JSON.parse(world.file(lessonsPath("cedar")) ?? "")).toEqual([
      { lesson: "Rest at night", category: "planning", confidence: "low", observations: [1, 2] },
    ]);

    world.restart();
    const { event } = world.until(
      ({ from, event: asked }) =>
        from === "agent/cedar#2" && asked.type === "llm.asked" && asked.purpose === "goal.choose",
    );

    expect(event).toMatchObject({ view: { rules: ["Rest at night"] } });
  });

  it("[LE8] without them nobody keeps any and nobody is asked", () => {
    const world = started({}, { policy: { "lessons.enabled": false } });

    world.untilEvent("goal.ended");
    world.wait(minutes(5));

    expect(world.purposes).not.toContain("lesson.extract");
    expect(world.events("lessons.asked")).toEqual([]);
    expect(world.log.filter(({ to }) => to.startsWith("lessons/"))).toEqual([]);
    const born = mailIn(world.log, "actor.start").map(({ address }) => address);
    expect(born.filter((address) => address.startsWith("lessons/"))).toEqual([]);
    expect(world.file(candidatesPath("cedar"))).toBeUndefined();
  });
});
