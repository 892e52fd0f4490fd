import { describe, expect, it } from "vitest";
import {
  emptyProfile,
  journalPath,
  profilePath,
  profileText,
} from "../../../../src/machines/agents/agent/profile.ts";
import type { Mail, MailEvent, MailOf } from "../../../../src/machines/letter.ts";
import { lettersTo } from "../../driven.ts";
import {
  type Agent,
  agentOf,
  answered,
  askedModel,
  failed,
  feels,
  finished,
  goal,
  judged,
  look,
  openGoal,
  said,
  told,
  unreadable,
  wake,
  written,
} from "./mind.ts";

const word = {
  reasoning: "The state is not written down anywhere.",
  worldview_update: "Nobody looks after what is there.",
  new_open_questions: ["Who reads this?"],
  new_opinions: [{ opinion: "What is not written down is lost.", domain: "files" }],
  suffering_assessment: { new_stressors: ["Futility"], resolved: ["stagnation"] },
};
const profiled = {
  ...emptyProfile,
  opinions: word.new_opinions,
  questions: word.new_open_questions,
  worldview: word.worldview_update,
};

describe("the model's word about the agent", () => {
  it.each([
    ["a goal", goal],
    ["a rest", { action: "rest" }],
  ])("[IN2] beside %s is kept: in mind, in its files, in the next question", (_, answer) => {
    const agent = agentOf();
    wake(agent);
    const letters = agent.send(said({ ...answer, ...word }));

    expect(agent.context.profile).toEqual(profiled);
    expect(written(letters)).toEqual([
      { type: "files.write", path: profilePath("cedar"), text: profileText(profiled) },
      {
        type: "files.append",
        path: journalPath("cedar"),
        text: '{"atMs":6000,"text":"The state is not written down anywhere."}\n',
      },
    ]);
  });

  it("[IN2] a reason alone goes into the journal, and leaves the profile as it is", () => {
    const agent = agentOf();
    wake(agent);
    const { reasoning } = word;

    expect(written(agent.send(said({ action: "rest", reasoning })))).toMatchObject([
      { type: "files.append", path: journalPath("cedar") },
    ]);
    expect(agent.context).toMatchObject({ profile: emptyProfile, journal: [reasoning] });
  });

  it("[IN2] stands in the next question about a goal", () => {
    const agent = agentOf();
    wake(agent);
    agent.send(said({ action: "rest", ...word }));

    expect(askedModel(wake(agent))).toMatchObject({
      opinions: word.new_opinions,
      questions: word.new_open_questions,
      worldview: word.worldview_update,
      journal: [word.reasoning],
    });
  });

  it("[IN2] an answer that says nothing of it writes nothing, and one that is unusable changes nothing", () => {
    const agent = agentOf();
    wake(agent);
    expect(written(agent.send(said({ action: "rest" })))).toEqual([]);
    wake(agent);
    const { slug: _, content: __, ...useless } = goal;
    expect(written(agent.send(said({ ...useless, ...word })))).toEqual([]);
    expect(agent.context.profile).toEqual(emptyProfile);
  });

  it("[IN3] about what it feels goes to the ledger, two of each at most, and changes nothing in it", () => {
    const agent = agentOf();
    agent.send(feels("futility"));
    wake(agent);
    const felt = agent.context.suffering;
    const names = ["futility", "b", "c"];
    const letters = agent.send(
      said({ ...goal, suffering_assessment: { new_stressors: names, resolved: names } }),
    );

    expect(told(letters, "suffering.reported")).toEqual([
      {
        to: "goalLedger",
        event: {
          type: "suffering.reported",
          agent: "cedar",
          resolved: ["futility", "b"],
          fresh: ["futility", "b"],
        },
        because: [agent.seq],
      },
    ]);
    expect(felt.map(({ type }) => type)).toEqual(["futility"]);
    expect(agent.context.suffering).toEqual(felt);
  });

  it.each([
    [[], [], 0],
    [["futility"], [], 1],
    [[], ["futility"], 1],
  ])("[IN3] of %j as new and %j as over it tells in %i letters", (fresh, resolved, count) => {
    const agent = agentOf();
    wake(agent);
    const felt = { suffering_assessment: { new_stressors: fresh, resolved } };

    expect(told(agent.send(said({ ...goal, ...felt })), "suffering.reported")).toHaveLength(count);
  });
});

describe("a model that gives nothing usable", () => {
  const grounded = { profile: { ...emptyProfile, questions: ["Who reads this?"] } };

  it.each([
    ["cannot be read", (agent: Agent) => agent.send(unreadable)],
    ["fails", (agent: Agent) => agent.send(failed)],
    ["is too late", (agent: Agent) => agent.fire("modelTimeout")],
  ])("[U8] because it %s: the agent makes a goal of what there is, and plans it", (_, answer) => {
    const agent = agentOf({ ...grounded, lastGoal: 4 });
    wake(agent);
    const letters = answer(agent);

    expect(agent.value).toBe("planning");
    expect(lettersTo(letters, "kernel").at(-1)?.event).toMatchObject({
      type: "actor.start",
      address: "goal/cedar/5",
      input: { n: 5, slug: "fallback-question", evidence: null, fallback: "question" },
    });
    expect(askedModel(letters)).toMatchObject({ purpose: "plan", slug: "fallback-question" });
    expect(lettersTo(letters, "port/llm.chat")[0]?.because).toEqual([agent.seq]);
  });

  it("[U8] the rotation goes on after a restart", () => {
    const agent = agentOf(grounded);
    wake(agent);
    const letters = agent.send(unreadable);

    expect(agent.context.profile.rotation).toBe(2);
    expect(written(letters)).toEqual([
      {
        type: "files.write",
        path: profilePath("cedar"),
        text: profileText({ ...grounded.profile, rotation: 2 }),
      },
    ]);
  });

  it("[U8] with nothing to go by it rests; so it does after a rest, and without fallback", () => {
    const rests = (agent: Agent, answer: MailEvent) => {
      wake(agent);
      agent.send(answer);
      return agent.value === "resting" && agent.context.goal === null;
    };

    expect(rests(agentOf(), unreadable)).toBe(true);
    expect(rests(agentOf(grounded), said({ action: "rest" }))).toBe(true);
    expect(rests(agentOf(grounded, { "planner.fallback": false }), unreadable)).toBe(true);
  });

  it("[U8] its plan is asked for as any other, and the cycle ends when that is unusable too", () => {
    const agent = agentOf(grounded);
    wake(agent);
    agent.send(unreadable);
    agent.send(unreadable);

    expect(agent.value).toBe("resting");
    expect(agent.context.goal).toMatchObject({ slug: "fallback-question" });
  });
});

describe("what a cycle was", () => {
  const ended = (letters: ReturnType<Agent["send"]>) =>
    told(letters, "cycle.ended").map(({ event }) => event);

  it("[IN6] is told when it goes to rest: goal, progress, load, and whether it chose", () => {
    const agent = agentOf();
    agent.send(feels("futility", { growthPerDay: 86_400_000 }));
    wake(agent);
    agent.send(said(goal));
    agent.send(said({ steps: [look] }));
    agent.send(finished);

    // A minute after it woke.
    expect(ended(agent.send(judged(), 60_000))).toEqual([
      {
        type: "cycle.ended",
        agent: "cedar",
        cycle: 1,
        goal: "Write a page",
        n: 1,
        progress: 200_000,
        load: 266_000,
        chose: true,
      },
    ]);
    wake(agent);
    expect(ended(agent.send(unreadable))).toMatchObject([{ cycle: 2, n: 1, chose: false }]);
  });

  it("[IN6] a goal that is over counts for its last cycle; without one there is none", () => {
    const agent = agentOf({ goal: openGoal });
    wake(agent);
    agent.send(said({ steps: [look] }));
    agent.send(finished);

    expect(ended(agent.send(judged("completed", { progress: 1_000_000 })))).toMatchObject([
      { goal: "Write a page", n: 3, progress: 1_000_000, chose: false },
    ]);
    wake(agent);
    expect(ended(agent.send(said({ action: "rest" })))).toMatchObject([
      { cycle: 2, goal: null, n: null, progress: 0, chose: false },
    ]);
  });

  it("[IN6] is told at a time-out too, but not at the start or when the daemon stops", () => {
    const agent = agentOf();
    expect(ended(agent.letters)).toEqual([]);
    agent.fire("heartbeat");
    expect(ended(agent.fire("peersTimeout"))).toHaveLength(1);
    agent.fire("heartbeat");
    expect(ended(agent.send({ type: "daemon.stopped" }))).toEqual([]);
  });
});

describe("how a goal ended", () => {
  const outcome = (status: Mail["goal.judged"]["status"], reason: string | null) => {
    const agent = agentOf({ goal: openGoal });
    wake(agent);
    agent.send(said({ steps: [look] }));
    agent.send(finished);
    return { agent, letters: agent.send(judged(status, { reason })) };
  };

  it("[IN8] is kept in words, in its file and in the next question", () => {
    const { agent, letters } = outcome("abandoned", "no such file");
    const lastOutcome = "[ABANDONED] Write a page: no such file";

    expect(written(letters)).toMatchObject([
      { type: "files.write", text: profileText({ ...emptyProfile, lastOutcome }) },
    ]);
    expect(askedModel(wake(agent))).toMatchObject({ lastOutcome });
    expect(outcome("completed", null).agent.context.profile.lastOutcome).toBe(
      "[COMPLETED] Write a page",
    );
  });

  it("[IN8] is cut at 400 characters; a goal that goes on is no outcome", () => {
    expect(outcome("abandoned", "x".repeat(600)).agent.context.profile.lastOutcome).toHaveLength(
      400,
    );
    expect(outcome("missed", "not there").agent.context.profile.lastOutcome).toBeNull();
  });
});

describe("a lock that is felt", () => {
  const refusal = "fs_write is locked: your load is 0.80";
  const refused: MailOf<"call.finished"> = {
    ...finished,
    ok: false,
    result: null,
    error: refusal,
    locked: true,
  };

  it("[IN10] stands in plan and choice, once, until its suffering changes", () => {
    const agent = agentOf({ goal: openGoal });
    wake(agent);
    agent.send(said({ steps: [look, look, look] }));
    for (let times = 0; times < 2; times++) {
      agent.send(refused);
      expect(askedModel(agent.send(judged()))).toMatchObject({ locks: [refusal] });
      agent.send(said({ steps: [look, look, look] }));
    }
    agent.send(finished);
    agent.send(judged("completed"));
    expect(askedModel(wake(agent))).toMatchObject({ purpose: "goal.choose", locks: [refusal] });

    agent.send(feels("futility", { sinceMs: null }));
    expect(agent.context.locks).toEqual([]);
  });

  it("[IN10] another failure is none", () => {
    const agent = agentOf({ goal: openGoal });
    wake(agent);
    agent.send(said({ steps: [look] }));
    const { locked: _, ...failure } = refused;
    agent.send(failure);

    expect(agent.context.locks).toEqual([]);
  });
});

describe("a crisis that is ended from outside", () => {
  const reset: MailOf<"crisis.reset"> = { type: "crisis.reset", agent: "cedar" };
  const suffering = (changes = {}) => {
    const agent = agentOf(changes);
    agent.send(feels("futility"));
    return agent;
  };
  const givenUp = (letters: ReturnType<Agent["send"]>) =>
    lettersTo(letters, "goal/cedar/3").map(({ event }) => event);

  it("[IN11] takes its suffering away; without a goal that is all", () => {
    const agent = suffering();
    wake(agent);
    agent.send(reset);

    expect(agent.context.suffering).toEqual([]);
    expect(agent.value).toBe("choosing");
  });

  it("[IN11] its goal is given up, and the cycle is told once", () => {
    const agent = suffering({ goal: openGoal });
    wake(agent);
    agent.send(said({ steps: [look] }));
    const letters = agent.send(reset);
    const fact = agent.seq;

    expect(givenUp(letters)).toEqual([
      { type: "goal.givenUp", reason: "crisis.reset", facts: [fact] },
    ]);
    const after = agent.send(judged("abandoned", { reason: "crisis.reset" }));
    expect(agent.value).toBe("resting");
    expect(agent.context).toMatchObject({ goal: null, givesUp: null, suffering: [] });
    expect(told(after, "cycle.ended")).toHaveLength(1);
  });

  it("[IN11] at rest, too: the cycle that was told is not told again", () => {
    const agent = suffering({ goal: openGoal });
    wake(agent);
    agent.send(unreadable);
    expect(agent.value).toBe("resting");
    expect(givenUp(agent.send(reset))).toHaveLength(1);
    agent.send(reset);
    expect(agent.value).toBe("givingUp");

    expect(told(agent.send(judged("abandoned")), "cycle.ended")).toEqual([]);
    expect(agent.context.goal).toBeNull();
  });

  it("[IN11] a goal that is being judged is given up after the verdict, unless it is over then", () => {
    for (const status of ["active", "completed"] as const) {
      const agent = suffering({ goal: openGoal });
      wake(agent);
      agent.send(said({ steps: [look, look] }));
      agent.send(finished);
      expect(givenUp(agent.send(reset))).toEqual([]);
      const fact = agent.seq;

      expect(givenUp(agent.send(judged(status)))).toEqual(
        status === "completed"
          ? []
          : [{ type: "goal.givenUp", reason: "crisis.reset", facts: [fact] }],
      );
    }
  });

  it("[IN11] when no verdict comes it is given up; when nobody answers to that, it rests", () => {
    const agent = suffering({ goal: openGoal });
    wake(agent);
    agent.send(said({ steps: [look] }));
    agent.send(finished);
    agent.send(reset);

    expect(givenUp(agent.fire("goalTimeout"))).toHaveLength(1);
    agent.fire("givingUpTimeout");
    expect(agent.value).toBe("resting");
    agent.fire("heartbeat");
    agent.send(answered.peers);
    agent.send(answered.tools);
    expect(agent.value).toBe("planning");
  });
});
