// What an agent is after a restart of its daemon: with everybody real, and nothing but files between.

import { expect, it } from "vitest";
import { parts } from "../../../../src/builtIn/parts.ts";
import type { AgentContext } from "../../../../src/machines/agents/agent/context.ts";
import {
  emptyProfile,
  profilePath,
  type StartingProfile,
} from "../../../../src/machines/agents/agent/profile.ts";
import type { GoalInput } from "../../../../src/machines/agents/goal/goalContext.ts";
import { minutes, seconds } from "../../../../src/machines/units.ts";
import { openStage } from "../../../../src/run/openStage.ts";
import { policyWith } from "../../../builtIn.ts";
import { mailIn } from "../../../mail.ts";
import { type VillageOptions, village } from "../../village.ts";

const opinions = [{ opinion: "Less is more.", domain: "files" }];
const starting: StartingProfile = { traits: ["curious"], opinions, questions: ["Who reads this?"] };

function started(
  options: VillageOptions = {},
  profiles: { readonly [agent: string]: StartingProfile } = { cedar: starting },
) {
  const world = village(options);
  openStage(world.kernel, parts, policyWith({}), {
    startsAtMs: 0,
    agents: ["cedar", "cipher"],
    profiles,
    tools: [],
    files: { "/agentOS/workspace/x.md": "x" },
    events: [],
  });
  world.wait(0);
  return {
    ...world,
    restart() {
      world.send({ to: "daemon", event: { type: "daemon.restarted" } });
      world.wait(seconds(20));
    },
  };
}

const plan = JSON.stringify({
  steps: [{ intent: "lists directory entries", params: { path: "/agentOS/workspace" } }],
});

it("[IN1] what a scenario says of an agent stands in its file, and the agent is what the file says", () => {
  const world = started();
  const profile = { ...emptyProfile, ...starting };

  expect(JSON.parse(world.file(profilePath("cedar")) ?? "")).toEqual(profile);
  expect(world.context<AgentContext>("agent/cedar").profile).toEqual(profile);
  expect(world.context<AgentContext>("agent/cipher").profile).toEqual(emptyProfile);
  expect(world.context<AgentContext>("agent/cedar").input.peers).toEqual(["cipher"]);
});

it("[IN1] opinions, questions, worldview, journal and last outcome survive a restart", () => {
  const answer = {
    action: "rest",
    reasoning: "Nothing is to be done.",
    worldview_update: "All of this stands by itself.",
    new_open_questions: ["For how long?"],
    new_opinions: [{ opinion: "Rest is work.", domain: "life" }],
  };
  const world = started({ model: () => JSON.stringify(answer) });
  world.wait(minutes(1));
  const before = world.context<AgentContext>("agent/cedar");

  world.restart();

  const after = world.context<AgentContext>("agent/cedar#2");
  expect(after.profile).toEqual({
    ...emptyProfile,
    traits: ["curious"],
    opinions: [...opinions, { opinion: "Rest is work.", domain: "life" }],
    questions: ["Who reads this?", "For how long?"],
    worldview: "All of this stands by itself.",
  });
  expect(after.journal).toEqual(before.journal);
  expect(after.journal.length).toBeGreaterThan(1);
});

it("[IN1] what the file loses, the agent is no longer", () => {
  const world = started();
  world.send({ to: "files", event: { type: "files.delete", paths: [profilePath("cedar")] } });

  world.restart();

  expect(world.context<AgentContext>("agent/cedar#2").profile).toEqual(emptyProfile);
});

it("[U8] the rotation survives a restart: the next fallback looks where the last one left off", () => {
  const model: VillageOptions["model"] = ({ purpose }) => (purpose === "plan" ? plan : "{");
  const world = started({ model, policy: { "planner.consecutiveFailures": 1 } });
  const slugs = () =>
    mailIn(world.log, "actor.start")
      .filter(({ machine }) => machine === "goal")
      .map(({ input }) => input as GoalInput)
      .filter(({ agent }) => agent === "cedar")
      .map(({ slug }) => slug);
  world.until(() => slugs().length === 1);
  const { rotation } = world.context<AgentContext>("agent/cedar").profile;
  world.restart();

  expect(slugs()[0]).toBe("fallback-question");
  expect(rotation).toBe(2);
  expect(world.context<AgentContext>("agent/cedar#2").profile.rotation).toBe(2);
});

it("[U8] an agent whose model never gives a goal works all the same, on what is there", () => {
  const content = "What follows is written down here, at some length. ".repeat(10);
  const path = "/agentOS/workspace/cedar/1-fallback-question.md";
  const steps = Array.from({ length: 6 }, () => ({
    intent: "write content to path",
    params: { path, content },
  }));
  const world = started({
    model: ({ purpose, from }) =>
      purpose === "plan" && from === "agent/cedar" ? JSON.stringify({ steps }) : "{",
    policy: { "gate.parts": ["output", "mechanical"] },
  });
  world.wait(minutes(1));

  const { recent, profile, goal } = world.context<AgentContext>("agent/cedar");
  expect(recent[0]).toMatchObject({ n: 1, status: "completed" });
  expect(profile.lastOutcome).toContain("[COMPLETED] Find out");
  expect(goal?.slug).toBe("fallback-last-outcome");
});
