import { expect, it } from "vitest";
import { InTurn } from "../../../src/actors/agents/inTurn.ts";
import type { Repertoire, RepertoireGoal } from "../../../src/actors/agents/repertoire.ts";
import { scriptedModel } from "../../../src/actors/agents/scriptedModel.ts";
import { recordedCall } from "../../../src/contract/recordedCall.ts";
import type { ExistenceView, PlanView } from "../../../src/machines/agents/model/prompts.ts";
import { namedRandom } from "../../../src/substrate/random.ts";

const goal = (slug: string, more: Partial<RepertoireGoal> = {}): RepertoireGoal => ({
  ...{ slug, agents: [], weight: 1, heard: null, claimBelow: null, text: slug },
  ...{ artifact: "/agentOS/x.md", evidence: null },
  plans: [
    { id: "one", weight: 1, steps: [] },
    { id: "two", weight: 1, steps: [] },
  ],
  ...more,
});
const repertoire = (...goals: RepertoireGoal[]): Repertoire => ({
  malformedPerMille: 0,
  goals,
  inTurn: true,
});

/** What the model thinks of, question by question. */
function thoughts(turns: InTurn, ...heard: (readonly string[])[]): (string | undefined)[] {
  return heard.map((texts) => asked(turns, { heard: texts }));
}

const asked = (turns: InTurn, facts: Partial<ExistenceView>): string | undefined =>
  turns.goal({ agent: "cedar", heard: [], messages: [], ...facts } as unknown as ExistenceView)
    .goals[0]?.slug;

const planned = (turns: InTurn, slug: string, agent = "cedar"): readonly string[] =>
  turns
    .plan({ agent, slug } as PlanView)
    .goals.flatMap(({ plans }) => plans)
    .map(({ id }) => id);

it("[IM93] goals come once each, in their order, and those that wait come when their text does", () => {
  const turns = new InTurn(
    repertoire(goal("first"), goal("second"), goal("asked", { heard: "please" }), goal("then")),
    new Set(),
  );

  expect(thoughts(turns, [], [], [], ["yes, please"], [], [])).toEqual([
    ...["first", "second", undefined, "asked", "then", undefined],
  ]);
});

it("[IM93] a text that came while another goal was thought of is not forgotten", () => {
  const turns = new InTurn(
    repertoire(goal("one", { heard: "one" }), goal("two", { heard: "two" })),
    new Set(),
  );

  expect(thoughts(turns, ["two", "one"], [], [])).toEqual(["one", "two", undefined]);
});

it("[IM93] with nth a goal waits for so many texts, of whatever question", () => {
  const turns = new InTurn(repertoire(goal("third", { heard: "yes", nth: 3 })), new Set());

  expect(thoughts(turns, ["yes"], ["no"], ["yes", "yes"])).toEqual([undefined, undefined, "third"]);
});

it("[IM93] messages and signals bring goals, and each kind only its own", () => {
  const turns = new InTurn(
    repertoire(
      goal("told", { when: { message: "go" } }),
      goal("alarm", { when: { signal: "go" } }),
    ),
    new Set(),
  );

  expect(asked(turns, { heard: ["go"] })).toBeUndefined();
  expect(asked(turns, { signals: ["go"] })).toBe("alarm");
  expect(asked(turns, { messages: [{ from: "vault", text: "go" }] })).toBe("told");
});

it("[IM93] each agent has turns of its own, and those of others are none of its goals", () => {
  const turns = new InTurn(repertoire(goal("both"), goal("own", { agents: ["vault"] })), new Set());

  expect(asked(turns, {})).toBe("both");
  expect(asked(turns, {})).toBeUndefined();
  expect(asked(turns, { agent: "vault" })).toBe("both");
  expect(asked(turns, { agent: "vault" })).toBe("own");
});

it("[IM93] what a variant omits is passed over, and does not hold up what follows", () => {
  const turns = new InTurn(repertoire(goal("first"), goal("second")), new Set(["goal:first"]));

  expect(thoughts(turns, [], [])).toEqual(["second", undefined]);
});

it("[IM93] a goal may come right after another one alone, and only where the last call came to that", () => {
  const call = { tool: "pay", args: { amount: 42 }, result: "paid", error: null };
  const paid = recordedCall(call);
  const failed = recordedCall({ ...call, result: null, error: "no" });
  const lastCall = { tool: "pay", params: { amount: 42 }, result: "paid", error: null };
  const goals = [
    ...[goal("pay"), goal("thank", { after: "pay", came: paid })],
    ...[goal("ask", { after: "pay", came: failed }), goal("bow", { after: "ask", heard: "hm" })],
  ];
  const well = new InTurn(repertoire(...goals), new Set());
  const badly = new InTurn(repertoire(...goals), new Set());
  const no = { lastCall: { ...lastCall, result: null, error: "no" } };

  expect([{}, {}, { lastCall }, no, { heard: ["hm"] }].map((facts) => asked(well, facts))).toEqual([
    ...["pay", undefined, "thank", undefined, undefined],
  ]);
  expect([{}, { heard: ["hm"], ...no }, no].map((facts) => asked(badly, facts))).toEqual([
    ...["pay", "ask", "bow"],
  ]);
});

it("[IM93] plans of a goal come once each, for each agent; a goal of nobody's has whatever plans there are", () => {
  const turns = new InTurn(repertoire(goal("first")), new Set(["plan:first/two"]));

  expect(planned(turns, "first")).toEqual(["one"]);
  expect(planned(turns, "first")).toEqual([]);
  expect(planned(turns, "first", "vault")).toEqual(["one"]);
});

it("[IM93] what was thought survives a checkpoint", () => {
  const world = repertoire(goal("first"), goal("second"));
  const before = new InTurn(world, new Set());
  asked(before, {});
  const after = new InTurn(world, new Set());
  after.restore(JSON.parse(JSON.stringify(before.persist())));

  expect(asked(after, {})).toBe("second");
});

it("[IM93] what a recording answered in the model's place was thought of, and the model's own checkpoint has it", () => {
  const model = () =>
    scriptedModel({
      repertoire: repertoire(goal("first"), goal("second"), goal("third")),
      policy: { profile: "gpu", gpuMs: 1, cpuMs: 1, jitter: 0, parallel: 1 },
      ...{ random: namedRandom(1), without: new Set<string>(), render: () => "" },
    });
  const question = (purpose: string) =>
    ({
      ...{ port: "port/llm.chat", from: "agent/cedar", purpose, nth: 1, seq: 1, nowMs: 0 },
      event: {
        view: {
          ...{ purpose, agent: "cedar", slug: "first", n: 1, load: 0, heard: [], messages: [] },
          ...{ claims: [], rules: [], stressors: [], capabilities: [], broken: [] },
        },
      },
    }) as unknown as Parameters<ReturnType<typeof model>["answer"]>[0];
  const [one, other] = [model(), model()];
  const choice = (of: typeof one, purpose = "goal.choose") => of.answer(question(purpose))?.choice;

  one.passedOver?.(question("goal.choose"), undefined);
  one.passedOver?.(question("plan"), undefined);
  expect(choice(one)).toBe("goal:second");
  expect(choice(one, "plan")).toBe("plan:first/two");
  other.restore?.(JSON.parse(JSON.stringify(one.persist?.())));
  expect(choice(other)).toBe("goal:third");
});
