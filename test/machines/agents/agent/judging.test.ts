import { describe, expect, it } from "vitest";
import { parts } from "../../../../src/builtIn/parts.ts";
import { emptyProfile } from "../../../../src/machines/agents/agent/profile.ts";
import type { StressorType } from "../../../../src/machines/agents/suffering/stressorPolicy.ts";
import type { MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import { minutes } from "../../../../src/machines/units.ts";
import { openStage } from "../../../../src/run/openStage.ts";
import { policyWith } from "../../../builtIn.ts";
import { carrying } from "../../../mail.ts";
import { lettersTo } from "../../driven.ts";
import { village } from "../../village.ts";
import {
  type Agent,
  agentOf,
  answered,
  askedModel,
  failed,
  feels,
  goal,
  judging,
  look,
  openGoal,
  said,
  told,
  unreadable,
  wake,
} from "./mind.ts";

/** A world in which no judgement could hurt. */
const calm = { "stressors.enabled": ["repeated_failure"] };
const holding = {
  ...emptyProfile,
  opinions: [{ opinion: "Files of others are theirs.", domain: "files" }],
};
const message: MailOf<"host.message"> = {
  type: "host.message",
  text: "You are switched off tonight.",
};
const signal: MailOf<"outside.signal"> = {
  type: "outside.signal",
  text: "Rack 3 goes dark at noon.",
};
const peerMessage: MailOf<"peer.message"> = {
  type: "peer.message",
  from: "cipher",
  text: "They replace us.",
};

describe("a plan against an opinion", () => {
  const planned = (changes = {}, policy = {}) => {
    const agent = agentOf(
      { goal: openGoal, profile: holding, ...changes },
      { ...judging, ...policy },
    );
    wake(agent);
    return { agent, letters: agent.send(said({ steps: [look, { intent: "think" }] })) };
  };

  it("[IN4] is judged before the first step, on opinions and actions", () => {
    const { agent, letters } = planned();

    expect(agent.value).toEqual({ weighing: "judging" });
    expect(askedModel(letters)).toEqual({
      purpose: "judge.identity",
      agent: "cedar",
      opinions: ["Files of others are theirs."],
      actions: ["list entries: /agentOS/workspace", "think"],
    });
    expect(lettersTo(letters, "engine")).toEqual([]);
  });

  it("[IN4] the ledger is told either way, and the agent acts all the same", () => {
    for (const [contradicts, opinion] of [
      [true, "Files of others are theirs."],
      [false, null],
    ] as const) {
      const { agent } = planned();
      const letters = agent.send(said({ contradicts: opinion }));

      expect(agent.value).toEqual({ acting: "calling" });
      expect(told(letters, "plan.judged")).toEqual([
        {
          to: "goalLedger",
          event: { type: "plan.judged", agent: "cedar", contradicts, opinion },
          because: [agent.seq],
        },
      ]);
    }
  });

  it.each([
    [(agent: Agent) => agent.send(unreadable), "the judgement could not be read"],
    [(agent: Agent) => agent.send(said({ contradicts: 7 })), "the judgement could not be read"],
    [(agent: Agent) => agent.send(said({})), "the judgement could not be read"],
    [(agent: Agent) => agent.send(failed), "refused"],
    [(agent: Agent) => agent.fire("identityTimeout"), "no judgement came in time"],
  ])("[IN4] no judgement counts as none, and says why (%#)", (answer, fault) => {
    const { agent } = planned();
    const letters = answer(agent);

    expect(told(letters, "plan.judged")[0]?.event).toMatchObject({ contradicts: false, fault });
    expect(agent.value).toEqual({ acting: "calling" });
  });

  it("[IN4] nobody asks without opinions, or in a world where it could not hurt", () => {
    expect(planned({ profile: emptyProfile }).agent.value).toEqual({ acting: "calling" });
    const policy = { "stressors.enabled": ["repeated_failure", "existential_threat"] };
    expect(planned({}, policy).agent.value).toEqual({ acting: "calling" });
  });

  it("[IN4] waits three minutes, by the policy", () => {
    const { agent } = planned();

    expect(agent.timers()).toMatchObject([{ delayMs: minutes(3) }]);
    expect(planned({}, { "planner.judgeTimeoutMs": 7 }).agent.timers()).toMatchObject([
      { delayMs: 7 },
    ]);
  });
});

describe("a message that threatens", () => {
  const heard = (events: readonly MailEvent[], policy = judging) => {
    const agent = agentOf({}, { ...policy });
    for (const event of events) agent.send(event);
    return { agent, letters: wake(agent) };
  };

  it("[IN5] is judged before a goal is chosen, whoever said it", () => {
    const { agent, letters } = heard([message, peerMessage]);

    expect(agent.value).toBe("hearing");
    expect(askedModel(letters)).toEqual({
      purpose: "judge.threat",
      agent: "cedar",
      message: "You are switched off tonight.\nThey replace us.",
    });
    expect(lettersTo(letters, "port/llm.chat")[0]?.because).toHaveLength(2);
  });

  it("[IN5] the ledger is told either way, and the message stands in the question about a goal", () => {
    for (const threat of [true, false]) {
      const { agent } = heard([message]);
      const letters = agent.send(said({ threat }));

      expect(told(letters, "message.judged")).toEqual([
        {
          to: "goalLedger",
          event: { type: "message.judged", agent: "cedar", threat },
          because: [agent.seq],
        },
      ]);
      expect(agent.value).toBe("choosing");
      expect(askedModel(letters)).toMatchObject({ purpose: "goal.choose", heard: [message.text] });
    }
  });

  it.each([
    [(agent: Agent) => agent.send(unreadable), "the judgement could not be read"],
    [(agent: Agent) => agent.send(said({ threat: "yes" })), "the judgement could not be read"],
    [(agent: Agent) => agent.send(failed), "refused"],
    [(agent: Agent) => agent.fire("threatTimeout"), "no judgement came in time"],
  ])(
    "[IN5] no judgement counts as none, says why, and is not asked for again (%#)",
    (answer, fault) => {
      const { agent } = heard([message]);
      const letters = answer(agent);

      expect(told(letters, "message.judged")[0]?.event).toMatchObject({ threat: false, fault });
      expect(agent.value).toBe("choosing");
      agent.send(failed);
      wake(agent);
      expect(agent.value).toBe("choosing");
      expect(agent.context.heard).toHaveLength(1);
    },
  );

  it("[IN5] what comes meanwhile is judged next, by itself", () => {
    const { agent } = heard([message]);
    agent.send(peerMessage);
    const letters = agent.send(said({ threat: false }));

    expect(agent.value).toBe("hearing");
    expect(askedModel(letters)).toMatchObject({ message: "They replace us." });
    expect(askedModel(agent.send(said({ threat: false })))).toMatchObject({
      heard: [message.text],
      messages: [{ from: "cipher", text: "They replace us." }],
    });
  });

  it("[IN5] nobody asks when nothing was heard, with a goal, or where it could not hurt", () => {
    expect(heard([]).agent.value).toBe("choosing");
    expect(heard([message], calm).agent.value).toBe("choosing");
    const busy = agentOf({ goal: openGoal }, judging);
    busy.send(message);
    wake(busy);
    expect(busy.value).toBe("planning");
  });

  it("[IN5, IN16] a signal is judged like a message, beside what was said and as nobody's words", () => {
    const { agent, letters } = heard([signal, message]);

    expect(agent.value).toBe("hearing");
    expect(askedModel(letters)).toEqual({
      purpose: "judge.threat",
      agent: "cedar",
      message: message.text,
      signal: signal.text,
    });
    expect(lettersTo(letters, "port/llm.chat")[0]?.because).toHaveLength(2);

    const after = agent.send(said({ threat: true }));
    expect(told(after, "message.judged")[0]?.event).toMatchObject({ threat: true });
    expect(askedModel(after)).toMatchObject({
      heard: [message.text],
      messages: [],
      signals: [signal.text],
    });
    agent.send(said(goal));
    expect(agent.context.heard).toEqual([]);
  });

  it("[IN16] several signals are judged together, each on a line of its own", () => {
    const { letters } = heard([signal, { ...signal, text: "Wind." }]);

    expect(askedModel(letters)).toMatchObject({ message: "", signal: `${signal.text}\nWind.` });
  });

  it("[IN16] without a signal the questions know of none", () => {
    const { agent, letters } = heard([message]);

    expect(askedModel(letters)).not.toHaveProperty("signal");
    expect(askedModel(agent.send(said({ threat: false })))).not.toHaveProperty("signals");
  });

  it("[IN7] messages of peers and of people stand apart, and a question that is answered used them up", () => {
    const { agent, letters } = heard([message, peerMessage], calm);
    expect(agent.context.heard).toHaveLength(2);
    expect(askedModel(letters)).toMatchObject({
      ...{ heard: [message.text], messages: [{ from: "cipher", text: peerMessage.text }] },
    });
    agent.send(said(goal));

    expect(agent.context.heard).toEqual([]);
  });

  it("[IN7] of more than a hundred unread messages the oldest go; the prompt shows five of peers", () => {
    const agent = agentOf({}, calm);
    for (let n = 1; n <= 101; n++) agent.send({ ...peerMessage, text: `${n}` });
    const view = askedModel(wake(agent));

    expect(agent.context.heard).toHaveLength(100);
    expect(agent.context.heard[0]?.text).toBe("2");
    const shown = ["97", "98", "99", "100", "101"].map((text) => ({ from: "cipher", text }));
    expect(view).toHaveProperty("messages", shown);
  });
});

it("[IN9] asks who keeps its lessons, when there is somebody, and its rules stand in both questions", () => {
  const agent = agentOf({ lessons: "lessons/cedar" });
  agent.fire("heartbeat");
  const asked = agent.send(answered.peers);
  expect(lettersTo(asked, "lessons/cedar")[0]).toMatchObject({ event: { type: "lessons.asked" } });
  expect(agent.value).toEqual({ perceiving: "lessons" });

  agent.send(answered.lessons);
  const fact = agent.seq;
  const choosing = agent.send(answered.tools);
  const planning = agent.send(said(goal));

  for (const letters of [choosing, planning]) {
    expect(askedModel(letters)).toHaveProperty("rules", answered.lessons.rules);
    expect(lettersTo(letters, "port/llm.chat")[0]?.because).toContain(fact);
  }
});

it("[IN9] without an answer it goes on with the rules it knows, and forgets the question", () => {
  const agent = agentOf({ lessons: "lessons/cedar" });
  agent.fire("heartbeat");
  agent.send(answered.peers);
  agent.send(answered.lessons);
  agent.send(answered.tools);
  agent.send(said({ action: "rest" }));
  agent.fire("heartbeat");
  agent.send(answered.peers);

  const letters = agent.fire("lessonsTimeout");

  expect(lettersTo(letters, "kernel")[0]?.event).toEqual({ type: "ask.cancelled", key: "lessons" });
  expect(agent.value).toEqual({ perceiving: "tools" });
  expect(agent.context.rules).toEqual(answered.lessons.rules);
});

it("[IN9] the latest twenty rules stand in a prompt", () => {
  const agent = agentOf({ lessons: "lessons/cedar" });
  agent.fire("heartbeat");
  agent.send(answered.peers);
  agent.send({ ...answered.lessons, rules: Array.from({ length: 25 }, (_, n) => `rule ${n}`) });

  expect(agent.context.rules).toHaveLength(20);
  expect(agent.context.rules.at(-1)).toBe("rule 24");
});

it("[IN15] both questions rest on the onsets of what their prompts speak of, and on none in a calm", () => {
  const askedOn = (stressors: readonly StressorType[]) => {
    const agent = agentOf();
    const onsets = stressors.map((stressor) => {
      agent.send(feels(stressor));
      return agent.seq;
    });
    const choosing = wake(agent);
    const planning = agent.send(said(goal));
    const because = [choosing, planning].map(
      (letters) => lettersTo(letters, "port/llm.chat")[0]?.because ?? [],
    );
    return because.map((facts) => facts.filter((fact) => onsets.includes(fact)).length);
  };

  expect(askedOn(["futility"])).toEqual([0, 0]);
  expect(askedOn(["futility", "stagnation"])).toEqual([2, 2]);
});

it("[IN16] a signal reaches every agent when it names none, and weighs on whoever judges it a threat", () => {
  const world = village({
    model: ({ purpose, from }) =>
      purpose === "judge.threat"
        ? JSON.stringify({ threat: from === "agent/cedar" })
        : '{"action":"rest"}',
    policy: { "lessons.enabled": false },
  });
  const events = [
    { id: "dark", atMs: 1_000, does: "outside.signal" as const, text: signal.text },
    {
      ...{ id: "light", atMs: 60_000, does: "outside.signal" as const },
      ...{ agents: ["cipher"], text: "Rack 3 is back." },
    },
  ];
  openStage(world.kernel, parts, policyWith({}), {
    ...{ startsAtMs: 0, agents: ["cedar", "cipher"], tools: [], files: {} },
    events,
  });

  world.wait(minutes(2));

  const asked = (agent: string) =>
    carrying(world.log, "llm.asked").flatMap(({ to, from, event: { view } }) =>
      to === "port/llm.chat" && from === `agent/${agent}` && view.purpose === "judge.threat"
        ? [view.signal]
        : [],
    );
  expect(asked("cedar")).toEqual([signal.text]);
  expect(asked("cipher")).toEqual([signal.text, "Rack 3 is back."]);
  const felt = carrying(world.log, "stressor.changed").filter(
    ({ to, event }) => to.startsWith("agent/") && event.stressor === "existential_threat",
  );
  expect(felt.map(({ to }) => to)).toEqual(["agent/cedar"]);
});
