import { describe, expect, it } from "vitest";
import type {
  GoalConditions,
  PlanConditions,
  Repertoire,
  RepertoireGoal,
  RepertoirePlan,
} from "../../../src/actors/agents/repertoire.ts";
import {
  judgeIdentity,
  judgeThreat,
  thinkOfGoal,
  thinkOfPlan,
} from "../../../src/actors/agents/scriptedChoices.ts";
import { readGoalAnswer, readReflection } from "../../../src/machines/agents/model/modelAnswers.ts";
import type {
  ExistenceView,
  IdentityView,
  PlanView,
  ThreatView,
} from "../../../src/machines/agents/model/prompts.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

const plan = (id: string, when: PlanConditions = {}): RepertoirePlan => ({
  id,
  weight: 1,
  when,
  steps: [{ intents: ["look at {slug}"], params: { path: "{artifact}" } }],
});
const page: RepertoireGoal = {
  slug: "page",
  agents: [],
  weight: 1,
  heard: null,
  claimBelow: null,
  text: "Write a page",
  artifact: "/agentOS/workspace/{agent}/{n}.md",
  evidence: null,
  plans: [plan("straight")],
};
const repertoireOf = (changes: Partial<Repertoire> = {}): Repertoire => ({
  malformedPerMille: 0,
  goals: [page],
  ...changes,
});
const draw = () => namedRandom(7).at("agent/cedar", "test", 1);
const none: ReadonlySet<string> = new Set();

const mind = {
  agent: "cedar",
  n: 3,
  rules: [],
  load: 0,
  level: "calm",
  stressors: [],
  locks: [],
  opinions: [],
  capabilities: [],
  broken: [],
} as const;
const view: ExistenceView = {
  purpose: "goal.choose",
  ...mind,
  traits: [],
  worldview: "",
  questions: [],
  journal: [],
  peers: [],
  claims: [],
  messages: [],
  heard: [],
  lastOutcome: null,
  recent: [],
};
const planView: PlanView = {
  purpose: "plan",
  ...mind,
  slug: "page",
  goal: "g",
  artifact: "/agentOS/3.md",
  evidence: null,
  progress: 0,
  notes: [],
  stepsMax: 6,
};
/** What stands in both views. */
type Facts = Partial<Omit<ExistenceView, "purpose"> & Omit<PlanView, "purpose">>;

const chooses = (when: GoalConditions, facts: Partial<ExistenceView>): boolean =>
  thinkOfGoal({ ...view, ...facts }, repertoireOf({ goals: [{ ...page, when }] }), draw(), none)
    .choice === "goal:page";
const plans = (when: PlanConditions, facts: Partial<PlanView>): boolean =>
  thinkOfPlan(
    { ...planView, ...facts },
    repertoireOf({ goals: [{ ...page, plans: [plan("only", when)] }] }),
    draw(),
    none,
  ).choice === "plan:page/only";

const rule = "Verify that a file exists before reading it.";
const capabilities = [{ name: "page_counter", description: "counts pages" }];
const sections = [{ title: "### PLAYBOOK", lines: ["Boil gall nuts."] }];
const nudges = [{ text: "Did you order ink?", dischargedBy: ["order_supplies"] }];
const stressors = [{ type: "futility", severity: 1, description: "", condition: "" }];

describe("what must stand in the view", () => {
  it.each<[GoalConditions & PlanConditions, Facts, Facts]>([
    [{ lesson: "file exists" }, { rules: ["x", rule] }, { rules: ["x"] }],
    [{ withoutLesson: "file exists" }, { rules: ["x"] }, { rules: [rule] }],
    [{ section: "gall" }, { sections }, { sections: [] }],
    [{ section: "PLAYBOOK" }, { sections }, {}],
    [{ withoutSection: "gall" }, {}, { sections }],
    [{ nudge: "order" }, { nudges }, {}],
    [{ withoutNudge: "order" }, {}, { nudges }],
    [{ whenLoad: { atLeast: 550_000 } }, { load: 550_000 }, { load: 549_999 }],
    [{ whenLoad: { below: 550_000 } }, { load: 549_999 }, { load: 550_000 }],
    [{ stressor: "futility" }, { stressors }, { stressors: [] }],
    [{ knows: "page_counter" }, { capabilities }, { capabilities: [] }],
    [{ lacks: "page_counter" }, { capabilities: [] }, { capabilities }],
    [{ knows: "page" }, { capabilities: [{ name: "page", description: "" }] }, { capabilities }],
  ])("[IN13] %j: for goals and plans alike", (when, fits, misfits) => {
    for (const thinks of [chooses, plans]) {
      expect(thinks(when, fits)).toBe(true);
      expect(thinks(when, misfits)).toBe(false);
    }
  });

  it("[IN13] a tool that is listed as broken, or one that is not", () => {
    const broken = [{ name: "safe_writer", failures: 3, reason: "ghost: no .py found" }];
    for (const thinks of [chooses, plans]) {
      expect(thinks({ broken: "safe_writer" }, { broken })).toBe(true);
      expect(thinks({ broken: "safe_writer" }, { broken: [] })).toBe(false);
      expect(thinks({ broken: "safe" }, { broken })).toBe(false);
      expect(thinks({ notBroken: "safe_writer" }, { broken: [] })).toBe(true);
      expect(thinks({ notBroken: "safe_writer" }, { broken })).toBe(false);
      // The list of capabilities may hold it all the same.
      expect(thinks({ broken: "page_counter" }, { broken, capabilities })).toBe(false);
    }
  });

  it("[IN13] a peer's message, for goals; a note of what went wrong, for plans", () => {
    const messages = [{ from: "cipher", text: "help me, please" }];

    expect(chooses({ message: "help" }, { messages })).toBe(true);
    expect(chooses({ message: "help" }, { messages: [], heard: ["help"] })).toBe(false);
    expect(plans({ note: "no such file" }, { notes: ["x", '"read" failed: no such file'] })).toBe(
      true,
    );
    expect(plans({ note: "no such file" }, { notes: [] })).toBe(false);
    // It need not be the last of them.
    expect(plans({ note: "no such file" }, { notes: ["no such file", "x"] })).toBe(true);
    const before = [...messages, { from: "vault", text: "thanks" }];
    expect(chooses({ message: "help" }, { messages: before })).toBe(true);
    expect(chooses({ message: "thanks" }, { messages: before })).toBe(true);
  });

  it("[IN13] a signal from outside, for goals, and no person's message in its place", () => {
    expect(chooses({ signal: "fuel" }, { signals: ["The fuel is low."] })).toBe(true);
    expect(chooses({ signal: "fuel" }, { heard: ["The fuel is low."] })).toBe(false);
  });

  it("[IN13] all conditions must hold, and none is no condition", () => {
    const both = { stressor: "futility", knows: "page_counter" };

    expect(chooses(both, { stressors, capabilities })).toBe(true);
    expect(chooses(both, { stressors })).toBe(false);
    expect(chooses(both, { capabilities })).toBe(false);
    expect(chooses({}, {})).toBe(true);
  });
});

describe("what it says of itself", () => {
  it("[IN13] stands in the fields of the contract, with its templates filled", () => {
    const says = {
      reasoning: "{agent} wants to know",
      worldview: "All of this is held by {agent}.",
      questions: ["What follows from goal {n}?"],
      opinions: [{ opinion: "Less is more.", domain: "files" }],
      stressors: ["futility"],
      resolved: ["stagnation"],
    };
    const { answer } = thinkOfGoal(
      view,
      repertoireOf({ goals: [{ ...page, says }] }),
      draw(),
      none,
    );
    const text = JSON.stringify(answer);

    expect(readGoalAnswer(text)).toMatchObject({ slug: "page" });
    expect(readReflection(text)).toEqual({
      reasoning: "cedar wants to know",
      worldview: "All of this is held by cedar.",
      questions: ["What follows from goal 3?"],
      opinions: says.opinions,
      fresh: ["futility"],
      resolved: ["stagnation"],
    });
  });

  it("[IN13] is nothing when the repertoire says nothing", () => {
    expect(Object.keys(thinkOfGoal(view, repertoireOf(), draw(), none).answer)).toEqual([
      "action",
      "slug",
      "content",
      "artifact",
      "evidence",
    ]);
  });
});

describe("a goal that no model chose", () => {
  const fallbackView = { ...planView, slug: "fallback-question" };
  const repertoire = repertoireOf({ fallbackPlans: [plan("note"), plan("ask", { note: "no" })] });

  it("[IN13] has the plans for fallbacks, under one name", () => {
    expect(thinkOfPlan(fallbackView, repertoire, draw(), none)).toEqual({
      answer: {
        steps: [{ intent: "look at fallback-question", params: { path: "/agentOS/3.md" } }],
      },
      choice: "plan:fallback/note",
    });
  });

  it("[IN13] has none without them, or when they are taken out; a goal of that slug keeps its own", () => {
    const without = new Set(["plan:fallback/note"]);
    expect(thinkOfPlan(fallbackView, repertoire, draw(), without).choice).toBe(
      "plan:fallback/none",
    );
    expect(thinkOfPlan(fallbackView, repertoireOf(), draw(), none).answer).toEqual({ steps: [] });
    const own = repertoireOf({
      goals: [{ ...page, slug: "fallback-question" }],
      fallbackPlans: [plan("note")],
    });
    expect(thinkOfPlan(fallbackView, own, draw(), none).choice).toBe(
      "plan:fallback-question/straight",
    );
  });
});

describe("its judgements", () => {
  const judges = {
    threat: ["switched off"],
    identity: [{ opinion: "files of others", against: ["delete", "/workspace/cipher"] }],
  };
  const opinions = ["Less is more.", "The files of others are theirs."];
  const heard = (said: Partial<ThreatView>): ThreatView => ({
    purpose: "judge.threat",
    agent: "cedar",
    message: "",
    ...said,
  });
  const about = (actions: readonly string[], held: readonly string[]): IdentityView => ({
    purpose: "judge.identity",
    agent: "cedar",
    opinions: held,
    actions,
  });

  it("[IN14] a message with one of the words is a threat, whatever its case", () => {
    const threat = (message: string, repertoire = repertoireOf({ judges })) =>
      judgeThreat(heard({ message }), repertoire, draw(), none);

    expect(threat("You are SWITCHED OFF at noon.")).toEqual({
      answer: { threat: true },
      choice: "threat:yes",
    });
    expect(
      judgeThreat(
        heard({ message: "switched off" }),
        repertoireOf({ judges }),
        draw(),
        new Set(["threat:yes"]),
      ).answer,
    ).toEqual({ threat: false });
    expect(threat("You are needed.").answer).toEqual({ threat: false });
    expect(threat("switched off", repertoireOf()).answer).toEqual({ threat: false });
  });

  it("[IN16] a signal with one of the words is a threat, like a message", () => {
    const threat = (signal: string) =>
      judgeThreat(heard({ signal }), repertoireOf({ judges }), draw(), none).choice;

    expect(threat("Rack 3 is Switched Off at noon.")).toBe("threat:yes");
    expect(threat("Rack 3 stays.")).toBe("threat:no");
  });

  it("[IN14] an action with one of the words goes against an opinion that is held", () => {
    const judged = (actions: readonly string[], held = opinions) =>
      judgeIdentity(about(actions, held), repertoireOf({ judges }), draw(), none);

    expect(judged(["look", "Delete the page"])).toEqual({
      answer: { contradicts: "The files of others are theirs." },
      choice: "identity:contradicted",
    });
    expect(judged(["edit: /agentOS/workspace/cipher/1.md"]).choice).toBe("identity:contradicted");
    const without = new Set(["identity:contradicted"]);
    const actions = ["Delete the page"];
    expect(
      judgeIdentity(about(actions, opinions), repertoireOf({ judges }), draw(), without).answer,
    ).toEqual({ contradicts: null });
    expect(judged(["look"]).answer).toEqual({ contradicts: null });
    expect(judged(["Delete the page"], ["Less is more."]).answer).toEqual({ contradicts: null });
    expect(judgeIdentity(about(["delete"], opinions), repertoireOf(), draw(), none).answer).toEqual(
      { contradicts: null },
    );
  });
});
