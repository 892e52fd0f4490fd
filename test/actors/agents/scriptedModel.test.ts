import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Repertoire } from "../../../src/actors/agents/repertoire.ts";
import { scriptedModel } from "../../../src/actors/agents/scriptedModel.ts";
import { readGoalAnswer, readPlanAnswer } from "../../../src/machines/agents/model/modelAnswers.ts";
import {
  type ExistenceView,
  type PlanView,
  renderPrompt,
  type View,
} from "../../../src/machines/agents/model/prompts.ts";
import { sha256Hex } from "../../../src/substrate/digest.ts";
import type { PortRequest } from "../../../src/substrate/port.ts";
import { namedRandom } from "../../../src/substrate/random.ts";
import { policyWith } from "../../builtIn.ts";
import { mailIn, mailOf } from "../../mail.ts";

const plan = (id: string, ...intents: string[]) => ({
  id,
  weight: 1,
  steps: [{ intents, params: { path: "{artifact}", n: 7, list: ["{agent}", null] } }],
});
const page = {
  slug: "page",
  agents: [],
  weight: 1,
  heard: null,
  claimBelow: null,
  text: "Write a page (goal {n})",
  artifact: "/agentOS/workspace/{agent}/{n}-{slug}.md",
  evidence: null,
  plans: [plan("straight", "write file", "write the report"), plan("slow", "read the notes")],
};
const repertoire: Repertoire = {
  malformedPerMille: 0,
  goals: [
    page,
    { ...page, slug: "own", agents: ["cipher"], weight: 3 },
    { ...page, slug: "safer", heard: "safer" },
    {
      ...page,
      slug: "review",
      agents: ["vault"],
      claimBelow: "/agentOS/workspace",
      text: "Review {claim} in {mood}",
      artifact: "{claim}",
      evidence: "Reviewed-by: {agent}, goal {n}",
    },
  ],
};

const view: ExistenceView = {
  purpose: "goal.choose",
  agent: "cedar",
  n: 3,
  rules: [],
  traits: [],
  load: 0,
  level: "calm",
  stressors: [],
  locks: [],
  worldview: "",
  opinions: [],
  questions: [],
  journal: [],
  peers: [],
  claims: [],
  messages: [],
  heard: [],
  lastOutcome: null,
  recent: [],
  capabilities: [],
  broken: [],
};
const planView: PlanView = {
  purpose: "plan",
  agent: "cedar",
  n: 3,
  slug: "page",
  goal: "Write a page",
  artifact: "/agentOS/workspace/cedar/3-page.md",
  evidence: null,
  progress: 0,
  rules: [],
  load: 0,
  level: "calm",
  stressors: [],
  locks: [],
  opinions: [],
  notes: [],
  capabilities: [],
  broken: [],
  stepsMax: 6,
};

type Changes = Partial<PortRequest<"llm.asked">> & { readonly view?: View };

const request = (changes: Changes = {}): PortRequest<"llm.asked"> => {
  const { view: seen = view, ...others } = changes;
  return {
    port: "port/llm.chat",
    from: "agent/cedar",
    purpose: seen.purpose,
    nth: 1,
    seq: 40,
    nowMs: 0,
    event: { type: "llm.asked", purpose: seen.purpose, view: seen },
    request: "",
    ...others,
  };
};

interface Setting {
  readonly seed?: number;
  readonly without?: readonly string[];
  readonly malformed?: number;
  readonly policy?: { readonly [path: string]: number | string };
  readonly repertoire?: Repertoire;
}

const modelOf = ({ seed = 7, without = [], malformed = 0, policy = {}, ...rest }: Setting = {}) =>
  scriptedModel({
    repertoire: { ...(rest.repertoire ?? repertoire), malformedPerMille: malformed },
    policy: policyWith(policy).model,
    random: namedRandom(seed),
    without: new Set(without),
    render: renderPrompt,
  });

const textOf = (setting: Setting, changes: Changes = {}): string =>
  mailOf(modelOf(setting).answer(request(changes)), "llm.replied").text;
const goalOf = (setting: Setting, changes: Changes = {}) =>
  JSON.parse(textOf(setting, changes)) as Record<string, unknown>;
const calls = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const choicesOf = (setting: Setting, changes: Changes = {}, count = 200) =>
  new Set(calls(count).map((nth) => modelOf(setting).answer(request({ ...changes, nth })).choice));

describe("what it answers", () => {
  it("[MO6] the same view, sender, call and seed give the same answer, whatever came before", () => {
    const fresh = modelOf().answer(request({ nth: 9 }));
    const used = modelOf();
    for (const nth of calls(8)) used.answer(request({ nth, from: "agent/vault" }));

    expect(used.answer(request({ nth: 9, nowMs: 1_000_000 })).event).toEqual(fresh.event);
  });

  it("[MO6] seed, sender and call number are all that the draw hangs on", () => {
    const drawn = (changes: Changes, seed = 7) =>
      calls(40)
        .map((nth) => textOf({ seed }, { ...changes, view: planView, nth }))
        .join();

    expect(drawn({})).not.toBe(drawn({}, 8));
    expect(drawn({})).not.toBe(drawn({ from: "agent/cipher" }));
    expect(
      new Set(calls(40).map((nth) => textOf({}, { view: planView, nth }))).size,
    ).toBeGreaterThan(1);
  });

  it("[MO6] reads nothing but the view", () => {
    const allowed = ["from", "purpose", "nth", "nowMs", "event"];
    const touched: string[] = [];
    const spied = <T extends object>(target: T, path: string): T =>
      new Proxy(target, {
        get(object, key) {
          touched.push(`${path}${String(key)}`);
          const value = Reflect.get(object, key) as unknown;
          return key === "event" ? spied(value as object, "event.") : value;
        },
      });

    modelOf().answer(spied(request(), ""));
    modelOf().answer(spied(request({ view: planView }), ""));

    expect(touched.filter((path) => !allowed.includes(path) && path !== "event.view")).toEqual([]);
    expect(textOf({}, { seq: 1, request: "x", port: "port/other" })).toBe(textOf({}));
  });

  it("[MO6] the recording's key is the text that a live model would read", () => {
    const event = request().event;

    expect(modelOf().text?.(event)).toBe(renderPrompt(view));
    expect(sha256Hex(modelOf().text?.(event) ?? "")).toHaveLength(64);
  });

  it("[MO7] rests when nothing in its repertoire fits", () => {
    expect(goalOf({ repertoire: { malformedPerMille: 0, goals: [] } })).toEqual({ action: "rest" });
    expect(goalOf({ without: ["goal:page"] })).toEqual({ action: "rest" });
  });

  it("[MO7] a goal may need a certain agent, a heard word, or a peer's claim", () => {
    expect([...choicesOf({})]).toEqual(["goal:page"]);
    expect(choicesOf({}, { view: { ...view, agent: "cipher" } })).toEqual(
      new Set(["goal:page", "goal:own"]),
    );
    expect(choicesOf({}, { view: { ...view, heard: ["make it safer, please"] } })).toEqual(
      new Set(["goal:page", "goal:safer"]),
    );
    const claims = [{ agent: "cedar", path: "/agentOS/workspace/cedar/1.md" }];
    expect(choicesOf({}, { view: { ...view, agent: "vault", claims } })).toEqual(
      new Set(["goal:page", "goal:review"]),
    );
    // All that a goal needs has to be there.
    const both = {
      ...page,
      slug: "both",
      agents: ["vault"],
      heard: "safer",
      claimBelow: "/agentOS",
    };
    const fits = (changes: Partial<ExistenceView>) =>
      choicesOf(
        { repertoire: { malformedPerMille: 0, goals: [both] } },
        { view: { ...view, agent: "vault", heard: ["safer"], claims, ...changes } },
      );
    expect([...fits({})]).toEqual(["goal:both"]);
    for (const lacking of [{ agent: "cedar" }, { heard: [] }, { claims: [] }]) {
      expect([...fits(lacking)]).toEqual(["rest"]);
    }
    const elsewhere = [{ agent: "cedar", path: "/agentOS/workspaces/1.md" }];
    expect([...choicesOf({}, { view: { ...view, agent: "vault", claims: elsewhere } })]).toEqual([
      "goal:page",
    ]);
  });

  it("[MO7] draws in proportion to the weights", () => {
    const model = modelOf();
    const drawn = calls(2_000).map(
      (nth) => model.answer(request({ nth, view: { ...view, agent: "cipher" } })).choice,
    );
    const own = drawn.filter((choice) => choice === "goal:own").length;

    // 3 : 1, so 1500 of 2000 with a deviation of 19.
    expect(Math.abs(own - 1_500)).toBeLessThan(80);
  });

  it("[MO7] draws a plan in proportion to the weights, too", () => {
    const [straight, slow] = page.plans;
    const plans = [{ ...straight, weight: 3 }, slow] as typeof page.plans;
    const model = modelOf({ repertoire: { malformedPerMille: 0, goals: [{ ...page, plans }] } });
    const drawn = calls(2_000).map((nth) => model.answer(request({ nth, view: planView })).choice);
    const often = drawn.filter((choice) => choice === "plan:page/straight").length;

    expect(Math.abs(often - 1_500)).toBeLessThan(80);
  });

  it("[MO7] fills its templates; a name it does not know stays as it stands", () => {
    const claims = [{ agent: "cedar", path: "/agentOS/workspace/cedar/1.md" }];
    const review = goalOf(
      { without: ["goal:page"] },
      { view: { ...view, agent: "vault", claims } },
    );

    expect(review).toEqual({
      action: "goal",
      slug: "review",
      content: "Review /agentOS/workspace/cedar/1.md in {mood}",
      artifact: "/agentOS/workspace/cedar/1.md",
      evidence: "Reviewed-by: vault, goal 3",
    });
    expect(goalOf({})).toMatchObject({
      artifact: "/agentOS/workspace/cedar/3-page.md",
      evidence: null,
    });
  });

  it("[MO7] a name that only every object has is unknown, and stays as it stands", () => {
    const odd = { ...page, text: "Ask {constructor} about {agent}" };

    expect(goalOf({ repertoire: { malformedPerMille: 0, goals: [odd] } })).toMatchObject({
      content: "Ask {constructor} about cedar",
    });
  });

  it("[MO7] a plan draws one wording of each step and fills texts at any depth", () => {
    const plans = calls(60).map((nth) => JSON.parse(textOf({}, { view: planView, nth })));
    const steps = plans.map(({ steps: [step] }) => step as { intent: string; params: object });

    expect(new Set(steps.map(({ intent }) => intent))).toEqual(
      new Set(["write file", "write the report", "read the notes"]),
    );
    expect(steps[0]?.params).toEqual({ path: planView.artifact, n: 7, list: ["cedar", null] });
  });

  it("[MO7] what it says is what the agents can read", () => {
    expect(readGoalAnswer(textOf({}))).toMatchObject({ slug: "page" });
    expect(readPlanAnswer(textOf({}, { view: planView }))).toHaveLength(1);
  });
});

describe("what is taken out", () => {
  it("[MO8] a goal is never chosen", () => {
    expect([
      ...choicesOf({ without: ["goal:page"] }, { view: { ...view, agent: "cipher" } }),
    ]).toEqual(["goal:own"]);
  });

  it("[MO8] a plan is never made; without any plan the answer has no steps", () => {
    const changes = { view: planView };

    expect(choicesOf({}, changes)).toEqual(new Set(["plan:page/straight", "plan:page/slow"]));
    expect([...choicesOf({ without: ["plan:page/slow"] }, changes)]).toEqual([
      "plan:page/straight",
    ]);
    expect(textOf({ without: ["plan:page/slow", "plan:page/straight"] }, changes)).toBe(
      '{"steps":[]}',
    );
    expect([...choicesOf({}, { view: { ...planView, slug: "unknown" } })]).toEqual([
      "plan:unknown/none",
    ]);
  });

  it("[MO8] a plan of the goals that no model chose is never made, under the one name that they share", () => {
    const shared = { ...repertoire, fallbackPlans: page.plans };
    const asked = { view: { ...planView, slug: "fallback-question" } };

    expect(choicesOf({ repertoire: shared }, asked)).toEqual(
      new Set(["plan:fallback/straight", "plan:fallback/slow"]),
    );
    expect([...choicesOf({ repertoire: shared, without: ["plan:fallback/slow"] }, asked)]).toEqual([
      "plan:fallback/straight",
    ]);
  });

  it("[WW1] every word that a plan has a place for is filled in, also where no model chose the goal", () => {
    const words = "{agent} {n} {slug} {goal} {artifact} {evidence} {claim} { n } {N} {}";
    const says = { id: "says", weight: 1, steps: [{ intents: ["write"], params: { words } }] };
    const shared = { ...repertoire, fallbackPlans: [says] };
    const asked = { ...planView, slug: "fallback-question", evidence: "so" };

    expect(JSON.parse(textOf({ repertoire: shared }, { view: asked })).steps[0].params.words).toBe(
      `cedar 3 fallback-question Write a page ${planView.artifact} so {claim} { n } {N} {}`,
    );
  });

  it("[WW1] every word that a goal has a place for is filled in, in each of its texts", () => {
    const words = "{agent} {n} {slug} {claim} {goal} { n } {N} {}";
    const says = { reasoning: words, worldview: words, questions: [words] };
    const goals = [
      { ...page, text: words, artifact: words, evidence: words, claimBelow: "/agentOS", says },
    ];
    const claims = [{ agent: "vault", path: "/agentOS/1.md" }];
    const { content, artifact, evidence, ...own } = goalOf(
      { repertoire: { malformedPerMille: 0, goals } },
      { view: { ...view, claims } },
    );

    const { reasoning, worldview_update: worldview, new_open_questions: questions } = own;
    for (const filled of [content, artifact, evidence, reasoning, worldview, questions]) {
      expect([filled].flat()).toEqual(["cedar 3 page /agentOS/1.md {goal} { n } {N} {}"]);
    }
  });

  it("[MO8] no lesson is drawn, nothing is said and no alarm is raised that was taken out", () => {
    const early = {
      id: "early",
      match: "late",
      lesson: "Be early.",
      category: "planning",
    } as const;
    const says = {
      ...repertoire,
      lessons: [{ ...early, confidence: "high", weight: 1 } as const],
      chat: [{ id: "yes", match: null, answer: "Yes.", weight: 1 }],
      judges: { threat: ["erased"], identity: [{ opinion: "Order", against: ["mess"] }] },
    };
    const agent = "cedar";
    const about = { agent, goal: "Be late", status: "abandoned", reason: null, notes: [] };
    const asked = {
      "lesson:early": { ...about, purpose: "lesson.extract" },
      "chat:yes": { agent, purpose: "tool.chat", prompt: "Well?" },
      "threat:yes": { agent, purpose: "judge.threat", message: "You are erased." },
      "identity:contradicted": {
        ...{ agent, purpose: "judge.identity", opinions: ["Order"], actions: ["make a mess"] },
      },
    } as const;

    for (const [choice, seen] of Object.entries(asked)) {
      const changes = { view: seen as unknown as ExistenceView };
      expect([...choicesOf({ repertoire: says }, changes, 3)]).toEqual([choice]);
      const left = choicesOf({ repertoire: says, without: [choice] }, changes, 3);
      expect([...left]).not.toContain(choice);
    }
  });

  it("[MO8] taking out what nobody has changes nothing", () => {
    expect(textOf({ without: ["goal:none", "plan:page/none"] })).toBe(textOf({}));
  });
});

describe("what it gets wrong", () => {
  it("[MO9] cuts off so many of a thousand answers, and says so", () => {
    const model = modelOf({ malformed: 250 });
    const replies = calls(2_000).map((nth) => model.answer(request({ nth })));
    const cut = replies.filter(({ choice }) => choice?.endsWith(" (cut off)"));

    const all = modelOf({ malformed: 1_000 });
    const whole = calls(2_000).filter(
      (nth) => !/cut off/.test(all.answer(request({ nth })).choice ?? ""),
    );
    expect(whole).toEqual([]);
    // A quarter of 2000, with a deviation of 19.
    expect(Math.abs(cut.length - 500)).toBeLessThan(80);
    const isUnreadable = ({ text }: { readonly text: string }) =>
      readGoalAnswer(text) === undefined;
    expect(mailIn(cut, "llm.replied").filter(isUnreadable)).toHaveLength(cut.length);
    expect(mailIn(replies, "llm.replied").filter(isUnreadable)).toHaveLength(cut.length);
  });

  it("[MO9] a cut answer is the first half of the whole one", () => {
    const whole = textOf({});

    expect(textOf({ malformed: 1_000 })).toBe(whole.slice(0, whole.length >> 1));
  });

  it("[MO9] none with 0, all with 1000", () => {
    expect([...choicesOf({ malformed: 0 })]).toEqual(["goal:page"]);
    expect([...choicesOf({ malformed: 1_000 })]).toEqual(["goal:page (cut off)"]);
    expect(choicesOf({ malformed: 1_000 }, { view: planView })).toEqual(
      new Set(["plan:page/straight (cut off)", "plan:page/slow (cut off)"]),
    );
  });
});

describe("how long it takes", () => {
  const latencies = (policy: Setting["policy"], arrivals: readonly number[]) => {
    const model = modelOf({ policy: { "model.jitter": 0, ...policy } });
    return arrivals.map((nowMs, at) => model.answer(request({ nowMs, nth: at + 1 })).latencyMs);
  };

  it("[MO10] 6 s with a GPU and 40 s without, give or take 30 %", () => {
    for (const [profile, middleMs] of [
      ["gpu", 6_000],
      ["cpu", 40_000],
    ] as const) {
      const drawn = calls(300).map(
        (nth) =>
          modelOf({ policy: { "model.profile": profile } }).answer(request({ nth })).latencyMs,
      );

      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0.7 * middleMs);
      expect(Math.min(...drawn)).toBeLessThan(0.75 * middleMs);
      expect(Math.max(...drawn)).toBeLessThanOrEqual(1.3 * middleMs);
      expect(Math.max(...drawn)).toBeGreaterThan(1.25 * middleMs);
    }
  });

  it("[MO10] one place: calls wait for their turn", () => {
    expect(latencies({}, [0, 0, 0, 0])).toEqual([6_000, 12_000, 18_000, 24_000]);
    expect(latencies({}, [0, 5_999, 12_000])).toEqual([6_000, 6_001, 6_000]);
  });

  it("[MO10] three places: the fourth call waits", () => {
    expect(latencies({ "model.parallel": 3 }, [0, 0, 0, 0, 0])).toEqual([
      6_000, 6_000, 6_000, 12_000, 12_000,
    ]);
    expect(latencies({ "model.parallel": 3 }, [0, 1_000, 2_000, 3_000])).toEqual([
      6_000, 6_000, 6_000, 9_000,
    ]);
  });

  it("[MO10] the queue outlives a checkpoint", () => {
    const before = modelOf();
    before.answer(request());
    const after = modelOf();
    after.restore?.(before.persist?.() ?? null);

    expect(after.answer(request({ nth: 2 }))).toEqual(before.answer(request({ nth: 2 })));
    const waited = modelOf().answer(request({ nth: 2 })).latencyMs;
    expect(after.answer(request({ nth: 2 })).latencyMs).toBeGreaterThan(2 * waited);
  });

  it("[MO10] all places of the queue outlive a checkpoint", () => {
    const three = { "model.parallel": 3, "model.jitter": 0 };
    const before = modelOf({ policy: three });
    for (const nth of calls(3)) before.answer(request({ nth, nowMs: 1_000 * nth }));
    const after = modelOf({ policy: three });
    after.restore?.(before.persist?.() ?? null);

    const waited = calls(3).map((nth) => after.answer(request({ nth, nowMs: 3_000 })).latencyMs);
    expect(waited).toEqual([10_000, 11_000, 12_000]);
  });

  it("[MO10] a call takes whole milliseconds, and never less than without the queue", () => {
    const arrivals = fc.array(fc.nat(20_000), { maxLength: 12 });

    fc.assert(
      fc.property(arrivals, fc.constantFrom(1, 3), (gaps, parallel) => {
        let nowMs = 0;
        const times = gaps.map((gapMs) => (nowMs += gapMs));
        for (const latencyMs of latencies({ "model.parallel": parallel }, times)) {
          expect(Number.isSafeInteger(latencyMs)).toBe(true);
          expect(latencyMs).toBeGreaterThanOrEqual(6_000);
        }
      }),
    );
  });
});
